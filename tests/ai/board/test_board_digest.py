"""The digest of a board: equal for equal states, different for states that rules distinguish."""

import numpy as np
import pytest

from ai import Board, MoveProfile, Unit
from terrain3d import TileKind, TileMap
from tests.support.boards import board_with

LEVELS = [[0, 1, 2], [0, 0, 1]]


def digest(tilemap=None, units=(), **more):
    """Return the digest of a new board with Mira on it, by default on the same small map."""
    board = Board(TileMap(LEVELS) if tilemap is None else tilemap)
    mira = {"name": "Mira", "cell": (0, 0), "team": "blue", "move": 5}
    for unit in (Unit(**mira | more), *units):
        board.add(unit)
    return board.digest()


def edited(change):
    tilemap = TileMap(LEVELS)
    with tilemap.edit() as edit:
        change(edit)
    return tilemap


def test_equal_states_have_equal_digests():
    assert digest() == digest()
    assert len(digest()) == 32
    assert int(digest(), 16) >= 0


@pytest.mark.parametrize(
    "other",
    [
        {"name": "Odo"},
        {"cell": (0, 1)},
        {"team": "red"},
        {"move": 6},
        {"move": float("inf")},
        {"has_zoc": True},
        {"profile": MoveProfile(max_climb=1)},
        {"profile": MoveProfile(climb_cost=(1, 3))},
        {"profile": MoveProfile(kind_cost={"grass": 2})},
        {"profile": MoveProfile(kind_cost={"swamp": None})},
        {"profile": MoveProfile(no_stop={"swamp"})},
        {"profile": MoveProfile(can_fly=True)},
        {"units": [Unit("Odo", (1, 1))]},
    ],
)
def test_units_and_their_profiles_count(other):
    assert digest(**other) != digest()


STATES_OF_MAPS = [
    lambda edit: edit,
    lambda edit: edit.set_level((1, 2), 7),
    lambda edit: edit.set_kind((1, 2), "swamp"),
    lambda edit: edit.set_kind((1, 2), "void"),
    lambda edit: edit.add_deck((1, 2), 4),
    lambda edit: edit.add_deck((1, 2), 5),
    lambda edit: edit.add_deck((1, 2), 4, "road"),
    lambda edit: edit.add_deck((1, 2), 4, thickness=2),
    lambda edit: edit.add_link((0, 0), (1, 2), 3),
    lambda edit: edit.add_link((0, 0), (1, 2), 3, one_way=True),
    lambda edit: edit.add_link((1, 2), (0, 0), 3, one_way=True),
    lambda edit: edit.add_wall((0, 0), (0, 1)),
    lambda edit: edit.add_wall((0, 0), (0, 1), one_way=True),
    lambda edit: edit.add_wall((0, 1), (0, 0), one_way=True),
]


def test_every_part_of_the_map_counts():
    digests = [digest(edited(change)) for change in STATES_OF_MAPS]
    assert len(set(digests)) == len(digests)
    assert [digest(edited(change)) for change in STATES_OF_MAPS] == digests


@pytest.mark.parametrize(
    "join",
    [
        lambda edit, *ends: edit.add_link(*ends, 3, "ladder"),
        lambda edit, *ends: edit.add_wall(*ends),
    ],
)
def test_links_and_walls_without_direction_have_no_first_end(join):
    there = digest(edited(lambda edit: join(edit, (0, 0), (0, 1))))
    assert digest(edited(lambda edit: join(edit, (0, 1), (0, 0)))) == there
    assert digest(edited(lambda edit: join(edit, (1, 0), (1, 1)))) != there


def test_a_map_of_another_shape_is_another_state():
    flat, tall = TileMap(np.zeros((1, 2), int)), TileMap(np.zeros((2, 1), int))
    hexes = TileMap(np.zeros((1, 2), int), topology="hex_odd_r")
    assert len({digest(tilemap) for tilemap in (flat, tall, hexes)}) == 3


def test_the_order_of_adding_does_not_count():
    units = {"name": "Mira", "cell": (0, 0)}, {"name": "Odo", "cell": (1, 1)}
    digests = set()
    for order in (units, reversed(units)):
        board = Board(TileMap(LEVELS))
        for unit in order:
            board.add(Unit(**unit))
        digests.add(board.digest())
    assert len(digests) == 1


def test_neither_time_nor_types_of_numbers_count():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 3))
    before = board.digest()
    mira.advance(0.5)
    assert board.digest() == before
    mira.advance(9)
    assert board.digest() == before
    assert digest(move=5.0) == digest(move=np.int64(5)) == digest()
    assert digest(profile=MoveProfile(climb_cost=1.0)) == digest()


def test_the_places_of_kinds_in_a_table_do_not_count():
    mud, clay = TileKind("mud"), TileKind("clay", cost=2)
    one = TileMap(LEVELS, [[0, 1, 1], [0, 0, 0]], [mud, clay])
    other = TileMap(LEVELS, [[1, 0, 0], [1, 1, 1]], [clay, mud])
    swapped = TileMap(LEVELS, [[1, 0, 0], [1, 1, 1]], [mud, clay])
    looks = {"color": (1, 0, 0), "texture": "water", "props": "trees"}
    painted = TileMap(LEVELS, [[0, 1, 1], [0, 0, 0]], [TileKind("mud", **looks), clay])
    expensive = TileMap(LEVELS, [[0, 1, 1], [0, 0, 0]], [mud, TileKind("clay", cost=3)])
    assert digest(one) == digest(other) == digest(painted)
    assert digest(one) != digest(swapped)
    assert digest(one) != digest(expensive)


def test_where_a_unit_looks_counts():
    board, mira, odo = board_with((0, 0), (2, 2))
    board.move(mira, (0, 1))
    board.move(mira, (0, 0))
    board.move(odo, (2, 1))
    board.move(odo, (2, 2))
    fresh, *_ = board_with((0, 0), (2, 2))
    assert board.digest() != fresh.digest()
