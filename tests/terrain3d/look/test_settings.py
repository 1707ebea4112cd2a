"""Settings: allowed values, changes by keys, levels of quality, and the settings file."""

import json
import math
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.palettes import PALETTES
from terrain3d.look.settings import (
    HIGH,
    LOW,
    MEDIUM,
    OPTIONS,
    QUALITIES,
    Settings,
    SettingsError,
    SettingsFile,
    quality_of,
    settings_path,
)

NUMBERS = "text_scale", "motion_speed"
any_settings = st.builds(
    Settings,
    **{
        name: st.floats(values[0], values[-1]) if name in NUMBERS else st.sampled_from(values)
        for name, values in OPTIONS.items()
    },
)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"palette": "mud"}, "palette must be one of .* got 'mud'"),
        ({"mood": 3}, "mood must be one of .* got 3"),
        ({"text_scale": 9}, r"text_scale must be in 0.75..2.0, got 9"),
        ({"text_scale": math.nan}, "text_scale must be in .* got nan"),
        ({"motion_speed": "fast"}, "motion_speed must be a number, got 'fast'"),
        ({"motion_speed": True}, "motion_speed must be a number, got True"),
        ({"follow": 1}, "follow must be True or False, got 1"),
        ({"palette": ["painted"]}, "palette must be one of"),
    ],
)
def test_invalid_values_raise_errors_with_limit_and_value(wrong, words):
    with pytest.raises((ValueError, TypeError), match=words):
        Settings(**wrong)


def test_settings_are_immutable():
    with pytest.raises(FrozenInstanceError):
        Settings().follow = False


def test_choices_wrap_around():
    settings, seen = Settings(), []
    for _ in PALETTES:
        seen.append(settings.palette)
        settings = settings.stepped("palette")
    assert seen == list(PALETTES)
    assert settings == Settings()
    assert settings.stepped("palette", -1).palette == list(PALETTES)[-1]


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


@given(any_settings, st.sampled_from(sorted(NUMBERS)), st.integers(-7, 7))
def test_several_steps_are_as_many_single_ones(settings, name, step):
    one_by_one = settings
    for _ in range(abs(step)):
        one_by_one = one_by_one.stepped(name, 1 if step > 0 else -1)
    assert settings.stepped(name, step) == one_by_one


@given(any_settings)
def test_a_boolean_is_toggled(settings):
    assert settings.stepped("follow").follow is not settings.follow
    assert settings.stepped("follow").stepped("follow") == settings


def test_an_unknown_setting_raises_an_error():
    with pytest.raises(ValueError, match=r"name must be one of .* got 'loudness'"):
        Settings().stepped("loudness")


def test_settings_are_described_as_text():
    settings = Settings(text_scale=1.25, follow=False)
    assert settings.describe("text_scale") == "text size: 125 %"
    assert settings.describe("follow") == "camera follows units: off"
    assert settings.describe("mood") == "light: noon"
    assert settings.describe("motion_speed") == "motion speed: 100 %"
    skipping = Settings(skip_motion=True)
    assert skipping.describe("motion_speed") == "motion speed: 100 %; but motion is skipped"


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
        (json.dumps(GOOD | {"text_scale": math.nan}).encode(), "text_scale"),
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


def test_an_unreadable_path_raises_an_error(tmp_path):
    with pytest.raises(SettingsError, match="cannot be read: "):
        SettingsFile(tmp_path / ("x" * 300)).load()


def test_a_folder_at_the_path_raises_an_error_and_is_kept(tmp_path):
    file = SettingsFile(tmp_path)
    with pytest.raises(SettingsError, match=str(tmp_path)):
        file.load()
    with pytest.raises(OSError, match=str(tmp_path)):
        file.save(Settings())
    assert tmp_path.is_dir()


def test_a_failed_save_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    file = SettingsFile(path)
    file.save(Settings(mood="dusk"))

    def fail(_descriptor):
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="the disk is full"):
        file.save(replace(Settings(), mood="night"))
    assert file.load().mood == "dusk"
    assert list(tmp_path.iterdir()) == [path]


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


def test_qualities_are_found_by_name():
    assert list(QUALITIES) == ["high", "medium", "low"]
    for name, quality in QUALITIES.items():
        assert quality.name == name
        assert quality_of(name) is quality_of(quality) is quality


def test_each_level_is_less_work_than_the_level_before():
    for more, less in ((HIGH, MEDIUM), (MEDIUM, LOW)):
        assert more.shadow_size > less.shadow_size
        assert more.samples > less.samples
        assert more.has_ground_cover >= less.has_ground_cover


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("shadow_size", 0, r"shadow_size must be in 64\.\.8192, got 0"),
        ("shadow_size", 10_000, r"64\.\.8192, got 10000"),
        ("samples", -1, r"samples must be in 0\.\.16, got -1"),
    ],
)
def test_numbers_have_limits(what, value, words):
    with pytest.raises(ValueError, match=words):
        replace(HIGH, **{what: value})


def test_numbers_must_be_integers():
    with pytest.raises(TypeError, match="samples must be a whole number"):
        replace(HIGH, samples=2.5)
