"""Line of sight over stepped ground: an exact rule, the same in both directions.

A straight line runs from a point above the middle of one surface to a point above the middle of
another. It is open unless a part of it runs inside a solid body. A column of ground fills its tile
from below and a deck fills its slab; columns and decks that touch are one body. So a line that only
touches an edge, a corner or a top is open, and so is a line between two columns that meet only in a
corner. The surfaces that the two ends stand on hide neither end, as if an observer leaned over the
edge, unless one end is above the other. Void, links, walls on edges and units hide nothing.

All tests use integers, so that nothing depends on rounding: tile corners are `Grid.corner_coords`,
and a position on the line is a fraction.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from terrain3d import Cell, TileMap
from terrain3d.core.checks import number_within
from terrain3d.grid.columns import MAX_LEVEL

_BELOW_ALL = -(1 << 40)  # ground has no lower end

Corner = tuple[int, int]
Span = tuple[int, int]
"""Lower and upper end, in levels."""


class _Part(NamedTuple):
    """A part of a line: start / start_of to end / end_of of its length."""

    start: int
    start_of: int
    end: int
    end_of: int


class _Line:
    """A line of sight between two points (x, y, z), in scaled corner coordinates and levels.

    `scale` units of z make a level, so that all numbers are integers.
    """

    def __init__(self, start: tuple[int, int, int], end: tuple[int, int, int], scale: int) -> None:
        (self.x, self.y, self.z), (x, y, z) = start, end
        self.dx, self.dy, self.dz = x - self.x, y - self.y, z - self.z
        self.scale = scale
        # Places on the line are fractions of this length; a vertical line needs one too.
        self.length = self.dx * self.dx + self.dy * self.dy or 1
        self.lowest = min(self.z, z)

    def side(self, corner: Corner) -> int:
        """Return how far a corner lies beside the line seen from above: > 0 on its left."""
        return self.dx * (corner[1] - self.y) - self.dy * (corner[0] - self.x)

    def along(self, corner: Corner) -> int:
        """Return how far along the line a corner lies."""
        return self.dx * (corner[0] - self.x) + self.dy * (corner[1] - self.y)

    def inside(self, corners: Sequence[Corner], sides: Sequence[int]) -> _Part:
        """Return the part of the line that lies over a tile which it crosses."""
        if self.dx == self.dy == 0:
            return _Part(0, 1, 1, 1)
        ends = []
        for here in range(len(corners)):
            side, other = sides[here - 1], sides[here]
            if (side < 0) != (other < 0):
                far, other_far = self.along(corners[here - 1]), self.along(corners[here])
                sign = 1 if side > other else -1
                ends.append((sign * (other_far * side - far * other), sign * (side - other)))
        (first, first_of), (last, last_of) = ends
        if first * last_of > last * first_of:
            (first, first_of), (last, last_of) = ends[::-1]
        return _Part(first, first_of, last, last_of)

    def meets(self, part: _Part, spans: Sequence[Span]) -> bool:
        """Return whether a part of the line runs inside a body that fills some levels."""
        length = self.length
        start, start_of, end, end_of = part
        if start < 0:
            start, start_of = 0, 1
        if end > length * end_of:
            end, end_of = length, 1
        if start * end_of >= end * start_of:
            return False
        first = self.z * length * start_of + self.dz * start, length * start_of
        last = self.z * length * end_of + self.dz * end, length * end_of
        (low, low_of), (high, high_of) = (first, last) if self.dz >= 0 else (last, first)
        return any(
            low < top * self.scale * low_of and high > bottom * self.scale * high_of
            for bottom, top in spans
        )


class LineOfSight:
    """Lines of sight on a map."""

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        # Corners repeat every two rows and columns. Twice as fine, so that centers are whole too.
        row, col = np.divmod(np.arange(4), 2)
        corner_coords = 2 * tilemap.grid.corner_coords(row, col)
        self._corners = [[(int(x), int(y)) for x, y in tile] for tile in corner_coords]
        here, east, south = 2 * tilemap.grid.corner_coords(np.array([0, 0, 2]), np.array([0, 2, 0]))
        self._east, self._south = int(east[0, 0] - here[0, 0]), int(here[0, 1] - south[0, 1])

    def is_open(self, start: Cell, end: Cell, eye: float, target: float) -> bool:
        """Return whether a line of sight is open; see `Navigation.line_of_sight`."""
        eye, target = (
            float(number_within(name, value, 0, MAX_LEVEL))
            for name, value in (("eye", eye), ("target", target))
        )
        (over, over_of), (above, above_of) = eye.as_integer_ratio(), target.as_integer_ratio()
        scale = max(over_of, above_of)  # both are powers of two
        line = _Line(
            (*self._center(start), self._level(start) * scale + over * (scale // over_of)),
            (*self._center(end), self._level(end) * scale + above * (scale // above_of)),
            scale,
        )
        if line.lowest >= self._tilemap.top_level * scale:
            return True
        return not self._is_blocked(line, start, end)

    def _is_blocked(self, line: _Line, start: Cell, end: Cell) -> bool:
        edges: dict[frozenset[Corner], list[Span]] = {}
        for row, col in self._crossed(line, start, end):
            spans = self._spans(row, col)
            if line.dx or line.dy:
                for end_of_line in (start, end):
                    if (row, col) == end_of_line[:2]:
                        spans = _above(spans, self._level(end_of_line))
            if not spans or spans[-1][1] * line.scale <= line.lowest:
                continue
            corners = self._corners_of(row, col)
            sides = [line.side(corner) for corner in corners]
            if line.dx == line.dy == 0 or min(sides) < 0 < max(sides):
                if line.meets(line.inside(corners, sides), spans):
                    return True
                continue
            edge = [corner for corner, side in zip(corners, sides, strict=True) if side == 0]
            if len(edge) < 2:
                continue
            # The line runs along this edge: only what fills the tiles on both sides blocks it.
            other = edges.setdefault(frozenset(edge), spans)
            first, last = sorted(line.along(corner) for corner in edge)
            if other is not spans and line.meets(_Part(first, 1, last, 1), _shared(other, spans)):
                return True
        return False

    def _crossed(self, line: _Line, start: Cell, end: Cell) -> Iterator[tuple[int, int]]:
        """Yield the (row, col) of all tiles that a line crosses or touches, and of a few more."""
        tilemap = self._tilemap
        if line.dx == line.dy == 0:
            yield start.row, start.col
            return
        first, last = min(start.row, end.row), max(start.row, end.row)
        for row in range(max(0, first - 1), min(tilemap.rows, last + 2)):
            xs = self._range_over(line, row)
            if xs is not None:
                west, east = xs[0] * 2 // self._east - 1, xs[1] * 2 // self._east + 2
                for col in range(max(0, west), min(tilemap.cols, east)):
                    yield row, col

    def _range_over(self, line: _Line, row: int) -> Span | None:
        """Return integers around the x of a line over a row; None if it does not cross the row."""
        shift = (row >> 1) * self._south
        parity = 2 * (row & 1)
        ys = [y - shift for tile in self._corners[parity : parity + 2] for _, y in tile]
        y, dy = line.y, line.dy
        low, high = max(min(ys), min(y, y + dy)), min(max(ys), max(y, y + dy))
        if low > high:
            return None
        if dy == 0:
            return min(line.x, line.x + line.dx), max(line.x, line.x + line.dx)
        reached = [line.dx * (end - y) for end in (low, high)]
        floors, ceilings = [far // dy for far in reached], [-(-far // dy) for far in reached]
        return line.x + min(floors), line.x + max(ceilings)

    def _corners_of(self, row: int, col: int) -> list[Corner]:
        east, south = (col >> 1) * self._east, (row >> 1) * self._south
        tile = self._corners[2 * (row & 1) + (col & 1)]
        return [(x + east, y - south) for x, y in tile]

    def _center(self, cell: Cell) -> Corner:
        xs, ys = zip(*self._corners_of(cell.row, cell.col), strict=True)
        return sum(xs) // len(xs), sum(ys) // len(ys)

    def _level(self, cell: Cell) -> int:
        return int(self._tilemap.surface_level[cell.deck, cell.row, cell.col])

    def _spans(self, row: int, col: int) -> list[Span]:
        """Return the filled spans of a column, from below; spans that touch are one."""
        tilemap = self._tilemap
        if not tilemap.n_decks:
            is_void = tilemap.void.item(row, col)
            return [] if is_void else [(_BELOW_ALL, tilemap.level.item(row, col))]
        spans: list[Span] = []
        levels = tilemap.surface_level[:, row, col].tolist()
        thicknesses = tilemap.surface_thickness[:, row, col].tolist()
        for deck in tilemap.decks_at((row, col)):
            top = levels[deck]
            bottom = top - thicknesses[deck] if deck else _BELOW_ALL
            if spans and spans[-1][1] >= bottom:
                bottom = spans.pop()[0]
            spans.append((bottom, top))
        return spans


def _above(spans: Sequence[Span], level: int) -> list[Span]:
    """Return spans, cut off at a level if they are filled right below it."""
    is_under = [bottom < level <= top for bottom, top in spans]
    cut = [
        (level if under else bottom, top)
        for under, (bottom, top) in zip(is_under, spans, strict=True)
    ]
    return [(bottom, top) for bottom, top in cut if bottom < top]


def _shared(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the levels that are filled on both sides."""
    both = [(max(a[0], b[0]), min(a[1], b[1])) for a in some for b in others]
    return [(bottom, top) for bottom, top in both if bottom < top]
