"""The footprint of a mover: levels, kinds, headroom and walls under all tiles that it covers.

For a mover of one tile these are the arrays of the map. The cell of a larger mover is its
north-west tile; it stands on the highest of its tiles and in their most expensive kind of ground.
For each price that the rules of a game ask, the mover's table has all kinds of the map once more.
"""

import itertools
from dataclasses import InitVar, dataclass, field
from functools import reduce
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ai.rules.entry_rules import EntryRule, ask_rules, name_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Rect, TileMap
from terrain3d.grid.grid import Scalar, read_only

OPEN_SKY = 2**30
"""The level of a missing ceiling."""


_NO_CEILING = np.zeros((0, 0, 0), dtype=np.int32)
_NO_WALLS = np.zeros((0, 0, 0, 0), dtype=np.uint8)


Ground = tuple[
    NDArray[np.int16],
    NDArray[Any],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.int32],
    NDArray[np.uint8],
]
"""The levels, kinds, `no_start`, `no_end`, ceilings and walls of a `Footprint`, flat."""


def tiles_of(cell: Cell, profile: MoveProfile) -> tuple[Cell, ...]:
    """Return the tiles that a mover on a cell covers, that cell first."""
    if profile.size == 1:  # nearly always
        return (cell,)
    reach = range(profile.size)
    return tuple(
        Cell(cell.row + down, cell.col + right, cell.deck) for down in reach for right in reach
    )


def over_tiles(values: NDArray[Scalar], size: int, combine: np.ufunc) -> NDArray[Scalar]:
    """(..., rows, cols) for each tile the values of all cells on which a mover covers it, combined.

    The argument is such values by cell of a mover of size x size tiles; for one of one tile it is
    the answer.
    """
    if size == 1:
        return values
    result, (rows, cols) = values.copy(), values.shape[-2:]
    for down, right in itertools.product(range(size), repeat=2):
        part = result[..., down:, right:]
        combine(part, values[..., : rows - down, : cols - right], out=part)
    return result


@dataclass
class Footprint:
    """The arrays of a profile on a map, each (n_layers, rows, cols)."""

    tilemap: TileMap
    profile: MoveProfile
    rules: tuple[EntryRule, ...] = ()
    part: InitVar[Rect | None] = None
    """Where the arrays are filled in; everywhere if None."""
    entry: NDArray[np.float64] = field(init=False)
    """(n_kinds,) cost to enter each kind of the mover's table; infinity: it cannot be entered."""
    kind_stop: NDArray[np.bool_] = field(init=False)
    """(n_kinds,) whether a path may end on each kind."""
    level: NDArray[np.int16] = field(init=False)
    """Level of each surface that the mover stands on."""
    kind: NDArray[Any] = field(init=False)
    """Kind of each surface that the mover stands on; int32 for more than 256 of them."""
    is_void: NDArray[np.bool_] = field(init=False)
    """Where there is no surface."""
    is_barred: NDArray[np.bool_] = field(init=False)
    """Where the mover cannot stand: `is_void`, or it does not fit between ground and ceiling."""
    no_start: NDArray[np.bool_] = field(init=False)
    """Where no step starts: `is_void`, for a flyer only where a tile is off the map."""
    no_end: NDArray[np.bool_] = field(init=False)
    """Where no step ends: `is_barred`, for a flyer only where a tile is off the map."""
    is_no_stop: NDArray[np.bool_] = field(init=False)
    """Where a large mover cannot stop because of one of its tiles; empty for size 1."""
    ceiling: NDArray[np.int32] = field(init=False)
    """Level of the next underside above each surface; empty on maps without decks."""
    walls: NDArray[np.uint8] = field(init=False)
    """The map's `wall_bits` as the mover meets them; empty on maps without walls."""
    _answers: tuple[NDArray[np.float64], ...] = field(init=False, repr=False)
    _prices: NDArray[np.float64] = field(init=False, repr=False)
    _own_kind: NDArray[Any] = field(init=False, repr=False)
    _source: NDArray[Any] | None = field(init=False, repr=False)
    _flat: Ground = field(init=False, repr=False)
    _flat_walls: NDArray[np.uint8] | None = field(init=False, repr=False, default=None)

    def __post_init__(self, part: Rect | None) -> None:
        """Read the map."""
        tilemap = self.tilemap
        self._answers = ask_rules(self.rules, tilemap, self.profile)
        self._prices = np.unique(np.append(sum(self._answers, np.zeros(1)), 0))
        entry = self.profile.entry_cost(tilemap)
        stops = [self.profile.can_stop_on(kind) for kind in tilemap.kinds]
        self.entry = (self._prices[:, None] + entry).ravel()
        self.kind_stop = np.tile(stops, len(self._prices)) & np.isfinite(self.entry)
        self._source = tilemap.surface_level.base
        self.level, self.kind = tilemap.surface_level, tilemap.surface_kind
        if self.rules:
            dtype = np.uint8 if len(self.entry) <= 256 else np.int32
            self.kind = self._own_kind = self.kind.astype(dtype)
        self.is_void = tilemap.surface_void
        if self.profile.size > 1:
            self.level, self.kind = self.level.copy(), self.kind.copy()
            self.is_void = self.is_void.copy()
            self.is_void[1:] = True
        has_own_bars = self.profile.size > 1 or tilemap.n_decks > 0
        self.is_barred = self.is_void.copy() if has_own_bars else self.is_void
        self.no_start, self.no_end = self.is_void, self.is_barred
        if self.profile.can_fly and not self.profile.warp:
            self.no_start = self.no_end = self.is_void.copy()
            last_row, last_col = (n - self.profile.size for n in self.is_void.shape[1:])
            rows, cols = np.ogrid[: tilemap.rows, : tilemap.cols]
            self.no_start[0] = (rows > last_row) | (cols > last_col)
        self.is_no_stop = np.zeros((0, 0, 0), dtype=np.bool_)
        self.ceiling, self.walls = _NO_CEILING, _NO_WALLS
        if tilemap.n_decks:
            self.ceiling = np.empty(self.level.shape, dtype=np.int32)
        if self.profile.size > 1:
            self.is_no_stop = np.zeros_like(self.is_void)
        self.update(part or _whole(tilemap))

    @property
    def arrays(self) -> Ground:
        """Flat read-only views: of one type, for which functions are compiled once."""
        if self._flat_walls is not self.walls:  # all others are only written to
            arrays = (
                self.level, self.kind, self.no_start, self.no_end, self.ceiling, self.walls,
            )  # fmt: skip
            self._flat = cast(Ground, tuple(read_only(array.reshape(-1)) for array in arrays))
            self._flat_walls = self.walls
        return self._flat

    @property
    def is_outdated(self) -> bool:
        """Whether the map has replaced its arrays, as for a new deck number.

        The number of layers may still be equal, if decks came and went meanwhile.
        """
        return self.tilemap.surface_level.base is not self._source

    def highest(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_layers, rows, cols) the highest of such values, >= 0, under the mover at each cell."""
        if self.profile.size == 1:
            return values
        windows = _Windows(self.profile.size, _whole(self.tilemap))
        highest = np.zeros_like(values)  # large movers keep to the ground
        highest[0] = windows.over(values[0][windows.near], np.maximum, 0)
        return highest

    def ask_again(self) -> list[Rect] | None:
        """Return where the rules answer otherwise on the map as it is now; None: with new prices.

        What they raise leaves all as it was.
        """
        if not self.rules:
            return []
        answers = ask_rules(self.rules, self.tilemap, self.profile)
        is_new = (np.array(answers) != np.array(self._answers)).any(axis=(0, 1))
        self._answers = answers
        if not np.isin(sum(answers), self._prices).all():
            return None
        if not is_new.any():
            return []
        (row, col), (last_row, last_col) = (
            limit(np.argwhere(is_new), axis=0).tolist() for limit in (np.min, np.max)
        )
        return [Rect(row, col, last_row - row + 1, last_col - col + 1)]

    def blocking_rule(self, tile: Cell) -> str:
        """Return the name of the first rule by which a tile cannot be entered; "" without one."""
        at = tile.deck, tile.row, tile.col
        pairs = zip(self.rules, self._answers, strict=True)
        return next((name_of(rule) for rule, answer in pairs if np.isinf(answer[at])), "")

    def _kind_of_tiles(self, part: tuple[Any, ...]) -> NDArray[Any]:
        """Return the kind of each single tile of a part of the map, in the mover's table."""
        kind: NDArray[Any] = self.tilemap.surface_kind[part]
        if self.rules:
            price = np.searchsorted(self._prices, sum(answer[part] for answer in self._answers))
            kind = kind + price * len(self.tilemap.kinds)
        return kind

    def update(self, rect: Rect) -> None:
        """Update the mover's arrays in a rectangle where the map or an answer of rules changed."""
        tilemap, size = self.tilemap, self.profile.size
        part, decks = ((layers, *rect.slices()) for layers in (slice(None), slice(1, None)))
        if tilemap.n_decks:
            self.ceiling[part] = _ceilings(tilemap, part)
        if size == 1:
            if self.rules:
                self._own_kind[part] = self._kind_of_tiles(part)
            if tilemap.n_decks:
                is_void, room = self.is_void[part], self.ceiling[part] - self.level[part]
                self.is_barred[part] = is_void | (room < self.profile.headroom)
                if self.no_start is not self.is_void:  # a flyer's
                    self.no_start[1:][part] = is_void[1:]
            self.walls = tilemap.wall_bits if tilemap.walls else _NO_WALLS
            return
        self.level[decks] = tilemap.surface_level[decks]
        self.kind[decks] = tilemap.surface_kind[decks]
        self._gather(_Windows(size, rect))
        if not tilemap.walls:
            self.walls = _NO_WALLS
            return
        if not len(self.walls):
            # Not np.zeros_like, which writes to all of the memory; only the ground's is used.
            self.walls = np.zeros(tilemap.wall_bits.shape, dtype=np.uint8)
            rect = _whole(tilemap)
        windows = _Windows(size, rect)
        bits = tilemap.wall_bits[0, 0][windows.near]
        self.walls[0, 0][windows.part] = windows.over(bits, np.bitwise_or, 0)

    def _gather(self, windows: "_Windows") -> None:
        """Combine the tiles under a large mover."""
        tilemap, part, near, over = self.tilemap, windows.part, windows.near, windows.over
        order = np.argsort(self.entry, kind="stable")
        rank = np.empty(len(order), dtype=self.kind.dtype)
        rank[order] = np.arange(len(order))
        level, kind = tilemap.surface_level[0][near], self._kind_of_tiles((0, *near))
        highest, lowest = over(level, np.maximum, 0), over(level, np.minimum, 0)
        is_level = highest - lowest <= self.profile.size_tolerance
        is_legal = over(np.isfinite(self.entry)[kind], np.logical_and, False)
        self.level[0][part] = highest
        self.kind[0][part] = order[over(rank[kind], np.maximum, 0)]
        self.is_void[0][part] = over(tilemap.surface_void[0][near], np.logical_or, True)
        self.is_barred[0][part] = ~(is_legal & is_level)
        self.is_no_stop[0][part] = over(~self.kind_stop[kind], np.logical_or, True)
        if len(self.ceiling):
            ceilings = _ceilings(tilemap, (0, *near))
            self.ceiling[0][part] = over(ceilings, np.minimum, OPEN_SKY)
            room = self.ceiling[0][part] - self.level[0][part]
            self.is_barred[0][part] |= room < self.profile.headroom


class _Windows:
    """All blocks of size x size tiles that touch a rectangle, by their north-west tile."""

    def __init__(self, size: int, rect: Rect) -> None:
        self._size = size
        top, left = max(0, rect.row - size + 1), max(0, rect.col - size + 1)
        bottom, right = rect.row + rect.rows, rect.col + rect.cols
        self.part = np.s_[top:bottom, left:right]
        """The north-west tiles of the blocks."""
        self.near = np.s_[top : bottom + size - 1, left : right + size - 1]
        """All tiles of the blocks, inside the map."""
        self._shape = bottom - top + size - 1, right - left + size - 1

    def over(self, near: NDArray[Any], function: np.ufunc, beyond: float) -> NDArray[Any]:
        """Reduce each block to a number; tiles beyond the map count as `beyond`."""
        wide = np.full(self._shape, beyond, dtype=near.dtype)
        wide[: near.shape[0], : near.shape[1]] = near
        size, (n_rows, n_cols) = self._size, wide.shape
        # Down, then across: several times faster than windows over a padded array.
        rows = [wide[down : n_rows - size + 1 + down] for down in range(size)]
        tall = reduce(function, rows)
        cols = [tall[:, right : n_cols - size + 1 + right] for right in range(size)]
        return np.asarray(reduce(function, cols))


def _whole(tilemap: TileMap) -> Rect:
    return Rect(0, 0, tilemap.rows, tilemap.cols)


def _ceilings(tilemap: TileMap, part: tuple[Any, ...]) -> NDArray[np.int32]:
    """Return the level of the next underside above each surface of a part of the map."""
    headroom = tilemap.headroom[part].astype(np.int32)
    no_slab = headroom >= np.iinfo(np.int16).max
    return np.where(no_slab, np.int32(OPEN_SKY), headroom + tilemap.surface_level[part])
