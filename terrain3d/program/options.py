"""The options of the command `shot`: camera, selection, units that move, overlay.

The options of the command `theatre` for its output: pictures, a GIF.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from terrain3d.core.argument_types import (
    cell_argument,
    names_argument,
    number_argument,
    pair_argument,
    size_argument,
)
from terrain3d.core.checks import number_within
from terrain3d.look.orbit import NEAR_DISTANCE, OrbitView
from terrain3d.look.settings import Settings
from terrain3d.map.tilemap import TileMap

NO_UNIT = "nobody"
OVERLAYS = ("reach", "costs", "none")
MAX_AFTER_S = 600.0

_ARGUMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("heading", {"type": number_argument, "metavar": "DEG", "help": "0 looks north, 90 west"}),
    ("pitch", {"type": number_argument, "metavar": "DEG", "help": "downward angle, 8..89"}),
    ("distance", {"type": number_argument, "metavar": "TILES", "help": "distance of the camera"}),
    ("at", {"type": cell_argument, "metavar": "ROW,COL", "help": "the tile the camera looks at"}),
    ("unit", {"metavar": "NAME", "help": f"the selected unit, default the first; or {NO_UNIT}"}),
    (
        "squad",
        {
            "type": names_argument,
            "metavar": "NAME,NAME",
            "help": "select these units instead; they move to --to together",
        },
    ),
    ("to", {"type": cell_argument, "metavar": "ROW,COL", "help": "goal of the path to show"}),
    (
        "lead",
        {
            "type": pair_argument,
            "metavar": "NAME=BEHAVIOR",
            "action": "append",
            "help": "let a unit follow a behavior, like Bram=chase; may be repeated",
        },
    ),
    ("after", {"type": number_argument, "metavar": "S", "help": "seconds before the picture"}),
    ("overlay", {"choices": OVERLAYS, "help": "what the tiles show, default reach"}),
)


@dataclass(frozen=True)
class ScreenshotOptions:
    """Contents of a picture of the scene, as `_ARGUMENTS` says; None is the default of the scene.

    `TypeError` or `ValueError` if `after` is not a number in 0..MAX_AFTER_S, or `squad` is given
    without `to`, or together with `unit`.
    """

    heading: float | None = None
    pitch: float | None = None
    distance: float | None = None
    at: tuple[int, int] | None = None
    """By default the selected unit; without one, the whole map is shown."""
    unit: str | None = None
    squad: Sequence[str] | None = None
    to: tuple[int, int] | None = None
    lead: Sequence[tuple[str, str]] | None = None
    after: float = 0.0
    overlay: str = OVERLAYS[0]
    no_hud: bool = False

    def __post_init__(self) -> None:
        """Check the time, and that a squad has one order."""
        number_within("--after", self.after, 0, MAX_AFTER_S)
        if self.squad and self.to is None:
            raise ValueError("--squad needs --to, its goal")
        if self.squad and self.unit is not None:
            raise ValueError("--squad and --unit both select units: give one of them")

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        for name, keywords in _ARGUMENTS:
            parser.add_argument(f"--{name}", default=getattr(ScreenshotOptions, name), **keywords)
        parser.add_argument("--no-hud", action="store_true", help="leave out all text")

    @classmethod
    def from_options(cls, options: argparse.Namespace) -> Self:
        """Return the options from a parsed command line; missing ones get their defaults."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: getattr(options, name) for name in names if hasattr(options, name)})

    def view(self, default: OrbitView, tilemap: TileMap) -> OrbitView:
        """Return the view of the camera, from the view in the same direction without options.

        `IndexError` if the tile is outside the map, `ValueError` if a number is not finite or the
        distance not above 0.
        """
        if self.at is not None:
            near = min(NEAR_DISTANCE, default.distance)
            default = replace(default, target=tilemap.surface_point(self.at), distance=near)
        return default if self.distance is None else replace(default, distance=self.distance)


@dataclass(frozen=True)
class RecordingOptions:
    """The output of the command `theatre`, which shows the steps of a search.

    It is numbered pictures in the folder `out`, and a GIF, in the folder if `gif` does not name a
    file. Pictures are `every` steps apart, but the first and the last step are always shown.
    `ValueError` if no output is chosen, or `every` is below 1.
    """

    out: Path | None = None
    gif: Path | None = None
    every: int = 1
    size: tuple[int, int] = (1280, 720)
    mood: str = "noon"
    quality: str = "high"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.out is None and self.gif is None:
            raise ValueError("choose an output: --out DIR or --gif FILE")
        if self.every < 1:
            raise ValueError(f"--every must be >= 1, got {self.every}")

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        add = parser.add_argument
        what = "write numbered pictures and search.gif to this folder"
        add("--out", type=Path, metavar="DIR", help=what)
        add("--gif", type=Path, metavar="FILE", help="write the GIF to this file")
        add("--every", type=int, default=1, metavar="N", help="show every Nth step only")
        default = RecordingOptions.size
        what = f"default {'x'.join(map(str, default))}"
        add("--size", type=size_argument, default=default, metavar="WxH", help=what)

    @classmethod
    def from_options(cls, options: argparse.Namespace, settings: Settings) -> Self:
        """Return the options from a parsed command line."""
        names = ("out", "gif", "every", "size")
        given = {name: getattr(options, name) for name in names}
        return cls(**given, mood=settings.mood, quality=settings.quality)
