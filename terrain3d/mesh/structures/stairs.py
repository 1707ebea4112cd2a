"""Stairs: steps on the lower of two tiles, up to the edge of the higher one."""

import numpy as np

from terrain3d.mesh.data import MeshData, runs
from terrain3d.mesh.structures.beams import beams
from terrain3d.mesh.structures.tile_edges import Borders

_RISE = 0.11  # world units from step to step
_MOST = 24
_RUN = 0.36  # how far they reach into the lower tile: a figure in its middle has room
_SHARE = 0.62  # of the edge's length that they are wide
_SUNK = 0.02
_EVEN = 0.94  # light of every other step, so that they are told apart from afar


def stairs(borders: Borders) -> list[MeshData]:
    """Mesh stairs from the lower surface of each pair to the higher one."""
    foot, head = borders.foot, borders.head
    count = np.clip(np.rint((head - foot) / _RISE).astype(np.int64) - 1, 1, _MOST)
    flight, step = runs(count)
    tread = (_RUN / count)[flight, None] * borders.uphill[flight]
    # A step is as deep as its tread and goes down to the ground.
    start = (borders.middle - _RUN * borders.uphill)[flight] + tread * step[:, None]
    high = foot[flight] + ((head - foot) / (count + 1))[flight] * (step + 1)
    light = np.where(step % 2 == 0, 1.0, _EVEN).astype(np.float32)
    return [
        beams(
            start,
            tread,
            0.5 * _SHARE * borders.length,
            foot[flight] - _SUNK,
            high,
            borders.built[flight] * light[:, None],
            borders.pattern[flight],
        )
    ]
