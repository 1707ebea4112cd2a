"""Where in the world a mover stands when it holds a cell, and which cell it holds at a point."""

from ai.motion.motion import Point
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap

_INSIDE = 0.501  # in tiles: so far inside the extent there is a cell everywhere, also of hexagons


def point_on(tilemap: TileMap, cell: Cell, profile: MoveProfile) -> Point:
    """Give the point between its feet: over the middle of its tiles, on the highest of them."""
    if profile.size == 1:
        x, y, z = _surface_point(tilemap, cell)
    else:
        on_map = [tile for tile in tiles_of(cell, profile) if _is_inside(tilemap, tile)]
        points = [_surface_point(tilemap, tile) for tile in on_map]
        xs, ys, zs = zip(*points, strict=True)
        x, y, z = sum(xs) / len(xs), sum(ys) / len(ys), max(zs)
    return x, y, z + profile.hover * tilemap.step_height


def cell_of(tilemap: TileMap, point: Point, profile: MoveProfile) -> Cell:
    """Give the cell that a mover holds at a point: of a column's surfaces the one nearest to it.

    Beside the map it is the nearest cell, or near to that.
    """
    x, y, z = point
    aside = (profile.size - 1) / 2
    x, y = x - aside, y + aside
    cell = tilemap.grid.cell_at(x, y)
    if cell is None:
        x0, y0, x1, y1 = tilemap.extent
        cell = tilemap.grid.cell_at(_between(x, x0, x1), _between(y, y0, y1))
    if cell is None:
        raise ValueError(f"a point must have finite numbers, got {point}")
    if profile.size > 1:  # all of its tiles lie on the map
        last = tilemap.rows - profile.size, tilemap.cols - profile.size
        cell = Cell(max(0, min(cell.row, last[0])), max(0, min(cell.col, last[1])))
    if not tilemap.n_decks:
        return cell
    height = z / tilemap.step_height - profile.hover
    decks = tilemap.decks_at(cell) or [0]
    surfaces = [Cell(cell.row, cell.col, deck) for deck in decks]
    return min(surfaces, key=lambda surface: abs(tilemap.level_at(surface) - height))


def _between(value: float, low: float, high: float) -> float:
    if high - low <= 2 * _INSIDE:
        return (low + high) / 2
    return max(low + _INSIDE, min(value, high - _INSIDE))


def _is_inside(tilemap: TileMap, tile: Cell) -> bool:
    return tile.row < tilemap.rows and tile.col < tilemap.cols


def _surface_point(tilemap: TileMap, cell: Cell) -> Point:
    """Give the center of a surface; where a deck was taken away, that of the ground below."""
    return tilemap.surface_point(cell if tilemap.has_cell(cell) else cell[:2])
