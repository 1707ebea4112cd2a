"""The tops of dry ground, shaded by higher tiles around them, and the undersides of decks."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.data import PATTERN_UNIT, SOFT, UP, MeshData, fans
from terrain3d.mesh.ground.patch import Patch

_SPLIT = np.array([(0, 1, 2, 0, 2, 3), (0, 1, 3, 1, 2, 3)], dtype=np.uint32)
_UNDERSIDE_LIGHT = 0.62


def tops(patch: Patch) -> MeshData:
    """Return the tops of dry ground: a quad per tile, or a fan with more than four corners."""
    dry, sides = patch.dry, patch.lattice.sides
    light = patch.occlusion[dry]
    count, points = len(light), sides + (sides > 4)
    positions = np.empty((count, points, 3), dtype=np.float32)
    corners, shades = patch.corners[dry], patch.colors[dry]
    colors = np.empty((count, points, 3), dtype=np.float32)
    for axis in range(2):  # numpy is slow along a last axis of two or three
        positions[:, :sides, axis] = corners[..., axis]
    for channel in range(3):
        np.multiply(shades[..., channel], light, out=colors[:, :sides, channel])
    positions[:, :, 2] = patch.z[dry, None]
    template = np.full((points, 3), 0.5, dtype=np.float32)
    template[:sides, :2] += patch.lattice.outline
    uv = np.tile(template.ravel(), (count, 1)).reshape(count, points, 3)
    uv[:, :, 2] = patch.marks[dry, None]
    if points == sides:
        return MeshData.of(positions, UP, colors, uv, _split(light))
    positions[:, sides, :2] = patch.center[dry]
    colors[:, sides] = colors[:, :sides].mean(axis=1)
    spokes = [(i, (i + 1) % sides, sides) for i in range(sides)]
    return MeshData.of(positions, UP, colors, uv, fans(count, points, spokes))


def undersides(patch: Patch) -> MeshData:
    """Return the undersides of a deck's patch, in a dark shade of its flanks."""
    count, sides = len(patch.z), patch.lattice.sides
    positions = np.empty((count, sides, 3), dtype=np.float32)
    positions[:, :, :2] = patch.corners
    positions[:, :, 2] = patch.heights.under[:, None]
    flank = patch.palette.flank[patch.kind] * np.float32(_UNDERSIDE_LIGHT)
    triangles = fans(count, sides, [(0, i + 1, i) for i in range(1, sides - 1)])
    uv = 0.5, 0.5, SOFT * PATTERN_UNIT
    return MeshData.of(positions, (0.0, 0.0, -1.0), flank[:, None], uv, triangles)


def _split(light: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return the triangles of quads, split between the brighter corners for smooth shading."""
    kinks = (light[:, 0] + light[:, 2] < light[:, 1] + light[:, 3]).astype(np.intp)
    starts = np.arange(len(light), dtype=np.uint32) * np.uint32(4)
    triangles: NDArray[np.uint32] = _SPLIT[kinks] + starts[:, None]
    return triangles
