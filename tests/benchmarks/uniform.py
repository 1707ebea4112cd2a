"""Paths on uniform ground, for libraries that know only free and blocked cells."""

from collections.abc import Iterator

import numpy as np

from tests.benchmarks.maps import SEED, questions
from tests.benchmarks.oracle import Oracle
from tests.benchmarks.registry import BY_NAME, INDEXED, NANO, PLAIN
from tests.benchmarks.rounds import in_turns
from tests.benchmarks.rows import N_PATHS, N_WARM, Row

SIZES = (64, 256)
_SHARE, _CLIFF = 0.1, 9  # of the cells, and how many levels high these are
_NAMES = PLAIN, INDEXED, "tcod", NANO


def rows(size: int, seconds: float, share: float) -> Iterator[Row]:
    """Measure paths around blocked cells where every step costs 1."""
    is_blocked = np.random.default_rng(SEED).random((size, size)) < _SHARE
    level = np.where(is_blocked, _CLIFF, 0).astype(np.int16)
    oracle, libraries = Oracle(level), {}
    for entry in (BY_NAME[name] for name in _NAMES if BY_NAME[name].is_there):
        library = entry.load()
        libraries[entry.name] = library(library.source(level))
    asked = questions(size, round(N_PATHS[size] * share) + N_WARM, seed=1)
    asked = [ends for ends in asked if not any(is_blocked[cell] for cell in ends)]
    for library in libraries.values():
        for ends in asked[:N_WARM]:
            library.find_path(*ends)
    cells = in_turns(
        libraries,
        asked[N_WARM:],
        lambda library, ends: library.find_path(*ends),
        lambda library, ends, answer: oracle.is_cheapest(*ends, library.cells(answer)),
        seconds,
    )
    yield Row(f"path on uniform ground, {size}x{size}", cells)
