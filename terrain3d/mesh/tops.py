"""The walkable tops: one quad a tile, shaded by the higher tiles around it."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.data import MeshData
from terrain3d.mesh.patch import CORNERS, Patch

_SPLIT = np.array([[[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]], dtype=np.uint32)


def tops(patch: Patch) -> MeshData:
    """Mesh the tops of a patch."""
    count = len(patch.z)
    corner = np.array(CORNERS, dtype=np.float32)
    positions = np.empty((count, 4, 3), dtype=np.float32)
    positions[:, :, 0] = patch.col[:, None] + corner[:, 1]
    positions[:, :, 1] = -(patch.row[:, None] + corner[:, 0])
    positions[:, :, 2] = patch.z[:, None]
    normals = np.zeros((count, 4, 3), dtype=np.float32)
    normals[:, :, 2] = 1.0
    uv = np.empty((count, 4, 3), dtype=np.float32)
    uv[:, :, 0] = corner[:, 1]
    uv[:, :, 1] = 1.0 - corner[:, 0]
    uv[:, :, 2] = patch.marks()[:, None]
    light = patch.occlusion()
    return MeshData.of(positions, normals, patch.colors * light[:, :, None], uv, _triangles(light))


def _triangles(light: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Split each quad between its brighter pair of corners, or the shading would kink."""
    kinks = (light[:, 0] + light[:, 2] < light[:, 1] + light[:, 3]).astype(np.intp)
    starts = np.arange(len(light), dtype=np.uint32) * np.uint32(4)
    triangles: NDArray[np.uint32] = _SPLIT[kinks] + starts[:, None, None]
    return triangles
