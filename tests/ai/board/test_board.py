"""Orders, facing, bridges and edits on the board; units of maps and copies."""

import pickle
import re

import pytest

from ai import Board, GameRecord, MoveProfile, MoveRefused, Path, Unit, Weapon
from terrain3d import Reason, TileMap
from tests.support.boards import FIELD, board_with, one_edit, posted, state
from tests.support.reference import ground
from tests.support.selection import table


def test_an_order_takes_the_cell_at_once_and_the_pose_follows():
    board, mira = board_with((0, 0))
    events = []
    board.changed.connect(lambda entry: events.append((entry.kind, entry.changes[0].along)))
    path = board.move(mira, (0, 3))
    assert (mira.cell, path.cost, events) == ((0, 3, 0), 3, [("move", tuple(path.cells))])
    assert mira.pose.point == board.tilemap.surface_point((0, 0))
    assert (board.unit_at((0, 3)), board.unit_at((0, 0))) == (mira, None)
    path.cells.clear()
    mira.advance(99)
    assert mira.pose.point == board.tilemap.surface_point((0, 3))


def raise_ground(board):
    one_edit(board.tilemap).set_level((2, 4), 1)


@table(
    "change what",
    (lambda board, _: raise_ground(board), "the map has"),
    (lambda _, odo: setattr(odo, "has_zoc", True), "units have"),
    (lambda board, _: board.end_turn(), "units have"),
)
def test_a_plan_is_refused_after_any_change_and_holds_again_if_that_is_undone(change, what):
    board, mira, odo = board_with((0, 0), (2, 0))
    board.change_turns("sides")
    plan = board.plan(mira, (1, 1))
    board.move(odo, (2, 2))
    board.undo()
    assert board.move(plan) is plan
    board.undo()
    change(board, odo)
    before = state(board)
    with pytest.raises(MoveRefused) as refused:
        board.move(plan)
    assert str(refused.value) == f"Mira cannot go there: {what} changed since the plan was made"
    assert state(board) == before


def test_a_plan_of_another_board_is_refused_and_one_that_is_false_says_why():
    board, _ = board_with((0, 0))
    twin, mira = board_with((0, 0))
    with pytest.raises(MoveRefused, match="Mira cannot go there: the plan is one of another board"):
        board.move(twin.plan(mira, (0, 1)))
    with pytest.raises(MoveRefused, match="Mira cannot go there: costs 6 move points"):
        twin.move(twin.plan(mira, (2, 4)))
    with pytest.raises(TypeError, match=re.escape("leads to its own cell, got (0, 1) as well")):
        twin.move(twin.plan(mira, (0, 1)), (0, 1))


def test_a_pickled_plan_is_a_path():
    board, mira = board_with((0, 0))
    path = pickle.loads(pickle.dumps(board.plan(mira, (0, 2))))
    assert (type(path), path.cells, path.cost) == (Path, [(0, 0, 0), (0, 1, 0), (0, 2, 0)], 2)


def test_a_unit_belongs_to_one_board_and_takes_orders_there_alone():
    board, mira = board_with((0, 0))
    stranger = Unit("Odo", (1, 1))
    for ask in (board.move, board.plan, board.find_path):
        for cell in [(1, 2), (0, 0)]:
            with pytest.raises(ValueError, match="Odo is not on this board"):
                ask(stranger, cell)
    with pytest.raises(ValueError, match="Odo is not on this board"):
        board.move_together({stranger: [(1, 1), (1, 0)]})
    with pytest.raises(ValueError, match="Odo is not on this board"):
        board.threat("blue", {stranger: Weapon()})
    with pytest.raises(ValueError, match="another board"):
        Board(board.tilemap).add(mira)


def test_two_boards_on_one_map_are_independent():
    tilemap = ground(FIELD)
    one, other = Board(tilemap), Board(tilemap)
    mira, odo = one.add(Unit("Mira", (0, 0))), other.add(Unit("Odo", (0, 1)))
    assert one.move(mira, (0, 2)).cost == 2
    assert other.log[0].by == "Odo"
    assert other.move(odo, (0, 2)).cost == 1
    one_edit(tilemap).set_level((0, 3), 9)
    assert (one.plan(mira, (0, 4)).cost, other.plan(odo, (0, 4)).cost) == (4, 4)


def test_the_name_of_a_unit_changes_only_while_it_is_on_no_board():
    board, mira = board_with((0, 0))
    with pytest.raises(ValueError, match="the name of Mira cannot change while it is on a board"):
        mira.name = "Odo"
    board.remove(mira)
    mira.name = "Odo"
    assert board.add(mira).name == "Odo"


def test_a_cliff_raised_on_the_path_is_climbed_over_its_edge():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 4))
    mira.advance(0.1)
    one_edit(board.tilemap).set_level((0, 2), 3)
    top, points = 3 * board.tilemap.step_height, []
    while mira.is_moving:
        mira.advance(0.01)
        points.append(mira.pose.point)
    assert min(z for x, _, z in points if 2.0 <= x <= 3.0) >= top - 1e-9
    assert max(z for _, _, z in points) > top


def test_both_signals_of_an_order_are_heard_even_if_a_listener_raises():
    board, mira = board_with((0, 0))
    heard = []

    def fail(_cells):
        raise RuntimeError("a listener's own fault")

    mira.move_started.connect(fail)
    board.changed.connect(lambda entry: heard.append(entry.changes[0].along[-1]))
    with pytest.raises(RuntimeError, match="own fault"):
        board.move(mira, (0, 2))
    assert heard == [(0, 2, 0)]
    assert mira.cell == (0, 2, 0)


def test_a_turn_that_is_undone_leaves_the_walk_before_it():
    board, mira = board_with((1, 1))
    for cell in ((0, 1), (1, 1)):  # where it looks already, and its own tile
        board.face(mira, cell)
    assert board.log == ()
    board.move(mira, (1, 0))
    board.face(mira, (2, 0))
    mira.advance(0.1)
    board.undo()
    assert mira.is_moving
    assert mira.heading_deg == pytest.approx(90)


MIRA = {"name": "Mira", "cell": [0, 1], "mover": "acrobat", "team": "red", "stats": {"hp": 3}}


def board_for(*entries):
    tilemap = TileMap.from_text("000\n000\n000")
    tilemap.extras["units"] = list(entries)
    return Board(tilemap)


def test_all_units_of_a_map_come_as_one_entry():
    board = board_for(MIRA, {"name": "Odo", "cell": [2, 2], "move": 3, "rank": "sergeant"})
    mira, odo = board.add_all(board.tilemap)
    assert board.units == (mira, odo)
    assert (mira.profile.max_climb, mira.team, mira.stats["hp"]) == (3, "red", 3)
    assert (odo.cell, odo.move, len(board.log)) == ((2, 2, 0), 3, 1)
    assert board.undo()
    assert board.units == ()


@table(
    "entry error problem",
    ({"name": "Odo", "cell": [0, 1]}, ValueError, "stands on"),
    ({"name": "Mira", "cell": [0, 0]}, ValueError, r"units\[1\]: .* unit named 'Mira'"),
    ({"name": "Odo", "cell": [0, 9]}, IndexError, r"units\[1\]: .*outside the map"),
)
def test_no_unit_of_a_map_comes_if_one_cannot(entry, error, problem):
    board = board_for(MIRA, entry)
    before = board.state
    with pytest.raises(error, match=problem):
        board.add_all(board.tilemap)
    assert (board.state, board.log, board.units) == (before, (), ())


def test_units_of_a_copy_are_found_by_name_or_by_their_twins():
    board, mira = board_with((0, 0), stats={"hp": 3})
    other = board.copy()
    twin = other.unit("Mira")
    assert twin is other.unit(mira) is not mira
    assert (twin.stats, twin.is_placed) == ({"hp": 3}, True)
    with pytest.raises(KeyError, match="named 'Odo'"):
        board.unit("Odo")


# Bridges


def bridged():
    """Make a valley of 0 between banks of 2, bridged in its middle row; give board and map."""
    tilemap = TileMap.from_text("20002\n20002\n20002")
    one_edit(tilemap).add_deck([(1, 1), (1, 2), (1, 3)], level=2)
    return Board(tilemap), tilemap


def test_a_unit_stands_on_the_bridge_and_another_under_it():
    board, tilemap = bridged()
    above, below = board.add(Unit("Mira", (1, 2, 1))), board.add(Unit("Odo", (1, 2)))
    assert (board.unit_at((1, 2)), board.unit_at((1, 2, 1))) == (below, above)
    assert above.pose.point == tilemap.surface_point((1, 2, 1)) == (2.5, -1.5, 1.0)
    assert below.pose.point == (2.5, -1.5, 0.0)
    with pytest.raises(ValueError, match=re.escape("Mira stands on (1, 2) deck 1 already")):
        board.add(Unit("Pell", (1, 2, 1)))
    with pytest.raises(IndexError, match="has no deck 1"):
        board.add(Unit("Pell", (0, 2, 1)))


def test_a_unit_that_loses_the_bridge_falls_and_waits_for_it():
    board, tilemap = bridged()
    mira = board.add(Unit("Mira", (1, 0)))
    board.move(mira, (1, 3, 1))
    mira.advance(0.4)
    one_edit(tilemap).remove_deck([(1, 1), (1, 2), (1, 3)])
    mira.advance(9)
    assert mira.pose.point == tilemap.surface_point((1, 3))
    before, way = state(board), {mira: [(1, 3, 1), (1, 4)]}
    for order, *values in ((board.move, mira, (1, 4)), (board.move_together, way)):
        with pytest.raises(MoveRefused, match=re.escape("the ground at (1, 3) deck 1 is gone")):
            order(*values)
    assert board.reach(mira).cells == []
    assert board.reach(mira).path_to((1, 4)).reason == Reason("ground_gone", cell=(1, 3, 1))
    assert state(board) == before
    tilemap.undo()
    assert mira.pose.point == tilemap.surface_point((1, 3, 1))
    assert board.move(mira, (1, 4)).cost == 1


def test_a_bridge_that_is_gone_comes_back_before_the_unit_on_it():
    board, tilemap = bridged()
    mira = board.add(Unit("Mira", (1, 1, 1)))
    board.move(mira, (1, 0))
    one_edit(tilemap).remove_deck((1, 1))
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
    assert GameRecord.of(board).replay().digest() == after


def test_a_giant_gets_the_tile_on_which_an_enemy_blocks_it():
    options = {"profile": MoveProfile(size=2), "has_zoc": False, "move": 9}
    board, units = posted("GG....\nGG.b..", G=options)
    barred = board.plan(units["G"], (0, 4))
    board.move(units["b"], (0, 3))
    # As it was when it was asked for.
    assert barred.reason == Reason("stands_on", unit="b", cell=(1, 3))
