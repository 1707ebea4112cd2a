"""The cells that a line crosses, in order.

Squares: Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987). Hexagons:
from each cell across the edge that the line meets first.
"""

import math
from collections.abc import Iterator

from terrain3d.grid.grid import Grid
from terrain3d.grid.hexgrid import HexGrid

Crossing = tuple[int, int, float, float]
"""(row, col, enter, leave); the last two are multiples of the line's direction vector."""


def crossed_cells(
    grid: Grid, x: float, y: float, dx: float, dy: float, enter: float, leave: float
) -> Iterator[Crossing]:
    """Yield the cells of the grid along a line, and where it enters and leaves each.

    The line starts at (x, y) in world units; its direction (dx, dy) may be (0, 0). The part of it
    that lies within the grid's extent is from `enter` to `leave`, as multiples of the direction.
    """
    if isinstance(grid, HexGrid):
        return _hexagons(grid, x, y, dx, dy, enter, leave)
    return _squares(x, -y, dx, -dy, enter, leave, grid.rows, grid.cols)


def _squares(
    x: float, y: float, dx: float, dy: float, enter: float, leave: float, rows: int, cols: int
) -> Iterator[Crossing]:
    """Yield the squares along a line; y counts rows here."""
    col = min(max(math.floor(x + dx * enter), 0), cols - 1)
    row = min(max(math.floor(y + dy * enter), 0), rows - 1)
    step_col, step_row = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    # Length of the line up to the next column border (row border), and between two of them.
    next_col = (col + (dx > 0) - x) / dx if dx else math.inf
    next_row = (row + (dy > 0) - y) / dy if dy else math.inf
    across_col = abs(1.0 / dx) if dx else math.inf
    across_row = abs(1.0 / dy) if dy else math.inf
    at = enter
    while 0 <= row < rows and 0 <= col < cols and at <= leave:
        is_over_col = next_col <= next_row
        until = next_col if is_over_col else next_row
        if until >= leave:
            yield row, col, at, leave
            return
        yield row, col, at, until
        if is_over_col:
            col, next_col = col + step_col, next_col + across_col
        else:
            row, next_row = row + step_row, next_row + across_row
        at = until


def _hexagons(
    grid: HexGrid, x: float, y: float, dx: float, dy: float, enter: float, leave: float
) -> Iterator[Crossing]:
    """Yield the hexagons along a line; it may leave the grid and enter it again."""
    x0, y0, x1, y1 = grid.extent
    # Measured from the entry, so that a very distant start costs no precision.
    x, y = min(max(x + dx * enter, x0), x1), min(max(y + dy * enter, y0), y1)
    speeds = [east * dx + north * dy for east, north in grid.headings]
    ahead = [
        (direction, east, north, speed)
        for direction, ((east, north), speed) in enumerate(zip(grid.headings, speeds, strict=True))
        if speed > 0.0
    ]
    row, col = grid.lattice_cell(x, y)
    length, at = leave - enter, 0.0
    # Cells that overlap the extent lie at most one row or column outside the grid.
    while -1 <= row <= grid.rows and -1 <= col <= grid.cols:
        middle_x, middle_y = grid.middle(row, col)
        until, out = length, None
        for direction, east, north, speed in ahead:
            edge = (0.5 - east * (x - middle_x) - north * (y - middle_y)) / speed
            if edge < until:
                until, out = edge, direction
        until = max(until, at)  # rounding may find an edge behind
        if 0 <= row < grid.rows and 0 <= col < grid.cols:
            yield row, col, enter + at, enter + until
        if out is None:
            return
        drow, dcol = grid.steps_from(row, col)[out]
        row, col, at = row + drow, col + dcol, until
