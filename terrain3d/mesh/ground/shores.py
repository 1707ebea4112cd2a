"""Where liquids end: what lies beside each liquid tile, the same liquid, a shore or nothing."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.ground.paint import Palette


@dataclass(frozen=True)
class Shores:
    """What the `w` liquid tiles of a patch have around them.

    Parameters
    ----------
    tile : (w,) int64
        Which tiles of the patch they are.
    kind : (surrounders, w) int64
        Kinds of the liquids beside them on the same level, in the lattice's order; -1 where there
        is none.
    is_shore : (surrounders, w) bool
        Whether ground, or a higher liquid, ends them there; where ground falls away it does not.
    """

    tile: NDArray[np.int64]
    kind: NDArray[np.int64]
    is_shore: NDArray[np.bool_]

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
        """Look around the liquid ones among the tiles of a deck.

        Parameters
        ----------
        row, col, kind : (n,) int64
            Of all tiles.
        around : (surrounders, n) bool
            Whether what lies around them is at least as high as they are.
        """
        is_liquid = Palette.of(tilemap.kinds).is_liquid
        tile = np.nonzero(is_liquid[kind])[0]
        if not len(tile):
            nothing = np.zeros((len(around), 0), dtype=np.int64)
            return cls(tile, nothing, nothing.astype(bool))
        row, col = row[tile], col[tile]
        steps = lattice.step_at(row, col)
        near_row, near_col = row + steps[..., 0], col + steps[..., 1]
        is_there = (near_row >= 0) & (near_row < tilemap.rows)
        is_there &= (near_col >= 0) & (near_col < tilemap.cols)
        near = (deck, np.where(is_there, near_row, row), np.where(is_there, near_col, col))
        beside = tilemap.surface_kind[near].astype(np.int64)
        is_same = is_there & ~tilemap.surface_void[near] & is_liquid[beside]
        is_same &= tilemap.surface_level[near] == tilemap.surface_level[deck, row, col]
        return cls(tile, np.where(is_same, beside, -1), around[:, tile] & ~is_same)
