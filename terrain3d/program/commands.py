"""The commands: what each prints, writes or shows, and its exit status."""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.board.board import MAX_SEED
from ai.game.battle_setup import Match, set_up
from ai.game.unit_loader import check_with_units
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path as FoundPath
from terrain3d import TileMap, formats
from terrain3d.core.checks import counted, plain, whole_within
from terrain3d.core.files import atomic_write, check_target
from terrain3d.core.translation import translation_server
from terrain3d.look.settings import Settings, SettingsError, SettingsFile, settings_path
from terrain3d.map.text_picture import DIGITS, VOID_CHARACTER
from terrain3d.program.maps import read_map, usual_of
from terrain3d.program.options import (
    PICTURE,
    PROG,
    WINDOW_SIZE,
    InputError,
    ScreenshotOptions,
    chosen,
    drop_rest,
    input_errors,
    make_map,
    make_profile,
    parse,
    put,
)

if TYPE_CHECKING:
    from terrain3d.program.game_scene import GameScene
    from terrain3d.view import Preferences

DONE, NO_PATH, BAD_INPUT = 0, 1, 2
"""The exit statuses."""

NOT_SOUND = 1
"""The exit status of a check that finds problems."""

ENGINE = ("panda3d", "direct")
"""The packages of the engine."""

_ARROWS = {(-1, 0): "^", (0, 1): ">", (1, 0): "v", (0, -1): "<"}
"""Signs of steps by their direction in (rows, columns)."""
_OTHER = "+"
"""Sign of a step across a corner, on hexagons or by a link."""
_GOAL = "*"


def main(arguments: Sequence[str] | None = None, prog: str = PROG) -> int:
    """Run a command line, by default that of the process, and return its exit status.

    For BAD_INPUT, a line on stderr gives the reason. `prog` is the name of the program in messages.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # its encoding may lack letters of a name
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        options = parse(arguments, prog)
        if options.command is None:
            return run_scene(options)
        return COMMANDS[options.command](options)
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        return DONE
    except InputError as error:
        warn(f"{prog}: {error}")
        return BAD_INPUT
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ENGINE:
            raise
        warn(f"{prog}: this needs Panda3D, which is not installed: pip install panda3d")
        return BAD_INPUT


def run_scene(options: argparse.Namespace) -> int:
    """Run the scene in a window; without a display, render it to a picture instead."""
    is_battle = options.turns != "free" and not options.peaceful
    is_first = is_battle and not any(hasattr(options, name) for name in ("rows", "cols", "levels"))
    ground = "island" if is_first else "landscape"
    tilemap, profile = make_map(options, ground, warn), make_profile(options)
    from terrain3d.program.editor_menu import edited_file
    from terrain3d.program.game_scene import GameScene
    from terrain3d.program.run_scene import render, run_in_window

    file = SettingsFile(options.settings or settings_path(os.environ, sys.platform, Path.home()))
    settings = chosen(options, read_settings(file))
    seed = getattr(options, "seed", usual_of(options, ground)["seed"])
    with input_errors(ValueError):
        whole_within("--seed", seed, 0, MAX_SEED)
    path = edited_file(getattr(options, "map", None))
    turns = None if options.turns == "free" else options.turns
    match = None
    if turns is not None and not options.peaceful:
        try:
            battle, notes = set_up(tilemap, seed, turns, fog=options.fog)
        except ValueError as error:
            warn(f"{error}; it opens as with --peaceful")
        else:
            match = Match(battle, options.difficulty, is_new=True)
            for note in notes:
                warn(note)

    def make_scene(preferences: "Preferences") -> "GameScene":
        return GameScene(seed, tilemap, profile, preferences, path, turns, match)

    if options.fog and match is None:
        warn("--fog is for a battle; all is seen")
    if not run_in_window(make_scene, settings, file):
        put(f"there is no display to open a window on: rendering {PICTURE} instead")
        render(ScreenshotOptions(), tilemap, profile, PICTURE, WINDOW_SIZE, settings)
    return DONE


def read_settings(file: SettingsFile) -> Settings:
    """Return the saved settings and use their language; print why if that is not possible."""
    settings = Settings()
    try:
        settings = file.load()
    except SettingsError as error:
        warn(f"{error}; using defaults")
    try:
        translation_server.set_language(settings.language or None)
    except ValueError as error:
        warn(f"{error}; using the language of the system")
    return settings


def run_path(options: argparse.Namespace) -> int:
    """Print a map, a path on it and its cost."""
    if options.svg is not None:
        with input_errors(ValueError, OSError):
            check_target(options.svg, "an SVG picture", ".svg")
    tilemap, profile = make_map(options, "noise", warn), make_profile(options)
    with input_errors(IndexError):
        path = Navigation(tilemap).find_path(options.start, options.goal, profile)
    if options.svg is not None:
        try:
            with atomic_write(options.svg) as file:
                file.write((path if path else tilemap).to_svg().encode())
        except OSError as error:
            raise InputError(f"cannot write {options.svg}: {error.strerror or error}") from None
    if options.json:
        put(json.dumps(_as_json(tilemap, path)))
    else:
        put(_describe_path(tilemap, path))
    return DONE if path else NO_PATH


def _path_picture(tilemap: TileMap, path: FoundPath) -> str:
    """Draw a path: arrows or `+` along it, `*` on the goal, `#` for void tiles, else dots."""
    signs = [[VOID_CHARACTER if void else "." for void in row] for row in tilemap.void.tolist()]
    for step in path.steps:
        direction = step.end.row - step.start.row, step.end.col - step.start.col
        signs[step.start.row][step.start.col] = _ARROWS.get(direction, _OTHER)
    if path:
        signs[path.cells[-1].row][path.cells[-1].col] = _GOAL
    return "\n".join("".join(row) for row in signs)


def _describe_path(tilemap: TileMap, path: FoundPath) -> str:
    """Draw the map, if its levels have signs, beside the path; describe cost, steps and cells."""
    lines = _path_picture(tilemap, path).splitlines()
    if tilemap.level.max() < len(DIGITS):
        rows = zip(tilemap.to_text().splitlines(), lines, strict=True)
        lines = ["   ".join(row) for row in rows]
    if path:
        kinds = [step.kind for step in path.steps]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("walk", "climb", "drop"))
        lines += ["", f"cost {plain(path.cost)}, {counted(len(kinds), 'step')}: {counts}"]
        lines.append(" ".join(f"{cell.row},{cell.col}" for cell in path.cells))
    else:
        lines += ["", f"no path: {path.reason}"]
    return "\n".join(lines)


def _as_json(tilemap: TileMap, path: FoundPath) -> dict[str, Any]:
    """Return the map and the path as values for JSON; the cost of no path is null."""
    return {
        "level": tilemap.level.tolist(),
        "void": tilemap.void.tolist(),
        "cells": [list(cell) for cell in path.cells],
        "cost": path.cost if path else None,
        "steps": [{"kind": step.kind, "rise": step.rise, "cost": step.cost} for step in path.steps],
        "reason": path.reason,
    }


def run_shot(options: argparse.Namespace) -> int:
    """Render the scene to a picture, without a window, and print its name and size."""
    tilemap, profile = make_map(options, "landscape", warn), make_profile(options)
    with input_errors(ValueError):
        shot = ScreenshotOptions.from_options(options)
    from terrain3d.program.run_scene import render

    render(shot, tilemap, profile, options.out, options.size, chosen(options, Settings()))
    put(formats.single_line(f"{options.out}: {options.size[0]} x {options.size[1]}"))
    return DONE


def run_check(options: argparse.Namespace) -> int:
    """Print what is wrong with a map for the rules of the options."""
    profile = make_profile(options)
    with input_errors(ValueError, TypeError, OSError, MemoryError):
        tilemap = read_map(options.source, warn)
    report, unit_notes = check_with_units(tilemap, profile)
    for note in unit_notes:
        warn(note)
    put(json.dumps(report.to_dict()) if options.json else str(report))
    return DONE if report.is_sound else NOT_SOUND


def warn(line: str, end: str = "\n") -> None:
    """Print a line on stderr; if that fails, the exit status remains."""
    try:
        print(line, end=end, file=sys.stderr, flush=True)
    except OSError:
        drop_rest(sys.stderr)


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "path": run_path,
    "shot": run_shot,
    "check": run_check,
}
"""The functions that run the commands; without a command the scene runs."""
