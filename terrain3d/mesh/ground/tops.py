"""The tops of dry ground: a quad or a fan a tile, shaded by the higher tiles around it."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.data import MeshData, fans
from terrain3d.mesh.ground.patch import Patch

_SPLIT = np.array([(0, 1, 2, 0, 2, 3), (0, 1, 3, 1, 2, 3)], dtype=np.uint32)


def tops(patch: Patch) -> MeshData:
    """Mesh a patch's tops of dry ground: corners, and for more than four of them the center too."""
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
    normals = np.zeros((count, points, 3), dtype=np.float32)
    normals[:, :, 2] = 1.0
    places = np.full((points, 3), 0.5, dtype=np.float32)
    places[:sides, :2] += patch.lattice.outline
    uv = np.tile(places.ravel(), (count, 1)).reshape(count, points, 3)
    uv[:, :, 2] = patch.marks[dry, None]
    if points == sides:
        return MeshData.of(positions, normals, colors, uv, _split(light))
    positions[:, sides, :2] = patch.center[dry]
    colors[:, sides] = colors[:, :sides].mean(axis=1)
    spokes = [(i, (i + 1) % sides, sides) for i in range(sides)]
    return MeshData.of(positions, normals, colors, uv, fans(count, points, spokes))


def _split(light: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Split each quad between its brighter pair of corners, or the shading would kink."""
    kinks = (light[:, 0] + light[:, 2] < light[:, 1] + light[:, 3]).astype(np.intp)
    starts = np.arange(len(light), dtype=np.uint32) * np.uint32(4)
    triangles: NDArray[np.uint32] = _SPLIT[kinks] + starts[:, None]
    return triangles
