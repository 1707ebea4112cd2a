"""The answers to queries: a way with its steps and cost, and all that a budget reaches."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell
from terrain3d.grid import CellLike, SquareGrid


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


@dataclass(frozen=True, eq=False)
class Path:
    """A cheapest way from cell to cell, both ends included; false if there is none.

    It is a record of when it was asked for: later edits of the map do not change it.

    Parameters
    ----------
    places : (n, 3) int32
        Row, column and deck of each cell; empty if there is no way.
    level : (n,) int
        Level of each cell.
    step_costs : (n - 1,) float
        What each step costs.
    cost : number
        What the way costs in all; infinity if there is none.
    reason : str
        Why there is none; "" when there is one.
    """

    places: NDArray[np.int32]
    level: NDArray[np.int64]
    step_costs: NDArray[np.float64]
    cost: float
    reason: str = ""

    @classmethod
    def none(cls, reason: str) -> "Path":
        """Make the answer that there is no way, with its reason."""
        nothing = np.zeros((0, 3), dtype=np.int32)
        return cls(nothing, np.zeros(0, np.int64), np.zeros(0), math.inf, reason)

    def __bool__(self) -> bool:
        """Tell whether there is a way."""
        return len(self.places) > 0

    def __len__(self) -> int:
        """Count the cells, both ends included."""
        return len(self.places)

    def __iter__(self) -> Iterator[Cell]:
        """Give the cells from start to goal."""
        return iter(self.cells)

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        return tuple(Cell(*place) for place in self.places.tolist())

    @property
    def cells(self) -> list[Cell]:
        """The cells from start to goal."""
        return list(self._cells)

    @cached_property
    def steps(self) -> list[Step]:
        """The steps between the cells."""
        cells = self._cells
        rises = np.diff(self.level).tolist()
        return [
            Step(cells[i], cells[i + 1], step_kind(rise), rise, plain_number(cost))
            for i, (rise, cost) in enumerate(zip(rises, self.step_costs.tolist(), strict=True))
        ]

    def as_array(self) -> NDArray[np.int32]:
        """(n, 3) int32 of row, column and deck, a copy."""
        return self.places.copy()


@dataclass(frozen=True, eq=False)
class Reach:
    """All cells that a budget reaches from a start, with a cheapest way to each.

    Like a `Path` it is a record of when it was asked for.

    Parameters
    ----------
    grid : SquareGrid
        The map's cells.
    budget : number
        What could be spent.
    nodes : (n,) int32
        The reached cells as row * cols + col, cheapest first, the start in front.
    cost, level : (n,)
        Cost of reaching each, and its level.
    came_from : (n,) int64
        Which entry of `nodes` comes before each on its way; -1 for the start.
    start_fault : str
        Why nothing is reached; "" otherwise.
    """

    grid: SquareGrid
    budget: float
    nodes: NDArray[np.int32]
    cost: NDArray[np.float64]
    level: NDArray[np.int64]
    came_from: NDArray[np.int64]
    start_fault: str = ""

    @property
    def cells(self) -> list[Cell]:
        """The reached cells, cheapest first, the start in front."""
        return [Cell(*divmod(node, self.grid.cols)) for node in self.nodes.tolist()]

    @cached_property
    def _entry(self) -> dict[Cell, int]:
        return {cell: entry for entry, cell in enumerate(self.cells)}

    def __len__(self) -> int:
        """Count the reached cells, the start included."""
        return len(self.nodes)

    def __iter__(self) -> Iterator[Cell]:
        """Give the reached cells, cheapest first."""
        return iter(self.cells)

    def __contains__(self, cell: CellLike) -> bool:
        """Tell whether a cell of the map is reached."""
        return self.grid.cell(cell) in self._entry

    def cost_to(self, cell: CellLike) -> float:
        """Give the cost of reaching a cell; infinity if the budget does not."""
        entry = self._entry.get(self.grid.cell(cell))
        return math.inf if entry is None else plain_number(self.cost[entry])

    def path_to(self, cell: CellLike) -> Path:
        """Give a cheapest way to a cell; no way, with its reason, if the budget does not reach."""
        cell = self.grid.cell(cell)
        entry = self._entry.get(cell)
        if entry is None:
            beyond = f"({cell.row}, {cell.col}) is beyond the budget of {self.budget}"
            return Path.none(self.start_fault or beyond)
        backwards = [entry]
        while (entry := int(self.came_from[entry])) >= 0:
            backwards.append(entry)
        way = np.array(backwards[::-1])
        rows, cols = np.divmod(self.nodes[way], self.grid.cols)
        places = np.stack([rows, cols, np.zeros_like(rows)], axis=1).astype(np.int32)
        cost = self.cost[way]
        return Path(places, self.level[way], np.diff(cost), plain_number(cost[-1]))

    def as_mask(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, True where a cell is reached."""
        mask = np.zeros(self.grid.rows * self.grid.cols, dtype=np.bool_)
        mask[self.nodes] = True
        return mask.reshape(self.grid.rows, self.grid.cols)
