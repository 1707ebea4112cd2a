"""What people type behind `main.py`: the options there are, and what they ask for as values."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from ai.rules.profile import MoveProfile
from ai.trace.comparison import SearchComparison
from terrain3d import TileMap
from terrain3d.app.convert import add_convert_arguments
from terrain3d.app.map_options import add_map_arguments, map_from_options
from terrain3d.app.map_source import MapSource
from terrain3d.app.recording_options import RecordingOptions
from terrain3d.app.screenshot_options import ScreenshotOptions
from terrain3d.core.argument_types import cell_argument, number_argument, size_argument
from terrain3d.core.event_log import EventLog
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.quality import QUALITIES
from terrain3d.look.settings import Settings

BAD_INPUT = 2
"""The exit status of what cannot be done as it was typed."""

WINDOW_SIZE = (1280, 720)

RULES = {
    "uphill": (1, "cost of each level climbed"),
    "max_climb": (2, "tallest step up, in levels"),
    "max_drop": (3, "tallest step down, in levels"),
}
"""What is usual for those who walk, and what it means."""


class InputError(Exception):
    """What the person typed cannot be done; the text is the one line they see."""


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line, without the usage text."""

    def error(self, message: str) -> NoReturn:
        """Tell the line and end the program."""
        self.exit(BAD_INPUT, f"main.py: {message}\n")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read a command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those that the program was started with if not given.

    Returns
    -------
    Namespace
        `command` is the name of a command, None for the scene.

    Raises
    ------
    InputError
        An option goes with another command.
    SystemExit
        It says something that is no option, which argparse has told.
    """
    options = make_parser().parse_args(arguments)
    for name in ("log", "settings"):
        if getattr(options, name) is not None and options.command is not None:
            raise InputError(f"--{name} is for the scene alone")
    return options


def make_parser() -> Parser:
    """Describe the command line."""
    shared, look, ends = _shared_options(), _look_options(), _end_options()
    parser = Parser(
        prog="main.py", description="Stepped terrain and ways over it.", parents=[shared, look]
    )
    parser.add_argument("--log", metavar="FILE", type=Path, help="report as lines of JSON")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="what is remembered, where")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    way = commands.add_parser("path", parents=[shared, ends], help="print a map, a way, its cost")
    way.add_argument("--json", action="store_true", help="print JSON instead of text")
    shot = commands.add_parser("shot", parents=[shared, look], help="render the scene to a picture")
    shot.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .png or .jpg")
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
    MapSource.add_arguments(commands.add_parser("info", help="say what a map file holds"))
    return parser


def make_map(options: argparse.Namespace, ground: str, tell: Callable[[str], object]) -> TileMap:
    """Read or grow the map that is asked for; see `map_from_options`.

    Raises
    ------
    InputError
        It cannot be.
    """
    try:
        return map_from_options(options, ground, tell)
    except (ValueError, MemoryError) as error:
        raise InputError(str(error)) from None


def make_profile(options: argparse.Namespace) -> MoveProfile:
    """Make the movement rules that are asked for; `InputError` if one is out of its limits."""
    rules: dict[str, Any] = {
        name: getattr(options, name, value) for name, (value, _) in RULES.items()
    }
    rules["climb_cost"] = rules.pop("uphill")
    try:
        return MoveProfile(**rules)
    except (ValueError, TypeError) as error:
        text = str(error).replace("climb_cost", "--uphill").replace("max_", "--max-")
        raise InputError(text) from None


def make_log(options: argparse.Namespace, started_s: float) -> EventLog:
    """Begin the log that is asked for, silent if none is; `InputError` if it cannot be written."""
    try:
        return EventLog(options.log, started_s)
    except OSError as error:
        raise InputError(f"--log: cannot write {options.log}: {error.strerror}") from None


def chosen(options: argparse.Namespace, settings: Settings) -> Settings:
    """Give the settings with those changed that the options name."""
    names = ("mood", "quality")
    return replace(settings, **{n: getattr(options, n) for n in names if hasattr(options, n)})


def _shared_options() -> Parser:
    """Describe the map and the rules of movement; what is not said is left out."""
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    add_map_arguments(shared)
    for name, (value, what) in RULES.items():
        kind = number_argument if name == "uphill" else int
        flag = f"--{name.replace('_', '-')}"
        shared.add_argument(flag, type=kind, metavar="N", help=f"{what}, default {value}")
    return shared


def _look_options() -> Parser:
    look = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    look.add_argument("--mood", choices=MOODS, help="the light, default noon")
    look.add_argument("--quality", choices=QUALITIES, help="how much a picture may cost")
    return look


def _end_options() -> Parser:
    ends = Parser(add_help=False)
    for flag, dest, what in (("--from", "start", "where it begins"), ("--to", "goal", "its end")):
        ends.add_argument(
            flag, dest=dest, type=cell_argument, required=True, metavar="ROW,COL", help=what
        )
    return ends
