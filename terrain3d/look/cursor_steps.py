"""Which tile lies next in a direction of the picture, for who moves over a map by keys.

Directions of the picture are turned by the camera's heading into directions of the map.
"""

import math

from terrain3d.grid.grid import Cell, CellLike, Grid
from terrain3d.map.tilemap import TileMap

TURNS_DEG = {"up": 0.0, "left": 90.0, "down": 180.0, "right": 270.0}
"""Directions of the picture, counter-clockwise; "up" leads away from the viewer."""

_WIDEST_DEG = 45.0
_SAME_DEG = 0.01


def cell_toward(
    tilemap: TileMap,
    cell: CellLike,
    direction: str,
    heading_deg: float,
    takes_void: bool = False,
) -> Cell | None:
    """Find the nearest tile with ground in a direction of the picture; None if there is none.

    Of several surfaces there, the one nearest in level to that of `cell`. Where two neighbors lie
    at the same angle from the direction, as straight ahead across the tips of hexagons, lines of
    tiles take turns, so that one goes straight on.

    Parameters
    ----------
    tilemap : TileMap
    cell : cell
        Where one is.
    direction : str
        One of `TURNS_DEG`.
    heading_deg : float
        Where the camera looks; 0 along +y, counter-clockwise.
    takes_void : bool
        Whether tiles without ground are not passed over.

    Raises
    ------
    IndexError, TypeError
        The cell is outside the map or is no cell.
    ValueError
        The direction is unknown or the heading not finite.
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
            return min(surfaces, key=lambda there: abs(tilemap.level_at(there) - level))
        if takes_void:
            return Cell(row, col)


def next_surface(tilemap: TileMap, cell: CellLike) -> Cell:
    """Give the surface above in the same column, or from the highest the lowest one.

    Raises
    ------
    IndexError, TypeError
        The cell is outside the map or is no cell.
    """
    start = tilemap.cell(cell)
    decks = tilemap.decks_at(start[:2])
    if start.deck not in decks:
        return start
    return start._replace(deck=decks[(decks.index(start.deck) + 1) % len(decks)])


def _step(grid: Grid, row: int, col: int, toward_deg: float) -> tuple[int, int] | None:
    """Give the (row, col) of the neighbor inside of the grid that lies best; None without one."""
    steps = grid.steps_from(row, col)
    is_other_line = steps != grid.directions[0]
    found: list[tuple[float, float, tuple[int, int]]] = []
    for (down, right), (x, y) in zip(steps, grid.headings, strict=True):
        off_deg = math.remainder(math.degrees(math.atan2(-x, y)) - toward_deg, 360.0)
        there = row + down, col + right
        is_inside = 0 <= there[0] < grid.rows and 0 <= there[1] < grid.cols
        if is_inside and abs(off_deg) <= _WIDEST_DEG + _SAME_DEG:
            turn = -off_deg if is_other_line else off_deg
            found.append((round(abs(off_deg) / _SAME_DEG), turn, there))
    return min(found)[2] if found else None
