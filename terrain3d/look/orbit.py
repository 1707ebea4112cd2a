"""Arithmetic of an orbit camera: views, their moves and limits, and what they show of a map.

Angles follow Panda3D: heading 0 looks along +y and grows counter-clockwise seen from above. Pitch
is measured downward: 0 looks level, 90 straight down. A heading may exceed 360, so that several
quick turns in one direction keep that direction.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import finite_number, finite_numbers, number_within, positive_number
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.solids import clipped

Point = tuple[float, float, float]
Height = Callable[[float, float], float]
"""Returns the ground's z at x and y."""

EASE_RATE = 9.0
"""Speed of easing: after 1/EASE_RATE seconds, 37 % of the change is left."""

MAX_HEADING_DEG = 1e9
"""The most that a heading may grow by turns; the engine's 32-bit numbers hold no infinity."""

NEAR_DISTANCE = 9.1
"""Distance, in tiles, from which one sees one unit, its reach and the units beside it."""

_SAME_HEADING_DEG = 1e-6
_PITCH_STEP_DEG = 0.5
_MARGIN = 0.06  # empty share of a picture's half width and half height around a framed box
_LEAST_DESCENT = 1e-3
_PAN_TOLERANCE = 1e-9  # a pan by a smaller share is the rounding of an earlier one
_CLEAR_PARTS = (0.0, 0.08, 0.16, 0.24)
"""Points on the line from the eye to the target that must be above the ground, as fractions."""


@dataclass(frozen=True)
class OrbitView:
    """A camera that looks at `target` from `distance` > 0 away, in world units.

    For the angles see the module; a heading is at most MAX_HEADING_DEG either side. `TypeError` or
    `ValueError` if a number is not finite or out of its limits.
    """

    heading_deg: float
    pitch_deg: float
    distance: float
    target: Point

    def __post_init__(self) -> None:
        """Check the numbers."""
        number_within("heading_deg", self.heading_deg, -MAX_HEADING_DEG, MAX_HEADING_DEG)
        finite_number("pitch_deg", self.pitch_deg)
        positive_number("distance", self.distance)
        finite_numbers("target", self.target, 3)

    @property
    def axes(self) -> NDArray[np.float64]:
        """Unit vectors (3, 3) to the right, along the view, and up the picture."""
        heading, pitch = math.radians(self.heading_deg), math.radians(self.pitch_deg)
        sin_h, cos_h = math.sin(heading), math.cos(heading)
        sin_p, cos_p = math.sin(pitch), math.cos(pitch)
        return np.array(
            [
                (cos_h, sin_h, 0.0),
                (-sin_h * cos_p, cos_h * cos_p, -sin_p),
                (-sin_h * sin_p, cos_h * sin_p, cos_p),
            ]
        )

    @property
    def eye(self) -> Point:
        """Position of the camera."""
        x, y, z = (self.target - self.distance * self.axes[1]).tolist()
        return x, y, z

    def places_of(self, points: ArrayLike, fov_deg: float, aspect: float) -> NDArray[np.float64]:
        """Return where (n, 3) points are in the picture: (n, 2) in -1..1; inf behind the camera.

        `fov_deg` is the vertical field of view, `aspect` the width of the picture divided by its
        height.
        """
        across, along, upward = self.axes @ np.subtract(points, self.eye).T
        reach = along * math.tan(math.radians(fov_deg) / 2)
        at = np.full((len(reach), 2), np.inf)
        is_ahead = reach > 0
        at[is_ahead] = (np.stack([across / aspect, upward]) / reach)[:, is_ahead].T
        return at

    def orbited(self, dheading_deg: float, dpitch_deg: float) -> Self:
        """Return the view turned around the target."""
        return replace(
            self, heading_deg=self.heading_deg + dheading_deg, pitch_deg=self.pitch_deg + dpitch_deg
        )

    def panned(self, right: float, forward: float) -> Self:
        """Return the view moved along the ground, in world units to the right and forward."""
        heading = math.radians(self.heading_deg)
        sin_h, cos_h = math.sin(heading), math.cos(heading)
        x, y, z = self.target
        dx = cos_h * right - sin_h * forward
        dy = sin_h * right + cos_h * forward
        return replace(self, target=(x + dx, y + dy, z))

    def zoomed(self, factor: float, toward: Point | None = None) -> Self:
        """Return the view with its distance multiplied by a factor, which must be > 0.

        The point `toward`, by default the target, keeps its position in the picture.
        """
        x, y, z = self.target
        px, py, pz = self.target if toward is None else toward
        target = (px + (x - px) * factor, py + (y - py) * factor, pz + (z - pz) * factor)
        return replace(self, distance=self.distance * factor, target=target)

    def snapped(self, step_deg: float, direction: int) -> Self:
        """Return the view turned to the next heading that is a multiple of `step_deg`.

        `direction` > 0 turns counter-clockwise, else clockwise.
        """
        sign = 1 if direction > 0 else -1
        passed = math.floor((self.heading_deg * sign + _SAME_HEADING_DEG) / step_deg)
        return replace(self, heading_deg=sign * (passed + 1) * step_deg)

    def turned_to(self, heading_deg: float) -> Self:
        """Return the view turned to a heading by the smallest angle."""
        turn = math.remainder(heading_deg - self.heading_deg, 360.0)
        return replace(self, heading_deg=self.heading_deg + turn)

    def eased(self, goal: Self, dt_s: float) -> Self:
        """Return the view eased toward a goal over `dt_s`, independent of the frame rate."""
        return self.mixed(goal, 1.0 - math.exp(-EASE_RATE * dt_s))

    def mixed(self, goal: Self, part: float) -> Self:
        """Return a view on the way to a goal: 0 is this one, 1 the goal.

        All parts change by the same share, so a point that a zoom keeps in place does not move.
        """

        def mixed(now: float, then: float) -> float:
            return then + (now - then) * (1.0 - part)

        x, y, z = map(mixed, self.target, goal.target)
        return replace(
            self,
            heading_deg=mixed(self.heading_deg, goal.heading_deg),
            pitch_deg=mixed(self.pitch_deg, goal.pitch_deg),
            distance=mixed(self.distance, goal.distance),
            target=(x, y, z),
        )

    def is_near(self, other: Self) -> bool:
        """Return whether the difference of two views is invisible."""
        reach = 1e-4 * self.distance
        return (
            abs(self.heading_deg - other.heading_deg) < 1e-3
            and abs(self.pitch_deg - other.pitch_deg) < 1e-3
            and abs(self.distance - other.distance) < reach
            and math.dist(self.target, other.target) < reach
        )


@dataclass(frozen=True)
class OrbitLimits:
    """The least and the most of a view, in world units; targets are in the box from low to high."""

    low: Point
    high: Point
    distance: tuple[float, float] = (2.5, 200.0)
    pitch_deg: tuple[float, float] = (8.0, 89.9)
    """Both > 0, so that the eye is above the target."""
    margin: float = 0.4
    """Least height of the eye above the ground."""

    def clamped(self, view: OrbitView) -> OrbitView:
        """Return the nearest view inside the limits."""
        x, y, z = (
            min(max(part, low), high)
            for part, low, high in zip(view.target, self.low, self.high, strict=True)
        )
        return replace(
            view,
            pitch_deg=min(max(view.pitch_deg, self.pitch_deg[0]), self.pitch_deg[1]),
            distance=min(max(view.distance, self.distance[0]), self.distance[1]),
            target=(x, y, z),
        )

    def clamped_zoom(self, view: OrbitView, factor: float) -> float:
        """Return a zoom factor clamped so that the distance stays inside the limits."""
        least, most = self.distance
        return min(max(view.distance * factor, least), most) / view.distance

    def above_ground(self, view: OrbitView, height: Height) -> OrbitView:
        """Return the view raised until the eye and the start of its line of sight are above ground.

        It has the smallest pitch that is clear. If none is, because the target is deep in the
        ground, it is the steepest view with the target raised.
        """
        if self._missing(view, height) <= 0:
            return view
        steepest = self.pitch_deg[1]
        count = max(1, math.ceil((steepest - view.pitch_deg) / _PITCH_STEP_DEG))
        raised = view
        for number in range(1, count + 1):
            pitch_deg = min(view.pitch_deg + number * _PITCH_STEP_DEG, steepest)
            raised = replace(view, pitch_deg=pitch_deg)
            if self._missing(raised, height) <= 0:
                return raised
        x, y, z = view.target
        return replace(raised, target=(x, y, z + self._missing(raised, height)))

    def _missing(self, view: OrbitView, height: Height) -> float:
        """Return how much higher the view has to be; <= 0 if it is clear."""
        eye = view.eye
        dx, dy, dz = (there - here for here, there in zip(eye, view.target, strict=True))
        return max(
            height(eye[0] + part * dx, eye[1] + part * dy) + self.margin - eye[2] - part * dz
            for part in _CLEAR_PARTS
        )


def frame_box(
    low: Point, high: Point, heading_deg: float, pitch_deg: float, fov_deg: float, aspect: float
) -> OrbitView:
    """Return the nearest view in a direction that shows a whole box, centered in the picture.

    For each side of the picture, each corner of the box limits the position of the eye by a plane.
    The strictest limits of two opposite sides determine how far back the eye must be; of the
    horizontal and the vertical pair, the larger distance is used. The view's target is at the
    middle height of the box.

    The box is from `low` to `high`, `fov_deg` is the vertical field of view, `aspect` the width of
    the picture divided by its height.
    """
    corners = np.array(np.meshgrid(*zip(low, high, strict=True), indexing="ij")).reshape(3, -1).T
    axes = OrbitView(heading_deg, pitch_deg, 1.0, low).axes
    across, along, upward = axes @ corners.T
    slope = math.tan(math.radians(fov_deg) / 2) * (1.0 - _MARGIN)
    depths = []
    for offsets, tangent in ((across, slope * aspect), (upward, slope)):
        most = float((offsets - tangent * along).max())
        least = float((-offsets - tangent * along).max())
        depths.append(-(most + least) / (2 * tangent))
    depth = min(depths)
    eye = np.array([_centered(across, along - depth), depth, _centered(upward, along - depth)])
    eye = eye @ axes
    middle_z = (low[2] + high[2]) / 2
    distance = float(eye[2] - middle_z) / math.sin(math.radians(pitch_deg))
    x, y, z = (eye + distance * axes[1]).tolist()
    return OrbitView(heading_deg, pitch_deg, distance, (x, y, z))


def map_box(tilemap: TileMap, above: float = 0.0) -> tuple[Point, Point]:
    """Return the lowest and the highest corner of the box around a map, with room above it."""
    west, south, east, north = tilemap.extent
    top = tilemap.top_level * tilemap.step_height + above
    return (west, south, tilemap.base_z), (east, north, top)


def ground_height(tilemap: TileMap, x: float, y: float) -> float:
    """Return the z of the highest surface at a point; outside the map, of its base."""
    cell = tilemap.grid.cell_at(x, y)
    if cell is None:
        return tilemap.base_z
    column = slice(None), cell.row, cell.col
    levels = tilemap.surface_level[column][~tilemap.surface_void[column]]
    return int(levels.max()) * tilemap.step_height if levels.size else tilemap.base_z


def pan_into_view(
    view: OrbitView, point: Point, fov_deg: float, aspect: float, part: float = 0.75
) -> OrbitView:
    """Return the view panned just far enough that a point is well inside the picture.

    `fov_deg` is the vertical field of view, `aspect` the width of the picture divided by its
    height, and `part` the share of both, around its center, that counts as inside.
    """
    slope = part * math.tan(math.radians(fov_deg) / 2)
    offset = np.array(point) - view.target
    across, along, upward = view.axes @ offset
    left = 1.0  # of the offset after the pan; the nearer to 0, the nearer to the center
    for distance, reach in ((abs(across), slope * aspect), (abs(upward), slope)):
        excess, allowed = distance - reach * along, reach * view.distance
        if left * excess > allowed:
            left = allowed / excess
    if left > 1.0 - _PAN_TOLERANCE:
        return view
    x, y, z = (view.target + (1.0 - left) * offset).tolist()
    return replace(view, target=(x, y, z))


def visible_ground(view: OrbitView, fov_deg: float, aspect: float) -> NDArray[np.float64]:
    """Return the corners of the picture on a horizontal plane through the view's target.

    They are (4, 2) (x, y) in world units: lower left, lower right, upper right, upper left.
    `fov_deg` is the vertical field of view, `aspect` the width of the picture divided by its
    height.
    """
    slope = math.tan(math.radians(fov_deg) / 2)
    right, along, up = view.axes
    eye = np.array(view.eye)
    # Where the picture shows the sky, its upper corners are just below the horizon.
    top = min(1.0, (-_LEAST_DESCENT - along[2]) / max(slope * up[2], _LEAST_DESCENT))
    corners = []
    for across, upward in ((-1, -1), (1, -1), (1, top), (-1, top)):
        ray = along + slope * (across * aspect * right + upward * up)
        corners.append((eye + ray * (view.target[2] - eye[2]) / ray[2])[:2])
    return np.array(corners)


def clip_to_extent(
    outline: NDArray[np.float64], extent: tuple[float, float, float, float]
) -> NDArray[np.float64]:
    """Clip a convex outline, (n, 2), to a rectangle (x0, y0, x1, y1); empty if it is outside."""
    x0, y0, x1, y1 = extent
    for normal, limit in (((-1, 0), -x0), ((1, 0), x1), ((0, -1), -y0), ((0, 1), y1)):
        outline = clipped(outline, normal, limit)
    return outline


def _centered(offsets: NDArray[np.float64], depths: NDArray[np.float64]) -> float:
    """Return the offset from which the two outermost points are equally far from the center.

    The outermost points depend on the offset, so it is refined in several rounds.
    """
    center = float(offsets.mean())
    for _ in range(8):
        ratios = (offsets - center) / depths
        ends = [ratios.argmin(), ratios.argmax()]
        center = float((offsets[ends] / depths[ends]).sum() / (1.0 / depths[ends]).sum())
    return center
