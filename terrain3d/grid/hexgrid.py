"""Hexagonal grids in offset rows or columns, and the grid of each topology by name.

A *line* is a row in the layouts "hex_*_r" and a column in "hex_*_q"; every second line is offset by
half a cell. The *index* of a cell counts along its line. *Along* a line, centers are 1 apart;
*across* lines they are three quarters of a hexagon's height from tip to tip apart.
See https://www.redblobgames.com/grids/hexagons/ for the names of the layouts.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import one_of
from terrain3d.grid.grid import CellLike, Grid, Indices, Point, SquareGrid, Step, read_only

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

    def center(self, cell: CellLike) -> Point:
        """Return the (x, y) of a cell's center."""
        row, col, _ = self.cell(cell)
        return self.middle(row, col)

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
