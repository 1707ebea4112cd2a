"""Line of sight over stepped ground: an exact rule, the same in both directions.

A straight line runs from a point above the center of one surface to a point above the center of
another. It is open unless a part of it runs inside a solid body. A column of ground fills its tile
from below and a deck fills its slab; columns and decks that touch are one body. So a line that only
touches an edge, a corner or a top is open, and so is a line between two columns that meet only in a
corner. The surfaces that the two ends stand on hide neither end, as if an observer leaned over the
edge, unless one end is above the other. Void, links, walls on edges and units hide nothing.

A lobbed shot follows a parabola instead, some levels above the straight line at its middle.

All tests use integers, so that nothing depends on rounding: tile corners are `Grid.corner_coords`,
and a position on the line is a fraction. What a line crosses depends only on the offset between its
tiles, and is kept.
"""

from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell, TileMap, make_grid
from terrain3d.core.checks import number_within
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import Grid

_GROUND_BOTTOM, _NOTHING = -1, -2  # below all lines, and below the ground's own bottom
_MAX_FACTOR = 2**44  # times heights and arcs of up to 2**19 levels it fits into 64 bits
_MAX_TRACKS = 2**12

Ints = NDArray[Any]
"""int64, or Python's integers where 64 bits are too few."""


class _Track(NamedTuple):
    """Tiles that lines cross, and edges between tiles that they run along."""

    row: NDArray[np.int64]
    """(2, n) offsets from the start of the tiles on both sides; a crossed tile is there twice."""
    col: NDArray[np.int64]
    numerator: NDArray[np.int64]
    """(2, n) where the line enters and leaves, in parts of its length."""
    denominator: NDArray[np.int64]
    """(2, n)"""


class LineOfSight:
    """Lines of sight on a map."""

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        self._class = make_grid(tilemap.topology, 2, 2).cell_class()

    def is_open(self, start: Cell, end: Cell, eye: float, target: float) -> bool:
        """Return whether a line of sight is open; see `Navigation.line_of_sight`."""
        eye, target = (
            float(number_within(name, value, 0, MAX_LEVEL))
            for name, value in (("eye", eye), ("target", target))
        )
        return bool(self.are_open(np.array([start]), np.array([end]), eye, target)[0])

    def are_open(
        self,
        starts: NDArray[np.integer],
        ends: NDArray[np.integer],
        eye: float = 1.0,
        target: float = 1.0,
        arc: int = 0,
    ) -> NDArray[np.bool_]:
        """(n,) bool, whether lines, or shots with an arc, are open.

        `starts` and `ends` are (n, 3) row, column and deck of surfaces. `eye` and `target` are
        those of `Navigation.line_of_sight`. A shot flies `arc` levels above the straight line at
        its middle.
        """
        (over, over_of), (above, above_of) = eye.as_integer_ratio(), target.as_integer_ratio()
        scale = max(over_of, above_of)  # both are powers of two
        top_level = self._tilemap.top_level
        level, end_level = self._levels(starts), self._levels(ends)
        is_open = (eye >= top_level - level) & (target >= top_level - end_level)
        rest = np.flatnonzero(~is_open)
        if not len(rest):
            return is_open
        starts, ends = starts[rest], ends[rest]
        line, track = self._crossings(starts, ends)
        is_small = scale * int(track.denominator.max()) ** 2 < _MAX_FACTOR
        level, end_level = (
            each[rest[line]].astype(np.int64 if is_small else object) for each in (level, end_level)
        )
        z = level * scale + over * (scale // over_of)
        end_z = end_level * scale + above * (scale // above_of)
        rows, cols = (starts[line, axis] + track[axis] for axis in (0, 1))
        bottom, top = self._bodies(rows, cols)
        is_upright = (starts[:, :2] == ends[:, :2]).all(axis=1)[line]
        for stands, surface in ((starts, level), (ends, end_level)):
            row, col, _ = stands[line].T
            at = np.flatnonzero((rows[0] == row) & (cols[0] == col) & ~is_upright)
            _cut(bottom, top, at, surface[at])
        shots = _Shots(z, end_z - z, 4 * arc * scale)
        is_hit = np.zeros(len(line), dtype=np.bool_)
        for one, other in product(range(len(top)), repeat=2):
            filled = (
                np.maximum(bottom[one, :1], bottom[other, 1:]),
                np.minimum(top[one, :1], top[other, 1:]),
            )
            is_hit |= shots.meet(track, filled[0], filled[1], scale)
        is_open[rest] = np.bincount(line[is_hit], minlength=len(rest)) == 0
        return is_open

    def _crossings(
        self, starts: NDArray[np.integer], ends: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], _Track]:
        """Return for each place at which lines cross or touch tiles the line, and those places."""
        classes = self._class[starts[:, 0] & 1, starts[:, 1] & 1]
        offsets = np.column_stack([classes, (ends - starts)[:, :2]])
        kinds, kind = np.unique(offsets, axis=0, return_inverse=True)
        kind = kind.ravel()  # numpy 2.0.0 returns a column
        tracks = [_track(self._tilemap.topology, *offset) for offset in kinds.tolist()]
        counts = np.array([track.row.shape[1] for track in tracks])
        begins, n = np.cumsum(counts) - counts, counts[kind]
        line = np.repeat(np.arange(len(starts)), n)
        at = np.arange(len(line)) + np.repeat(begins[kind] - (np.cumsum(n) - n), n)
        fields = (np.concatenate(each, axis=1)[:, at] for each in zip(*tracks, strict=True))
        return line, _Track(*fields)

    def _levels(self, cells: NDArray[np.integer]) -> NDArray[np.int16]:
        row, col, deck = cells.T
        levels: NDArray[np.int16] = self._tilemap.surface_level[deck, row, col]
        return levels

    def _bodies(self, row: Ints, col: Ints) -> tuple[Ints, Ints]:
        """(n_decks + 1, ...) bottoms and tops of the bodies in columns; those that touch are one.

        Where there is no body, both are equal. Columns outside of the map have none.
        """
        tilemap = self._tilemap
        is_outside = (row < 0) | (row >= tilemap.rows) | (col < 0) | (col >= tilemap.cols)
        at = slice(None), np.clip(row, 0, tilemap.rows - 1), np.clip(col, 0, tilemap.cols - 1)
        top = tilemap.surface_level[at].astype(np.int64)
        bottom = top - tilemap.surface_thickness[at]
        bottom[0] = _GROUND_BOTTOM
        is_missing = tilemap.surface_void[at] | is_outside
        top[is_missing] = bottom[is_missing] = _NOTHING
        if len(top) > 1:
            order = np.argsort(top, axis=0)
            bottom, top = (np.take_along_axis(each, order, axis=0) for each in (bottom, top))
        for number in range(1, len(top)):
            below = number - 1
            touches = (top[below] > _NOTHING) & (top[below] >= bottom[number])
            bottom[number][touches] = top[below][touches] = bottom[below][touches]
        return bottom, top


@lru_cache(_MAX_TRACKS)
def _track(topology: str, cell_class: int, down: int, right: int) -> _Track:
    """Return what lines of an offset cross, from a cell of a class."""
    grid = make_grid(topology, 2, 2)
    if down == right == 0:
        here = np.zeros((2, 1), np.int64)
        return _Track(here, here, np.array([[0], [1]]), here + 1)
    start = np.argwhere(grid.cell_class() == cell_class)[0]
    ends = _corners(grid, start + np.array([[0, 0], [down, right]]))
    center, other = ends.sum(axis=1) // ends.shape[1]
    tiles, way = _tiles_near(start, down, right), other - center
    corners, length = _corners(grid, tiles) - center, int(way @ way)
    side = way[0] * corners[..., 1] - way[1] * corners[..., 0]  # > 0: on the line's left
    along = corners @ way  # 0 at the start of the line, `length` at its end
    is_crossed = (side.min(axis=1) < 0) & (side.max(axis=1) > 0)
    is_cut = ((side < 0) != (np.roll(side, 1, axis=1) < 0)) & is_crossed[:, None]
    tile, corner = np.nonzero(is_cut)  # of two edges of each tile, the corner behind
    s, t = (side[tile, each].astype(object) for each in (corner - 1, corner))
    place = along[tile, corner] * s - along[tile, corner - 1] * t
    # Where the line runs along an edge, only what fills the tiles on both sides blocks it.
    is_on_line = (side == 0) & ~is_crossed[:, None]
    beside, corner = np.nonzero(is_on_line & (is_on_line.sum(axis=1, keepdims=True) == 2))
    edges = np.column_stack([np.sort(along[beside, corner].reshape(-1, 2)), beside[::2]])
    edges = edges[(edges[:, 1] > 0) & (edges[:, 0] < length)]
    edges = edges[np.lexsort(edges.T[::-1])].reshape(-1, 2, 3)  # both sides of each
    sides = np.concatenate([np.stack([tile[::2]] * 2), edges[:, :, 2].T], axis=1)
    p = np.concatenate([place.reshape(-1, 2).T, edges[:, 0, :2].T], axis=1)
    q = ((s - t) * length).reshape(-1, 2).T
    q = np.concatenate([q, np.full((2, len(edges)), length)], axis=1)
    return _track_of(tiles[sides] - start, p, q)


def _corners(grid: Grid, tiles: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n, corners, 2) corners, twice as fine as those of a grid: centers are whole, too."""
    return 2 * grid.corner_coords(*tiles.T)


class _Shots(NamedTuple):
    """Lines or parabolas in scaled levels, once for each place of a track."""

    z: Ints
    """(n,) heights of their starts."""
    dz: Ints
    """(n,) how much higher their ends are."""
    bend: int
    """Four times the arc: the height over a part t of the line is z + dz t + bend t (1 - t)."""

    def meet(self, track: _Track, bottom: Ints, top: Ints, scale: int) -> NDArray[np.bool_]:
        """(n,) whether bodies, (1, n) each, are met at the places of a track."""
        dtype = self.z.dtype
        p, q = track.numerator.astype(dtype), track.denominator.astype(dtype)
        height = self.z * (q * q) + self.dz * (p * q) + self.bend * (p * (q - p))
        # A parabola is lowest at an end, and highest at an end or at its apex.
        is_low = (height < top * (scale * q * q)).any(axis=0)
        is_high = (height > bottom * (scale * q * q)).any(axis=0)
        if self.bend:
            apex = self.dz + self.bend  # is reached after this part of 2 bend
            is_inside = (2 * self.bend * p[0] < apex * q[0]) & (apex * q[1] < 2 * self.bend * p[1])
            rises = 4 * self.bend * (self.z - bottom * scale) + apex * apex > 0
            is_high |= is_inside & rises[0]
        met: NDArray[np.bool_] = (bottom < top)[0] & is_low & is_high
        return met


def _tiles_near(start: NDArray[np.int64], down: int, right: int) -> NDArray[np.int64]:
    """(n, 2) all tiles that a line from a tile touches, and a few more."""
    row, col = np.indices((abs(down) + 5, abs(right) + 5)).reshape(2, -1)
    row, col = row + min(0, down) - 2, col + min(0, right) - 2
    is_near = np.abs(down * col - right * row) <= 2 * (abs(down) + abs(right))
    tiles: NDArray[np.int64] = np.column_stack([row, col])[is_near] + start
    return tiles


def _track_of(tiles: NDArray[np.int64], p: Ints, q: Ints) -> _Track:
    """Return offsets of tiles, (2, n, 2), and places p / q without what is beyond the line."""
    divisor = np.gcd(p, q) * np.sign(q)
    p, q = (np.array((each // divisor).tolist()) for each in (p, q))  # most fit into 64 bits now
    p = np.clip(p, 0, q)
    is_backward = p[0] * q[1] > p[1] * q[0]
    p, q = (np.where(is_backward, each[::-1], each) for each in (p, q))
    kept = p[0] * q[1] < p[1] * q[0]
    return _Track(tiles[:, kept, 0], tiles[:, kept, 1], p[:, kept], q[:, kept])


def _cut(bottom: Ints, top: Ints, at: NDArray[np.int64], surface: Ints) -> None:
    """Remove what is filled right below the surface that an end of a line stands on."""
    low = bottom[..., at]
    is_under = (low < surface) & (surface <= top[..., at])
    bottom[..., at] = np.where(is_under, surface, low)
