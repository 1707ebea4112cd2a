"""Choose what a first view of units shows: a clear heading, a path to some tile."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ai.navigation.reach import Reach
    from ai.view.unit_3d import Unit3D
    from terrain3d.grid.grid import Cell
    from terrain3d.look.orbit import OrbitView, Point
    from terrain3d.map.tilemap import TileMap

SAMPLE_STEPS = 4
"""Few enough that the whole path is in the first view."""
_BODY_HEIGHTS = 0.15, 0.5, 0.9  # of the points of a figure that are looked for
_BODY_RADIUS = 0.2
_SLACK = 0.1  # so that the ground below a point does not hide it

HEADINGS_DEG = 38.0, -38.0, 62.0, -62.0, 14.0, -14.0
"""Headings of a first view, the best ones first; row 0 of the map is on the far side in each."""


def clearest_heading_deg(
    near: OrbitView, tilemap: TileMap, figure: Unit3D, figures: Iterable[Unit3D]
) -> float:
    """Return the heading from which least of a figure is hidden, in a view of it from near.

    The map and other figures hide it; ties go to the first of `HEADINGS_DEG`.
    """
    others = [each for each in figures if each is not figure]

    def hidden(heading_deg: float) -> int:
        turned = replace(near, heading_deg=heading_deg)
        points = _body_points(figure.point, turned)
        return sum(_is_hidden(point, turned.eye, tilemap, others) for point in points)

    return min(HEADINGS_DEG, key=hidden)


def _body_points(foot: Point, look: OrbitView) -> list[Point]:
    """List points on the left, in the middle and on the right of a figure, as a view sees it."""
    x, y, z = foot
    right_x, right_y, _ = (_BODY_RADIUS * look.axes[0]).tolist()
    return [
        (x + side * right_x, y + side * right_y, z + height)
        for side in (-1, 0, 1)
        for height in _BODY_HEIGHTS
    ]


def _is_hidden(point: Point, eye: Point, tilemap: TileMap, figures: Iterable[Unit3D]) -> bool:
    """Return whether the map or a figure is in front of a point."""
    ray = point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]
    length = math.hypot(*ray) - _SLACK
    hit = tilemap.cast(eye, ray)
    if hit is not None and hit.distance < length:
        return True
    distances = [figure.cast(eye, ray) for figure in figures]
    return any(distance is not None and distance < length for distance in distances)


def sample_goal(reach: Reach, heading_deg: float) -> Cell:
    """Return the cell with the longest path of up to SAMPLE_STEPS, of several the one in front.

    The heading is that of the camera, counter-clockwise from the direction of row 0.
    """
    heading = math.radians(heading_deg)
    down, right = math.copysign(1, math.cos(heading)), math.copysign(1, math.sin(heading))
    steps = {cell: len(reach.path_to(cell).steps) for cell in reach}
    near = [cell for cell in reach if steps[cell] <= SAMPLE_STEPS]
    return max(near, key=lambda cell: (steps[cell], down * cell.row + right * cell.col))
