"""The same query returns the same path in every process, compiled or not."""

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

DIGEST = """
import hashlib, sys
import numpy as np
from ai import MoveProfile, Navigation
from terrain3d import TileMap

side = int(sys.argv[1])
digest = hashlib.sha256()
tilemap = TileMap.from_noise(side, side, seed=7, levels=5)
navigation = Navigation(tilemap)
rng = np.random.default_rng(3)
movers = [
    MoveProfile(),
    MoveProfile.classic(uphill=10),
    MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=2**0.5),
    MoveProfile(climb_cost=0, kind_cost={"rock": 2, "sand": None, "grass": 0.3}),
]
for mover in movers:
    for start, goal in rng.integers(0, side, (20, 2, 2)).tolist():
        path = navigation.find_path(start, goal, mover)
        reach = navigation.reach(start, 6, mover)
        digest.update(path.as_array().tobytes() + repr((path.cost, path.reason)).encode())
        reached = [(tuple(cell), reach.cost_to(cell), len(reach.path_to(cell))) for cell in reach]
        digest.update(repr(reached).encode())
    field = navigation.cost_field([(1, 1), (side - 1, side // 2)], mover)
    digest.update(field.cost.tobytes() + field.path_from((side // 2, 0)).as_array().tobytes())
print(digest.hexdigest())
"""

LARGE, SMALL = 48, 12


def digest(side, **environment):
    ran = subprocess.run(
        [sys.executable, "-c", DIGEST, str(side)],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


@pytest.fixture(scope="module")
def expected():
    return {side: digest(side, PYTHONHASHSEED="1") for side in (LARGE, SMALL)}


def test_the_order_of_hashes_changes_no_path(expected):
    assert digest(LARGE, PYTHONHASHSEED="2024") == expected[LARGE]


def test_other_maps_give_other_digests(expected):
    assert len(set(expected.values())) == 2


def test_the_uncompiled_search_finds_the_same_paths(expected):
    assert digest(SMALL, NUMBA_DISABLE_JIT="1") == expected[SMALL]


def test_a_cold_and_a_warm_cache_give_the_same_paths(expected, tmp_path):
    cold = digest(LARGE, NUMBA_CACHE_DIR=str(tmp_path))
    assert list(tmp_path.rglob("*.nbi"))
    warm = digest(LARGE, NUMBA_CACHE_DIR=str(tmp_path))
    assert cold == warm == expected[LARGE]
