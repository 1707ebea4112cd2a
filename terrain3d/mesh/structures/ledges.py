"""Ledges to jump down from: an arrow that bends over the edge of the higher tile."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.mesh.data import SOFT, MeshData
from terrain3d.mesh.solids import facets
from terrain3d.mesh.structures.tile_edges import Borders

_TAIL, _NECK, _TIP = -0.34, 0.10, 0.30  # along the arrow, from the edge on
_SHAFT, _HEAD = 0.065, 0.17  # half of its widths
_OFF, _LIFT = 0.026, 0.006  # from the cliff, where a lip hangs over, and above the top
_NEARER = 0.004
_LAYERS = (((0.24, 0.17, 0.12), 0.03, 0.0), ((0.98, 0.90, 0.62), 0.0, _NEARER))
"""Color, how much wider it is, how much further out it lies: an outline and what it holds."""


def ledges(borders: Borders) -> list[MeshData]:
    """Mark the edges of the higher surface of each pair."""
    # On a low cliff the arrow is short.
    neck, tip = np.minimum(1.0, 0.8 * (borders.head - borders.foot) / _TIP) * [[_NECK], [_TIP]]
    edge = np.zeros_like(neck)
    parts = []
    for color, wider, nearer in _LAYERS:
        shaft, head = _SHAFT + wider, _HEAD + 1.7 * wider
        tail = edge + _TAIL - wider
        throat, point = neck * (1.0 - wider / _NECK), tip * (1.0 + 1.5 * wider / _TIP)
        for right, along in (
            ((-shaft, shaft, shaft, -shaft), (tail, tail, edge, edge)),
            ((-shaft, shaft, shaft, -shaft), (edge, edge, throat, throat)),
            ((-head, head, 0.0), (throat, throat, point)),
        ):
            corners = _bent(borders, right, np.stack(along, axis=1), nearer)
            parts.append(facets(corners, color, SOFT))
    return parts


def _bent(
    borders: Borders, right: ArrayLike, along: NDArray[np.float64], nearer: float
) -> NDArray[np.float64]:
    """Bend flat outlines over the edges and give their (m, c, 3) corners.

    `right` is (c,), `along` (m, c): from the edge on, above 0 down the cliff.
    """
    downhill = -borders.uphill
    aside = np.stack([downhill[:, 1], -downhill[:, 0]], axis=1)
    out = np.where(along < 0.0, along, _OFF + nearer)
    corners = np.empty((*along.shape, 3))
    corners[..., :2] = (
        borders.middle[:, None]
        + downhill[:, None] * out[..., None]
        + aside[:, None] * np.asarray(right)[:, None]
    )
    corners[..., 2] = borders.head[:, None] + _LIFT + nearer - np.maximum(along, 0.0)
    return corners
