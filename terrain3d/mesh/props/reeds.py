"""Mesh the props of marshes: clumps of reeds with brown heads, and dark puddles."""

import numpy as np

from terrain3d.mesh.data import MeshData, tube_sides
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.variation import chance
from terrain3d.mesh.props.scatter import Shape, ShapeBuilder, copies, open_tiles, points_around

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
