"""Cells as callers give them, and the nodes that searches know them by."""

from collections.abc import Iterable, Sequence
from typing import TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell
from terrain3d.grid import CellLike, Grid

NOBODY = np.zeros(0, dtype=np.int64)
"""No nodes, where nodes that are occupied are asked for."""


class Nodes:
    """Numbers the cells of a grid row by row.

    Parameters
    ----------
    grid : Grid
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._rows, self._cols = grid.rows, grid.cols

    def of(self, cell: CellLike) -> int:
        """Give the node of a cell.

        Raises
        ------
        IndexError, TypeError
            It is outside the map or is no cell.
        """
        # Most callers give a plain pair inside the map; everything else is checked at leisure.
        if type(cell) is tuple and len(cell) == 2:
            row, col = cell
            if type(row) is type(col) is int and 0 <= row < self._rows and 0 <= col < self._cols:
                return row * self._cols + col
        row, col, _ = self.grid.cell(cell)
        return row * self._cols + col

    def cell(self, node: int) -> Cell:
        """Give the cell of a node."""
        return Cell(*divmod(node, self._cols))

    def several(self, cells: CellLike | Sequence[CellLike], what: str) -> list[int]:
        """Give the nodes of one cell, or of a sequence of cells.

        Raises
        ------
        IndexError, TypeError
            One is outside the map or is no cell.
        ValueError
            There are none; the message says what they should have been.
        """
        if is_cell(cells):
            return [self.of(cells)]
        nodes = [self.of(cell) for cell in cast(Sequence[CellLike], cells)]
        if not nodes:
            raise ValueError(f"there is no {what}: the sequence of {what}s is empty")
        return nodes

    def walls(self, cells: Iterable[CellLike], start: int) -> NDArray[np.int64]:
        """(n,) nodes of occupied cells in their order, without the start."""
        nodes = {self.of(cell) for cell in cells} - {start}
        return np.array(sorted(nodes), dtype=np.int64) if nodes else NOBODY


def is_cell(value: CellLike | Sequence[CellLike]) -> TypeGuard[CellLike]:
    """Tell one cell from a sequence of cells by what stands first in it."""
    if type(value) is tuple and value and type(value[0]) is int:
        return True
    try:
        first = value[0]
    except (TypeError, IndexError, KeyError):
        return not isinstance(value, Sequence | np.ndarray)
    return not isinstance(first, Sequence | np.ndarray)
