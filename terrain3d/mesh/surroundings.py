"""How high the ground is around tiles, seen from each of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import Rect
from terrain3d.mesh.lattice import Lattice
from terrain3d.tilemap import TileMap


@dataclass(frozen=True)
class Surroundings:
    """What `n` tiles have around them, in world units.

    Parameters
    ----------
    z : (n,) float32
        Heights of their tops.
    around : (surrounders, n) float32
        Heights of their surrounders, in the lattice's order; `base_z` where there is no ground.
    foot : (sides, n) float32
        Where their sides end below, for each direction; not below `z` where none is seen.
    """

    z: NDArray[np.float32]
    around: NDArray[np.float32]
    foot: NDArray[np.float32]


def ground_surroundings(
    tilemap: TileMap, rect: Rect, row: NDArray[np.int64], col: NDArray[np.int64], lattice: Lattice
) -> Surroundings:
    """Look around tiles of the ground.

    Parameters
    ----------
    rect : Rect
        Where the tiles lie.
    row, col : (n,) int64
        In the map.
    """
    near = rect.grown(1, tilemap.rows, tilemap.cols)
    inside = (slice(near.row, near.row + near.rows), slice(near.col, near.col + near.cols))
    z = np.full((rect.rows + 2, rect.cols + 2), tilemap.base_z, dtype=np.float32)
    top, left = near.row - rect.row + 1, near.col - rect.col + 1
    z[top : top + near.rows, left : left + near.cols] = np.where(
        tilemap.void[inside],
        np.float32(tilemap.base_z),
        tilemap.level[inside] * np.float32(tilemap.step_height),
    )
    width = rect.cols + 2
    at = (row - rect.row + 1) * width + (col - rect.col + 1)
    flat = z.ravel()
    around = flat.take(lattice.step_at(row, col) @ (width, 1) + at)
    return Surroundings(flat.take(at), around, around[: lattice.sides])
