"""A small person as a mesh: turned and boxed parts, its team's color, a front and a back."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.kinds import Color
from terrain3d.mesh.data import MeshData

_SPOKES = 20
_SKIN, _HAIR = (1.00, 0.82, 0.67), (0.36, 0.23, 0.15)
_LEATHER, _WOOD, _GOLD = (0.33, 0.22, 0.15), (0.47, 0.32, 0.19), (0.93, 0.75, 0.33)
_CLOTH, _INK, _GLOW = (0.93, 0.88, 0.76), (0.13, 0.10, 0.12), (0.80, 0.97, 1.00)

Profile = Sequence[tuple[float, float]]


@cache
def figure_mesh(team: Color) -> MeshData:
    """Make a standing figure, 1.1 tiles tall, that looks along +y.

    Parameters
    ----------
    team : (red, green, blue), each 0..1
        Color of its robe and hat; cape and collar are a darker shade of it.

    Returns
    -------
    MeshData
        Around (0, 0, 0), the point between its feet.
    """
    dark = (0.60 * team[0], 0.60 * team[1], 0.64 * team[2])
    return MeshData.join([*_body(team, dark), *_head(team, dark), *_gear(team, dark)])


def _body(team: Color, dark: Color) -> list[MeshData]:
    hem, waist = ((0.0, 0.03), (0.215, 0.03), (0.235, 0.055), (0.225, 0.09)), 0.40
    robe = (
        (0.225, 0.09),
        (0.185, 0.22),
        (0.150, 0.33),
        (0.130, waist),
        (0.140, 0.48),
        (0.135, 0.56),
        (0.085, 0.61),
    )
    parts = [
        _turned(hem, dark),
        _turned(robe, team, front=_CLOTH),
        _turned(((0.133, 0.375), (0.148, 0.385), (0.148, 0.415), (0.133, 0.425)), _LEATHER),
        _boxed((0.0, 0.148, 0.40), (0.028, 0.014, 0.024), _GOLD),
        _turned(((0.09, 0.53), (0.165, 0.545), (0.168, 0.575), (0.10, 0.625)), dark),
    ]
    for side in (-1.0, 1.0):
        parts += [
            _ball((0.075 * side, 0.14, 0.035), (0.062, 0.095, 0.045), _LEATHER),
            _ball((0.168 * side, 0.03, 0.49), (0.062, 0.065, 0.085), team),
            _ball((0.205 * side, 0.085, 0.41), (0.050, 0.075, 0.055), team),
            _ball((0.222 * side, 0.150, 0.385), (0.040, 0.040, 0.040), _SKIN),
        ]
    return parts


def _head(team: Color, dark: Color) -> list[MeshData]:
    middle = 0.735
    parts = [
        _ball((0.0, 0.015, middle), (0.148, 0.145, 0.140), _SKIN),
        _ball((0.0, -0.040, middle - 0.005), (0.158, 0.135, 0.150), _HAIR),
        _ball((0.0, 0.162, middle - 0.02), (0.020, 0.024, 0.020), (0.86, 0.62, 0.48)),
    ]
    for side in (-1.0, 1.0):
        parts += [
            _ball((0.056 * side, 0.143, middle + 0.022), (0.021, 0.018, 0.033), _INK),
            _ball((0.050 * side, 0.158, middle + 0.034), (0.008, 0.006, 0.009), (1.0, 1.0, 1.0)),
        ]
    brim_below = ((0.10, 0.835), (0.245, 0.800), (0.258, 0.812))
    brim_above = ((0.258, 0.812), (0.245, 0.826), (0.12, 0.862))
    cone = ((0.145, 0.85), (0.128, 0.92), (0.092, 1.00), (0.050, 1.09), (0.016, 1.15), (0.0, 1.16))
    parts += [
        _turned(brim_below, dark),
        _turned(brim_above, team),
        _bent(_turned(cone, team), start=0.90),
        _turned(((0.140, 0.850), (0.150, 0.856), (0.143, 0.895), (0.130, 0.900)), _GOLD),
    ]
    return parts


def _gear(team: Color, dark: Color) -> list[MeshData]:
    staff = ((0.0, 0.02), (0.019, 0.02), (0.019, 0.90), (0.030, 0.93), (0.0, 0.95))
    shield = ((0.0, -0.02), (0.125, -0.02), (0.140, 0.0), (0.125, 0.018), (0.06, 0.034))
    boss = ((0.055, 0.03), (0.042, 0.055), (0.0, 0.065))
    rim = ((0.128, -0.012), (0.150, 0.0), (0.128, 0.026))
    held = [_turned(shield, team), _turned(rim, _GOLD), _turned(boss, _GOLD)]
    return [
        _cape(dark),
        _moved(_turned(staff, _WOOD), (0.235, 0.165, 0.0)),
        _ball((0.235, 0.165, 0.985), (0.052, 0.052, 0.052), _GLOW),
        _moved(_turned(((0.030, 0.92), (0.045, 0.935), (0.030, 0.95)), _GOLD), (0.235, 0.165, 0.0)),
        *(_faced(part, (-0.232, 0.185, 0.375)) for part in held),
    ]


def _cape(color: Color) -> MeshData:
    """Hang a sheet around the back, wider towards the hem, seen from both sides."""
    around = np.radians(np.linspace(198.0, 342.0, 15))
    height = np.array((0.60, 0.56, 0.45, 0.30, 0.16, 0.075))
    reach = np.array((0.11, 0.165, 0.185, 0.225, 0.265, 0.285))
    folds = 1.0 + 0.05 * np.cos(7.0 * (around - np.pi * 1.5)) * np.linspace(0, 1, 6)[:, None]
    points = np.stack(
        [
            np.cos(around) * reach[:, None] * folds,
            np.sin(around) * reach[:, None] * folds,
            np.broadcast_to(height[:, None], (6, 15)),
        ],
        axis=2,
    )
    outside = _sheet(points[:, ::-1], color)
    inside = _sheet(points * (0.97, 0.97, 1.0), tuple(0.7 * part for part in color))
    return MeshData.join([outside, inside])


def _turned(profile: Profile, color: ArrayLike, front: ArrayLike | None = None) -> MeshData:
    """Turn a profile of (radius, height), bottom to top, around the z axis.

    `front` colors a panel that looks along +y.
    """
    radius, height = np.array(profile).T
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES + 1)
    points = np.stack(
        [
            np.cos(around) * radius[:, None],
            np.sin(around) * radius[:, None],
            np.broadcast_to(height[:, None], (len(radius), len(around))),
        ],
        axis=2,
    )
    colors = np.broadcast_to(np.asarray(color, dtype=np.float64), points.shape).copy()
    if front is not None:
        colors[:, np.abs(around - np.pi / 2.0) < 0.34] = front
    return _sheet(points[:, ::-1], colors[:, ::-1])


def _ball(middle: ArrayLike, radii: ArrayLike, color: ArrayLike) -> MeshData:
    tilt = np.linspace(-np.pi / 2.0, np.pi / 2.0, 9)
    ball = _turned(tuple(zip(np.cos(tilt).tolist(), np.sin(tilt).tolist(), strict=True)), color)
    size = np.asarray(radii)
    normals = ball.normals / size
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return _with(ball, ball.positions * size + np.asarray(middle), normals)


def _boxed(middle: ArrayLike, half: ArrayLike, color: ArrayLike) -> MeshData:
    axes = np.array([(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 2)
    sign = np.array((1, 1, 1, -1, -1, -1))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    points, normals = np.zeros((6, 4, 3)), np.zeros((6, 4, 3))
    for face, ((u, v, out), way) in enumerate(zip(axes, sign, strict=True)):
        points[face, :, u], points[face, :, v] = corners[:, 0] * way, corners[:, 1]
        points[face, :, out] = normals[face, :, out] = way
    quads = np.arange(6)[:, None, None] * 4 + np.array([(0, 1, 2), (0, 2, 3)])
    colors = np.broadcast_to(np.asarray(color, dtype=np.float64), points.shape)
    place = points * np.asarray(half) + np.asarray(middle)
    return MeshData.of(place, normals, colors, _no_tile(points), quads)


def _sheet(points: NDArray[np.floating], color: ArrayLike) -> MeshData:
    """Span a smooth sheet over (rings, spokes, 3) points; its front is where rings x spokes is."""
    up = np.gradient(points, axis=0)
    along = np.gradient(points, axis=1)
    closed = np.allclose(points[:, 0], points[:, -1])
    if closed:
        along[:, 0] = along[:, -1] = points[:, 1] - points[:, -2]
    normals = np.cross(up, along)
    size = np.linalg.norm(normals, axis=2, keepdims=True)
    # At a pole the ring has no extent; what lies next to it tells where the sheet faces.
    flat = size[..., 0] < 1e-9
    normals = np.where(flat[..., None], np.array((0.0, 0.0, 1.0)), normals / np.maximum(size, 1e-9))
    rings, spokes = points.shape[:2]
    below = points[:, 0, 2] < points[:, :, 2].mean()
    normals[flat & below[:, None]] = (0.0, 0.0, -1.0)
    first = (np.arange(rings - 1)[:, None] * spokes + np.arange(spokes - 1)).reshape(-1, 1)
    quads = first + np.array([0, spokes, 1, 1, spokes, spokes + 1])
    colors = np.broadcast_to(np.asarray(color, dtype=np.float64), points.shape)
    return MeshData.of(points, normals, colors, _no_tile(points), quads)


def _no_tile(points: NDArray[np.floating]) -> NDArray[np.float32]:
    uv = np.full(points.shape, 0.5, dtype=np.float32)
    uv[..., 2] = 0.0
    return uv


def _with(
    mesh: MeshData, positions: NDArray[np.floating], normals: NDArray[np.floating]
) -> MeshData:
    return MeshData(
        positions.astype(np.float32),
        normals.astype(np.float32),
        mesh.colors,
        mesh.uv,
        mesh.triangles,
    )


def _moved(mesh: MeshData, by: ArrayLike) -> MeshData:
    return _with(mesh, mesh.positions + np.asarray(by), mesh.normals.copy())


def _faced(mesh: MeshData, middle: ArrayLike) -> MeshData:
    """Stand what lies flat on its edge, its top looking forward and a little to the left."""
    turn = np.radians(24.0)
    x, y, z = np.eye(3)
    across = x * np.cos(turn) + y * np.sin(turn)
    ahead = y * np.cos(turn) - x * np.sin(turn)
    axes = np.array([-across, z, ahead])
    return _with(mesh, mesh.positions @ axes + np.asarray(middle), mesh.normals @ axes)


def _bent(mesh: MeshData, start: float) -> MeshData:
    """Lean what lies above `start` backwards, more so towards the tip."""
    positions = mesh.positions.copy()
    over = np.maximum(positions[:, 2] - start, 0.0)
    positions[:, 1] -= 1.6 * over**2
    positions[:, 2] -= 0.6 * over**2
    return _with(mesh, positions, mesh.normals.copy())
