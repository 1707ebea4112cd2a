"""Cells and grids of squares or hexagons: neighbors, distance, corners, cells and world.

The centers of neighbors are 1 world unit apart. x grows with the column, y shrinks with the row,
z is up, so a map seen from above with north (+y) at the top looks like its text picture.
"""

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import MAX_CELLS, number_within, one_of, quoted, whole_number

Scalar = TypeVar("Scalar", bound=np.generic)


class Cell(NamedTuple):
    """A position for units: a column of the map, and the number of one of its surfaces.

    It has three numbers: `cell == (4, 1)` is false, `cell == (4, 1, 0)` and `cell[:2] == (4, 1)`
    may be true.
    """

    row: int
    col: int
    deck: int = 0

    def __str__(self) -> str:
        """Return "(2, 3)", or "(2, 3) deck 1" above the ground."""
        return f"({self.row}, {self.col})" + (f" deck {self.deck}" if self.deck else "")


CellLike = Cell | Sequence[int]

_NO_CELLS = (bytes, dict, set, frozenset)
"""Types that may hold whole numbers, but not as row and column."""


def as_cell(value: CellLike) -> Cell:
    """Return a `Cell` without checking bounds; `TypeError` if the value is not a cell."""
    if type(value) is Cell:
        row, col, deck = value
        if type(row) is type(col) is type(deck) is int:
            return value  # the usual case, checked fast
    try:
        parts = tuple(value)
        if bool not in map(type, parts) and not isinstance(value, _NO_CELLS):
            return Cell(*map(operator.index, parts))
    except TypeError:  # a part is no whole number, or there are too few or too many
        pass
    raise TypeError(f"a cell is (row, col) or (row, col, deck) in whole numbers: {quoted(value)}")


class Rect(NamedTuple):
    """A rectangle of cells: its first row and column, and its numbers of rows and columns."""

    row: int
    col: int
    rows: int
    cols: int

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell lies in the rectangle, on any deck."""
        return 0 <= cell.row - self.row < self.rows and 0 <= cell.col - self.col < self.cols

    def union(self, other: "Rect") -> "Rect":
        """Return the smallest rectangle that holds both."""
        row, col = min(self.row, other.row), min(self.col, other.col)
        end_row = max(self.row + self.rows, other.row + other.rows)
        end_col = max(self.col + self.cols, other.col + other.cols)
        return Rect(row, col, end_row - row, end_col - col)

    def grown(self, margin: int, rows: int, cols: int) -> "Rect":
        """Return the rectangle grown by `margin` cells on each side, clipped to rows x cols."""
        row, col = max(0, self.row - margin), max(0, self.col - margin)
        end_row = min(rows, self.row + self.rows + margin)
        end_col = min(cols, self.col + self.cols + margin)
        return Rect(row, col, end_row - row, end_col - col)

    def slices(self, row: int = 0, col: int = 0) -> tuple[slice, slice]:
        """Return its part of arrays by row and column that begin at a row and a column."""
        top, left = self.row - row, self.col - col
        return slice(top, top + self.rows), slice(left, left + self.cols)


Step = tuple[int, int]
"""(rows down, columns to the right)."""

Point = tuple[float, float]
"""(x, y) in world units."""

Indices = NDArray[np.integer]


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Make an array read-only and return it; the caller must hold the only reference."""
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Grid(ABC):
    """Base of square and hexagonal grids.

    Cells with the same (row, col) steps to their neighbors form a class: squares have one class,
    hexagons two.

    Parameters
    ----------
    rows, cols : int
        Size in cells, both at least 1.

    Raises
    ------
    TypeError, ValueError
        There are no cells, or more than MAX_CELLS.
    """

    rows: int
    cols: int

    norm: ClassVar[str]
    """The distance measure of `plane` coordinates: "lattice" or "hex".

    With the differences (a, b) of two cells, "lattice" is `abs(a) + abs(b)` steps, and "hex" is
    `max(abs(a), abs(b), abs(a + b))`.
    """
    opposite: ClassVar[tuple[int, ...]]
    """The opposite of each direction."""
    diagonals: ClassVar[tuple[Step, ...]]
    """Steps to the cells that share a corner but no edge, clockwise from north.

    Diagonal k lies between the directions k and k + 1.
    """

    def __post_init__(self) -> None:
        """Raise `TypeError` or `ValueError` for a grid without cells, or with too many."""
        size = f"{quoted(self.rows)} x {quoted(self.cols)}"
        if whole_number("rows", self.rows) * whole_number("cols", self.cols) > MAX_CELLS:
            raise ValueError(f"a map has at most {MAX_CELLS} tiles, got {size}")
        if self.rows < 1 or self.cols < 1:
            raise ValueError(f"a grid needs at least 1 row and 1 column, got {size}")

    @property
    @abstractmethod
    def directions(self) -> tuple[tuple[Step, ...], ...]:
        """Steps to the neighbors for each class, clockwise from north.

        Direction k of every class is the same direction in the world.
        """

    @property
    @abstractmethod
    def headings(self) -> tuple[Point, ...]:
        """(x, y) from a cell's center to its neighbor's, for each direction."""

    @property
    @abstractmethod
    def extent(self) -> tuple[float, float, float, float]:
        """The smallest (x0, y0, x1, y1) that holds all cells, in world units."""

    @abstractmethod
    def plane(self) -> NDArray[np.int32]:
        """Return the (rows, cols, 2) coordinates that `norm` measures, read-only."""

    @abstractmethod
    def lengths(self, away: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the (...) numbers of steps on open, flat ground for (..., 2) `plane` offsets."""

    @abstractmethod
    def distance(self, a: CellLike, b: CellLike) -> int:
        """Return the number of steps from `a` to `b` on open, flat ground."""

    def center(self, cell: CellLike) -> Point:
        """Return the (x, y) of a cell's center."""
        row, col, _ = self.cell(cell)
        return self.middle(row, col)

    @abstractmethod
    def middle(self, row: int, col: int) -> Point:
        """Return the (x, y) of the center of a cell, which may lie outside the grid."""

    @property
    @abstractmethod
    def corner_scale(self) -> Point:
        """World units along x and y per unit of `corner_coords`."""

    @abstractmethod
    def corner_coords(self, row: Indices, col: Indices) -> NDArray[np.int64]:
        """Return the corners of cells in integer coordinates, equal for cells that share them.

        Times `corner_scale` they are the (x, y) of the corners. Cells may lie outside the grid.

        Parameters
        ----------
        row, col : (n,) int

        Returns
        -------
        (n, corners, 2) int64
            In the order of `corners`.
        """

    def corners(self, cell: CellLike) -> list[Point]:
        """Return the (x, y) of a cell's corners, counter-clockwise; neighbors share them exactly.

        With n directions, the edge from corner i to the next faces direction n - 1 - i.
        """
        row, col, _ = self.cell(cell)
        corner_coords = self.corner_coords(np.array([row]), np.array([col]))[0]
        return [(x, y) for x, y in (corner_coords * self.corner_scale).tolist()]

    def centers(self, row: Indices, col: Indices) -> NDArray[np.float64]:
        """Return the (n, 2) centers of cells, which may lie outside the grid."""
        corners = self.corner_coords(row, col)
        opposite = corners.shape[1] // 2
        twice = (corners[:, 0] + corners[:, opposite]).astype(np.float64)
        return twice * (0.5 * np.array(self.corner_scale))

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell at (x, y); None outside the grid."""
        number_within("x", x, -math.inf)
        number_within("y", y, -math.inf)
        x0, y0, x1, y1 = self.extent
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            return None
        cell = Cell(*self.lattice_cell(x, y))
        return cell if self.contains(cell) else None

    @abstractmethod
    def lattice_cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the (row, col) at a finite point, which may lie outside the grid."""

    @property
    @abstractmethod
    def _parity(self) -> Step:
        """Weights (0 or 1) of row and column; a cell's class is the parity of the weighted sum."""

    def cell_class(self) -> NDArray[np.uint8]:
        """Return the (rows, cols) class of each cell, an index into `directions`, read-only."""
        rows, cols = np.indices((self.rows, self.cols), sparse=True)
        by_row, by_col = (rows * self._parity[0]) & 1, (cols * self._parity[1]) & 1
        return read_only(by_row.astype(np.uint8) ^ by_col.astype(np.uint8))

    def steps_from(self, row: int, col: int) -> tuple[Step, ...]:
        """Return the steps to the neighbors of a cell, which may lie outside the grid."""
        return self.directions[(row * self._parity[0] + col * self._parity[1]) & 1]

    def cell(self, value: CellLike) -> Cell:
        """Check a cell and return it as a `Cell`.

        Raises
        ------
        TypeError
            It is not two or three whole numbers.
        IndexError
            It lies outside the grid.
        """
        cell = self.within(value)
        if cell.deck != 0:
            raise IndexError(
                f"cell ({cell.row}, {cell.col}) has deck 0 only, got {quoted(cell.deck)}"
            )
        return cell

    def within(self, value: CellLike) -> Cell:
        """Check a cell on any deck and return it as a `Cell`; errors are those of `cell`."""
        cell = as_cell(value)
        if not self.contains(cell):
            is_swapped = self.contains(Cell(cell.col, cell.row))
            hint = f"; ({cell.col}, {cell.row}) is inside: the row comes first" * is_swapped
            raise IndexError(
                f"cell ({quoted(cell.row)}, {quoted(cell.col)}) is outside the map: "
                f"rows are 0..{self.rows - 1}, columns 0..{self.cols - 1}{hint}"
            )
        return cell

    def contains(self, cell: Cell) -> bool:
        """Return whether a cell lies in a column of the grid, on any deck."""
        return 0 <= cell.row < self.rows and 0 <= cell.col < self.cols

    def neighbors(self, cell: CellLike) -> list[Cell]:
        """Return the cells that share an edge with `cell`, in the order of `directions`."""
        row, col, _ = self.cell(cell)
        around = (Cell(row + drow, col + dcol) for drow, dcol in self.steps_from(row, col))
        return [neighbor for neighbor in around if self.contains(neighbor)]


@dataclass(frozen=True)
class SquareGrid(Grid):
    """Square cells in rows and columns, each with up to four neighbors.

    Directions are north, east, south, west; diagonals north-east, south-east, south-west,
    north-west. Corners start in the north-west. A border belongs to the cell east and south of it.
    """

    norm = "lattice"
    directions = (((-1, 0), (0, 1), (1, 0), (0, -1)),)
    headings = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
    opposite = (2, 3, 0, 1)
    diagonals = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    corner_scale = (1.0, 1.0)
    _parity = (0, 0)

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """The smallest (x0, y0, x1, y1) that holds all cells, in world units."""
        return 0.0, -float(self.rows), float(self.cols), 0.0

    def plane(self) -> NDArray[np.int32]:
        """Return the (rows, cols, 2) row and column of each cell, read-only."""
        rows_cols = np.indices((self.rows, self.cols), dtype=np.int32)
        return read_only(np.ascontiguousarray(np.moveaxis(rows_cols, 0, 2)))

    def lengths(self, away: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the (...) numbers of steps on open, flat ground for (..., 2) row, col offsets."""
        steps: NDArray[np.int64] = np.abs(away.astype(np.int64)).sum(axis=-1)
        return steps

    def distance(self, a: CellLike, b: CellLike) -> int:
        """Return the number of steps from `a` to `b` on open, flat ground."""
        a, b = self.cell(a), self.cell(b)
        return abs(a.row - b.row) + abs(a.col - b.col)

    def middle(self, row: int, col: int) -> Point:
        """Return the (x, y) of the center of a cell, which may lie outside the grid."""
        return col + 0.5, -(row + 0.5)

    def corner_coords(self, row: Indices, col: Indices) -> NDArray[np.int64]:
        """Return the corners of cells, counter-clockwise from the north-west."""
        west_north = np.stack([col, -row], axis=1).astype(np.int64)
        return west_north[:, None] + ((0, 0), (0, -1), (1, -1), (1, 0))

    def lattice_cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the (row, col) at a finite point, which may lie outside the grid."""
        return math.floor(-y), math.floor(x)


T = TypeVar("T")
Whole = TypeVar("Whole", int, NDArray[np.int32])

LAYOUTS = ("hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q")

_QUARTER = 1.0 / (2.0 * math.sqrt(3.0))
"""A quarter of a hexagon's height from tip to tip, in world units; half of its edge."""
_GAP = math.sqrt(3.0) / 2.0  # distance between lines, in world units

# Steps from a cell in a line without offset, then from one in an offset line.
_ROW_STEPS: tuple[tuple[Step, ...], ...] = (
    ((-1, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, -1)),
    ((-1, 1), (0, 1), (1, 1), (1, 0), (0, -1), (-1, 0)),
)
_COL_STEPS: tuple[tuple[Step, ...], ...] = (
    ((-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, -1)),
    ((-1, 0), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)),
)
_DIRECTIONS = {
    "hex_odd_r": _ROW_STEPS,
    "hex_even_r": _ROW_STEPS[::-1],
    "hex_odd_q": _COL_STEPS,
    "hex_even_q": _COL_STEPS[::-1],
}
_ROW_HEADINGS: tuple[Point, ...] = (
    (0.5, _GAP), (1.0, 0.0), (0.5, -_GAP), (-0.5, -_GAP), (-1.0, 0.0), (-0.5, _GAP),
)  # fmt: skip
_COL_HEADINGS: tuple[Point, ...] = (
    (0.0, 1.0), (_GAP, 0.5), (_GAP, -0.5), (0.0, -1.0), (-_GAP, -0.5), (-_GAP, 0.5),
)  # fmt: skip
# Corners in halves along the line and quarters across it, counter-clockwise in the world.
_ROW_CORNERS = ((1, 0), (0, 1), (0, 3), (1, 4), (2, 3), (2, 1))
_COL_CORNERS = ((0, 1), (1, 0), (2, 1), (2, 3), (1, 4), (0, 3))


@dataclass(frozen=True)
class HexGrid(Grid):
    """Hexagonal cells in rows and columns, each with up to six neighbors.

    A *line* is a row in the layouts "hex_*_r" and a column in "hex_*_q"; every second line is
    offset by half a cell. The *index* of a cell counts along its line. *Along* a line, centers are
    1 apart; *across* lines they are three quarters of a hexagon's height from tip to tip apart.
    See https://www.redblobgames.com/grids/hexagons/ for the names of the layouts.

    A border belongs, within floating-point precision, to the cell in the later line (further south
    with offset rows, further east with offset columns), and inside a line to the later cell.

    Parameters
    ----------
    rows, cols : int
        Size in cells, both at least 1.
    layout : str
        "hex_odd_r" or "hex_even_r": pointy tops, the odd or the even rows are offset half a cell
        east. Directions are north-east, east, south-east, south-west, west, north-west; corners
        start in the north. "hex_odd_q" or "hex_even_q": flat tops, the odd or the even columns are
        offset half a cell south. Directions are north, north-east, south-east, south, south-west,
        north-west; corners start in the north-west.

    Raises
    ------
    ValueError
        There are no cells, or the layout is unknown.
    """

    layout: str

    norm = "hex"
    opposite = (3, 4, 5, 0, 1, 2)
    diagonals = ()

    def __post_init__(self) -> None:
        """Check the size and the layout."""
        super().__post_init__()
        one_of("layout", self.layout, LAYOUTS)

    @property
    def directions(self) -> tuple[tuple[Step, ...], ...]:
        """Steps to the neighbors from even lines, then from odd ones, clockwise from north.

        A cell's class is the parity of its row with offset rows, else of its column.
        """
        return _DIRECTIONS[self.layout]

    @property
    def headings(self) -> tuple[Point, ...]:
        """(x, y) from a cell's center to its neighbor's, for each direction."""
        return _ROW_HEADINGS if self._lines_are_rows else _COL_HEADINGS

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """The smallest (x0, y0, x1, y1) that holds all cells, in world units."""
        lines, length = self._swapped(self.rows, self.cols)
        offsets = [self._offset(line) for line in range(min(lines, 2))]
        first, last, far = min(offsets), length + max(offsets), (3 * lines + 1) * _QUARTER
        if self._lines_are_rows:
            return first, -far, last, 0.0
        return 0.0, -last, far, 0.0 - first

    def plane(self) -> NDArray[np.int32]:
        """Return the (rows, cols, 2) axial coordinates (q, r) of each cell, read-only."""
        rows, cols = np.indices((self.rows, self.cols), dtype=np.int32)
        return read_only(np.stack(self._axial(rows, cols), axis=2))

    def lengths(self, away: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the (...) steps on open, flat ground for (..., 2) differences in (q, r)."""
        far = away.astype(np.int64)
        steps: NDArray[np.int64] = np.maximum(np.abs(far).max(axis=-1), np.abs(far.sum(axis=-1)))
        return steps

    def distance(self, a: CellLike, b: CellLike) -> int:
        """Return the number of steps from `a` to `b` on open, flat ground."""
        (row, col, _), (end_row, end_col, _) = self.cell(a), self.cell(b)
        (q, r), (end_q, end_r) = self._axial(row, col), self._axial(end_row, end_col)
        return max(abs(q - end_q), abs(r - end_r), abs(q + r - end_q - end_r))

    def middle(self, row: int, col: int) -> Point:
        """Return the (x, y) of the center of a cell, which may lie outside the grid."""
        line, index = self._swapped(row, col)
        along, across = index + 0.5 + self._offset(line), (3 * line + 2) * _QUARTER
        return (along, -across) if self._lines_are_rows else (across, -along)

    @property
    def corner_scale(self) -> Point:
        """World units along x and y per unit of `corner_coords`."""
        return (0.5, _QUARTER) if self._lines_are_rows else (_QUARTER, 0.5)

    def corner_coords(self, row: Indices, col: Indices) -> NDArray[np.int64]:
        """Return the corners of cells in halves along their line and quarters across the lines."""
        line, index = self._swapped(row, col)
        around = np.array(_ROW_CORNERS if self._lines_are_rows else _COL_CORNERS)
        is_offset = (line & 1) == ("odd" in self.layout)
        along = (2 * index + is_offset)[:, None] + around[:, 0]
        across = (3 * line)[:, None] + around[:, 1]
        pair = (along, -across) if self._lines_are_rows else (across, -along)
        return np.stack(pair, axis=2).astype(np.int64)

    def lattice_cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the (row, col) at a finite point, which may lie outside the grid."""
        along, across = (x, -y) if self._lines_are_rows else (-y, x)
        line = math.floor((across / _QUARTER - 2.0) / 3.0)
        offset = self._offset(line)
        index = math.floor(along - offset)
        sideways = abs(along - (index + 0.5 + offset))
        # The next line begins at the slanted edges: 2 quarters further at the tip, 1 at the ends.
        if across / _QUARTER - (3 * line + 2) >= 2.0 - 2.0 * sideways:
            line += 1
            index = math.floor(along - self._offset(line))
        return self._swapped(line, index)

    @cached_property
    def _lines_are_rows(self) -> bool:
        return self.layout.endswith("r")

    @property
    def _parity(self) -> Step:
        return self._swapped(1, 0)

    def _swapped(self, a: T, b: T) -> tuple[T, T]:
        """Convert (row, col) to (line, index), and back."""
        return (a, b) if self._lines_are_rows else (b, a)

    def _offset(self, line: int) -> float:
        """Return the offset of a line along itself."""
        return 0.5 * ((line & 1) == ("odd" in self.layout))

    def _axial(self, row: Whole, col: Whole) -> tuple[Whole, Whole]:
        """Return (q, r): a step east or south-east adds 1 to q, south-east or south adds 1 to r."""
        line, index = self._swapped(row, col)
        lag = 1 if "even" in self.layout else -1
        return self._swapped(line, index - (line + lag * (line & 1)) // 2)[::-1]


TOPOLOGIES = ("square", *LAYOUTS)
"""Names of all topologies: squares, and hexagons in offset rows or columns."""


def make_grid(topology: str, rows: int, cols: int) -> Grid:
    """Return a grid of a topology.

    Raises
    ------
    TypeError, ValueError
        The topology is unknown, or there are no cells.
    """
    one_of("topology", topology, TOPOLOGIES)
    return SquareGrid(rows, cols) if topology == "square" else HexGrid(rows, cols, topology)
