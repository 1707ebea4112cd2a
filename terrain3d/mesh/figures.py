"""Figures of units by name, the colors and shapes of their teams, and the marks at their feet.

A figure is a list of parts: solids in the colors of its team, in a darker shade of them (`dark`),
and in those of skin, cloth, wood and metal. A team is known by its shape as well as by its color.
"""

import colorsys
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import one_of
from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import LEFT_FOOT, RIGHT_FOOT, MeshData, circle
from terrain3d.mesh.solids import (
    ball,
    bent_back,
    both_sides,
    box,
    flat_rings,
    glowing,
    lathe,
    mirrored,
    moved,
    rod,
    tilted,
)

SKIN, HAIR = (1.00, 0.82, 0.67), (0.36, 0.23, 0.15)
LEATHER, WOOD, GOLD = (0.33, 0.22, 0.15), (0.47, 0.32, 0.19), (0.93, 0.75, 0.33)
CLOTH, INK, GLOW = (0.93, 0.88, 0.76), (0.13, 0.10, 0.12), (0.80, 0.97, 1.00)
STEEL, IRON = (0.66, 0.69, 0.74), (0.42, 0.44, 0.49)

HEAD_Z = 0.735
RIM, RIM_BRIGHTER = 0.012, 0.35
"""Width of the rim in the outline of a hidden figure, in its own units, and its part of white."""
_QUIET, _BANDS = 0.3, 24
"""Part of the team's color in a hidden figure; the rest is the mean of one of these heights."""
_FAR = 0.05
"""Size of the details that far figures leave out."""


def dark(team: Color) -> Color:
    """Return the darker shade of a team's color."""
    return 0.60 * team[0], 0.60 * team[1], 0.64 * team[2]


def boot(size: float) -> MeshData:
    """Return a right foot with the leg above it."""
    foot = ball((0.078, 0.035, 0.050), (0.056 * size, 0.092 * size, 0.048), LEATHER)
    leg = rod([(0.078, 0.0, 0.05), (0.075, 0.0, 0.26)], (0.048 * size, 0.052 * size), LEATHER)
    return MeshData.join([foot, leg])


def face(hair: Color = HAIR) -> list[MeshData]:
    """Return a bare head that looks along +y."""
    parts = [
        ball((0.0, 0.015, HEAD_Z), (0.148, 0.145, 0.140), SKIN),
        ball((0.0, -0.040, HEAD_Z - 0.005), (0.158, 0.135, 0.150), hair),
        ball((0.0, 0.162, HEAD_Z - 0.02), (0.020, 0.024, 0.020), (0.86, 0.62, 0.48)),
    ]
    for side in (-1.0, 1.0):
        parts += [
            ball((0.056 * side, 0.143, HEAD_Z + 0.022), (0.021, 0.018, 0.033), INK),
            ball((0.050 * side, 0.158, HEAD_Z + 0.034), (0.008, 0.006, 0.009), (1.0, 1.0, 1.0)),
        ]
    return parts


def arms(sleeve: ArrayLike) -> list[MeshData]:
    """Return two bent arms with the hands in front."""
    parts = []
    for side in (-1.0, 1.0):
        parts += [
            ball((0.168 * side, 0.03, 0.49), (0.062, 0.065, 0.085), sleeve),
            ball((0.205 * side, 0.085, 0.41), (0.050, 0.075, 0.055), sleeve),
            ball((0.222 * side, 0.150, 0.385), (0.040, 0.040, 0.040), SKIN),
        ]
    return parts


def belt(radius: float = 0.148) -> list[MeshData]:
    """Return a belt with a buckle in front."""
    within = radius - 0.015
    ring = lathe((within, radius, radius, within), (0.375, 0.385, 0.415, 0.425), LEATHER)
    return [ring, box((0.0, radius, 0.40), (0.028, 0.014, 0.024), GOLD)]


def held(at: ArrayLike, ahead_deg: float, left_deg: float, *parts: MeshData) -> list[MeshData]:
    """Return parts around the origin tilted and moved to a place, as things in a hand are."""
    return [moved(tilted(part, ahead_deg, left_deg), at) for part in parts]


def cape(color: Color, hem: float = 0.075, wide: float = 1.0) -> MeshData:
    """Return a cape around the back, wider at the hem and visible from both sides."""
    around = np.radians(np.linspace(198.0, 342.0, 15))
    height = 0.60 - (0.60 - hem) * np.array((0.0, 0.08, 0.29, 0.57, 0.84, 1.0))
    reach = np.array((0.11, 0.165, 0.185, 0.225, 0.265, 0.285)) * wide
    folds = 1.0 + 0.05 * np.cos(7.0 * (around - np.pi * 1.5)) * np.linspace(0, 1, 6)[:, None]
    points = circle(around, reach[:, None] * folds, height[:, None])
    return both_sides(points[:, ::-1], color, [0.7 * part for part in color])


def acrobat(team: Color, dark: Color) -> list[MeshData]:
    """Return an acrobat: a ponytail, a flying scarf and two short swords."""
    hair = (0.74, 0.34, 0.14)
    tail = [(0.0, -0.13, 0.88), (0.0, -0.24, 0.98), (0.0, -0.33, 0.90), (0.0, -0.37, 0.72)]
    blade = [(0.0, 0.0, 0.06), (0.0, 0.03, 0.25), (0.0, 0.10, 0.40)]
    sword = [
        rod([(0.0, 0.0, -0.06), (0.0, 0.0, 0.05)], 0.018, GOLD),
        ball((0.0, 0.0, 0.06), (0.055, 0.022, 0.014), GOLD),
        rod(blade, (0.026, 0.024, 0.004), STEEL),
    ]
    (right,) = held((0.230, 0.160, 0.385), -38.0, -22.0, MeshData.join(sword))
    width = (0.120, 0.165, 0.140, 0.112, 0.126, 0.122, 0.075)
    parts = [
        lathe(width, (0.23, 0.24, 0.32, 0.40, 0.48, 0.56, 0.61), team, front=CLOTH),
        *belt(0.130),
        lathe((0.09, 0.165, 0.165, 0.09), (0.56, 0.575, 0.62, 0.645), dark),
        *arms(team),
        *face(hair),
        lathe((0.152, 0.166, 0.164, 0.150), (0.775, 0.78, 0.815, 0.82), team),
        ball((0.0, -0.02, HEAD_Z + 0.12), (0.135, 0.13, 0.085), hair),
        lathe((0.0, 0.035, 0.045, 0.0), (0.90, 0.93, 0.98, 1.03), GOLD),
        rod(tail, (0.050, 0.075, 0.060, 0.012), hair),
    ]
    for side in (-1.0, 1.0):
        end = [(side * 0.06, -0.14, 0.60), (side * 0.16, -0.27, 0.56), (side * 0.24, -0.40, 0.62)]
        parts.append(rod(end, (0.030, 0.042, 0.012), dark))
    return [*parts, right, mirrored(right)]


def flyer(team: Color, dark: Color) -> list[MeshData]:
    """Return a flyer: two wings, a circlet and a long spear."""
    wing = _wing(dark)
    width = (0.130, 0.180, 0.150, 0.122, 0.134, 0.128, 0.080)
    spear = [
        rod([(0.0, 0.0, -0.36), (0.0, 0.0, 0.62)], 0.016, WOOD),
        lathe((0.0, 0.034, 0.0), (0.60, 0.65, 0.80), STEEL),
        lathe((0.018, 0.030, 0.030, 0.018), (0.575, 0.585, 0.605, 0.615), team),
    ]
    return [
        lathe(width, (0.19, 0.20, 0.30, 0.40, 0.48, 0.56, 0.61), team, front=CLOTH),
        *belt(0.140),
        lathe((0.09, 0.150, 0.150, 0.09), (0.54, 0.55, 0.585, 0.62), GOLD),
        *arms(team),
        *face(hair=(0.80, 0.64, 0.34)),
        lathe((0.150, 0.162, 0.160, 0.148), (0.785, 0.79, 0.82, 0.825), GOLD),
        ball((0.0, 0.160, 0.805), (0.026, 0.014, 0.030), team),
        wing,
        mirrored(wing),
        *held((0.235, 0.165, 0.385), 10.0, -6.0, *spear),
    ]


def _wing(color: Color) -> MeshData:
    """Return a right wing: feathers of different length below a bent arm, paler at the tips."""
    part = np.linspace(0.0, 1.0, 13)
    top = np.stack(
        [
            0.06 + 0.38 * part,
            -0.13 - 0.16 * part + 0.10 * part**2,
            0.54 + 0.42 * np.sin(2.1 * part) - 0.16 * part**2,
        ],
        axis=1,
    )
    ragged = 1.0 + 0.16 * np.cos(part * 12.0 * np.pi)
    drop = (0.34 + 0.20 * np.sin(np.pi * part) - 0.14 * part) * ragged
    hang = np.stack([0.07 * part, -0.09 + 0.0 * part, -drop], axis=1)
    down = np.array((0.0, 0.3, 0.65, 1.0))[:, None, None]
    points = top + down * hang
    pale = 0.25 + 0.65 * down
    colors = np.array(color) * (1.0 - pale) + np.array(CLOTH) * pale
    shades = np.broadcast_to(colors, points.shape)
    return both_sides(points, shades, 0.86 * shades[:, ::-1])


def knight(team: Color, dark: Color) -> list[MeshData]:
    """Return a knight: broad shoulders, a closed helmet, a tall shield and a hammer."""
    width = (0.170, 0.245, 0.215, 0.185, 0.215, 0.205, 0.110)
    parts = [
        lathe(width, (0.16, 0.17, 0.28, 0.40, 0.50, 0.58, 0.64), team, front=CLOTH),
        lathe((0.235, 0.255, 0.240, 0.225), (0.165, 0.17, 0.205, 0.21), dark),
        *belt(0.205),
        lathe((0.11, 0.175, 0.165, 0.11), (0.585, 0.595, 0.635, 0.65), IRON),
    ]
    for side in (-1.0, 1.0):
        parts += [
            ball((0.235 * side, 0.0, 0.565), (0.105, 0.115, 0.085), STEEL),
            ball((0.250 * side, 0.0, 0.545), (0.112, 0.122, 0.050), dark),
            ball((0.262 * side, 0.05, 0.45), (0.062, 0.075, 0.085), IRON),
            ball((0.272 * side, 0.145, 0.395), (0.054, 0.058, 0.050), STEEL),
        ]
    dome = (0.125, 0.158, 0.163, 0.155, 0.115, 0.055, 0.0)
    helmet = [
        lathe(dome, (0.615, 0.64, 0.76, 0.83, 0.895, 0.925, 0.93), STEEL),
        lathe((0.160, 0.170, 0.168, 0.156), (0.795, 0.80, 0.825, 0.83), IRON),
        box((0.0, 0.152, 0.762), (0.098, 0.022, 0.014), INK),
        box((0.0, 0.162, 0.715), (0.014, 0.014, 0.090), GOLD),
        box((0.0, 0.162, 0.785), (0.060, 0.014, 0.011), GOLD),
        ball((0.0, -0.015, 0.955), (0.034, 0.165, 0.075), team),
        ball((0.0, -0.150, 0.90), (0.030, 0.075, 0.10), team),
    ]
    shield = [
        ball((0.0, -0.006, 0.0), (0.172, 0.030, 0.245), GOLD),
        ball((0.0, 0.008, 0.0), (0.150, 0.034, 0.222), team),
        box((0.0, 0.036, 0.02), (0.018, 0.010, 0.150), CLOTH),
        box((0.0, 0.034, 0.06), (0.095, 0.010, 0.018), CLOTH),
    ]
    hammer = [
        rod([(0.0, 0.0, -0.26), (0.0, 0.0, 0.44)], 0.020, WOOD),
        box((0.0, 0.0, 0.44), (0.062, 0.125, 0.062), STEEL),
        box((0.0, 0.0, 0.44), (0.068, 0.030, 0.068), dark),
        ball((0.0, 0.0, -0.27), (0.032, 0.032, 0.032), GOLD),
    ]
    return [
        *parts,
        *helmet,
        *held((-0.285, 0.215, 0.40), -4.0, 6.0, *shield),
        *held((0.285, 0.175, 0.40), -8.0, -10.0, *hammer),
    ]


def mage(team: Color, dark: Color) -> list[MeshData]:
    """Return a mage: a wide hat, a robe that ends in a wisp, a staff with a light."""
    wisp = (0.0, 0.035, 0.080, 0.150, 0.205, 0.215, 0.205)
    robe = (0.205, 0.180, 0.150, 0.130, 0.140, 0.135, 0.085)
    cone = (0.145, 0.128, 0.092, 0.050, 0.016, 0.0)
    staff = [
        rod([(0.0, 0.0, -0.30), (0.0, 0.0, 0.50)], 0.019, WOOD),
        lathe((0.022, 0.045, 0.022), (0.49, 0.505, 0.525), GOLD),
        glowing(ball((0.0, 0.0, 0.57), (0.055, 0.055, 0.055), GLOW)),
    ]
    return [
        lathe(wisp, (0.02, 0.04, 0.09, 0.145, 0.185, 0.205, 0.225), dark),
        lathe(robe, (0.225, 0.29, 0.35, 0.40, 0.48, 0.56, 0.61), team, front=CLOTH),
        *belt(),
        lathe((0.09, 0.165, 0.168, 0.10), (0.53, 0.545, 0.575, 0.625), dark),
        cape(dark, hem=0.13),
        *arms(team),
        *face(),
        lathe((0.10, 0.245, 0.258), (0.835, 0.800, 0.812), dark),
        lathe((0.258, 0.245, 0.12), (0.812, 0.826, 0.862), team),
        bent_back(lathe(cone, (0.85, 0.92, 1.00, 1.09, 1.15, 1.16), team), start=0.90),
        lathe((0.140, 0.150, 0.143, 0.130), (0.850, 0.856, 0.895, 0.900), GOLD),
        *held((0.235, 0.165, 0.385), 7.0, -5.0, *staff),
    ]


def raider(team: Color, dark: Color) -> list[MeshData]:
    """Return a raider: a horned helmet, a beard, a fur collar, an axe and a round shield."""
    fur, beard = (0.30, 0.24, 0.20), (0.62, 0.30, 0.12)
    coat = (0.165, 0.230, 0.200, 0.172, 0.196, 0.186, 0.100)
    bend = [(0.14, 0.0, 0.845), (0.25, 0.01, 0.87), (0.31, 0.06, 0.96), (0.30, 0.12, 1.08)]
    horn = rod(bend, (0.045, 0.042, 0.030, 0.005), (0.90, 0.85, 0.70))
    collar = [
        ball((0.15 * x, 0.14 * y, 0.585), (0.105, 0.095, 0.065), fur)
        for x, y in ((1.0, 0.35), (-1.0, 0.35), (0.85, -0.6), (-0.85, -0.6), (0.0, -1.0))
    ]
    shield = [
        ball((0.0, -0.006, 0.0), (0.195, 0.028, 0.195), WOOD),
        ball((0.0, 0.006, 0.0), (0.165, 0.030, 0.165), team),
        ball((0.0, 0.024, 0.0), (0.055, 0.034, 0.055), IRON),
    ]
    axe = [
        rod([(0.0, 0.0, -0.26), (0.0, 0.0, 0.46)], 0.020, WOOD),
        moved(ball((0.0, 0.0, 0.0), (0.018, 0.105, 0.125), STEEL), (0.0, 0.10, 0.38)),
        box((0.0, 0.0, 0.38), (0.034, 0.040, 0.055), dark),
    ]
    return [
        lathe(coat, (0.17, 0.18, 0.29, 0.40, 0.50, 0.57, 0.63), team, front=CLOTH),
        lathe((0.222, 0.246, 0.232, 0.215), (0.175, 0.18, 0.225, 0.23), dark),
        *belt(0.190),
        *arms(team),
        *collar,
        cape(fur, hem=0.12, wide=1.3),
        *face(beard),
        ball((0.0, 0.105, 0.645), (0.105, 0.075, 0.095), beard),
        lathe((0.158, 0.166, 0.135, 0.070, 0.0), (0.775, 0.82, 0.895, 0.94, 0.95), IRON),
        lathe((0.160, 0.174, 0.172, 0.158), (0.77, 0.775, 0.805, 0.81), GOLD),
        horn,
        mirrored(horn),
        *held((-0.285, 0.205, 0.42), -4.0, 6.0, *shield),
        *held((0.245, 0.160, 0.40), 30.0, -8.0, *axe),
    ]


def scout(team: Color, dark: Color) -> list[MeshData]:
    """Return a scout: a feathered cap, a short cape, a bow and a quiver."""
    width = (0.150, 0.205, 0.185, 0.145, 0.125, 0.138, 0.132, 0.080)
    peak = ball((0.0, 0.11, 0.0), (0.105, 0.13, 0.016), dark)
    feather = ball((0.0, 0.0, 0.13), (0.012, 0.036, 0.15), CLOTH)
    quiver = [
        lathe((0.0, 0.045, 0.052, 0.0), (0.0, 0.0, 0.30, 0.30), LEATHER),
        lathe((0.050, 0.058, 0.058, 0.050), (0.255, 0.26, 0.285, 0.29), dark),
    ]
    for x, y in ((0.022, 0.012), (-0.022, 0.010), (0.0, -0.024)):
        quiver.append(rod([(x, y, 0.25), (x, y, 0.36)], 0.008, WOOD))
        quiver.append(ball((x, y, 0.375), (0.008, 0.020, 0.036), CLOTH))
    bend = np.linspace(-1.0, 1.0, 13)
    wood = np.stack([0.0 * bend, 0.085 * (1.0 - bend**2) - 0.05, 0.27 * bend], axis=1)
    string = [(0.0, -0.05, -0.27), (0.0, -0.05, 0.27)]
    bow = [rod(wood, 0.017 - 0.008 * bend**2, WOOD), rod(string, 0.005, CLOTH)]
    return [
        lathe(width, (0.17, 0.18, 0.25, 0.33, 0.40, 0.48, 0.56, 0.61), team, front=CLOTH),
        *belt(0.142),
        lathe((0.09, 0.150, 0.150, 0.09), (0.54, 0.55, 0.585, 0.62), dark),
        cape(dark, hem=0.27, wide=0.95),
        *arms(team),
        *face(),
        lathe((0.150, 0.156, 0.130, 0.075, 0.0), (0.800, 0.835, 0.900, 0.945, 0.955), team),
        lathe((0.152, 0.170, 0.168, 0.150), (0.785, 0.80, 0.835, 0.845), dark),
        *held((0.0, 0.06, 0.81), -8.0, 0.0, peak),
        *held((0.145, -0.02, 0.83), -42.0, -12.0, feather),
        ball((0.152, -0.01, 0.835), (0.016, 0.022, 0.022), GOLD),
        *held((-0.02, -0.20, 0.30), -6.0, -24.0, *quiver),
        *held((-0.232, 0.165, 0.40), 8.0, 14.0, *bow),
    ]


@dataclass(frozen=True)
class Figure:
    """A figure that looks along +y; (0, 0, 0) is between its feet."""

    body: MeshData
    feet: tuple[MeshData, ...]
    """Left and right, if any: the parts that move in a stride, in the coordinates of the body."""


_BODIES: dict[str, tuple[Callable[[Color, Color], list[MeshData]], float]] = {
    "scout": (scout, 1.0),
    "knight": (knight, 1.3),
    "mage": (mage, 0.0),
    "flyer": (flyer, 0.9),
    "acrobat": (acrobat, 0.9),
    "raider": (raider, 1.3),
}

SHAPES = tuple(_BODIES)
"""Names of figures: light foot, heavy foot, floating, flying, climbing, heavy foot."""


@cache
def figure(shape: str, team: Color) -> Figure:
    """Return a standing figure, about 1.1 tiles tall, in clothes of a team's color.

    `ValueError` if the shape is not one of SHAPES.
    """
    make, boots = _BODIES[one_of("shape", shape, SHAPES)]
    body = MeshData.join(make(team, dark(team)))
    if not boots:
        return Figure(body, ())
    right = boot(boots)
    return Figure(body, (_with_part(mirrored(right), LEFT_FOOT), _with_part(right, RIGHT_FOOT)))


def _with_part(mesh: MeshData, part: int) -> MeshData:
    surface = mesh.surface.copy()
    surface["part"] = part
    return replace(mesh, surface=surface)


def simplified(mesh: MeshData, size: float, *, keeps_colors: bool = True) -> MeshData:
    """Return a mesh with one vertex for all those in a cube with an edge of `size`.

    With `keeps_colors` there is one for each of their colors. Its box stays the same.
    """
    cubes = np.floor(mesh.positions / size).astype(np.int64)
    cubes -= cubes.min(axis=0)
    number = np.ravel_multi_index(cubes.T, cubes.max(axis=0) + 1) * 4 + mesh.surface["part"]
    colors = mesh.colors.view(np.uint32)[:, 0] if keeps_colors else 0
    keys = (number << 32) + colors
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)

    def sums(values: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.stack([np.bincount(group, part) for part in values.T], axis=1)

    positions = sums(mesh.positions) / np.bincount(group)[:, None]
    low, high = mesh.positions.min(axis=0), mesh.positions.max(axis=0)
    least, most = positions.min(axis=0), positions.max(axis=0)
    positions = low + (positions - least) * ((high - low) / (most - least))
    normals = sums(mesh.normals)
    normals[:, 2] += 1e-6  # those of a sheet's two sides sum up to zero
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    triangles = group[mesh.triangles]
    is_left = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return MeshData(
        positions.astype(np.float32),
        normals.astype(np.float32),
        mesh.colors[first],
        mesh.uv[first],
        mesh.surface[first],
        triangles[is_left].astype(np.uint32),
    )


@cache
def figure_mesh(shape: str, team: Color, *, is_far: bool = False) -> MeshData:
    """Return a figure with its feet as one mesh, a simpler one if it is far."""
    made = figure(shape, team)
    mesh = MeshData.join([made.body, *made.feet])
    return simplified(mesh, _FAR) if is_far else mesh


@cache
def outline_mesh(shape: str, team: Color, *, is_far: bool = False) -> MeshData:
    """Return what is seen of a hidden figure: its outline, near with a lighter rim inside of it.

    All that is at one height has one color, so that it does not matter what is drawn first.
    """
    mesh = figure_mesh(shape, team)
    if is_far:
        mesh = simplified(mesh, _FAR)
    fill, rim = mesh.colors.copy(), np.full_like(mesh.colors, 255)
    band = np.clip(mesh.positions[:, 2] * _BANDS, 0, 2 * _BANDS).astype(np.intp)
    share = np.hanning(_BANDS // 3)
    counts = np.convolve(np.bincount(band), share, "same")
    for channel, part in enumerate(team):
        mean = np.convolve(np.bincount(band, fill[:, channel]), share, "same") / counts
        fill[:, channel] = mean[band] + (255 * part - mean[band]) * _QUIET
        rim[:, channel] = round(255 * (part + (1 - part) * RIM_BRIGHTER))
    if is_far:
        return replace(mesh, colors=fill)
    inner = mesh.positions - np.float32(RIM) * mesh.normals
    return MeshData.join([replace(mesh, colors=rim), replace(mesh, positions=inner, colors=fill)])


TEAM_COLORS: dict[str, Color] = {
    "blue": (0.05, 0.14, 0.86),
    "red": (0.70, 0.02, 0.12),
    "green": (0.16, 0.55, 0.27),
    "yellow": (0.92, 0.70, 0.16),
    "purple": (0.49, 0.25, 0.68),
    "orange": (0.90, 0.45, 0.13),
    "teal": (0.10, 0.56, 0.58),
    "pink": (0.88, 0.42, 0.62),
    "white": (0.86, 0.86, 0.84),
    "black": (0.20, 0.20, 0.23),
}

_SHAPES = ((24, 0.0), (4, 0.125), (3, 0.25), (4, 0.0))
"""Number of corners, and angle of the first one in turns: disk, square, triangle, diamond."""


def team_shape(team: str) -> tuple[int, float]:
    """Return the number of corners of a team's shape, and the angle of the first one in turns."""
    names = list(TEAM_COLORS)
    number = names.index(team) if team in names else zlib.crc32(team.encode())
    return _SHAPES[number % len(_SHAPES)]


def team_color(team: str) -> Color:
    """Return a team's color: a fixed one for common names, else one that depends on the name."""
    if team in TEAM_COLORS:
        return TEAM_COLORS[team]
    bits = zlib.crc32(team.encode())
    # Whole steps of hue, so that the hues of two unknown teams differ clearly or not at all.
    hue, strength = (bits % 24) / 24.0, 0.55 + 0.1 * (bits // 24 % 3)
    return colorsys.hsv_to_rgb(hue, strength, 0.74)


_SPOKES = 48
_BRIGHT, _DARK = (255, 244, 190, 255), (40, 30, 20, 220)
_RING = (
    (0.335, _DARK),
    (0.350, _DARK),
    (0.350, _BRIGHT),
    (0.380, _BRIGHT),
    (0.380, _DARK),
    (0.395, _DARK),
)
_PLATE = (0.0, 70), (0.27, 70), (0.27, 255), (0.31, 255)  # radii and alpha
_MARKER = (0.0, 255), (0.31, 255)
_RIPPLE = ((0.84, 0), (0.95, 255), (1.0, 0))
_BEAM = 0.28, 0.12  # radii
_BEAM_COLORS = (255, 255, 255, 150), (255, 255, 255, 70)
_BLOB = ((0.0, (20, 16, 30, 150)), (0.16, (20, 16, 30, 130)), (0.34, (20, 16, 30, 0)))
_GLOW = ((0.0, (255, 190, 100, 130)), (0.35, (255, 180, 90, 70)), (0.95, (255, 170, 80, 0)))
_ROUND = (_SPOKES, 0.0)
_TIP = 1.24  # distance of the tip of plate and ring, in radii


@cache
def ring_mesh() -> MeshData:
    """Return a flat, bright ring with dark outlines and a tip at +y."""
    return _rings(_RING, _TIP)


@cache
def plate_mesh(color: Color, shape: tuple[int, float] = _ROUND) -> MeshData:
    """Return a thin ring in a team's color with a tip at +y, on a faint plate.

    `shape` is as from `team_shape`.
    """
    return _plate(color, shape, _PLATE)


@cache
def marker_mesh(color: Color, shape: tuple[int, float]) -> MeshData:
    """Return a flat plate like that of `plate_mesh`, in full color."""
    return _plate(color, shape, _MARKER)


def _plate(
    color: Color, shape: tuple[int, float], parts: tuple[tuple[float, int], ...]
) -> MeshData:
    red, green, blue = (round(255 * part) for part in color)
    rings = [(reach, (red, green, blue, alpha)) for reach, alpha in parts]
    return _rings([*rings, (0.31, _DARK), (0.33, _DARK)], _TIP, shape)


@cache
def ripple_mesh() -> MeshData:
    """Return a thin, white ring of radius 1 that fades inward and outward."""
    return _rings([(reach, (255, 255, 255, alpha)) for reach, alpha in _RIPPLE])


@cache
def blob_mesh() -> MeshData:
    """Return a flat, dark spot that fades outward, for pictures without shadows."""
    return _rings(_BLOB)


@cache
def glow_mesh() -> MeshData:
    """Return a flat, warm light that fades outward, as of a lantern."""
    return _rings(_GLOW)


@cache
def beam_mesh() -> MeshData:
    """Return a white cone, 1 high, that fades upward: from the ground to who floats above it."""
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES, endpoint=False)[:, None]
    positions = circle(around, np.array(_BEAM)).astype(np.float32)
    positions[:, 1, 2] = 1.0
    return flat_rings(positions, np.array(_BEAM_COLORS, dtype=np.uint8))


def _rings(
    rings: Sequence[tuple[float, tuple[int, int, int, int]]],
    tip: float = 1.0,
    shape: tuple[int, float] = _ROUND,
) -> MeshData:
    """Return a flat shape around (0, 0, 0) of rings of (radius, color), with a tip at +y."""
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES, endpoint=False)
    # Near the tip, the outline follows the tangents from it to the circle.
    aside = np.abs((around - np.pi / 2.0 + np.pi) % (2.0 * np.pi) - np.pi)
    touch = math.acos(1.0 / tip)
    outline = np.where(aside < touch, 1.0 / np.cos(touch - np.minimum(aside, touch)), 1.0)
    outline = np.maximum(np.where(outline > 1.0, outline, 0.0), _polygon(around, *shape))
    radius = np.array([reach for reach, _ in rings]) * outline[:, None]
    positions = circle(around[:, None], radius).astype(np.float32)
    return flat_rings(positions, np.array([color for _, color in rings], dtype=np.uint8))


def _polygon(around: NDArray[np.float64], corners: int, turn: float) -> NDArray[np.float64]:
    """Return the (n,) radii of a regular polygon with the area of the unit disk."""
    part = math.tau / corners
    beside = (around - turn * math.tau) % part - part / 2.0
    corner = math.sqrt(math.tau / (corners * math.sin(part)))
    return corner * math.cos(part / 2.0) / np.cos(beside)
