"""What lies at a unit's feet: the ring of the selected one, a blob in place of a shadow."""

from functools import cache

import numpy as np

from terrain3d.mesh.data import MeshData, fans

_SPOKES = 40
_BRIGHT, _OUTLINE = (255, 244, 190, 255), (40, 30, 20, 220)
_RING = (
    (0.300, _OUTLINE),
    (0.325, _OUTLINE),
    (0.325, _BRIGHT),
    (0.385, _BRIGHT),
    (0.385, _OUTLINE),
    (0.410, _OUTLINE),
)
_BLOB = ((0.0, (20, 16, 30, 150)), (0.16, (20, 16, 30, 130)), (0.34, (20, 16, 30, 0)))


@cache
def ring_mesh() -> MeshData:
    """Make a flat, bright ring with a dark outline on both sides, around (0, 0, 0)."""
    return _rings(_RING)


@cache
def blob_mesh() -> MeshData:
    """Make a flat, dark spot that fades outwards, around (0, 0, 0)."""
    return _rings(_BLOB)


def _rings(rings: tuple[tuple[float, tuple[int, int, int, int]], ...]) -> MeshData:
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES, endpoint=False)
    radius = np.array([reach for reach, _ in rings])
    positions = np.zeros((_SPOKES, len(rings), 3), dtype=np.float32)
    positions[..., 0] = np.cos(around)[:, None] * radius
    positions[..., 1] = np.sin(around)[:, None] * radius
    normals = np.zeros_like(positions)
    normals[..., 2] = 1.0
    colors = np.tile(np.array([color for _, color in rings], dtype=np.uint8), (_SPOKES, 1))
    count = len(rings)
    strips = [
        corner
        for i in range(count - 1)
        for corner in ((i, i + 1, count + i + 1), (i, count + i + 1, count + i))
    ]
    triangles = fans(_SPOKES, count, strips) % np.uint32(_SPOKES * count)
    uv = np.zeros_like(positions)
    return MeshData(
        positions.reshape(-1, 3),
        normals.reshape(-1, 3),
        colors,
        uv.reshape(-1, 3),
        triangles.reshape(-1, 3),
    )
