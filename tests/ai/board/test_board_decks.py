"""Units on bridges, under them, and on several tiles at once."""

import re

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ai import Board, GameRecord, MoveProfile, MoveRefused, Unit
from terrain3d import Reason, TileMap
from tests.support.boards import posted, reached, state

GIANT = MoveProfile(size=2)
TITAN = MoveProfile(size=3, size_tolerance=1)


def bridged(**more):
    """Make a valley of 0 between banks of 2, bridged in its middle row; give board and map."""
    tilemap = TileMap.from_text("20002\n20002\n20002", **more)
    with tilemap.edit() as edit:
        edit.add_deck([(1, 1), (1, 2), (1, 3)], level=2)
    return Board(tilemap), tilemap


def test_a_unit_stands_on_the_bridge_and_another_under_it():
    board, tilemap = bridged()
    above = board.add(Unit("Mira", (1, 2, 1)))
    below = board.add(Unit("Odo", (1, 2)))
    assert (board.unit_at((1, 2)), board.unit_at((1, 2, 1))) == (below, above)
    assert above.pose.point == tilemap.surface_point((1, 2, 1)) == (2.5, -1.5, 1.0)
    assert below.pose.point == (2.5, -1.5, 0.0)
    with pytest.raises(ValueError, match=re.escape("Mira stands on (1, 2) deck 1 already")):
        board.add(Unit("Pell", (1, 2, 1)))
    with pytest.raises(IndexError, match="has no deck 1"):
        board.add(Unit("Pell", (0, 2, 1)))


def test_enemies_on_the_bridge_do_not_block_the_path_under_it():
    board, _ = bridged()
    mira = board.add(Unit("Mira", (1, 0), move=4, profile=MoveProfile(max_climb=0, max_drop=0)))
    odo = board.add(Unit("Odo", (0, 2), "red", move=9))
    assert board.move(mira, (1, 4)).cost == 4
    assert [cell.deck for cell in board.log[-1].changes[0].along] == [0, 1, 1, 1, 0]
    board.undo()
    board.move(odo, (2, 2))
    assert board.move(mira, (1, 2, 1)).cost == 2
    assert mira.cell == (1, 2, 1)
    assert board.plan(odo, (0, 2)).cost == 2
    with pytest.raises(MoveRefused, match=re.escape("Mira stands on (1, 2) deck 1")):
        board.move(odo, (1, 2, 1))


def test_a_unit_that_loses_the_bridge_falls_and_waits_for_it():
    board, tilemap = bridged()
    mira = board.add(Unit("Mira", (1, 0)))
    odo = board.add(Unit("Odo", (0, 1), "red", move=9))
    board.move(mira, (1, 3, 1))
    mira.advance(0.4)
    with tilemap.edit() as edit:
        edit.remove_deck([(1, 1), (1, 2), (1, 3)])
    mira.advance(0.1)
    mira.advance(9)
    assert mira.pose.point == tilemap.surface_point((1, 3))
    before = state(board)
    with pytest.raises(MoveRefused, match=re.escape("the ground at (1, 3) deck 1 is gone")):
        board.move_together({mira: [(1, 3, 1), (1, 4)]})
    with pytest.raises(MoveRefused, match=re.escape("the ground at (1, 3) deck 1 is gone")):
        board.move(mira, (1, 4))
    assert board.reach(mira).cells == []
    assert board.reach(mira).path_to((1, 4)).reason == Reason("ground_gone", cell=(1, 3, 1))
    assert board.plan(odo, (1, 3)).cost == 3
    assert state(board) == before
    tilemap.undo()
    assert mira.pose.point == tilemap.surface_point((1, 3, 1))
    assert board.move(mira, (1, 4)).cost == 1


@pytest.mark.parametrize("gone", [[(1, 1)], [(1, 1), (1, 2), (1, 3)]])
def test_a_unit_that_lost_its_deck_blocks_nobody_and_controls_nothing(gone):
    board, tilemap = bridged()
    board.add(Unit("Mira", (1, 1, 1), has_zoc=True))
    odo = board.add(Unit("Odo", (0, 0), "red", move=9))
    with tilemap.edit() as edit:
        edit.remove_deck(gone)
    alone = Board(tilemap)
    alone.add(twin := Unit("Odo", (0, 0), "red", move=9))
    assert board.reach(odo).cells == alone.reach(twin).cells
    assert board.plan(odo, (1, 1)).cells == alone.plan(twin, (1, 1)).cells
    tilemap.undo()
    assert board.reach(odo).cells != alone.reach(twin).cells


def test_a_bridge_that_is_gone_comes_back_before_the_unit_on_it():
    board, tilemap = bridged()
    mira = board.add(Unit("Mira", (1, 1, 1)))
    board.move(mira, (1, 0))
    with tilemap.edit() as edit:
        edit.remove_deck((1, 1))
    assert board.undo()
    assert tilemap.has_cell((1, 1, 1))
    assert board.undo()
    assert mira.cell == (1, 1, 1)


def test_an_order_is_given_again_on_the_bridge_that_was_there():
    board, tilemap = bridged()
    mira = board.add(Unit("Mira", (1, 0)))
    board.move(mira, (1, 1, 1))
    after = board.digest()
    board.undo()
    with board.action("collapse", is_automatic=True) as action, action.edit() as edit:
        edit.remove_deck((1, 1))
    assert board.redo()
    assert (board.digest(), tilemap.has_cell((1, 1, 1))) == (after, True)


def test_states_with_bridges_are_replayed():
    board, tilemap = bridged()
    mira = board.add(Unit("Mira", (1, 0)))
    board.move(mira, (1, 3, 1))
    before = board.digest()
    with tilemap.edit() as edit:
        edit.remove_deck([(1, 2), (1, 3)])
    record = GameRecord.of(board)
    assert record.replay().digest() == board.digest()
    assert record.replay(2).digest() == before


def test_a_giant_holds_all_its_tiles():
    board, units = posted("GG..\nGG..\n...a", G={"profile": GIANT, "has_zoc": False})
    giant = units["G"]
    assert giant.cell == (0, 0, 0)
    assert sorted(cell[:2] for cell in giant.cells) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [board.unit_at(cell) for cell in ((1, 1), (0, 1), (1, 2))] == [giant, giant, None]
    assert reached(board, units["a"]) == "GG32\nGG21\n3210"


def test_a_giant_stands_over_the_middle_of_its_tiles_on_the_highest():
    board, units = posted("GGG\nGGG\nGGG", "000\n011\n000", G={"profile": TITAN})
    assert units["G"].pose.point == (1.5, -1.5, 0.5)
    with board.tilemap.edit() as edit:
        edit.set_level((2, 2), 2)
    assert units["G"].pose.point == (1.5, -1.5, 1.0)


def test_a_giant_gets_the_tile_on_which_an_enemy_blocks_it():
    options = {"profile": GIANT, "has_zoc": False, "move": 9}
    board, units = posted("GG...\nGG.b.", G=options)
    assert board.plan(units["G"], (0, 3)).reason == Reason("stands_on", unit="b", cell=(1, 3))
    board, units = posted("GG....\nGG.b..", G=options)
    barred = board.plan(units["G"], (0, 4))
    board.move(units["b"], (0, 3))
    assert barred.reason == Reason(
        "stands_on", unit="b", cell=(1, 3)
    )  # as it was when it was asked for


@pytest.mark.parametrize(
    ("cell", "profile", "message"),
    [
        ((0, 3), GIANT, "2 x 2 tiles do not fit at (0, 3)"),
        ((1, 1), GIANT, "2 x 2 tiles do not fit at (1, 1)"),  # not level
        ((2, 0), GIANT, "2 x 2 tiles do not fit at (2, 0)"),
        ((0, 1), GIANT, "a stands on (1, 1) already"),
        ((2, 3), MoveProfile(), "deep at (2, 3) cannot be entered"),
        ((2, 1), MoveProfile(no_stop={"grass"}), "cannot stop on grass at (2, 1)"),
        ((2, 3), MoveProfile(can_fly=True), "deep at (2, 3) cannot be entered"),
    ],
)
def test_a_unit_that_cannot_stop_on_its_cell_is_not_added(cell, profile, message):
    tilemap = TileMap.from_text("0000\n0000\n0010")
    with tilemap.edit() as edit:
        edit.set_kind((2, 3), "deep")
    board = Board(tilemap)
    board.add(Unit("a", (1, 1)))
    unit = Unit("Odo", cell, profile=profile)
    with pytest.raises(ValueError, match=re.escape(message)):
        board.add(unit)
    assert not unit.is_placed


@given(st.data())
def test_big_and_small_units_never_share_a_tile(data):
    board = Board(TileMap.from_text("\n".join(["000000"] * 6)))
    cells = [(row, col) for row in range(6) for col in range(6)]
    for number in range(data.draw(st.integers(1, 5))):
        profile = MoveProfile(size=data.draw(st.sampled_from([1, 1, 2, 3])))
        team, cell = data.draw(st.sampled_from(["blue", "red"])), data.draw(st.sampled_from(cells))
        unit = Unit(f"unit {number}", cell, team, profile, 9, has_zoc=data.draw(st.booleans()))
        wanted = {tile[:2] for tile in unit.cells}
        fits = wanted <= set(cells) and not any(map(board.unit_at, wanted & set(cells)))
        if fits:
            board.add(unit)
        else:
            with pytest.raises(ValueError, match=r"already|do not fit"):
                board.add(unit)
    for _ in range(6):
        unit = data.draw(st.sampled_from(board.units)) if board.units else None
        if unit is not None:
            goal = data.draw(st.sampled_from(board.reach(unit).cells))
            assert board.move(unit, goal).cells[-1] == unit.cell == goal
        held = [tile for unit in board.units for tile in unit.cells]
        assert len(set(held)) == len(held)
        assert {board.tilemap.cell(tile) for tile in held} == set(held)
    digest = board.digest()
    while board.undo():
        pass
    while board.redo():
        pass
    assert board.digest() == digest
