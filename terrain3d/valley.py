"""The plan of a valley: where its river, its road with a bridge, and its cliff lie."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.noise import fractal_noise
from terrain3d.slopes import steps_from

LEAST_SIZE = 18
"""Rows and columns that it takes to have room for all of it."""

_RIVER_SEED, _ROAD_SEED, _CLIFF_SEED = 0x51F0A3, 0x7C1D45, 0x2B97E1
_FORD_EVERY = 16
_AROUND_FORD = 3
_HALF_WIDTH = 0.6

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Valley:
    """What is planned, as (rows, cols) masks; a river flows along the rows.

    Parameters
    ----------
    deep, shallow : Mask
        The river.
    road : Mask
        On both sides of the river, one tile wide.
    bridge : Mask
        Water that the road crosses, in one column.
    bridgeheads : Mask
        The road's tiles at both ends of the bridge.
    plateau, below : Mask
        The high ground behind the cliff, and the tiles of the same columns in front of it.
    """

    deep: Mask
    shallow: Mask
    road: Mask
    bridge: Mask
    bridgeheads: Mask
    plateau: Mask
    below: Mask

    @property
    def water(self) -> Mask:
        """Deep and shallow."""
        return self.deep | self.shallow


def plan_valley(rows: int, cols: int, seed: int) -> Valley:
    """Plan a valley; nothing lies anywhere in one of less than LEAST_SIZE rows or columns."""
    if min(rows, cols) < LEAST_SIZE:
        return Valley(*(np.zeros((rows, cols), dtype=bool) for _ in range(7)))
    deep = _channel(rows, cols, seed)
    shallow = _grown(deep) & ~deep
    count = max(2, cols // _FORD_EVERY)
    fords = ((np.arange(count) + 0.5) * cols / count).astype(np.int64)
    at = _crossing(deep | shallow, fords)
    shallow[:, fords] |= deep[:, fords]
    shallow[:, fords + 1] |= deep[:, fords + 1]
    deep &= ~shallow
    water = deep | shallow
    gap = max(3, cols // 8)
    bridge = np.zeros_like(water)
    bridge[:, at] = water[:, at]
    road = _road(water, at, gap, seed)
    plateau, below = _cliff(water, at, gap, seed)
    return Valley(deep, shallow, road, bridge, road & _grown(bridge), plateau, below)


def _winding(count: int, seed: int, size: int) -> NDArray[np.float64]:
    """Give (count,) smooth numbers in [-1, 1)."""
    sizes = max(2, size), max(1, size // 3)
    waves: NDArray[np.float64] = fractal_noise(count, 1, seed, sizes, (0.8, 0.2))[:, 0] * 2.0 - 1.0
    return waves


def _grown(mask: Mask) -> Mask:
    """Give a mask with the eight tiles around each of its own."""
    padded = np.pad(mask, 1)
    wide = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    grown: Mask = wide[:-2] | wide[1:-1] | wide[2:]
    return grown


def _channel(rows: int, cols: int, seed: int) -> Mask:
    """Cut the river's bed, without a gap, from the west rim to the east."""
    center = rows * (0.55 + 0.13 * _winding(cols, seed + _RIVER_SEED, cols // 4))
    between = (center[:-1] + center[1:]) / 2.0
    ends = np.concatenate([center[:1], between, center[-1:]])
    low = np.minimum(center, np.minimum(ends[:-1], ends[1:])) - _HALF_WIDTH
    high = np.maximum(center, np.maximum(ends[:-1], ends[1:])) + _HALF_WIDTH
    middle = np.arange(rows)[:, None] + 0.5
    bed: Mask = (middle > low) & (middle < high)
    return bed


def _crossing(water: Mask, fords: NDArray[np.int64]) -> int:
    """Find the column near the middle, away from fords, where the river is narrowest."""
    cols = water.shape[1]
    near = np.arange(cols // 3, 2 * cols // 3 + 1)
    near = near[np.abs(near[:, None] - fords).min(axis=1) >= _AROUND_FORD]
    return int(near[water[:, near].sum(axis=0).argmin()])


def _road(water: Mask, at: int, gap: int, seed: int) -> Mask:
    """Lead a road from the north rim to the south, straight where it is near the river."""
    rows = len(water)
    wet = np.nonzero(water[:, at - gap : at + gap + 1].any(axis=1))[0]
    row = np.arange(rows)
    beyond = np.maximum(wet[0] - 2 - row, row - wet[-1] - 2)
    sway = np.clip(beyond / 4.0, 0.0, 1.0) * (gap - 2)
    col = at + np.rint(sway * _winding(rows, seed + _ROAD_SEED, 6)).astype(np.int64)
    before = np.concatenate([col[:1], col[:-1]])
    across = np.arange(water.shape[1])
    left, right = np.minimum(col, before)[:, None], np.maximum(col, before)[:, None]
    road: Mask = (across >= left) & (across <= right) & ~water
    return road


def _cliff(water: Mask, at: int, gap: int, seed: int) -> tuple[Mask, Mask]:
    """Raise a plateau at the north rim, on the wider side of the road."""
    rows, cols = water.shape
    edge = rows * (0.17 + 0.05 * _winding(cols, seed + _CLIFF_SEED, 7))
    behind = np.maximum(2, np.rint(edge)).astype(np.int64)
    across = np.arange(cols)
    side = across >= at + gap if 2 * at < cols else across <= at - gap
    plateau: Mask = (np.arange(rows)[:, None] < behind) & side & (steps_from(water, 3) == 3)
    return plateau, side & ~plateau
