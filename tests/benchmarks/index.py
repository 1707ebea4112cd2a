"""Measure the index of large maps: memory, and queries while the map is edited.

`python -m tests.benchmarks.index` prints tables. Labels are compared with landmarks and with tcod,
of the extra `bench`: memory, processor time of all threads to build them, and what a query takes,
median and 95th percentile. Last, tiles change at random, and each edit is repaired. Times are
processor time.
"""

import gc
import time
from pathlib import Path

import numpy as np

from ai import MoveProfile, Navigation
from ai.search.hub_labels import LabelPlan
from terrain3d import TileMap
from tests.benchmarks import report
from tests.benchmarks.maps import questions, rugged_levels
from tests.benchmarks.ours import PROFILE, Ours
from tests.benchmarks.registry import BY_NAME

MOVER = MoveProfile(max_climb=2, max_drop=3, climb_cost=1)
SEED = 5
SIZES = 256, 1024
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
    sizes = after - before, most - after, resident_mb() - after
    return [f"{size:.0f} MB" for size in sizes]


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


def repairs(side: int) -> list[str]:
    """Return what it takes to repair the index after an edit of a tile."""
    tilemap, rng = noise(side), np.random.default_rng(SEED)
    navigation, times = Navigation(tilemap), []
    navigation.build_index(MOVER)
    for _ in range(300 if side <= 256 else 60):
        with tilemap.edit() as edit:
            edit.set_level(rng.integers(0, side, 2), int(rng.integers(0, 8)))
        begin = time.thread_time()
        assert navigation.has_index(MOVER)
        times.append(1e3 * (time.thread_time() - begin))
    return [f"{np.median(times):.3f} ms", f"{max(times):.1f} ms"]


if __name__ == "__main__":
    Navigation(noise(70)).build_index(MOVER)  # compiles
    query = "query by labels, us", "by landmarks", "without", "tcod", "labels / tcod"
    for measure, sides, *head in (
        (memory, SIZES, "index", "more while it is built", "a further profile"),
        (labels, (64, 128, 256), "labels", "built in", *query),
        (repairs, SIZES, "repair after an edit, median", "most"),
    ):
        lines = [[f"{side} x {side}", *measure(side)] for side in sides]
        print(report.table(["map", *head], lines), flush=True)
