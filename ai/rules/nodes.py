"""Cells as callers give them, and the nodes that searches know them by."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike

NO_NODES = np.zeros(0, dtype=np.int64)
"""No nodes, where nodes that are occupied are asked for."""


def is_on(tilemap: TileMap, cell: CellLike) -> bool:
    """Tell whether a map has a cell; an edit may have taken its deck away."""
    try:
        tilemap.cell(cell)
    except IndexError:
        return False
    return True


class Nodes:
    """Numbers the surfaces of a map deck by deck, row by row.

    Parameters
    ----------
    tilemap : TileMap
    """

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        self._rows, self.cols = tilemap.rows, tilemap.cols
        self.n_cells = tilemap.rows * tilemap.cols

    def of(self, cell: CellLike) -> int:
        """Give the node of a cell.

        Raises
        ------
        IndexError, TypeError
            It is outside the map, has no such deck, or is no cell.
        """
        # Most callers give a plain pair inside the map; everything else is checked at leisure.
        if type(cell) is tuple and len(cell) == 2:
            row, col = cell
            if type(row) is type(col) is int and 0 <= row < self._rows and 0 <= col < self.cols:
                return row * self.cols + col
        row, col, deck = self._tilemap.cell(cell)
        return (deck * self._rows + row) * self.cols + col

    def cell(self, node: int) -> Cell:
        """Give the cell of a node."""
        row, col = divmod(node, self.cols)
        deck, row = divmod(row, self._rows)
        return Cell(row, col, deck)

    def of_record(self, record: NDArray[Any]) -> NDArray[np.int64]:
        """(n,) nodes of rows that begin with a row, a column and a deck."""
        row, col, deck = record[:, :3].astype(np.int64).T
        nodes: NDArray[np.int64] = (deck * self._rows + row) * self.cols + col
        return nodes

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

    def around(self, cells: Iterable[CellLike], size: int, start: int) -> NDArray[np.int64]:
        """(n,) nodes at which a mover of so many tiles covers one of the cells, in their order.

        Without the start: who stands there is in nobody's way, not even in its own.
        """
        nodes = {self.of(cell) for cell in cells}
        if size > 1:
            own = self.cell(start) if start >= 0 else None
            covered = [self.cell(node) for node in nodes]
            covered = [
                cell
                for cell in covered
                if own is None
                or not (
                    own.row <= cell.row < own.row + size and own.col <= cell.col < own.col + size
                )
            ]
            nodes = {
                (cell.deck * self._rows + row) * self.cols + col
                for cell in covered
                for row in range(max(0, cell.row - size + 1), cell.row + 1)
                for col in range(max(0, cell.col - size + 1), cell.col + 1)
            }
        nodes.discard(start)
        return np.array(sorted(nodes), dtype=np.int64) if nodes else NO_NODES


def is_cell(value: CellLike | Sequence[CellLike]) -> TypeGuard[CellLike]:
    """Tell one cell from a sequence of cells by what stands first in it."""
    if type(value) is tuple and value and type(value[0]) is int:
        return True
    try:
        first = value[0]
    except (TypeError, IndexError, KeyError):
        return not isinstance(value, Sequence | np.ndarray)
    return not isinstance(first, Sequence | np.ndarray)
