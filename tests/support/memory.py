"""The memory that a call takes in Python, and a task in a fork with what C libraries take."""

import tracemalloc
from pathlib import Path

from tests.support.forks import fork_python

FEW_BYTES = 20_000_000


def peak_while(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


_CHILD = """
import sys
{prepare}
def peak_kb():
    # Of this process alone: resource.getrusage counts the process that started it too.
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
before = peak_kb()
{task}
print((peak_kb() - before) / 1024)
"""

IS_MEASURABLE = Path("/proc/self/status").exists()


def peak_growth_mb(prepare: str, task: str, *arguments: str) -> float:
    """Run two pieces of code, and return how much the second one adds to the highest memory."""
    code = _CHILD.format(prepare=prepare, task=task)
    return float(fork_python(code, *arguments).stdout)
