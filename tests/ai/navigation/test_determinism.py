"""Another process gives the same answers: its hashes have another order, its cache may be cold."""

import hashlib
import json
import zlib

import numpy as np
import pytest

from ai import Board, MoveProfile, Navigation, SquadPlanner, Unit
from terrain3d import Rect, TileMap
from terrain3d.mesh.chunks import chunk_mesh
from tests.support.programs import NO_DISPLAY, run_python

SIDE = 48


def digest_of_paths():
    """Return a digest of paths, reaches and cost fields of some movers."""
    digest = hashlib.sha256()
    navigation = Navigation(TileMap.from_noise(SIDE, SIDE, seed=7, levels=5))
    rng = np.random.default_rng(3)
    movers = [
        MoveProfile(),
        MoveProfile.classic(uphill=10),
        MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=2**0.5),
        MoveProfile(climb_cost=0, kind_cost={"rock": 2, "sand": None, "grass": 0.3}),
    ]
    for mover in movers:
        for start, goal in rng.integers(0, SIDE, (20, 2, 2)).tolist():
            path = navigation.find_path(start, goal, mover)
            reach = navigation.reach(start, 6, mover)
            digest.update(path.as_array().tobytes() + repr((path.cost, path.reason)).encode())
            costs = [(tuple(cell), reach.cost_to(cell), len(reach.path_to(cell))) for cell in reach]
            digest.update(repr(costs).encode())
        field = navigation.cost_field([(1, 1), (SIDE - 1, SIDE // 2)], mover)
        digest.update(field.cost.tobytes() + field.path_from((SIDE // 2, 0)).as_array().tobytes())
    return digest.hexdigest()


def digest_of_board():
    """Return the digest of a board with a unit whose rules have sets and dicts."""
    board = Board(TileMap.from_noise(9, 9, seed=3))
    profile = MoveProfile(kind_cost={"#liquid": 1, "lava": None}, no_stop={"swamp", "rock"})
    board.add(Unit("Mira", (4, 4), profile=profile))
    return board.digest()


def squad_plan(n_units=10):
    """Return the paths of a crowded squad, as lists."""
    planner = SquadPlanner(Navigation(TileMap.from_noise(10, 10, seed=3, levels=4)))
    starts = [(0, col) for col in range(n_units)]
    goals = [(9, n_units - 1 - col) for col in range(n_units)]
    plan = planner.plan(starts, goals, max_steps=5000)
    return [plan.as_array().tolist(), plan.lower_bound, plan.reason]


def sums_of_mesh():
    """Return checksums of the colors and triangles of a map."""
    mesh = chunk_mesh(TileMap.from_noise(9, 9, seed=3), Rect(0, 0, 9, 9))
    return [zlib.crc32(array.tobytes()) for array in (mesh.colors, mesh.triangles)]


QUESTIONS = digest_of_paths, digest_of_board, squad_plan, sums_of_mesh
ANSWERS = {question.__name__: question for question in QUESTIONS}


def in_another_process(names, **environment):
    """Return the answers with these names of a process with other hashes."""
    code = "import json\nfrom tests.ai.navigation.test_determinism import ANSWERS\n"
    code += f"print(json.dumps({{name: ANSWERS[name]() for name in {list(names)!r}}}))"
    environment = NO_DISPLAY | {"PYTHONHASHSEED": "2024"} | environment
    return json.loads(run_python("-c", code, env=environment, check=True).stdout)


@pytest.fixture(scope="module")
def theirs():
    return in_another_process(ANSWERS)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_order_of_hashes_changes_no_answer(theirs, name):
    assert theirs[name] == ANSWERS[name]()


@pytest.mark.nightly
def test_a_cold_and_a_warm_cache_give_the_same_paths(tmp_path):
    names = ["digest_of_paths"]
    cold = in_another_process(names, NUMBA_CACHE_DIR=str(tmp_path))
    assert list(tmp_path.rglob("*.nbi"))
    warm = in_another_process(names, NUMBA_CACHE_DIR=str(tmp_path))
    assert cold == warm == {"digest_of_paths": digest_of_paths()}
