"""Rows that need new processes: memory, and how long it takes to start."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.registry import INDEXED, PLAIN, Entry
from tests.benchmarks.rounds import Cell
from tests.benchmarks.rows import Row
from tests.support import ROOT

_N_TRIES = 3


def measure(entries: list[Entry], sizes: list[int]) -> list[Row]:
    """Measure everything that needs a new process."""
    with tempfile.TemporaryDirectory() as folder:
        cold = [_child("first", PLAIN, 64, Path(folder) / str(n)) for n in range(2)]
        caches = Path(folder) / "0"
        warm = {
            entry.name: [_child("first", entry.name, 64, caches) for _ in range(_N_TRIES)]
            for entry in entries
            if entry.name != INDEXED
        }
        rows = [
            Row("start of Python to first path", _cells(warm, "process_ms")),
            Row("start to first path, nothing compiled yet", _cells({PLAIN: cold}, "process_ms")),
        ]
        rows += [_memory(entries, size, caches) for size in sizes if size >= 256]
    return rows


def _cells(found: dict[str, list[dict[str, float]]], key: str) -> dict[str, Cell]:
    return {name: Cell([numbers[key] for numbers in tries]) for name, tries in found.items()}


def _memory(entries: list[Entry], size: int, caches: Path) -> Row:
    measured = {
        entry.name: _child("memory", entry.name, size, caches)
        for entry in entries
        if size <= entry.largest
    }
    cells = {name: Cell([numbers["extra_mb"]]) for name, numbers in measured.items()}
    return Row(f"extra memory {size}x{size}", cells, unit="MB")


def _child(task: str, library: str, size: int, caches: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.child", task, library, str(size)]
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(caches),
        "PYTHONPATH": str(ROOT),
        "BENCHMARK_BEGIN_S": str(time.time()),
    }
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=True)
    numbers: dict[str, float] = json.loads(done.stdout)
    return numbers
