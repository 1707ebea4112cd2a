"""The state of a search drawn on tiles, open or closed with an arrow to the parent; its positions.

All faces of a grid have the same number of vertices, so that single faces can be updated in place.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.grid import Grid
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import SURFACE, MeshData, fans
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, centers
from terrain3d.mesh.overlays.region import FRAME, N_PARTS, SOLID, STRIPES

HIDDEN, OPEN, CLOSED, OPEN_NOW, CLOSED_NOW = range(5)
"""Looks of a face: not drawn; open; closed; opened or made cheaper just now; closed just now."""

_SHADES = np.array(
    [
        [(*DARK, 0.0), (*DARK, 0.0), (*DARK, 0.95)],
        [(0.98, 0.70, 0.24, 0.95), (1.0, 0.84, 0.50, 1.0), (1.0, 0.97, 0.90, 0.95)],
        [(0.33, 0.22, 0.60, 0.66), (0.72, 0.62, 1.0, 0.40), (0.90, 0.86, 1.0, 0.95)],
        [(1.0, 0.90, 0.55, 1.0), (1.0, 0.97, 0.85, 1.0), (1.0, 1.0, 1.0, 0.95)],
        [(0.93, 0.90, 1.0, 0.80), (1.0, 1.0, 1.0, 1.0), (0.33, 0.22, 0.60, 0.95)],
    ]
)
"""Fill, frame and arrow of each look."""
_RIM_ALPHA = 0.55

_INSET, _FILL_INSET = 0.06, 0.012
_RIM = 0.028
# Tail, neck and tip toward the parent, from the tile's center; half widths of stem and head.
_LONG = (-0.27, 0.06, 0.34, 0.035, 0.15)
_SHORT = (0.35, 0.35, 0.48, 0.0, 0.11)

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Faces:
    """Builds the faces of one grid's tiles."""

    grid: Grid

    @property
    def n_vertices(self) -> int:
        """Number of vertices per face."""
        return 2 * self._sides + 1 + 14

    @property
    def _sides(self) -> int:
        return Lattice.of(self.grid).sides

    def mesh(
        self, center: Reals, look: NDArray[np.integer], toward: Reals, is_near: NDArray[np.bool_]
    ) -> MeshData:
        """Return faces, to be drawn with the texture `region.pattern`, repeated vertically.

        They lie on tops with (m, 3) centers. `look` (m,) is HIDDEN, OPEN, CLOSED, OPEN_NOW or
        CLOSED_NOW, `toward` (m, 2) the unit vectors toward the parents, 0 without a parent, and
        `is_near` (m,) whether the arrow leaves the center free for numbers.
        """
        count, sides = len(center), self._sides
        points = np.empty((count, self.n_vertices, 3))
        points[...] = center[:, None]
        points[..., 2] += LIFT
        is_shown = (look != HIDDEN)[:, None, None]
        outline = Lattice.of(self.grid).outline
        points[:, :sides, :2] += outline * (1.0 - 2.0 * _FILL_INSET) * is_shown
        points[:, sides : 2 * sides, :2] += outline * (1.0 - 2.0 * _INSET) * is_shown
        points[:, 2 * sides + 1 :, :2] += _arrow(toward, is_near) * is_shown
        return MeshData(
            points.reshape(-1, 3).astype(np.float32),
            np.tile(np.array([0.0, 0.0, 1.0], np.float32), (count * self.n_vertices, 1)),
            self._colors(look).reshape(-1, 4),
            self._texcoords(points, look).reshape(-1, 2).astype(np.float32),
            np.zeros(count * self.n_vertices, SURFACE),
            fans(count, self.n_vertices, self._triangles()).reshape(-1, 3),
        )

    def _triangles(self) -> list[tuple[int, int, int]]:
        sides = self._sides
        fill = [(0, i, i + 1) for i in range(1, sides - 1)]
        frame = [(sides + i, sides + (i + 1) % sides, 2 * sides) for i in range(sides)]
        arrows = [
            (start + a, start + b, start + c)
            for start in (2 * sides + 1, 2 * sides + 8)
            for a, b, c in ((0, 1, 2), (0, 2, 3), (4, 5, 6))
        ]
        return [*fill, *frame, *arrows]

    def _colors(self, look: NDArray[np.integer]) -> NDArray[np.uint8]:
        """Return (m, n_vertices, 4) colors of fill, frame, the arrow's dark rim and the arrow."""
        sides = self._sides
        tables = np.zeros((len(_SHADES), self.n_vertices, 4))
        tables[:, :sides] = _SHADES[:, :1]
        tables[:, sides : 2 * sides + 1] = _SHADES[:, 1:2]
        tables[:, 2 * sides + 1 : -7] = (*DARK, _RIM_ALPHA)
        tables[:, -7:] = _SHADES[:, 2:]
        colors: NDArray[np.uint8] = np.rint(tables * 255.0).astype(np.uint8)[look]
        return colors

    def _texcoords(self, points: Reals, look: NDArray[np.integer]) -> Reals:
        """Return (m, n_vertices, 2) texture coordinates: stripes on open tiles only."""
        sides = self._sides
        texcoords = np.zeros((*points.shape[:2], 2))
        texcoords[..., 0] = (SOLID + 0.5) / N_PARTS
        texcoords[..., 1] = 0.5
        is_striped = (look == OPEN) | (look == OPEN_NOW)
        across = points[:, :sides, 0] + points[:, :sides, 1]
        across -= np.floor(across[:, :1])  # the pattern repeats, and small numbers keep precision
        texcoords[is_striped, :sides, 0] = (STRIPES + 0.5) / N_PARTS
        texcoords[is_striped, :sides, 1] = across[is_striped]
        texcoords[:, sides : 2 * sides + 1, 0] = (FRAME + 0.5) / N_PARTS
        texcoords[:, sides : 2 * sides, 1] = _INSET
        return texcoords


def _arrow(toward: Reals, is_near: NDArray[np.bool_]) -> Reals:
    """Return (m, 14, 2) offsets from the centers: stem and head of the rim, then of the arrow."""
    aside = np.stack([-toward[:, 1], toward[:, 0]], axis=1)
    sizes = np.where(is_near[:, None], _SHORT, _LONG)
    parts = []
    for rim in (_RIM, 0.0):
        tail, neck, tip, stem, head = sizes.T
        along = np.stack(
            [tail - rim, neck, neck, tail - rim, neck - rim, neck - rim, tip + 2 * rim]
        )
        stem, head = np.where(stem > 0, stem + rim, 0.0), head + 1.6 * rim
        across = np.stack([-stem, -stem, stem, stem, -head, head, np.zeros_like(head)])
        parts += [along.T[..., None] * toward[:, None] + across.T[..., None] * aside[:, None]]
    return np.concatenate(parts, axis=1)


CHUNK = 16
"""Rows and columns of a chunk of surfaces that are drawn together."""


@dataclass(frozen=True)
class SurfacePositions:
    """Positions of `n` surfaces, sorted by their numbers, (deck * rows + row) * cols + col.

    `center` (n, 3) are the centers of their tops, in world units; `chunk` (n,) is the number of the
    chunk, a square of CHUNK x CHUNK columns; only used chunks are numbered.
    """

    number: NDArray[np.int64]
    center: NDArray[np.float64]
    chunk: NDArray[np.int64]

    @classmethod
    def of(cls, tilemap: TileMap, numbers: ArrayLike) -> "SurfacePositions":
        """Return the positions of surfaces by their numbers, which may repeat.

        `IndexError` if a number is not that of a surface of the map.
        """
        number = np.unique(np.asarray(numbers, dtype=np.int64))
        count = tilemap.surface_level.size
        if len(number) and not 0 <= number[0] <= number[-1] < count:
            raise IndexError(f"surfaces are 0..{count - 1}, got {number[0]}..{number[-1]}")
        deck, row, col = np.unravel_index(number, tilemap.surface_level.shape)
        chunk = np.unique(row // CHUNK * tilemap.cols + col // CHUNK, return_inverse=True)[1]
        return cls(number, centers(tilemap, deck, row, col), chunk)

    @classmethod
    def empty(cls) -> "SurfacePositions":
        """Return no positions."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, np.zeros((0, 3)), nothing)

    @property
    def chunk_center(self) -> NDArray[np.float64]:
        """Mean position of each chunk, (n_chunks, 3)."""
        count = np.bincount(self.chunk)
        sums = [np.bincount(self.chunk, self.center[:, axis]) for axis in range(3)]
        return np.stack(sums, axis=1) / count[:, None]

    def indices_of(self, numbers: ArrayLike) -> NDArray[np.int64]:
        """Return the (k,) indices of surfaces, each of which must be among these."""
        return np.searchsorted(self.number, np.asarray(numbers))

    def directions(
        self, indices: NDArray[np.integer], numbers: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return (k, 2) unit vectors from indices to surfaces; 0 where the number is negative."""
        others = self.indices_of(np.maximum(numbers, self.number[:1]))
        offset = self.center[others, :2] - self.center[indices, :2]
        length = np.linalg.norm(offset, axis=1, keepdims=True)
        unit = np.divide(offset, length, out=np.zeros_like(offset), where=length > 0)
        return np.where((numbers >= 0)[:, None], unit, 0.0)
