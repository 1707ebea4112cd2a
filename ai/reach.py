"""All that a budget reaches from a start, with a cheapest way to each cell."""

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.path import Path, plain_number
from terrain3d import Cell
from terrain3d.grid import CellLike, Grid


class Reach:
    """All cells that a budget reaches from a start, with a cheapest way to each.

    Like a `Path` it is a record of when it was asked for.

    Parameters
    ----------
    grid : Grid
        The map's cells.
    budget : number
        What could be spent.
    record : (4, n) number
        For each reached cell its node, row * cols + col, the cost of reaching it, the node before
        it on its way, -1 for the start, and its level; cheapest first.
    start_fault : str
        Why nothing is reached; "" otherwise.
    """

    def __init__(
        self, grid: Grid, budget: float, record: NDArray[Any], start_fault: str = ""
    ) -> None:
        self._grid = grid
        self.budget = budget
        self._record = record
        self._start_fault = start_fault

    @cached_property
    def _entry(self) -> dict[int, int]:
        return {node: entry for entry, node in enumerate(self._nodes.tolist())}

    @property
    def _nodes(self) -> NDArray[np.int64]:
        nodes: NDArray[np.int64] = self._record[0].astype(np.int64)
        return nodes

    def _node(self, cell: CellLike) -> int:
        row, col, _ = self._grid.cell(cell)
        return row * self._grid.cols + col

    @property
    def cells(self) -> list[Cell]:
        """The reached cells, cheapest first, the start in front."""
        rows, cols = np.divmod(self._nodes, self._grid.cols)
        return list(map(Cell, rows.tolist(), cols.tolist()))

    def __len__(self) -> int:
        """Count the reached cells, the start included."""
        return len(self._record[0])

    def __iter__(self) -> Iterator[Cell]:
        """Give the reached cells, cheapest first."""
        return iter(self.cells)

    def __contains__(self, cell: CellLike) -> bool:
        """Tell whether a cell of the map is reached."""
        return self._node(cell) in self._entry

    def cost_to(self, cell: CellLike) -> float:
        """Give the cost of reaching a cell; infinity if the budget does not."""
        entry = self._entry.get(self._node(cell))
        return math.inf if entry is None else plain_number(self._record[1, entry])

    def path_to(self, cell: CellLike) -> Path:
        """Give a cheapest way to a cell; no way, with its reason, if the budget does not reach."""
        node = self._node(cell)
        if node not in self._entry:
            row, col = divmod(node, self._grid.cols)
            beyond = f"({row}, {col}) is beyond the budget of {self.budget}"
            return Path.none(self._start_fault or beyond)
        backwards = []
        while node >= 0:
            entry = self._entry[node]
            backwards.append(entry)
            node = int(self._record[2, entry])
        return Path(self._record[:, backwards[::-1]], self._grid.cols)

    def as_mask(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, True where a cell is reached."""
        mask = np.zeros(self._grid.rows * self._grid.cols, dtype=np.bool_)
        mask[self._nodes] = True
        return mask.reshape(self._grid.rows, self._grid.cols)
