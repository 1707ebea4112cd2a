"""Options of the command line: parsers of their texts, and the options of two commands.

Those of `shot` are camera, selection, units that move and overlay; those of `theatre` are for its
output, pictures or a GIF. The parsers are passed as `type=` to argparse; their errors are one line.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from terrain3d.core.checks import number_within
from terrain3d.look.orbit import NEAR_DISTANCE, OrbitView
from terrain3d.look.settings import Settings
from terrain3d.map.tilemap import TileMap

NO_UNIT = "nobody"
OVERLAYS = ("reach", "costs", "none")
MAX_AFTER_S = 600.0


def cell_argument(text: str) -> tuple[int, int]:
    """Return a cell from text such as "4,7"."""
    try:
        row, col = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"a cell is ROW,COL, like 4,7; got {text!r}") from None
    return row, col


def size_argument(text: str) -> tuple[int, int]:
    """Return the size of a picture from text such as "1280x720"."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (1 <= width <= 8192 and 1 <= height <= 8192):
        raise argparse.ArgumentTypeError(
            f"a size is WIDTHxHEIGHT with 1..8192 pixels each, like 1280x720; got {text!r}"
        )
    return width, height


def number_argument(text: str) -> float:
    """Return the number in a text, as an int if it is written without a fraction."""
    try:
        return float(text) if not text.lstrip("-").isdecimal() else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def names_argument(text: str) -> tuple[str, ...]:
    """Return names from text such as "Mira,Tove"."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"must be NAME,NAME, like Mira,Tove; got {text!r}")
    return names


def pair_argument(text: str) -> tuple[str, str]:
    """Return a name and its value from text such as "Bram=chase"."""
    name, separator, value = text.partition("=")
    if not (name and separator and value):
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, like Bram=chase; got {text!r}")
    return name, value


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
