"""Crumbs that somebody dropped: a small disc on each tile, smaller and paler the older it is."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh import MeshData
from terrain3d.mesh.overlays.flat_shapes import DARK, LIFT, fan, joined

RADIUS = 0.15
"""Of the newest crumb, in tiles."""

_OLDEST = 0.45  # of the newest one's size and strength
_RIM = 0.03
_CORNERS = 12


def crumbs(points: ArrayLike, color: Color) -> MeshData:
    """Lay a disc on each point.

    Parameters
    ----------
    points : (n, 3), in world units
        The newest one first.
    color : (red, green, blue) in 0..1

    Raises
    ------
    ValueError
        The points are no points.
    """
    places = np.asarray(points, np.float64)
    if places.size == 0:
        return joined([])
    if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
        raise ValueError(f"points must be (n, 3) and finite, got shape {places.shape}")
    parts = []
    for number in reversed(range(len(places))):  # the newest is drawn last, over all others
        share = 1.0 - (1.0 - _OLDEST) * number / max(1, len(places) - 1)
        parts.append(fan(_disc(places[number], RADIUS * share + _RIM), DARK, 0.75 * share))
        parts.append(fan(_disc(places[number], RADIUS * share), color, share))
    return joined(parts)


def _disc(middle: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    turns = np.arange(_CORNERS) * (math.tau / _CORNERS)
    outline = np.stack([np.cos(turns), np.sin(turns), np.zeros(_CORNERS)], axis=1)
    return middle + (0.0, 0.0, LIFT) + radius * outline
