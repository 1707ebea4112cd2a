"""Mesh doors on the edge between two tiles: a frame, and a leaf that is ajar."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.kinds import Color
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.structures.beams import beams, posts
from terrain3d.mesh.structures.tile_edges import TileEdges

KIND = "door"
HALF_WIDTH = 0.27
"""Distance from the middle of the edge to the center of a post."""

_INSET = 0.10  # from the edge of a cliff
_POST_HALF, _HEIGHT = 0.035, 0.98
_LINTEL_HALF, _LINTEL_LOW, _LINTEL_OVERHANG = 0.045, 0.88, 0.06
_LEAF_HALF, _LEAF_LOW, _LEAF_HIGH = 0.02, 0.02, 0.87
_AJAR = np.radians(38.0)
_SUNK = 0.02
_FRAME, _LEAF, _KNOB = (0.30, 0.20, 0.13), (0.52, 0.28, 0.15), (0.85, 0.68, 0.30)
_KNOB_HALF, _KNOB_Z = 0.024, 0.43


def is_door(tilemap: TileMap, start: Cell, end: Cell) -> bool:
    """Return whether a door joins two surfaces, in either direction."""
    tile = Rect(start.row, start.col, 1, 1)
    return any(
        link.kind == KIND and {link.start, link.end} == {start, end}
        for link in tilemap.links_in(tile)
    )


def doors(edges: TileEdges) -> list[MeshData]:
    """Return doors that open from the first surface of each pair to the second."""
    middle, z = edges.standing_points(_INSET), edges.high_z

    def tinted(color: Color) -> NDArray[np.float32]:
        return np.tile(np.array(color, dtype=np.float32), (len(z), 1))

    hinge, latch = (middle + edges.aside * (side * HALF_WIDTH) for side in (1.0, -1.0))
    overhang = edges.aside * _LINTEL_OVERHANG
    along = -edges.aside * np.cos(_AJAR) + edges.ahead * np.sin(_AJAR)
    width = 2.0 * (HALF_WIDTH - _POST_HALF)
    leaf = hinge - edges.aside * _POST_HALF
    knob = leaf + along * (0.86 * width)
    return [
        posts(hinge, edges.ahead, _POST_HALF, z - _SUNK, z + _HEIGHT, tinted(_FRAME)),
        posts(latch, edges.ahead, _POST_HALF, z - _SUNK, z + _HEIGHT, tinted(_FRAME)),
        beams(
            latch - overhang,
            hinge - latch + 2.0 * overhang,
            _LINTEL_HALF,
            z + _LINTEL_LOW,
            z + _HEIGHT + 0.02,
            tinted(_FRAME),
        ),
        beams(leaf, along * width, _LEAF_HALF, z + _LEAF_LOW, z + _LEAF_HIGH, tinted(_LEAF)),
        posts(knob, along, _KNOB_HALF, z + _KNOB_Z, z + _KNOB_Z + 0.05, tinted(_KNOB)),
    ]
