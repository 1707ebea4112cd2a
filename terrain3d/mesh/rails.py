"""Rails of wooden decks: posts and a bar along the sides from which one would fall."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.kinds import TileKind
from terrain3d.mesh.data import PATTERN_UNIT, SOFT, MeshData, fans
from terrain3d.mesh.patch import Patch

_FALL = 2
"""Levels that it must go down at least."""
_INSET = 0.06
_POSTS = (1.0 / 6.0, 5.0 / 6.0)  # parts of the edge
_POST_HALF, _POST_HEIGHT = 0.028, 0.27
_BAR_HALF, _BAR_LOW, _BAR_HIGH = 0.02, 0.185, 0.23
_LIGHT = np.array([1.55, 0.7, 1.2, 1.2, 1.2, 1.2], dtype=np.float32)  # on the flanks' color

# Corners of a beam: 4 at its end, plus 2 to the right, plus 1 above.
_FACES = np.array(
    [(3, 7, 5, 1), (0, 4, 6, 2), (4, 0, 1, 5), (2, 6, 7, 3), (0, 2, 3, 1), (6, 4, 5, 7)]
)
"""Above, below, to the left, to the right, at the start, at the end."""

Vectors = NDArray[np.float64]


def rails(patch: Patch, kinds: tuple[TileKind, ...]) -> list[MeshData]:
    """Put rails on the wooden tiles of a deck's patch."""
    is_wood = np.array([kind.name == "wood" for kind in kinds])
    lattice, around = patch.lattice, patch.around.around
    is_deep = around[: lattice.sides] < patch.z - (_FALL - 0.5) * patch.step_height
    way, tile = np.nonzero(is_deep & is_wood[patch.kind])
    if not len(tile):
        return []
    edges = lattice.outline[lattice.ends[way]] - lattice.out[way, None] * _INSET
    start, along = edges[:, 0] + patch.center[tile], edges[:, 1] - edges[:, 0]
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    color, z = patch.palette.flank[patch.kind[tile]], patch.z[tile]
    thick = unit * (2.0 * _POST_HALF)
    parts = [
        _beams(start + along * part - 0.5 * thick, thick, _POST_HALF, z, z + _POST_HEIGHT, color)
        for part in _POSTS
    ]
    return [*parts, _beams(start, along, _BAR_HALF, z + _BAR_LOW, z + _BAR_HIGH, color)]


def _beams(
    start: Vectors,
    along: Vectors,
    half: float,
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    color: NDArray[np.float32],
) -> MeshData:
    """Mesh level, straight beams: `start` and `along` are (m, 2), `half` their half width."""
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
    uv[..., 2] = SOFT * PATTERN_UNIT
    return MeshData.of(
        positions,
        np.broadcast_to(normals[:, :, None], positions.shape),
        colors[:, :, None],
        uv,
        fans(6 * count, 4, [(0, 1, 2), (0, 2, 3)]),
    )
