"""Ray casts against a map: an exact march through the columns that a ray crosses.

The march visits columns in order along the ray and compares its height with the surfaces there. On
squares it follows Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987); on
hexagons it goes from each cell across the edge that the line meets first.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from terrain3d.core.checks import finite_numbers, true_or_false
from terrain3d.grid.grid import Cell, Grid, HexGrid
from terrain3d.map.surfaces import Body, Surfaces

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


Vector = Sequence[float]


def _ray(origin: Vector, direction: Vector) -> tuple[float, float, float, float, float, float]:
    """Return the origin of a ray and its direction at length 1 after checking them."""
    x, y, z = finite_numbers("origin", origin, 3)
    dx, dy, dz = finite_numbers("direction", direction, 3)
    length = math.hypot(dx, dy, dz)
    if length == 0.0 or not math.isfinite(length):
        raise ValueError(f"direction needs a finite length > 0, got {(dx, dy, dz)}")
    return x, y, z, dx / length, dy / length, dz / length


def _clip(
    origin: tuple[float, float, float],
    direction: tuple[float, float, float],
    low: tuple[float, float, float],
    high: tuple[float, float, float],
) -> tuple[float, float] | None:
    """Return where a ray enters and leaves a box, as multiples of its direction, or None."""
    enter, leave = 0.0, math.inf
    for start, slope, near, far in zip(origin, direction, low, high, strict=True):
        if slope == 0.0:
            if not near <= start <= far:
                return None
            continue
        first, last = (near - start) / slope, (far - start) / slope
        enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
    # A box so far away that the length overflows counts as missed.
    return (enter, leave) if enter <= leave < math.inf else None


class Hit(NamedTuple):
    """The surface that a ray hits, and its distance from the ray's origin in world units."""

    cell: Cell
    distance: float


def cast(
    surfaces: Surfaces,
    step_height: float,
    base_z: float,
    origin: Vector,
    direction: Vector,
    includes_void: bool = False,
) -> Hit | None:
    """Return the first surface that a ray hits: a column of ground, or the slab of a deck.

    The direction may have any length. `step_height` and `base_z`, the bottom of the ground, are in
    world units. With `includes_void`, void ground is solid at the level stored for it. None if the
    ray misses the map; `ValueError` if a number is not finite, or the direction has no length.
    """
    x, y, z, dx, dy, dz = _ray(origin, direction)
    grid = surfaces.grid
    x0, y0, x1, y1 = grid.extent
    lowest, highest = surfaces.level_span
    if true_or_false("includes_void", includes_void):
        highest = max(highest, surfaces.void_top)
    low, top = min(base_z, lowest * step_height), highest * step_height
    span = _clip((x, y, z), (dx, dy, dz), (x0, y0, low), (x1, y1, top))
    if span is None:
        return None
    for row, col, enter, leave in crossed_cells(grid, x, y, dx, dy, *span):
        bodies = surfaces.bodies_at(row, col)
        if includes_void and surfaces.void[0, row, col]:
            bodies.append((0, int(surfaces.level[0, row, col]), 0))
        found = _nearest(bodies, step_height, base_z, z, dz, enter, leave)
        if found is not None:
            deck, distance = found
            return Hit(Cell(row, col, deck), distance)
    return None


def _nearest(
    bodies: Iterable[Body],
    step_height: float,
    base_z: float,
    z: float,
    dz: float,
    enter: float,
    leave: float,
) -> tuple[int, float] | None:
    """Return the (deck, distance) of the first body that a ray hits inside a column, or None."""
    nearest = None
    first, last = z + dz * enter, z + dz * leave
    for deck, level, thickness in bodies:
        top = level * step_height
        under = (level - thickness) * step_height if deck else base_z
        if under <= first <= top:
            distance = enter
        elif last <= top < first:
            distance = (top - z) / dz
        elif first < under <= last:
            distance = (under - z) / dz
        else:
            continue
        if nearest is None or distance < nearest[1]:
            nearest = deck, distance
    return nearest


def cast_at_cylinder(
    foot: Vector, radius: float, height: float, origin: Vector, direction: Vector
) -> float | None:
    """Return the distance at which a ray hits a cylinder upright on `foot`; None if it misses."""
    x, y, z, dx, dy, dz = _ray(origin, direction)
    x, y, z = x - foot[0], y - foot[1], z - foot[2]
    enter, leave = 0.0, math.inf
    if dz:
        ends = -z / dz, (height - z) / dz
        enter, leave = max(enter, min(ends)), max(ends)
    elif not 0 <= z <= height:
        return None
    a, b, c = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radius * radius
    if a == 0.0:
        return enter if c <= 0 and enter <= leave else None
    inside = b * b - a * c
    if inside < 0:
        return None
    root = math.sqrt(inside)
    enter, leave = max(enter, (-b - root) / a), min(leave, (-b + root) / a)
    return enter if enter <= leave else None
