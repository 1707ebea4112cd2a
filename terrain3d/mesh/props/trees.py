"""Mesh trees near the corners of tiles: conifers, broadleaf trees, birches and bushes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData, tube_sides
from terrain3d.mesh.ground.lattice import chance
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.props.scatter import Shape, ShapeBuilder, copies, open_tiles, points_around

_BARK, _WHITE_BARK = (0.36, 0.26, 0.18), (0.84, 0.81, 0.74)
_NEEDLES = np.array([(0.20, 0.38, 0.22), (0.24, 0.42, 0.20), (0.17, 0.35, 0.25)], np.float32)
_LEAVES = np.array([(0.38, 0.54, 0.20), (0.31, 0.49, 0.21), (0.46, 0.56, 0.20)], np.float32)
_BIRCH_LEAVES = np.array([(0.58, 0.64, 0.24), (0.66, 0.64, 0.22), (0.50, 0.60, 0.26)], np.float32)
_SHRUBS = np.array([(0.30, 0.46, 0.22), (0.36, 0.50, 0.18), (0.26, 0.42, 0.24)], np.float32)

_SALT = 64
_CORNERS = 4
_GROVE = 4
"""Side of the squares of tiles in which one type of tree is most common."""


def _trunk(height: float, radius: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the (8, 3) points of a square trunk, bottom first, and its normals."""
    turn = np.arange(4) * (np.pi / 2.0)
    out = np.stack([np.cos(turn), np.sin(turn), np.zeros(4)], axis=1)
    foot, head = out * radius * 1.3 + (0.0, 0.0, -0.02), out * radius * 0.8 + (0.0, 0.0, height)
    return np.concatenate([foot, head]), np.concatenate([out, out])


def _tree(
    trunk: tuple[NDArray[np.float64], NDArray[np.float64]],
    crown: NDArray[np.float64],
    normals: NDArray[np.float64],
    triangles: list[tuple[int, int, int]],
    shade: NDArray[np.float64],
    bark: Color = _BARK,
) -> Shape:
    """Return a trunk with a crown, whose vertices have the hue times `shade`."""
    points, outward = trunk
    builder = ShapeBuilder().add(points, tube_sides(4), outward, own=bark)
    return builder.add(crown, triangles, normals, wash=shade).shape()


def _conifer() -> Shape:
    """Return three ragged cones, each half inside the one above."""
    sides = 8
    turn = np.arange(sides) * (2.0 * np.pi / sides)
    bough = np.where(np.arange(sides) % 2, 0.84, 1.0)
    points, outward = _trunk(0.20, 0.035)
    builder = ShapeBuilder().add(points, tube_sides(4), outward, own=_BARK)
    triangles = [(i, (i + 1) % sides, sides + i) for i in range(sides)]
    for tier, (low, high, radius) in enumerate(
        ((0.13, 0.52, 0.225), (0.35, 0.73, 0.175), (0.58, 0.97, 0.120))
    ):
        twist = turn + 0.35 * tier
        rim = np.stack([np.cos(twist) * bough, np.sin(twist) * bough], axis=1) * radius
        # One tip for each side, since the normal of a shared tip would point straight up.
        tips = np.tile((0.0, 0.0, high), (sides, 1))
        cone = np.concatenate([np.column_stack([rim, low + 0.05 * (1.0 - bough)]), tips])
        around = np.concatenate([twist, twist + np.pi / sides])
        slope = np.full(2 * sides, radius / (high - low))
        normals = np.column_stack([np.cos(around), np.sin(around), slope])
        shade = np.repeat((0.98 + 0.12 * tier, 0.72 + 0.14 * tier), sides)
        builder.add(cone, triangles, normals, wash=shade)
    return builder.shape()


def _crown(
    rings: Sequence[tuple[float, float, float]], tip: float
) -> tuple[NDArray[np.float64], list[tuple[int, int, int]], NDArray[np.float64]]:
    """Return points, triangles and shades of a lumpy ball of (z, radius, shade) rings."""
    sides = 7
    turn = np.arange(sides) * (2.0 * np.pi / sides)
    crown, shade, triangles = [], [], []
    for ring, (z, radius, light) in enumerate(rings):
        wide = radius * (1.0 + 0.13 * np.cos(3.0 * turn + 2.1 * ring))
        around = turn + 0.5 * ring
        crown.append(
            np.column_stack([np.cos(around) * wide, np.sin(around) * wide, np.full(sides, z)])
        )
        shade.append(np.full(sides, light))
    crown.append(np.array([(0.0, 0.0, tip)]))
    shade.append(np.array([1.18]))
    for ring in range(len(rings) - 1):
        a = ring * sides
        for i in range(sides):
            j = (i + 1) % sides
            triangles += [(a + i, a + j, a + sides + i), (a + j, a + sides + j, a + sides + i)]
    last, top = (len(rings) - 1) * sides, len(rings) * sides
    triangles += [(last + i, last + (i + 1) % sides, top) for i in range(sides)]
    return np.concatenate(crown), triangles, np.concatenate(shade)


def _broadleaf() -> Shape:
    """Return a lumpy ball on a trunk."""
    rings = ((0.22, 0.09, 0.58), (0.32, 0.20, 0.76), (0.50, 0.21, 0.98), (0.66, 0.13, 1.14))
    points, triangles, shade = _crown(rings, 0.73)
    return _tree(_trunk(0.28, 0.045), points, points - (0.0, 0.0, 0.42), triangles, shade)


def _birch() -> Shape:
    """Return a tall, narrow crown on a white trunk."""
    rings = ((0.36, 0.06, 0.62), (0.48, 0.135, 0.80), (0.70, 0.145, 1.0), (0.90, 0.08, 1.14))
    points, triangles, shade = _crown(rings, 1.02)
    normals = (points - (0.0, 0.0, 0.62)) * (1.0, 1.0, 0.5)
    return _tree(_trunk(0.44, 0.030), points, normals, triangles, shade, _WHITE_BARK)


def _bush() -> Shape:
    """Return a low, wide ball on the ground."""
    rings = ((0.02, 0.13, 0.60), (0.12, 0.185, 0.80), (0.24, 0.135, 1.04))
    points, triangles, shade = _crown(rings, 0.30)
    return _tree(_trunk(0.08, 0.03), points, points - (0.0, 0.0, 0.08), triangles, shade)


_TYPES = (
    (_conifer(), _NEEDLES),
    (_broadleaf(), _LEAVES),
    (_birch(), _BIRCH_LEAVES),
    (_bush(), _SHRUBS),
)
_TYPE_LIMITS = (0.62, 0.80)  # below the first broadleaf trees, then birches, then bushes


def trees(patch: Patch) -> list[MeshData]:
    """Return two to four trees for each tile of a patch that has trees and no deck above."""
    forest = open_tiles(patch, "trees")
    if not len(forest):
        return []
    # At most one tree at each corner: always at two opposite ones, at the others by chance.
    tile, corner = np.repeat(forest, _CORNERS), np.tile(np.arange(_CORNERS), len(forest))
    row, col = patch.row[tile], patch.col[tile]
    grows = (corner % 2 == 0) | (chance(row, col, _SALT + corner) < 0.4)
    tile, corner, row, col = tile[grows], corner[grows], row[grows], col[grows]
    is_conifer = chance(row, col, _SALT + 8 + corner) < 0.15 + 0.7 * chance(
        row // _GROVE, col // _GROVE, _SALT + 4
    )
    tree_type = 1 + np.searchsorted(_TYPE_LIMITS, chance(row, col, _SALT + 12 + corner))
    tree_type[is_conifer] = 0
    turned = (chance(row, col, _SALT + 5) < 0.5) * (np.pi / 2.0)
    salt = _SALT + 16 + 8 * corner
    swing, far, turn, tall, wide, hue = chance(row, col, salt + np.arange(6)[:, None])
    angle = np.pi / 4.0 + corner * (np.pi / 2.0) + turned + 0.3 * (swing - 0.5)
    points = points_around(patch, tile, angle, 0.46 + 0.02 * far)
    width = 0.78 + 0.36 * wide
    scale = np.column_stack([width, width, 0.74 + 0.46 * tall])
    return [
        copies(
            shape,
            points[chosen],
            turn[chosen],
            scale[chosen],
            patch.tones[tile[chosen]],
            hues[(hue[chosen] * len(hues)).astype(np.intp)],
        )
        for number, (shape, hues) in enumerate(_TYPES)
        if len(chosen := np.nonzero(tree_type == number)[0])
    ]
