"""Flat colored shapes as vertex arrays, and where the tops of tiles are.

Marks are drawn without light and blended over the ground, in the order of their triangles.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import CellLike
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh import MeshData

LIFT = 0.02
"""How far above the ground a mark lies, in tiles."""

DARK: Color = (0.04, 0.05, 0.08)
"""Color of the thin lines that keep bright marks readable on snow and sand."""


def flat(
    points: NDArray[np.floating],
    triangles: NDArray[np.integer],
    color: Color,
    alpha: float = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> MeshData:
    """Make triangles of one color that face up.

    Parameters
    ----------
    points : (n, 3), in world units
    triangles : (m, 3) int
    color : (red, green, blue)
    alpha : float in 0..1
    texcoords : (2,) or (n, 2)
        Places in the texture, where the mark is drawn with one.
    """
    count = len(points)
    shade = np.rint(np.array([*color, alpha]) * 255.0).astype(np.uint8)
    uv = np.zeros((count, 3), np.float32)
    uv[:, :2] = texcoords
    return MeshData(
        np.array(points, np.float32),
        np.tile(np.array([0.0, 0.0, 1.0], np.float32), (count, 1)),
        np.tile(shade, (count, 1)),
        uv,
        np.array(triangles, np.uint32),
    )


def joined(parts: Iterable[MeshData]) -> MeshData:
    """Put any number of marks into one, drawn in the order given."""
    nothing = flat(np.zeros((0, 3)), np.zeros((0, 3), np.uint32), DARK)
    return MeshData.join([nothing, *parts])


def quads(
    corners: NDArray[np.floating],
    color: Color,
    alpha: float = 1.0,
    texcoords: ArrayLike = (0.0, 0.0),
) -> MeshData:
    """Make quads of one color.

    Parameters
    ----------
    corners : (n, 4, 3), in world units
        Counter-clockwise seen from above.
    color : (red, green, blue)
    alpha : float in 0..1
    texcoords : (2,), (4, 2) or (n, 4, 2)
    """
    count = len(corners)
    first = np.arange(count)[:, None, None] * 4
    triangles = first + np.array([(0, 1, 2), (0, 2, 3)])
    uv = np.broadcast_to(texcoords, (count, 4, 2)).reshape(-1, 2)
    points = corners.reshape(-1, 3)
    return flat(points, triangles.reshape(-1, 3), color, alpha, uv)


def fan(outline: NDArray[np.floating], color: Color, alpha: float = 1.0) -> MeshData:
    """Fill a convex outline of (n, 3) points, counter-clockwise seen from above."""
    turn = np.arange(1, len(outline) - 1)
    return flat(outline, np.stack([np.zeros_like(turn), turn, turn + 1], axis=1), color, alpha)


@dataclass(frozen=True)
class Tops:
    """The tops of `m` surfaces, each once.

    Parameters
    ----------
    row, col, deck : (m,) int64
    middle : (m, 3) float64
        (x, y, z) of their centers.
    """

    row: NDArray[np.int64]
    col: NDArray[np.int64]
    deck: NDArray[np.int64]
    middle: NDArray[np.float64]

    @classmethod
    def of(cls, tilemap: TileMap, cells: Iterable[CellLike], takes_void: bool = False) -> "Tops":
        """Find the tops of cells, which may repeat; void is left out unless `takes_void`.

        Raises
        ------
        IndexError
            A cell lies outside the map, or its column has no such deck.
        """
        known = sorted({tilemap.cell(cell) for cell in cells})
        row, col, deck = np.array(known, np.int64).reshape(-1, 3).T
        is_there = ~tilemap.surface_void[deck, row, col] | takes_void
        row, col, deck = row[is_there], col[is_there], deck[is_there]
        middle = centers(tilemap, deck, row, col)
        return cls(row, col, deck, middle)


def centers(
    tilemap: TileMap, deck: NDArray[np.int64], row: NDArray[np.int64], col: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(m, 3): where the tops of surfaces have their centers, in world units."""
    knots = tilemap.grid.knots(row, col)
    opposite = knots.shape[1] // 2
    middle = np.empty((len(row), 3))
    middle[:, :2] = (knots[:, 0] + knots[:, opposite]) * 0.5 * tilemap.grid.knot_size
    middle[:, 2] = tilemap.surface_level[deck, row, col] * tilemap.step_height
    return middle
