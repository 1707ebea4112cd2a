"""Actions of a game on a board: everything in one `with` block is one entry of its log."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ai.board.occupancy import check_on_board
from ai.board.unit import CHECKS, Unit, Walk
from terrain3d import Cell
from terrain3d.core.checks import finite_number, instance_of, listed, one_of
from terrain3d.grid.grid import CellLike
from terrain3d.map.change import Change
from terrain3d.map.edit import Edit

if TYPE_CHECKING:
    from ai.board.board import Board


class Draft:
    """What happens in an entry that is not closed yet."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.walks: dict[Unit, list[Walk]] = {}
        self.slides: dict[str, tuple[Cell, ...]] = {}
        self.signals: list[Callable[[], object]] = []
        self.edits: list[Change] = []
        self.begins_turn = False
        self.data: dict[str, Any] = {}

    def walk(
        self, unit: Unit, cells: Iterable[Cell], step_s: float | None = None, stop: str = ""
    ) -> None:
        """Let a unit hold the last of some cells, and walk there once the entry is closed."""
        walk = unit._plan_walk(tuple(cells), step_s)
        walk.stop = stop
        self.walks.setdefault(unit, []).append(walk)
        unit.state = unit.state._replace(cell=walk.cells[-1], heading_deg=walk.end_deg)


class Action:
    """One action of a game, in a ``with`` block: one entry of the log, one undo, all or nothing.

    Inside the block everything is applied at once, and queries see it; orders of the board join the
    action. Signals follow at its end. An error inside the block, or a unit that would stand on
    nothing or on another one at its end, leaves board, units and map as they were.

    Attributes
    ----------
    random : numpy.random.Generator
        Dice that depend on the seed of the board and the number of the entry alone.
    """

    def __init__(self, board: "Board", name: str, by: Unit | None, *, is_automatic: bool) -> None:
        self._board = board
        self._values: dict[str, Any] = {
            "name": name,
            "by": by.name if by else "",
            "is_automatic": is_automatic,
        }
        self._block: Any = None
        self._draft: Draft | None = None
        self._data: dict[str, Any] = {}

    def __enter__(self) -> Self:
        """Begin the action."""
        board = self._board
        if board._history.open_draft is not None:
            raise RuntimeError("this board has an open action; actions do not nest")
        self._block = board._history.draft("action", **self._values)
        self._draft = self._block.__enter__()
        self._data = self._draft.data
        self.random = np.random.default_rng((board.seed, len(board._history.log.done)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the action; `MoveRefused` if a unit would stand on nothing, or on another one."""
        self._draft = None
        self._block.__exit__(kind, error, trace)

    @property
    def data(self) -> dict[str, Any]:
        """What the game keeps of the action in the log: JSON-like, with finite numbers."""
        return self._data

    @data.setter
    def data(self, values: Mapping[str, Any]) -> None:
        self._open_draft()
        kept = {**instance_of("data", values, Mapping)}
        self._data.clear()
        self._data.update(kept)

    def set(self, unit: Unit, /, **stats: Any) -> None:  # noqa: ANN401 - JSON-like
        """Change some of a unit's stats; `TypeError` or `ValueError` for what is not JSON-like."""
        self.change(unit, stats={**self._known(unit).stats, **stats})

    def change(self, unit: Unit, **values: Any) -> None:  # noqa: ANN401 - of `Unit`
        """Change values of a unit: team, profile, move, speed_tiles_s, has_zoc, wait, heading_deg.

        Raises
        ------
        TypeError, ValueError
            It has no such value, or the value is out of its limits.
        """
        checked = {}
        for name, value in values.items():
            one_of("a value of a unit", name, tuple(CHECKS))
            checked[name] = CHECKS[name](name, value)
        self._board._history.assign(self._known(unit), checked)

    def place(self, unit: Unit, cell: CellLike, along: Iterable[CellLike] = ()) -> None:
        """Put a unit on a cell by force; it may slide there along cells.

        The rules of movement, points and turns do not count. Two units may trade places.
        """
        to_cell, draft = self._board.tilemap.cell, self._known_draft(unit)
        goal, cells = to_cell(cell), tuple(to_cell(each) for each in listed("along", along))
        walked = [cell for walk in draft.walks.pop(unit, ()) for cell in walk.cells]
        slide = draft.slides.get(unit.name) or walked or [unit.cell]
        draft.slides[unit.name] = tuple(cell for cell, _ in groupby((*slide, *cells, goal)))
        state = unit.state._replace(cell=goal)
        unit._place(self._board.tilemap, self._board._history.assign, state)

    def add(self, unit: Unit) -> Unit:
        """Put a unit on the board; errors as of `Board.add`."""
        self._open_draft()
        return self._board.add(unit)

    def remove(self, unit: Unit) -> None:
        """Take a unit off the board."""
        self._known(unit)
        self._board.remove(unit)

    def spend(self, unit: Unit, points: float = 0, waiting: float = 0) -> None:
        """Take points from what a unit has left in its turn, and let it wait longer.

        Raises
        ------
        ValueError
            A number is negative, or the unit has fewer points.
        """
        points, waiting = finite_number("points", points, 0), finite_number("waiting", waiting, 0)
        left = self._known(unit).points - points
        if left < 0:
            raise ValueError(f"{unit.name} has {unit.points} points, got {points} to spend")
        waiting = finite_number("waiting", unit.waiting + waiting, 0)
        unit._allot(left if left < unit.move else None, waiting)

    def edit(self) -> Edit:
        """Return an edit of the map, for a `with` block, which is part of the action."""
        self._open_draft()
        return self._board.tilemap.edit(self._values["name"])

    def _open_draft(self) -> Draft:
        if self._draft is None:
            raise RuntimeError("this action is over; begin another with board.action(...)")
        return self._draft

    def _known_draft(self, unit: Unit) -> Draft:
        check_on_board(unit, self._board.units)
        return self._open_draft()

    def _known(self, unit: Unit) -> Unit:
        self._known_draft(unit)
        return unit
