"""The player's settings of the scene's look and behavior, levels of quality, and their file."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from terrain3d.core.checks import (
    checked_path,
    instance_of,
    listed,
    named,
    number_within,
    one_of,
    quoted,
    whole_number,
    whole_within,
    with_whole_numbers,
)
from terrain3d.core.files import MapFileError, atomic_write, read_bytes
from terrain3d.core.translation import tr
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.palettes import PALETTES

MAX_SHADOW_SIZE, MAX_SAMPLES = 8192, 16


@dataclass(frozen=True)
class Quality:
    """Settings of the renderer; `TypeError` or `ValueError` if a number is out of its limits."""

    name: str
    shadow_size: int
    """Width and height of the shadow map in texels, 64..MAX_SHADOW_SIZE."""
    samples: int
    """Antialiasing samples per pixel, 0..MAX_SAMPLES; fixed when a window is opened."""
    has_ground_cover: bool
    """Whether tufts, flowers, stones, grain and lips of sides are drawn, and trees in full."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        whole_within("shadow_size", self.shadow_size, 64, MAX_SHADOW_SIZE)
        whole_within("samples", self.samples, 0, MAX_SAMPLES)


HIGH = Quality("high", shadow_size=4096, samples=4, has_ground_cover=True)
MEDIUM = Quality("medium", shadow_size=2048, samples=2, has_ground_cover=True)
LOW = Quality("low", shadow_size=1024, samples=0, has_ground_cover=False)

QUALITIES = {quality.name: quality for quality in (HIGH, MEDIUM, LOW)}
"""Quality levels by name, the best first."""


def quality_of(quality: Quality | str) -> Quality:
    """Return the quality of a name; a `Quality` is returned as it is.

    `TypeError` or `ValueError` if it is neither a Quality nor the name of one.
    """
    return named("quality", quality, Quality, QUALITIES)


KEYBOARDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"QWERTY": {}, "AZERTY": dict(zip("qwaz", "azqw", strict=True))}
)
"""What takes the place of default keys on each layout of the keyboard, the usual one first."""

OPTIONS: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "text_scale": (0.75, 1.0, 1.25, 1.5, 2.0),
        "motion_speed": (0.25, 0.5, 1.0, 2.0, 4.0),
        "skip_motion": (False, True),
        "follow": (False, True),
        "palette": tuple(PALETTES),
        "mood": tuple(MOODS),
        "quality": tuple(QUALITIES),
        "show_costs": (False, True),
        "show_coordinates": (False, True),
        "show_map": (False, True),
        "keyboard": tuple(KEYBOARDS),
    }
)
"""The settings on the page of options with their values: names, steps of a number, or no and yes.

A number may be anything from its first step to the last one.
"""

_LABELS = {"mood": "light", "follow": "camera follows units", "text_scale": "text size"}

SKIPPING_PACE = 1e6
"""A pace at which a unit finishes any path within one frame."""


@dataclass(frozen=True)
class Settings:
    """All settings that are saved from run to run.

    `TypeError` or `ValueError` if a value is of the wrong type, out of its limits or not one of the
    setting's OPTIONS.
    """

    palette: str = OPTIONS["palette"][0]
    mood: str = OPTIONS["mood"][0]
    quality: str = OPTIONS["quality"][0]
    text_scale: float = 1.0
    """Factor on the text size that fits the window, 0.75..2."""
    motion_speed: float = 1.0
    """Factor on the speed of units, 0.25..4."""
    skip_motion: bool = False
    """Whether units arrive at once."""
    follow: bool = True
    """Whether the camera keeps moving units in view."""
    show_costs: bool = False
    """Whether tiles within reach show their cost."""
    show_coordinates: bool = False
    """Whether texts name tiles by row and column."""
    show_map: bool = True
    """Whether the minimap is shown."""
    language: str = ""
    """Code of the language of all texts, such as "ja"; "" is that of the environment."""
    keyboard: str = OPTIONS["keyboard"][0]
    """Layout of the keyboard, which says where the keys of the camera are."""
    bindings: tuple[tuple[str, ...], ...] = ()
    """(name of a command, event, ...) for each action that the player has bound to other keys."""

    def __post_init__(self) -> None:
        """Check every value."""
        for name, values in OPTIONS.items():
            value = getattr(self, name)
            if isinstance(values[0], float):
                number_within(name, value, values[0], values[-1])
            elif isinstance(values[0], bool) and not isinstance(value, bool):
                raise TypeError(f"{name} must be True or False, got {quoted(value)}")
            elif value not in values:
                raise ValueError(f"{name} must be one of {values}, got {quoted(value)}")
        instance_of("language", self.language, str)
        object.__setattr__(self, "bindings", _checked_bindings(self.bindings))

    @property
    def pace(self) -> float:
        """Seconds of unit motion per second of time."""
        return SKIPPING_PACE if self.skip_motion else self.motion_speed

    def as_dict(self) -> dict[str, Any]:
        """Return all values by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def stepped(self, name: str, step: int = 1) -> Self:
        """Return the settings with one of them changed by steps; `ValueError` without such one.

        A choice wraps around, a number stops at its limits, and a boolean is toggled.
        """
        values, now = OPTIONS[one_of("name", name, [*OPTIONS])], getattr(self, name)
        whole_number("step", step)
        if not isinstance(now, bool | str):
            beyond = [number for number in values if (number > now if step > 0 else number < now)]
            ahead = [now, *(beyond if step > 0 else reversed(beyond))]
            return replace(self, **{name: ahead[min(abs(step), len(ahead) - 1)]})
        return replace(self, **{name: values[(values.index(now) + step) % len(values)]})

    def describe(self, name: str) -> str:
        """Return one setting as text for the player."""
        value = getattr(self, name)
        if isinstance(value, bool):
            value = "on" if value else "off"
        elif not isinstance(value, str):
            value = f"{value * 100:g} %"
        label = tr(_LABELS.get(name, name.replace("_", " ")))
        text = "{setting}: {value}"
        if name == "motion_speed" and self.skip_motion:
            text = "{setting}: {value}; but motion is skipped"
        return tr(text, setting=label, value=tr(value))


def _checked_bindings(bindings: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Return bindings as tuples; `TypeError` or `ValueError` if they are none."""
    checked = tuple(tuple(listed("bindings", each)) for each in listed("bindings", bindings))
    for each in checked:
        if not each:
            raise ValueError("bindings must begin with the name of an action, got []")
        for text in each:
            instance_of("bindings", text, str)
    return checked


FORMAT = "terrain3d settings"
VERSION = 1
_MAX_BYTES = 65536
_FOLDER, _NAME = "terrain3d", "settings.json"


class SettingsError(ValueError):
    """A settings file cannot be read; the text is one line with the file and the reason."""


def settings_path(environment: Mapping[str, str], platform: str, home: Path) -> Path:
    """Return the path of the user's settings file, by `os.environ`, `sys.platform` and the home."""
    variable, default = {
        "win32": ("APPDATA", home / "AppData" / "Roaming"),
        "darwin": ("", home / "Library" / "Application Support"),
    }.get(platform, ("XDG_CONFIG_HOME", home / ".config"))
    folder = Path(environment.get(variable, ""))
    return (folder if folder.is_absolute() else default) / _FOLDER / _NAME


class SettingsFile:
    """The settings of one user, in a JSON file; it and its folder need not exist."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = checked_path("path", path)
        self._is_unreadable = False

    @property
    def folder(self) -> Path:
        """The folder of the file, which also takes saved games."""
        return self._path.parent

    def load(self) -> Settings:
        """Return the settings; those that are not in the file have their defaults."""
        try:
            if not self._path.exists():
                return Settings()
            return _parsed(read_bytes(self._path, _MAX_BYTES))
        except OSError as error:
            self._is_unreadable = True
            raise SettingsError(f"{self._path}: cannot be read: {error.strerror}") from None
        except MapFileError as error:
            self._is_unreadable = True
            raise SettingsError(str(error)) from None
        except (ValueError, TypeError, RecursionError) as error:
            self._is_unreadable = True
            reason = " ".join(str(error).split())
            raise SettingsError(f"{self._path}: holds no settings: {reason}") from None

    def save(self, settings: Settings) -> None:
        """Write the settings; the file is replaced atomically, and stays as it was on an `OSError`.

        A file that could not be read before is renamed first, with ".bad" at the end of its name.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        values = {"format": FORMAT, "version": VERSION, **settings.as_dict()}
        is_kept = self._is_unreadable and self._path.is_file()
        kept = self._path.with_name(self._path.name + ".bad")
        if is_kept:
            self._path.replace(kept)
        try:
            with atomic_write(self._path) as file:
                file.write(json.dumps(values, indent=2).encode() + b"\n")
        except OSError:
            if is_kept:
                kept.replace(self._path)
            raise
        self._is_unreadable = False


def _parsed(data: bytes) -> Settings:
    values = with_whole_numbers(json.loads(data.decode("utf-8")))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f'"format" is not "{FORMAT}"')
    if values.get("version") != VERSION:
        raise ValueError(f'"version" must be {VERSION}, got {quoted(values.get("version"))}')
    known = Settings().as_dict()
    return Settings(**{name: value for name, value in values.items() if name in known})
