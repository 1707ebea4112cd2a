"""Every text that is drawn is translated, and fits when it is a third longer.

A made catalog has other letters in the place of all Latin ones, so that those that are left come
from the code.
"""

import re

import pytest

from ai import plain_reason
from ai.game.battle_setup import Match, set_up
from ai.view import Unit3D
from terrain3d import Cell, Reason, TileMap, landscape
from terrain3d.editor.tools import TOOLS
from terrain3d.look.settings import SettingsFile
from terrain3d.view import Labels3D
from terrain3d.view.command import key_name
from terrain3d.view.hud import widgets
from terrain3d.view.hud.widgets import Panel
from tests.catalogs import WORDINGS, messages
from tests.support.texts import commands, write_catalog

pytestmark = pytest.mark.usefixtures("large_window")

LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "àбćđēфĝĥìĵķĺмñōрцŕšťũвŵхŷžÀБĆĐĒФĜĤÌĴĶĹМÑŌРЦŔŠŤŨВŴХŶŽ",
)
NAMES = {"Mira", "Bram", "Odo", "tmap", "map", "x"}


def pseudo(text):
    """Return a text in other letters and a third longer; fields stay."""
    parts = re.split(r"(\{[^}]*\})", text)
    changed = [part if part[:1] == "{" else part.translate(LETTERS) for part in parts]
    more = len(re.sub(r"\{[^}]*\}", "", text)) // 3
    return "".join(changed) + " " * (more > 3) + "ō" * (more - 1) * (more > 3)


class Drawn:
    """Collects the texts that are drawn, and what of them is not translated."""

    def __init__(self, monkeypatch):
        self.texts, self.panels = set(), set()
        write, draw, show = widgets._written, Panel.show, Labels3D.show

        def write_text(letters, text):
            self.texts.update(text.text.split("\n"))
            return write(letters, text)

        def show_panel(panel, widget, space):
            self.panels.add(panel)
            draw(panel, widget, space)

        def show_labels(labels, points, texts):
            self.texts.update(texts)
            show(labels, points, texts)

        def label(_tag, text):
            self.texts.add(text)

        monkeypatch.setattr(widgets, "_written", write_text)
        monkeypatch.setattr(Panel, "show", show_panel)
        monkeypatch.setattr(Labels3D, "show", show_labels)
        monkeypatch.setattr(Unit3D, "label", property(lambda _figure: "", label))

    def untranslated(self):
        """List the texts with Latin letters that are no names, keys or f, g and h of a search."""
        odd = re.compile(r"\x01\w+\x01|\x02|\b[fgh] ?(?=[\d.])")
        plain = {odd.sub("", text): text for text in self.texts}
        events = {event for each in commands() for event in each["keys"].split()}
        keys = {word for event in events for word in re.findall("[A-Za-z]+", key_name(event))}
        words = {text: {*re.findall("[A-Za-z]+", text)} for text in plain}
        return sorted(plain[text] for text in words if words[text] - keys - NAMES)

    def outside(self, render2d):
        """Name the visible panels that are not inside the window."""
        shown = [
            panel
            for panel in self.panels
            if panel.size[0] and not panel.np.is_empty() and render2d.is_ancestor_of(panel.np)
            if not any(each.is_hidden() for each in panel.np.ancestors)
        ]
        assert shown
        beyond = []
        for panel in shown:
            for x, z in ((0, 0), (panel.size[0], -panel.size[1])):
                point = render2d.get_relative_point(panel.np, (x, 0, z))
                if max(abs(point.x), abs(point.z)) > 1.001:
                    beyond.append((panel.np.name, panel._shown[0]))
        return beyond


@pytest.fixture
def drawn(monkeypatch, tmp_path, translations):
    texts = {
        each: pseudo(each) if isinstance(each, str) else [*map(pseudo, each)] for each in messages()
    }
    write_catalog(tmp_path / "locale", "en_XA", texts)
    translations.add_folder(tmp_path / "locale")
    translations.set_language("en_XA")
    monkeypatch.chdir(tmp_path)
    return Drawn(monkeypatch)


LEFT_OUT = {
    *("new_map", "close_search", "map_editor", "search_theatre", "end_turn", "pause"),
    *("next_algorithm", "next_heuristic", "next_uphill", "play_again", "load"),
    *("menu", "save", "save_as", "resize_map", "mirror", "mirror_down", "undo_stroke"),
}
"""They change the mode or the map, open a menu, undo an edit of the test, or wait for a thread."""


def press_all(base, tree, scene, drawn):
    names = sorted(name for name, each in tree.input.commands.items() if each.call is not None)
    for name in names:
        if name not in LEFT_OUT and name in tree.input.commands:
            tree.input.press(name)
            tree.advance(0.1)
            assert scene.hud.is_bare or drawn.outside(tree.viewport.render2d) == [], name
    scene.hud.close_help()
    for event in ("shift-x", "z", "u", "f5"):  # keys of other modes and of none
        base.messenger.send("button-down", [event])
        tree.advance(0.0)
    tree.input.press("menu")
    tree.advance(0.0)
    base.messenger.send("gamepad-face_b")
    for _ in range(3):
        scene.hud.toggle_help()
        tree.advance(0.0)
    scene.hud.close_help()


@pytest.fixture
def played(open_scene):
    rows = ["0000000000", "0123400000", "0000000000", "000#000000", "0000000000"]
    tilemap = TileMap.from_text("\n".join(rows))
    with tilemap.edit() as edit:
        edit.add_deck([(2, 4), (2, 5)], 3)
        edit.set_kind((4, 4), "swamp")
    tilemap.extras["units"] = [
        {"name": "Mira", "cell": [0, 0], "team": "blue", "move": 3},
        {"name": "Odo", "cell": [4, 0], "team": "blue", "move": 6},
        {"name": "Bram", "cell": [0, 9], "team": "red", "move": 6},
    ]
    return lambda **options: open_scene(tilemap, **options)


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_all_that_play_shows_is_translated(base, tree, played, drawn, turns):
    scene = played(turns=turns)
    assert scene.mode is scene.play
    mira = scene.board.units[0]
    for unit in (mira, scene.board.units[2]):
        scene.commander.select(unit)
        for cell in [(0, 1), (1, 4), (3, 3), (2, 4, 1), (4, 4), (4, 0), (0, 8), (0, 0)]:
            scene.commander.aim_at(cell)
            tree.advance(0.1)
            scene.commander.act_on(cell)
            tree.advance(9.0)
            scene.commander.select(unit)
    scene.commander.select_all(scene.board.units[:2])
    scene.commander.aim_at((2, 2))
    for _ in range(40):
        tree.advance(0.2)
    for _ in range(14):
        tree.input.press("next_behavior")
        tree.advance(0.5)
    press_all(base, tree, scene, drawn)
    assert drawn.untranslated() == []


def test_all_that_a_battle_shows_is_translated(base, tree, tmp_path, open_scene, drawn):
    tilemap = landscape(24, 24, 3, 8)
    match = Match(set_up(tilemap, 3)[0], "easy", is_new=True)
    given = {"match": match, "file": SettingsFile(tmp_path / "settings.json"), "is_awaited": False}
    scene = open_scene(tilemap, "sides", **given, skip_motion=True)
    for _ in range(60):
        tree.advance(0.1)
    for unit in match.battle.board.units:
        NAMES.add(unit.name)
        scene.commander.select(unit)
        for number, _ in enumerate(unit.stats["skills"], start=1):
            base.messenger.send(str(number))
            for other in match.battle.board.units:
                scene.commander.aim_at(other.cell)
                tree.advance(0.05)
        tree.input.press("wait")
    menu = scene.game_menu
    for show in (menu.show_title, menu.pause, menu._list_options):
        show()
        tree.advance(0.1)
    for is_saving in (True, False):
        menu._list_saves(is_saving=is_saving)
        tree.advance(0.1)
        assert drawn.outside(tree.viewport.render2d) == []
    scene.menu.close()
    press_all(base, tree, scene, drawn)
    tree.input.press("end_turn")
    for _ in range(300):
        tree.advance(0.1)
    assert drawn.untranslated() == []


def test_all_that_the_editor_shows_is_translated(base, tree, played, drawn, tmp_path):
    scene = played()
    tree.input.press("map_editor")
    tree.advance(0.0)
    assert scene.mode is scene.edit
    press_all(base, tree, scene, drawn)
    editor = scene.edit.editor.map_editor
    for tool in TOOLS:
        tree.input.press(f"tool_{tool}")
        for area in ("brush", "rectangle", "fill"):
            editor.choose(area=area)
            for cell in [(0, 1), (0, 1), (3, 3), (2, 2)]:
                editor.aim_at(cell)
                editor.act()
                tree.advance(0.0)
    NAMES.update(re.findall("[A-Za-z]+", str(tmp_path)[-28:]))
    for name in ("undo_stroke", "redo_stroke"):
        tree.input.press(name)
        tree.advance(0.0)
    drawn.texts.update(line for each in scene.hud.buttons for line in each.help.split("\n"))
    editor.choose(tool="select")
    for cell in [(0, 1), (1, 3)]:
        editor.aim_at(cell)
        editor.act()
    editor.copy()
    editor.paste()
    for event in ("save", "save_as", "resize_map", "mirror"):
        tree.input.press(event)
        tree.advance(0.0)
        assert drawn.outside(tree.viewport.render2d) == []
        base.messenger.send("escape")
        tree.advance(0.0)
    assert drawn.untranslated() == []


def test_all_that_the_theatre_shows_is_translated(base, tree, played, drawn):
    scene = played()
    tree.input.press("search_theatre")
    assert scene.mode is scene.watch
    for event in ("next_algorithm", "next_heuristic", "next_uphill", "play_again"):
        for step in (0, 2, 10**6):
            scene.watch.theatre.seek(step)
            tree.advance(0.0)
            assert drawn.untranslated() == []
        tree.input.press(event)
    press_all(base, tree, scene, drawn)
    assert drawn.untranslated() == []


@pytest.mark.usefixtures("drawn")
def test_every_reason_is_translated():
    for code, wordings in WORDINGS.items():
        fields = re.findall(r"\{(\w+)(:(?:at|on|to|tile)\})?", "".join(wordings))
        values = {name: 3 for name, _ in fields} | {name: Cell(4, 7) for name, at in fields if at}
        assert not re.search("[A-Za-z]", plain_reason(Reason(code, **values))), code


def test_the_scene_follows_a_change_of_the_language(tree, played, translations):
    scene = played()
    tree.advance(0.0)
    rows, buttons = scene.key_rows(), scene.hud.buttons
    translations.set_language("ja")
    tree.advance(0.0)
    assert "ヘルプ" in [each.text for each in scene.hud.buttons]
    assert ("", "ユニット") in scene.key_rows()
    translations.set_language("en")
    tree.advance(0.0)
    assert (scene.key_rows(), scene.hud.buttons) == (rows, buttons)
