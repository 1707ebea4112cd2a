"""All that a budget reaches from a start, with a cheapest way to each cell."""

import itertools
import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path, plain_number, trace_path
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike


class Reach:
    """All cells that a budget reaches from a start, with a cheapest way to each.

    Like a `Path` it is a record of when it was asked for.

    Parameters
    ----------
    tilemap : TileMap
    budget : number
        What could be spent.
    record : (n, 6) number
        For each reached cell its row, column and deck, the cost of reaching it, its level, and
        which entry comes before it on its way, -1 for the start; cheapest first.
    start_fault : str
        Why nothing is reached; "" otherwise.
    is_end : (n,) bool, optional
        Which entries a way may end on; the others are passed only. All if not given.
    """

    def __init__(
        self,
        tilemap: TileMap,
        budget: float,
        record: NDArray[Any],
        start_fault: str = "",
        is_end: NDArray[np.bool_] | None = None,
    ) -> None:
        self._tilemap = tilemap
        self._ends = slice(None) if is_end is None else np.flatnonzero(is_end)
        self.budget = budget
        self._record = record
        self._start_fault = start_fault

    def __repr__(self) -> str:
        """Show how many cells there are, from where and for how much, or why there are none."""
        if not len(self._record):
            return f"<no Reach: {self._start_fault}>"
        start, budget = Cell(*self._record[0, :3].astype(int).tolist()), plain_number(self.budget)
        return f"<Reach of {len(self)} cells from {start} for at most {budget}>"

    @cached_property
    def _entry(self) -> dict[Cell, int]:
        numbers = np.arange(len(self._record))[self._ends].tolist()
        return dict(zip(self.cells, numbers, strict=True))

    @property
    def cells(self) -> list[Cell]:
        """The reached cells, cheapest first, the start in front."""
        return list(itertools.starmap(Cell, self._record[self._ends, :3].astype(np.int64).tolist()))

    def __len__(self) -> int:
        """Count the reached cells, the start included."""
        return len(self._record[self._ends])

    def __iter__(self) -> Iterator[Cell]:
        """Give the reached cells, cheapest first."""
        return iter(self.cells)

    def __contains__(self, cell: CellLike) -> bool:
        """Tell whether a cell of the map is reached."""
        return self._tilemap.cell(cell) in self._entry

    def cost_to(self, cell: CellLike) -> float:
        """Give the cost of reaching a cell; infinity if the budget does not."""
        entry = self._entry.get(self._tilemap.cell(cell))
        return math.inf if entry is None else plain_number(self._record.item(entry, 3))

    def path_to(self, cell: CellLike) -> Path:
        """Give a cheapest way to a cell; no way, with its reason, if the budget does not reach."""
        place = self._tilemap.cell(cell)
        entry = self._entry.get(place)
        if entry is None:
            return Path.none(self._start_fault or self._fault_of(place))
        return Path(trace_path(self._record, entry))

    def _fault_of(self, place: Cell) -> str:
        """Say why no way ends on a cell, as far as a budget can tell."""
        if bool((self._record[:, :3] == place).all(axis=1).any()):
            return f"{place} can be passed, but no way ends there"
        if math.isinf(self.budget):
            return f"no way leads to {place}"
        return f"no way to {place} costs at most {plain_number(self.budget)}"

    def as_costs(self) -> NDArray[np.float64]:
        """(rows, cols) cost of reaching each cell, infinity where none is reached.

        (n_decks + 1, rows, cols) on maps with decks, as of a `CostField`.
        """
        tilemap = self._tilemap
        costs = np.full((tilemap.n_decks + 1, tilemap.rows, tilemap.cols), np.inf)
        row, col, deck = self._record[self._ends, :3].astype(np.int64).T
        costs[deck, row, col] = self._record[self._ends, 3]
        return costs if tilemap.n_decks else costs[0]

    def as_mask(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, True where a cell is reached, on whichever deck."""
        mask = np.zeros((self._tilemap.rows, self._tilemap.cols), dtype=np.bool_)
        row, col = self._record[self._ends, :2].astype(np.int64).T
        mask[row, col] = True
        return mask
