"""Undo and redo on the board: which state they restore, and when they are refused."""

import re

import pytest

from ai import MoveRefused, Unit
from tests.support.boards import board_with, state


def test_to_stay_is_no_order_to_undo():
    board, mira = board_with((0, 0), move=0)
    path = board.move(mira, (0, 0))
    assert (path.cells, path.cost, mira.is_moving) == ([(0, 0, 0)], 0, False)
    assert board.undo() is False


def test_staying_keeps_the_undone_orders():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 1))
    board.undo()
    board.move(mira, (0, 0))
    assert board.redo() is True


def test_undo_and_redo_step_through_the_orders_of_all():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(mira, (0, 2))
    board.move(odo, (2, 3))
    board.move(mira, (0, 4))
    places = []
    events = []
    board.unit_returned.connect(lambda unit, cell: events.append((unit.name, cell[:2])))
    while board.undo():
        places.append((mira.cell[:2], odo.cell[:2]))
    assert places == [((0, 2), (2, 3)), ((0, 2), (2, 0)), ((0, 0), (2, 0))]
    assert events == [("Mira", (0, 2)), ("Odo", (2, 0)), ("Mira", (0, 0))]
    while board.redo():
        places.append((mira.cell[:2], odo.cell[:2]))
    assert places[3:] == [((0, 2), (2, 0)), ((0, 2), (2, 3)), ((0, 4), (2, 3))]


def test_undo_while_walking_puts_the_unit_back_at_once():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 4))
    mira.advance(0.5)
    board.undo()
    assert (mira.cell, mira.is_moving) == ((0, 0, 0), False)
    assert mira.pose.point == board.tilemap.surface_point((0, 0))
    mira.advance(5)
    assert mira.pose.point == board.tilemap.surface_point((0, 0))


def test_redo_walks_the_path_again_and_emits_it():
    board, mira = board_with((0, 0))
    cells = board.move(mira, (0, 2)).cells
    board.undo()
    events = []
    board.unit_moved.connect(lambda _unit, path: events.append(path.cells))
    assert board.redo() is True
    assert events == [cells]
    assert mira.is_moving
    assert board.redo() is False


def test_a_new_order_drops_the_undone_orders():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 2))
    board.undo()
    board.move(mira, (1, 0))
    assert board.redo() is False
    assert mira.cell == (1, 0, 0)


def test_a_refused_order_keeps_the_undone_orders():
    board, mira = board_with((0, 0), move=2)
    board.move(mira, (0, 2))
    board.undo()
    with pytest.raises(MoveRefused, match="move points"):
        board.move(mira, (2, 4))
    assert board.redo() is True


def test_undo_onto_a_cell_taken_since_is_refused_and_can_be_tried_again():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 2))
    odo = board.add(Unit("Odo", (0, 0)))
    before = state(board)
    with pytest.raises(MoveRefused, match=r"Mira cannot go back: Odo stands on \(0, 0\)"):
        board.undo()
    assert state(board) == before
    odo.place(board.tilemap, odo.cell._replace(row=1))
    assert board.undo() is True
    assert mira.cell == (0, 0, 0)


def test_redo_goes_around_a_unit_added_since():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 2))
    board.undo()
    board.add(Unit("Odo", (0, 1), team="red"))
    board.redo()
    assert mira.cell == (0, 2, 0)
    mira.advance(0.5)
    assert mira.pose.point[1] < -0.5


@pytest.mark.parametrize(
    ("cell", "move", "message"),
    [((0, 2), 5, "Odo stands on (0, 2)"), ((0, 1), 2, "costs 4 move points, but Mira has 2")],
)
def test_redo_that_is_not_allowed_any_more_is_refused(cell, move, message):
    board, mira = board_with((0, 0), move=move)
    board.move(mira, (0, 2))
    board.undo()
    board.add(Unit("Odo", cell, team="red"))
    before = state(board)
    for _ in range(2):
        with pytest.raises(MoveRefused, match=re.escape(message)):
            board.redo()
        assert state(board) == before


def test_redo_does_not_climb_ground_raised_since():
    board, mira = board_with((0, 0), levels="000")
    board.move(mira, (0, 2))
    board.undo()
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 5)
    with pytest.raises(MoveRefused, match=r"climb 5 > 2 at \(0, 1\)"):
        board.redo()
    board.tilemap.undo()
    assert board.redo() is True


def test_without_orders_undo_and_redo_return_false():
    board, _ = board_with((0, 0))
    assert (board.undo(), board.redo()) == (False, False)
