"""The box around a map, and the height of its ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from terrain3d.look.orbit import Point
    from terrain3d.map.tilemap import TileMap


def map_box(tilemap: TileMap) -> tuple[Point, Point]:
    """Return the lowest and the highest corner of the box around a map."""
    west, south, east, north = tilemap.extent
    top = tilemap.top_level * tilemap.step_height
    return (west, south, tilemap.base_z), (east, north, top)


def ground_heights(
    tilemap: TileMap, x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the z of the highest surface at points; outside the map, of its base."""
    points = zip(x.tolist(), y.tolist(), strict=True)
    return np.array([ground_height(tilemap, *point) for point in points])


def ground_height(tilemap: TileMap, x: float, y: float) -> float:
    """Return the z of the highest surface at a point; outside the map, of its base."""
    cell = tilemap.grid.cell_at(x, y)
    decks = [] if cell is None else tilemap.decks_at(cell)
    if cell is None or not decks:
        return tilemap.base_z
    return tilemap.level_at((cell.row, cell.col, decks[-1])) * tilemap.step_height
