"""Mesh level beams and upright posts, the parts of rails, ladders, stairs, walls and doors."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.mesh.data import PATTERN_UNIT, SOFT, MeshData, fans

_LIGHT = np.array([1.55, 0.7, 1.2, 1.2, 1.2, 1.2], dtype=np.float32)  # brightness of each face

# Bits of a corner's index: 4 at the end, 2 to the right, 1 above.
_FACES = np.array(
    [(3, 7, 5, 1), (0, 4, 6, 2), (4, 0, 1, 5), (2, 6, 7, 3), (0, 2, 3, 1), (6, 4, 5, 7)]
)
"""Above, below, to the left, to the right, at the start, at the end."""

Vectors = NDArray[np.floating]


def beams(
    start: Vectors,
    along: Vectors,
    half: float,
    low: NDArray[np.floating],
    high: NDArray[np.floating],
    color: NDArray[np.float32],
    pattern: ArrayLike = SOFT,
) -> MeshData:
    """Return `m` level beams from `start` to `start + along`, (m, 2) in world units.

    `half` is half of their width, `low` and `high` are the heights of their bottoms and tops, and
    `pattern` is a surface pattern; see `mesh.data`.
    """
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    left = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    count = len(start)
    corners = np.empty((count, 2, 2, 2, 3), dtype=np.float32)
    for end in range(2):
        for right in range(2):
            xy = start + end * along + (half - 2.0 * half * right) * left
            corners[:, end, right, :, :2] = xy[:, None]
    corners[..., 0, 2], corners[..., 1, 2] = low[:, None, None], high[:, None, None]
    positions = corners.reshape(count, 8, 3)[:, _FACES]
    normals = np.zeros((count, 6, 3), dtype=np.float32)
    normals[:, 0, 2], normals[:, 1, 2] = 1.0, -1.0
    normals[:, 2, :2], normals[:, 3, :2] = left, -left
    normals[:, 4, :2], normals[:, 5, :2] = -unit, unit
    colors = color[:, None] * _LIGHT[:, None]
    uv = np.full(positions.shape, 0.5, dtype=np.float32)
    uv[..., 2] = np.reshape(pattern, (-1, 1, 1)) * np.float32(PATTERN_UNIT)
    return MeshData.of(
        positions,
        normals[:, :, None],
        colors[:, :, None],
        uv,
        fans(6 * count, 4, [(0, 1, 2), (0, 2, 3)]),
    )


def posts(
    foot: Vectors,
    unit: Vectors,
    half: float,
    low: NDArray[np.floating],
    high: NDArray[np.floating],
    color: NDArray[np.float32],
    pattern: ArrayLike = SOFT,
) -> MeshData:
    """Return square posts around (m, 2) points, a side facing a unit vector; see `beams`."""
    thick = unit * (2.0 * half)
    return beams(foot - 0.5 * thick, thick, half, low, high, color, pattern)
