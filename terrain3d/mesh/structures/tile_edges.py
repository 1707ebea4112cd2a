"""The edges between tiles that walls, doors, ladders and stairs are built on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.ground.paint import KindPalette

Vectors = NDArray[np.float64]


@dataclass(frozen=True)
class TileEdges:
    """Edges between `m` pairs of surfaces in neighboring columns.

    For two surfaces of one column, the edge is that of the column in the first direction.
    """

    middle: Vectors
    """(m, 2) midpoints of the edges."""
    ahead: Vectors
    """(m, 2) unit vectors from the first surface to the second."""
    aside: Vectors
    """(m, 2) unit vectors to the left of these."""
    length: float
    z: Vectors
    """(2, m) heights of the first and the second surface."""
    built: NDArray[np.float32]
    """(m, 3) colors of structures on the higher surface."""
    pattern: NDArray[np.float32]
    """(m,) their surface patterns."""

    @classmethod
    def between(cls, tilemap: TileMap, pairs: Sequence[tuple[Cell, Cell]]) -> Self:
        """Return the edges between at least one pair of surfaces."""
        lattice, palette = Lattice.of(tilemap.grid), KindPalette.of(tilemap.kinds)
        row, col, deck = np.array(pairs, dtype=np.int64).transpose(2, 1, 0)
        start, end = (tilemap.grid.centers(row[side], col[side]) for side in (0, 1))
        ahead = end - start
        ahead[(ahead == 0.0).all(axis=1)] = lattice.out[0]
        level = tilemap.surface_level[deck, row, col]
        higher = np.where(level[1] > level[0], 1, 0), np.arange(len(pairs))
        kind = tilemap.surface_kind[deck, row, col][higher]
        return cls(
            middle=start + 0.5 * ahead,
            ahead=ahead,
            aside=np.stack([-ahead[:, 1], ahead[:, 0]], axis=1),
            length=lattice.edge,
            z=level * tilemap.step_height,
            built=palette.built[kind],
            pattern=palette.built_pattern[kind],
        )

    @property
    def uphill(self) -> Vectors:
        """(m, 2) unit vectors from the lower surface to the higher one; `ahead` on level ground."""
        return self.ahead * np.where(self.z[1] < self.z[0], -1.0, 1.0)[:, None]

    @property
    def low_z(self) -> NDArray[np.float64]:
        """(m,) heights of the lower surfaces."""
        low: NDArray[np.float64] = self.z.min(axis=0)
        return low

    @property
    def high_z(self) -> NDArray[np.float64]:
        """(m,) heights of the higher surfaces."""
        high: NDArray[np.float64] = self.z.max(axis=0)
        return high

    def standing_points(self, inset: float) -> Vectors:
        """Return (m, 2) points at the middle of each edge that a structure can stand on.

        On level ground they are on the edge, else `inset` from it on the higher surface.
        """
        step = np.where(self.z[0] == self.z[1], 0.0, inset)
        return self.middle + self.uphill * step[:, None]
