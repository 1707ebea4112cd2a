"""Where a mover stands on a map, and its poses over time along the points of a path.

A mover walks on the level, hops up and down, and faces the next point. Points are (x, y, z) in
world units, one for each tile of the path. A hop begins with a crouch on its tile. A hop up is a
parabola high enough that a body of radius `BODY_RADIUS` clears the upper block's edge. A hop down
is a low one until the body is past the edge, and then a fall. A step that is longer than to a
neighbor is a leap: also a hop, even on the level. A warping mover stays at the start of the step
for the first half of its time and at the end for the second.
"""

import bisect
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.core.checks import (
    finite_number,
    finite_numbers,
    listed,
    number_within,
    positive_number,
    quoted,
    true_or_false,
    whole_number,
)

Point = tuple[float, float, float]

SPEED_TILES_S = 3.2
"""Walking speed of a unit on the level, in tiles per second."""

STEP_S = 0.45
"""Duration of every step when several movers keep step, in seconds."""

BODY_RADIUS = 0.2
"""Half the width of the body that must clear a block's edge, in tiles."""

MIN_HOP = 0.12
"""The least height of a hop up above the straight line between its ends, and the greatest of a hop
down above its start, in world units."""

CROUCH_S = 0.12
"""The longest time of the crouch before a hop."""

LEAP_ARCH = 0.2
"""The least height of a leap, in world units for each tile of its length."""

WARP_S = 0.5
"""Duration of a warp of any distance, in seconds."""

TURN_S = 0.16
"""The longest time a turn may take; it happens at the start of a step."""

_LONGEST_STEP = 1.5  # tiles from center to center; a diagonal step has 1.41
_CLIMB_SLOWDOWN = 0.35  # a hop takes this much longer for every world unit of height
_CROUCH = 0.25  # the most of a step's time that its crouch takes


@dataclass(frozen=True)
class Pose:
    """The point, heading and action of a mover.

    `heading_deg` is 0 toward +y and grows counter-clockwise. `action` is "stand", "walk",
    "crouch", "climb", "drop", "leap" (on the level) or "warp".
    """

    point: Point
    heading_deg: float
    action: str = "stand"


@dataclass(frozen=True)
class _Leg:
    """One step of the path in time."""

    start: Point
    end: Point
    begin_s: float
    duration_s: float
    hop: float
    heading_deg: float
    is_warp: bool
    is_leap: bool

    def at(self, time_s: float) -> tuple[Point, str]:
        """Return the point and the action at a time from `begin_s`, less than the duration."""
        if self.start == self.end:
            return self.end, "stand"
        part = time_s / self.duration_s
        if self.is_warp:
            return self.end if part >= 0.5 else self.start, "warp"
        rise = self.end[2] - self.start[2]
        if not self.hop:
            return self._between(part, self.start[2] + rise * part), "walk"
        crouch_s = min(CROUCH_S, _CROUCH * self.duration_s)
        if time_s < crouch_s:
            return self.start, "crouch"
        part = (time_s - crouch_s) / (self.duration_s - crouch_s)
        if rise < 0 and not self.is_leap:
            return self._drop(part, -rise), "drop"
        action = "climb" if rise > 0 else "drop" if rise else "leap"
        height = self.start[2] + rise * part + 4.0 * self.hop * part * (1.0 - part)
        return self._between(part, height), action

    def _between(self, part: float, height: float) -> Point:
        (x, y, _), (end_x, end_y, _) = self.start, self.end
        return x + (end_x - x) * part, y + (end_y - y) * part, height

    def _drop(self, part: float, drop: float) -> Point:
        """Return the point of a hop down: a low hop past the edge, and then a fall.

        The fall goes on as fast as the hop ends, and takes the time that the drop adds to the step.
        """
        edge = 0.5 + _past_edge(math.dist(self.start[:2], self.end[:2]))
        leave = edge / (1.0 + _CLIMB_SLOWDOWN * drop)
        hop = min(MIN_HOP, drop * leave / (4.0 * (1.0 - leave)))
        if part < leave:
            part /= leave
            return self._between(edge * part, self.start[2] + 4.0 * hop * part * (1.0 - part))
        part = (part - leave) / (1.0 - leave)
        speed = 4.0 * hop * (1.0 - leave) / leave
        fall = part * (speed + (drop - speed) * part)
        return self._between(edge + (1.0 - edge) * part, self.start[2] - fall)


def heading_between(start: Sequence[float], end: Sequence[float]) -> float | None:
    """Return the heading in degrees from one point to another; None if one is above the other."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return math.degrees(math.atan2(-dx, dy)) if dx or dy else None


def turn_between(before_deg: float, after_deg: float) -> float:
    """Return the shorter turn in degrees from one heading to another, -180..180."""
    return (after_deg - before_deg + 180.0) % 360.0 - 180.0


def hop_height(length: float, rise: float) -> float:
    """Return how far a hop's parabola must rise above the straight line between its ends.

    At `BODY_RADIUS` beside the edge, which is in the middle, the curve is as high as the upper
    block. `length` along the ground and `rise`, up or down, are in world units.
    """
    return max(MIN_HOP, abs(rise) / (4.0 * (0.5 - _past_edge(length))))


def _past_edge(length: float) -> float:
    """Return the part of a step between the edge and a body that has just passed it."""
    return min(BODY_RADIUS / length, 0.4) if length else 0.0


class Motion:
    """The pose at any time on a path that starts at time 0.

    Parameters
    ----------
    points : sequence of (x, y, z) in world units
        Centers of the tiles' tops along the path, at least one.
    speed_tiles_s : float
        Tiles per second on the level, > 0.
    heading_deg : float
        The heading at the start.
    is_warp : bool
        Whether its steps are warps: it vanishes and appears elsewhere.
    step_s : float, optional
        How long every step takes, > 0, and every wait, where a point follows itself: for movers
        that step in time with others. If not given, the time depends on length and rise.
    """

    def __init__(
        self,
        points: Sequence[Point],
        speed_tiles_s: float = SPEED_TILES_S,
        heading_deg: float = 0.0,
        *,
        is_warp: bool = False,
        step_s: float | None = None,
    ) -> None:
        self._points = tuple(map(_checked_point, listed("points", points)))
        if not self._points:
            raise ValueError("a motion needs at least one point, got none")
        positive_number("speed_tiles_s", speed_tiles_s)
        if step_s is not None:
            positive_number("step_s", step_s)
        self._heading_deg = finite_number("heading_deg", heading_deg)
        is_warp = true_or_false("is_warp", is_warp)
        legs: list[_Leg] = []
        begin_s = 0.0
        for start, end in itertools.pairwise(self._points):
            length, rise = math.dist(start[:2], end[:2]), end[2] - start[2]
            duration_s = length / speed_tiles_s
            hop = hop_height(length, rise) if rise else 0.0
            is_leap = length > _LONGEST_STEP
            if is_leap:
                hop = max(hop, LEAP_ARCH * length)
            if rise:
                duration_s = max(length, 0.5) / speed_tiles_s * (1 + _CLIMB_SLOWDOWN * abs(rise))
            if hop:
                duration_s += min(CROUCH_S, duration_s * _CROUCH / (1 - _CROUCH))
            if is_warp:
                duration_s = WARP_S
            if step_s is not None:
                duration_s = step_s
            ahead = heading_between(start, end)
            heading_deg = heading_deg if ahead is None else ahead
            legs.append(_Leg(start, end, begin_s, duration_s, hop, heading_deg, is_warp, is_leap))
            begin_s += duration_s
        self._legs = tuple(legs)
        self._duration_s = begin_s

    @property
    def duration_s(self) -> float:
        """The duration of the whole path."""
        return self._duration_s

    def step_end_s(self, step: int) -> float:
        """Return the time at which a step, counted from 0, is done."""
        leg = self._leg(step)
        return leg.begin_s + leg.duration_s

    def part_of_step(self, step: int, time_s: float) -> float:
        """Return how much of a step is done at a time, 0..1."""
        leg = self._leg(step)
        number_within("time_s", time_s, -math.inf)
        if not leg.duration_s:
            return 1.0
        return min(max((time_s - leg.begin_s) / leg.duration_s, 0.0), 1.0)

    def time_in_step_s(self, step: int, part: float) -> float:
        """Return the time at which a part, 0..1, of a step is done."""
        leg = self._leg(step)
        return leg.begin_s + number_within("part", part, 0, 1) * leg.duration_s

    def pose(self, time_s: float) -> Pose:
        """Return the pose at a time; before the start and after the end the mover stands."""
        if number_within("time_s", time_s, -math.inf) >= self._duration_s:
            heading = self._legs[-1].heading_deg if self._legs else self._heading_deg
            return Pose(self._points[-1], heading)
        if time_s <= 0:
            return Pose(self._points[0], self._heading_deg)
        index = bisect.bisect_right(self._legs, time_s, key=attrgetter("begin_s")) - 1
        leg = self._legs[index]
        point, action = leg.at(min(time_s - leg.begin_s, leg.duration_s))
        return Pose(point, self._heading(index, time_s), action)

    def _leg(self, step: int) -> _Leg:
        if not 0 <= whole_number("step", step) < len(self._legs):
            raise IndexError(f"step must be in 0..{len(self._legs) - 1}, got {quoted(step)}")
        return self._legs[step]

    def _heading(self, index: int, time_s: float) -> float:
        leg = self._legs[index]
        before = self._legs[index - 1].heading_deg if index else self._heading_deg
        turn = turn_between(before, leg.heading_deg)
        part = min((time_s - leg.begin_s) / min(TURN_S, 0.5 * leg.duration_s), 1.0)
        return before + turn * part


def point_on(tilemap: TileMap, cell: Cell, profile: MoveProfile) -> Point:
    """Return the point between a mover's feet: over the center of its tiles, on the highest."""
    if profile.size == 1:
        x, y, z = _surface_point(tilemap, cell)
    else:
        rows, cols, tiles = tilemap.rows, tilemap.cols, tiles_of(cell, profile)
        on_map = [tile for tile in tiles if tile.row < rows and tile.col < cols]
        points = [_surface_point(tilemap, tile) for tile in on_map]
        xs, ys, zs = zip(*points, strict=True)
        x, y, z = sum(xs) / len(xs), sum(ys) / len(ys), max(zs)
    return x, y, z + profile.hover * tilemap.step_height


def _surface_point(tilemap: TileMap, cell: Cell) -> Point:
    """Return the center of a surface; of the ground below where a deck was removed."""
    return tilemap.surface_point(cell if tilemap.has_cell(cell) else cell[:2])


def _checked_point(point: Sequence[float]) -> Point:
    """Return a caller's point; `TypeError` or `ValueError` if it is not one."""
    if type(point) is tuple and len(point) == 3:
        x, y, z = point
        if type(x) is type(y) is type(z) is float and -math.inf < x + y + z < math.inf:
            return x, y, z  # nearly always
    x, y, z = finite_numbers("a point", point, 3)
    return x, y, z
