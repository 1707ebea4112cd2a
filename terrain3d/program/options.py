"""The command line: its parser, and the map, rules, picture and settings that it asks for."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NoReturn, Self, TextIO

from ai.game.battle_setup import DIFFICULTIES
from ai.rules.profile import MoveProfile
from terrain3d import TileMap
from terrain3d.core.checks import number_within, quoted
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.orbit import NEAR_DISTANCE, OrbitLimits, OrbitView
from terrain3d.look.settings import QUALITIES, Settings
from terrain3d.program.maps import add_map_arguments, map_from_options

PROG = "terrain3d"
"""Name of the program in messages; `main.py` gives its own."""
WINDOW_SIZE = (1280, 720)
PICTURE = Path("scene.png")
"""The picture of the scene, unless `shot` is given another."""
RULES = {
    "uphill": (1, "cost of each level climbed"),
    "max_climb": (2, "tallest step up, in levels"),
    "max_drop": (3, "tallest step down, in levels"),
}
"""Movement rules with their defaults and help texts."""
NO_UNIT = "nobody"
_COMMAND = "COMMAND"  # as help and errors name it


class InputError(Exception):
    """The command line cannot be carried out; the message is one line with the reason."""


@contextmanager
def input_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Raise errors of these kinds as `InputError`; a missing module is none, see `main`."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except kinds as error:
        raise InputError(str(error)) from None


class Parser(argparse.ArgumentParser):
    """Reports errors as `InputError`, without the usage text."""

    def error(self, message: str) -> NoReturn:
        """Raise `InputError`."""
        raise InputError(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Print the help that is still in the buffer, and end the program."""
        put("", end="")
        super().exit(status, message)


def put(text: str, end: str = "\n") -> None:
    """Print text at once.

    `InputError` if it cannot be written, as on a full disk; `BrokenPipeError` if the reader of the
    output has closed it.
    """
    try:
        print(text, end=end, flush=True)
    except OSError as error:
        drop_rest(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise
        raise InputError(f"cannot write to the output: {error.strerror}") from None


def drop_rest(stream: TextIO) -> None:
    """Let what is left in the buffer of an output go nowhere; else it fails again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def parse(arguments: Sequence[str] | None = None, prog: str = PROG) -> argparse.Namespace:
    """Read a command line; `command` is the name of a command, None for the scene.

    `InputError` if an option is unknown, malformed, or goes with another command.
    """
    parser = make_parser(prog)
    words = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser.parse_args(words)
    except argparse.ArgumentError as error:
        known, flags = parser.format_help(), [word for word in words if word.startswith("--")]
        # The value of an unknown option is read as a command.
        unknown = [flag for flag in flags if f" {flag.partition('=')[0]}" not in known]
        if unknown and error.argument_name == _COMMAND:
            raise InputError(f"{unknown[0]} is not an option of the scene; see --help") from None
        raise InputError(str(error)) from None
    if options.settings is not None and options.command is not None:
        raise InputError("--settings is for the scene only")
    return options


def make_parser(prog: str = PROG) -> Parser:
    """Return the parser of the whole command line."""
    rules, look = _rule_options(), _look_options()
    # A parsed result has only those of the map and the rules that are given.
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS, parents=[rules])
    add_map_arguments(shared)
    description = "Stepped terrain, units and paths. Without a command, the scene opens."
    usage = f"%(prog)s [options] [{_COMMAND} ...]"
    parser = Parser(
        prog=prog,
        usage=usage,
        description=description,
        parents=[shared, look],
        exit_on_error=False,  # the error names the argument
    )
    turns = "sides take turns, the default; or turns by waiting time; or no turns"
    parser.add_argument("--turns", choices=("sides", "wait", "free"), help=turns, default="sides")
    what = "the scene without a battle; so is it with --turns free"
    parser.add_argument("--peaceful", action="store_true", help=what)
    what = "how careful enemies are, default easy"
    parser.add_argument("--difficulty", choices=DIFFICULTIES, default="easy", help=what)
    what = "each side sees only what its units have in sight"
    parser.add_argument("--fog", action="store_true", help=what)
    parser.add_argument("--settings", metavar="FILE", type=Path, help="the scene's settings file")
    # Without a title, so that the help lists the commands before the options.
    commands = parser.add_subparsers(prog=prog, metavar=_COMMAND, dest="command")
    path = commands.add_parser("path", parents=[shared], help="print a path and its cost")
    for flag, dest, what in (("--from", "start", "first tile"), ("--to", "goal", "last tile")):
        path.add_argument(
            flag, dest=dest, type=cell_argument, required=True, metavar="ROW,COL", help=what
        )
    path.add_argument("--json", action="store_true", help="print JSON instead of text")
    path.add_argument("--svg", type=Path, metavar="FILE", help="write a picture of the path")
    shot = commands.add_parser("shot", parents=[shared, look], help="render the scene to a picture")
    what = f"a .png or .jpg, default {PICTURE}"
    shot.add_argument("--out", type=Path, default=PICTURE, metavar="FILE", help=what)
    what = f"default {WINDOW_SIZE[0]}x{WINDOW_SIZE[1]}"
    shot.add_argument("--size", type=size_argument, default=WINDOW_SIZE, metavar="WxH", help=what)
    ScreenshotOptions.add_arguments(shot)
    what = "find what is wrong with a map; exit status 1 if anything is"
    check = commands.add_parser("check", parents=[rules], help=what)
    what = "a map file, see docs/formats.md"
    check.add_argument("source", type=Path, metavar="FILE", help=what)
    check.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser


def make_map(options: argparse.Namespace, ground: str, note: Callable[[str], object]) -> TileMap:
    """Return the map of the options; `InputError` if it cannot be read or generated."""
    with input_errors(ValueError, MemoryError):
        return map_from_options(options, ground, note)


def make_profile(options: argparse.Namespace) -> MoveProfile:
    """Return the movement rules of the options; `InputError` if one is out of its limits."""
    rules: dict[str, Any] = {
        name: getattr(options, name, value) for name, (value, _) in RULES.items()
    }
    rules["climb_cost"] = rules.pop("uphill")
    try:
        return MoveProfile(**rules)
    except (ValueError, TypeError) as error:
        text = str(error).replace("climb_cost", "--uphill").replace("max_", "--max-")
        raise InputError(text) from None


def chosen(options: argparse.Namespace, settings: Settings) -> Settings:
    """Return the settings, changed as the options ask."""
    names = ("mood", "quality")
    return replace(settings, **{n: getattr(options, n) for n in names if hasattr(options, n)})


def cell_argument(text: str) -> tuple[int, int]:
    """Return a cell from text such as "4,7"."""
    try:
        row, col = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"a cell is ROW,COL, like 4,7; got {quoted(text)}"
        ) from None
    return row, col


def size_argument(text: str) -> tuple[int, int]:
    """Return the size of a picture from text such as "1280x720"."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (1 <= width <= 8192 and 1 <= height <= 8192):
        raise argparse.ArgumentTypeError(
            f"a size is WIDTHxHEIGHT with 1..8192 pixels each, like 1280x720; got {quoted(text)}"
        )
    return width, height


def number_argument(text: str) -> float:
    """Return the number in a text, as an int if it is written without a fraction."""
    try:
        return float(text) if not text.lstrip("-").isdecimal() else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {quoted(text)}") from None


def _option(text: str, default: Any = None, **keywords: Any) -> Any:  # noqa: ANN401 - a field
    """Return a field that is an option of the command line."""
    return field(default=default, metadata={"help": text, **keywords})


@dataclass(frozen=True)
class ScreenshotOptions:
    """Contents of a picture of the scene; None is the default of the scene.

    `TypeError` or `ValueError` if `pitch` is not a number that the camera can have.
    """

    heading: float | None = _option("0 looks north, 90 west", type=number_argument, metavar="DEG")
    pitch: float | None = _option("downward angle, 8..89", type=number_argument, metavar="DEG")
    distance: float | None = _option(
        "distance of the camera", type=number_argument, metavar="TILES"
    )
    at: tuple[int, int] | None = _option(
        "the tile the camera looks at", type=cell_argument, metavar="ROW,COL"
    )
    """By default the selected unit; without one, the whole map is shown."""
    unit: str | None = _option(
        f"the selected unit, default the first; or {NO_UNIT}", metavar="NAME"
    )
    to: tuple[int, int] | None = _option(
        "goal of the path to show", type=cell_argument, metavar="ROW,COL"
    )
    no_hud: bool = _option("leave out all text", False, action="store_true")

    def __post_init__(self) -> None:
        """Check the pitch."""
        if self.pitch is not None:
            number_within("--pitch", self.pitch, *OrbitLimits.pitch_deg)

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        for each in fields(cls):
            flag = f"--{each.name.replace('_', '-')}"
            parser.add_argument(flag, default=each.default, **each.metadata)

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


def _rule_options() -> Parser:
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    for name, (value, what) in RULES.items():
        kind = number_argument if name == "uphill" else int
        flag = f"--{name.replace('_', '-')}"
        shared.add_argument(flag, type=kind, metavar="N", help=f"{what}, default {value}")
    return shared


def _look_options() -> Parser:
    look = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    look.add_argument("--mood", choices=MOODS, help="the light, default noon")
    look.add_argument("--quality", choices=QUALITIES, help="the drawing quality")
    return look
