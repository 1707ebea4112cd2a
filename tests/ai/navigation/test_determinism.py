"""The same query returns the same path in every process, with a cold and a warm cache."""

import pytest

from tests.support.programs import NO_DISPLAY, run_python

DIGEST = """
import hashlib
import numpy as np
from ai import MoveProfile, Navigation
from terrain3d import TileMap

side = 48
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


def digest(**environment):
    return run_python("-c", DIGEST, env=NO_DISPLAY | environment, check=True).stdout


@pytest.fixture(scope="module")
def expected():
    return digest(PYTHONHASHSEED="1")


def test_the_order_of_hashes_changes_no_path(expected):
    assert digest(PYTHONHASHSEED="2024") == expected


def test_a_cold_and_a_warm_cache_give_the_same_paths(expected, tmp_path):
    cold = digest(NUMBA_CACHE_DIR=str(tmp_path))
    assert list(tmp_path.rglob("*.nbi"))
    warm = digest(NUMBA_CACHE_DIR=str(tmp_path))
    assert cold == warm == expected
