"""Choose and mesh the props of tiles: tufts, flowers, pebbles, rubble, trees and reeds.

Mesh the props of marshes: clumps of reeds with brown heads, and dark puddles.

Mesh rubble: boulders and slabs in the corners of rocky tiles, dense in some squares.

Shapes of small props: tufts of grass, flowers, mushrooms and pebbles.

Each reaches at most 0.16 tiles from its point to the sides and up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import PROPS
from terrain3d.mesh.data import MeshData, tube_sides
from terrain3d.mesh.ground.lattice import chance
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.props.scatter import Shape, ShapeBuilder, copies, open_tiles, points_around
from terrain3d.mesh.props.trees import trees

_STALKS = np.array([(0.54, 0.63, 0.28), (0.45, 0.58, 0.27), (0.64, 0.64, 0.33)], np.float32)
_MUDDY = np.array([(0.24, 0.36, 0.36), (0.27, 0.37, 0.31)], np.float32)
_HEAD = (0.37, 0.23, 0.14)
_HEAD_FROM, _HEAD_HALF = 0.72, 0.016
_SALT = 112
_CLUMPS = 3


def _clump() -> Shape:
    """Return a clump of six leaning blades, three of them with a head."""
    builder = ShapeBuilder()
    for blade in range(6):
        turn = 2.4 * blade  # about the golden angle, so that no two blades align
        x, y = np.cos(turn), np.sin(turn)
        foot = 0.018 + 0.012 * blade
        lean, height = foot + 0.03 + 0.012 * (blade % 3), 0.46 - 0.05 * blade
        points = [
            (x * foot - y * 0.03, y * foot + x * 0.03, -0.01),
            (x * foot + y * 0.03, y * foot - x * 0.03, -0.01),
            (x * lean, y * lean, height),
        ]
        builder.add(points, [(0, 1, 2), (0, 2, 1)], wash=(0.62, 0.62, 1.12))
        if blade % 2 == 0:
            at = foot + (lean - foot) * _HEAD_FROM
            low = height * _HEAD_FROM
            points = [
                (x * at + np.cos(part) * _HEAD_HALF, y * at + np.sin(part) * _HEAD_HALF, z)
                for z in (low, low + 0.09)
                for part in (0.0, 2.1, 4.2)
            ]
            builder.add(points, [*tube_sides(3), (3, 4, 5)], own=_HEAD)
    return builder.shape()


def _puddle() -> Shape:
    """Return a flat, ragged disk a little above the ground, where it does not flicker."""
    reach = np.array((0.20, 0.18, 0.16, 0.17, 0.19, 0.18, 0.15, 0.14, 0.16, 0.19))
    turn = np.arange(len(reach)) * (2.0 * np.pi / len(reach))
    rim = np.column_stack([np.cos(turn) * reach, np.sin(turn) * reach, np.full(len(reach), 0.008)])
    points = np.concatenate([rim, [(0.0, 0.0, 0.008)]])
    triangles = [(i, (i + 1) % len(reach), len(reach)) for i in range(len(reach))]
    wash = [0.80] * len(reach) + [1.15]
    return ShapeBuilder().add(points, triangles, wash=wash).shape()


_CLUMP, _PUDDLE = _clump(), _puddle()


def reeds(patch: Patch) -> list[MeshData]:
    """Return one to three clumps and a puddle for each tile with reeds and no deck above."""
    marsh = open_tiles(patch, "reeds")
    if not len(marsh):
        return []
    tile, clump = np.repeat(marsh, _CLUMPS), np.tile(np.arange(_CLUMPS), len(marsh))
    row, col = patch.row[tile], patch.col[tile]
    grows = (clump == 0) | (chance(row, col, _SALT + clump) < 0.6)
    tile, clump, row, col = tile[grows], clump[grows], row[grows], col[grows]
    start = chance(row, col, _SALT + 4)  # the clumps of a tile start at the same angle
    salt = _SALT + 8 + 8 * clump
    swing, far, turn, size, hue = chance(row, col, salt + np.arange(5)[:, None])
    angle = (start + (clump + 0.5 * swing) / _CLUMPS) * (2.0 * np.pi)
    grown = copies(
        _CLUMP,
        points_around(patch, tile, angle, 0.37 + 0.06 * far),
        turn,
        0.75 + 0.5 * size[:, None],
        patch.tones[tile],
        _STALKS[(hue * len(_STALKS)).astype(np.intp)],
    )
    row, col = patch.row[marsh], patch.col[marsh]
    angle, far, turn, size, hue = chance(row, col, _SALT + 40 + np.arange(5)[:, None])
    laid = copies(
        _PUDDLE,
        points_around(patch, marsh, angle * (2.0 * np.pi), 0.08 + 0.14 * far),
        turn,
        0.8 + 0.6 * size[:, None],
        patch.tones[marsh],
        _MUDDY[(hue * len(_MUDDY)).astype(np.intp)],
    )
    return [grown, laid]


_RUBBLE_SALT = 176
_CORNERS = 4
_FIELD = 3
"""Side of the squares of tiles with equally dense rubble."""
_SPARSE, _DENSE = 0.03, 0.32


def _boulder() -> Shape:
    """Return a stone with flat faces, higher on one side."""
    turn = np.arange(6) * (np.pi / 3.0)
    foot = np.array((0.150, 0.132, 0.158, 0.138, 0.150, 0.128))
    girth = np.array((0.150, 0.139, 0.143, 0.150, 0.129, 0.143))
    high = np.array((0.075, 0.100, 0.082, 0.060, 0.068, 0.092))
    points = [
        *zip(np.cos(turn) * foot, np.sin(turn) * foot, np.full(6, -0.02), strict=True),
        *zip(np.cos(turn + 0.3) * girth, np.sin(turn + 0.3) * girth, high, strict=True),
        *((0.062, 0.030, 0.165), (-0.058, 0.052, 0.150), (-0.010, -0.070, 0.130)),
    ]
    triangles = [(12, 13, 14)]
    for i in range(6):
        j = (i + 1) % 6
        facet, next_facet = 12 + i // 2, 12 + j // 2
        triangles += [(i, j, 6 + j), (i, 6 + j, 6 + i), (6 + i, 6 + j, next_facet)]
        if facet != next_facet:
            triangles.append((6 + i, next_facet, facet))
    builder = ShapeBuilder()
    builder.add_faces(points, triangles, tint=[0.70] * 6 + [0.92] * 6 + [1.1] * 3)
    return builder.shape()


def _slab() -> Shape:
    """Return a low, flat stone."""
    low = np.array([(0.15, 0.03), (0.02, 0.14), (-0.15, 0.05), (-0.03, -0.15)])
    top = np.column_stack([0.84 * low, (0.062, 0.050, 0.034, 0.048)])
    triangles = [(4, 5, 6), (4, 6, 7), *tube_sides(4)]
    builder = ShapeBuilder()
    points = [*np.column_stack([low, np.full(4, -0.02)]), *top]
    builder.add_faces(points, triangles, tint=[0.66] * 4 + [1.0] * 4)
    return builder.shape()


_STONES = (_boulder(), _slab())


def rubble(patch: Patch) -> list[MeshData]:
    """Return stones on the tiles of a patch that have rubble and no deck above."""
    rocky = open_tiles(patch, "rubble")
    if not len(rocky):
        return []
    tile, corner = np.repeat(rocky, _CORNERS), np.tile(np.arange(_CORNERS), len(rocky))
    row, col = patch.row[tile], patch.col[tile]
    is_field = chance(row // _FIELD, col // _FIELD, _RUBBLE_SALT) < 0.4
    is_stone = chance(row, col, _RUBBLE_SALT + 1 + corner) < np.where(is_field, _DENSE, _SPARSE)
    tile, corner, row, col = tile[is_stone], corner[is_stone], row[is_stone], col[is_stone]
    salt = _RUBBLE_SALT + 8 + 8 * corner
    swing, far, turn, size, sort, squat = chance(row, col, salt + np.arange(6)[:, None])
    angle = (corner + 0.5) * (np.pi / 2.0) + 0.4 * (swing - 0.5)
    points = points_around(patch, tile, angle, 0.42 + 0.06 * far)
    wide = 0.42 + 0.62 * size * size
    scale = np.column_stack([wide, wide, wide * (0.8 + 0.4 * squat)])
    is_boulder = sort < 0.62
    ground = patch.tones.take(tile, axis=0)
    return [
        copies(shape, points[chosen], turn[chosen], scale[chosen], ground[chosen], ground[chosen])
        for chosen, shape in zip((is_boulder, ~is_boulder), _STONES, strict=True)
        if chosen.any()
    ]


_BOTH_SIDES = [(0, 1, 2), (0, 2, 1)]
_MIDDLE = (0.96, 0.78, 0.25)
_STALK = (0.90, 0.85, 0.74)
_SPOKES = 6


def tuft(blades: Sequence[tuple[float, float, float]]) -> Shape:
    """Return a tuft of blades, each with (turn in radians, lean, height)."""
    builder = ShapeBuilder()
    for turn, lean, height in blades:
        x, y = np.cos(turn), np.sin(turn)
        left, right = (
            (x * 0.015 - y * wide, y * 0.015 + x * wide, -0.01) for wide in (0.026, -0.026)
        )
        points = [left, right, (x * lean, y * lean, height)]
        builder.add(points, _BOTH_SIDES, tint=(0.80, 0.80, 1.18))
    return builder.shape()


def flowers() -> Shape:
    """Return three flowers on stems, with five petals of the hue around a yellow center."""
    builder = ShapeBuilder()
    turn = np.arange(10) * (np.pi / 5.0)
    reach = np.where(np.arange(10) % 2, 0.024, 0.046)
    star = np.stack([np.cos(turn) * reach, np.sin(turn) * reach, 0.25 * reach], axis=1)
    petals = [(0, 1 + i, 1 + (i + 1) % 10) for i in range(10)]
    heart = np.array([(0.016, 0.0, 0.014), (-0.008, 0.014, 0.014), (-0.008, -0.014, 0.014)])
    for middle in ((0.0, 0.0, 0.125), (0.10, 0.035, 0.090), (-0.035, 0.095, 0.075)):
        x, y = middle[:2]
        stem = [(x - 0.007, y, -0.01), (x + 0.007, y, -0.01), middle]
        builder.add(stem, _BOTH_SIDES, tint=0.70)
        builder.add(np.concatenate([[middle], star + middle]), petals, wash=[0.78] + [0.9, 1.0] * 5)
        builder.add(heart + middle, [(0, 1, 2)], own=_MIDDLE)
    return builder.shape()


def mushrooms() -> Shape:
    """Return two mushrooms with caps of the hue."""
    builder = ShapeBuilder()
    for foot, size in (((0.0, 0.0, 0.0), 1.0), ((0.075, -0.03, 0.0), 0.66)):
        stalk = ((0.017, -0.01), (0.012, 0.065 * size))
        cap = ((0.048 * size, 0.052 * size), (0.034 * size, 0.082 * size))
        builder.add(*_round(stalk, foot), own=_STALK)
        builder.add(*_round(cap, foot, 0.018 * size), wash=[0.8] * _SPOKES + [1.0] * (_SPOKES + 1))
    return builder.shape()


def pebble() -> Shape:
    """Return a small stone with five sides."""
    builder = ShapeBuilder()
    ring = np.arange(5) * (2.0 * np.pi / 5.0)
    reach = np.array((0.075, 0.055, 0.08, 0.05, 0.07))
    foot = np.stack([np.cos(ring) * reach, np.sin(ring) * reach, np.full(5, -0.015)], axis=1)
    points = np.concatenate([foot, [(0.008, -0.006, 0.055)]])
    triangles = [(i, (i + 1) % 5, 5) for i in range(5)]
    builder.add_faces(points, triangles, tint=[0.74] * 5 + [1.02])
    return builder.shape()


def _round(
    profile: Sequence[tuple[float, float]], foot: Sequence[float], tip: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Return points, triangles and normals of a turned profile with a tip.

    `profile` has (radius, height) from bottom to top; the tip is `tip` above its end.
    """
    turn = np.arange(_SPOKES) * (2.0 * np.pi / _SPOKES)
    out = np.stack([np.cos(turn), np.sin(turn), np.zeros(_SPOKES)], axis=1)
    rings = [out * radius + (0.0, 0.0, height) for radius, height in profile]
    rise = np.array((0.0, 0.0, 0.6))
    points = np.concatenate([*rings, [(0.0, 0.0, profile[-1][1] + tip)]]) + foot
    normals = np.concatenate([*(out + rise * (0.4 + ring) for ring in range(len(rings))), [rise]])
    triangles = []
    for i in range(_SPOKES):
        j = (i + 1) % _SPOKES
        for a in range(0, _SPOKES * (len(rings) - 1), _SPOKES):
            triangles += [
                (a + i, a + j, a + _SPOKES + j),
                (a + i, a + _SPOKES + j, a + _SPOKES + i),
            ]
        last = _SPOKES * (len(rings) - 1)
        triangles.append((last + i, last + j, last + _SPOKES))
    return points, np.array(triangles), normals


_PETALS = np.array(
    [(0.98, 0.95, 0.86), (0.97, 0.80, 0.26), (0.93, 0.56, 0.62), (0.70, 0.58, 0.90)],
    dtype=np.float32,
)
_CAPS = np.array([(0.80, 0.24, 0.16), (0.70, 0.46, 0.26)], dtype=np.float32)
_PATCH = 3
"""Side of the squares of tiles that have props in patches or none."""
_PATCH_SHARE = 0.34  # part of the squares that have them


@dataclass(frozen=True)
class _Prop:
    """A shape, and the part of the tiles that have it, by the tiles' props.

    A prop in patches is on that part of the tiles of some squares, and not elsewhere.
    """

    share: dict[str, float]
    shape: Shape
    hues: NDArray[np.float32] = field(default_factory=lambda: _PETALS)
    in_patches: bool = False


_SMALL = (
    _Prop(
        {"meadow": 0.72, "trees": 0.45, "reeds": 0.35},
        tuft(((0.3, 0.05, 0.15), (2.6, 0.07, 0.12), (4.4, 0.06, 0.13))),
    ),
    _Prop({"meadow": 0.36}, flowers(), in_patches=True),
    _Prop({"stones": 0.28, "rubble": 0.50, "trees": 0.06, "meadow": 0.05}, pebble()),
    _Prop(
        {"meadow": 0.25, "trees": 0.15},
        tuft(((0.9, 0.05, 0.08), (2.9, 0.04, 0.10), (5.0, 0.05, 0.07))),
    ),
    _Prop({"trees": 0.30}, mushrooms(), _CAPS, in_patches=True),
)
_SHARE = np.array([[prop.share.get(name, 0.0) for name in PROPS] for prop in _SMALL])
_IN_PATCHES = np.array([prop.in_patches for prop in _SMALL])[:, None]
_NUMBERS = np.arange(len(_SMALL))
_SALTS = 16 + 8 * _NUMBERS
_PATCH_SALT = 8


def props(patch: Patch, *, has_ground_cover: bool = True) -> list[MeshData]:
    """Return the props of a patch, away from the centers of tiles; small props are optional."""
    small = [*_ground_cover(patch), *rubble(patch)] if has_ground_cover else []
    return [*small, *trees(patch), *reeds(patch)]


def _ground_cover(patch: Patch) -> list[MeshData]:
    share = _SHARE[:, patch.palette.props]
    occurs = chance(patch.row, patch.col, _SALTS[:, None]) < share[:, patch.kind]
    salts = _PATCH_SALT + _NUMBERS[:, None]
    in_patch = chance(patch.row // _PATCH, patch.col // _PATCH, salts) < _PATCH_SHARE
    occurs &= in_patch | ~_IN_PATCHES
    number, tile = np.nonzero(occurs)
    salt = _SALTS[number] + np.arange(1, 6)[:, None]
    angle, far, turn, size, petal = chance(patch.row[tile], patch.col[tile], salt)
    points = points_around(patch, tile, angle * np.float32(2.0 * np.pi), 0.28 + 0.14 * far)
    scale, ground = 0.7 + 0.6 * size[:, None], patch.tones.take(tile, axis=0)
    small = []
    for prop, start, stop in zip(
        _SMALL, *np.searchsorted(number, [_NUMBERS, _NUMBERS + 1]), strict=True
    ):
        if start < stop:
            chosen = slice(start, stop)
            hue = prop.hues[(petal[chosen] * len(prop.hues)).astype(np.intp)]
            small.append(
                copies(prop.shape, points[chosen], turn[chosen], scale[chosen], ground[chosen], hue)
            )
    return small
