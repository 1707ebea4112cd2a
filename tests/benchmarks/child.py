"""One task in a new process: `python -m tests.benchmarks.child TASK LIBRARY SIZE`.

It imports nothing of weight itself, so that what a library needs is counted as the library's.
"""

import importlib
import os
import sys
import time
from pathlib import Path

from tests.benchmarks.registry import BY_NAME


def _resident_mb():
    """Read how much of this process is in memory."""
    n_pages = int(Path("/proc/self/statm").read_text().split()[1])
    return n_pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def first(entry, size):
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


def memory(entry, size):
    """Import a library, build its graph, find some paths; return the megabytes that it takes."""
    from tests.benchmarks.maps import questions, rugged_levels

    level, asked = rugged_levels(size), questions(size, 8, seed=10)
    before = _resident_mb()
    library = entry.load()
    ready = library(library.source(level))
    for start, goal in asked:
        ready.find_path(start, goal)
    return _resident_mb() - before


if __name__ == "__main__":
    task, name, side = sys.argv[1:]
    print({"first": first, "memory": memory}[task](BY_NAME[name], int(side)))
