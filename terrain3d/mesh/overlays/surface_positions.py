"""Some surfaces of a map by their numbers: where they are, and which way one lies from another."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.overlays.flat_shapes import centers

CHUNK = 16
"""Rows and columns of the surfaces that are drawn together."""


@dataclass(frozen=True)
class Spots:
    """Surfaces in the order of their numbers; each has its place among them.

    Parameters
    ----------
    number : (n,) int64
        (deck * rows + row) * cols + col, rising.
    middle : (n, 3) float64, in world units
        Where their tops have their centers.
    chunk : (n,) int64
        Which of the map's squares of CHUNK x CHUNK columns each lies in, counted from 0 up.
    """

    number: NDArray[np.int64]
    middle: NDArray[np.float64]
    chunk: NDArray[np.int64]

    @classmethod
    def of(cls, tilemap: TileMap, numbers: ArrayLike) -> "Spots":
        """Find surfaces by their numbers, which may repeat.

        Raises
        ------
        IndexError
            The map has no surface of such a number.
        """
        number = np.unique(np.asarray(numbers, dtype=np.int64))
        count = tilemap.surface_level.size
        if len(number) and not 0 <= number[0] <= number[-1] < count:
            raise IndexError(f"surfaces are 0..{count - 1}, got {number[0]}..{number[-1]}")
        deck, row, col = np.unravel_index(number, tilemap.surface_level.shape)
        chunk = np.unique(row // CHUNK * tilemap.cols + col // CHUNK, return_inverse=True)[1]
        return cls(number, centers(tilemap, deck, row, col), chunk)

    @classmethod
    def none(cls) -> "Spots":
        """Give no surfaces at all."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, np.zeros((0, 3)), nothing)

    @property
    def chunk_middle(self) -> NDArray[np.float64]:
        """(chunks, 3): the mean of the middles in each chunk."""
        count = np.bincount(self.chunk)
        sums = [np.bincount(self.chunk, self.middle[:, axis]) for axis in range(3)]
        means: NDArray[np.float64] = np.stack(sums, axis=1) / count[:, None]
        return means

    def places_of(self, numbers: ArrayLike) -> NDArray[np.int64]:
        """(k,) places of surfaces that are among these."""
        return np.searchsorted(self.number, np.asarray(numbers))

    def toward(
        self, places: NDArray[np.integer], numbers: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """(k, 2) directions of length 1 from places to surfaces; 0 where the number is negative."""
        others = self.places_of(np.maximum(numbers, self.number[:1]))
        way = self.middle[others, :2] - self.middle[places, :2]
        length = np.linalg.norm(way, axis=1, keepdims=True)
        way = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
        return np.where((numbers >= 0)[:, None], way, 0.0)
