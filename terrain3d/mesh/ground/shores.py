"""Borders of liquids: liquid, shore or a drop around each liquid tile."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.ground.paint import KindPalette


@dataclass(frozen=True)
class Shores:
    """The surrounding tiles of the `w` liquid tiles of a patch."""

    tile: NDArray[np.int64]
    """(w,) indices of the liquid tiles in the patch."""
    kind: NDArray[np.int64]
    """(around, w) kinds of adjacent liquids at the same level, in the lattice's order, or -1."""
    is_shore: NDArray[np.bool_]
    """(around, w) whether ground or a higher liquid is there; lower ground does not count."""

    @classmethod
    def of(
        cls,
        tilemap: TileMap,
        deck: int,
        row: NDArray[np.int64],
        col: NDArray[np.int64],
        kind: NDArray[np.int64],
        around: NDArray[np.bool_],
        lattice: Lattice,
    ) -> Self:
        """Return the shores of the liquid tiles among (n,) tiles of a deck.

        `around` is (around, n): whether each surrounding tile is at least as high as the tile.
        """
        is_liquid = KindPalette.of(tilemap.kinds).is_liquid
        tile = np.nonzero(is_liquid[kind])[0]
        if not len(tile):
            nothing = np.zeros((len(around), 0), dtype=np.int64)
            return cls(tile, nothing, nothing.astype(bool))
        row, col = row[tile], col[tile]
        steps = lattice.step_at(row, col)
        near_row, near_col = row + steps[..., 0], col + steps[..., 1]
        is_inside = (near_row >= 0) & (near_row < tilemap.rows)
        is_inside &= (near_col >= 0) & (near_col < tilemap.cols)
        near = (deck, np.where(is_inside, near_row, row), np.where(is_inside, near_col, col))
        beside = tilemap.surface_kind[near].astype(np.int64)
        is_same = is_inside & ~tilemap.surface_void[near] & is_liquid[beside]
        is_same &= tilemap.surface_level[near] == tilemap.surface_level[deck, row, col]
        return cls(tile, np.where(is_same, beside, -1), around[:, tile] & ~is_same)
