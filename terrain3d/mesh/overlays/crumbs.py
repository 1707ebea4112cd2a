"""Crumbs of a trail: a small disc on each tile, smaller and paler the older it is."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.core.checks import finite_points
from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, fan, joined

RADIUS = 0.15
"""Radius of the newest crumb, in tiles."""

_OLDEST = 0.45  # size and opacity of the oldest crumb relative to the newest
_RIM = 0.03
_CORNERS = 12


def crumbs(points: ArrayLike, color: Color) -> MeshData:
    """Return a disc on each of (n, 3) points, the newest first; they must be finite."""
    centers = finite_points("points", points)
    parts = []
    for number in reversed(range(len(centers))):  # the newest is drawn last, on top
        share = 1.0 - (1.0 - _OLDEST) * number / max(1, len(centers) - 1)
        parts.append(fan(_disc(centers[number], RADIUS * share + _RIM), DARK, 0.75 * share))
        parts.append(fan(_disc(centers[number], RADIUS * share), color, share))
    return joined(parts)


def _disc(center: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    turns = np.arange(_CORNERS) * (math.tau / _CORNERS)
    outline = np.stack([np.cos(turns), np.sin(turns), np.zeros(_CORNERS)], axis=1)
    return center + (0.0, 0.0, LIFT) + radius * outline
