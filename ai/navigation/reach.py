"""The cells that a budget reaches from a start, with a cheapest path to each."""

import itertools
import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path, plain_number
from ai.rules.nodes import Nodes
from ai.search.graph import number_of, numbers_of
from ai.search.workspace import PathReader
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import true_or_false
from terrain3d.grid.grid import CellLike
from terrain3d.picture import Drawable, Line, Picture, flat_values

_MANY = 4096
"""With fewer entries one is found sooner by looking at all than by sorting them."""


class ReachArrays(NamedTuple):
    """What a budget reaches from each of many starts, as arrays.

    Attributes
    ----------
    offsets : (n + 1,) int64
        Start i reaches the cells offsets[i] to offsets[i + 1]: itself first, then by cost, as in
        `Reach.cells`.
    cells : (m, 3) int32
        Row, column and deck of the cells of all starts, one after the other.
    costs : (m,) float64
        The cost of reaching each.
    """

    offsets: NDArray[np.int64]
    cells: NDArray[np.int32]
    costs: NDArray[np.float64]


class Reach(Drawable):
    """All cells that a budget reaches from a start, with a cheapest path to each.

    Like a `Path` it describes the map as it was at the time of the query.

    Parameters
    ----------
    budget : number
        The highest cost.
    record : (n, 7) int64
        For each reached cell the entry before it on its path, -1 for the start, its row, column and
        deck, the cost of reaching it in units, its level and its node; cheapest first. With a
        reader only the last three columns, (n, 3).
    unit : int
        The unit of costs, in millionths.
    start_reason : str
        Why nothing is reached; "" otherwise.
    is_end : (n,) bool, optional
        Which entries a path may end on; the others can only be passed. All if not given.
    reader : PathReader, optional
        Finds the entries before, which `record` then lacks.
    """

    def __init__(
        self,
        tilemap: TileMap,
        budget: float,
        record: NDArray[np.int64],
        unit: int,
        start_reason: str = "",
        is_end: NDArray[np.bool_] | None = None,
        reader: PathReader | None = None,
    ) -> None:
        self._tilemap, self._n_layers = tilemap, tilemap.n_decks + 1
        self._is_end = is_end
        self.budget = budget
        self._record, self._unit, self._reader = record, unit, reader
        self._start_reason = start_reason

    def __repr__(self) -> str:
        """Show the number of cells, the start and the budget, or why no cell is reached."""
        if not len(self._record):
            return f"<no Reach: {self._start_reason}>"
        start, budget = self._start, plain_number(self.budget)
        return f"<Reach of {len(self)} cells from {start} for at most {budget}>"

    @property
    def _start(self) -> Cell:
        return Nodes(self._tilemap).cell(self._record.item(0, -1))

    @cached_property
    def _whole(self) -> NDArray[np.int64]:
        """(n, 7) the record with all columns."""
        if self._reader is None:
            return self._record
        cells = Nodes(self._tilemap).cells_of(self._record[:, -1])
        return np.column_stack([self._reader.entries_before(self._record), cells, self._record])

    def _ends(self, record: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of a record on which a path may end."""
        return record if self._is_end is None else record[self._is_end]

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """The entries in the order of their nodes."""
        return self._record[:, -1].argsort()

    def _node(self, cell: CellLike) -> int:
        """Return the node of a cell of the map, or of a reached one on a deck that is gone."""
        nodes = Nodes(self._tilemap)
        try:
            return nodes.of(cell)
        except IndexError:
            node = nodes.of_past(cell, self._n_layers)
            if node < 0 or node not in self._record[:, -1]:
                raise
            return node

    def _entry(self, cell: CellLike) -> int:
        """Return the entry of a cell of the map; -1 if it is not reached."""
        node, nodes = self._node(cell), self._record[:, -1]
        if len(nodes) < _MANY:
            found = (nodes == node).nonzero()[0]
        else:
            places = nodes.searchsorted([node, node + 1], sorter=self._order)
            found = self._order[slice(*places)]
        entry = found.item() if len(found) else -1
        return entry if self._is_end is None or self._is_end.item(entry) else -1

    @property
    def cells(self) -> list[Cell]:
        """The reached cells, the start first, then by cost."""
        return list(itertools.starmap(Cell, self._ends(self._whole)[:, 1:4].tolist()))

    def __len__(self) -> int:
        """Return the number of reached cells, the start included."""
        return len(self._ends(self._record))

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the reached cells, cheapest first."""
        return iter(self.cells)

    def __contains__(self, cell: CellLike) -> bool:
        """Return whether a cell is reached; one beside the map is not."""
        try:
            return self._entry(cell) >= 0
        except IndexError:
            return False

    def cost_to(self, cell: CellLike) -> float:
        """Return the cost of reaching a cell; infinity if the budget does not reach it."""
        entry = self._entry(cell)
        return math.inf if entry < 0 else number_of(self._record.item(entry, -3), self._unit)

    def path_to(self, cell: CellLike) -> Path:
        """Return a cheapest path to a cell; no path, with a reason, if it is not reached."""
        entry = self._entry(cell)
        if entry < 0:
            return Path.none(self._start_reason or self._reason_for(self._tilemap.cell(cell)))
        record, backward = self._whole, []
        while entry >= 0:
            backward.append(entry)
            entry = record.item(entry, 0)
        return Path(record[backward[::-1], 1:6], self._unit, self._tilemap)

    def _reason_for(self, cell: Cell) -> str:
        """Return why no path ends on a cell, as far as a reach can show."""
        if Nodes(self._tilemap).of(cell) in self._record[:, -1]:
            return Reason("passed_only", cell=cell)
        if math.isinf(self.budget):
            return Reason("no_path", goal=cell)
        return Reason("over_budget", goal=cell, budget=plain_number(self.budget))

    def as_costs(self, *, decks: bool = False) -> NDArray[np.float64]:
        """(rows, cols) cost of reaching each cell on its cheapest deck, infinity where it is not.

        With `decks` (n_decks + 1, rows, cols), also on maps without decks.
        """
        tilemap, ends = self._tilemap, self._ends(self._record)
        costs = np.full((self._n_layers, tilemap.rows, tilemap.cols), np.inf)
        costs.reshape(-1)[ends[:, -1]] = numbers_of(ends[:, -3], self._unit)
        return costs if true_or_false("decks", decks) else costs.min(axis=0)

    def picture(self) -> Picture | None:
        """Return the map with the cost of each reached cell; None if no cell is reached."""
        if not len(self._record):
            return None
        start = Line((self._start,), "start")
        values = flat_values(self.as_costs(decks=True))
        return Picture(self._tilemap, repr(self)[1:-1], values, "cost", (start,))

    def as_mask(self, *, decks: bool = False) -> NDArray[np.bool_]:
        """(rows, cols) bool, True where a cell is reached on any deck.

        With `decks` (n_decks + 1, rows, cols), also on maps without decks.
        """
        tilemap = self._tilemap
        mask = np.zeros((self._n_layers, tilemap.rows, tilemap.cols), dtype=np.bool_)
        mask.reshape(-1)[self._ends(self._record)[:, -1]] = True
        return mask if true_or_false("decks", decks) else np.logical_or.reduce(mask)
