"""Actions of a game on a board: everything in one `with` block is one entry of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ai.board.log import Walked
from ai.board.state import GameState
from ai.board.unit import CHECKS, Unit, UnitState, Walk
from ai.motion.motion import Pose
from terrain3d.core.checks import finite_number, instance_of, listed, one_of
from terrain3d.grid.grid import CellLike
from terrain3d.map.change import Change
from terrain3d.map.edit import Edit

if TYPE_CHECKING:
    from ai.board.board import Board


@dataclass
class Draft:
    """An entry of the log while its action is open."""

    before: GameState
    name: str
    by: str
    is_automatic: bool
    lost: frozenset[int] = frozenset()
    """The numbers of the units without ground at its begin."""
    handles: dict[int, Unit] = field(default_factory=dict)
    """The units of the board at its begin, by `UnitState.number`."""
    walking: dict[Unit, tuple[Walk, ...]] = field(default_factory=dict)
    """The walks of those that walked then."""
    arrivals: list[tuple[Unit, UnitState, Pose | None]] = field(default_factory=list)
    """Units that came since, and what they were before."""
    walks: dict[int, Walked] = field(default_factory=dict)
    edits: list[Change] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    def walk(self, walks: Mapping[int, Walked]) -> None:
        """Let units walk on."""
        for number, walked in walks.items():
            before = self.walks.get(number)
            self.walks[number] = walked if before is None else before.then(walked)


class Action:
    """One action of a game, in a ``with`` block: one entry of the log, one undo, all or nothing.

    Inside the block everything is applied at once, and queries see it; orders of the board join the
    action. Figures and listeners follow at its end. An error inside the block, or a unit that would
    stand on nothing or on another one at its end, leaves board, units and map as they were.

    Attributes
    ----------
    random : numpy.random.Generator
        Dice that depend on the seed of the board and the number of actions before alone.
    """

    def __init__(self, board: Board, name: str, by: str, *, is_automatic: bool) -> None:
        self._board, self._is_open = board, False
        self._draft = Draft(board.state, name, by, is_automatic)

    def __enter__(self) -> Self:
        """Begin the action."""
        self._draft.before = before = self._board._open(self._draft)
        self.random = np.random.default_rng((self._board.seed, before.n_actions))
        self._is_open = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the action; `MoveRefused` if a unit would stand on nothing, or on another one."""
        self._is_open = False
        self._board._close(self._draft, is_kept=kind is None)

    @property
    def data(self) -> dict[str, Any]:
        """What the game keeps of the action in the log: JSON-like, with finite numbers."""
        return self._draft.data

    @data.setter
    def data(self, values: Mapping[str, Any]) -> None:
        self._check_open()
        self._draft.data = {**instance_of("data", values, Mapping)}

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
        waiting = finite_number("waiting", state.waiting + waiting, 0)
        spent = state.with_points(left)._replace(waiting=waiting)
        self._board._commit("action", self._board.state.with_unit(spent))

    def edit(self) -> Edit:
        """Return an edit of the map, for a `with` block, which is part of the action."""
        self._check_open()
        return self._board.tilemap.edit(self._draft.name, by=self._draft)

    def _check_open(self) -> None:
        if not self._is_open:
            raise RuntimeError("this action is over; begin another with board.action(...)")

    def _state_of(self, unit: Unit | str) -> UnitState:
        state = self._board.state_of(unit)
        self._check_open()
        return state
