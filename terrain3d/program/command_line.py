"""The options of the command line, and the map, rules, log and settings made from them."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from ai.rules.profile import MoveProfile
from ai.trace.comparison import SearchComparison
from terrain3d import TileMap
from terrain3d.app.convert import add_convert_arguments
from terrain3d.app.map_options import MapSource, add_map_arguments, map_from_options
from terrain3d.core.files import EventLog
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.settings import QUALITIES, Settings
from terrain3d.program.options import (
    RecordingOptions,
    ScreenshotOptions,
    cell_argument,
    number_argument,
    size_argument,
)

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
        # What is left in the buffer would be written again, and fail again, at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise InputError(f"cannot write to the output: {error.strerror}") from None


def parse(arguments: Sequence[str] | None = None, prog: str = PROG) -> argparse.Namespace:
    """Read a command line; `command` is the name of a command, None for the scene.

    `InputError` if an option is unknown, malformed, or goes with another command.
    """
    options = make_parser(prog).parse_args(arguments)
    for name in ("log", "settings"):
        if getattr(options, name) is not None and options.command is not None:
            raise InputError(f"--{name} is for the scene only")
    return options


def make_parser(prog: str = PROG) -> Parser:
    """Return the parser of the whole command line."""
    rules, look, ends = _rule_options(), _look_options(), _end_options()
    # A parsed result has only those of the map and the rules that are given.
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS, parents=[rules])
    add_map_arguments(shared)
    description = "Stepped terrain, units and paths. Without a command, the scene opens."
    usage = "%(prog)s [options] [COMMAND ...]"
    parser = Parser(prog=prog, usage=usage, description=description, parents=[shared, look])
    parser.add_argument("--log", metavar="FILE", type=Path, help="write events as lines of JSON")
    turns = "sides take turns, the default; or turns by waiting time; or no turns"
    parser.add_argument("--turns", choices=("sides", "wait", "free"), help=turns, default="sides")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="the scene's settings file")
    # Without a title, so that the help lists the commands before the options.
    commands = parser.add_subparsers(prog=prog, metavar="COMMAND", dest="command")
    path = commands.add_parser("path", parents=[shared, ends], help="print a path and its cost")
    path.add_argument("--json", action="store_true", help="print JSON instead of text")
    path.add_argument("--svg", type=Path, metavar="FILE", help="write a picture of the path")
    shot = commands.add_parser("shot", parents=[shared, look], help="render the scene to a picture")
    what = f"a .png or .jpg, default {PICTURE}"
    shot.add_argument("--out", type=Path, default=PICTURE, metavar="FILE", help=what)
    shot.add_argument(
        "--size", type=size_argument, default=WINDOW_SIZE, metavar="WxH", help="default 1280x720"
    )
    ScreenshotOptions.add_arguments(shot)
    theatre = commands.add_parser(
        "theatre", parents=[shared, look, ends], help="show the steps of a search"
    )
    SearchComparison.add_arguments(theatre)
    RecordingOptions.add_arguments(theatre)
    add_convert_arguments(commands.add_parser("convert", help="write a map in another format"))
    MapSource.add_arguments(commands.add_parser("info", help="print the contents of a map file"))
    watch = commands.add_parser("watch", parents=[look], help="play a recorded game")
    watch.add_argument("file", type=Path, metavar="FILE", help="a map with a recorded game")
    watch.add_argument("--gif", type=Path, metavar="FILE", help="write a GIF instead of playing")
    watch.add_argument("--size", type=size_argument, default=WINDOW_SIZE, metavar="WxH")
    what = "find what is wrong with a map; exit status 1 if anything is"
    check = commands.add_parser("check", parents=[rules], help=what)
    MapSource.add_arguments(check)
    check.add_argument("--json", action="store_true", help="print JSON instead of text")
    example = commands.add_parser("example", help="run a program of the documentation")
    example.add_argument("name", nargs="?", metavar="NAME", help="without it, list all")
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


def make_log(options: argparse.Namespace, started_s: float | None) -> EventLog:
    """Open the event log of the options; without a file it writes nothing."""
    try:
        return EventLog(options.log, started_s)
    except OSError as error:
        raise InputError(f"--log: cannot write {options.log}: {error.strerror}") from None


def chosen(options: argparse.Namespace, settings: Settings) -> Settings:
    """Return the settings, changed as the options ask."""
    names = ("mood", "quality")
    return replace(settings, **{n: getattr(options, n) for n in names if hasattr(options, n)})


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


def _end_options() -> Parser:
    ends = Parser(add_help=False)
    for flag, dest, what in (("--from", "start", "first tile"), ("--to", "goal", "last tile")):
        ends.add_argument(
            flag, dest=dest, type=cell_argument, required=True, metavar="ROW,COL", help=what
        )
    return ends
