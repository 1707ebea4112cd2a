"""Icons of buttons: lines on a grid of 24 x 24, drawn without steps at any size."""

from functools import cache
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

_GRID = 24
_HALF_WIDTH = 0.95  # of a line, in units of the grid
_TILE = "8,14 2,17 12,22 22,17 16,14"

ICONS = MappingProxyType(
    {
        "undo": "9,4 4,9 9,14; 4,9 15,9 19,12 19,17 15,20 9,20",
        "redo": "15,4 20,9 15,14; 20,9 9,9 5,12 5,17 9,20 15,20",
        "save": "4,4 16,4 20,8 20,20 4,20 4,4; 8,4 8,9 15,9 15,4; 8,20 8,14 16,14 16,20",
        "save_as": "10,20 4,20 4,4 15,4 19,8 19,10; 8,4 8,9 14,9 14,4;"
        "13,21 14,17 20,11 22,13 16,19 13,21",
        "load": "3,19 3,5 9,5 11,8 19,8 19,11; 3,19 7,11 23,11 19,19 3,19",
        "resize": "9,9 3,3; 3,8 3,3 8,3; 15,15 21,21; 16,21 21,21 21,16;"
        "15,9 21,3; 16,3 21,3 21,8; 9,15 3,21; 3,16 3,21 8,21",
        "mirror": "12,3 12,6; 12,10 12,14; 12,18 12,21; 9,6 9,18 2,18 9,6; 15,6 15,18 22,18 15,6",
        "mirror_down": "3,12 6,12; 10,12 14,12; 18,12 21,12;"
        "6,9 18,9 18,2 6,9; 6,15 18,15 18,22 6,15",
        "map_editor": "7,4 20,12 7,20 7,4",
        "help": "8,8 9,5 12,4 15,5 16,8 12,12 12,15; 12,20 12,20",
        "raise": f"12,13 12,2; 8,6 12,2 16,6; {_TILE}",
        "lower": f"12,2 12,13; 8,9 12,13 16,9; {_TILE}",
        "level": "3,12 21,12; 12,2 12,8; 9,5 12,8 15,5; 12,22 12,16; 9,19 12,16 15,19",
        "paint": "4,3 18,3 18,8 4,8 4,3; 18,5 21,5 21,12 12,12 12,15;10,15 14,15 14,22 10,22 10,15",
        "erase": "8,20 3,15 14,4 21,11 12,20 8,20; 8,20 21,20; 9,9 16,16",
        "ramp": "3,20 21,20 21,7 3,20",
        "bridge": "2,6 22,6; 2,6 2,20 6,20 6,17 9,14 15,14 18,17 18,20 22,20 22,6;"
        "2,10 22,10; 12,6 12,10",
        "ladder": "8,2 8,22; 16,2 16,22; 8,6 16,6; 8,11 16,11; 8,16 16,16",
        "wall": "3,5 21,5 21,19 3,19 3,5; 3,12 21,12; 9,5 9,12; 15,5 15,12; 12,12 12,19",
        "unit": "12,3 15,6 12,9 9,6 12,3; 12,9 12,12; 5,21 7,13 12,12 17,13 19,21 5,21",
        "goal": "6,3 6,21; 6,4 19,8 6,12; 3,21 9,21",
        "select": "4,8 4,4 8,4; 11,4 13,4; 16,4 20,4 20,8; 20,11 20,13; 20,16 20,20 16,20;"
        "13,20 11,20; 8,20 4,20 4,16; 4,13 4,11",
        "copy": "9,9 20,9 20,20 9,20 9,9; 5,15 4,15 4,4 15,4 15,5",
        "cut": "8,8 20,20; 8,16 20,4; 4,4 7,3 9,6 8,8 5,9 3,7 4,4;"
        "4,20 7,21 9,18 8,16 5,15 3,17 4,20",
        "paste": "8,5 5,5 5,21 19,21 19,5 16,5; 8,3 16,3 16,7 8,7 8,3; 9,12 15,12; 9,16 15,16",
        "brush": "12,5 17,7 19,12 17,17 12,19 7,17 5,12 7,7 12,5; 12,12 12,12",
        "rectangle": "3,6 21,6 21,18 3,18 3,6",
        "fill": "4,12 11,5 18,12 11,19 4,12 18,12; 11,5 8,2; 21,15 22,18 21,20 20,18 21,15",
        "smaller": "5,12 19,12",
        "larger": "5,12 19,12; 12,5 12,19",
    }
)
"""Lines by name: points x,y from the top left corner, and ";" between two lines."""


@cache
def icon_alpha(name: str, size_px: int) -> NDArray[np.uint8]:
    """Return how opaque the pixels of an icon are, (size_px, size_px) from the top left."""
    at = (np.arange(size_px) + 0.5) * _GRID / size_px
    pixel = np.stack(np.meshgrid(at, at), axis=-1)
    nearest = np.full((size_px, size_px), np.inf)
    for line in ICONS[name].split(";"):
        points = np.array([point.split(",") for point in line.split()], float)
        for start, end in pairwise(points):
            along = end - start
            part = (pixel - start) @ along / max(along @ along, 1e-9)
            foot = start + np.clip(part, 0.0, 1.0)[..., None] * along
            nearest = np.minimum(nearest, np.linalg.norm(pixel - foot, axis=-1))
    pixels = (_HALF_WIDTH - nearest) * size_px / _GRID + 0.5
    return np.rint(255 * np.clip(pixels, 0.0, 1.0)).astype(np.uint8)
