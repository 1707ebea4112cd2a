"""Which tile a ray meets first: an exact march through the columns it crosses.

The march visits columns in order along the ray (Amanatides and Woo, "A Fast Voxel Traversal
Algorithm for Ray Tracing", 1987) and compares the ray's height with each column's top.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import Cell

Vector = Sequence[float]


def _checked(name: str, vector: Vector) -> tuple[float, float, float]:
    numbers = tuple(float(part) for part in vector)
    if len(numbers) != 3 or not all(math.isfinite(number) for number in numbers):
        raise ValueError(f"the ray's {name} must be three finite numbers, got {numbers}")
    return numbers


def _ray(origin: Vector, direction: Vector) -> tuple[float, float, float, float, float, float]:
    """Check a ray and give its origin and its direction at length 1."""
    x, y, z = _checked("origin", origin)
    dx, dy, dz = _checked("direction", direction)
    length = math.hypot(dx, dy, dz)
    if length == 0.0 or not math.isfinite(length):
        raise ValueError(f"the ray's direction needs a finite length > 0, got {(dx, dy, dz)}")
    return x, y, z, dx / length, dy / length, dz / length


def _clip(
    origin: tuple[float, float, float],
    direction: tuple[float, float, float],
    low: tuple[float, float, float],
    high: tuple[float, float, float],
) -> tuple[float, float] | None:
    """Give where the ray enters and leaves a box, in lengths of its direction; None beside it."""
    enter, leave = 0.0, math.inf
    for start, slope, near, far in zip(origin, direction, low, high, strict=True):
        if slope == 0.0:
            if not near <= start <= far:
                return None
            continue
        first, last = (near - start) / slope, (far - start) / slope
        enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
    # So far away that its length overflows, it passes no box that can be told.
    return (enter, leave) if enter <= leave < math.inf else None


def _columns(
    x: float, y: float, dx: float, dy: float, enter: float, leave: float, rows: int, cols: int
) -> Iterator[tuple[int, int, float, float]]:
    """Give (row, col, enter, leave) of each column along the ray; y counts rows here."""
    col = min(max(math.floor(x + dx * enter), 0), cols - 1)
    row = min(max(math.floor(y + dy * enter), 0), rows - 1)
    step_col, step_row = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    # Length of the ray up to the next line between columns, and from one line to the next.
    next_col = (col + (dx > 0) - x) / dx if dx else math.inf
    next_row = (row + (dy > 0) - y) / dy if dy else math.inf
    across_col = abs(1.0 / dx) if dx else math.inf
    across_row = abs(1.0 / dy) if dy else math.inf
    at = enter
    while 0 <= row < rows and 0 <= col < cols and at <= leave:
        until = min(next_col, next_row, leave)
        yield row, col, at, until
        if until >= leave:
            return
        if next_col <= next_row:
            col, next_col = col + step_col, next_col + across_col
        else:
            row, next_row = row + step_row, next_row + across_row
        at = until


class Hit(NamedTuple):
    """The tile a ray meets and how far from its origin, in world units."""

    cell: Cell
    distance: float


def cast(
    level: NDArray[np.integer],
    is_void: NDArray[np.bool_],
    top: int,
    step_height: float,
    base_z: float,
    origin: Vector,
    direction: Vector,
) -> Hit | None:
    """Find the column a ray meets first, by its top or by its side.

    Parameters
    ----------
    level, is_void : (rows, cols)
        Tops in levels; void columns let the ray through.
    top : int
        No level is higher than this.
    step_height, base_z : float, in world units
        Height of a level; where every column ends below.
    origin, direction : (x, y, z) in world units
        The ray. The direction needs no certain length.

    Returns
    -------
    Hit or None
        None if the ray misses the map.

    Raises
    ------
    ValueError
        A number is not finite, or the direction has no length.
    """
    x, y, z, dx, dy, dz = _ray(origin, direction)
    rows, cols = level.shape
    span = _clip((x, -y, z), (dx, -dy, dz), (0.0, 0.0, base_z), (cols, rows, top * step_height))
    if span is None:
        return None
    for row, col, enter, leave in _columns(x, -y, dx, -dy, *span, rows, cols):
        surface = int(level[row, col]) * step_height
        if min(z + dz * enter, z + dz * leave) <= surface and not is_void[row, col]:
            is_side = z + dz * enter <= surface
            return Hit(Cell(row, col), enter if is_side else (surface - z) / dz)
    return None


def cast_at_post(
    foot: Vector, radius: float, height: float, origin: Vector, direction: Vector
) -> float | None:
    """Give how far along a ray an upright cylinder is met, in world units; None if it is not.

    Parameters
    ----------
    foot : (x, y, z) in world units
        Center of its lower end.
    radius, height : float, in world units
    origin, direction : (x, y, z) in world units
        The ray, as for `cast`.
    """
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
