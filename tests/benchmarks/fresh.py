"""Rows that need new processes: memory, and how long it takes to start."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.registry import INDEXED, PLAIN
from tests.benchmarks.rows import Cell, Row
from tests.support import ROOT

_N_TRIES, _SIZE = 3, 64


def measure(entries, sizes):
    """Measure everything that needs a new process."""
    with tempfile.TemporaryDirectory() as folder:
        cold = [_child("first", PLAIN, _SIZE, Path(folder) / str(n)) for n in range(2)]
        caches = Path(folder) / "0"
        warm = {
            entry.name: Cell([_child("first", entry.name, _SIZE, caches) for _ in range(_N_TRIES)])
            for entry in entries
            if entry.name != INDEXED and entry.largest >= _SIZE
        }
        rows = [
            Row("start of Python to first path", warm),
            Row("start to first path, nothing compiled yet", {PLAIN: Cell(cold)}),
        ]
        for size in sizes:
            able = [entry.name for entry in entries if 256 <= size <= entry.largest]
            cells = {name: Cell([_child("memory", name, size, caches)]) for name in able}
            rows += [Row(f"extra memory {size}x{size}", cells, unit="MB")] if able else []
    return rows


def _child(task, library, size, caches):
    """Return the milliseconds or megabytes that a task takes."""
    command = [sys.executable, "-m", "tests.benchmarks.child", task, library, str(size)]
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(caches),
        "PYTHONPATH": str(ROOT),
        "BENCHMARK_BEGIN_S": str(time.time()),
    }
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=True)
    return float(done.stdout)
