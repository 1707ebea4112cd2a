"""Open a scene: a glide from the whole map to a first view, which shows units clearly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from terrain3d.look.orbit import OrbitView
from terrain3d.view.hud.hud import LOW_PX
from terrain3d.view.window.panda_tree import WindowNode

if TYPE_CHECKING:
    from ai.navigation.reach import Reach
    from ai.view.unit_3d import Unit3D
    from terrain3d.grid.grid import Cell
    from terrain3d.look.orbit import Point
    from terrain3d.map.tilemap import TileMap
    from terrain3d.view.camera import OrbitCamera3D

SAMPLE_STEPS = 3
"""Few enough that the whole path is in the first view."""
HEAD_Z = 1.2
"""The height of a figure, in tiles."""
_BODY_HEIGHTS = 0.15, 0.5, 0.9  # of the points of a figure that are looked for
_BODY_RADIUS = 0.2
_ROOM = 1.75  # distance of the camera from two points, in distances between them
_RAYS_X, _RAYS_Y = (-0.38, -0.2, 0.0, 0.2, 0.38), (-0.2, -0.07, 0.07, 0.2)  # slopes in a view
# Where panels usually are: left, right, bottom and top in the picture, in -1..1.
_PANELS = (
    (-1.0, 0.4, 0.7, 1.0),
    (-1.0, -0.6, 0.42, 0.7),
    (0.66, 1.0, 0.4, 1.0),
    (-1.0, -0.2, -1.0, -0.8),
)
_PANELS_OF_LOW_WINDOW = (
    (-1.0, 0.25, 0.14, 1.0),
    (-1.0, -0.33, -0.36, 0.14),
    (0.6, 1.0, 0.32, 1.0),
    (-1.0, 0.3, -1.0, -0.74),
)
_SLACK = 0.1  # so that the ground below a point does not hide it

_PARTS = 0.0, 0.07, -0.07, 0.14, -0.14
PANS = sorted(itertools.product(_PARTS, repeat=2), key=lambda each: math.hypot(*each))
"""By which parts of its distance a first view is moved right and ahead, the best first."""
ZOOMS = 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5
"""Of the distance from which a first view shows all units, the best first."""
TURNS_DEG = 0.0, 40.0, -40.0, 80.0, -80.0
"""By how much a view is turned that something would hide, the best first."""
HEADINGS_DEG = 38.0, -38.0, 62.0, -62.0, 14.0, -14.0
"""Headings of a first view, the best ones first; row 0 of the map is on the far side in each."""


HOLD_S, GLIDE_S = 1.0, 2.0
"""How long the whole map is shown, and how long the glide takes."""


class Opening(WindowNode):
    """Shows the whole map, and glides to a view of it; the scene calls `skip` at any key.

    While it plays it takes the mouse: nothing is aimed at, and a press skips it.
    """

    def __init__(self, camera: OrbitCamera3D, end: Callable[[], OrbitView]) -> None:
        super().__init__()
        self._camera, self._make_end = camera, end
        self._ends: tuple[OrbitView, OrbitView] | None = None
        self._time_s = 0.0

    @property
    def is_playing(self) -> bool:
        """Whether the camera is on its way."""
        return self._ends is not None

    def play(self) -> None:
        """Begin the glide."""
        end, home = self._make_end(), self._camera.home
        turned = (end.heading_deg - home.heading_deg + 180) % 360 - 180
        begin = replace(home, heading_deg=end.heading_deg - turned)
        self._go(begin, end)
        self._time_s = -HOLD_S
        self._camera.look(begin)

    def skip(self) -> None:
        """Show the end of the glide now."""
        if self._ends is not None:
            self._camera.look(self._ends[1])
            self._go()

    def _go(self, *ends: OrbitView) -> None:
        """Glide from a view to another and take the mouse, or end that."""
        pointer = self.panda.pointer
        self._ends = (ends[0], ends[1]) if ends else None
        if ends:
            pointer.catch = self.skip
        elif pointer.catch == self.skip:
            pointer.catch = None

    def _exit_tree(self) -> None:
        self._go()

    def _process(self, dt_s: float) -> None:
        if self._ends is None:
            return
        self._time_s += dt_s
        part = min(max(self._time_s / GLIDE_S, 0.0), 1.0)
        start, end = self._ends
        self._camera.look(start.mixed(end, part * part * (3 - 2 * part)))
        if part == 1.0:
            self._go()


def view_of(near: OrbitView, points: Sequence[Point]) -> OrbitView:
    """Return a view of points that is like one of the first from near."""
    low, high = (tuple(map(least, zip(*points, strict=True))) for least in (min, max))
    x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
    distance = max(near.distance, _ROOM * math.dist(low, high))
    return replace(near, target=(x, y, z), distance=distance)


def clearest(
    views: Iterable[OrbitView],
    tilemap: TileMap,
    shown: Sequence[tuple[Point, Unit3D]],
    figures: Sequence[Unit3D],
    n_allowed: int = 0,
    count_covered: Callable[[OrbitView], int] = lambda _: 0,
) -> OrbitView:
    """Return the first of the views with the least that is covered, then of hidden bodies.

    Each body is on a foot; the map hides it, and figures but its own. `n_allowed` of its nine
    points may be hidden.
    """
    best, least = None, (math.inf, math.inf)
    for look in views:
        covered = count_covered(look)
        is_worse = covered > least[0]
        n_hidden = 0 if is_worse else _n_hidden(look, tilemap, shown, figures, n_allowed)
        hidden = covered, n_hidden
        if hidden < least:
            best, least = look, hidden
        if not any(hidden):
            break
    assert best is not None
    return best


def n_covered(goals: Sequence[Point], camera: OrbitCamera3D, look: OrbitView) -> int:
    """Count points on tiles that are outside the picture, or where panels usually are."""
    points = np.array([point for goal in goals for point in _tile_points(goal)]).reshape(-1, 3)
    seen, fov_deg, aspect = camera.in_perspective(look)
    x, y = seen.places_of(points, fov_deg, aspect).T
    is_covered = np.maximum(abs(x), abs(y)) > 1
    is_low = camera.panda.viewport.size_px[1] < LOW_PX
    for left, right, low, high in _PANELS_OF_LOW_WINDOW if is_low else _PANELS:
        is_covered |= (left < x) & (x < right) & (low < y) & (y < high)
    return int(is_covered.sum())


def _n_hidden(
    look: OrbitView,
    tilemap: TileMap,
    shown: Sequence[tuple[Point, Unit3D]],
    figures: Sequence[Unit3D],
    n_allowed: int,
) -> int:
    n_hidden = 0
    for foot, own in shown:
        others = [each for each in figures if each is not own]
        points = _body_points(foot, look)
        hidden = (_is_hidden(each, look.eye, tilemap, others) for each in points)
        n_hidden += max(0, sum(hidden) - n_allowed)
    return n_hidden


def is_mostly_water(look: OrbitView, tilemap: TileMap) -> bool:
    """Return whether liquids are in half of a view or more, by rays spread over it."""
    right, ahead, up = look.axes
    rays = (ahead + x * right + y * up for x in _RAYS_X for y in _RAYS_Y)
    hits = [tilemap.cast(look.eye, ray.tolist()) for ray in rays]
    return 2 * sum(hit is not None and tilemap.kind_at(hit.cell).depth > 0 for hit in hits) >= len(
        hits
    )


def _body_points(foot: Point, look: OrbitView) -> list[Point]:
    """List points on the left, in the middle and on the right of a figure, as a view sees it."""
    x, y, z = foot
    right_x, right_y, _ = (_BODY_RADIUS * look.axes[0]).tolist()
    return [
        (x + side * right_x, y + side * right_y, z + height)
        for side in (-1, 0, 1)
        for height in _BODY_HEIGHTS
    ]


def _tile_points(middle: Point) -> list[Point]:
    """List points near the sides of a tile."""
    x, y, z = middle
    return [(x + dx, y + dy, z) for side in (-0.4, 0.4) for dx, dy in ((side, 0.0), (0.0, side))]


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
