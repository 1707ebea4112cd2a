"""Views that show a box or a point, the ground that a view shows, and the box around a map."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from terrain3d.look.orbit import OrbitView, Point
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.solids import clipped

NEAR_DISTANCE = 13.0
"""Distance, in tiles, from which one sees one unit, its reach and the units beside it."""

_LEAST_DESCENT = 1e-3

_PAN_TOLERANCE = 1e-9  # a pan by a smaller share is the rounding of an earlier one


def frame_box(
    low: Point,
    high: Point,
    heading_deg: float,
    pitch_deg: float,
    fov_deg: float,
    aspect: float,
    margin: float = 0.06,
) -> OrbitView:
    """Return the nearest view in a direction that shows a whole box, centered in the picture.

    For each side of the picture, each corner of the box limits the position of the eye by a plane.
    The strictest limits of two opposite sides determine how far back the eye must be; of the
    horizontal and the vertical pair, the larger distance is used. The view's target is at the
    middle height of the box.

    The box is from `low` to `high`, `fov_deg` is the vertical field of view, `aspect` the width of
    the picture divided by its height, and `margin` the empty share of its half width and half
    height at each side.
    """
    corners = np.array(np.meshgrid(*zip(low, high, strict=True), indexing="ij")).reshape(3, -1).T
    axes = OrbitView(heading_deg, pitch_deg, 1.0, low).axes
    across, along, upward = axes @ corners.T
    slope = math.tan(math.radians(fov_deg) / 2) * (1.0 - margin)
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
    corners = []
    for across, upward in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        ray = along + slope * (across * aspect * right + upward * up)
        # A ray over the horizon is cut at a distance beyond any map.
        part = (view.target[2] - eye[2]) / min(ray[2], -_LEAST_DESCENT)
        corners.append((eye + ray * part)[:2])
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
