"""Boards on tops of planks, from one open side to the other, with dark joints."""

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid
from terrain3d.mesh.data import UP, MeshData, fans
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.variation import chance
from terrain3d.mesh.solids import clipped

_BOARDS = 5
_JOINT = 0.03
_JOINT_LIGHT = 0.5
_JOINT_LIFT, _LIFT = 0.003, 0.006  # above the top, because surfaces in one plane flicker
_VARIATION = 0.2
_SALT = 160

Outline = NDArray[np.float64]


def planks(patch: Patch) -> list[MeshData]:
    """Return the boards on the tops of a patch whose texture has them."""
    boarded = np.nonzero(patch.palette.has_boards[patch.kind])[0]
    if not len(boarded):
        return []
    lattice, half = patch.lattice, patch.lattice.sides // 2
    is_open = patch.heights.around[: lattice.sides, boarded] < patch.z[boarded]
    axes = (is_open[:half].astype(np.int64) + is_open[half:]).argmax(axis=0)
    light = np.full(len(boarded), _JOINT_LIGHT, dtype=np.float32)
    parts = [_shapes(patch, boarded, lattice.outline, light, _JOINT_LIFT)]
    for axis in range(half):
        tile = boarded[axes == axis]
        for number, board in enumerate(_boards(lattice.grid, axis) if len(tile) else ()):
            light = chance(patch.row[tile], patch.col[tile], _SALT + number)
            light = 1.0 + _VARIATION * (light - 0.5)
            parts.append(_shapes(patch, tile, board, light, _LIFT))
    return parts


def _shapes(
    patch: Patch,
    tile: NDArray[np.intp],
    shape: Outline,
    light: NDArray[np.float32],
    lift: float,
) -> MeshData:
    """Return the same flat shape on each of several tiles."""
    points = len(shape)
    positions = np.empty((len(tile), points, 3), dtype=np.float32)
    positions[:, :, :2] = patch.center[tile, None] + shape
    positions[:, :, 2] = patch.z[tile, None] + lift
    shades = (patch.colors[tile] * patch.occlusion[tile, :, None]).swapaxes(1, 2)
    colors = (shades @ _shares(patch.lattice, shape)).swapaxes(1, 2) * light[:, None, None]
    uv = np.full_like(positions, 0.5)
    uv[:, :, :2] += shape
    uv[:, :, 2] = patch.marks[tile, None]
    fan = [(0, i, i + 1) for i in range(1, points - 1)]
    return MeshData.of(positions, UP, colors, uv, fans(len(tile), points, fan))


def _shares(lattice: Lattice, shape: Outline) -> NDArray[np.float64]:
    """Return the (corners, points) share of each corner's color at the points of a shape."""
    apart = np.linalg.norm(lattice.outline[:, None] - shape, axis=2)
    weight = 1.0 / (0.05 + apart) ** 2
    shares: NDArray[np.float64] = weight / weight.sum(axis=0)
    return shares


@cache
def _boards(grid: Grid, axis: int) -> list[Outline]:
    """Return the outlines of a tile's boards in one of its directions."""
    outline = Lattice.of(grid).outline
    east, north = grid.headings[axis]
    across = np.array((-north, east))
    reach = float((outline @ across).max())
    cuts = np.linspace(-reach, reach, _BOARDS + 1)
    return [
        clipped(clipped(outline, across, high - _JOINT / 2), -across, -low - _JOINT / 2)
        for low, high in pairwise(cuts)
    ]
