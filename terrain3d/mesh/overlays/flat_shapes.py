"""Flat colored shapes as vertex arrays, and the positions of tile tops.

Marks are drawn without light and blended over the ground in the order of their triangles.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import CellLike
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData

LIFT = 0.02
"""Height of a mark above the ground, in tiles."""

DARK: Color = (0.04, 0.05, 0.08)
"""Color of the thin lines that keep bright marks readable on snow and sand."""


def flat(
    points: NDArray[np.floating],
    triangles: NDArray[np.integer],
    color: Color,
    alpha: float = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> MeshData:
    """Return (m, 3) triangles of (n, 3) points in one color that face up.

    `texcoords` are (2,) or (n, 2), for marks that are drawn with a texture.
    """
    count = len(points)
    normals, uv = np.zeros((2, count, 3), np.float32)
    normals[:, 2], uv[:, :2] = 1.0, texcoords
    shades = np.full((count, 4), np.rint(np.array([*color, alpha]) * 255.0), np.uint8)
    return MeshData(
        np.array(points, np.float32),
        normals,
        shades,
        uv,
        np.array(triangles, np.uint32),
    )


def joined(parts: Iterable[MeshData]) -> MeshData:
    """Join any number of marks into one; they are drawn in the given order."""
    marks = [*parts] or [flat(np.zeros((0, 3)), np.zeros((0, 3), np.uint32), DARK)]
    return MeshData.join(marks) if len(marks) > 1 else marks[0]


def quads(
    corners: NDArray[np.floating],
    color: Color,
    alpha: float = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> MeshData:
    """Return quads of one color; `texcoords` are (2,), (4, 2) or (n, 4, 2).

    `corners` are (n, 4, 3), in world units, counter-clockwise seen from above.
    """
    count = len(corners)
    first = np.arange(count)[:, None, None] * 4
    triangles = first + np.array([(0, 1, 2), (0, 2, 3)])
    uv = np.broadcast_to(texcoords, (count, 4, 2)).reshape(-1, 2)
    points = corners.reshape(-1, 3)
    return flat(points, triangles.reshape(-1, 3), color, alpha, uv)


def fan(outline: NDArray[np.floating], color: Color, alpha: float = 1.0) -> MeshData:
    """Return a filled convex outline of (n, 3) points, counter-clockwise seen from above."""
    second = np.arange(1, len(outline) - 1)
    triangles = np.stack([np.zeros_like(second), second, second + 1], axis=1)
    return flat(outline, triangles, color, alpha)


@dataclass(frozen=True)
class Tops:
    """The tops of `m` distinct surfaces; (m, 3) centers are in world units."""

    row: NDArray[np.int64]
    col: NDArray[np.int64]
    deck: NDArray[np.int64]
    center: NDArray[np.float64]

    @classmethod
    def of(cls, tilemap: TileMap, cells: Iterable[CellLike], includes_void: bool = False) -> "Tops":
        """Return the tops of cells, which may repeat; void is skipped unless `includes_void`.

        `IndexError` if a cell is outside the map, or its column has no such deck.
        """
        known = sorted({tilemap.cell(cell) for cell in cells})
        row, col, deck = np.array(known, np.int64).reshape(-1, 3).T
        is_there = ~tilemap.surface_void[deck, row, col] | includes_void
        row, col, deck = row[is_there], col[is_there], deck[is_there]
        return cls(row, col, deck, centers(tilemap, deck, row, col))


def centers(
    tilemap: TileMap, deck: NDArray[np.int64], row: NDArray[np.int64], col: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the (m, 3) centers of the tops of surfaces, in world units."""
    z = tilemap.surface_level[deck, row, col] * tilemap.step_height
    return np.column_stack([tilemap.grid.centers(row, col), z])
