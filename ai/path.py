"""A way from cell to cell: its cells, steps and cost, or why there is none."""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.search import places
from terrain3d import Cell


def plain_number(cost: float) -> float:
    """Give whole costs as int, so that they print as people write them."""
    return int(cost) if float(cost).is_integer() else float(cost)


class Step(NamedTuple):
    """One step of a way.

    `kind` is "walk", "climb" or "drop"; `rise` is in levels, negative downwards.
    """

    start: Cell
    end: Cell
    kind: str
    rise: int
    cost: float


class StepAnswer(NamedTuple):
    """What a profile can make of a single step: legal or not, cost, rise, and why not."""

    legal: bool
    cost: float
    rise: int
    reason: str


def step_kind(rise: int) -> str:
    """Name a step by its rise."""
    if rise > 0:
        return "climb"
    return "drop" if rise < 0 else "walk"


_NOTHING = np.zeros((4, 0), dtype=np.int32)


class Path:
    """A cheapest way from cell to cell, both ends included; false if there is none.

    It is a record of when it was asked for: later edits of the map do not change it.

    Parameters
    ----------
    record : (4, n) number
        For each cell from start to goal its node, row * cols + col, what the way costs up to it,
        anything, and its level. No columns if there is no way.
    cols : int
        Columns of the map.
    reason : str, or an object whose text it is
        Why there is none, or why it ends before the goal; "" when there is a whole one.
    partial : bool
        Whether it ends before the goal.
    """

    __slots__ = ("_cells", "_cols", "_record", "_why", "cost", "partial")

    def __init__(
        self, record: NDArray[Any], cols: int, reason: object = "", *, partial: bool = False
    ) -> None:
        self._record = record
        self._cols = cols
        self._cells: tuple[Cell, ...] | None = None
        self.cost = plain_number(record[1, -1]) if record.shape[1] else math.inf
        self._why = reason
        self.partial = partial

    @classmethod
    def none(cls, reason: object) -> "Path":
        """Make the answer that there is no way, with its reason."""
        return cls(_NOTHING, 1, reason)

    def __bool__(self) -> bool:
        """Tell whether there is a way."""
        return len(self) > 0

    def __len__(self) -> int:
        """Count the cells, both ends included."""
        return len(self._record[0])

    def __iter__(self) -> Iterator[Cell]:
        """Give the cells from start to goal."""
        return iter(self._all_cells())

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
    def reason(self) -> str:
        """Why there is no way, or only a part of one; "" when there is a whole one."""
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
        rises = np.diff(self._record[3].astype(np.int64)).tolist()
        costs = np.diff(self._record[1]).tolist()
        return [
            Step(cells[i], cells[i + 1], step_kind(rise), rise, plain_number(cost))
            for i, (rise, cost) in enumerate(zip(rises, costs, strict=True))
        ]

    def as_array(self) -> NDArray[np.int32]:
        """(n, 3) int32 of row, column and deck."""
        found: NDArray[np.int32] = places(self._record[0], self._cols)
        return found

    def _all_cells(self) -> tuple[Cell, ...]:
        if self._cells is None:
            self._cells = tuple(itertools.starmap(Cell, self.as_array().tolist()))
        return self._cells
