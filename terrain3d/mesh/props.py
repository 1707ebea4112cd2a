"""Props of tiles: tufts, flowers, mushrooms and stones, trees and reeds, away from tile centers.

Each prop is a shape around (0, 0, 0). Spots for it are chosen by chance, and the shape is copied to
them, turned, scaled and tinted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import instance_of, number_within
from terrain3d.grid.kinds import PLAIN, PROPS, SOFT, Color, Prop, checked_name
from terrain3d.mesh.data import PROP, MeshData, circle, fans, lit, surface_of, tube_sides
from terrain3d.mesh.ground.lattice import base_level, chance
from terrain3d.mesh.ground.patch import Patch

_TURNS = 16
_NO_COLOR = (0.0, 0.0, 0.0)
_SURFACE = surface_of(SOFT)
_SURFACE["part"] = PROP


@dataclass(frozen=True)
class Shape:
    """A shape around (0, 0, 0) in each of its turns, (turns, v, 3), with `v` vertices.

    The color of a vertex is `ground * tint + hue * wash + own`, where each copy has its own ground
    color and hue.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    tint: NDArray[np.float32]
    wash: NDArray[np.float32]
    own: NDArray[np.float32]
    triangles: NDArray[np.uint32]
    surface: NDArray[np.void] = field(default_factory=lambda: _SURFACE)


Part = tuple[NDArray[np.float64], ...]
"""Points, normals, tint, wash and own colors of vertices, and triangles of their indices."""


def _part(
    points: ArrayLike,
    triangles: ArrayLike,
    normals: ArrayLike = (0.0, 0.0, 1.0),
    *,
    tint: ArrayLike = 0.0,
    wash: ArrayLike = 0.0,
    own: ArrayLike = _NO_COLOR,
) -> Part:
    """Return a part of (v, 3) points, and attributes, which broadcast to the points."""
    vertices = np.asarray(points, dtype=np.float64)
    return (
        vertices,
        np.broadcast_to(np.asarray(normals, dtype=np.float64), vertices.shape),
        np.broadcast_to(np.asarray(tint, dtype=np.float64), len(vertices)),
        np.broadcast_to(np.asarray(wash, dtype=np.float64), len(vertices)),
        np.broadcast_to(np.asarray(own, dtype=np.float64), vertices.shape),
        np.asarray(triangles),
    )


def _body(points: ArrayLike, triangles: ArrayLike, tint: ArrayLike) -> Part:
    """Return a body with flat faces and sharp edges; `tint` is for each point."""
    corner = np.asarray(triangles).ravel()
    vertices = np.asarray(points, dtype=np.float64)[corner]
    a, b, c = vertices.reshape(-1, 3, 3).swapaxes(0, 1)
    normals = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    indices = np.arange(len(corner)).reshape(-1, 3)
    return _part(vertices, indices, normals, tint=np.asarray(tint)[corner])


def _shape(*parts: Part) -> Shape:
    """Return one shape of several parts."""
    starts = np.cumsum([0] + [len(part[0]) for part in parts[:-1]])
    points, normals, tint, wash, own, _ = (np.concatenate(c) for c in zip(*parts, strict=True))
    triangles = [part[-1] + start for part, start in zip(parts, starts, strict=True)]
    return Shape(
        _turned(points),
        _turned(normals / np.linalg.norm(normals, axis=1, keepdims=True)),
        tint.astype(np.float32),
        wash.astype(np.float32),
        own.astype(np.float32),
        np.concatenate(triangles).astype(np.uint32),
    )


def _turned(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return (v, 3) vectors turned around the z axis in _TURNS steps: (_TURNS, v, 3)."""
    spin = np.arange(_TURNS) * (2.0 * np.pi / _TURNS)
    turns = np.zeros((_TURNS, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(spin)
    turns[:, 0, 1], turns[:, 1, 0] = np.sin(spin), -np.sin(spin)
    turns[:, 2, 2] = 1.0
    return (vectors @ turns).astype(np.float32)


def copies(
    shape: Shape,
    points: NDArray[np.float32],
    turn: NDArray[np.float32],
    scale: NDArray[np.floating],
    ground: NDArray[np.floating],
    hue: NDArray[np.floating],
) -> MeshData:
    """Return `m` copies of a shape as one mesh, at (m, 3) points; for the colors see `Shape`.

    `turn` is (m,), a part in [0, 1) of a whole turn around the z axis. `scale` is (m, 1), the same
    for all axes, or (m, 3), one each for x, y and z.
    """
    spin = (turn * _TURNS).astype(np.intp)
    positions = shape.positions.take(spin, axis=0)
    positions *= scale[:, None].astype(np.float32)
    for axis in range(3):  # numpy is slow along a last axis of three
        positions[..., axis] += points[:, axis, None]
    colors = lit(ground, np.broadcast_to(shape.tint, positions.shape[:2]))
    if shape.wash.any():
        colors += lit(hue, np.broadcast_to(shape.wash, positions.shape[:2]))
    if shape.own.any():
        colors += shape.own
    triangles = fans(len(points), positions.shape[1], shape.triangles)
    normals, root = shape.normals.take(spin, axis=0), points[:, None, :2]
    return MeshData.of(positions, normals, colors, shape.surface, triangles, root)


@dataclass(frozen=True)
class _Spots:
    """Spots (m,) on the tops of a patch; `slot` is the number of a spot on its tile."""

    patch: Patch
    tile: NDArray[np.intp]
    slot: NDArray[np.intp]

    @classmethod
    def of(cls, patch: Patch, props: str, per_tile: int = 1) -> Self:
        """Return spots on the tiles that have these props and no deck right above."""
        has_props = np.array([name == props for name in patch.palette.props])[patch.kind]
        roof = patch.levels.roof
        tile = np.nonzero(has_props if roof is None else has_props & (roof[0] == 0.0))[0]
        return cls(patch, np.repeat(tile, per_tile), np.tile(np.arange(per_tile), len(tile)))

    def where(self, is_kept: NDArray[np.bool_]) -> Self:
        """Return the spots of a mask."""
        return replace(self, tile=self.tile[is_kept], slot=self.slot[is_kept])

    def chance(self, salt: ArrayLike, square: int = 1) -> NDArray[np.float32]:
        """Return numbers in [0, 1); tiles of one square, this many tiles wide, have the same."""
        row, col = self.patch.row[self.tile], self.patch.col[self.tile]
        return chance(row, col, salt) if square == 1 else chance(row // square, col // square, salt)

    def draws(self, count: int, salt: NDArray[np.integer] | int) -> NDArray[np.float32]:
        """Return (count, m) numbers in [0, 1) for the spots by themselves."""
        return self.chance(salt + np.arange(count)[:, None])

    def points(
        self, angle: NDArray[np.floating], reach: NDArray[np.floating]
    ) -> NDArray[np.float32]:
        """Return the (m, 3) spots in directions from the centers of their tiles, in radians."""
        points = np.empty((len(self.tile), 3), dtype=np.float32)
        points[:, 0] = self.patch.center[self.tile, 0] + np.cos(angle) * reach
        points[:, 1] = self.patch.center[self.tile, 1] + np.sin(angle) * reach
        points[:, 2] = self.patch.z[self.tile]
        return points

    @property
    def ground(self) -> NDArray[np.float32]:
        """The (m, 3) colors of their tiles."""
        return self.patch.tones.take(self.tile, axis=0)


def _pick(hues: NDArray[np.float32], part: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return one of the hues for each number in [0, 1)."""
    return hues[(part * len(hues)).astype(np.intp)]


_BOTH_SIDES = [(0, 1, 2), (0, 2, 1)]
_MIDDLE = (0.96, 0.78, 0.25)
_STALK = (0.90, 0.85, 0.74)
_SPOKES = 6


def tuft(blades: Sequence[tuple[float, float, float]]) -> Shape:
    """Return a tuft of blades, each with (turn in radians, lean, height)."""
    parts = []
    for turn, lean, height in blades:
        x, y = np.cos(turn), np.sin(turn)
        left, right = (
            (x * 0.015 - y * wide, y * 0.015 + x * wide, -0.01) for wide in (0.026, -0.026)
        )
        points = [left, right, (x * lean, y * lean, height)]
        parts.append(_part(points, _BOTH_SIDES, tint=(0.80, 0.80, 1.18)))
    return _shape(*parts)


def flowers() -> Shape:
    """Return three flowers on stems, with five petals of the hue around a yellow center."""
    parts = []
    turn = np.arange(10) * (np.pi / 5.0)
    reach = np.where(np.arange(10) % 2, 0.024, 0.046)
    star = circle(turn, reach, 0.25 * reach)
    petals = [(0, 1 + i, 1 + (i + 1) % 10) for i in range(10)]
    heart = np.array([(0.016, 0.0, 0.014), (-0.008, 0.014, 0.014), (-0.008, -0.014, 0.014)])
    for middle in ((0.0, 0.0, 0.125), (0.10, 0.035, 0.090), (-0.035, 0.095, 0.075)):
        x, y = middle[:2]
        stem = [(x - 0.007, y, -0.01), (x + 0.007, y, -0.01), middle]
        corolla = np.concatenate([[middle], star + middle])
        parts += [
            _part(stem, _BOTH_SIDES, tint=0.70),
            _part(corolla, petals, wash=[0.78] + [0.9, 1.0] * 5),
            _part(heart + middle, [(0, 1, 2)], own=_MIDDLE),
        ]
    return _shape(*parts)


def mushrooms() -> Shape:
    """Return two mushrooms with caps of the hue."""
    parts = []
    for foot, size in (((0.0, 0.0, 0.0), 1.0), ((0.075, -0.03, 0.0), 0.66)):
        stalk = ((0.017, -0.01), (0.012, 0.065 * size))
        cap = ((0.048 * size, 0.052 * size), (0.034 * size, 0.082 * size))
        parts.append(_part(*_round(stalk, foot), own=_STALK))
        shade = [0.8] * _SPOKES + [1.0] * (_SPOKES + 1)
        parts.append(_part(*_round(cap, foot, 0.018 * size), wash=shade))
    return _shape(*parts)


def pebble() -> Shape:
    """Return a small stone with five sides."""
    ring = np.arange(5) * (2.0 * np.pi / 5.0)
    reach = np.array((0.075, 0.055, 0.08, 0.05, 0.07))
    points = [*circle(ring, reach, -0.015), (0.008, -0.006, 0.055)]
    triangles = [(i, (i + 1) % 5, 5) for i in range(5)]
    return _shape(_body(points, triangles, [0.74] * 5 + [1.02]))


def _round(
    profile: Sequence[tuple[float, float]], foot: Sequence[float], tip: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Return points, triangles and normals of a turned profile with a tip.

    `profile` has (radius, height) from bottom to top; the tip is `tip` above its end.
    """
    out = circle(np.arange(_SPOKES) * (2.0 * np.pi / _SPOKES))
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
_IN_PATCHES = np.array([prop.in_patches for prop in _SMALL])[:, None]
_NUMBERS = np.arange(len(_SMALL))
_SALTS = 16 + 8 * _NUMBERS
_PATCH_SALT = 8


def _ground_cover(patch: Patch) -> list[MeshData]:
    names = patch.palette.props
    share = np.array([[prop.share.get(name, 0.0) for name in names] for prop in _SMALL])
    occurs = chance(patch.row, patch.col, _SALTS[:, None]) < share[:, patch.kind]
    salts = _PATCH_SALT + _NUMBERS[:, None]
    in_patch = chance(patch.row // _PATCH, patch.col // _PATCH, salts) < _PATCH_SHARE
    occurs &= in_patch | ~_IN_PATCHES
    number, tile = np.nonzero(occurs)
    spots = _Spots(patch, tile, number)
    angle, far, turn, size, petal = spots.draws(5, _SALTS[number] + 1)
    points = spots.points(angle * np.float32(2.0 * np.pi), 0.28 + 0.14 * far)
    scale, ground = 0.7 + 0.6 * size[:, None], spots.ground
    small = []
    ends = np.searchsorted(number, [_NUMBERS, _NUMBERS + 1])
    for prop, start, stop in zip(_SMALL, *ends, strict=True):
        if start < stop:
            at = slice(start, stop)
            hue = _pick(prop.hues, petal[at])
            small.append(copies(prop.shape, points[at], turn[at], scale[at], ground[at], hue))
    return small


_CORNERS = 4
_RUBBLE_SALT = 176
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
        *circle(turn, foot, -0.02),
        *circle(turn + 0.3, girth, high),
        *((0.062, 0.030, 0.165), (-0.058, 0.052, 0.150), (-0.010, -0.070, 0.130)),
    ]
    triangles = [(12, 13, 14)]
    for i in range(6):
        j = (i + 1) % 6
        facet, next_facet = 12 + i // 2, 12 + j // 2
        triangles += [(i, j, 6 + j), (i, 6 + j, 6 + i), (6 + i, 6 + j, next_facet)]
        if facet != next_facet:
            triangles.append((6 + i, next_facet, facet))
    return _shape(_body(points, triangles, [0.70] * 6 + [0.92] * 6 + [1.1] * 3))


def _slab() -> Shape:
    """Return a low, flat stone."""
    low = np.array([(0.15, 0.03), (0.02, 0.14), (-0.15, 0.05), (-0.03, -0.15)])
    top = np.column_stack([0.84 * low, (0.062, 0.050, 0.034, 0.048)])
    triangles = [(4, 5, 6), (4, 6, 7), *tube_sides(4)]
    points = [*np.column_stack([low, np.full(4, -0.02)]), *top]
    return _shape(_body(points, triangles, [0.66] * 4 + [1.0] * 4))


_STONES = (_boulder(), _slab())


def rubble(patch: Patch) -> list[MeshData]:
    """Return boulders and slabs in the corners of tiles with rubble, dense in some squares."""
    spots = _Spots.of(patch, "rubble", _CORNERS)
    if not len(spots.tile):
        return []
    density = np.where(spots.chance(_RUBBLE_SALT, _FIELD) < 0.4, _DENSE, _SPARSE)
    spots = spots.where(spots.chance(_RUBBLE_SALT + 1 + spots.slot) < density)
    swing, far, turn, size, sort, squat = spots.draws(6, _RUBBLE_SALT + 8 + 8 * spots.slot)
    angle = (spots.slot + 0.5) * (np.pi / 2.0) + 0.4 * (swing - 0.5)
    points, ground = spots.points(angle, 0.42 + 0.06 * far), spots.ground
    wide = 0.42 + 0.62 * size * size
    scale = np.column_stack([wide, wide, wide * (0.8 + 0.4 * squat)])
    is_boulder = sort < 0.62
    return [
        copies(shape, points[at], turn[at], scale[at], ground[at], ground[at])
        for at, shape in zip((is_boulder, ~is_boulder), _STONES, strict=True)
        if at.any()
    ]


_SCREE_SALT = 480
_TALL, _SCREE_SHARE = 2, 0.6  # levels of a side with stones before it, and part of those


def scree(patch: Patch) -> list[MeshData]:
    """Return stones at the feet of tall sides of rock and in them, away from where ladders are."""
    levels, lattice = patch.levels, patch.lattice
    is_tall = levels.foot + _TALL <= levels.level
    is_tall &= levels.foot > base_level(patch.tilemap.step_height)
    side, tile = np.nonzero(is_tall & patch.palette.is_rock[patch.kind])
    spots = _Spots(patch, tile, side)
    spots = spots.where(spots.chance(_SCREE_SALT + side) < _SCREE_SHARE)
    if not len(spots.tile):
        return []
    along, turn, size, sort, up, swing = spots.draws(6, _SCREE_SALT + 8 + 8 * spots.slot)
    left, right = lattice.outline[lattice.ends[spots.slot]].swapaxes(0, 1)
    part = (0.1 + 0.22 * along + 0.58 * (turn > 0.5))[:, None]
    foot, is_ledge = patch.z_at(levels.foot[spots.slot, spots.tile]), up > 0.45
    points = np.empty((len(part), 3), dtype=np.float32)
    points[:, :2] = patch.center[spots.tile] + left + (right - left) * part
    points[:, 2] = foot + is_ledge * (0.3 + 0.6 * swing) * (patch.z[spots.tile] - foot)
    wide = 0.6 + 0.9 * size * size
    scale = np.column_stack([wide, wide, wide * np.where(is_ledge, 0.8, 1.1)])
    ground = patch.palette.flank[patch.kind[spots.tile]]
    is_boulder = sort < 0.62
    return [
        copies(shape, points[at], turn[at], scale[at], ground[at], ground[at])
        for at, shape in zip((is_boulder, ~is_boulder), _STONES, strict=True)
        if at.any()
    ]


_BARK, _WHITE_BARK = (0.36, 0.26, 0.18), (0.84, 0.81, 0.74)
_NEEDLES = np.array([(0.20, 0.38, 0.22), (0.24, 0.42, 0.20), (0.17, 0.35, 0.25)], np.float32)
_LEAVES = np.array([(0.38, 0.54, 0.20), (0.31, 0.49, 0.21), (0.46, 0.56, 0.20)], np.float32)
_BIRCH_LEAVES = np.array([(0.58, 0.64, 0.24), (0.66, 0.64, 0.22), (0.50, 0.60, 0.26)], np.float32)
_SHRUBS = np.array([(0.30, 0.46, 0.22), (0.36, 0.50, 0.18), (0.26, 0.42, 0.24)], np.float32)

_TREE_SALT = 64
_GROVE = 4
"""Side of the squares of tiles in which one type of tree is most common."""


def _trunk(height: float, radius: float, bark: Color = _BARK) -> Part:
    """Return a square trunk."""
    out = circle(np.arange(4) * (np.pi / 2.0))
    foot, head = out * radius * 1.3 + (0.0, 0.0, -0.02), out * radius * 0.8 + (0.0, 0.0, height)
    points, normals = np.concatenate([foot, head]), np.concatenate([out, out])
    return _part(points, tube_sides(4), normals, own=bark)


def _conifer(sides: int) -> Shape:
    """Return three ragged cones, each half inside the one above."""
    turn = np.arange(sides) * (2.0 * np.pi / sides)
    bough = np.where(np.arange(sides) % 2, 0.84, 1.0)
    parts = [_trunk(0.20, 0.035)]
    triangles = [(i, (i + 1) % sides, sides + i) for i in range(sides)]
    for tier, (low, high, radius) in enumerate(
        ((0.13, 0.52, 0.225), (0.35, 0.73, 0.175), (0.58, 0.97, 0.120))
    ):
        twist = turn + 0.35 * tier
        rim = circle(twist, bough * radius, low + 0.05 * (1.0 - bough))
        # One tip for each side, since the normal of a shared tip would point straight up.
        cone = np.concatenate([rim, circle(twist, 0.0, high)])
        around = np.concatenate([twist, twist + np.pi / sides])
        slope = np.full(2 * sides, radius / (high - low))
        normals = circle(around, 1.0, slope)
        shade = np.repeat((0.98 + 0.12 * tier, 0.72 + 0.14 * tier), sides)
        parts.append(_part(cone, triangles, normals, wash=shade))
    return _shape(*parts)


def _leafy(
    trunk: Part,
    rings: Sequence[tuple[float, float, float]],
    tip: float,
    middle: float,
    sides: int,
    steepness: float = 1.0,
) -> Shape:
    """Return a trunk with a lumpy crown of (z, radius, shade) rings, lit as around its middle."""
    turn = np.arange(sides) * (2.0 * np.pi / sides)
    points, shade, triangles = [], [], []
    for ring, (z, radius, light) in enumerate(rings):
        wide = radius * (1.0 + 0.13 * np.cos(3.0 * turn + 2.1 * ring))
        points += [*circle(turn + 0.5 * ring, wide, z)]
        shade += [light] * sides
        for i in range(sides):
            a, b = ring * sides + i, ring * sides + (i + 1) % sides
            is_last = ring == len(rings) - 1
            above = [(a, b, len(rings) * sides)]
            triangles += above if is_last else [(a, b, a + sides), (b, b + sides, a + sides)]
    crown = np.array([*points, (0.0, 0.0, tip)])
    normals = (crown - (0.0, 0.0, middle)) * (1.0, 1.0, steepness)
    return _shape(trunk, _part(crown, triangles, normals, wash=[*shade, 1.18]))


_BROADLEAF = ((0.22, 0.09, 0.58), (0.32, 0.20, 0.76), (0.50, 0.21, 0.98), (0.66, 0.13, 1.14))
_BIRCH = ((0.36, 0.06, 0.62), (0.48, 0.135, 0.80), (0.70, 0.145, 1.0), (0.90, 0.08, 1.14))
_BUSH = ((0.02, 0.13, 0.60), (0.12, 0.185, 0.80), (0.24, 0.135, 1.04))


def _tree_shapes(needles: int, leaves: int) -> tuple[tuple[Shape, NDArray[np.float32]], ...]:
    """Return shapes and hues of trees whose crowns have so many sides, in the order of limits."""
    return (
        (_conifer(needles), _NEEDLES),
        (_leafy(_trunk(0.28, 0.045), _BROADLEAF, 0.73, 0.42, leaves), _LEAVES),
        (_leafy(_trunk(0.44, 0.030, _WHITE_BARK), _BIRCH, 1.02, 0.62, leaves, 0.5), _BIRCH_LEAVES),
        (_leafy(_trunk(0.08, 0.03), _BUSH, 0.30, 0.08, leaves), _SHRUBS),
    )


_TREES, _SIMPLE_TREES = _tree_shapes(8, 7), _tree_shapes(4, 4)
"""Conifers, broadleaf trees, birches and bushes, and simpler ones."""
_TREE_LIMITS = (0.62, 0.80)  # below the first broadleaf trees, then birches, then bushes


def trees(patch: Patch, *, is_simple: bool = False) -> list[MeshData]:
    """Return two to four trees for each tile of a patch that has trees and no deck above.

    Simple ones are two, with half as many triangles.
    """
    # At most one tree at each corner: always at two opposite ones, at the others by chance.
    spots = _Spots.of(patch, "trees", _CORNERS)
    if not len(spots.tile):
        return []
    extra = 0.0 if is_simple else 0.4
    spots = spots.where((spots.slot % 2 == 0) | (spots.chance(_TREE_SALT + spots.slot) < extra))
    conifers = 0.15 + 0.7 * spots.chance(_TREE_SALT + 4, _GROVE)
    sort = 1 + np.searchsorted(_TREE_LIMITS, spots.chance(_TREE_SALT + 12 + spots.slot))
    sort[spots.chance(_TREE_SALT + 8 + spots.slot) < conifers] = 0
    turned = (spots.chance(_TREE_SALT + 5) < 0.5) * (np.pi / 2.0)
    swing, far, turn, tall, wide, hue = spots.draws(6, _TREE_SALT + 16 + 8 * spots.slot)
    angle = np.pi / 4.0 + spots.slot * (np.pi / 2.0) + turned + 0.3 * (swing - 0.5)
    points, ground = spots.points(angle, 0.46 + 0.02 * far), spots.ground
    width = 0.78 + 0.36 * wide
    scale = np.column_stack([width, width, 0.74 + 0.46 * tall])
    return [
        copies(shape, points[at], turn[at], scale[at], ground[at], _pick(hues, hue[at]))
        for number, (shape, hues) in enumerate(_SIMPLE_TREES if is_simple else _TREES)
        if len(at := np.nonzero(sort == number)[0])
    ]


_STALKS = np.array([(0.54, 0.63, 0.28), (0.45, 0.58, 0.27), (0.64, 0.64, 0.33)], np.float32)
_MUDDY = np.array([(0.24, 0.36, 0.36), (0.27, 0.37, 0.31)], np.float32)
_REED_HEAD = (0.37, 0.23, 0.14)
_HEAD_FROM, _HEAD_HALF = 0.72, 0.016
_REED_SALT = 112
_CLUMPS = 3


def _clump() -> Shape:
    """Return a clump of six leaning blades, three of them with a head."""
    parts = []
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
        parts.append(_part(points, _BOTH_SIDES, wash=(0.62, 0.62, 1.12)))
        if blade % 2 == 0:
            at = foot + (lean - foot) * _HEAD_FROM
            low = height * _HEAD_FROM
            points = [
                (x * at + np.cos(part) * _HEAD_HALF, y * at + np.sin(part) * _HEAD_HALF, z)
                for z in (low, low + 0.09)
                for part in (0.0, 2.1, 4.2)
            ]
            parts.append(_part(points, [*tube_sides(3), (3, 4, 5)], own=_REED_HEAD))
    return _shape(*parts)


def _puddle() -> Shape:
    """Return a flat, ragged disk a little above the ground, where it does not flicker."""
    reach = np.array((0.20, 0.18, 0.16, 0.17, 0.19, 0.18, 0.15, 0.14, 0.16, 0.19))
    turn = np.arange(len(reach)) * (2.0 * np.pi / len(reach))
    points = [*circle(turn, reach, 0.008), (0.0, 0.0, 0.008)]
    triangles = [(i, (i + 1) % len(reach), len(reach)) for i in range(len(reach))]
    wash = [0.80] * len(reach) + [1.15]
    return _shape(_part(points, triangles, wash=wash))


_CLUMP, _PUDDLE = _clump(), _puddle()


def reeds(patch: Patch) -> list[MeshData]:
    """Return one to three clumps and a puddle for each tile with reeds and no deck above."""
    marsh = _Spots.of(patch, "reeds")
    if not len(marsh.tile):
        return []
    spots = _Spots.of(patch, "reeds", _CLUMPS)
    spots = spots.where((spots.slot == 0) | (spots.chance(_REED_SALT + spots.slot) < 0.6))
    start = spots.chance(_REED_SALT + 4)  # the clumps of a tile start at the same angle
    swing, far, turn, size, hue = spots.draws(5, _REED_SALT + 8 + 8 * spots.slot)
    angle = (start + (spots.slot + 0.5 * swing) / _CLUMPS) * (2.0 * np.pi)
    points, scale = spots.points(angle, 0.37 + 0.06 * far), 0.75 + 0.5 * size[:, None]
    clumps = copies(_CLUMP, points, turn, scale, spots.ground, _pick(_STALKS, hue))
    angle, far, turn, size, hue = marsh.draws(5, _REED_SALT + 40)
    points = marsh.points(angle * (2.0 * np.pi), 0.08 + 0.14 * far)
    scale = 0.8 + 0.6 * size[:, None]
    return [clumps, copies(_PUDDLE, points, turn, scale, marsh.ground, _pick(_MUDDY, hue))]


_OWN_SALT = 320


def register_prop(name: str, mesh: MeshData, *, share: float = 1.0, reach: float = 0.3) -> None:
    """Put a mesh on tiles of kinds with `props=name`, turned and scaled a little by chance.

    A later call replaces an earlier one; maps that are shown already do not change.

    Parameters
    ----------
    name : str
        Any that is not the name of a texture or of props of terrain3d.
    mesh : MeshData
        Stands on (0, 0, 0) with z up, in tiles: of `mesh.solids`, or of a model by
        `view.mesh_of`. Its colors are kept, and what glows in it.
    share : float
        Part of such tiles that have it, 0..1.
    reach : float
        Distance from the center of the tile, 0..0.5; units stand in the center.

    Raises
    ------
    TypeError, ValueError
        The name is empty or one of ours, the mesh has no triangles, or a number is out of its
        limits.
    """
    checked_name("prop", name)
    if not len(instance_of("mesh", mesh, MeshData).triangles):
        raise ValueError(f"the mesh of {name!r} must have triangles, got an empty one")
    values = number_within("share", share, 0, 1), number_within("reach", reach, 0, 0.5)
    surface = mesh.surface.copy()
    surface["part"] = PROP
    surface["pattern"][surface["pattern"] == PLAIN] = SOFT  # without the rim of light of a figure
    no_tint = np.zeros(len(surface), np.float32)
    own = (mesh.colors[:, :3] / 255.0).astype(np.float32)
    turned = _turned(mesh.positions.astype(float)), _turned(mesh.normals.astype(float))
    shape = Shape(*turned, no_tint, no_tint, own, mesh.triangles, surface)
    PROPS[name] = Prop(draw=partial(_own, name, shape, *values))


def _own(name: str, shape: Shape, share: float, reach: float, patch: Patch) -> list[MeshData]:
    """Return the copies of a registered prop."""
    spots = _Spots.of(patch, name)
    spots = spots.where(spots.chance(_OWN_SALT) < share)
    angle, turn, size = spots.draws(3, _OWN_SALT + 1)
    points = spots.points(angle * (2.0 * np.pi), np.full(len(angle), reach))
    scale = 0.88 + 0.24 * size[:, None]
    return [copies(shape, points, turn, scale, spots.ground, spots.ground)] if len(angle) else []


def props(patch: Patch, *, has_ground_cover: bool = True) -> list[MeshData]:
    """Return the props of a patch.

    Without ground cover there are only trees, simple ones, reeds, and those of games.
    """
    parts = [*_ground_cover(patch), *rubble(patch)] if has_ground_cover else []
    parts += [*trees(patch, is_simple=not has_ground_cover), *reeds(patch)]
    for name, prop in PROPS.items():
        if prop.draw and name in patch.palette.props:
            parts += prop.draw(patch)
    return parts
