"""A pin that stands on a tile and is seen from afar; flat, so it is to be turned to the viewer."""

import math

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh import MeshData
from terrain3d.mesh.overlays.flat_shapes import DARK, fan, joined

HEIGHT = 1.9
"""Of a whole pin, in tiles: its head is above whoever stands there."""

_MIDDLE, _POINT, _RADIUS = 1.62, 1.12, 0.23
_STEM_HALF_WIDTH = 0.022
_RIM = 0.05
_EYE = 0.085
_ARC = 24


def pin(color: Color) -> MeshData:
    """Give a pin whose point is at (0, 0, 0), in the plane of x and z.

    Parameters
    ----------
    color : (red, green, blue) in 0..1
    """
    return joined(
        [
            fan(_stem(), DARK, 0.85),
            fan(_drop(_RADIUS + _RIM, _POINT - 2.2 * _RIM), DARK, 0.85),
            fan(_drop(_RADIUS, _POINT), color),
            fan(_drop(_EYE, _MIDDLE - 2.0 * _EYE), DARK, 0.85),
        ]
    )


def _stem() -> NDArray[np.float64]:
    half = _STEM_HALF_WIDTH
    return np.array([(-half, 0, 0), (half, 0, 0), (half, 0, _POINT), (-half, 0, _POINT)])


def _drop(radius: float, bottom: float) -> NDArray[np.float64]:
    """Outline a round head with a point below, as (n, 3), counter-clockwise from the point."""
    # The straight sides touch the head where they are square to its radius.
    turn = math.acos(radius / (_MIDDLE - bottom))
    angle = np.linspace(turn - math.pi / 2, 1.5 * math.pi - turn, _ARC)
    x = np.concatenate([[0.0], radius * np.cos(angle)])
    z = np.concatenate([[bottom], _MIDDLE + radius * np.sin(angle)])
    return np.stack([x, np.zeros_like(x), z], axis=1)
