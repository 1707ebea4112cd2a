"""Rails of decks of planks: posts and a bar along the sides from which one would fall."""

import numpy as np

from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.structures.beams import beams, posts

_FALL = 2
"""Levels that it must go down at least."""
_INSET = 0.06
_POSTS = (1.0 / 6.0, 5.0 / 6.0)  # parts of the edge
_POST_HALF, _POST_HEIGHT = 0.028, 0.27
_BAR_HALF, _BAR_LOW, _BAR_HIGH = 0.02, 0.185, 0.23


def rails(patch: Patch) -> list[MeshData]:
    """Put rails on the tiles of a deck's patch that are laid with boards."""
    lattice, around = patch.lattice, patch.around.around
    is_deep = around[: lattice.sides] < patch.z - (_FALL - 0.5) * patch.step_height
    way, tile = np.nonzero(is_deep & patch.palette.has_boards[patch.kind])
    if not len(tile):
        return []
    edges = lattice.outline[lattice.ends[way]] - lattice.out[way, None] * _INSET
    start, along = edges[:, 0] + patch.center[tile], edges[:, 1] - edges[:, 0]
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    color, z = patch.palette.flank[patch.kind[tile]], patch.z[tile]
    parts = [
        posts(start + along * part, unit, _POST_HALF, z, z + _POST_HEIGHT, color) for part in _POSTS
    ]
    return [*parts, beams(start, along, _BAR_HALF, z + _BAR_LOW, z + _BAR_HIGH, color)]
