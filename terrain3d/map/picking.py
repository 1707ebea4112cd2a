"""Which surface a ray meets first: an exact march through the columns it crosses.

The march visits columns in order along the ray and compares its height with what stands in each.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from terrain3d.grid.grid import Cell, Grid
from terrain3d.grid.traversal import crossed_cells
from terrain3d.map.surfaces import Body, Surfaces

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


class Hit(NamedTuple):
    """The surface whose body a ray meets and how far from its origin, in world units."""

    cell: Cell
    distance: float


def cast(
    grid: Grid,
    surfaces: Surfaces,
    step_height: float,
    base_z: float,
    origin: Vector,
    direction: Vector,
    takes_void: bool = False,
) -> Hit | None:
    """Find the surface whose body a ray meets first: a column of ground, or the slab of a deck.

    Parameters
    ----------
    grid : Grid
        How the columns lie.
    surfaces : Surfaces
        Those that do not exist let the ray through.
    step_height, base_z : float, in world units
        Height of a level; where the ground ends below.
    origin, direction : (x, y, z) in world units
        The ray. The direction needs no certain length.
    takes_void : bool
        Whether void ground counts as if it were there, at the level that is stored for it.

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
    x0, y0, x1, y1 = grid.extent
    lowest, highest = surfaces.span
    if takes_void:
        highest = max(highest, surfaces.void_top)
    low, top = min(base_z, lowest * step_height), highest * step_height
    span = _clip((x, y, z), (dx, dy, dz), (x0, y0, low), (x1, y1, top))
    if span is None:
        return None
    level, is_void, has_decks = surfaces.level[0], surfaces.void[0], surfaces.n_decks > 0
    for row, col, enter, leave in crossed_cells(grid, x, y, dx, dy, *span):
        if has_decks:
            bodies = surfaces.bodies_at(row, col)
            if takes_void and is_void[row, col]:
                bodies.append((0, int(level[row, col]), 0))
            found = _nearest(bodies, step_height, base_z, z, dz, enter, leave)
            if found is not None:
                deck, distance = found
                return Hit(Cell(row, col, deck), distance)
            continue
        surface = int(level[row, col]) * step_height
        is_low = min(z + dz * enter, z + dz * leave) <= surface
        if is_low and (takes_void or not is_void[row, col]):
            is_side = z + dz * enter <= surface
            return Hit(Cell(row, col), enter if is_side else (surface - z) / dz)
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
    """Find which body of a column a ray meets first inside of it: (deck, how far along the ray)."""
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
