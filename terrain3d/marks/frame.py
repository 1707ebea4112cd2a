"""One tile's frame: bright corner brackets with a dark rim, around the middle of the tile."""

import numpy as np

from terrain3d.kinds import Color
from terrain3d.marks.shapes import DARK, joined, quads
from terrain3d.mesh import MeshData

_REACH = 0.5
_LENGTH = 0.32
_WIDTH = 0.085
_RIM = 0.03


def frame(color: Color) -> MeshData:
    """Give the brackets of a tile whose center is at (0, 0, 0).

    Parameters
    ----------
    color : (red, green, blue) in 0..1
    """
    rims, brackets = [], []
    inner, end = _REACH - _WIDTH, _REACH - _LENGTH
    for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        # An L of two bars that do not overlap, so that blending shows no seam.
        for x0, x1, y0, y1 in ((end, _REACH, inner, _REACH), (inner, _REACH, end, inner)):
            brackets.append(_bar(sx, sy, x0, x1, y0, y1))
            rims.append(_bar(sx, sy, x0 - _RIM, x1 + _RIM, y0 - _RIM, y1 + _RIM))
    return joined((quads(np.array(rims), DARK, 0.85), quads(np.array(brackets), color)))


def _bar(
    sx: int, sy: int, x0: float, x1: float, y0: float, y1: float
) -> list[tuple[float, float, float]]:
    """Give the corners of a bar in the quarter of the tile that the signs name."""
    west, east = sorted((sx * x0, sx * x1))
    south, north = sorted((sy * y0, sy * y1))
    return [(west, south, 0.0), (east, south, 0.0), (east, north, 0.0), (west, north, 0.0)]
