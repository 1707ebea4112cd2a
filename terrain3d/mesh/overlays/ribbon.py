"""A path over the ground: a ribbon that hops over edges, with dots at its steps and an arrow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import finite_points
from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData, circle
from terrain3d.mesh.overlays.flat_shapes import DARK, flat, joined, polygon, polygons

SAMPLES = 16
"""Pieces of ribbon per step."""

_SHORT = 0.5  # tiles: shorter steps are pieces of a curve
_LIFT = 0.06
_HOP = 0.16
_CLIMB_PART = 0.4
_HALF_WIDTH = 0.095
_RIM = 0.035
_DOT = 0.12
_RING = 0.24
_HEAD_LENGTH = 0.42
_HEAD_AT = 1.0 - 0.8 * _HEAD_LENGTH
"""Part of the last step where the arrowhead, which is flat, covers the ribbon's end."""
_HEAD_HALF_WIDTH = 0.25
_ROUND = 6
_GAPS = {
    0: (3, 4, 5, 10, 11, 12),  # a level step
    1: (8, 9, 10, 13, 14, 15),  # up: not where it climbs
    -1: (0, 1, 2, 5, 6, 7),
}
"""Pieces that a dashed step leaves out, by whether it goes up or down."""

Points = NDArray[np.float64]


def ribbon(
    points: ArrayLike,
    color: Color,
    *,
    is_refused: bool = False,
    turn_ends: Sequence[int] = (),
    width: float = 1.0,
) -> MeshData:
    """Return the ribbon of a path over (n, 3) points, the centers of the tops of its tiles.

    A refused one is dashed, with a cross at the goal in place of the arrowhead. `turn_ends` are the
    numbers of the points where a turn ends: each has a ring, and the ribbon is dashed after the
    first of them. `width` > 0 is a factor on the width of the band, its dots and its arrowhead.
    Steps of less than half a tile are pieces of a curve: without dots, and straight.
    `ValueError` if a point is not finite.
    """
    stops = finite_points("points", points)
    if stops.size == 0:
        return joined(())
    if len(stops) == 1:
        return _dots(stops, color, _DOT * width)
    line = center_line(stops)
    body = line if is_refused else line[: -max(1, int(SAMPLES * (1.0 - _HEAD_AT)))]
    first_dashed = 0 if is_refused else turn_ends[0] if turn_ends else len(stops)
    keep = np.ones((len(stops) - 1, SAMPLES), np.bool_)
    for step in range(first_dashed, len(keep)):
        keep[step, _GAPS[int(np.sign(stops[step + 1, 2] - stops[step, 2]))]] = False
    keep = keep.ravel()[: len(body) - 1]
    sides = _sides(body)
    half = _HALF_WIDTH * width
    ends = [end for end in turn_ends if end]
    parts = [
        *(_strip(body, side * (half + _RIM), DARK, 0.85, keep) for side in sides),
        *(_strip(body, side * half, color, 1.0, keep) for side in sides),
        *([_dots(stops[ends], color, _RING)] if ends else []),
        _dots(stops[1:-1][~_is_short(stops)[1:]], color, _DOT * width),
        *(_cross(stops[-1], color) if is_refused else _head(line, color, width)),
    ]
    return joined(parts)


def center_line(stops: Points) -> Points:
    """Return the ((n - 1) * SAMPLES + 1, 3) center line of a ribbon, everywhere above the ground.

    A climb rises before the edge between two tiles and a drop falls after it, both in an arc. In
    the last step both are over where the arrowhead begins.
    """
    start, end = stops[:-1, None], stops[1:, None]
    part = (np.arange(SAMPLES) / SAMPLES)[None, :, None]
    flat = (start + (end - start) * part)[..., :2]
    rise = end[..., 2] - start[..., 2]
    t = part[..., 0]
    is_last = np.arange(len(rise))[:, None] == len(rise) - 1
    over, fall_at = np.where(is_last, _HEAD_AT, 1.0), np.where(is_last, 0.5, 1.0 - _CLIMB_PART)
    climbing = _smooth(t / _CLIMB_PART)
    falling = _smooth((t - fall_at) / (over - fall_at))
    is_short = _is_short(stops)[:, None]
    z = start[..., 2] + rise * np.where(is_short, t, np.where(rise > 0, climbing, falling))
    hop = np.where((rise != 0) & ~is_short, _HOP, 0.0)
    z = z + hop * np.sin(np.pi * np.minimum(t / over, 1.0)) ** 2
    line = np.concatenate([flat, z[..., None]], axis=2).reshape(-1, 3)
    line = np.concatenate([line, stops[-1:]])
    line[:, :2] = _rounded(line[:, :2])
    line[:, 2] += _LIFT
    return line


def _is_short(stops: Points) -> NDArray[np.bool_]:
    """(n - 1,) bool, which steps are pieces of a curve."""
    short: NDArray[np.bool_] = np.linalg.norm(np.diff(stops[:, :2], axis=0), axis=1) < _SHORT
    return short


def step_midpoints(points: ArrayLike) -> Points:
    """Return the (n - 1, 3) midpoints of the steps of a path, on its ribbon."""
    stops = np.asarray(points, np.float64)
    if len(stops) < 2:
        return np.zeros((0, 3))
    return center_line(stops)[SAMPLES // 2 :: SAMPLES]


def _smooth(t: Points) -> Points:
    """Return the smoothstep of t, from 0 to 1."""
    inside: Points = np.clip(t, 0.0, 1.0)
    return inside * inside * (3.0 - 2.0 * inside)


def _rounded(flat: Points) -> Points:
    """Round the turns of a line of (x, y) by a moving mean that is shorter than a tile."""
    before = flat[0] - (flat[1] - flat[0]) * np.arange(_ROUND, 0, -1)[:, None]
    after = flat[-1] + (flat[-1] - flat[-2]) * np.arange(1, _ROUND + 1)[:, None]
    sums = np.cumsum(np.concatenate([np.zeros((1, 2)), before, flat, after]), axis=0)
    width = 2 * _ROUND + 1
    means: Points = (sums[width:] - sums[:-width]) / width
    return means


def _sides(line: Points) -> tuple[Points, Points]:
    """Return two directions across a line, (n, 3) each: left and, where it is steep, outward.

    From the side, a climbing flat band shows only its edge, so a second band crosses it there.
    """
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    left = np.stack([-along[:, 1], along[:, 0], np.zeros(len(line))], axis=1)
    left /= np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-9)
    return left, np.cross(along, left) * np.abs(along[:, 2:])


def _strip(
    line: Points, offset: Points, color: Color, alpha: float, keep: NDArray[np.bool_]
) -> MeshData:
    """Return a band along a line; `keep` selects its pieces."""
    edges = np.stack([line - offset, line + offset], axis=1).reshape(-1, 3)
    first = np.arange(len(line) - 1)[keep][:, None, None] * 2
    triangles = first + np.array([(0, 2, 3), (0, 3, 1)])
    return flat(edges, triangles.reshape(-1, 3), color, alpha)


def _dots(stops: Points, color: Color, radius: float) -> MeshData:
    disc = circle(np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False))
    light: Color = (0.6 + 0.4 * color[0], 0.6 + 0.4 * color[1], 0.6 + 0.4 * color[2])
    above = (stops + np.array([0.0, 0.0, _LIFT]))[:, None]
    rims = polygons(above + disc * (radius + _RIM), DARK, 0.85)
    return joined((rims, polygons(above + disc * radius, light)))


def _head(line: Points, color: Color, width: float) -> list[MeshData]:
    """Return the arrowhead: flat, its tip just past the goal's center."""
    tip = line[-1]
    along = (tip - line[-1 - int(SAMPLES * _HEAD_LENGTH)]) * (1.0, 1.0, 0.0)
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    left = np.array([-along[1], along[0], 0.0])
    shapes = []
    for grown, shade, alpha in ((_RIM, DARK, 0.85), (0.0, color, 1.0)):
        length, half = _HEAD_LENGTH + 2.2 * grown, _HEAD_HALF_WIDTH * width + 2.0 * grown
        front = tip + along * (0.12 + 1.6 * grown)
        heel = front - along * (length + 0.6 * grown)
        outline = np.array([front, heel + left * half, heel - left * half])
        shapes.append(polygon(outline, shade, alpha))
    return shapes


def _cross(goal: Points, color: Color) -> list[MeshData]:
    """Return an X on the goal."""
    shapes = []
    for grown, shade, alpha in ((_RIM, DARK, 0.85), (0.0, color, 1.0)):
        for turn in (0.25 * np.pi, 0.75 * np.pi):
            along = np.array([np.cos(turn), np.sin(turn), 0.0])
            left = np.array([-along[1], along[0], 0.0])
            long, wide = along * (0.30 + grown), left * (0.07 + grown)
            center = goal + np.array([0.0, 0.0, _LIFT])
            bar = [center + long + wide, center - long + wide, center - long - wide]
            shapes.append(polygon(np.array([*bar, center + long - wide]), shade, alpha))
    return shapes
