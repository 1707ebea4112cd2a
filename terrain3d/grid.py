"""Cells and how they lie: neighbors, distance, corners, and cell <-> world.

World units are tile edges. x grows with the column, y shrinks with the row, z is up, so a map
seen from above, north (+y) up, looks like its text picture.
"""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Cell(NamedTuple):
    """One walkable place: a column of the map and, where it has several surfaces, which."""

    row: int
    col: int
    deck: int = 0


CellLike = Cell | Sequence[int]


def as_cell(value: CellLike) -> Cell:
    """Return what a caller gave as a `Cell`, wherever it lies; `TypeError` if it is none."""
    try:
        numbers = tuple(operator.index(number) for number in value)
    except TypeError:
        numbers = ()
    if not 2 <= len(numbers) <= 3:
        raise TypeError(f"a cell is (row, col) or (row, col, deck) in whole numbers: {value!r}")
    return Cell(*numbers)


class Rect(NamedTuple):
    """A block of whole cells: where it starts and how many rows and columns it has."""

    row: int
    col: int
    rows: int
    cols: int

    def union(self, other: "Rect") -> "Rect":
        """Give the smallest rectangle that holds both."""
        row, col = min(self.row, other.row), min(self.col, other.col)
        return Rect(
            row,
            col,
            max(self.row + self.rows, other.row + other.rows) - row,
            max(self.col + self.cols, other.col + other.cols) - col,
        )

    def grown(self, margin: int, rows: int, cols: int) -> "Rect":
        """Give it with `margin` more cells on each side, cut to a map of rows x cols."""
        row, col = max(0, self.row - margin), max(0, self.col - margin)
        return Rect(
            row,
            col,
            min(rows, self.row + self.rows + margin) - row,
            min(cols, self.col + self.cols + margin) - col,
        )


@dataclass(frozen=True)
class SquareGrid:
    """Square cells in rows and columns, each with up to four neighbors.

    Parameters
    ----------
    rows, cols : int
        Size in cells, both at least 1.

    Raises
    ------
    ValueError
        There would be no cells.
    """

    rows: int
    cols: int

    directions = ((-1, 0), (0, 1), (1, 0), (0, -1))
    """(row, col) steps to the neighbors: north, east, south, west."""

    def __post_init__(self) -> None:
        """Refuse a grid without cells."""
        if self.rows < 1 or self.cols < 1:
            raise ValueError(
                f"a grid needs at least 1 row and 1 column, got {self.rows} x {self.cols}"
            )

    def cell(self, value: CellLike) -> Cell:
        """Check a cell that a caller gave and return it as a `Cell`.

        Raises
        ------
        TypeError
            It is not two or three whole numbers.
        IndexError
            It lies outside the grid.
        """
        cell = as_cell(value)
        if not (0 <= cell.row < self.rows and 0 <= cell.col < self.cols):
            raise IndexError(
                f"cell ({cell.row}, {cell.col}) is outside the map: "
                f"rows are 0..{self.rows - 1}, columns 0..{self.cols - 1}"
            )
        if cell.deck != 0:
            raise IndexError(f"cell ({cell.row}, {cell.col}) has deck 0 only, got {cell.deck}")
        return cell

    def neighbors(self, cell: CellLike) -> list[Cell]:
        """List the cells that share an edge with `cell`, in the order of `directions`."""
        row, col, _ = self.cell(cell)
        around = (Cell(row + drow, col + dcol) for drow, dcol in self.directions)
        return [near for near in around if 0 <= near.row < self.rows and 0 <= near.col < self.cols]

    def distance(self, a: CellLike, b: CellLike) -> int:
        """Count the steps from `a` to `b` on open, flat ground."""
        a, b = self.cell(a), self.cell(b)
        return abs(a.row - b.row) + abs(a.col - b.col)

    def center(self, cell: CellLike) -> tuple[float, float]:
        """Give the (x, y) of a cell's center."""
        row, col, _ = self.cell(cell)
        return col + 0.5, -(row + 0.5)

    def corners(self, cell: CellLike) -> list[tuple[float, float]]:
        """List the (x, y) of a cell's corners, counter-clockwise from the north-west."""
        row, col, _ = self.cell(cell)
        west, north = float(col), float(-row)
        return [
            (west, north),
            (west, north - 1.0),
            (west + 1.0, north - 1.0),
            (west + 1.0, north),
        ]

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Find the cell over which (x, y) lies; None beside the grid."""
        if not (0 <= x < self.cols and 0 <= -y < self.rows):
            return None
        return Cell(math.floor(-y), math.floor(x))
