"""The history of orders: undo, redo, the log and its replays, and automatic steps."""

import contextlib
import itertools
import json
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Behavior, Board, MoveProfile, MoveRefused, Order, TurnEnd, Unit
from terrain3d import TileMap
from tests.support.boards import FIELD, board_with, state
from tests.support.reference import ground


def test_undo_while_walking_puts_the_unit_back_at_once():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 4))
    mira.advance(0.5)
    board.undo()
    assert (mira.cell, mira.is_moving) == ((0, 0, 0), False)
    assert mira.pose.point == board.tilemap.surface_point((0, 0))
    mira.advance(5)
    assert mira.pose.point == board.tilemap.surface_point((0, 0))


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


def fresh(*cells, names=("Mira", "Odo", "Pell")):
    return [Unit(name, cell) for name, cell in zip(names, cells, strict=False)]


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


STAIRS = "0123\n0023\n0#11"


class Go(Behavior):
    """Goes to a given cell, if it can."""

    def __init__(self, cell):
        self._cell = cell

    def _choose(self, _situation):
        return self._cell


def test_orders_of_a_removed_unit_no_longer_separate_steps():
    board, mira, odo = board_with((0, 0), (2, 0))
    for cell in ((0, 1), (0, 2), (0, 3)):
        board.act(mira, Go(cell), is_automatic=True)
        board.move(odo, (2, cell[1]))
    board.remove(odo)
    assert [(order.start[:2], order.goal[:2]) for order in board.log] == [((0, 0), (0, 3))]


def test_up_a_ladder_and_down_again_leaves_no_order():
    tilemap = TileMap.from_text("000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1)], level=3)
        edit.add_link((0, 1), (0, 1, 1), cost=1, kind="ladder")
    board = Board(tilemap)
    mira = board.add(Unit("Mira", (0, 1), heading_deg=70.0))
    for deck in (1, 0, 1, 0):
        assert board.act(mira, Go((0, 1, deck)), is_automatic=True)
    assert board.log == ()
    board.act(mira, Go((0, 2)), is_automatic=True)
    for _ in range(3):
        board.act(mira, Go((0, 1)), is_automatic=True)
        board.act(mira, Go((0, 1, 1)), is_automatic=True)
        board.act(mira, Go((0, 1)), is_automatic=True)
    assert len(board.log[0].cells) <= 4
    again = Board.replay(tilemap, [Unit("Mira", (0, 1), heading_deg=70.0)], board.log)
    assert again.digest() == board.digest()


STARTS = ((0, 0), (2, 3), (1, 0))
NAMES = ("Mira", "Odo", "Pell")
CELLS = st.tuples(st.integers(0, 2), st.integers(0, 3))
KINDS = st.sampled_from(["order", "order", *["led"] * 5, "undo", "redo"])
ACTS = st.lists(st.tuples(KINDS, st.integers(0, 2), CELLS), min_size=5, max_size=40)


def walkers():
    return [Unit(name, cell, move=9) for name, cell in zip(NAMES, STARTS, strict=True)]


def standing(board):
    return [(unit.cell, unit.heading_deg) for unit in board.units]


class Witness:
    """A board, and for each order whether a player gave it and where all units stood before.

    It forgets nothing.
    """

    def __init__(self):
        self.board = Board(TileMap.from_text(STAIRS))
        self.units = [self.board.add(unit) for unit in walkers()]
        self.done = []

    @property
    def orders(self):
        return [place for place, (is_order, _) in enumerate(self.done) if is_order]

    def order(self, number, cell):
        return len(self.board.move(self.units[number], cell)) > 1

    def led(self, number, cell):
        return len(self.board.act(self.units[number], Go(cell), is_automatic=True)) > 1

    def redo(self, _number, _cell):
        return self.board.redo()

    def undo(self, _number, _cell):
        orders = self.orders
        assert self.board.undo() is bool(orders)
        if orders:
            assert standing(self.board) == self.done[orders[-1]][1]
            del self.done[orders[-1] :]
        return False

    def do(self, kind, number, cell):
        before = standing(self.board)
        with contextlib.suppress(MoveRefused):
            if getattr(self, kind)(number, cell):
                self.done.append((kind != "led", before))


@settings(max_examples=150, deadline=None)
@given(ACTS)
def test_undo_and_replay_are_those_of_a_history_that_forgets_nothing(acts):
    witness = Witness()
    board, n_cells = witness.board, witness.board.tilemap.rows * witness.board.tilemap.cols
    for act in acts:
        witness.do(*act)
        again = Board.replay(board.tilemap, walkers(), board.log)
        assert again.digest() == board.digest()
        n_orders = len(witness.orders)
        assert len(board.log) <= n_orders + (n_orders + 1) * len(witness.units)
        for order in board.log:
            assert len(order.cells) <= n_cells + 1
            for start, end in itertools.pairwise(order.cells):
                assert end in board.navigation.steps_from(start)


def test_redo_skips_an_order_whose_unit_is_there_already():
    board = Board(TileMap.from_text("0000"))
    unit = board.add(Unit("a", (0, 0)))
    board.move(unit, (0, 1))
    board.move(unit, (0, 3))
    board.undo()
    board.undo()
    board.act(unit, Go((0, 1)), is_automatic=True)  # it is where the next order would lead it
    assert board.redo()
    assert unit.cell == (0, 3, 0)
    assert [(order.cells[0][1], order.cells[-1][1]) for order in board.log] == [(0, 1), (1, 3)]
    board.undo()
    board.undo()
    board.act(unit, Go((0, 3)), is_automatic=True)
    board.move(unit, (0, 1))
    board.undo()
    board.act(unit, Go((0, 1)), is_automatic=True)
    assert not board.redo()
    assert all(len(order.cells) > 1 for order in board.log)


@pytest.mark.parametrize("entry", [Order(0, [(0, 0), (0, 1)], 0), TurnEnd("blue", 0)])
def test_entries_of_a_log_are_immutable(entry):
    with pytest.raises(FrozenInstanceError):
        entry.unit = 1


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"unit": -1}, "unit must be"),
        ({"spent": -0.5}, "spent must be"),
        ({"spent": float("inf")}, "spent must be"),
        ({"cells": [(0, 0)]}, "needs at least 2 cells, got 1"),
        ({"facing_deg": 90}, "an order to turn needs 1 cell, got 2"),
        ({"facing_deg": float("nan"), "cells": [(0, 0)]}, "facing_deg must be"),
    ],
)
def test_an_entry_checks_its_numbers(fields, says):
    with pytest.raises(ValueError, match=says):
        Order(**{"unit": 0, "cells": [(0, 0), (0, 1)], **fields})
