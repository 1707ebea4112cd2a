"""Ladders: two poles and rungs before the edge of a higher surface."""

import numpy as np

from terrain3d.mesh.data import MeshData, runs
from terrain3d.mesh.ground.paint import WOOD
from terrain3d.mesh.structures.beams import beams, posts
from terrain3d.mesh.structures.tile_edges import Borders

_HALF_WIDTH, _POLE_HALF, _RUNG_HALF, _RUNG_HEIGHT = 0.17, 0.024, 0.016, 0.028
_OFF_THE_WALL = 0.05
_RUNG_STEP, _ABOVE = 0.13, 0.16  # world units between rungs, and of pole above the upper end


def ladders(borders: Borders) -> list[MeshData]:
    """Mesh ladders from the lower surface of each pair to the higher one."""
    middle = borders.middle - borders.uphill * _OFF_THE_WALL
    aside = borders.aside * _HALF_WIDTH
    foot, head = borders.foot, borders.head
    wood = np.tile(WOOD, (len(foot), 1))
    parts = [
        posts(middle + side * aside, borders.ahead, _POLE_HALF, foot, head + _ABOVE, wood)
        for side in (-1.0, 1.0)
    ]
    count = np.ceil((head - foot + 0.5 * _ABOVE) / _RUNG_STEP - 1.0).astype(np.int64)
    on, rung = runs(count)
    low = foot[on] + _RUNG_STEP * (1 + rung)
    start, along = (middle - aside)[on], 2.0 * aside[on]
    return [*parts, beams(start, along, _RUNG_HALF, low, low + _RUNG_HEIGHT, wood[on])]
