"""What a mover stands on: levels, kinds, free air and walls as they are for its size.

For a mover of one tile these are the map's own arrays. A larger one stands, at the cell of its
north-west tile, on the highest of its tiles, in the dearest kind of ground among them.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.profile import MoveProfile
from terrain3d import Cell, TileMap

OPEN_SKY = 2**30
"""A ceiling where there is none, in levels."""

_NO_CEILING = np.zeros((0, 0, 0), dtype=np.int32)
_NO_WALLS = np.zeros((0, 0, 0), dtype=np.uint8)


def tiles_of(cell: Cell, profile: MoveProfile) -> tuple[Cell, ...]:
    """List the tiles that a mover covers when it holds a cell, that one first."""
    reach = range(profile.size)
    return tuple(
        Cell(cell.row + down, cell.col + right, cell.deck) for down in reach for right in reach
    )


@dataclass
class Footing:
    """Arrays by deck, row and column, of a profile on a map.

    Parameters
    ----------
    tilemap : TileMap
    profile : MoveProfile
    level, kind, is_void : (n_layers, rows, cols)
        Where it stands, on what, and where there is nothing to stand on.
    is_barred : (n_layers, rows, cols) bool
        Where it cannot come to stand: `is_void`, but for a large mover wherever it does not fit.
    is_no_stop : (n_layers, rows, cols) bool
        Where one of a large mover's tiles forbids to stop; empty for a mover of one tile.
    under : (n_layers, rows, cols) int32
        Level of each slab's underside; empty on maps without decks.
    ceiling : (n_layers, rows, cols) int32
        Level of the next slab's underside above each surface; empty on maps without decks.
    walls : (n_layers, rows, cols) uint8
        A bit for each edge that nobody crosses from there; empty on maps without walls.
    """

    tilemap: TileMap
    profile: MoveProfile
    level: NDArray[np.int16] = field(init=False)
    kind: NDArray[np.uint8] = field(init=False)
    is_void: NDArray[np.bool_] = field(init=False)
    is_barred: NDArray[np.bool_] = field(init=False)
    is_no_stop: NDArray[np.bool_] = field(init=False)
    under: NDArray[np.int32] = field(init=False)
    ceiling: NDArray[np.int32] = field(init=False)
    walls: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        """Take the map as it is."""
        tilemap = self.tilemap
        self.level, self.kind = tilemap.surface_level, tilemap.surface_kind
        self.is_void = tilemap.surface_void
        if self.profile.size > 1:
            self.level, self.kind = self.level.copy(), self.kind.copy()
            self.is_void = self.is_void.copy()
            self.is_void[1:] = True
        self.is_barred = self.is_void.copy() if self.profile.size > 1 else self.is_void
        self.is_no_stop = np.zeros((0, 0, 0), dtype=np.bool_)
        self.ceiling, self.under, self.walls = _NO_CEILING, _NO_CEILING, _NO_WALLS
        self.update()

    def update(self) -> None:
        """Follow the map; what is the map's own follows by itself."""
        tilemap = self.tilemap
        if tilemap.n_decks:
            headroom = tilemap.headroom.astype(np.int32)
            no_slab = headroom >= np.iinfo(np.int16).max
            self.under = tilemap.surface_level.astype(np.int32) - tilemap.surface_thickness
            self.ceiling = np.where(no_slab, OPEN_SKY, headroom + tilemap.surface_level)
        self.walls = tilemap.wall_bits if tilemap.walls else _NO_WALLS
        if self.profile.size > 1:
            self._gather()

    def _gather(self) -> None:
        """Stand on several tiles at once."""
        tilemap, size = self.tilemap, self.profile.size
        entry = self.profile.entry_cost(tilemap)
        order = np.argsort(np.where(np.isfinite(entry), entry, np.inf), kind="stable")
        rank = np.empty(len(order), dtype=np.uint8)
        rank[order] = np.arange(len(order))

        def over(array: NDArray[Any], function: np.ufunc, beyond: float) -> NDArray[Any]:
            wide = np.pad(array, (0, size - 1), constant_values=beyond)
            around = np.lib.stride_tricks.sliding_window_view(wide, (size, size))
            return np.asarray(function.reduce(function.reduce(around, axis=-1), axis=-1))

        level = tilemap.surface_level[0]
        highest, lowest = over(level, np.maximum, 0), over(level, np.minimum, 0)
        self.level[0] = highest
        self.kind[0] = order[over(rank[tilemap.surface_kind[0]], np.maximum, 0)]
        legal = np.isfinite(entry)[tilemap.surface_kind[0]] & ~tilemap.surface_void[0]
        is_level = highest - lowest <= self.profile.size_tolerance
        self.is_void[0] = over(tilemap.surface_void[0], np.logical_or, True)
        self.is_barred[0] = ~(over(legal, np.logical_and, False) & is_level)
        stops = np.array([self.profile.can_stop_on(kind) for kind in tilemap.kinds])
        self.is_no_stop = np.zeros_like(self.is_void)
        self.is_no_stop[0] = over(~stops[tilemap.surface_kind[0]], np.logical_or, True)
        if len(self.ceiling):
            self.ceiling[0] = over(self.ceiling[0].copy(), np.minimum, OPEN_SKY)
        if len(self.walls):
            self.walls = self.walls.copy()
            self.walls[0] = over(tilemap.wall_bits[0], np.bitwise_or, 0)
