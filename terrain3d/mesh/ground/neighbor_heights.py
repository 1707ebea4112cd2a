"""Heights around and above the surfaces of a deck."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.ground.lattice import Lattice

_NOWHERE = np.int64(-(1 << 20))  # level of missing ground
_ABYSS, _SKY = 2 * _NOWHERE, -_NOWHERE


@dataclass(frozen=True)
class Surroundings:
    """Heights around `n` tiles of one deck, in world units."""

    z: NDArray[np.float32]
    """(n,) heights of their tops."""
    under: NDArray[np.float32]
    """(n,) heights of their undersides."""
    around: NDArray[np.float32]
    """(around, n) heights of their surrounding tiles, in the lattice's order: the highest top of a
    body that reaches down to the tile's own height. Bodies that hover above it are ignored.
    `base_z` where there is nothing."""
    foot: NDArray[np.float32]
    """(sides, n) lower ends of their sides; at least `z` where no side is visible."""
    roof: NDArray[np.float32] | None = None
    """(1 + around, n) closeness of bodies that hover above the tile's height, in its own column and
    in those around: 0 for none, up to 1; None without any."""


def surroundings(
    tilemap: TileMap,
    rect: Rect,
    deck: int,
    row: NDArray[np.int64],
    col: NDArray[np.int64],
    lattice: Lattice,
) -> Surroundings:
    """Return the heights around tiles of a deck; (n,) `row` and `col` are those in the map."""
    near = rect.grown(1, tilemap.rows, tilemap.cols)
    inside = (slice(near.row, near.row + near.rows), slice(near.col, near.col + near.cols))
    top, left = near.row - rect.row + 1, near.col - rect.col + 1
    frame = (slice(top, top + near.rows), slice(left, left + near.cols))
    shape = (rect.rows + 2, rect.cols + 2)
    at = (row - rect.row + 1) * shape[1] + (col - rect.col + 1)
    steps = lattice.step_at(row, col)
    beside = steps[..., 0] * shape[1] + steps[..., 1] + at
    if tilemap.n_decks and not tilemap.surface_void[(slice(1, None), *inside)].all():
        bodies = _bodies(tilemap, inside, frame, shape)
        level = tilemap.surface_level[deck, row, col].astype(np.int64)
        under = level - tilemap.surface_thickness[deck, row, col] if deck else None
        return _among(bodies, level, under, at, beside, lattice.sides, tilemap)
    z = np.full(shape, tilemap.base_z, dtype=np.float32)
    z[frame] = np.where(
        tilemap.void[inside],
        np.float32(tilemap.base_z),
        tilemap.level[inside] * np.float32(tilemap.step_height),
    )
    flat = z.ravel()
    around = flat.take(beside)
    bottom = np.full(len(row), tilemap.base_z, dtype=np.float32)
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
    top = np.full((len(level), *shape), _NOWHERE)
    under = np.full(top.shape, _SKY)
    top[(slice(None), *frame)] = np.where(void, _NOWHERE, level)
    under[(slice(None), *frame)] = np.where(void, _SKY, level - tilemap.surface_thickness[cut])
    under[0] = _ABYSS
    order = np.argsort(under, axis=0, kind="stable")
    return [
        np.take_along_axis(each, order, axis=0).reshape(len(level), -1) for each in (top, under)
    ]


def _among(
    bodies: list[NDArray[np.int64]],
    level: NDArray[np.int64],
    under: NDArray[np.int64] | None,
    at: NDArray[np.int64],
    beside: NDArray[np.int64],
    sides: int,
    tilemap: TileMap,
) -> Surroundings:
    """Return the heights around surfaces at a level; `under` is None for the ground."""
    bottom = np.full(level.shape, _NOWHERE) if under is None else under
    highest = np.full(beside.shape, _NOWHERE)
    foot = np.broadcast_to(bottom, (sides, len(level)))
    near = np.concatenate([at[None], beside])
    gap = np.full(near.shape, _SKY)
    for tops, unders in zip(*bodies, strict=True):
        top, low = tops[beside], unders[beside]
        highest = np.where(low <= level, np.maximum(highest, top), highest)
        is_covered = (low[:sides] <= foot) & (foot < top[:sides])
        foot = np.where(is_covered, top[:sides], foot)
        hovers = unders[near] - level
        gap = np.where(hovers > 0, np.minimum(gap, hovers), gap)

    def world(levels: NDArray[np.int64]) -> NDArray[np.float32]:
        z = np.where(levels == _NOWHERE, tilemap.base_z, levels * tilemap.step_height)
        return z.astype(np.float32)

    roof = np.where(gap < _SKY // 2, 1.0 / (0.6 + 0.4 * gap), 0.0).astype(np.float32)
    return Surroundings(world(level), world(bottom), world(highest), world(foot), roof)
