"""The tile under the pointer, in a bright frame that breathes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from panda3d.core import NodePath

from terrain3d.exports import export
from terrain3d.grid import Cell, CellLike
from terrain3d.kinds import Color
from terrain3d.marks import frame
from terrain3d.view.geom import make_geom_node
from terrain3d.view.terrain import is_there, terrain_above
from terrain3d.view.tree import Node3D
from terrain3d.view.unlit import set_unlit

if TYPE_CHECKING:
    from terrain3d.tilemap import TileMap

CURSOR_COLOR: Color = (1.0, 0.93, 0.45)
_LIFT = 0.035
_SORT = 30
_PERIOD_S = 1.1
_PULSE = 0.05


class TileCursor3D(Node3D):
    """Shows one cell, by itself the one under the pointer; a child of Terrain3D."""

    color = export(CURSOR_COLOR, doc="red, green and blue in 0..1; read when it enters the tree")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._cell: Cell | None = None
        self._tilemap: TileMap | None = None
        self._age_s = 0.0
        self._geometry = NodePath(self.name)
        set_unlit(self.np, _SORT)
        self.np.hide()

    @property
    def cell(self) -> Cell | None:
        """The cell that is shown, or None."""
        return self._cell

    @cell.setter
    def cell(self, value: CellLike | None) -> None:
        wanted = None if value is None else Cell(*value)
        if self._tilemap is not None:
            self._place(self._tilemap, wanted)
        self._cell = wanted

    def _enter_tree(self) -> None:
        terrain = terrain_above(self)
        self._tilemap = terrain.tilemap
        marks = frame(terrain.tilemap.grid, self.color)
        self._geometry = self.np.attach_new_node(make_geom_node(self.name, marks))
        self.listen(terrain.tile_hovered, self._hover)

    def _exit_tree(self) -> None:
        self._tilemap = None
        self._geometry.remove_node()

    def _process(self, dt_s: float) -> None:
        if self._tilemap is None or self._cell is None:
            return
        if not is_there(self._tilemap, self._cell):
            self.cell = None
            return
        self._place(self._tilemap, self._cell)
        self._age_s = (self._age_s + dt_s) % _PERIOD_S
        wave = math.sin(math.tau * self._age_s / _PERIOD_S)
        self._geometry.set_scale(1.0 - _PULSE * (0.5 + 0.5 * wave))

    def _hover(self, cell: Cell | None) -> None:
        self.cell = cell

    def _place(self, tilemap: TileMap, cell: Cell | None) -> None:
        if cell is None:
            self.np.hide()
            return
        x, y, z = tilemap.surface_point(cell)
        self.np.set_pos(x, y, z + _LIFT)
        self.np.show()
