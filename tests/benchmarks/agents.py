"""Measure many agents whose targets move: `python -m tests.benchmarks.agents --help`.

All agents walk over one map, frame by frame. In "pure search" rows each agent calls `find_path`
for a complete path; in the others a `NavigationServer3D` plans for all within a budget. Times are
CPU times of the single thread.
"""

import argparse
import math
import sys
import time
from dataclasses import dataclass, field

import numpy as np

from ai import MoveProfile, Navigation, NavigationAgent3D, NavigationServer3D
from ai.motion.motion import SPEED_TILES_S, Point
from terrain3d import Cell, Node, SceneTree, TileMap
from tests.benchmarks import maps, report

SIZE = 64
FRAME_S = 1 / 60
FRAMES_A_STEP = round(1 / (SPEED_TILES_S * FRAME_S))
PROFILE = MoveProfile(max_climb=maps.MAX_CLIMB, max_drop=maps.MAX_DROP)
BUDGETS = (5_000, 20_000, None)
LOADS = ("targets walk", "new targets every frame")
_WARM_UP_FRAMES = 5


def towards(start: Point, end: Point, length: float) -> Point:
    """Return the point at a distance from a start towards an end, at most the end."""
    away = math.dist(start, end)
    part = min(1.0, length / away) if away else 1.0
    x, y, z = (a + (b - a) * part for a, b in zip(start, end, strict=True))
    return x, y, z


class Walker(Node):
    """A body that its agent leads."""

    def __init__(self, server: NavigationServer3D, cell: Cell) -> None:
        super().__init__()
        self.position = server.navigation.tilemap.surface_point(cell)
        self.agent = self.add_child(NavigationAgent3D(server, PROFILE))

    def _process(self, dt_s: float) -> None:
        if not self.agent.is_navigation_finished():
            end = self.agent.get_next_path_position()
            self.position = towards(self.position, end, SPEED_TILES_S * dt_s)


class Targets:
    """The targets of all agents: they walk at random, or are elsewhere in every frame."""

    def __init__(self, navigation: Navigation, count: int, load: str) -> None:
        self._navigation, self._load = navigation, load
        self._rng = np.random.default_rng(maps.SEED)
        self._cells = list(navigation.reach((SIZE // 2, SIZE // 2), math.inf, PROFILE))
        self.starts = [self.any_cell() for _ in range(count)]
        self.now = [self.any_cell() for _ in range(count)]
        self._frame = 0

    def any_cell(self) -> Cell:
        return self._cells[self._rng.integers(len(self._cells))]

    def next_frame(self) -> list[int]:
        """Advance one frame and return the numbers of the targets that have moved."""
        self._frame += 1
        if self._load == LOADS[1]:
            self.now = [self.any_cell() for _ in self.now]
            return list(range(len(self.now)))
        moved = [n for n in range(len(self.now)) if (self._frame + n) % FRAMES_A_STEP == 0]
        for number in moved:
            ends = list(self._navigation.steps_from(self.now[number], PROFILE))
            if ends:
                self.now[number] = ends[self._rng.integers(len(ends))]
        return moved


@dataclass
class Result:
    """The measurements of one row."""

    name: str
    frames_ms: list[float] = field(default_factory=list)
    planning_ms: list[float] = field(default_factory=list)
    n_searches: int = 0
    waits: list[int] = field(default_factory=list)  # frames from request to path


def measure_server(load: str, count: int, n_frames: int, budget: int | None) -> Result:
    """Measure agents with a server."""
    result = Result("no budget" if budget is None else f"budget {budget:,}")
    navigation = Navigation(TileMap(maps.rugged_levels(SIZE)))
    targets, tree = Targets(navigation, count, load), SceneTree()
    server = tree.root.add_child(Timed(navigation, result, budget))
    walkers = [tree.root.add_child(Walker(server, cell)) for cell in targets.starts]
    asked: dict[int, int] = {}
    frame = 0

    def take(number: int) -> None:
        if number in asked and not walkers[number].agent.is_planning:
            result.waits.append(frame - asked.pop(number))
            result.n_searches += 1

    for number, walker in enumerate(walkers):
        walker.agent.path_changed.connect(lambda number=number: take(number))
        walker.agent.target_cell = targets.now[number]
    while server.n_waiting:
        tree.advance(0.0)
    for _ in range(_WARM_UP_FRAMES):
        tree.advance(FRAME_S)
    result.planning_ms.clear()
    for frame in range(n_frames):
        for number in targets.next_frame():
            walkers[number].agent.target_cell = targets.now[number]
            if walkers[number].agent.is_planning:
                asked.setdefault(number, frame)
        begin = time.thread_time()
        tree.advance(FRAME_S)
        result.frames_ms.append((time.thread_time() - begin) * 1e3)
    return result


class Timed(NavigationServer3D):
    """A server that records how long it plans."""

    def __init__(self, navigation: Navigation, result: Result, budget: int | None) -> None:
        super().__init__(navigation, max_expansions=budget)
        self._result = result

    def plan(self) -> None:
        begin = time.thread_time()
        super().plan()
        self._result.planning_ms.append((time.thread_time() - begin) * 1e3)


class SearchingWalkers:
    """Walkers without agents that call `find_path` themselves."""

    def __init__(self, load: str, count: int) -> None:
        self._tilemap = TileMap(maps.rugged_levels(SIZE))
        self._navigation = Navigation(self._tilemap)
        self.targets = Targets(self._navigation, count, load)
        self._cells = list(self.targets.starts)
        self._points = [self._tilemap.surface_point(cell) for cell in self._cells]
        self._paths: list[list[Cell]] = [[] for _ in self._cells]
        self._asked: list[tuple[Cell, Cell] | None] = [None] * count

    def plan(self, *, is_always: bool) -> int:
        """Search for all, or only for walkers that have moved or whose targets have."""
        questions = list(zip(self._cells, self.targets.now, strict=True))
        due = [n for n, each in enumerate(questions) if is_always or each != self._asked[n]]
        for n in due:
            self._paths[n] = self._navigation.find_path(*questions[n], PROFILE, partial=True).cells
            self._asked[n] = questions[n]
        return len(due)

    def walk(self) -> None:
        for n, path in enumerate(self._paths):
            if len(path) > 1:
                end = self._tilemap.surface_point(path[1])
                self._points[n] = towards(self._points[n], end, SPEED_TILES_S * FRAME_S)
                if self._points[n] == end:
                    self._cells[n] = path.pop(0) and path[0]


def measure_pure(load: str, count: int, n_frames: int, *, is_always: bool) -> Result:
    """Measure complete searches, in every frame or when a walker or its target has moved."""
    result = Result(f"pure search, {'every frame' if is_always else 'at every step'}")
    walkers = SearchingWalkers(load, count)
    walkers.plan(is_always=True)
    for _ in range(n_frames):
        walkers.targets.next_frame()
        begin = time.thread_time()
        result.n_searches += walkers.plan(is_always=is_always)
        planned = time.thread_time()
        walkers.walk()
        result.planning_ms.append((planned - begin) * 1e3)
        result.frames_ms.append((time.thread_time() - begin) * 1e3)
    return result


def table(results: list[Result], n_frames: int) -> str:
    """Write the rows as Markdown."""
    head = [
        "",
        "frame, ms: median / p95",
        "of it planning",
        "paths a frame",
        "paths a second of planning",
        "frames until a path: median / p95",
    ]
    lines = [head, ["---"] * len(head)]
    for result in results:
        waits = result.waits
        lines.append(
            [
                result.name,
                _both(result.frames_ms),
                _both(result.planning_ms),
                report.number(result.n_searches / n_frames),
                f"{result.n_searches / max(1e-9, sum(result.planning_ms) / 1e3):,.0f}",
                f"{np.median(waits):.0f} / {np.percentile(waits, 95):.0f}" if waits else "0",
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _both(times: list[float]) -> str:
    median, p95 = np.percentile(times, [50, 95]).tolist()
    return f"{report.number(median)} / {report.number(p95)}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.agents", description=__doc__)
    parser.add_argument("--agents", type=int, default=400, metavar="N")
    parser.add_argument("--frames", type=int, default=300, metavar="N")
    options = parser.parse_args(arguments)
    count, n_frames = options.agents, options.frames
    print("Machine: " + ", ".join(f"{key} {value}" for key, value in report.machine().items()))
    print(f"{count} agents, {SIZE} x {SIZE} tiles, {n_frames} frames of 1/60 s")
    for load in LOADS:
        results = [measure_pure(load, count, n_frames, is_always=each) for each in (True, False)]
        results += [measure_server(load, count, n_frames, budget) for budget in BUDGETS]
        print(f"\n**{load.capitalize()}**\n\n{table(results, n_frames)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
