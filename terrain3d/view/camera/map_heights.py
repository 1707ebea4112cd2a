"""The box around a map, and the height of its ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from terrain3d.look.orbit import Point
    from terrain3d.map.tilemap import TileMap


def map_box(tilemap: TileMap) -> tuple[Point, Point]:
    """Return the lowest and the highest corner of the box around a map."""
    west, south, east, north = tilemap.extent
    top = tilemap.top_level * tilemap.step_height
    return (west, south, tilemap.base_z), (east, north, top)


def ground_height(tilemap: TileMap, x: float, y: float) -> float:
    """Return the z of the highest surface at a point; outside the map, of its base."""
    cell = tilemap.grid.cell_at(x, y)
    if cell is None:
        return tilemap.base_z
    column = slice(None), cell.row, cell.col
    levels = tilemap.surface_level[column][~tilemap.surface_void[column]]
    return int(levels.max()) * tilemap.step_height if levels.size else tilemap.base_z
