"""One task in a new process: `python -m tests.benchmarks.child TASK LIBRARY SIZE` prints JSON.

It imports nothing of weight itself, so that what a library needs is counted as the library's.
"""

import importlib
import json
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


def first(entry: Entry, size: int) -> dict[str, float]:
    """Import a library, build its graph, find one path."""
    begin = time.perf_counter()
    importlib.import_module(entry.package)
    imported = time.perf_counter()
    from tests.benchmarks.maps import questions, rugged_levels

    library = entry.load()
    source = library.source(rugged_levels(size))
    ((start, goal),) = questions(size, 1, seed=9)
    ready = time.perf_counter()
    library(source).find_path(start, goal)
    done = time.perf_counter()
    return {
        "import_ms": (imported - begin) * 1000,
        "first_ms": (done - ready) * 1000,
        # Since the process was started, without what only prepared the question.
        "process_ms": (time.time() - float(os.environ["BENCHMARK_BEGIN_S"])) * 1000
        - (ready - imported) * 1000,
    }


def memory(entry: Entry, size: int) -> dict[str, float]:
    """Import a library, build its graph, find some paths, and measure the memory that it takes."""
    from tests.benchmarks.maps import questions, rugged_levels

    level = rugged_levels(size)
    asked = questions(size, 8, seed=10)
    before = _resident_mb()
    library = entry.load()
    ready = library(library.source(level))
    for start, goal in asked:
        ready.find_path(start, goal)
    return {"extra_mb": _resident_mb() - before}


def kernels(entry: Entry, _: int) -> dict[str, float]:
    """Ask every kind of question."""
    ours = importlib.import_module(entry.home)
    begin = time.perf_counter()
    ours.ask_everything()
    return {"work_ms": (time.perf_counter() - begin) * 1000}


if __name__ == "__main__":
    task, name, side = sys.argv[1:]
    tasks = {"first": first, "memory": memory, "kernels": kernels}
    print(json.dumps(tasks[task](BY_NAME[name], int(side))))
