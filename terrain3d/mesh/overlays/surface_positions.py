"""Positions of numbered surfaces of a map, and the directions between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.overlays.flat_shapes import centers

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
