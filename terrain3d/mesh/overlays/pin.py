"""A flat pin that marks a tile, visible from afar; the view has to turn it to the viewer."""

import math

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import DARK, fan, joined

HEIGHT = 1.9
"""Height of a pin, in tiles; its head is above a unit on the tile."""

_HEAD_CENTER, _POINT, _RADIUS = 1.62, 1.12, 0.23
_STEM_HALF_WIDTH = 0.022
_RIM = 0.05
_EYE = 0.085
_ARC = 24


def pin(color: Color) -> MeshData:
    """Return a pin whose tip is at (0, 0, 0), in the plane of x and z."""
    half = _STEM_HALF_WIDTH
    stem = np.array([(-half, 0, 0), (half, 0, 0), (half, 0, _POINT), (-half, 0, _POINT)])
    return joined(
        [
            fan(stem, DARK, 0.85),
            fan(_drop(_RADIUS + _RIM, _POINT - 2.2 * _RIM), DARK, 0.85),
            fan(_drop(_RADIUS, _POINT), color),
            fan(_drop(_EYE, _HEAD_CENTER - 2.0 * _EYE), DARK, 0.85),
        ]
    )


def _drop(radius: float, bottom: float) -> NDArray[np.float64]:
    """Return the (n, 3) outline of a round head above a tip, counter-clockwise from the tip."""
    # The straight sides are tangents of the head.
    turn = math.acos(radius / (_HEAD_CENTER - bottom))
    angle = np.linspace(turn - math.pi / 2, 1.5 * math.pi - turn, _ARC)
    x = np.concatenate([[0.0], radius * np.cos(angle)])
    z = np.concatenate([[bottom], _HEAD_CENTER + radius * np.sin(angle)])
    return np.stack([x, np.zeros_like(x), z], axis=1)
