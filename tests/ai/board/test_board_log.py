"""The log of a board: the orders that are not undone, and replays of it."""

import json
import re

import numpy as np
import pytest

from ai import Board, MoveProfile, Order, Unit
from tests.support.boards import FIELD, board_with
from tests.support.reference import ground


def fresh(*cells, names=("Mira", "Odo", "Pell")):
    return [Unit(name, cell) for name, cell in zip(names, cells, strict=False)]


def paths(board):
    return [(order.unit, order.start[:2], order.goal[:2]) for order in board.log]


def test_the_log_has_every_order_and_undo_removes_the_last():
    board, mira, odo = board_with((0, 0), (2, 0))
    assert board.log == ()
    board.move(mira, (0, 2))
    board.move(odo, (2, 3))
    board.move(mira, (0, 2))  # it stays: nothing was done
    assert paths(board) == [(0, (0, 0), (0, 2)), (1, (2, 0), (2, 3))]
    assert [tuple(cell) for cell in board.log[0].cells] == [(0, 0, 0), (0, 1, 0), (0, 2, 0)]
    board.undo()
    assert paths(board) == [(0, (0, 0), (0, 2))]
    board.redo()
    assert paths(board) == [(0, (0, 0), (0, 2)), (1, (2, 0), (2, 3))]
    board.undo()
    board.undo()
    assert board.log == ()


def test_a_replayed_log_gives_the_same_state():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(mira, (0, 2))
    board.move(odo, (0, 0))
    board.move(mira, (2, 4))
    again = Board.replay(ground(FIELD), fresh((0, 0), (2, 0)), board.log)
    assert again.digest() == board.digest()
    assert again.log == board.log
    assert [unit.is_moving for unit in again.units] == [False, False]


def test_replayed_orders_can_be_undone_and_redone():
    board, mira = board_with((0, 0))
    states = [board.digest()]
    for cell in ((0, 2), (1, 2)):
        board.move(mira, cell)
        states.append(board.digest())
    again = Board.replay(ground(FIELD), fresh((0, 0)), board.log)
    seen = [again.digest()]
    while again.undo():
        seen.append(again.digest())
    assert seen == states[::-1]
    while again.redo():
        seen.append(again.digest())
    assert seen == [*states[::-1], *states[1:]]


def test_a_log_survives_being_written_down():
    board, mira = board_with((0, 0))
    board.move(mira, (1, 1))
    text = json.dumps([[order.unit, order.cells] for order in board.log])
    log = [Order(unit, cells) for unit, cells in json.loads(text)]
    assert tuple(log) == board.log
    assert Board.replay(ground(FIELD), fresh((0, 0)), log).digest() == board.digest()


def test_a_log_holds_over_units_that_came_later_and_grounds_that_changed():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 1))
    board.move(mira, (0, 2))
    for name, cell in (("Odo", (0, 0)), ("Pell", (0, 1))):
        board.add(Unit(name, cell))
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 9)
    tilemap = ground("09000\n00000\n00000")
    again = Board.replay(tilemap, fresh((0, 0), (0, 0), (0, 1)), board.log)
    assert again.digest() == board.digest()


def test_the_log_of_a_removed_unit_goes_with_it():
    board, mira, odo, pell = board_with((0, 0), (2, 0), (1, 4))
    board.move(mira, (0, 2))
    board.move(odo, (2, 3))
    board.move(pell, (0, 4))
    board.remove(odo)
    assert paths(board) == [(0, (0, 0), (0, 2)), (1, (1, 4), (0, 4))]
    units = fresh((0, 0), (1, 4), names=("Mira", "Pell"))
    assert Board.replay(ground(FIELD), units, board.log).digest() == board.digest()


@pytest.mark.parametrize(
    ("cells", "log", "error", "message"),
    [
        ([(0, 0)], [(1, [(0, 0), (0, 1)])], IndexError, "order 0 is for unit 1 of 1 units"),
        (
            [(0, 0)],
            [(0, [(0, 0), (0, 1)]), (0, [(0, 0), (0, 1)])],
            ValueError,
            "order 1 of the log starts at (0, 0), Mira stands on (0, 1)",
        ),
        ([(0, 0)], [(0, [(0, 0), (0, 9)])], IndexError, "outside the map"),
        ([(9, 0)], [], IndexError, "outside the map"),
        (
            [(0, 0), (0, 1)],
            [(0, [(0, 0), (0, 1)])],
            ValueError,
            "Mira and Odo would both stand on (0, 1)",
        ),
    ],
)
def test_a_log_that_does_not_fit_its_units_is_refused(cells, log, error, message):
    units, tilemap = fresh(*cells), ground(FIELD)
    with pytest.raises(error, match=re.escape(message)):
        Board.replay(tilemap, units, [Order(*order) for order in log])
    assert not any(unit.is_placed for unit in units)


@pytest.mark.parametrize(("cell", "log"), [((1, 4), []), ((1, 2), [(0, [(1, 2), (1, 3), (1, 4)])])])
def test_a_giant_is_not_replayed_over_the_edge_of_a_smaller_map(cell, log):
    units = [Unit("Mira", (0, 0)), Unit("Ogre", cell, profile=MoveProfile(size=2))]
    log = [Order(1, cells) for _, cells in log]
    with pytest.raises(IndexError, match=re.escape("cell (1, 5) is outside the map")):
        Board.replay(ground(FIELD), units, log)
    assert not any(unit.is_placed for unit in units)


def test_an_order_of_arrays_becomes_plain_data():
    order = Order(np.int64(0), np.array([[0, 0], [0, 1]]))
    assert type(order.unit) is int
    assert json.loads(json.dumps([order.unit, order.cells])) == [0, [[0, 0, 0], [0, 1, 0]]]


def test_units_of_a_board_or_given_twice_are_not_replayed():
    board, mira = board_with((0, 0))
    with pytest.raises(ValueError, match="Mira is on another board already"):
        Board.replay(board.tilemap, [mira], [])
    with pytest.raises(ValueError, match="2 units are named 'Mira'"):
        Board.replay(board.tilemap, fresh((0, 0)) * 2, [])


@pytest.mark.parametrize(
    ("unit", "cells", "error", "message"),
    [
        ("Mira", [(0, 0), (0, 1)], TypeError, "an order's unit must be a whole number"),
        (-1, [(0, 0), (0, 1)], ValueError, "an order's unit must be >= 0, got -1"),
        (
            0,
            [(0, 0)],
            ValueError,
            "a path without facing_deg needs at least 2 cells, got 1",
        ),
        (0, ["a", "b"], TypeError, "a cell is"),
    ],
)
def test_bad_orders_are_refused(unit, cells, error, message):
    with pytest.raises(error, match=message):
        Order(unit, cells)
