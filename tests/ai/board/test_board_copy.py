"""Copies of boards: equal at first, independent from then on, by each way to copy."""

import copy
import pickle

import pytest

from ai import Board, Unit
from terrain3d import TileMap

WAYS = [
    pytest.param(Board.copy, id="copy()"),
    pytest.param(copy.copy, id="copy.copy"),
    pytest.param(copy.deepcopy, id="deepcopy"),
    *(
        pytest.param(
            lambda board, protocol=protocol: pickle.loads(pickle.dumps(board, protocol)),
            id=f"pickle {protocol}",
        )
        for protocol in range(2, 6)
    ),
]


def test_units_of_a_copy_are_found_by_name_or_by_their_twins():
    board = Board(TileMap.from_text("000"))
    mira = board.add(Unit("Mira", (0, 0), stats={"hp": 3}))
    other = board.copy()
    twin = other.unit("Mira")
    assert twin is other.unit(mira) is not mira
    assert (twin.stats, twin.is_placed) == ({"hp": 3}, True)
    other.move(twin, (0, 2))
    assert mira.cell == (0, 0, 0)
    with pytest.raises(KeyError, match="named 'Odo'"):
        board.unit("Odo")


def test_a_copy_of_a_copy_shares_until_any_of_them_is_edited():
    board = Board(TileMap.from_text("000\n000"))
    board.add(Unit("Mira", (0, 0)))
    first = board.copy()
    second = first.copy()
    assert second.tilemap.level is not None
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    assert [each.tilemap.level_at((0, 1)) for each in (board, first, second)] == [3, 0, 0]
    with first.tilemap.edit() as edit:
        edit.set_level((0, 1), 5)
    assert [each.tilemap.level_at((0, 1)) for each in (board, first, second)] == [3, 5, 0]
    costs = [each.navigation.distance((0, 0), (0, 1)) for each in (board, first, second)]
    assert costs == [float("inf"), float("inf"), 1]


def test_no_copy_is_made_inside_an_action():
    board = Board(TileMap.from_text("000"))
    with board.action("Look"), pytest.raises(RuntimeError, match="inside an action"):
        board.copy()
