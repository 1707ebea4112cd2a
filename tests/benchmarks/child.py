"""One task in a new process: `python -m tests.benchmarks.child TASK LIBRARY SIZE`.

It imports nothing of weight itself, so that what a library needs is counted as the library's.
"""

import importlib
import os
import sys
import time
from pathlib import Path

from tests.benchmarks.registry import BY_NAME, Entry


def _resident_mb() -> float:
    """Read how much of this process is in memory; NaN where the system does not say it so."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return float("nan")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def first(entry: Entry, size: int) -> float:
    """Import a library, build its graph, find one path; return the milliseconds."""
    importlib.import_module(entry.package)
    imported = time.perf_counter()
    from tests.benchmarks.maps import questions, rugged_levels

    library = entry.load()
    source = library.source(rugged_levels(size))
    ((start, goal),) = questions(size, 1, seed=9)
    ready = time.perf_counter()
    library(source).find_path(start, goal)
    # Since the process was started, without what only prepared the question.
    begin_s, prepared_s = float(os.environ["BENCHMARK_BEGIN_S"]), ready - imported
    return (time.time() - begin_s - prepared_s) * 1000


def memory(entry: Entry, size: int) -> float:
    """Import a library, build its graph, find some paths; return the megabytes that it takes."""
    from tests.benchmarks.maps import questions, rugged_levels

    level = rugged_levels(size)
    asked = questions(size, 8, seed=10)
    before = _resident_mb()
    library = entry.load()
    ready = library(library.source(level))
    for start, goal in asked:
        ready.find_path(start, goal)
    return _resident_mb() - before


if __name__ == "__main__":
    task, name, side = sys.argv[1:]
    tasks = {"first": first, "memory": memory}
    print(tasks[task](BY_NAME[name], int(side)))
