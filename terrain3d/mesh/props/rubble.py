"""Mesh rubble: boulders and slabs in the corners of rocky tiles, dense in some squares."""

import numpy as np

from terrain3d.mesh.data import MeshData, tube_sides
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.variation import chance
from terrain3d.mesh.props.scatter import Shape, ShapeBuilder, copies, open_tiles, points_around

_SALT = 176
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
    is_field = chance(row // _FIELD, col // _FIELD, _SALT) < 0.4
    is_stone = chance(row, col, _SALT + 1 + corner) < np.where(is_field, _DENSE, _SPARSE)
    tile, corner, row, col = tile[is_stone], corner[is_stone], row[is_stone], col[is_stone]
    salt = _SALT + 8 + 8 * corner
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
