"""Automatic steps in the history: kept as long as an undo may need them."""

import contextlib
import itertools
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Autopilot, Behavior, Board, MoveRefused, Order, TurnEnd, Unit
from terrain3d import TileMap
from tests.support.boards import board_with

FRAME_S = 0.25
STAIRS = "0123\n0023\n0#11"


class Go(Behavior):
    """Goes to a given cell, if it can."""

    def __init__(self, cell):
        self._cell = cell

    def _choose(self, _situation):
        return self._cell


def pass_time(board, autopilot, seconds):
    for _ in range(round(seconds / FRAME_S)):
        autopilot.advance(FRAME_S)
        for unit in board.units:
            unit.advance(FRAME_S)


def test_a_patrol_left_alone_does_not_grow_the_history():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(odo, (2, 1))
    autopilot = Autopilot(board)
    autopilot.assign(mira, "patrol", post=(0, 4))
    lengths = set()
    for _ in range(20):
        pass_time(board, autopilot, 9.0)
        lengths.add(sum(len(order.cells) for order in board.log))
    assert max(lengths) <= 2 + 5 + 1  # Odo's path; each cell of Mira's once, and the last step
    assert len(board.log) == 2
    assert board.undo()
    assert (mira.cell, odo.cell) == ((0, 0, 0), (2, 0, 0))


def test_steps_that_no_undo_reaches_are_joined_too():
    board, mira, odo = board_with((0, 0), (2, 0))
    for unit, cell in ((mira, (0, 1)), (odo, (2, 1)), (mira, (0, 2)), (odo, (2, 0))) * 9:
        board.act(unit, Go(cell), is_automatic=True)
    assert [order.unit for order in board.log] == [0, 1]
    assert board.undo() is False


def test_an_order_separates_the_automatic_steps_before_and_after_it():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.act(mira, Go((0, 1)), is_automatic=True)
    board.move(odo, (2, 3))
    for cell in ((0, 2), (0, 3), (0, 4)):
        board.act(mira, Go(cell), is_automatic=True)
    assert [(order.start[:2], order.goal[:2]) for order in board.log] == [
        ((0, 0), (0, 1)),
        ((2, 0), (2, 3)),
        ((0, 1), (0, 4)),
    ]
    board.undo()
    assert (mira.cell[:2], odo.cell[:2]) == ((0, 1), (2, 0))


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


def fresh():
    return [Unit(name, cell, move=9) for name, cell in zip(NAMES, STARTS, strict=True)]


def standing(board):
    return [(unit.cell, unit.heading_deg) for unit in board.units]


class Witness:
    """A board, and for each order whether a player gave it and where all units stood before.

    It forgets nothing.
    """

    def __init__(self):
        self.board = Board(TileMap.from_text(STAIRS))
        self.units = [self.board.add(unit) for unit in fresh()]
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
        again = Board.replay(board.tilemap, fresh(), board.log)
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
