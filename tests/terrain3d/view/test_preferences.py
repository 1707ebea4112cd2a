"""Settings by keys: each key changes one, what listens hears it, and a file remembers it."""

import pytest
from panda3d.core import WindowProperties

from terrain3d.look.settings import Settings, SettingsFile
from terrain3d.view import Preferences


@pytest.fixture
def file(tmp_path):
    return SettingsFile(tmp_path / "settings.json")


@pytest.mark.parametrize(
    ("event", "name", "value"),
    [
        ("c", "show_costs", True),
        ("m", "show_map", False),
        ("p", "palette", "Okabe-Ito"),
        ("]", "text_scale", 1.25),
        ("[", "text_scale", 0.75),
        (">", "motion_speed", 2.0),
        ("shift-.", "motion_speed", 2.0),
        ("<", "motion_speed", 0.5),
        ("shift-,", "motion_speed", 0.5),
        ("k", "skip_motion", True),
        ("v", "follow", False),
        ("n", "mood", "dusk"),
        ("f4", "quality", "medium"),
    ],
)
def test_a_key_changes_one_setting_which_is_remembered(base, tree, file, event, name, value):
    preferences = tree.root.add_child(Preferences(file=file))
    heard = []
    preferences.changed.connect(heard.append)
    base.messenger.send(event)
    assert heard == [name]
    assert preferences.settings == Settings(**{name: value})
    assert file.load() == preferences.settings


def test_the_layout_of_the_keyboard_is_a_setting(tree, file):
    preferences = tree.root.add_child(Preferences(file=file))
    assert tree.input.keyboard == "QWERTY"
    preferences.change("keyboard")
    assert tree.input.keyboard == file.load().keyboard == "AZERTY"


def test_a_window_that_began_in_full_screen_gets_the_default_size(base, tree, monkeypatch):
    class Window:
        wanted = None
        display_regions = ()

        def get_properties(self):
            return WindowProperties(fullscreen=True, size=(1920, 1080), origin=(0, 0))

        def request_properties(self, wanted):
            Window.wanted = wanted

    tree.root.add_child(Preferences())
    with monkeypatch.context() as patch:
        patch.setattr("terrain3d.view.preferences.GraphicsWindow", Window)
        patch.setattr(base, "win", Window())
        base.messenger.send("f11")
    assert not Window.wanted.fullscreen
    assert Window.wanted.get_size() == WindowProperties.get_default().get_size()


def test_a_key_saves_only_what_it_changes(base, tree, file):
    file.save(Settings(palette="Okabe-Ito"))
    preferences = tree.root.add_child(Preferences(Settings(mood="night", text_scale=2.0), file))
    base.messenger.send("c")
    assert preferences.settings == Settings(mood="night", text_scale=2.0, show_costs=True)
    assert file.load() == Settings(palette="Okabe-Ito", show_costs=True)
    base.messenger.send("n")
    assert file.load().mood == preferences.settings.mood == "noon"


def test_at_its_limit_a_setting_is_told_and_not_written_again(base, tree, tmp_path, monkeypatch):
    file = SettingsFile(tmp_path / "settings.json")
    preferences = tree.root.add_child(Preferences(Settings(text_scale=2.0), file))
    monkeypatch.setattr(SettingsFile, "save", lambda *_: pytest.fail("written"))
    heard = []
    preferences.changed.connect(heard.append)
    base.messenger.send("]")
    assert heard == ["text_scale"]


def test_what_cannot_be_remembered_holds_and_is_told(base, tree, tmp_path):
    preferences = tree.root.add_child(Preferences(file=SettingsFile(tmp_path)))
    received = []
    preferences.failed.connect(received.append)
    base.messenger.send("p")
    assert preferences.settings.palette == "Okabe-Ito"
    assert received == [f"settings cannot be saved in {tmp_path}: is not a regular file"]
