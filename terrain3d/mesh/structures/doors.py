"""Doors on the edge between two tiles: a frame, and a leaf that stands ajar."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.structures.beams import beams, posts
from terrain3d.mesh.structures.tile_edges import Borders

KIND = "door"
HALF_WIDTH = 0.27
"""From the middle of the edge to that of a post."""

_INSET = 0.10  # from the edge of a cliff
_POST_HALF, _HEIGHT = 0.035, 0.98
_LINTEL_HALF, _LINTEL_LOW, _LINTEL_OVER = 0.045, 0.88, 0.06
_LEAF_HALF, _LEAF_LOW, _LEAF_HIGH = 0.02, 0.02, 0.87
_AJAR = np.radians(38.0)
_SUNK = 0.02
_FRAME, _LEAF, _KNOB = (0.30, 0.20, 0.13), (0.52, 0.28, 0.15), (0.85, 0.68, 0.30)
_KNOB_HALF, _KNOB_Z = 0.024, 0.43


def is_door(tilemap: TileMap, start: Cell, end: Cell) -> bool:
    """Tell whether a door joins two surfaces, in either direction."""
    here = Rect(start.row, start.col, 1, 1)
    return any(
        link.kind == KIND and {link.start, link.end} == {start, end}
        for link in tilemap.links_in(here)
    )


def doors(borders: Borders) -> list[MeshData]:
    """Mesh doors that open from the first surface of each pair towards the second."""
    middle, z = borders.on_top(_INSET), borders.head

    def tinted(color: Color) -> NDArray[np.float32]:
        return np.tile(np.array(color, dtype=np.float32), (len(z), 1))

    hinge, latch = (middle + borders.aside * (side * HALF_WIDTH) for side in (1.0, -1.0))
    over = borders.aside * _LINTEL_OVER
    along = -borders.aside * np.cos(_AJAR) + borders.ahead * np.sin(_AJAR)
    width = 2.0 * (HALF_WIDTH - _POST_HALF)
    leaf = hinge - borders.aside * _POST_HALF
    knob = leaf + along * (0.86 * width)
    return [
        posts(hinge, borders.ahead, _POST_HALF, z - _SUNK, z + _HEIGHT, tinted(_FRAME)),
        posts(latch, borders.ahead, _POST_HALF, z - _SUNK, z + _HEIGHT, tinted(_FRAME)),
        beams(
            latch - over,
            hinge - latch + 2.0 * over,
            _LINTEL_HALF,
            z + _LINTEL_LOW,
            z + _HEIGHT + 0.02,
            tinted(_FRAME),
        ),
        beams(leaf, along * width, _LEAF_HALF, z + _LEAF_LOW, z + _LEAF_HIGH, tinted(_LEAF)),
        posts(knob, along, _KNOB_HALF, z + _KNOB_Z, z + _KNOB_Z + 0.05, tinted(_KNOB)),
    ]
