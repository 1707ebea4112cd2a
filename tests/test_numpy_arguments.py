"""Numbers and cells of numpy give the answers of plain ones in each call that takes them."""

import numpy as np
import pytest

from ai import Board, MoveProfile, Navigation, SquadPlanner, Unit, Weapon, check, formation
from terrain3d import Cell, SquareGrid, TileKind, TileMap, landscape, make_grid

CELL, OTHER = np.array([1, 2]), np.array([4, 5], np.int16)
PROFILE = MoveProfile(max_climb=np.int64(2), climb_cost=np.float32(1.5), hover=np.uint8(1))


def tilemap():
    return TileMap.from_noise(np.int64(8), np.int32(9), np.uint8(3), np.int16(4))


CALLS = {
    "find_path": lambda n, a, b, k: n.find_path(a, b, PROFILE, max_cost=k(50)).cells,
    "several goals": lambda n, a, b, k: n.find_path(a, [b, (k(7), k(8))]).cost,
    "reach": lambda n, a, _, k: n.reach(a, k(5)).cells,
    "cost_field": lambda n, a, b, k: n.cost_field([a, b], start_costs=[k(0), k(2)]).cost.tolist(),
    "distance": lambda n, a, b, _: n.distance(a, b),
    "is_reachable": lambda n, a, b, _: n.is_reachable(a, b),
    "steps_from": lambda n, a, b, _: n.steps_from(a, blocked=[b]),
    "explain_step": lambda n, a, _, k: n.explain_step(a, (k(1), k(3))).cost,
    "line_of_sight": lambda n, a, b, k: n.line_of_sight(a, b, eye=k(1)),
    "begin_search": lambda n, a, b, k: n.begin_search(a, b).run(max_expansions=k(9)),
    "find_paths": lambda n, a, b, _: n.find_paths([a], [b])[0].cost,
    "plan": lambda n, a, b, k: SquadPlanner(n).plan([a], [b], seed=k(3)).paths,
    "formation": lambda n, a, b, _: formation(n, [a], b, MoveProfile()),
    "check": lambda n, a, *_: str(check(n, spawns=[a])),
    "build_index": lambda n, a, _, k: n.build_index(landmarks=k(4)) or n.reach(a, k(3)).cells,
}


@pytest.mark.parametrize("name", CALLS)
def test_queries_take_numpy_numbers(name):
    found = CALLS[name](Navigation(tilemap()), CELL, OTHER, np.int64)
    plain = Navigation(TileMap.from_noise(8, 9, 3, 4))
    assert found == CALLS[name](plain, (1, 2), (4, 5), int)


def test_numbers_of_numpy_make_the_same_values():
    assert MoveProfile(max_climb=2, climb_cost=1.5, hover=1) == PROFILE
    assert tilemap().level.tolist() == TileMap.from_noise(8, 9, 3, 4).level.tolist()
    assert landscape(np.int64(9), np.int64(9), np.int64(1)).level.shape == (9, 9)
    assert make_grid("hex_odd_r", np.int64(3), np.int64(4)).rows == 3
    assert SquareGrid(3, 4).cell(np.array([2, 3])) == Cell(2, 3)
    changed = tilemap()
    with changed.edit() as edit:
        edit.set_level(CELL, np.int64(3))
        edit.add_deck(OTHER, level=np.int8(9), thickness=np.uint8(1))
        edit.add_link(CELL, OTHER, cost=np.float64(2))
    assert (changed.level_at((1, 2)), changed.level_at(np.array([4, 5, 1]))) == (3, 9)
    assert changed.links[0].end == Cell(4, 5, 0)
    board = Board(tilemap())
    unit = board.add(Unit("Mira", CELL, "blue", PROFILE, move=np.int64(5)))
    assert unit.cell == Cell(1, 2)
    assert len(board.reach(unit)) > 1
    weapon = Weapon(min_tiles=np.int64(1), max_tiles=np.int8(3))
    assert weapon == Weapon(min_tiles=1, max_tiles=3)


@pytest.mark.parametrize("suffix", [".tmap", ".tmx", ".tmj"])
def test_numbers_of_numpy_are_saved(tmp_path, suffix):
    kinds = [TileKind("mud", cost=np.int64(3), depth=np.int8(1)), TileKind("void", cost=None)]
    saved = TileMap(np.zeros((2, 3), np.uint8), kinds=kinds, step_height=np.float32(0.25))
    cell = np.argwhere(saved.level == 0)[4]
    saved.extras = {
        "units": [{"name": "Mira", "cell": cell, "move": np.uint8(5), "is_calm": np.bool_(True)}],
        "metadata": {"heat": np.float32(0.5), "size": (np.int64(2), 3)},
    }
    saved.save(tmp_path / f"map{suffix}")
    found = TileMap.load(tmp_path / f"map{suffix}")
    assert found.kinds[0] == TileKind("mud", cost=3, depth=1)
    unit = {"name": "Mira", "cell": [1, 1], "move": 5, "is_calm": True}
    assert found.extras == {"units": [unit], "metadata": {"heat": 0.5, "size": [2, 3]}}
    assert isinstance(saved.extras["units"][0]["cell"], np.ndarray)


def test_numbers_of_numpy_print_as_plain_ones():
    profile = MoveProfile(kind_cost={"mud": np.int16(3)}, climb_cost=[np.float32(0.5), np.int8(2)])
    assert repr(profile) == "MoveProfile(climb_cost=(0.5, 2), kind_cost={'mud': 3})"
    assert repr(TileKind("mud", cost=np.int64(3))) == "TileKind('mud', cost=3)"
    assert repr(Unit("Mira", (0, 0), move=np.int64(5)).move) == "5"
