"""Mesh round marks on tiles: glowing pads of teleporters, and plain rings for other links."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from terrain3d.mesh.data import GLOW, SOFT, STONE, MeshData
from terrain3d.mesh.ground.paint import MASONRY
from terrain3d.mesh.solids import facets

HUES = np.array(
    [
        (0.62, 0.42, 1.00),
        (0.25, 0.85, 0.95),
        (1.00, 0.55, 0.25),
        (0.98, 0.40, 0.70),
        (0.55, 0.95, 0.40),
        (1.00, 0.85, 0.30),
    ],
    dtype=np.float32,
)
"""Both ends of a link have the same hue."""

_SEGMENTS = 18
_RIM_IN, _RIM_OUT, _RIM_HEIGHT = 0.395, 0.465, 0.05
_DISC_LIFT = 0.012
_WHIRL, _ARMS = (0.0, 0.13, 0.26, _RIM_IN), 3
_DIM = 0.8
_SHARDS = (
    (0.40, 0.30),
    (0.38, 0.52),
    (0.41, 0.40),
)  # distance from the center, and height above the top
_SHARD_HALF, _SHARD_TALL = 0.032, 0.075
_MARK_IN, _MARK_OUT, _MARK_HEIGHT = 0.29, 0.36, 0.03
_PALE = np.array((0.86, 0.82, 0.74), dtype=np.float32)

Points = NDArray[np.float64]


@dataclass(frozen=True)
class LinkEnds:
    """The ends of `m` links: (m, 3) centers of their tiles' tops, and sizes, 1 for a full mark.

    `hue` is an index into HUES; `leads` is whether the link can be entered at this end.
    """

    centers: Points
    size: NDArray[np.float64]
    hue: NDArray[np.intp]
    leads: NDArray[np.bool_]


def teleporters(ends: LinkEnds) -> list[MeshData]:
    """Return pads of teleporters; shards float over those that can be entered."""
    rim = _ring(ends, _RIM_IN, _RIM_OUT, _RIM_HEIGHT)
    parts = [facets(rim, MASONRY * _DIM, STONE), *_disc(ends)]
    if ends.leads.any():
        parts.append(_shards(ends.centers[ends.leads], HUES[ends.hue[ends.leads]]))
    return parts


def marks(ends: LinkEnds) -> list[MeshData]:
    """Return plain rings."""
    colors = 0.5 * _PALE + 0.5 * HUES[ends.hue]
    ring = _ring(ends, _MARK_IN, _MARK_OUT, _MARK_HEIGHT)
    return [facets(ring, colors[:, None, None, None], SOFT)]


def _circle(ends: LinkEnds, reach: float, z: float) -> Points:
    """Return (m, _SEGMENTS + 1, 3) points around the ends, counter-clockwise and closed."""
    turn = np.arange(_SEGMENTS + 1) * (2.0 * np.pi / _SEGMENTS)
    unit = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    wide = reach * ends.size[:, None, None]
    return ends.centers[:, None] + unit * wide + (0.0, 0.0, z)


def _ring(ends: LinkEnds, inner: float, outer: float, height: float) -> Points:
    """Return the (m, 3, _SEGMENTS, 4, 3) faces of flat rings: outside, top, inside."""
    low_out, high_out, high_in, low_in = (
        _circle(ends, reach, z)
        for reach, z in ((outer, -0.01), (outer, height), (inner, height), (inner, -0.01))
    )
    bands = ((high_out, low_out), (high_in, high_out), (low_in, high_in))
    return np.stack([_quads(a, b) for a, b in bands], axis=1)


def _quads(a: Points, b: Points) -> Points:
    """Return the (m, _SEGMENTS, 4, 3) faces between circles `a` and circles `b` around them."""
    return np.stack([a[:, 1:], a[:, :-1], b[:, :-1], b[:, 1:]], axis=2)


def _disc(ends: LinkEnds) -> list[MeshData]:
    """Return the whirl of light in a pad: a bright center with curved arms."""
    rings = [_circle(ends, reach, _DISC_LIFT) for reach in _WHIRL]
    colors = [_whirl(HUES[ends.hue], reach) for reach in _WHIRL]
    quads, shades = (
        np.stack([_quads(a, b) for a, b in pairwise(around)], axis=1) for around in (rings, colors)
    )
    return [
        facets(quads[:, 0, :, 1:], shades[:, 0, :, 1:], GLOW),  # the innermost faces are triangles
        facets(quads[:, 1:], shades[:, 1:], GLOW),
    ]


def _whirl(hue: NDArray[np.float32], reach: float) -> Points:
    """Return the (m, _SEGMENTS + 1, 3) colors of a whirl at a distance from its center."""
    turn = np.arange(_SEGMENTS + 1) * (2.0 * np.pi / _SEGMENTS)
    arm = 0.62 + 0.38 * np.cos(_ARMS * turn - 9.0 * reach)
    white = (1.0 - reach / _WHIRL[-1]) ** 2
    colors: Points = hue[:, None] * ((1.0 - white) * arm)[:, None] + white
    return colors


def _shards(centers: Points, hue: NDArray[np.float32]) -> MeshData:
    """Return slim octahedra over the rims of pads."""
    faces = []
    up = np.array((0.0, 0.0, _SHARD_TALL))
    for number, (reach, z) in enumerate(_SHARDS):
        turn = 2.0 * np.pi * (number + 0.2) / len(_SHARDS)
        middle = centers + np.array((reach * np.cos(turn), reach * np.sin(turn), z))
        around = [
            middle + _SHARD_HALF * np.array((np.cos(side), np.sin(side), 0.0))
            for side in turn + np.arange(5) * (np.pi / 2.0)
        ]
        faces += [np.stack([a, b, middle + up], axis=1) for a, b in pairwise(around)]
        faces += [np.stack([b, a, middle - up], axis=1) for a, b in pairwise(around)]
    colors = 0.35 + 0.65 * hue
    return facets(np.stack(faces, axis=1), colors[:, None, None], GLOW)
