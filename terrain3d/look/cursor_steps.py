"""Steps of the tile cursor: the next tile in a direction of the picture.

The camera's heading turns directions of the picture into directions of the map.
"""

import math

from terrain3d.grid.grid import Cell, CellLike, Grid
from terrain3d.map.tilemap import TileMap

TURNS_DEG = {"up": 0.0, "left": 90.0, "down": 180.0, "right": 270.0}
"""Directions of the picture, counter-clockwise; "up" points away from the viewer."""

_WIDEST_DEG = 45.0
_SAME_DEG = 0.01


def cell_toward(
    tilemap: TileMap,
    cell: CellLike,
    direction: str,
    heading_deg: float,
    includes_void: bool = False,
) -> Cell | None:
    """Return the nearest tile with ground in a direction of the picture; None if there is none.

    Of several surfaces in its column, the one nearest in level to `cell` is returned. If two
    neighbors are equally far from the direction, as across the tips of hexagons, alternate lines
    of tiles choose alternate sides, so that repeated steps lead straight on.

    The direction is one of `TURNS_DEG`, the heading that of the camera: 0 along +y, counter-
    clockwise. Tiles without ground are skipped, unless `includes_void`. `IndexError` or `TypeError`
    if the cell is outside the map or is not a cell, `ValueError` if the direction is unknown or the
    heading not finite.
    """
    start = tilemap.cell(cell)
    if direction not in TURNS_DEG:
        raise ValueError(f"direction must be one of {tuple(TURNS_DEG)}, got {direction!r}")
    if not math.isfinite(heading_deg):
        raise ValueError(f"heading_deg must be finite, got {heading_deg!r}")
    level, toward_deg = tilemap.level_at(start), heading_deg + TURNS_DEG[direction]
    row, col = start.row, start.col
    while True:
        step = _step(tilemap.grid, row, col, toward_deg)
        if step is None:
            return None
        row, col = step
        decks = tilemap.decks_at((row, col))
        if decks:
            surfaces = (Cell(row, col, deck) for deck in decks)
            return min(surfaces, key=lambda surface: abs(tilemap.level_at(surface) - level))
        if includes_void:
            return Cell(row, col)


def next_surface(tilemap: TileMap, cell: CellLike) -> Cell:
    """Return the next surface above in the same column; after the highest, the lowest.

    `IndexError` or `TypeError` if the cell is outside the map or is not a cell.
    """
    start = tilemap.cell(cell)
    decks = tilemap.decks_at(start[:2])
    if start.deck not in decks:
        return start
    return start._replace(deck=decks[(decks.index(start.deck) + 1) % len(decks)])


def _step(grid: Grid, row: int, col: int, toward_deg: float) -> tuple[int, int] | None:
    """Return the (row, col) of the neighbor closest to a direction; None if the grid ends there."""
    steps = grid.steps_from(row, col)
    is_other_line = steps != grid.directions[0]
    found: list[tuple[float, float, tuple[int, int]]] = []
    for (down, right), (x, y) in zip(steps, grid.headings, strict=True):
        off_deg = math.remainder(math.degrees(math.atan2(-x, y)) - toward_deg, 360.0)
        neighbor = row + down, col + right
        is_inside = 0 <= neighbor[0] < grid.rows and 0 <= neighbor[1] < grid.cols
        if is_inside and abs(off_deg) <= _WIDEST_DEG + _SAME_DEG:
            turn = -off_deg if is_other_line else off_deg
            found.append((round(abs(off_deg) / _SAME_DEG), turn, neighbor))
    return min(found)[2] if found else None
