"""Planners that are compared at equal time: ours and those of other programs."""

import itertools
import os
import subprocess
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol
from unittest.mock import patch

from ai import Navigation, SquadPlan, SquadPlanner
from terrain3d import Cell
from tests.squads.scipy_paths import Cell as CellTuple

Cells = list[CellTuple]
_MAX_TICKS = 500
_NO_LIMIT = 10**12


class Contender(Protocol):
    """A planner for units on flat ground that take steps of cost 1."""

    name: str
    improves: bool
    """Whether more time yields a better plan; others are asked once, with the longest time."""
    most: int
    """Largest number of units."""

    @staticmethod
    def clock() -> float:
        """Return the processor time used so far, in seconds."""

    def plan(
        self, navigation: Navigation, starts: Cells, goals: Cells, seconds: float, seed: int
    ) -> SquadPlan:
        """Return a plan, or a false one."""


class Ours:
    """One of our methods; without improvement it has its own limit."""

    most = _NO_LIMIT
    clock = staticmethod(time.process_time)

    def __init__(self, method: str, *, improves: bool) -> None:
        self.name, self.improves = method, improves

    def plan(self, navigation, starts, goals, seconds, seed):
        limits = {"max_seconds": seconds, "max_expansions": _NO_LIMIT} if self.improves else {}
        planner = SquadPlanner(navigation)
        with patch("time.monotonic", time.process_time):  # unaffected by what else is running
            return planner.plan(starts, goals, method=self.name, seed=seed, **limits)


class W9:
    """A planner of w9-pathfinding, whose limit is wall time."""

    improves = False
    clock = staticmethod(time.process_time)

    def __init__(self, name: str, class_name: str, most: int) -> None:
        self.name, self.most, self._class_name = name, most, class_name

    def plan(self, navigation, starts, goals, seconds, seed):
        del seed
        from w9_pathfinding import envs, mapf

        weights = [[1 if is_free else -1 for is_free in row] for row in _is_free(navigation)]
        planner = getattr(mapf, self._class_name)(envs.Grid(weights, edge_collision=True))
        ends = [[(col, row) for row, col, _ in cells] for cells in (starts, goals)]
        limits = {"max_time": seconds} if self._class_name == "CBS" else {}
        try:
            paths = planner.mapf(*ends, max_length=_MAX_TICKS, **limits)
        except RuntimeError as error:
            return SquadPlan.none(str(error))
        return _as_plan([[(row, col, 0) for col, row in path] for path in paths])


class Pymapf:
    """Large neighborhood search of pymapf, from a plan of its LaCAM."""

    name, improves = "pymapf LNS", True
    most = 50  # an attempt is not limited: one for 100 units took 99 s
    clock = staticmethod(time.process_time)

    def plan(self, navigation, starts, goals, seconds, seed):
        import pymapf

        grid = pymapf.GridMap([[not is_free for is_free in row] for row in _is_free(navigation)])
        agents = [
            pymapf.Agent(str(unit), start[:2], goal[:2])
            for unit, (start, goal) in enumerate(zip(starts, goals, strict=True))
        ]
        options = {"initial": "lacam", "time_limit": seconds, "seed": seed}
        options["initial_kwargs"] = {"time_limit": seconds, "seed": seed}
        with patch("time.perf_counter", time.process_time):  # its limit is wall time
            found = pymapf.solve(pymapf.MAPFProblem(grid, agents), "lns", **options)
        paths = [found.paths[agent.name] for agent in agents] if found else []
        return _as_plan([[(*cell, 0) for cell in path] for path in paths])


class Lacam3:
    """A build of https://github.com/Kei18/lacam3 that reads fractions of a second."""

    name, improves, most = "lacam3", True, _NO_LIMIT

    def __init__(self, program: Path) -> None:
        self._program = program.resolve()

    @staticmethod
    def clock() -> float:
        times = os.times()
        return times.children_user + times.children_system

    def plan(self, navigation, starts, goals, seconds, seed):
        rows = ["".join("@."[is_free] for is_free in row) for row in _is_free(navigation)]
        height, width = len(rows), len(rows[0])
        with TemporaryDirectory() as name:
            folder = Path(name)
            head = ["type octile", f"height {height}", f"width {width}", "map"]
            (folder / "board.map").write_text("\n".join([*head, *rows]) + "\n")
            lines = [
                f"0\tboard.map\t{width}\t{height}\t{start[1]}\t{start[0]}\t{goal[1]}\t{goal[0]}\t0"
                for start, goal in zip(starts, goals, strict=True)
            ]
            (folder / "board.scen").write_text("\n".join(["version 1", *lines]) + "\n")
            options = {"-m": "board.map", "-i": "board.scen", "-N": len(starts)}
            options |= {"-s": seed, "-t": seconds, "-o": "result.txt"}
            words = map(str, itertools.chain(*options.items()))
            subprocess.run([self._program, *words], cwd=folder, check=True, capture_output=True)
            return _as_plan(_read_lacam3((folder / "result.txt").read_text()))


def contenders(lacam3: Path | None) -> tuple[list[Contender], list[str]]:
    """Return the planners that are installed, and the names of those that are absent."""
    found: list[Contender] = [
        Ours("crowd", improves=False),
        Ours("prioritized", improves=True),
    ]
    absent = []
    if lacam3:
        found.append(Lacam3(lacam3))
    else:
        absent.append("lacam3")
    if find_spec("w9_pathfinding"):
        found += [W9("w9 WHCA*", "WHCAStar", _NO_LIMIT), W9("w9 CBS", "CBS", 40)]
    else:
        absent.append("w9-pathfinding")
    if find_spec("pymapf"):
        found.append(Pymapf())
    else:
        absent.append("pymapf")
    return found, absent


def trimmed(path: Sequence[CellTuple]) -> Sequence[CellTuple]:
    """Return a path up to its final arrival on its last cell."""
    last = max((tick for tick, cell in enumerate(path) if cell != path[-1]), default=-1)
    return path[: last + 2]


def _is_free(navigation: Navigation) -> list[list[bool]]:
    """Return (rows, cols) whether units can stand on a tile."""
    tilemap = navigation.tilemap
    rows, cols = range(tilemap.rows), range(tilemap.cols)
    return [[tilemap.has_surface((row, col)) for col in cols] for row in rows]


def _as_plan(paths: Sequence[Sequence[CellTuple]]) -> SquadPlan:
    """Return paths of steps of cost 1 as a plan."""
    if not paths:
        return SquadPlan.none("no plan")
    cells = [[Cell(*cell) for cell in trimmed(path)] for path in paths]
    return SquadPlan(cells, [len(path) - 1.0 for path in cells], 0)


def _read_lacam3(text: str) -> list[tuple[CellTuple, ...]]:
    """Return the paths in a result of lacam3; it lists x and y of all units tick by tick."""
    lines = text.partition("solution=\n")[2].splitlines()
    ticks = [line.partition(":")[2].strip(",()").split("),(") for line in lines]
    table = [[(int(y), int(x), 0) for x, y in (pair.split(",") for pair in row)] for row in ticks]
    return list(zip(*table, strict=True))
