"""Copies of boards: equal at first, independent from then on, by each way to copy."""

import copy
import pickle

import pytest

from ai import Board, GameRecord, Unit
from terrain3d import TileMap
from tests.games.random_game import RandomGame
from tests.support.nightly import rest_nightly

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


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", rest_nightly(range(12), 3))
def test_a_copy_and_its_original_go_on_independently(way, seed):
    """Play on one, then on the other, and compare both with games that were never copied."""
    game = RandomGame(seed)
    for _ in range(10):
        game.play()
    with game.board.action("pause"):
        pass  # so that redo does nothing in all of them
    game._note()
    others = [game.continued() for _ in range(2)]
    others[0].board = way(game.board)
    others[0].board.turn_began.connect(others[0].tick)
    assert others[0].board.digest() == game.board.digest()
    assert not {id(unit) for unit in game.board.units} & {id(u) for u in others[0].board.units}
    before = game.board.digest()
    for _ in range(12):
        others[0].play()
        others[1].play()
        assert others[0].board.digest() == others[1].board.digest()
        assert game.board.digest() == before
        for unit, other in zip(others[0].board.units, others[1].board.units, strict=True):
            reach, same = others[0].board.reach(unit), others[1].board.reach(other)
            assert reach.as_costs().tolist() == same.as_costs().tolist()
    after = others[0].board.digest()
    for _ in range(12):
        game.play()
        assert others[0].board.digest() == after
    assert game.board.digest() == after
    assert GameRecord.of(others[0].board).replay().digest() == after
    others[0].check()


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
