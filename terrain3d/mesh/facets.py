"""Flat faces: polygons that each have one normal, told by the order of their corners."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.mesh.data import PATTERN_UNIT, MeshData, fans


def facets(corners: NDArray[np.floating], colors: ArrayLike, pattern: int) -> MeshData:
    """Mesh flat, convex polygons.

    Parameters
    ----------
    corners : (..., c, 3)
        Counter-clockwise as seen from outside; the first three of each not in one line.
    colors : (..., c, 3) or what broadcasts to it, each 0..1
    pattern : int
        Surface pattern; see `mesh.data`.
    """
    count = corners.shape[-2]
    normals = np.cross(
        corners[..., 1, :] - corners[..., 0, :], corners[..., 2, :] - corners[..., 0, :]
    )
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    uv = np.full(corners.shape, 0.5, dtype=np.float32)
    uv[..., 2] = pattern * PATTERN_UNIT
    return MeshData.of(
        corners,
        np.broadcast_to(normals[..., None, :], corners.shape),
        np.broadcast_to(np.asarray(colors, dtype=np.float32), corners.shape),
        uv,
        fans(corners[..., 0, 0].size, count, [(0, i, i + 1) for i in range(1, count - 1)]),
    )
