"""A path from cell to cell: its cells, steps and cost, or the reason why there is none."""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ai.search.graph import MILLION, number_of
from terrain3d import Cell, TileMap
from terrain3d.core.checks import whole_within
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.picture import Drawable, Line, Picture


def plain_number(cost: float) -> float:
    """Return an integral cost as int, so that 3.0 prints as 3."""
    if type(cost) is int:
        return cost
    return int(cost) if float(cost).is_integer() else float(cost)


class Step(NamedTuple):
    """One step of a path.

    `kind` is "walk", "climb" or "drop"; `rise` is in levels, negative downward.
    """

    start: Cell
    end: Cell
    kind: str
    rise: int
    cost: float


def step_kind(rise: int) -> str:
    """Return the kind of a step with a given rise."""
    if rise > 0:
        return "climb"
    return "drop" if rise < 0 else "walk"


_NOTHING = np.zeros((0, 5), dtype=np.int64)


class Path(Drawable):
    """A path from cell to cell, both ends included; false if there is none.

    It describes the map as it was at the time of the query; later edits do not change it.

    Parameters
    ----------
    record : (n, 5) int64
        For each cell from start to goal its row, column and deck, the cost so far in units, and its
        level. No rows if there is no path.
    unit : int
        The unit of costs, in millionths.
    tilemap : TileMap, optional
        The map for its picture, which shows the path on the map as it is then. It is not pickled.
    reason : object
        Its text is why there is no path, or why the path ends before the goal; "" otherwise.
    partial : bool
        Whether it ends before the goal.
    """

    __slots__ = ("_cells", "_record", "_tilemap", "_unit", "_why", "partial")

    def __init__(
        self,
        record: NDArray[np.int64],
        unit: int,
        tilemap: TileMap | None = None,
        reason: object = "",
        partial: bool = False,
    ) -> None:
        self._record, self._unit = record, unit
        self._tilemap = tilemap
        self._cells: tuple[Cell, ...] | None = None
        self._why = reason
        self.partial = partial

    @classmethod
    def none(cls, reason: object) -> "Path":
        """Return the answer that there is no path, with its reason."""
        return cls(_NOTHING, MILLION, None, reason)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the reason as text: working it out needs the map and its graph."""
        return Path, (self._record, self._unit, None, self.reason, self.partial)

    def __copy__(self) -> Self:
        """Return the path itself, which nothing changes."""
        return self

    def __deepcopy__(self, _known: object) -> Self:
        """Return the path itself, with its map for the picture."""
        return self

    def __bool__(self) -> bool:
        """Return whether there is a path."""
        return len(self._record) > 0

    def __len__(self) -> int:
        """Return the number of cells, both ends included."""
        return len(self._record)

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the cells from start to goal."""
        return iter(self._all_cells())

    def __contains__(self, cell: CellLike) -> bool:
        """Return whether a cell is on the path."""
        return as_cell(cell) in self._all_cells()

    def __repr__(self) -> str:
        """Show the ends and the cost, or the reason."""
        if not self:
            return f"<no Path: {self.reason}>"
        first, *_, last = self._all_cells() * 2
        return (
            f"<Path of {len(self)} cells from ({first.row}, {first.col}) "
            f"to ({last.row}, {last.col}), cost {self.cost}>"
        )

    @property
    def cost(self) -> float:
        """What it costs: an int if that is whole, else the nearest float; infinity without a path.

        Paths of equal sums cost the same, in whichever order their steps are added.
        """
        if not len(self._record):
            return math.inf
        return number_of(self._record.item(-2), self._unit)

    @property
    def reason(self) -> str:
        """Why there is no path, or why it ends before the goal; "" otherwise."""
        if not isinstance(self._why, str):
            self._why = str(self._why)
        return self._why

    @property
    def cells(self) -> list[Cell]:
        """The cells from start to goal."""
        return list(self._all_cells())

    @property
    def steps(self) -> list[Step]:
        """The steps between the cells."""
        cells = self._all_cells()
        rises = np.diff(self._record[:, 4]).tolist()
        costs = np.diff(self._record[:, 3]).tolist()
        return [
            Step(cells[i], cells[i + 1], step_kind(rise), rise, number_of(cost, self._unit))
            for i, (rise, cost) in enumerate(zip(rises, costs, strict=True))
        ]

    def head(self, n_cells: int) -> "Path":
        """Return the path along its first cells only."""
        if whole_within("n_cells", n_cells, 0) >= len(self):
            return self
        return Path(self._record[:n_cells], self._unit, self._tilemap, self._why, partial=True)

    def as_array(self) -> NDArray[np.int32]:
        """(n, 3) int32 of row, column and deck."""
        return self._record[:, :3].astype(np.int32)

    def picture(self) -> Picture | None:
        """Return the map with the path; None without a path, or for one that was unpickled."""
        if not self or self._tilemap is None:
            return None
        line = Line(self._all_cells(), f"path, cost {self.cost}")
        return Picture(self._tilemap, repr(self)[1:-1], lines=(line,))

    def _all_cells(self) -> tuple[Cell, ...]:
        if self._cells is None:
            self._cells = tuple(itertools.starmap(Cell, self.as_array().tolist()))
        return self._cells


def as_partial(path: Path, reason: object) -> Path:
    """Return the same path as one that ends before the goal, for a reason."""
    return Path(path._record, path._unit, path._tilemap, reason, partial=True)
