"""Settings: allowed values, changes by keys, levels of quality, and the settings file."""

import json
import math
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.palettes import PALETTES
from terrain3d.look.settings import (
    HIGH,
    LOW,
    MEDIUM,
    OPTIONS,
    Settings,
    SettingsError,
    SettingsFile,
    settings_path,
)

NUMBERS = "text_scale", "motion_speed"
CHOICES = {name: st.sampled_from(values) for name, values in OPTIONS.items()}
CHOICES |= {name: st.floats(OPTIONS[name][0], OPTIONS[name][-1]) for name in NUMBERS}
any_settings = st.builds(Settings, **CHOICES)


def test_choices_wrap_around():
    settings, seen = Settings(), []
    for _ in PALETTES:
        seen.append(settings.palette)
        settings = settings.stepped("palette")
    assert seen == list(PALETTES)
    assert settings == Settings()
    assert settings.stepped("palette", -1).palette == list(PALETTES)[-1]
    assert settings.stepped("follow").follow is not settings.follow
    assert settings.stepped("follow").stepped("follow") == settings


@given(any_settings, st.sampled_from(sorted(NUMBERS)))
def test_numbers_stop_at_their_limits(settings, name):
    up, down = [settings], [settings]
    for _ in OPTIONS[name]:
        up.append(up[-1].stepped(name, 1))
        down.append(down[-1].stepped(name, -1))
    rising = [getattr(each, name) for each in up]
    falling = [getattr(each, name) for each in down]
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)
    assert (falling[-1], rising[-1]) == (OPTIONS[name][0], OPTIONS[name][-1])
    assert set(rising[1:]) | set(falling[1:]) <= set(OPTIONS[name])


@given(settings=any_settings)
def test_a_saved_file_loads_the_same_settings(tmp_path_factory, settings):
    file = SettingsFile(tmp_path_factory.mktemp("config") / "new" / "folder" / "settings.json")
    assert file.load() == Settings()
    file.save(settings)
    assert file.load() == settings


def test_missing_settings_get_defaults_and_unknown_ones_are_ignored(tmp_path):
    path = tmp_path / "settings.json"
    SettingsFile(path).save(Settings(mood="night", follow=False))
    values = json.loads(path.read_text())
    del values["follow"]
    path.write_text(json.dumps(values | {"loudness": 11}))
    assert SettingsFile(path).load() == Settings(mood="night")


GOOD = {"format": "terrain3d settings", "version": 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Expecting value"),
        (b"{\n", "Expecting property name"),
        (b"\xff\xfe", "utf-8"),
        (b"[1, 2]", '"format"'),
        (b'{"format": "a map", "version": 1}', '"format"'),
        (b'{"format": "terrain3d settings", "version": 2}', '"version" must be 1, got 2'),
        (json.dumps(GOOD | {"palette": "mud"}).encode(), "palette must be one of"),
        (json.dumps(GOOD | {"text_scale": math.nan}).encode(), "text_scale must be in .* got nan"),
        (json.dumps(GOOD | {"text_scale": 9}).encode(), r"text_scale must be in 0.75..2.0, got 9"),
        (json.dumps(GOOD | {"motion_speed": True}).encode(), "motion_speed must be a number"),
        (json.dumps(GOOD | {"follow": 1}).encode(), "follow must be True or False, got 1"),
        *(
            (json.dumps(GOOD | {"bindings": wrong}).encode(), "bindings")
            for wrong in (3, [[]], [[3]], ["undo"], {"undo": "j"})
        ),
        (b"[" * 60000, "holds no settings"),
        (b" " * 70000, "65536"),
    ],
)
def test_an_invalid_file_raises_a_one_line_error_and_is_kept_as_a_backup(tmp_path, content, words):
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    file = SettingsFile(path)
    with pytest.raises(SettingsError, match=words) as caught:
        file.load()
    assert str(path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert path.read_bytes() == content
    file.save(Settings(mood="dusk"))
    assert SettingsFile(path).load().mood == "dusk"
    assert (tmp_path / "settings.json.bad").read_bytes() == content
    file.save(Settings(mood="night"))
    assert (tmp_path / "settings.json.bad").read_bytes() == content


def test_a_file_that_the_system_does_not_give_is_kept_as_a_backup(tmp_path, monkeypatch):
    file = SettingsFile(tmp_path / "settings.json")
    file.save(Settings(mood="dusk"))
    refused = Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr("terrain3d.look.settings.read_bytes", refused)
    with pytest.raises(SettingsError, match="cannot be read: Permission denied"):
        file.load()
    monkeypatch.undo()
    file.save(Settings())
    assert SettingsFile(tmp_path / "settings.json.bad").load().mood == "dusk"


def test_a_folder_at_the_path_raises_an_error_and_is_kept(tmp_path):
    file = SettingsFile(tmp_path)
    with pytest.raises(SettingsError, match=str(tmp_path)):
        file.load()
    with pytest.raises(OSError, match=str(tmp_path)):
        file.save(Settings())
    assert tmp_path.is_dir()


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({}, "linux", "/home/mira/.config"),
        ({"XDG_CONFIG_HOME": "/etc/mine"}, "linux", "/etc/mine"),
        ({"XDG_CONFIG_HOME": "relative"}, "linux", "/home/mira/.config"),
        ({"XDG_CONFIG_HOME": ""}, "freebsd", "/home/mira/.config"),
        ({"XDG_CONFIG_HOME": "/x"}, "darwin", "/home/mira/Library/Application Support"),
        ({"APPDATA": "/roaming"}, "win32", "/roaming"),
        ({}, "win32", "/home/mira/AppData/Roaming"),
    ],
)
def test_settings_are_in_the_config_folder_of_each_system(environment, platform, folder):
    path = settings_path(environment, platform, Path("/home/mira"))
    assert path == Path(folder) / "terrain3d" / "settings.json"


def test_each_level_is_less_work_than_the_level_before():
    for more, less in ((HIGH, MEDIUM), (MEDIUM, LOW)):
        assert more.shadow_size > less.shadow_size
        assert more.samples > less.samples
        assert more.has_ground_cover >= less.has_ground_cover
    for wrong in ({"shadow_size": 0}, {"shadow_size": 10_000}, {"samples": -1}):
        with pytest.raises(ValueError, match=r"must be in .*, got"):
            replace(HIGH, **wrong)
