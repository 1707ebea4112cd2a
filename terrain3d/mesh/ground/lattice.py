"""Neighbors and corners of a tile as array indices, levels around it, and chance by position.

The *surrounding tiles* of a tile ("around" in shapes) are its neighbors in each of the n
directions, clockwise from north, then the tiles that share only a corner, if any. Its n corners go
counter-clockwise: corner n - 2 - k lies between the directions k and k + 1. Left and right are as
seen from outside.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import Grid, Rect
from terrain3d.map.tilemap import BASE_Z, TileMap


@dataclass(frozen=True)
class Lattice:
    """The neighborhood of a tile of one grid."""

    grid: Grid
    sides: int
    """Number of corners and directions, n."""
    steps: NDArray[np.int64]
    """(around, classes, 2) rows and columns from the tile to each surrounding tile."""
    class_by_parity: NDArray[np.int64]
    """(2, 2) class of a tile in even and odd rows and columns."""
    at_corner: NDArray[np.int64]
    """(n, 2 or 3) surrounding tiles that share each corner."""
    ends: NDArray[np.int64]
    """(n, 2) corners at the left and right end of the side to each direction."""
    turns: NDArray[np.int64]
    """(n, 2) directions of the sides around the left and the right end."""
    beside: NDArray[np.int64]
    """(n, 2) surrounding tiles in front of a side, left and right of the one that it faces."""
    outline: NDArray[np.float64]
    """(n, 2) x and y from a tile's center to its corners."""
    out: NDArray[np.float32]
    """(n, 2) headings of the directions."""
    miter: NDArray[np.float32]
    """(n, 2, 2) offset to add to a side's heading at its left and right end, so that the point is
    as far out from the adjacent side as well."""

    @classmethod
    @cache
    def of(cls, grid: Grid) -> "Lattice":
        """Return the neighborhood of a grid's tiles, computed once."""
        direction = np.arange(len(grid.opposite))
        sides = len(direction)
        after, before = (direction + 1) % sides, (direction - 1) % sides
        turns = np.stack([after, before], axis=1)
        across = np.stack([sides + direction, sides + before], axis=1) if grid.diagonals else turns
        near_corner = (sides - 2 - direction) % sides
        sharing = [near_corner, after[near_corner]]
        if grid.diagonals:
            sharing.append(sides + near_corner)
        out = np.array(grid.headings)
        both = out[:, None] + out[turns]
        fit = 1.0 + (out[:, None] * out[turns]).sum(axis=2, keepdims=True)
        origin = np.zeros(1, dtype=np.int64)
        corners = np.roll(grid.corner_coords(origin, origin)[0], -1, axis=0) * grid.corner_scale
        return cls(
            grid=grid,
            sides=sides,
            steps=np.array([(*steps, *grid.diagonals) for steps in grid.directions]).swapaxes(0, 1),
            class_by_parity=np.array(
                [
                    [grid.directions.index(grid.steps_from(row, col)) for col in (0, 1)]
                    for row in (0, 1)
                ]
            ),
            at_corner=np.stack(sharing, axis=1),
            ends=np.stack(
                [(sides - 2 - direction) % sides, (sides - 1 - direction) % sides], axis=1
            ),
            turns=turns,
            beside=across,
            outline=corners - grid.centers(origin, origin),
            out=out.astype(np.float32),
            miter=(both / fit - out[:, None]).astype(np.float32),
        )

    @property
    def edge(self) -> float:
        """Length of a tile's edge, in world units."""
        left, right = self.outline[self.ends[0]]
        return float(np.hypot(*(right - left)))

    def corner_coords(self, row: NDArray[np.int64], col: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the (tiles, n, 2) corners of tiles as integers; see `Grid.corner_coords`."""
        return np.roll(self.grid.corner_coords(row, col), -1, axis=1)

    def step_at(self, row: NDArray[np.int64], col: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the (around, tiles or 1, 2) steps from each tile to its surrounding tiles."""
        if self.steps.shape[1] == 1:
            return self.steps
        return self.steps[:, self.class_by_parity[row & 1, col & 1]]


_ROW, _COL, _SALT = np.uint32(0x8DA6B343), np.uint32(0xD8163841), np.uint32(0xCB1AB31F)
_FIRST, _SECOND = np.uint32(0x7FEB352D), np.uint32(0x846CA68B)


def chance(row: ArrayLike, col: ArrayLike, salt: ArrayLike) -> NDArray[np.float32]:
    """Return pseudo-random numbers in [0, 1), in the shape that row, col and salt broadcast to.

    The scrambling constants are those of Chris Wellons's lowbias32.
    """
    rows, cols = np.asarray(row).astype(np.uint32), np.asarray(col).astype(np.uint32)
    # Scalars would cause overflow warnings.
    salts = np.atleast_1d(np.asarray(salt).astype(np.uint32))
    bits: NDArray[np.uint32] = (rows * _ROW) ^ (cols * _COL) ^ (salts * _SALT)
    bits ^= bits >> np.uint32(16)
    bits *= _FIRST
    bits ^= bits >> np.uint32(15)
    bits *= _SECOND
    bits ^= bits >> np.uint32(16)
    return (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)


def drift(
    rows: NDArray[np.floating], cols: NDArray[np.floating], size: int, salt: int
) -> NDArray[np.float32]:
    """Return (r, c) smooth numbers in [-1, 1]: lattice noise of `size` tiles.

    `rows` (r,) and `cols` (c,) are in world units, ascending, at least one of each.
    """
    row, row_part = _split(rows, size)
    col, col_part = _split(cols, size)
    lattice_rows, lattice_cols = (np.arange(at[0], at[-1] + 2) for at in (row, col))
    points = chance(lattice_rows[:, None], lattice_cols[None, :], salt) * 2.0 - 1.0
    row, col, row_part = row - row[0], col - col[0], row_part[:, None]
    along = points[row] * (1.0 - row_part) + points[row + 1] * row_part
    smooth: NDArray[np.floating] = along[:, col] * (1.0 - col_part) + along[:, col + 1] * col_part
    return smooth.astype(np.float32)


def _split(
    places: NDArray[np.floating], size: int
) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """Return the lattice line before each place, and the fraction of the step to the next."""
    before, beyond = np.divmod(places, size)
    return before.astype(np.int64), beyond / size


_ABYSS, _SKY = np.int64(-(1 << 21)), np.int64(1 << 20)  # levels below and above all others


def base_level(step_height: float) -> int:
    """Return the level that stands for the bottom of columns: the highest that is not above it."""
    return -math.ceil(-BASE_Z / step_height - 1e-3)


@dataclass(frozen=True)
class Surroundings:
    """Levels around `n` tiles of one deck; the bottom of columns is at `base_level`."""

    level: NDArray[np.int64]
    """(n,) levels of their tops."""
    under: NDArray[np.int64]
    """(n,) levels of their undersides."""
    around: NDArray[np.int64]
    """(around, n) levels of their surrounding tiles, in the lattice's order: the highest top of a
    body that reaches down to the tile's own level. Bodies that hover above it are ignored. The
    bottom of columns where there is nothing."""
    foot: NDArray[np.int64]
    """(sides, n) lower ends of their sides; at least `level` where no side is visible."""
    roof: NDArray[np.float32] | None = None
    """(1 + around, n) closeness of bodies that hover above the tile's level, in its own column and
    in those around: 0 for none, up to 1; None without any."""


def surroundings(
    tilemap: TileMap, rect: Rect, deck: int, row: NDArray[np.int64], col: NDArray[np.int64]
) -> Surroundings:
    """Return the levels around tiles of a deck; (n,) `row` and `col` are those in the map."""
    lattice = Lattice.of(tilemap.grid)
    near = rect.grown(1, tilemap.rows, tilemap.cols)
    inside, frame = near.slices(), near.slices(rect.row - 1, rect.col - 1)
    shape = (rect.rows + 2, rect.cols + 2)
    at = (row - rect.row + 1) * shape[1] + (col - rect.col + 1)
    steps = lattice.step_at(row, col)
    beside = steps[..., 0] * shape[1] + steps[..., 1] + at
    bottom = np.full(len(row), base_level(tilemap.step_height))
    if tilemap.n_decks and not tilemap.surface_void[(slice(1, None), *inside)].all():
        bodies = _bodies(tilemap, inside, frame, shape)
        level = tilemap.surface_level[deck, row, col].astype(np.int64)
        under = level - tilemap.surface_thickness[deck, row, col] if deck else bottom
        return _among(bodies, level, under, at, beside, lattice.sides, bottom)
    levels = np.full(shape, base_level(tilemap.step_height))
    levels[frame] = np.where(tilemap.void[inside], levels[frame], tilemap.level[inside])
    flat = levels.ravel()
    around = flat.take(beside)
    return Surroundings(flat.take(at), bottom, around, around[: lattice.sides])


def _bodies(
    tilemap: TileMap,
    inside: tuple[slice, slice],
    frame: tuple[slice, slice],
    shape: tuple[int, int],
) -> list[NDArray[np.int64]]:
    """Return the bodies of columns, from low to high, in a frame of empty columns.

    They are (bodies, columns) levels of tops and of undersides.
    """
    cut = (slice(None), *inside)
    level, void = tilemap.surface_level[cut].astype(np.int64), tilemap.surface_void[cut]
    top = np.full((len(level), *shape), _ABYSS)
    under = np.full(top.shape, _SKY)
    top[(slice(None), *frame)] = np.where(void, _ABYSS, level)
    under[(slice(None), *frame)] = np.where(void, _SKY, level - tilemap.surface_thickness[cut])
    under[0] = _ABYSS
    order = np.argsort(under, axis=0, kind="stable")
    return [
        np.take_along_axis(each, order, axis=0).reshape(len(level), -1) for each in (top, under)
    ]


def _among(
    bodies: list[NDArray[np.int64]],
    level: NDArray[np.int64],
    under: NDArray[np.int64],
    at: NDArray[np.int64],
    beside: NDArray[np.int64],
    sides: int,
    bottom: NDArray[np.int64],
) -> Surroundings:
    """Return the levels around surfaces; columns end at the level `bottom`."""
    highest = np.broadcast_to(bottom, beside.shape)
    foot = np.broadcast_to(under, (sides, len(level)))
    near = np.concatenate([at[None], beside])
    gap = np.full(near.shape, _SKY)
    for tops, unders in zip(*bodies, strict=True):
        top, low = tops[beside], unders[beside]
        highest = np.where(low <= level, np.maximum(highest, top), highest)
        is_covered = (low[:sides] <= foot) & (foot < top[:sides])
        foot = np.where(is_covered, top[:sides], foot)
        hovers = unders[near] - level
        gap = np.where(hovers > 0, np.minimum(gap, hovers), gap)
    roof = np.where(gap < _SKY // 2, 1.0 / (0.6 + 0.4 * gap), 0.0).astype(np.float32)
    return Surroundings(level, under, highest, foot, roof)
