"""The tops of dry ground, liquids and planks, and the undersides of decks.

Higher tiles around them shade tops. Liquids vary smoothly with depth and are paler at shores.
Boards of planks lead from one open side to the other, with dark joints.
"""

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid
from terrain3d.grid.kinds import SOFT
from terrain3d.mesh.data import UP, MeshData, fans, surface_of
from terrain3d.mesh.ground.lattice import Lattice, chance
from terrain3d.mesh.ground.paint import KindPalette
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.solids import clipped

_SPLIT = np.array([(0, 1, 2, 0, 2, 3), (0, 1, 3, 1, 2, 3)], dtype=np.uint32)
_UNDERSIDE_LIGHT = 0.62
_DIM_PER_LEVEL = np.array((0.16, 0.11, 0.07), dtype=np.float32)
_MIN_LIGHT = 0.25
_CLEAR_PER_LEVEL = np.float32(0.8)  # share of the bed's light that each further level leaves
_PALER = 0.26  # brightening of a corner with ground all around
_BOARDS, _JOINT, _JOINT_LIGHT, _VARIATION = 5, 0.03, 0.5, 0.2
_JOINT_LIFT, _LIFT = 0.003, 0.006  # above the top, because surfaces in one plane flicker
_SALT = 160

Outline = NDArray[np.float64]


def tops(patch: Patch) -> MeshData:
    """Return the tops of dry ground: a quad per tile, or a fan with more than four corners."""
    dry, sides = patch.dry, patch.lattice.sides
    light, shades = patch.occlusion[dry], patch.colors[dry]
    if patch.palette.looks:
        shades = shades * patch.palette.tint[patch.kind[dry]][:, None]
    positions, uv = _outlines(patch, dry, has_center=sides > 4)
    surface = patch.surface[dry, None]
    colors = np.empty_like(positions)
    for channel in range(3):  # numpy is slow along a last axis of three
        np.multiply(shades[..., channel], light, out=colors[:, :sides, channel])
    if sides == 4:
        return MeshData.of(positions, UP, colors, surface, _split(light), uv)
    colors[:, sides] = colors[:, :sides].mean(axis=1)
    return MeshData.of(positions, UP, colors, surface, _spokes(len(light), sides), uv)


def _outlines(
    patch: Patch, tile: NDArray[np.intp] | slice, has_center: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return positions of the tops of tiles, their corners and maybe their centers, and uv."""
    corners, sides = patch.corners[tile], patch.lattice.sides
    count, points = len(corners), sides + has_center
    positions = np.empty((count, points, 3), dtype=np.float32)
    for axis in range(2):  # numpy is slow along a last axis of two
        positions[:, :sides, axis] = corners[..., axis]
    if has_center:
        positions[:, sides, :2] = patch.center[tile]
    positions[:, :, 2] = patch.z[tile, None]
    uv = np.full((points, 2), 0.5, dtype=np.float32)
    uv[:sides] += patch.lattice.outline
    return positions, uv


def _spokes(count: int, sides: int) -> NDArray[np.uint32]:
    """Return the triangles of outlines around their centers."""
    return fans(count, sides + 1, [(i, (i + 1) % sides, sides) for i in range(sides)])


def undersides(patch: Patch) -> MeshData:
    """Return the undersides of a deck's patch, in a dark shade of its flanks."""
    count, sides = len(patch.z), patch.lattice.sides
    positions = np.empty((count, sides, 3), dtype=np.float32)
    positions[:, :, :2] = patch.corners
    positions[:, :, 2] = patch.z_at(patch.levels.under)[:, None]
    flank = patch.palette.flank[patch.kind] * np.float32(_UNDERSIDE_LIGHT)
    triangles = fans(count, sides, [(0, i + 1, i) for i in range(1, sides - 1)])
    down = (0.0, 0.0, -1.0)
    return MeshData.of(positions, down, flank[:, None], surface_of(SOFT), triangles)


def _split(light: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return the triangles of quads, split between the brighter corners for smooth shading."""
    kinks = (light[:, 0] + light[:, 2] < light[:, 1] + light[:, 3]).astype(np.intp)
    starts = np.arange(len(light), dtype=np.uint32) * np.uint32(4)
    return _SPLIT[kinks] + starts[:, None]


def waters(patch: Patch) -> list[MeshData]:
    """Return the tops of a patch's liquid tiles, each as a fan around its center.

    A corner is cut if a shore lies across it while both edges there are open.
    """
    tile = patch.shores.tile
    if not len(tile):
        return []
    sides = patch.lattice.sides
    positions, uv = _outlines(patch, tile, has_center=True)
    surface = np.repeat(patch.surface[tile, None], sides + 1, axis=1)
    surface["is_cut"][:, :sides] = _is_cut(patch)
    triangles = _spokes(len(tile), sides)
    return [MeshData.of(positions, UP, _colors(patch), surface, triangles, uv)]


def _tones(palette: KindPalette) -> NDArray[np.float32]:
    """Return the color of each kind as a liquid, darker and bluer with depth, and its alpha."""
    below = np.maximum(palette.depth - 1, 0)[:, None].astype(np.float32)
    tones = palette.top * np.maximum(_MIN_LIGHT, 1.0 - _DIM_PER_LEVEL * below)
    alpha = 1.0 - palette.clarity[:, None] * _CLEAR_PER_LEVEL**below
    return np.hstack([tones, alpha.astype(np.float32)])


def _colors(patch: Patch) -> NDArray[np.float32]:
    """Return (w, c + 1, 4) colors: of the kind at the center, of all tiles there at a corner."""
    shores, tones = patch.shores, _tones(patch.palette)
    own = tones[patch.kind[shores.tile]]
    light = patch.occlusion[shores.tile]
    colors = np.repeat(own[:, None], patch.lattice.sides + 1, axis=1)
    is_wet = shores.kind >= 0
    beside = np.where(is_wet[..., None], tones[shores.kind], 0.0)
    for corner, sharing in enumerate(patch.lattice.at_corner):
        wet = 1 + is_wet[sharing].sum(axis=0)
        dry = shores.is_shore[sharing].sum(axis=0)
        mean = (own + beside[sharing].sum(axis=0)) / wet[:, None]
        pale = np.float32(_PALER) * (dry / (wet + dry))[:, None]
        colors[:, corner] = mean
        shown = mean[:, :3]
        colors[:, corner, :3] = (shown + (1.0 - shown) * pale) * light[:, corner, None]
    return colors


def _is_cut(patch: Patch) -> NDArray[np.bool_]:
    """Return (w, c) whether a shore lies across a corner while both edges there are open."""
    shore = patch.shores.is_shore
    cut = np.zeros((len(patch.shores.tile), patch.lattice.sides), dtype=bool)
    for corner, (left, right, *across) in enumerate(patch.lattice.at_corner):
        for beyond in across:
            cut[:, corner] = shore[beyond] & ~shore[left] & ~shore[right]
    return cut


def planks(patch: Patch) -> list[MeshData]:
    """Return the boards on the tops of a patch whose texture has them."""
    boarded = np.nonzero(patch.palette.has_boards[patch.kind])[0]
    if not len(boarded):
        return []
    lattice, half = patch.lattice, patch.lattice.sides // 2
    is_open = patch.levels.around[: lattice.sides, boarded] < patch.levels.level[boarded]
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
    patch: Patch, tile: NDArray[np.intp], shape: Outline, light: NDArray[np.float32], lift: float
) -> MeshData:
    """Return the same flat shape on each of several tiles."""
    points = len(shape)
    positions = np.empty((len(tile), points, 3), dtype=np.float32)
    positions[:, :, :2] = patch.center[tile, None] + shape
    positions[:, :, 2] = patch.z[tile, None] + lift
    shades = (patch.colors[tile] * patch.occlusion[tile, :, None]).swapaxes(1, 2)
    colors = (shades @ _shares(patch.lattice, shape)).swapaxes(1, 2) * light[:, None, None]
    triangles = fans(len(tile), points, [(0, i, i + 1) for i in range(1, points - 1)])
    return MeshData.of(positions, UP, colors, patch.surface[tile, None], triangles, 0.5 + shape)


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
