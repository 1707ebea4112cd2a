"""A piece of the map and one tile around it: all that its mesh may depend on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import Rect
from terrain3d.mesh.data import PATTERN_UNIT
from terrain3d.mesh.paint import Palette
from terrain3d.mesh.variation import chance, drift
from terrain3d.tilemap import TileMap

DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""(row, col) to the north, east, south, west."""

CORNERS = ((1, 0), (1, 1), (0, 1), (0, 0))
"""(row, col) of the south-west, south-east, north-east and north-west corner of a tile."""

_OCCLUSION = 0.22  # what each higher neighbor at a corner takes of its light


@dataclass(frozen=True)
class Patch:
    """The tiles of a rectangle that have ground, `n` of them, as flat arrays.

    Parameters
    ----------
    row, col : (n,) int64
        Place in the whole map.
    around : (3, 3, n) float32
        Heights of the tile (in the middle) and the eight around it, by row and column; `base_z`
        where there is no ground.
    kind : (n,) int64
        Index into the palette.
    colors : (n, 4, 3) float32
        Top color at the corners in the order of CORNERS, not yet occluded.
    """

    rect: Rect
    palette: Palette
    step_height: float
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    around: NDArray[np.float32]
    kind: NDArray[np.int64]
    colors: NDArray[np.float32]

    @classmethod
    def of(cls, tilemap: TileMap, rect: Rect) -> "Patch":
        """Cut a rectangle out of a map."""
        around = rect.grown(1, tilemap.rows, tilemap.cols)
        inside = (
            slice(around.row, around.row + around.rows),
            slice(around.col, around.col + around.cols),
        )
        height = np.where(
            tilemap.void[inside],
            np.float32(tilemap.base_z),
            tilemap.level[inside] * np.float32(tilemap.step_height),
        )
        z_around = np.full((rect.rows + 2, rect.cols + 2), tilemap.base_z, dtype=np.float32)
        top, left = around.row - rect.row + 1, around.col - rect.col + 1
        z_around[top : top + around.rows, left : left + around.cols] = height
        cells = (slice(rect.row, rect.row + rect.rows), slice(rect.col, rect.col + rect.cols))
        row, col = np.nonzero(~tilemap.void[cells])
        kind = tilemap.kind[cells][row, col].astype(np.int64)
        palette = Palette.of(tilemap.kinds)
        colors = _colors(palette, kind, row, col, tilemap.level[cells][row, col], rect)
        return cls(
            rect,
            palette,
            tilemap.step_height,
            row + rect.row,
            col + rect.col,
            _neighborhood(z_around, row, col),
            kind,
            colors,
        )

    @property
    def z(self) -> NDArray[np.float32]:
        """The (n,) heights of the tops."""
        return self.z_near(0, 0)

    @cached_property
    def tones(self) -> NDArray[np.float32]:
        """The (n, 3) mean colors of the tops."""
        c = self.colors
        mean: NDArray[np.float32] = (c[:, 0] + c[:, 1] + c[:, 2] + c[:, 3]) * np.float32(0.25)
        return mean

    def z_near(self, d_row: int, d_col: int) -> NDArray[np.float32]:
        """Give the (n,) heights of the tiles that lie (d_row, d_col) from each tile."""
        height: NDArray[np.float32] = self.around[1 + d_row, 1 + d_col]
        return height

    def occlusion(self) -> NDArray[np.float32]:
        """Give the part of light, (n, 4), that reaches each corner of each top."""
        light = np.ones((len(self.z), 4), dtype=np.float32)
        for corner, (row, col) in enumerate(CORNERS):
            d_row, d_col = 2 * row - 1, 2 * col - 1
            for near in ((d_row, 0), (0, d_col), (d_row, d_col)):
                light[:, corner] -= _OCCLUSION * (self.z_near(*near) > self.z)
        return light

    def marks(self) -> NDArray[np.float32]:
        """Give the (n,) marks of the tops; see `MeshData`."""
        marks = self.palette.pattern[self.kind] * PATTERN_UNIT
        for bit, near in enumerate(DIRECTIONS):
            z_near = self.z_near(*near)
            marks += 2.0**bit * (z_near < self.z) + 2.0 ** (bit + 4) * (z_near > self.z)
        return marks


def _neighborhood(
    z_around: NDArray[np.float32], row: NDArray[np.int64], col: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Gather the heights around tiles from a table with one row and column more on each side."""
    width = z_around.shape[1]
    steps = np.arange(3)[:, None] * width + np.arange(3)
    heights: NDArray[np.float32] = z_around.ravel().take(
        steps[:, :, None] + (row * width + col)[None, None]
    )
    return heights


def _colors(
    palette: Palette,
    kind: NDArray[np.int64],
    row: NDArray[np.int64],
    col: NDArray[np.int64],
    level: NDArray[np.int16],
    rect: Rect,
) -> NDArray[np.float32]:
    """Vary the kinds' colors, smoothly from corner to corner and a little from tile to tile."""
    rows = np.arange(rect.row, rect.row + rect.rows + 1)
    cols = np.arange(rect.col, rect.col + rect.cols + 1)
    slow = 0.65 * drift(rows, cols, 5, 1) + 0.35 * drift(rows, cols, 2, 2)
    at_corner = np.stack([slow[row + d_row, col + d_col] for d_row, d_col in CORNERS], axis=1)
    bright = 1.0 + palette.jitter[kind] * (chance(row + rect.row, col + rect.col, 3) * 2.0 - 1.0)
    # Higher ground is a little lighter, so that heights read at a glance.
    bright *= np.float32(0.95) + np.float32(0.025) * np.minimum(level, 6)
    base = palette.top[kind] * bright[:, None]
    colors: NDArray[np.float32] = base[:, None, :] * (
        1.0 + at_corner[:, :, None] * palette.shift[kind][:, None, :]
    )
    return colors
