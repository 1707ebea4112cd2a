"""The frame of one tile: corner brackets with a dark rim, or a white one if they are dark."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid
from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.lattice import Lattice
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, quads

_LENGTH = 0.32
"""Length of a bracket's arm as a share of the tile's edge."""
_WIDTH = 0.085
_RIM = 0.03
_DARKEST = 0.3
_WHITE: Color = (1.0, 1.0, 1.0)


def frame(grid: Grid, color: Color) -> MeshData:
    """Return the brackets of a tile of a grid; its center is at (0, 0, 0)."""
    outline = Lattice.of(grid).outline
    rims = _brackets(outline, -_RIM, _WIDTH + _RIM, _RIM)
    brackets = _brackets(outline, 0.0, _WIDTH, 0.0)
    rim = DARK if max(color) > _DARKEST else _WHITE
    return joined((quads(rims, rim, 0.85), quads(brackets, color)))


def _brackets(
    outline: NDArray[np.float64], near: float, far: float, longer: float
) -> NDArray[np.float64]:
    """Return two arms per corner, from `near` to `far` inside the edges, as (2 n, 4, 3) quads.

    The arms are mitered where they meet, so that blending shows no seam.
    """
    to_next = np.roll(outline, -1, axis=0) - outline
    edge = np.linalg.norm(to_next[0])
    to_next /= edge
    inward = np.stack([-to_next[:, 1], to_next[:, 0]], axis=1)
    # A tile's edges are half a unit away from its center.
    outer, inner = outline * (1.0 - 2.0 * near), outline * (1.0 - 2.0 * far)
    reach = _LENGTH * edge + longer
    arms = []
    for along, across in (
        (to_next, inward),
        (-np.roll(to_next, 1, axis=0), np.roll(inward, 1, axis=0)),
    ):
        end = outline + along * reach
        arms.append(np.stack([outer, end + across * near, end + across * far, inner], axis=1))
    forward, backward = arms
    flat = np.concatenate([forward, backward[:, ::-1]])
    return np.concatenate([flat, np.zeros((*flat.shape[:2], 1))], axis=2)
