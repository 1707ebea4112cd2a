"""Actions of a game on a board: everything in one `with` block is one entry of its log."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from ai.board.log import Walked
from ai.board.unit import CHECKS, Unit, UnitState
from terrain3d.core.checks import finite_number, listed, one_of
from terrain3d.grid.grid import CellLike
from terrain3d.map.edit import Edit

if TYPE_CHECKING:
    from ai.board.board import Board


class Action:
    """One action of a game, in a ``with`` block: one entry of the log, one undo, all or nothing.

    Inside the block everything is applied at once, and queries see it; orders of the board join the
    action. Figures and listeners follow at its end. An error inside the block, or a unit that would
    stand on nothing or on another one at its end (`MoveRefused`), leaves board, units and map as
    they were.

    Attributes
    ----------
    random : numpy.random.Generator
        Dice that depend on the seed of the board and the number of actions before alone.
    data : dict
        What the game keeps of the action in the log: JSON-like, with finite numbers.
    """

    def __init__(self, board: Board, name: str, random: np.random.Generator) -> None:
        self._board, self._name, self._is_open = board, name, True
        self.random, self.data = random, dict[str, Any]()

    def end(self) -> None:
        """End the action: from now on every call raises `RuntimeError`."""
        self._is_open = False

    def set(self, unit: Unit | str, /, **stats: Any) -> None:  # noqa: ANN401 - JSON-like
        """Change some of a unit's stats; `TypeError` or `ValueError` for what is not JSON-like."""
        self.change(unit, stats={**self._state_of(unit).stats, **stats})

    def change(self, unit: Unit | str, **values: Any) -> None:  # noqa: ANN401 - of `Unit`
        """Change values of a unit: all that may be assigned, as ``team`` or ``move``, and `stats`.

        Raises
        ------
        TypeError, ValueError
            It has no such value, or the value is out of its limits.
        """
        state = self._state_of(unit)
        for name in values:
            one_of("a value of a unit", name, tuple(CHECKS))
        checked = {name: CHECKS[name](name, value) for name, value in values.items()}
        self._board._assign(state, checked)

    def place(self, unit: Unit | str, cell: CellLike, along: Iterable[CellLike] = ()) -> None:
        """Put a unit on a cell by force; it may slide there along cells.

        The rules of movement, points and turns do not count. Two units may trade places.
        """
        state, to_cell = self._state_of(unit), self._board.tilemap.cell
        cells = (*map(to_cell, listed("along", along)), to_cell(cell))
        slide = tuple(cell for cell, _ in groupby((state.cell, *cells)))
        walks = {state.number: Walked(slide, is_forced=True)}
        after = self._board.state.with_unit(state._replace(cell=cells[-1]))
        self._board._commit("action", after, walks=walks)

    def add(self, unit: Unit) -> Unit:
        """Put a unit on the board; errors as of `Board.add`."""
        self._check_open()
        return self._board.add(unit)

    def remove(self, unit: Unit | str) -> None:
        """Take a unit off the board."""
        self._check_open()
        self._board.remove(unit)

    def spend(self, unit: Unit | str, points: float = 0, waiting: float = 0) -> None:
        """Take points from what a unit has left in its turn, and let it wait longer.

        With ``turns="wait"`` the unit that acts waits for both after its turn.

        Raises
        ------
        ValueError
            A number is negative, or the unit has fewer points.
        """
        points, waiting = finite_number("points", points, 0), finite_number("waiting", waiting, 0)
        state = self._state_of(unit)
        left = state.points_left - points
        if left < 0:
            has = state.points_left
            raise ValueError(f"{state.name} has {has} points, got {points} to spend")
        before = self._board.state
        if before.order == "wait" and state in before.acting:
            spent = finite_number("waiting", before.spent + points + waiting, 0)
            has_begun = before.has_begun or spent > 0
            after = before.with_unit(state.with_points(left))
            after = after.with_(spent=spent, has_begun=has_begun)
        else:
            waiting = finite_number("waiting", state.waiting + waiting, 0)
            after = before.with_unit(state.with_points(left)._replace(waiting=waiting))
        self._board._commit("action", after)

    def edit(self) -> Edit:
        """Return an edit of the map, for a `with` block, which is part of the action."""
        self._check_open()
        return self._board.tilemap.edit(self._name, by=self._board)

    def _check_open(self) -> None:
        if not self._is_open:
            raise RuntimeError("this action is over; begin another with board.action(...)")

    def _state_of(self, unit: Unit | str) -> UnitState:
        state = self._board.state_of(unit)
        self._check_open()
        return state
