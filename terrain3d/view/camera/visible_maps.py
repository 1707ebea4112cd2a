"""The maps that a camera shows: the box around them, and the height of their ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import LPoint3

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from terrain3d.look.orbit import Point
    from terrain3d.map.tilemap import TileMap
    from terrain3d.view.scene.terrain_3d import Terrain3D


class VisibleMaps:
    """A target terrain and companions beside it, in the coordinates of the target.

    `companions` are other terrains; they may be shifted, but not turned or scaled.
    """

    def __init__(self, target: Terrain3D) -> None:
        self._target = target
        self.companions: tuple[Terrain3D, ...] = ()

    @property
    def state(self) -> tuple[object, ...]:
        """A value that changes whenever a map or its position does."""
        return tuple((tilemap.version, tuple(shift)) for tilemap, shift in self._maps())

    @property
    def box(self) -> tuple[Point, Point]:
        """The lowest and the highest corner of the box around all maps."""
        corners = []
        for tilemap, (x, y, z) in self._maps():
            west, south, east, north = tilemap.extent
            top = tilemap.top_level * tilemap.step_height
            corners += [(x + west, y + south, z + tilemap.base_z), (x + east, y + north, z + top)]
        low, high = np.min(corners, axis=0).tolist(), np.max(corners, axis=0).tolist()
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    def heights(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the z of the highest surface at points; outside the maps, of their base."""
        return np.array([self.height(*point) for point in zip(x.tolist(), y.tolist(), strict=True)])

    def height(self, x: float, y: float) -> float:
        """Return the z of the highest surface at a point; outside the maps, of their base."""
        return max(_height(tilemap, x - at.x, y - at.y) + at.z for tilemap, at in self._maps())

    def _maps(self) -> list[tuple[TileMap, LPoint3]]:
        """Return the maps and their positions."""
        shifts = [terrain.np.get_pos(self._target.np) for terrain in self.companions]
        others = [terrain.tilemap for terrain in self.companions]
        return [(self._target.tilemap, LPoint3(0.0)), *zip(others, shifts, strict=True)]


def _height(tilemap: TileMap, x: float, y: float) -> float:
    cell = tilemap.grid.cell_at(x, y)
    decks = [] if cell is None else tilemap.decks_at(cell)
    if cell is None or not decks:
        return tilemap.base_z
    return tilemap.level_at((cell.row, cell.col, decks[-1])) * tilemap.step_height
