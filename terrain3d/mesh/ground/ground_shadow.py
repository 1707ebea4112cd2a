"""The soft shadow of a whole map on the floor below it."""

import numpy as np

from terrain3d.grid.grid import Point
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.solids import flat_rings

_SPOKES = 64
_SPREAD = 0.16  # of the map's longer side
_DARK = 0.42
_RINGS = np.linspace(0.0, 1.0, 9)


def floor_mesh(low: Point, high: Point, z: float) -> MeshData:
    """Return a flat, dark spot under a rectangle; it fades outward from the edges."""
    middle = (np.array(low) + high) / 2.0
    half = (np.array(high) - low) / 2.0
    reach = _SPREAD * 2.0 * half.max()
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES, endpoint=False) + np.pi / 4.0
    out = np.stack([np.cos(around), np.sin(around)], axis=1)
    # Each spoke starts slightly inside the corner of its quadrant, so that corners are round.
    corner = np.where(np.abs(out) < 1e-9, 0.0, np.sign(out)) * np.maximum(half - 0.35 * reach, 0.0)
    points = corner[:, None] + out[:, None] * reach * _RINGS[:, None] * 1.35
    positions = np.zeros((_SPOKES, len(_RINGS) + 1, 3), dtype=np.float32)
    positions[:, 1:, :2] = points + middle
    positions[:, 0, :2] = middle
    positions[..., 2] = z
    colors = np.zeros((len(_RINGS) + 1, 4), dtype=np.uint8)
    fade = (1.0 - _RINGS) ** 2 * (1.0 + 2.0 * _RINGS)
    colors[:, 3] = np.round(255 * _DARK * np.concatenate([[1.0], fade]))
    return flat_rings(positions, colors)
