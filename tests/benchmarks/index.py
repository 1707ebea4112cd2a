"""Measure the index of large maps: memory, and queries while the map is edited.

`python -m tests.benchmarks.index [--sizes 256,1024]` prints a table. Ten tiles a second change at
256 x 256 and one at larger sizes, at random or as doors that close and open. Queries follow each
edit. Then the same queries are asked with this index and with a new one. Labels are compared with
landmarks and with tcod, of the extra `bench`: memory, processor time of all threads to build them,
and what a query takes, median and 95th percentile. Last, it counts how many nodes a search expands,
and how many of them at the cost of the path: a lower bound that is as high as the rest of the path
for nodes beside it cannot tell them apart. Times are processor time.
"""

import argparse
import gc
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ai import MoveProfile, Navigation
from ai.search.hub_labels import LabelPlan
from ai.search.workspace import Guided
from terrain3d import Cell, TileMap
from tests.benchmarks.maps import questions, rugged_levels
from tests.benchmarks.ours import PROFILE, Ours
from tests.benchmarks.registry import BY_NAME

MOVER = MoveProfile(max_climb=2, max_drop=3, climb_cost=1)
DOOR_LEVEL = 12
N_DOORS = 20
SEED = 5
_CLOCK_NS = min(-time.thread_time_ns() + time.thread_time_ns() for _ in range(1000))


def resident_mb(peak: bool = False) -> float:
    """Return the memory that this process uses, or the most it has used since `forget_peak`."""
    name = "VmHWM" if peak else "VmRSS"
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1024


def forget_peak() -> None:
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def noise(side: int) -> TileMap:
    return TileMap.from_noise(side, side, seed=1, levels=8)


def memory(side: int) -> list[str]:
    """Return what the index takes, how much more its construction took, and a further profile."""
    navigation = Navigation(noise(side))
    navigation.find_path((0, 0), (5, 5), MOVER)
    forget_peak()
    before = resident_mb()
    navigation.build_index(MOVER)
    most = resident_mb(peak=True)
    gc.collect()
    after = resident_mb()
    navigation.find_path((0, 0), (5, 5), MoveProfile(max_climb=1))
    further = resident_mb() - after
    return [f"{after - before:.0f} MB", f"{most - after:.0f} MB", f"{further:.0f} MB"]


def labels(side: int) -> list[str]:
    """Return memory and time to build of labels, and what a query takes by them and otherwise.

    The maps and questions are those that other libraries get, and answers are arrays of cells.
    """
    level = rugged_levels(side)
    found = {kind: Ours(TileMap(level)) for kind in ("labels", "landmarks", "")}
    begin = time.process_time()
    found["labels"].navigation.build_index(PROFILE, kind="labels")
    seconds = time.process_time() - begin
    found["landmarks"].navigation.build_index(PROFILE, kind="landmarks")
    plan = LabelPlan.of(found["labels"].navigation.profile_graph(PROFILE).forward)
    size = plan.n_bytes / 1e6  # that of small maps is hard to see in the memory of a process
    finders = [each.find_path for each in found.values()]
    finders.append(BY_NAME["tcod"].load()(level).find_path)
    asked = questions(side, 630, SEED)
    times = [list[float]() for _ in finders]
    for turn in range(0, len(asked), 21):  # in turns, each with one that is not timed
        for find, spans in zip(finders, times, strict=True):
            find(*asked[turn])
            for start, goal in asked[turn + 1 : turn + (21 if find != finders[-1] else 6)]:
                before = time.thread_time_ns()
                find(start, goal)
                spans.append((time.thread_time_ns() - before - _CLOCK_NS) / 1000)
    texts = ["{:.1f} / {:.1f}".format(*np.percentile(each, [50, 95])) for each in times]
    ratio = float(np.median(times[-1]) / np.median(times[0]))
    return [f"{size:.1f} MB", f"{seconds:.2f} s", *texts, f"1/{ratio:.0f}"]


def edits(kind: str, tilemap: TileMap, count: int) -> Iterator[None]:
    """Change one tile after the other."""
    rng = np.random.default_rng(SEED)
    cells = [Cell(*cell) for cell in rng.integers(0, tilemap.rows, (N_DOORS, 2)).tolist()]
    open_level = {cell: tilemap.level_at(cell) for cell in cells}
    for number in range(count):
        cell, level = cells[number % N_DOORS], int(rng.integers(0, 8))
        if kind == "random":
            cell = Cell(*rng.integers(0, tilemap.rows, 2).tolist())
        else:
            is_closed = tilemap.level_at(cell) == DOOR_LEVEL
            level = open_level[cell] if is_closed else DOOR_LEVEL
        with tilemap.edit() as edit:
            edit.set_level(cell, level)
        yield


def seconds_of(navigation: Navigation, pairs: list[list[list[int]]]) -> float:
    """Ask for paths and return the processor time of this thread."""
    begin = time.thread_time()
    for start, goal in pairs:
        navigation.find_path((start[0], start[1]), (goal[0], goal[1]), MOVER)
    return time.thread_time() - begin


def under_edits(side: int, kind: str) -> list[str]:
    """Return the share of edits after which there was an index, and times with it and a new one."""
    tilemap, rng = noise(side), np.random.default_rng(SEED)
    navigation = Navigation(tilemap)
    navigation.build_index(MOVER)
    n_edits, n_queries = (300, 20) if side <= 256 else (60, 8)
    n_used, refresh_s = 0, []
    for _ in edits(kind, tilemap, n_edits):
        begin = time.thread_time()
        n_used += navigation.has_index(MOVER)
        refresh_s.append(time.thread_time() - begin)
        seconds_of(navigation, rng.integers(0, side, (n_queries, 2, 2)).tolist())
    fresh = Navigation(tilemap)
    fresh.build_index(MOVER)
    pairs = rng.integers(0, side, (len(refresh_s), 2, 2)).tolist()
    kept_s, fresh_s = (seconds_of(each, pairs) / len(pairs) for each in (navigation, fresh))
    return [
        f"{n_used / n_edits:.0%}",
        f"{1e3 * kept_s:.3f} ms",
        f"{1e3 * fresh_s:.3f} ms",
        f"{kept_s / fresh_s:.2f}",
        f"{1e3 * float(np.median(refresh_s)):.3f} ms",
        f"{1e3 * max(refresh_s):.1f} ms",
    ]


def expansions(side: int) -> list[str]:
    """Return the median cells of a path, nodes expanded, and of these at the cost of the path."""
    navigation = Navigation(noise(side))
    navigation.build_index(MOVER)
    entry = navigation._graphs.of(MOVER)
    guided = Guided(entry.graph.forward, entry.index.landmarks)
    counts = []
    with entry.workspaces.lend() as workspace:
        for start, goal in np.random.default_rng(SEED).integers(0, side * side, (200, 2)).tolist():
            path, n_closed = workspace.find_path(guided, start, goal), workspace.n_closed
            if len(path):
                workspace.find_path(guided, start, goal, int(path[-1, 3]) - 1)
                counts.append((len(path), n_closed, n_closed - workspace.n_closed))
    return [f"{count:.0f}" for count in np.median(counts, axis=0)]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.index", description=__doc__)
    parser.add_argument("--sizes", default="256,1024", metavar="N,N,...")
    sizes = [int(side) for side in parser.parse_args(arguments).sizes.split(",")]
    Navigation(noise(70)).build_index(MOVER)  # compiles
    print("| map | index | more while it is built | a further profile |\n|---|---|---|---|")
    for side in sizes:
        print("|", " | ".join([f"{side} x {side}", *memory(side)]), "|", flush=True)
    heads = "| map | labels | built in | query by labels, us | by landmarks | without | tcod |"
    print(f"\n{heads} labels / tcod |\n|---|---|---|---|---|---|---|---|")
    for side in (64, 128, 256):
        print("|", " | ".join([f"{side} x {side}", *labels(side)]), "|", flush=True)
    heads = (
        "| map, edits | index in use | query | with a new index | ratio | repair, median | most |"
    )
    print(f"\n{heads}\n|---|---|---|---|---|---|---|")
    for side in sizes:
        for kind in ("random", "doors"):
            print("|", " | ".join([f"{side}, {kind}", *under_edits(side, kind)]), "|", flush=True)
    print("\n| map | cells of the path | expanded | at its cost |\n|---|---|---|---|")
    for side in sizes:
        print("|", " | ".join([f"{side} x {side}", *expansions(side)]), "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
