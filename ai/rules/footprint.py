"""What a mover stands on: levels, kinds, free air and walls as they are for its size.

For a mover of one tile these are the map's own arrays. A larger one stands, at the cell of its
north-west tile, on the highest of its tiles, in the dearest kind of ground among them.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.rules.profile import MoveProfile
from terrain3d import Cell, Rect, TileMap

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
class Footprint:
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
    _source: NDArray[Any] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Take the map as it is."""
        tilemap = self.tilemap
        self._source = tilemap.surface_level.base
        self.level, self.kind = tilemap.surface_level, tilemap.surface_kind
        self.is_void = tilemap.surface_void
        if self.profile.size > 1:
            self.level, self.kind = self.level.copy(), self.kind.copy()
            self.is_void = self.is_void.copy()
            self.is_void[1:] = True
        self.is_barred = self.is_void.copy() if self.profile.size > 1 else self.is_void
        self.is_no_stop = np.zeros((0, 0, 0), dtype=np.bool_)
        self.ceiling, self.under, self.walls = _NO_CEILING, _NO_CEILING, _NO_WALLS
        if tilemap.n_decks:
            self.under = np.empty(self.level.shape, dtype=np.int32)
            self.ceiling = np.empty(self.level.shape, dtype=np.int32)
        if self.profile.size > 1:
            self.is_no_stop = np.zeros_like(self.is_void)
        self.update(_whole(tilemap))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Flat views for compiled code; the last one, `under`, is for leaps only."""
        arrays = (
            self.level, self.kind, self.is_void, self.is_barred, self.ceiling, self.walls,
            self.under,
        )  # fmt: skip
        return tuple(array.reshape(-1) for array in arrays)

    @property
    def is_outdated(self) -> bool:
        """Whether the map has other arrays now, as when a deck number comes that none had before.

        It may have as many layers again, if decks came and went meanwhile.
        """
        return self.tilemap.surface_level.base is not self._source

    def absence_reason(self, cell: Cell) -> str:
        """Return why the mover cannot stand on a barred surface: its ground, or its size."""
        size, tilemap = self.profile.size, self.tilemap
        tiles = tiles_of(cell, self.profile)
        last = tiles[-1]
        if size == 1 or (cell.deck == 0 and last.row < tilemap.rows and last.col < tilemap.cols):
            for tile in tiles:
                if tilemap.surface_void[tile.deck, tile.row, tile.col]:
                    return f"{tile} is void"
            for tile in tiles:
                reason = self.kind_reason(tile)
                if reason:
                    return reason
        return f"{size} x {size} tiles do not fit at {cell}"

    def kind_reason(self, tile: Cell) -> str:
        """Return why the kind of a single tile cannot be entered; "" if it can."""
        kind = self.tilemap.kind_at(tile)
        if self.profile.cost_to_enter(kind) is not None:
            return ""
        return f"{kind.name} at {tile} cannot be entered"

    def update(self, rect: Rect) -> None:
        """Follow the map where it changed; what is the map's own follows by itself."""
        tilemap, size = self.tilemap, self.profile.size
        if tilemap.n_decks:
            part = np.s_[:, rect.row : rect.row + rect.rows, rect.col : rect.col + rect.cols]
            self.under[part] = tilemap.surface_level[part]
            self.under[part] -= tilemap.surface_thickness[part]
            self.ceiling[part] = _ceilings(tilemap, part)
        if size == 1:
            self.walls = tilemap.wall_bits if tilemap.walls else _NO_WALLS
            return
        decks = np.s_[1:, rect.row : rect.row + rect.rows, rect.col : rect.col + rect.cols]
        self.level[decks], self.kind[decks] = (
            tilemap.surface_level[decks],
            tilemap.surface_kind[decks],
        )
        self._gather(_Windows(size, rect))
        if not tilemap.walls:
            self.walls = _NO_WALLS
            return
        if not len(self.walls):
            self.walls, rect = np.zeros(self.level.shape, dtype=np.uint8), _whole(tilemap)
        windows = _Windows(size, rect)
        bits = tilemap.wall_bits[0][windows.near]
        self.walls[0][windows.part] = windows.over(bits, np.bitwise_or, 0)

    def _gather(self, windows: "_Windows") -> None:
        """Stand on several tiles at once."""
        tilemap, part, near, over = self.tilemap, windows.part, windows.near, windows.over
        entry = self.profile.entry_cost(tilemap)
        order = np.argsort(entry, kind="stable")
        rank = np.empty(len(order), dtype=np.uint8)
        rank[order] = np.arange(len(order))
        stops = np.array([self.profile.can_stop_on(kind) for kind in tilemap.kinds])
        level, kind = tilemap.surface_level[0][near], tilemap.surface_kind[0][near]
        highest, lowest = over(level, np.maximum, 0), over(level, np.minimum, 0)
        is_level = highest - lowest <= self.profile.size_tolerance
        is_legal = over(np.isfinite(entry)[kind], np.logical_and, False)
        self.level[0][part] = highest
        self.kind[0][part] = order[over(rank[kind], np.maximum, 0)]
        self.is_void[0][part] = over(tilemap.surface_void[0][near], np.logical_or, True)
        self.is_barred[0][part] = ~(is_legal & is_level)
        self.is_no_stop[0][part] = over(~stops[kind], np.logical_or, True)
        if len(self.ceiling):
            ceilings = _ceilings(tilemap, (0, *near))
            self.ceiling[0][part] = over(ceilings, np.minimum, OPEN_SKY)


class _Windows:
    """Blocks of size x size tiles, by their north-west one: all that touch a rectangle.

    Parameters
    ----------
    size : int
    rect : Rect
    """

    def __init__(self, size: int, rect: Rect) -> None:
        self._size = size
        top, left = max(0, rect.row - size + 1), max(0, rect.col - size + 1)
        bottom, right = rect.row + rect.rows, rect.col + rect.cols
        self.part = np.s_[top:bottom, left:right]
        """The blocks' north-west tiles."""
        self.near = np.s_[top : bottom + size - 1, left : right + size - 1]
        """All of the blocks' tiles, as far as the map goes."""
        self._shape = bottom - top + size - 1, right - left + size - 1

    def over(self, near: NDArray[Any], function: np.ufunc, beyond: float) -> NDArray[Any]:
        """Reduce each block to a number; tiles beyond the map count as `beyond`."""
        beside = [(0, want - have) for want, have in zip(self._shape, near.shape, strict=True)]
        wide = np.pad(near, beside, constant_values=beyond)
        blocks = np.lib.stride_tricks.sliding_window_view(wide, (self._size, self._size))
        return np.asarray(function.reduce(function.reduce(blocks, axis=-1), axis=-1))


def _whole(tilemap: TileMap) -> Rect:
    return Rect(0, 0, tilemap.rows, tilemap.cols)


def _ceilings(tilemap: TileMap, part: tuple[Any, ...]) -> NDArray[np.int32]:
    """Give the level of the next slab's underside above each surface of a part of the map."""
    headroom = tilemap.headroom[part].astype(np.int32)
    no_slab = headroom >= np.iinfo(np.int16).max
    return np.where(no_slab, np.int32(OPEN_SKY), headroom + tilemap.surface_level[part])
