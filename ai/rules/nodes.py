"""Numbers surfaces as nodes: cells to nodes and back."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeGuard, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell, Rect, TileMap
from terrain3d.core.checks import listed
from terrain3d.grid.grid import CellLike, as_cell

Number = TypeVar("Number", int, NDArray[np.int64])
T = TypeVar("T")
Result = TypeVar("Result")

NO_NODES = np.zeros(0, dtype=np.int64)
"""An empty array of nodes."""
_CELLS = (2,), (3,)  # shapes of cells in an array


class Nodes:
    """Numbers the surfaces of a map deck by deck, row by row, column by column."""

    def __init__(self, tilemap: TileMap) -> None:
        self.tilemap = tilemap
        self._rows, self.cols = tilemap.rows, tilemap.cols
        self.n_cells = tilemap.rows * tilemap.cols

    def of(self, cell: CellLike) -> int:
        """Return the node of a cell.

        Raises `IndexError` outside the map and for a missing deck, `TypeError` for other values.
        """
        # A shortcut for the usual arguments, a plain pair or a cell on the ground inside the map.
        if (type(cell) is tuple and len(cell) == 2) or (type(cell) is Cell and cell[2] == 0):
            row, col = cell[0], cell[1]
            if type(row) is type(col) is int and 0 <= row < self._rows and 0 <= col < self.cols:
                return row * self.cols + col
        row, col, deck = self.tilemap.cell(cell)
        return self._node(row, col, deck)

    def of_past(self, cell: CellLike, n_layers: int) -> int:
        """Return the node of a cell when the map had so many layers; -1 for none."""
        row, col, deck = as_cell(cell)
        is_inside = 0 <= row < self._rows and 0 <= col < self.cols and 0 <= deck < n_layers
        return self._node(row, col, deck) if is_inside else -1

    def cell(self, node: int) -> Cell:
        """Return the cell of a node."""
        row, col = divmod(node, self.cols)
        deck, row = divmod(row, self._rows)
        return Cell(row, col, deck)

    def of_record(self, record: NDArray[Any]) -> NDArray[np.int64]:
        """(n,) nodes of records that begin with a row, a column and a deck."""
        row, col, deck = record[:, :3].astype(np.int64).T
        nodes: NDArray[np.int64] = self._node(row, col, deck)
        return nodes

    def in_rect(self, rect: Rect, n_layers: int) -> NDArray[np.int64]:
        """(n,) nodes of all surfaces in a rectangle, deck by deck."""
        start = self._node(rect.row, rect.col, 0)
        row = np.arange(start, start + rect.rows * self.cols, self.cols)
        nodes = row[:, None] + np.arange(rect.cols)
        if n_layers > 1:
            nodes = np.arange(n_layers)[:, None, None] * self.n_cells + nodes
        return nodes.ravel()

    def several(self, cells: CellLike | Iterable[CellLike], what: str) -> list[int]:
        """Return the nodes of one cell, or of several cells.

        Raises as `of` does, and `ValueError` for an empty sequence, which the message calls `what`.
        """
        if is_cell(cells):
            return [self.of(cells)]
        nodes = [self.of(cell) for cell in listed(what, cast(Iterable[CellLike], cells))]
        if not nodes:
            raise ValueError(f"there is no {what}: the sequence of {what}s is empty")
        return nodes

    def around(
        self, name: str, cells: Iterable[CellLike], size: int, start: int
    ) -> NDArray[np.int64]:
        """(n,) nodes on which a mover of size x size tiles covers one of the cells, ascending.

        The start and the tiles under a mover there are left out: a mover does not block itself.
        `name` is that of the cells, for errors.
        """
        if type(cells) is tuple and not cells:
            return NO_NODES
        known = KnownCells.of(self, name, cells)
        if size == 1:
            array = known.as_array
            return array[array != start] if start in known.nodes else array
        covered, tiles = map(self.cell, known.nodes), range(size)
        own = self.cell(start) if start >= 0 else None
        nodes = {
            self._node(row, col, cell.deck)
            for cell in covered
            if own is None or cell.row - own.row not in tiles or cell.col - own.col not in tiles
            for row in range(max(0, cell.row - size + 1), cell.row + 1)
            for col in range(max(0, cell.col - size + 1), cell.col + 1)
        }
        return KnownCells(self, nodes - {start}).as_array

    def each(self, name: str, cells: Iterable[CellLike]) -> NDArray[np.int64]:
        """(n,) nodes of cells; errors, as of `of`, have the name and the number of the cell.

        `TypeError` also for an array of another shape than (n, 2) or (n, 3), or not of integers.
        """
        if isinstance(cells, np.ndarray) and cells.dtype.kind in "iu" and cells.shape[1:] in _CELLS:
            places, decks = np.split(cells.astype(np.int64), [2], axis=1)
            if not decks.any() and (places >= 0).all() and (places < (self._rows, self.cols)).all():
                nodes: NDArray[np.int64] = places @ (self.cols, 1)
                return nodes
        return np.array(converted(name, cells, self.of), dtype=np.int64)

    def cells_of(self, nodes: NDArray[np.integer]) -> NDArray[np.int32]:
        """(n, 3) row, column and deck of nodes."""
        small = nodes.astype(np.int32)  # numpy divides it faster
        row = small // self.cols
        deck = row // self._rows
        return np.column_stack([row - deck * self._rows, small - row * self.cols, deck])

    def _node(self, row: Number, col: Number, deck: Number) -> Number:
        """Return the node of a row, column and deck: numbers, or arrays of them."""
        return (deck * self._rows + row) * self.cols + col


class KnownCells(Collection[Cell]):
    """Cells that a map has, with their nodes, so that queries need not work them out again."""

    def __init__(self, numbering: Nodes, nodes: Iterable[int]) -> None:
        self._numbering, self._version = numbering, numbering.tilemap.version
        self.nodes = frozenset(nodes)
        self.as_array = np.array(sorted(self.nodes), dtype=np.int64) if self.nodes else NO_NODES
        """(n,) nodes of the cells, ascending."""

    @classmethod
    def of(cls, numbering: Nodes, name: str, cells: Iterable[CellLike]) -> "KnownCells":
        """Return cells as those of a map as it is now; errors as of `Nodes.of`."""
        if isinstance(cells, KnownCells) and cells.is_of(numbering.tilemap):
            return cells
        return cls(numbering, map(numbering.of, listed(name, cells)))

    def is_of(self, tilemap: TileMap) -> bool:
        """Return whether they are cells of a map as it is now."""
        return self._numbering.tilemap is tilemap and self._version == tilemap.version

    def without(self, cells: Iterable[Cell]) -> "KnownCells":
        """Return those that are not among some cells."""
        gone = {self._numbering._node(*cell) for cell in cells if cell in self}
        if not gone:
            return self
        left = KnownCells(self._numbering, self.nodes - gone)
        left._version = self._version
        return left

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        return tuple(map(self._numbering.cell, sorted(self.nodes)))

    def __repr__(self) -> str:
        """Show the cells."""
        return repr(self._cells)

    def __eq__(self, other: object) -> bool:
        """Return whether others, or those in a tuple, are the same cells."""
        return self.nodes == other.nodes if isinstance(other, KnownCells) else self._cells == other

    def __hash__(self) -> int:
        """Return a hash, equal for the same cells."""
        return hash(self._cells)

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.nodes)

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the cells, in the order of their nodes."""
        return iter(self._cells)

    def __contains__(self, cell: object) -> bool:
        """Return whether a `Cell` is one of them."""
        is_inside = isinstance(cell, Cell) and self._numbering.tilemap.grid.contains(cell)
        return is_inside and self._numbering._node(*cast(Cell, cell)) in self.nodes


def is_cell(value: CellLike | Iterable[CellLike]) -> TypeGuard[CellLike]:
    """Return whether a value is one cell, by its first entry, and not several cells."""
    if type(value) is tuple and value and type(value[0]) is int:
        return True
    try:
        first = cast(Sequence[object], value)[0]
    except (TypeError, IndexError, KeyError):
        return not isinstance(value, Iterable)
    return not isinstance(first, Sequence | np.ndarray)


def converted(name: str, cells: Iterable[T], convert: Callable[[T], Result]) -> list[Result]:
    """Return what `convert` returns for each of some cells; its errors have the cell's number."""
    if isinstance(cells, np.ndarray) and cells.size:
        _check_array(name, cells)
    entries, results = listed(name, cells), list[Result]()
    try:
        for cell in entries:
            results.append(convert(cell))
    except (IndexError, TypeError, ValueError) as error:
        raise type(error)(f"{name}[{len(results)}]: {error}") from None
    return results


def _check_array(name: str, cells: NDArray[Any]) -> None:
    """Raise `TypeError` for an array whose entries are not cells, with what to write instead."""
    if cells.dtype.kind in "fb":
        problem = f"{name} must hold whole numbers, got {cells.dtype}"
        raise TypeError(f"{problem}: write {name}.astype(int)")
    if cells.dtype.kind in "iu" and cells.ndim < 3 and cells.shape[1:] not in _CELLS:
        problem = f"{name} must be (n, 2) or (n, 3), got {cells.shape}"
        is_turned = cells.ndim == 2 and len(cells) in (2, 3)
        raise TypeError(f"{problem}: write {name}.T" if is_turned else problem)
