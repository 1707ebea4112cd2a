"""The tile under the pointer, in a bright frame that breathes."""

from __future__ import annotations

import math

from panda3d.core import NodePath

from terrain3d.grid import Cell, CellLike, Rect
from terrain3d.marks import Color, frame
from terrain3d.scene import export
from terrain3d.signals import Signal
from terrain3d.view.overlay import landscape_above
from terrain3d.view.tree import Node3D
from terrain3d.view.unlit import geom_node, set_unlit

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
        self._age_s = 0.0
        self._hovered: Signal | None = None
        self._changed: Signal | None = None
        self._geometry = NodePath(name)
        set_unlit(self.np, _SORT)
        self.np.hide()

    @property
    def cell(self) -> Cell | None:
        """The cell that is shown, or None."""
        return self._cell

    @cell.setter
    def cell(self, value: CellLike | None) -> None:
        if value is None:
            self._cell = None
            self.np.hide()
            return
        x, y, z = landscape_above(self).tilemap.surface_point(value)
        self._cell = Cell(*value)
        self.np.set_pos(x, y, z + _LIFT)
        self.np.show()

    def _enter_tree(self) -> None:
        terrain = landscape_above(self)
        self._geometry = self.np.attach_new_node(geom_node(self.name, frame(self.color)))
        self._changed = terrain.tilemap.changed
        self._changed.connect(self._follow_edit)
        hovered = getattr(terrain, "tile_hovered", None)
        if isinstance(hovered, Signal):
            self._hovered = hovered
            hovered.connect(self._hover)

    def _exit_tree(self) -> None:
        if self._hovered is not None:
            self._hovered.disconnect(self._hover)
        if self._changed is not None:
            self._changed.disconnect(self._follow_edit)
        self._hovered = self._changed = None
        self._geometry.remove_node()

    def _process(self, dt_s: float) -> None:
        if self._cell is not None:
            self._age_s = (self._age_s + dt_s) % _PERIOD_S
            self._geometry.set_scale(
                1.0 - _PULSE * (0.5 + 0.5 * math.sin(2.0 * math.pi * self._age_s / _PERIOD_S))
            )

    def _hover(self, cell: Cell | None) -> None:
        self.cell = cell

    def _follow_edit(self, rect: Rect) -> None:
        del rect
        self.cell = self._cell
