"""A map that shows all there is: hills, a river, a road with a bridge, woods, swamps, a cliff."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.checks import MAX_CELLS, whole_number
from terrain3d.edit import MAX_LEVEL
from terrain3d.ground import ground_kinds
from terrain3d.kinds import KINDS, index_of
from terrain3d.noise import fractal_noise, lattice
from terrain3d.slopes import edges_where, gentled, steps_from
from terrain3d.tilemap import TileMap
from terrain3d.valley import Mask, Valley, plan_valley

LEAST_LEVELS = 4
"""Water, its bank, and what a bridge must rise above."""

_BRIDGE_LEVEL = 3  # with one level of wood, two of air are left above the water
_BRIDGEHEAD_LEVEL = 2
_RISE = 2  # a light foot's climb
_HILL_SEED, _WOOD_SEED, _SWAMP_SEED, _SHORE_SEED = 0x1A2B3C, 0x6D5E4F, 0x33CC55, 0x70E1D2
_WIDE = 6  # tiles from the river until the hills have their full height


def landscape(
    rows: int, cols: int, seed: int, levels: int = 6, step_height: float = 0.5
) -> TileMap:
    """Grow a map on which most of what movement knows occurs.

    A river, deep in its middle, crosses hills; there are fords, and a road that crosses it on a
    bridge with room for a unit beneath. Woods and swamps lie about, and a ladder leads up a cliff.
    But for the cliff no step on dry ground is taller than 2. Below `valley.LEAST_SIZE` rows or
    columns there are hills and woods only.

    Parameters
    ----------
    rows, cols : int
    seed : int
        Any whole number; the same one gives the same map everywhere.
    levels : int
        The ground has levels 0..levels - 1; at least LEAST_LEVELS.
    step_height : float, in world units

    Returns
    -------
    TileMap
        Of squares. Bridge and ladder are its first undo entry, "build".

    Raises
    ------
    TypeError, ValueError
        A size, the seed, the number of levels or the step height is out of its limits.
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    seed, levels = whole_number("seed", seed), whole_number("levels", levels)
    if rows < 1 or cols < 1:
        raise ValueError(f"a map needs at least 1 row and 1 column, got {rows} x {cols}")
    if rows * cols > MAX_CELLS:
        raise ValueError(f"a map has at most {MAX_CELLS} tiles, got {rows} x {cols}")
    if not LEAST_LEVELS <= levels <= MAX_LEVEL + 1:
        raise ValueError(f"levels must be in {LEAST_LEVELS}..{MAX_LEVEL + 1}, got {levels}")
    # The river flows along the longer side; on a map about as wide as tall the seed decides.
    is_turned = float(lattice(seed, 0, 1, 1)[0, 0]) < 0.5
    if max(rows, cols) > 1.25 * min(rows, cols):
        is_turned = rows > cols
    valley = plan_valley(*((cols, rows) if is_turned else (rows, cols)), seed)
    level = _levels(valley, levels, seed)
    ladder = _ladder(valley, level)
    kind = _kinds(valley, level, levels, seed, ladder)
    turn = -1 if is_turned else 1
    tilemap = TileMap(*((level.T, kind.T) if is_turned else (level, kind)), step_height=step_height)
    with tilemap.edit("build") as edit:
        edit.add_deck([cell[::turn] for cell in _cells(valley.bridge)], level=_BRIDGE_LEVEL)
        if ladder:
            low, high = ladder
            height = int(level[high] - level[low])
            edit.add_link(low[::turn], high[::turn], cost=height, kind="ladder")
    return tilemap


def _cells(mask: Mask) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(mask)]


def _rim(valley: Valley) -> Mask:
    """Mark the tiles at the cliff's upper edge."""
    rim: Mask = valley.plateau & (steps_from(valley.below, 2) < 2)
    return rim


def _levels(valley: Valley, levels: int, seed: int) -> NDArray[np.int64]:
    """Shape the ground: water at 0, all land above it."""
    rows, cols = valley.deep.shape
    top = levels - 1
    hills = fractal_noise(rows, cols, seed + _HILL_SEED, (8, 4, 2), (0.55, 0.3, 0.15))
    hills = (hills - hills.min()) / max(float(np.ptp(hills)), 1e-9)
    open_land = 0.2 + 0.8 * steps_from(valley.water, _WIDE) / _WIDE
    level = np.minimum(1 + np.floor(hills * open_land * top), top).astype(np.int64)
    level[valley.plateau] = top - (hills[valley.plateau] < 0.3)
    level[_rim(valley)] = top
    level[valley.below & (steps_from(valley.plateau, 3) < 3)] = 1
    level[valley.water] = 0
    side = valley.plateau + 2 * valley.below
    no_cliff = edges_where(lambda one, other: one * other != 2, side)
    level = gentled(level, _RISE, no_cliff)
    level[valley.bridgeheads] = _BRIDGEHEAD_LEVEL
    level = gentled(level, 1, edges_where(np.logical_and, valley.road))
    return gentled(level, _RISE, no_cliff)


def _ladder(
    valley: Valley, level: NDArray[np.int64]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find where the cliff is tallest: the tile below and the one above; None without a cliff."""
    height = np.where(valley.plateau[:-1] & valley.below[1:], level[:-1] - level[1:], 0)
    tallest = np.argwhere((height == height.max(initial=0)) & (height > 0))
    if not len(tallest):
        return None
    row, col = (int(part) for part in tallest[len(tallest) // 2])
    return (row + 1, col), (row, col)


def _kinds(
    valley: Valley,
    level: NDArray[np.int64],
    levels: int,
    seed: int,
    ladder: tuple[tuple[int, int], tuple[int, int]] | None,
) -> NDArray[np.uint8]:
    """Choose what each tile is made of."""
    rows, cols = level.shape
    index = {entry.name: index_of(entry.name, KINDS) for entry in KINDS}
    kind = ground_kinds(level.astype(np.int16), levels, seed)
    to_water = steps_from(valley.water, _WIDE)
    shore = (to_water == 1) & (fractal_noise(rows, cols, seed + _SHORE_SEED) > 0.4)
    kind[shore & (level == 1)] = index["sand"]
    kind[_rim(valley)] = index["rock"]
    grows = np.isin(kind, (index["grass"], index["dirt"])) & ~valley.road & ~valley.water
    for cell in ladder or ():
        grows[cell] = False  # room for who climbs
    noise = fractal_noise(rows, cols, seed + _WOOD_SEED, (5, 2), (0.7, 0.3))
    kind[_best(noise, grows & (to_water > 1), 0.25)] = index["forest"]
    noise = fractal_noise(rows, cols, seed + _SWAMP_SEED, (4, 2), (0.7, 0.3))
    is_wet = grows & (level == 1) & (to_water <= 4)
    kind[_best(noise, is_wet, 0.25)] = index["swamp"]
    kind[valley.road] = index["road"]
    kind[valley.shallow] = index["shallow"]
    kind[valley.deep] = index["deep"]
    return kind


def _best(noise: NDArray[np.float64], where: Mask, share: float) -> Mask:
    """Choose that share of a mask, at least one tile if it has any, where the noise is highest."""
    if not where.any():
        return where
    ranked = np.sort(noise[where])
    chosen: Mask = where & (noise >= ranked[min(len(ranked) - 1, int(len(ranked) * (1 - share)))])
    return chosen
