"""Flat colored shapes as vertex arrays, and where the tops of tiles are.

Marks are drawn without light and blended over the ground, in the order of their triangles.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid import CellLike
from terrain3d.tilemap import TileMap

LIFT = 0.02
"""How far above the ground a mark lies, in tiles."""

Color = tuple[float, float, float]
Floats = NDArray[np.float32]

DARK = (0.04, 0.05, 0.08)
"""Color of the thin lines that keep bright marks readable on snow and sand."""


class Marks(NamedTuple):
    """Triangles of one Geom.

    Parameters
    ----------
    points : (n, 3) float32, in world units
    colors : (n, 4) float32
        Red, green, blue and alpha in 0..1.
    texcoords : (n, 2) float32
    triangles : (m, 3) uint32
    """

    points: Floats
    colors: Floats
    texcoords: Floats
    triangles: NDArray[np.uint32]


EMPTY = Marks(
    np.zeros((0, 3), np.float32),
    np.zeros((0, 4), np.float32),
    np.zeros((0, 2), np.float32),
    np.zeros((0, 3), np.uint32),
)


def joined(parts: Iterable[Marks]) -> Marks:
    """Put marks into one, drawn in the order given."""
    listed = [EMPTY, *parts]
    starts = np.cumsum([0, *(len(part.points) for part in listed[:-1])])
    triangles = [part.triangles + np.uint32(at) for part, at in zip(listed, starts, strict=True)]
    return Marks(
        np.concatenate([part.points for part in listed]),
        np.concatenate([part.colors for part in listed]),
        np.concatenate([part.texcoords for part in listed]),
        np.concatenate(triangles),
    )


def quads(
    corners: NDArray[np.floating],
    color: Color,
    alpha: float = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> Marks:
    """Make quads of one color.

    Parameters
    ----------
    corners : (n, 4, 3), in world units
        Counter-clockwise seen from above.
    color : (3,)
    alpha : float
    texcoords : (2,) or (4, 2)
        The same for all quads.
    """
    count = len(corners)
    first = np.arange(count, dtype=np.uint32)[:, None] * np.uint32(4)
    triangles = first + np.array([0, 1, 2, 0, 2, 3], np.uint32)
    return Marks(
        corners.reshape(-1, 3).astype(np.float32),
        np.broadcast_to(np.array([*color, alpha], np.float32), (count * 4, 4)),
        np.broadcast_to(np.asarray(texcoords, np.float32), (count, 4, 2)).reshape(-1, 2),
        triangles.reshape(-1, 3),
    )


def fan(points: NDArray[np.floating], color: Color, alpha: float = 1.0) -> Marks:
    """Make a convex outline of (n, 3) points, counter-clockwise, into one filled shape."""
    count = len(points)
    turn = np.arange(1, count - 1, dtype=np.uint32)
    return Marks(
        points.astype(np.float32),
        np.broadcast_to(np.array([*color, alpha], np.float32), (count, 4)),
        np.zeros((count, 2), np.float32),
        np.stack([np.zeros_like(turn), turn, turn + np.uint32(1)], axis=1),
    )


def tops(tilemap: TileMap, cells: Iterable[CellLike]) -> NDArray[np.float64]:
    """Give the (row, col, z) of every cell's top, each cell once.

    Raises
    ------
    IndexError
        A cell lies outside the map.
    """
    listed = [tuple(cell) for cell in cells]
    if not listed:
        return np.zeros((0, 3))
    table = np.array([(*cell, 0)[:3] for cell in listed], np.int64)
    table = np.unique(table, axis=0)
    row, col, deck = table.T
    outside = (row < 0) | (row >= tilemap.rows) | (col < 0) | (col >= tilemap.cols)
    for entry in table[outside]:
        tilemap.grid.cell(entry)  # raises and says why
    z = tilemap.level[row, col] * tilemap.step_height
    for index in np.flatnonzero(deck):
        z[index] = tilemap.surface_point(table[index])[2]
    return np.stack([row, col, z], axis=1).astype(np.float64)
