"""Mesh the marks of "ledge" links, which lead down: an arrow bent over the higher tile's edge."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.mesh.data import SOFT, MeshData
from terrain3d.mesh.solids import facets
from terrain3d.mesh.structures.tile_edges import TileEdges

_TAIL, _NECK, _TIP = -0.34, 0.10, 0.30  # along the arrow, measured from the edge
_SHAFT, _HEAD = 0.065, 0.17  # half of the widths
_OFF, _LIFT = 0.026, 0.006  # distance from the cliff, clear of its lip, and from the top
_OUTLINE_GAP = 0.004
_LAYERS = (((0.24, 0.17, 0.12), 0.03, 0.0), ((0.98, 0.90, 0.62), 0.0, _OUTLINE_GAP))
"""Color, extra width and extra distance of the outline and of the arrow."""


def ledges(edges: TileEdges) -> list[MeshData]:
    """Return arrows over the edges of the higher surface of each pair."""
    # The arrow is shorter on a low cliff.
    neck, tip = np.minimum(1.0, 0.8 * (edges.high_z - edges.low_z) / _TIP) * [[_NECK], [_TIP]]
    edge = np.zeros_like(neck)
    parts = []
    for color, wider, gap in _LAYERS:
        shaft, head = _SHAFT + wider, _HEAD + 1.7 * wider
        tail = edge + _TAIL - wider
        throat, point = neck * (1.0 - wider / _NECK), tip * (1.0 + 1.5 * wider / _TIP)
        for right, along in (
            ((-shaft, shaft, shaft, -shaft), (tail, tail, edge, edge)),
            ((-shaft, shaft, shaft, -shaft), (edge, edge, throat, throat)),
            ((-head, head, 0.0), (throat, throat, point)),
        ):
            corners = _bent(edges, right, np.stack(along, axis=1), gap)
            parts.append(facets(corners, color, SOFT))
    return parts


def _bent(
    edges: TileEdges, right: ArrayLike, along: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """Return the (m, c, 3) corners of flat outlines, bent over the edges.

    `right` is (c,) and `along` (m, c), both measured from the edge; `along` > 0 is down the cliff.
    """
    downhill = -edges.uphill
    aside = np.stack([downhill[:, 1], -downhill[:, 0]], axis=1)
    out = np.where(along < 0.0, along, _OFF + gap)
    corners = np.empty((*along.shape, 3))
    corners[..., :2] = (
        edges.middle[:, None]
        + downhill[:, None] * out[..., None]
        + aside[:, None] * np.asarray(right)[:, None]
    )
    corners[..., 2] = edges.high_z[:, None] + _LIFT + gap - np.maximum(along, 0.0)
    return corners
