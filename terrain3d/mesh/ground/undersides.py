"""What a deck shows besides its top and its sides: the underside."""

import numpy as np

from terrain3d.mesh.data import PATTERN_UNIT, SOFT, MeshData, fans
from terrain3d.mesh.ground.patch import Patch

_DIM = 0.62


def undersides(patch: Patch) -> MeshData:
    """Mesh the undersides of a deck's patch, in a dark shade of its flanks."""
    count, sides = len(patch.z), patch.lattice.sides
    positions = np.empty((count, sides, 3), dtype=np.float32)
    positions[:, :, :2] = patch.corners
    positions[:, :, 2] = patch.around.under[:, None]
    normals = np.zeros_like(positions)
    normals[:, :, 2] = -1.0
    flank = patch.palette.flank[patch.kind] * np.float32(_DIM)
    uv = np.full_like(positions, 0.5)
    uv[:, :, 2] = SOFT * PATTERN_UNIT
    downward = [(0, i + 1, i) for i in range(1, sides - 1)]
    return MeshData.of(positions, normals, flank[:, None], uv, fans(count, sides, downward))
