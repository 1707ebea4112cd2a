"""What the heights around a surface are worth: height over neighbors, and cover from a direction.

References
----------
van der Sterren (2001), "Terrain Reasoning for 3D Action Games", on cover, height and paths as
properties of places,
https://www.gamedeveloper.com/programming/terrain-reasoning-for-3d-action-games
"""

import math
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from terrain3d import TileMap
from terrain3d.core.checks import finite_number, instance_of, whole_within
from terrain3d.grid.grid import Grid, Step

MAX_COVER_TILES = 64
"""How far away ground may be that gives cover."""

Value = TypeVar("Value", bound=np.generic)


def as_surfaces(tilemap: TileMap, values: NDArray[Value]) -> NDArray[Value]:
    """(rows, cols) values of all surfaces, or (n_decks + 1, rows, cols) with decks; read-only."""
    shape = tilemap.surface_level.shape
    array = values.reshape(shape if tilemap.n_decks else shape[1:])
    array.flags.writeable = False
    return array


def height_over_neighbors(tilemap: TileMap) -> NDArray[np.float64]:
    """Return how many levels each surface lies above the mean of its neighbors.

    Neighbors are the highest surfaces of the tiles that share an edge with it; void ones do not
    count.

    Returns
    -------
    (rows, cols) float64
        Negative in a hollow; 0 for void and without neighbors. (n_decks + 1, rows, cols) on maps
        with decks. Read-only, as the map is now.
    """
    with instance_of("tilemap", tilemap, TileMap).lock:
        is_void, level = tilemap.surface_void, tilemap.surface_level.astype(np.float64)
        highest = np.where(is_void, np.nan, level)
        highest = np.fmax.reduce(highest, axis=0)
        total, count = np.zeros(highest.shape), np.zeros(highest.shape)
        for steps in zip(*tilemap.grid.directions, strict=True):
            there = _values_at(tilemap.grid, highest, steps)
            total += np.nan_to_num(there)
            count += ~np.isnan(there)
        has_mean = ~is_void & (count > 0)
        over = np.where(has_mean, level - total / np.maximum(count, 1), 0.0)
        return as_surfaces(tilemap, over)


def cover(tilemap: TileMap, from_deg: float, *, within_tiles: int = 8) -> NDArray[np.float64]:
    """Return how much of the view of each surface from one direction is hidden by higher ground.

    It is the share of the lines of sight from there that end in ground, among all lines from level
    to vertical. That is the angle of the highest slope up to that ground, over 90 degrees. Lines
    begin at the center of the surface; ground counts in the tiles that lie 1, 2, ... world units
    away. Decks hide nothing, as lines pass below them.

    Parameters
    ----------
    from_deg : float
        Where a threat is, as the heading toward it: 0 is north, 90 west.
    within_tiles : int
        How far away ground counts, 1..MAX_COVER_TILES.

    Returns
    -------
    (rows, cols) float64
        0 in the open, and for void; toward 1 below a high wall. (n_decks + 1, rows, cols) on maps
        with decks. Read-only, as the map is now.
    """
    instance_of("tilemap", tilemap, TileMap)
    angle = math.radians(finite_number("from_deg", from_deg))
    whole_within("within_tiles", within_tiles, 1, MAX_COVER_TILES)
    toward = -math.sin(angle), math.cos(angle)
    with tilemap.lock:
        ground = np.where(tilemap.void, np.nan, tilemap.level)
        slope = np.zeros(tilemap.surface_level.shape)
        for away in range(1, within_tiles + 1):
            steps = _steps_to(tilemap.grid, toward[0] * away, toward[1] * away)
            rise = _values_at(tilemap.grid, ground, steps) - tilemap.surface_level
            np.fmax(slope, rise * (tilemap.step_height / away), out=slope)
        slope[tilemap.surface_void] = 0.0
        return as_surfaces(tilemap, np.arctan(slope) * (2 / math.pi))


def _steps_to(grid: Grid, x: float, y: float) -> tuple[Step, ...]:
    """Return for each class of cells the (rows, cols) to the cell at (x, y) from the center."""
    middle = 2 * (MAX_COVER_TILES + 1)
    wide = replace(grid, rows=2 * middle, cols=2 * middle)
    steps = []
    for number in range(len(grid.directions)):
        row, col = (np.argwhere(wide.cell_class()[middle:, middle:] == number)[0] + middle).tolist()
        center = wide.center((row, col))
        # Rounded: on all machines the same of two tiles whose border it is.
        there = wide.cell_at(round(center[0] + x, 9), round(center[1] + y, 9))
        assert there is not None
        steps.append((there.row - row, there.col - col))
    return tuple(steps)


def _values_at(
    grid: Grid, values: NDArray[np.float64], steps: tuple[Step, ...]
) -> NDArray[np.float64]:
    """(rows, cols) the values one step away, a step for each class of cells; NaN off the map."""
    row, col = np.indices(values.shape) + np.moveaxis(np.array(steps)[grid.cell_class()], -1, 0)
    is_inside = (row >= 0) & (row < grid.rows) & (col >= 0) & (col < grid.cols)
    return np.where(
        is_inside, values[row.clip(0, grid.rows - 1), col.clip(0, grid.cols - 1)], np.nan
    )
