"""All that a budget reaches from a start, with a cheapest way to each cell."""

import itertools
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
    record : (n, 6) number
        For each reached cell its row, column and deck, the cost of reaching it, its level, and
        which entry comes before it on its way, -1 for the start; cheapest first.
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
    def _entry(self) -> dict[Cell, int]:
        return {cell: entry for entry, cell in enumerate(self.cells)}

    @property
    def cells(self) -> list[Cell]:
        """The reached cells, cheapest first, the start in front."""
        return list(itertools.starmap(Cell, self._record[:, :3].astype(np.int64).tolist()))

    def __len__(self) -> int:
        """Count the reached cells, the start included."""
        return len(self._record)

    def __iter__(self) -> Iterator[Cell]:
        """Give the reached cells, cheapest first."""
        return iter(self.cells)

    def __contains__(self, cell: CellLike) -> bool:
        """Tell whether a cell of the map is reached."""
        return self._grid.cell(cell) in self._entry

    def cost_to(self, cell: CellLike) -> float:
        """Give the cost of reaching a cell; infinity if the budget does not."""
        entry = self._entry.get(self._grid.cell(cell))
        return math.inf if entry is None else plain_number(self._record.item(entry, 3))

    def path_to(self, cell: CellLike) -> Path:
        """Give a cheapest way to a cell; no way, with its reason, if the budget does not reach."""
        place = self._grid.cell(cell)
        entry = self._entry.get(place)
        if entry is None:
            beyond = f"({place.row}, {place.col}) is beyond the budget of {self.budget}"
            return Path.none(self._start_fault or beyond)
        backwards = []
        while entry >= 0:
            backwards.append(entry)
            entry = int(self._record[entry, 5])
        return Path(self._record[backwards[::-1], :5])

    def as_mask(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, True where a cell is reached."""
        mask = np.zeros((self._grid.rows, self._grid.cols), dtype=np.bool_)
        row, col = self._record[:, :2].astype(np.int64).T
        mask[row, col] = True
        return mask
