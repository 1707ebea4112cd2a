"""Crumbs on the ground along the trail of a unit."""

from __future__ import annotations

from collections.abc import Iterable

from panda3d.core import NodePath

from terrain3d.core.checks import listed
from terrain3d.core.exports import export
from terrain3d.grid.grid import Cell, CellLike, as_cell
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays.crumbs import crumbs
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.unlit import set_unlit
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D

_SORT = 15


class Crumbs3D(Node3D):
    """Shows the trail of a unit as crumbs; a child of Terrain3D.

    After an edit, a crumb on a deck that no longer exists is not shown.

    Examples
    --------
    ::

        trail = Trail()
        unit.step_finished.connect(trail.drop)
        ...
        marks.show(crumb.cell for crumb in trail)
    """

    color = export(PAINTED.path, range=(0.0, 1.0), doc="red, green and blue in 0..1")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._cells: tuple[Cell, ...] = ()
        self._built: tuple[object, ...] = ()
        self._geometry = NodePath(self.name)
        set_unlit(self.np, _SORT)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the crumbs, the newest first."""
        return self._cells

    def show(self, cells: Iterable[CellLike]) -> None:
        """Replace the crumbs; `cells` are ordered from the newest."""
        self._cells = tuple(as_cell(cell) for cell in listed("cells", cells))

    def _enter_tree(self) -> None:
        terrain_above(self)  # refuse to be elsewhere at once

    def _exit_tree(self) -> None:
        self._built = ()
        self._geometry.remove_node()

    def _process(self, _dt_s: float) -> None:
        tilemap = terrain_above(self).tilemap
        wanted = (tilemap.version, self._cells, self.color)
        if wanted == self._built:
            return
        points = [tilemap.surface_point(cell) for cell in self._cells if tilemap.has_cell(cell)]
        self._geometry.remove_node()
        node = make_geom_node(self.name, crumbs(points, self.color))
        self._geometry = self.np.attach_new_node(node)
        self._built = wanted
