"""The heading of the first view: the one from which least of the selected unit is hidden.

Hints for a player's first run, one at a time; the settings remember which were shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ai.view import Unit3D
from terrain3d import TileMap, view
from terrain3d.look.orbit import OrbitView, Point
from terrain3d.look.settings import N_HINTS

if TYPE_CHECKING:
    import ai
    from terrain3d import view


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


HINTS = (
    "Click a marked tile: the selected unit goes there",
    "Drag to turn the view; the wheel zooms; Home shows the whole map",
    "F1 lists all keys; each button names its key",
)
LONGEST_S = 45.0
"""How long a hint is shown to a player who does something else."""


class FirstHints:
    """Chooses the hint to show: the first one that was neither followed nor shown long enough."""

    def __init__(
        self,
        preferences: view.Preferences,
        commander: ai.Commander,
        camera: view.OrbitCamera3D,
        hud: view.Hud,
    ) -> None:
        self._preferences, self._camera, self._hud = preferences, camera, hud
        self._has_ordered = False
        self._shown_s = 0.0
        self._look: tuple[float, ...] | None = None
        commander.order_given.connect(self._note_order)
        commander.squad_ordered.connect(self._note_order)

    @property
    def text(self) -> str:
        """The hint to show; "" after the last one."""
        n_seen = self._preferences.settings.hints_seen
        return f"Hint {n_seen + 1} of {N_HINTS}: {HINTS[n_seen]}" if n_seen < N_HINTS else ""

    def advance(self, dt_s: float) -> bool:
        """Advance the time by `dt_s` seconds; return whether another hint is to be shown now."""
        n_seen = self._preferences.settings.hints_seen
        if n_seen == N_HINTS:
            return False
        goal = self._camera.goal
        look = goal.heading_deg, goal.pitch_deg, goal.distance
        self._look = self._look or look
        self._shown_s += dt_s
        followed = (self._has_ordered, look != self._look, self._hud.is_help_open)
        if not followed[n_seen] and self._shown_s < LONGEST_S:
            return False
        self._shown_s, self._look = 0.0, look
        self._preferences.change("hints_seen")
        return True

    def _note_order(self, *_: object) -> None:
        self._has_ordered = True
