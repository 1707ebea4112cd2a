"""Generated maps with hills, a river, roads, bridges and woods: a valley, or an island."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import true_or_false, whole_number, whole_within
from terrain3d.generate.noise import fractal_noise, ground_kinds, lattice
from terrain3d.generate.relief import (
    ISLAND_DECK,
    MIN_ISLAND_LEVELS,
    MIN_ISLAND_SIZE,
    Edges,
    Levels,
    Mask,
    Valley,
    deck_level,
    edges_of,
    plan_island,
    plan_valley,
    relief,
    steps_from,
)
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import Grid, HexGrid, make_grid
from terrain3d.grid.kinds import KINDS, index_of
from terrain3d.map.tilemap import TileMap

MIN_LEVELS = 4
"""The fewest levels that fit water, its bank and a bridge above them."""

_WOOD_SEED, _SWAMP_SEED, _SHORE_SEED = 0x6D5E4F, 0x33CC55, 0x70E1D2
_SHORE, _MARSH = 2, 4  # distances from the river of sand and of swamps, in tiles


def landscape(
    rows: int,
    cols: int,
    seed: int,
    levels: int = 8,
    step_height: float = 0.5,
    topology: str = "square",
    *,
    is_island: bool = False,
) -> TileMap:
    """Return a generated map with most features that matter to movement.

    A river, deep in the middle, crosses terraced hills. It has fords, a road along its bank, and a
    second road that crosses both on a bridge, under which units can pass. There are woods and
    swamps, and a ladder up a cliff. Except at the cliff and the ends of the bridge, no step on dry
    ground is taller than 2, so light units can climb it. Below `relief.MIN_SIZE` rows or columns
    there are only hills and woods.

    Parameters
    ----------
    rows, cols : int
    seed : int
        Any whole number; a seed gives the same map on every platform.
    levels : int
        Number of levels of the ground, at least MIN_LEVELS. Below 6 the bridge and the cliff are
        lower.
    step_height : float, in world units
    topology : str
        Layout of the tiles: one of `terrain3d.TOPOLOGIES`.
    is_island : bool
        Whether the road leads over two bridges past the top of a hill on an island, at which the
        river falls, so that two sides can fight for it. Such a map has no cliff; it needs
        `relief.MIN_ISLAND_SIZE` tiles a side and `relief.MIN_ISLAND_LEVELS` levels.

    Returns
    -------
    TileMap
        Its first undo entry, "build", adds the bridge and the ladder.

    Raises
    ------
    TypeError, ValueError
        A size, the seed, the number of levels or the step height is out of its limits; the
        topology is unknown.
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    seed = whole_number("seed", seed)
    grid = make_grid(topology, rows, cols)
    levels = whole_within("levels", levels, MIN_LEVELS, MAX_LEVEL + 1)
    if true_or_false("is_island", is_island):
        whole_within("rows and cols with is_island", min(rows, cols), MIN_ISLAND_SIZE)
        whole_within("levels with is_island", levels, MIN_ISLAND_LEVELS)
    is_transposed = _is_transposed(grid, seed)
    order = -1 if is_transposed else 1
    # The river of a plan flows along its rows. Transposed, offset rows become offset columns.
    plan = make_grid(
        topology.replace("_r", "_q") if is_transposed else topology, *(rows, cols)[::order]
    )
    edges = edges_of(plan)
    ladder, deck = None, ISLAND_DECK
    if is_island:
        valley, level = plan_island(plan.rows, plan.cols, levels, seed, edges)
    else:
        valley, deck = plan_valley(plan.rows, plan.cols, seed), deck_level(levels)
        level = relief(valley, levels, seed, edges)
        ladder = _ladder(valley, level)
    kind = _kinds(valley, level, levels, seed, edges, ladder)
    if is_island:
        forest, dirt, rock = (index_of(name, KINDS) for name in ("forest", "dirt", "rock"))
        kind[valley.plateau & np.isin(kind, (forest, dirt))] = rock
    ground = (level.T, kind.T) if is_transposed else (level, kind)
    tilemap = TileMap(*ground, step_height=step_height, topology=topology)
    with tilemap.edit("build") as edit:
        bridge = np.argwhere(valley.bridge)[:, ::order].tolist()
        edit.add_deck(bridge, level=deck)
        if ladder:
            low, high = ladder
            height = int(level[high] - level[low])
            edit.add_link(low[::order], high[::order], cost=height, kind="ladder")
    return tilemap


def _is_transposed(grid: Grid, seed: int) -> bool:
    """Return whether the river flows along the columns.

    It flows along the longer side; on a nearly square map the seed decides. On a hexagonal map it
    flows across the offset rows or columns, because a bridge is straight only along one of them.
    """
    if isinstance(grid, HexGrid):
        return grid.layout.endswith("r")
    if max(grid.rows, grid.cols) > 1.25 * min(grid.rows, grid.cols):
        return grid.rows > grid.cols
    return float(lattice(seed, 0, 1, 1)[0, 0]) < 0.5


def _ladder(valley: Valley, level: Levels) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the tiles below and above the tallest part of the cliff; None without a cliff."""
    height = np.where(valley.plateau[:-1] & valley.below[1:], level[:-1] - level[1:], 0)
    tallest = np.argwhere((height == height.max(initial=0)) & (height > 0))
    if not len(tallest):
        return None
    row, col = (int(part) for part in tallest[len(tallest) // 2])
    return (row + 1, col), (row, col)


def _kinds(
    valley: Valley,
    level: Levels,
    levels: int,
    seed: int,
    edges: Edges,
    ladder: tuple[tuple[int, int], tuple[int, int]] | None,
) -> NDArray[np.uint8]:
    """Return the kind of each tile."""
    rows, cols = level.shape
    index = {entry.name: index_of(entry.name, KINDS) for entry in KINDS}
    kind = ground_kinds(level.astype(np.int16), levels, seed)
    to_water = steps_from(valley.water, _MARSH + 1, edges)
    noise = fractal_noise(rows, cols, seed + _SHORE_SEED, (5, 2), (0.7, 0.3))
    kind[kind == index["sand"]] = index["grass"]
    kind[(level == 1) & (to_water <= _SHORE) & (noise > 0.5)] = index["sand"]
    is_cliff_edge = valley.plateau & (steps_from(valley.below, 2, edges) < 2)
    kind[is_cliff_edge] = index["rock"]
    grows = np.isin(kind, (index["grass"], index["dirt"])) & ~valley.road & ~valley.bed
    for cell in ladder or ():
        grows[cell] = False  # keep the ends of the ladder clear
    noise = fractal_noise(rows, cols, seed + _WOOD_SEED, (5, 2), (0.7, 0.3))
    kind[_best(noise, grows & (to_water > 1))] = index["forest"]
    noise = fractal_noise(rows, cols, seed + _SWAMP_SEED, (4, 2), (0.7, 0.3))
    is_wet = grows & (level == 1) & (to_water <= _MARSH)
    kind[_best(noise, is_wet)] = index["swamp"]
    kind[valley.road | valley.towpath] = index["road"]
    kind[valley.shallow] = index["shallow"]
    kind[valley.deep] = index["deep"]
    return kind


def _best(noise: NDArray[np.float64], where: Mask) -> Mask:
    """Return a quarter of a mask's tiles, at least one, where the noise is highest."""
    if not where.any():
        return where
    ranked = np.sort(noise[where])
    chosen: Mask = where & (noise >= ranked[min(len(ranked) - 1, int(len(ranked) * 0.75))])
    return chosen
