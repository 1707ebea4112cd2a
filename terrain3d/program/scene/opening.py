"""The heading of the first view: the one from which least of the selected unit is hidden."""

import math
from collections.abc import Iterable
from dataclasses import replace

from terrain3d import TileMap, view
from terrain3d.look.orbit import OrbitView, Point

_BODY_HEIGHTS = 0.15, 0.5, 0.9  # of the points of a figure that are looked for
_BODY_RADIUS = 0.2
_SLACK = 0.1  # so that the ground below a point does not hide it

HEADINGS_DEG = 38.0, -38.0, 62.0, -62.0, 14.0, -14.0
"""Headings of a first view, the best ones first; row 0 of the map is on the far side in each."""


def clearest_heading_deg(
    near: OrbitView, tilemap: TileMap, figure: view.Unit3D, figures: Iterable[view.Unit3D]
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


def _is_hidden(point: Point, eye: Point, tilemap: TileMap, figures: Iterable[view.Unit3D]) -> bool:
    """Return whether the map or a figure is in front of a point."""
    ray = point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]
    length = math.hypot(*ray) - _SLACK
    hit = tilemap.cast(eye, ray)
    if hit is not None and hit.distance < length:
        return True
    distances = [figure.cast(eye, ray) for figure in figures]
    return any(distance is not None and distance < length for distance in distances)
