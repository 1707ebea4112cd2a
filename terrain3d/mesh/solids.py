"""Basic shapes as meshes (flat faces, boxes, ellipsoids, tubes, sheets) and their transforms."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.kinds import GLOW, PLAIN
from terrain3d.mesh.data import UP, MeshData, circle, fans, surface_of

_SPOKES = 20
_PLAIN = surface_of(PLAIN)


def facets(corners: NDArray[np.floating], colors: ArrayLike, pattern: int) -> MeshData:
    """Return flat, convex polygons, each with one normal; `pattern` as in `mesh.data`.

    `corners` are (..., c, 3), counter-clockwise as seen from outside; the first three corners are
    not collinear. `colors` broadcast to (..., c, 3), 0..1.
    """
    count = corners.shape[-2]
    normals = np.cross(
        corners[..., 1, :] - corners[..., 0, :], corners[..., 2, :] - corners[..., 0, :]
    )
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    triangles = fans(corners[..., 0, 0].size, count, [(0, i, i + 1) for i in range(1, count - 1)])
    return MeshData.of(corners, normals[..., None, :], colors, surface_of(pattern), triangles)


def flat_rings(positions: NDArray[np.float32], colors: NDArray[np.uint8]) -> MeshData:
    """Return a flat sheet that faces up, closed around its center.

    `positions` are (spokes, rings, 3), `colors` broadcast to (spokes, rings, 4).
    """
    spokes, rings = positions.shape[:2]
    strips = [
        triangle
        for i in range(rings - 1)
        for triangle in ((i, i + 1, rings + i + 1), (i, rings + i + 1, rings + i))
    ]
    triangles = fans(spokes, rings, strips) % np.uint32(spokes * rings)
    return MeshData.of(positions, UP, colors / 255.0, _PLAIN, triangles)


def lathe(
    radii: ArrayLike, heights: ArrayLike, color: ArrayLike, front: ArrayLike | None = None
) -> MeshData:
    """Return the solid of revolution around z of a profile: radii at heights, from bottom to top.

    `front` colors a panel that faces +y.
    """
    radius, height = np.asarray(radii), np.asarray(heights)
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES + 1)
    points = circle(around, radius[:, None], height[:, None])
    colors = np.broadcast_to(np.asarray(color, dtype=np.float64), points.shape).copy()
    if front is not None:
        colors[:, np.abs(around - np.pi / 2.0) < 0.34] = front
    return sheet(points[:, ::-1], colors[:, ::-1])


def ball(middle: ArrayLike, radii: ArrayLike, color: ArrayLike) -> MeshData:
    """Return an ellipsoid."""
    tilt = np.linspace(-np.pi / 2.0, np.pi / 2.0, 9)
    unit = lathe(np.cos(tilt), np.sin(tilt), color)
    size = np.asarray(radii)
    normals = unit.normals / size
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return _with(unit, unit.positions * size + np.asarray(middle), normals)


def box(middle: ArrayLike, half: ArrayLike, color: ArrayLike) -> MeshData:
    """Return a box with sides along the axes; `half` is half its size."""
    axes = np.array([(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 2)
    sign = np.array((1, 1, 1, -1, -1, -1))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    points, normals = np.zeros((6, 4, 3)), np.zeros((6, 4, 3))
    for face, ((u, v, out), direction) in enumerate(zip(axes, sign, strict=True)):
        points[face, :, u], points[face, :, v] = corners[:, 0] * direction, corners[:, 1]
        points[face, :, out] = normals[face, :, out] = direction
    quads = np.arange(6)[:, None, None] * 4 + np.array([(0, 1, 2), (0, 2, 3)])
    positions = points * np.asarray(half) + np.asarray(middle)
    return MeshData.of(positions, normals, color, _PLAIN, quads)


def rod(points: ArrayLike, radii: ArrayLike, color: ArrayLike) -> MeshData:
    """Return a tube along (n, 3) points, with one radius or one for each point."""
    path = np.asarray(points, dtype=np.float64)
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    aside = np.cross(along, np.eye(3)[np.abs(along).max(axis=0).argmin()])
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    upright = np.cross(along, aside)
    around = np.linspace(0.0, 2.0 * np.pi, 9)[::-1, None]
    radius = np.broadcast_to(np.asarray(radii, dtype=np.float64), len(path))[:, None, None]
    ring = np.cos(around) * aside[:, None] + np.sin(around) * upright[:, None]
    return sheet(path[:, None] + radius * ring, color)


def sheet(points: NDArray[np.floating], color: ArrayLike) -> MeshData:
    """Return a smooth sheet over (rings, spokes, 3) points; its front faces rings x spokes."""
    up = np.gradient(points, axis=0)
    along = np.gradient(points, axis=1)
    closed = np.allclose(points[:, 0], points[:, -1])
    if closed:
        along[:, 0] = along[:, -1] = points[:, 1] - points[:, -2]
    normals = np.cross(up, along)
    size = np.linalg.norm(normals, axis=2, keepdims=True)
    # At a pole the ring has no extent; whether it is below the center decides where it faces.
    flat = size[..., 0] < 1e-9
    normals = np.where(flat[..., None], np.array((0.0, 0.0, 1.0)), normals / np.maximum(size, 1e-9))
    rings, spokes = points.shape[:2]
    below = points[:, 0, 2] < points[:, :, 2].mean()
    normals[flat & below[:, None]] = (0.0, 0.0, -1.0)
    first = (np.arange(rings - 1)[:, None] * spokes + np.arange(spokes - 1)).reshape(-1, 1)
    quads = first + np.array([0, spokes, 1, 1, spokes, spokes + 1])
    return MeshData.of(points, normals, color, _PLAIN, quads)


def both_sides(points: NDArray[np.floating], color: ArrayLike, inside: ArrayLike) -> MeshData:
    """Return a sheet that is visible from both sides, with another color on its back."""
    return MeshData.join([sheet(points, color), sheet(points[:, ::-1], inside)])


def moved(mesh: MeshData, by: ArrayLike) -> MeshData:
    """Return a translated mesh."""
    return _with(mesh, mesh.positions + np.asarray(by), mesh.normals.copy())


def tilted(mesh: MeshData, ahead_deg: float, left_deg: float = 0.0) -> MeshData:
    """Return a mesh rotated around the origin: its top first toward +y, then toward -x."""
    pitch, roll = np.radians((ahead_deg, left_deg))
    tip = np.array(
        [(1, 0, 0), (0, np.cos(pitch), -np.sin(pitch)), (0, np.sin(pitch), np.cos(pitch))]
    )
    bank = np.array([(np.cos(roll), 0, np.sin(roll)), (0, 1, 0), (-np.sin(roll), 0, np.cos(roll))])
    turn = tip @ bank
    return _with(mesh, mesh.positions @ turn, mesh.normals @ turn)


def mirrored(mesh: MeshData) -> MeshData:
    """Return a mesh with left and right exchanged."""
    flip = np.array((-1.0, 1.0, 1.0))
    inside_out = replace(mesh, triangles=np.ascontiguousarray(mesh.triangles[:, ::-1]))
    return _with(inside_out, mesh.positions * flip, mesh.normals * flip)


def glowing(mesh: MeshData) -> MeshData:
    """Return a mesh that emits light."""
    return replace(mesh, surface=surface_of(np.full(len(mesh.positions), GLOW)))


def bent_back(mesh: MeshData, start: float) -> MeshData:
    """Return a mesh whose part above the height `start` leans back in a parabola."""
    positions = mesh.positions.copy()
    over = np.maximum(positions[:, 2] - start, 0.0)
    positions[:, 1] -= 1.6 * over**2
    positions[:, 2] -= 0.6 * over**2
    return _with(mesh, positions, mesh.normals.copy())


def clipped(outline: NDArray[np.float64], normal: ArrayLike, limit: float) -> NDArray[np.float64]:
    """Return the part of a convex outline, (n, 2), that is at most `limit` along a normal."""
    beyond = outline @ np.asarray(normal) - limit
    kept = []
    for i, point in enumerate(outline):
        before = beyond[i - 1]
        if (before > 0.0) != (beyond[i] > 0.0):
            part = before / (before - beyond[i])
            kept.append(outline[i - 1] + (point - outline[i - 1]) * part)
        if beyond[i] <= 0.0:
            kept.append(point)
    return np.array(kept).reshape(-1, 2)


def _with(
    mesh: MeshData, positions: NDArray[np.floating], normals: NDArray[np.floating]
) -> MeshData:
    return replace(mesh, positions=positions.astype(np.float32), normals=normals.astype(np.float32))
