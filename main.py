"""The scene and the command line: the one place where the ground's view and the movement meet."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

import ai
from ai import movers, report
from terrain3d import TOPOLOGIES, Cell, MapFileError, Node, TileMap, landscape
from terrain3d.mapfile import text as text_picture

if TYPE_CHECKING:
    from terrain3d import view

STARTED_S = time.perf_counter()
DONE, NO_WAY, BAD_INPUT = 0, 1, 2
NO_DISPLAY_PICTURE = Path("scene.png")

DEFAULTS = {"seed": 7, "rows": 30, "cols": 30, "levels": 5}
LANDSCAPE_LEVELS = 8
"""What a landscape has if nothing else is asked for: enough for its cliff."""
GROUNDS: dict[str, Callable[..., TileMap]] = {"landscape": landscape, "noise": TileMap.from_noise}
"""What grows a map: a place with a river, a road and a bridge, or plain hills of noise."""
RULES = {
    "uphill": (1, "cost of each level climbed"),
    "max_climb": (2, "tallest step up, in levels"),
    "max_drop": (3, "tallest step down, in levels"),
}
UNITS: tuple[tuple[str, str, float, float, str, dict[str, Any]], ...] = (
    ("Mira", "blue", 0.5, 0.45, "foot", {}),
    ("Bram", "red", 0.42, 0.6, "heavy foot", {"max_climb": 1, "max_drop": 2}),
    ("Ilka", "blue", 0.62, 0.58, "floater", {"kind_cost": movers.FLOAT.kind_cost, "hover": 1}),
)
"""Name, team, place as parts of the map's rows and columns, mover, and how it differs."""
MOVERS = {name: mover for name, _, _, _, mover, _ in UNITS}
MOVE_POINTS = 6
WINDOW_SIZE = (1280, 720)

KEYS = (
    ("Left click", "select a unit, send it to a tile"),
    ("Right click, Esc", "deselect"),
    ("Tab", "select the next unit"),
    ("U / Y, Ctrl + Z / Y", "undo / redo a move"),
    ("R", "new map from the next seed"),
)
"""What the scene adds to the camera's keys."""


class InputError(Exception):
    """What the person typed cannot be done; the text is the one line they see."""


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line, without the usage text."""

    def error(self, message: str) -> NoReturn:
        """Print the line and end the program."""
        self.exit(BAD_INPUT, f"main.py: {message}\n")


def cell_argument(text: str) -> tuple[int, int]:
    """Read a cell as people type it: "4,7"."""
    try:
        row, col = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"a cell is ROW,COL, like 4,7; got {text!r}") from None
    return row, col


def size_argument(text: str) -> tuple[int, int]:
    """Read a picture's size as people type it: "1280x720"."""
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
    """Read a number, whole if it is written so."""
    try:
        return float(text) if not text.lstrip("-").isdecimal() else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def make_parser() -> Parser:
    """Describe the command line."""
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    for name, value in DEFAULTS.items():
        shared.add_argument(
            f"--{name}", type=int, metavar="N", help=f"{name} of the map, default {value}"
        )
    shared.add_argument(
        "--ground",
        choices=GROUNDS,
        help="what grows the map, default landscape, for path noise",
    )
    shared.add_argument("--topology", choices=TOPOLOGIES, help="how tiles lie, default square")
    shared.add_argument("--map", type=Path, metavar="FILE", help="a text picture to use instead")
    for name, (value, what) in RULES.items():
        kind = number_argument if name == "uphill" else int
        flag = f"--{name.replace('_', '-')}"
        shared.add_argument(flag, type=kind, metavar="N", help=f"{what}, default {value}")
    parser = Parser(
        prog="main.py", description="Stepped terrain and ways over it.", parents=[shared]
    )
    parser.add_argument("--log", metavar="FILE", type=Path, help="report as lines of JSON")
    parser.set_defaults(run=run_scene)
    commands = parser.add_subparsers(title="commands", metavar="path | shot")
    way = commands.add_parser("path", parents=[shared], help="print a map, a way and its cost")
    for flag, dest, what in (("--from", "start", "where it begins"), ("--to", "goal", "its end")):
        way.add_argument(
            flag, dest=dest, type=cell_argument, required=True, metavar="ROW,COL", help=what
        )
    way.add_argument("--json", action="store_true", help="print JSON instead of text")
    way.set_defaults(run=run_path)
    shot = commands.add_parser("shot", parents=[shared], help="render the scene to a picture")
    shot.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .png or .jpg")
    shot.add_argument(
        "--size", type=size_argument, default=WINDOW_SIZE, metavar="WxH", help="default 1280x720"
    )
    shot.set_defaults(run=run_shot)
    return parser


def make_map(options: argparse.Namespace, ground: str) -> TileMap:
    """Read or grow the map that the options ask for, on `ground` if they name none."""
    path, topology = getattr(options, "map", None), getattr(options, "topology", "square")
    try:
        if path is not None:
            for name in ("ground", *DEFAULTS):
                if name != "seed" and hasattr(options, name):
                    raise InputError(f"--{name} has no effect with --map, which has its own size")
            text = text_picture.read(path)
            return TileMap.from_text(text, source=str(path), topology=topology)
        size: dict[str, Any] = {
            name: getattr(options, name, value) for name, value in DEFAULTS.items()
        }
        ground = getattr(options, "ground", ground)
        if ground == "landscape" and not hasattr(options, "levels"):
            size["levels"] = LANDSCAPE_LEVELS
        return GROUNDS[ground](**size, topology=topology)
    except MapFileError as error:
        raise InputError(f"--map: {error}") from None
    except (ValueError, MemoryError) as error:
        raise InputError(str(error)) from None


def make_profile(options: argparse.Namespace) -> ai.MoveProfile:
    """Make the movement rules that the options ask for."""
    rules: dict[str, Any] = {
        name: getattr(options, name, value) for name, (value, _) in RULES.items()
    }
    rules["climb_cost"] = rules.pop("uphill")
    try:
        return ai.MoveProfile(**rules)
    except (ValueError, TypeError) as error:
        text = str(error).replace("climb_cost", "--uphill").replace("max_", "--max-")
        raise InputError(text) from None


def run_path(options: argparse.Namespace) -> int:
    """Print a map, a way over it and its cost."""
    tilemap, profile = make_map(options, "noise"), make_profile(options)
    try:
        path = ai.Navigation(tilemap).find_path(options.start, options.goal, profile)
    except IndexError as error:
        raise InputError(str(error)) from None
    if options.json:
        print(json.dumps(report.as_json(tilemap, path)))
    else:
        print(report.describe(tilemap, path))
    return DONE if path else NO_WAY


class Log:
    """Reports what happens as lines of JSON, for tests and tools; silent without a file."""

    def __init__(self, path: Path | None) -> None:
        try:
            self._file = path.open("w", encoding="utf-8") if path else None
        except OSError as error:
            raise InputError(f"--log: cannot write {path}: {error.strerror}") from None

    def write(self, event: str, **values: object) -> None:
        """Write one line: the event, the seconds since the start, and the values."""
        if self._file is not None:
            line = {"event": event, "time_s": round(time.perf_counter() - STARTED_S, 3), **values}
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()


def starting_units(tilemap: TileMap, profile: ai.MoveProfile) -> list[ai.Unit]:
    """Make the units, each on the free easy ground that is nearest to its place."""
    is_easy = profile.entry_cost(tilemap) <= 1
    is_easy &= [profile.can_stop_on(kind) for kind in tilemap.kinds]
    rows, cols = np.nonzero(is_easy[tilemap.kind] & ~tilemap.void)
    taken = np.zeros(len(rows), dtype=bool)
    units: list[ai.Unit] = []
    for name, team, down, across, _, differs in UNITS:
        if taken.all():
            break
        away = (rows - down * tilemap.rows) ** 2 + (cols - across * tilemap.cols) ** 2
        nearest = int(np.where(taken, np.inf, away).argmin())
        taken[nearest] = True
        cell = int(rows[nearest]), int(cols[nearest])
        own = replace(profile, **differs)
        units.append(ai.Unit(name, cell, team, own, move=MOVE_POINTS))
    return units


class Play(Node):
    """One map with units on it, and a person who gives them orders.

    Every answer comes from the commander; this only shows it.
    """

    def __init__(self, seed: int, tilemap: TileMap, profile: ai.MoveProfile, log: Log) -> None:
        super().__init__("Play")
        from terrain3d import view

        self._seed, self._profile, self._log = seed, profile, log
        self.board = ai.Board(tilemap)
        self.commander = ai.Commander(self.board)
        self.terrain = self.add_child(view.Terrain3D(tilemap))
        self.camera = self.add_child(view.OrbitCamera3D(target=self.terrain))
        self._reach = self.terrain.add_child(view.TileOverlay3D())
        self._way = self.terrain.add_child(view.PathRibbon3D())
        self.terrain.add_child(view.TileCursor3D())
        self.hud = self.add_child(view.Hud())

        self.hud.keys = (*KEYS, *view.CAMERA_KEYS)
        self._figures: dict[ai.Unit, view.Unit3D] = {}
        for unit in starting_units(tilemap, profile):
            self.board.add(unit)
            self._figures[unit] = self.terrain.add_child(view.Unit3D(unit))
            unit.move_finished.connect(lambda cell, unit=unit: self._arrive(unit, cell))
        self._kernels = threading.Thread(target=ai.warm_up, daemon=True)
        self.is_ready = False
        self._is_stale = True
        self._frames = 0
        self._is_replaced = False

    def _ready(self) -> None:
        terrain, commander = self.terrain, self.commander
        terrain.tile_clicked.connect(self._click)
        terrain.tile_hovered.connect(self._hover)
        for event, call in (
            ("escape", lambda: commander.select(None)),
            ("tab", commander.select_next),
            ("u", commander.undo),
            ("control-z", commander.undo),
            ("y", commander.redo),
            ("control-y", commander.redo),
            ("r", self._next_map),
        ):
            terrain.accept(event, call)
        commander.changed.connect(self._mark_stale)
        commander.unit_selected.connect(
            lambda unit: self._log.write("selected", unit=unit.name if unit else None)
        )
        commander.order_given.connect(
            lambda unit, path: self._log.write(
                "ordered", unit=unit.name, cells=path.cells, cost=path.cost
            )
        )
        commander.order_undone.connect(lambda is_done: self._tell_retaken("undo", is_done))
        commander.order_redone.connect(lambda is_done: self._tell_retaken("redo", is_done))
        commander.refused.connect(self._tell_refusal)
        self.hud.status_text = "Getting ready; the very first start takes a few seconds"

    def _process(self, _dt_s: float) -> None:
        self._frames += 1
        if self._frames == 2:  # the first frame is on screen; nothing above it waits for this
            self._log.write("first_frame")
            self._kernels.start()
        elif self._frames > 2 and not self.is_ready and not self._kernels.is_alive():
            self.is_ready = self._is_stale = True
            self.hud.status_text = ""
            self._log.write("ready", seed=self._seed, units=self._report_units())
        selected = self.commander.selected
        self.camera.focus_point = selected.pose.point if selected else None
        if self._is_stale:
            self._is_stale = False
            self._show()
        if self._is_replaced:
            self._replace()

    def _mark_stale(self) -> None:
        self._is_stale = True  # shown at the next frame, once, however much has changed

    def _click(self, cell: Cell | None, button: str) -> None:
        if button == "right":
            self.commander.select(None)
        if button != "left" or cell is None:
            return
        if self.is_ready or self.board.unit_at(cell) is not None:
            self.hud.status_text = ""
            self.commander.act_on(cell)

    def _hover(self, cell: Cell | None) -> None:
        if cell is not None:
            self._log.write("hover", cell=cell)
        self.commander.aim_at(cell)

    def _tell_refusal(self, reason: str) -> None:
        self.hud.status_text = reason
        self._log.write("refused", reason=reason)

    def _tell_retaken(self, name: str, is_done: bool) -> None:
        self.hud.status_text = f"{name} done" if is_done else f"nothing to {name}"
        self._log.write(name, done=is_done, units=self._report_units())

    def _arrive(self, unit: ai.Unit, cell: Cell) -> None:
        self._log.write("arrived", unit=unit.name, cell=cell, units=self._report_units())

    def _next_map(self) -> None:
        self._is_replaced = True  # at the next frame, once, however often the key was pressed

    def _replace(self) -> None:
        old, seed = self.board.tilemap, self._seed + 1
        levels = max(old.top_level + 1, LANDSCAPE_LEVELS)
        tilemap = landscape(old.rows, old.cols, seed, levels, topology=old.topology)
        self._log.write("new_map", seed=seed)
        self.tree.root.add_child(Play(seed, tilemap, self._profile, self._log))
        self.queue_free()

    def _show(self) -> None:
        """Copy what the commander tells to the nodes that show it."""
        selected = self.commander.selected
        for unit, figure in self._figures.items():
            figure.is_selected = unit is selected
        self.hud.unit_text = unit_text(selected) if selected else ""
        self._show_tile(self.commander.aim)
        if self.is_ready:
            reach = self.commander.reach
            self._reach.show([] if reach is None else reach.cells[1:])
            self._show_plan(self.commander.plan)

    def _show_tile(self, cell: Cell | None) -> None:
        if cell is None:
            self.hud.tile_text = ""
            return
        tilemap, unit = self.board.tilemap, self.board.unit_at(cell)
        deck = f" deck {cell.deck}" if cell.deck else ""
        lines = [f"tile {cell.row}, {cell.col}{deck}", f"level {tilemap.level_at(cell)}"]
        lines.append(tilemap.kind_at(cell).name)
        if unit is not None:
            lines.append(f"{unit.name} stands here")
        self.hud.tile_text = "\n".join(lines)

    def _show_plan(self, plan: ai.Plan | None) -> None:
        if plan is None:
            self._way.clear()
            self.hud.pointer_text = ""
            return
        surface = self.board.tilemap.surface_point
        self._way.show([surface(place) for place in plan.way], is_refused=not plan.is_allowed)
        self.hud.pointer_kind = "ok" if plan.is_allowed else "refused"
        cost = f"cost {plan.order.cost} of {plan.unit.move}"
        self.hud.pointer_text = cost if plan.is_allowed else plan.reason

    def _report_units(self) -> list[dict[str, object]]:
        """Say where each unit stands, on the map and, in pixels from the top left, on screen."""
        return [
            {"name": unit.name, "team": unit.team, "cell": unit.cell, "pixel": self._pixel(unit)}
            for unit in self.board.units
        ]

    def _pixel(self, unit: ai.Unit) -> list[int] | None:
        tree = self.terrain.panda
        x, y, z = unit.pose.point
        seen = tree.project((x, y, z + 0.4), self.terrain.np)
        if seen is None:
            return None
        width, height = tree.base.win.get_x_size(), tree.base.win.get_y_size()
        return [round((seen[0] + 1) / 2 * width), round((1 - seen[1]) / 2 * height)]


def unit_text(unit: ai.Unit) -> str:
    """Describe a unit and how it moves, for the panel."""
    profile = unit.profile
    return (
        f"{unit.name}, {MOVERS.get(unit.name, 'mover')}, team {unit.team}\n"
        f"{unit.move} move points\n"
        f"climbs {profile.max_climb} at +{profile.climb_cost} a level, drops {profile.max_drop}"
    )


def run_scene(options: argparse.Namespace) -> int:
    """Open the scene in a window; without a display, render it to a picture instead."""
    tilemap, profile = make_map(options, "landscape"), make_profile(options)
    log = Log(options.log)
    from terrain3d.view import attach, window

    base = window.open_window(*WINDOW_SIZE)
    if base is None:
        print(f"there is no display to open a window on: rendering {NO_DISPLAY_PICTURE} instead")
        render(tilemap, profile, NO_DISPLAY_PICTURE, WINDOW_SIZE)
        return DONE
    seed = getattr(options, "seed", DEFAULTS["seed"])
    attach(base).root.add_child(Play(seed, tilemap, profile, log))
    base.run()
    return DONE


def run_shot(options: argparse.Namespace) -> int:
    """Render the scene to a picture, without a window."""
    render(make_map(options, "landscape"), make_profile(options), options.out, options.size)
    return DONE


def render(tilemap: TileMap, profile: ai.MoveProfile, path: Path, size: tuple[int, int]) -> None:
    """Draw the scene with a unit selected and a way planned, and write it to `path`."""
    from terrain3d.view import attach, window

    try:
        window.check_picture_path(path)
        base = window.open_offscreen(*size)
    except (RuntimeError, OSError, ValueError) as error:
        raise InputError(str(error)) from None
    tree = attach(base)
    play = tree.root.add_child(Play(DEFAULTS["seed"], tilemap, profile, Log(None)))
    while not play.is_ready:
        base.task_mgr.step()
    play.commander.select_next()
    if play.commander.reach is not None:
        play.commander.aim_at(play.commander.reach.cells[-1])
    base.task_mgr.step()
    base.task_mgr.step()
    try:
        window.save_picture(base, path)
    except OSError as error:
        raise InputError(str(error)) from None
    finally:
        tree.close()
        base.destroy()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give the exit status."""
    options = make_parser().parse_args(arguments)
    try:
        if options.log is not None and options.run is not run_scene:
            raise InputError("--log is for the scene alone")
        status: int = options.run(options)
    except InputError as error:
        print(f"main.py: {error}", file=sys.stderr)
        return BAD_INPUT
    return status


if __name__ == "__main__":
    sys.exit(main())
