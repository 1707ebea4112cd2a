"""The plan of a valley: its river, roads, bridge and cliff as masks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.generate.noise import fractal_noise, lattice
from terrain3d.generate.slopes import Mask

MIN_SIZE = 18
"""The fewest rows and columns of a map with a valley."""

_RIVER_SEED, _ROAD_SEED, _CLIFF_SEED = 0x51F0A3, 0x7C1D45, 0x2B97E1
_FORD_EVERY = 16
_AROUND_FORD = 3
_HALF_WIDTH = 0.6
_MIN_CLIFF = 5


@dataclass(frozen=True)
class Valley:
    """(rows, cols) masks of a valley; its river flows along the rows."""

    deep: Mask
    shallow: Mask
    road: Mask
    """From the north border over the bridge to the south border, one tile wide."""
    towpath: Mask
    """A road along the river's north bank from border to border, one tile wide."""
    bridge: Mask
    """Water and towpath below the bridge of the road, in one column."""
    bridgeheads: Mask
    """The road's tiles at both ends of the bridge."""
    plateau: Mask
    """The high ground behind the cliff."""
    below: Mask
    """The tiles of the same columns in front of the cliff."""

    @property
    def water(self) -> Mask:
        """Deep and shallow water."""
        return self.deep | self.shallow

    @property
    def bed(self) -> Mask:
        """Water and towpath: low ground without woods."""
        return self.water | self.towpath


def plan_valley(rows: int, cols: int, seed: int) -> Valley:
    """Return the plan of a valley; all masks are empty below MIN_SIZE rows or columns."""
    if min(rows, cols) < MIN_SIZE:
        return Valley(*(np.zeros((rows, cols), dtype=bool) for _ in range(8)))
    deep = _channel(rows, cols, seed)
    shallow = _grown(deep) & ~deep
    towpath = _bank(deep | shallow)
    bed = deep | shallow | towpath
    count = max(2, cols // _FORD_EVERY)
    fords = ((np.arange(count) + 0.5) * cols / count).astype(np.int64)
    at = _crossing(bed, fords)
    for ford in (fords, fords + 1):
        shallow[:, ford] |= deep[:, ford]
    deep &= ~shallow
    gap = max(3, cols // 8)
    bridge = np.zeros_like(bed)
    bridge[:, at] = bed[:, at]
    road = _road(bed, at, gap, seed)
    plateau, below = _cliff(bed, at, gap, seed)
    bridgeheads = road & _grown(bridge)
    return Valley(deep, shallow, road, towpath, bridge, bridgeheads, plateau, below)


def _winding(count: int, seed: int, size: int) -> NDArray[np.float64]:
    """Return (count,) smooth numbers in [-1, 1)."""
    sizes = max(2, size), max(1, size // 3)
    return fractal_noise(count, 1, seed, sizes, (0.8, 0.2))[:, 0] * 2.0 - 1.0


def _grown(mask: Mask) -> Mask:
    """Return a mask grown by the eight tiles around each of its tiles."""
    padded = np.pad(mask, 1)
    wide = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    return wide[:-2] | wide[1:-1] | wide[2:]


def _channel(rows: int, cols: int, seed: int) -> Mask:
    """Return the river's bed, connected from the west border to the east."""
    center = rows * (0.58 + 0.13 * _winding(cols, seed + _RIVER_SEED, cols // 4))
    between = (center[:-1] + center[1:]) / 2.0
    ends = np.concatenate([center[:1], between, center[-1:]])
    low = np.minimum(center, np.minimum(ends[:-1], ends[1:])) - _HALF_WIDTH
    high = np.maximum(center, np.maximum(ends[:-1], ends[1:])) + _HALF_WIDTH
    middle = np.arange(rows)[:, None] + 0.5
    bed: Mask = (middle > low) & (middle < high)
    return bed


def _bank(water: Mask) -> Mask:
    """Return the tiles along the north bank, each sharing an edge with the next."""
    last = water.argmax(axis=0) - 1
    around = np.pad(last, 1, mode="edge")
    first = np.minimum(last, np.minimum(around[:-2], around[2:]))
    row = np.arange(len(water))[:, None]
    bank: Mask = (row >= first) & (row <= last)
    return bank


def _crossing(bed: Mask, fords: NDArray[np.int64]) -> int:
    """Return the column in the middle third, away from fords, with the shortest bridge."""
    cols = bed.shape[1]
    middle = np.arange(cols // 3, 2 * cols // 3 + 1)
    middle = middle[np.abs(middle[:, None] - fords).min(axis=1) >= _AROUND_FORD]
    return int(middle[bed[:, middle].sum(axis=0).argmin()])


def _road(bed: Mask, at: int, gap: int, seed: int) -> Mask:
    """Return a road from the north border to the south, straight near the river."""
    rows = len(bed)
    wet = np.nonzero(bed[:, at - gap : at + gap + 1].any(axis=1))[0]
    row = np.arange(rows)
    beyond = np.maximum(wet[0] - 2 - row, row - wet[-1] - 2)
    sway = np.clip(beyond / 4.0, 0.0, 1.0) * (gap - 2)
    col = at + np.rint(sway * _winding(rows, seed + _ROAD_SEED, 6)).astype(np.int64)
    before = np.concatenate([col[:1], col[:-1]])
    across = np.arange(bed.shape[1])
    left, right = np.minimum(col, before)[:, None], np.maximum(col, before)[:, None]
    road: Mask = (across >= left) & (across <= right) & ~bed
    return road


def _cliff(bed: Mask, at: int, gap: int, seed: int) -> tuple[Mask, Mask]:
    """Return a plateau at the north border, on the wider side of the road, and its front."""
    rows, cols = bed.shape
    edge = rows * (0.22 + 0.08 * _winding(cols, seed + _CLIFF_SEED, 6))
    most = np.maximum(1, bed.argmax(axis=0) - 2)
    behind = np.minimum(np.maximum(2, np.rint(edge)).astype(np.int64), most)
    first, last = (at + gap, cols) if 2 * at < cols else (0, at - gap + 1)
    width = min(last - first, max(_MIN_CLIFF, cols // 3))
    part = float(lattice(seed + _CLIFF_SEED, 1, 1, 1)[0, 0])
    first += int(part * (last - first - width + 1))
    across = np.arange(cols)
    side = (across >= first) & (across < first + width)
    plateau: Mask = (np.arange(rows)[:, None] < behind) & side
    return plateau, side & ~plateau
