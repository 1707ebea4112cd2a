"""A set of tiles shown on the ground, by color, by pattern and by the line around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, cast

from panda3d.core import NodePath

from terrain3d.grid import Cell, CellLike, Rect
from terrain3d.marks import Color, region
from terrain3d.scene import export
from terrain3d.view.tree import Node3D
from terrain3d.view.unlit import geom_node, pattern_texture, set_unlit

if TYPE_CHECKING:
    from terrain3d.scene import Node
    from terrain3d.tilemap import TileMap

REACH_COLOR: Color = (0.20, 0.62, 1.0)
_SORT = 10


class HasTileMap(Protocol):
    """A node that shows a map, such as Terrain3D."""

    @property
    def tilemap(self) -> TileMap:
        """The map."""


def landscape_above(node: Node) -> HasTileMap:
    """Find the nearest node above that shows a map.

    Raises
    ------
    RuntimeError
        There is none.
    """
    above = node.parent
    while above is not None:
        if hasattr(above, "tilemap"):
            return cast(HasTileMap, above)
        above = above.parent
    raise RuntimeError(f"{node!r} must hang under a Terrain3D")


class TileOverlay3D(Node3D):
    """Shows a set of cells; a child of Terrain3D.

    Examples
    --------
    ::

        overlay = terrain.add_child(TileOverlay3D())
        overlay.show(nav.reach((4, 4), 5, profile).cells)
    """

    color = export(REACH_COLOR, doc="red, green and blue in 0..1")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._cells: tuple[Cell, ...] = ()
        self._shown_color = self.color
        self._is_stale = False
        self._tilemap: TileMap | None = None
        self._geometry = NodePath(name)
        set_unlit(self.np, _SORT)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that are shown."""
        return self._cells

    def show(self, cells: Iterable[CellLike]) -> None:
        """Show these cells instead of the ones before.

        Raises
        ------
        IndexError
            A cell lies outside the map; what was shown stays.
        """
        tilemap = self._tilemap
        listed = tuple(Cell(*cell) for cell in cells)
        if tilemap is not None:
            self._build(tilemap, listed)
        self._cells = listed

    def clear(self) -> None:
        """Show no cells."""
        self.show(())

    def _enter_tree(self) -> None:
        self._tilemap = landscape_above(self).tilemap
        self._tilemap.changed.connect(self._mark_stale)
        self.np.set_texture(pattern_texture(), 1)
        self._build(self._tilemap, self._cells)

    def _exit_tree(self) -> None:
        if self._tilemap is not None:
            self._tilemap.changed.disconnect(self._mark_stale)
            self._tilemap = None
        self._geometry.remove_node()
        self.np.clear_texture()

    def _process(self, dt_s: float) -> None:
        del dt_s
        if self._tilemap is not None and (self._is_stale or self._shown_color != self.color):
            self._build(self._tilemap, self._cells)

    def _mark_stale(self, rect: Rect) -> None:
        del rect
        self._is_stale = True

    def _build(self, tilemap: TileMap, cells: tuple[Cell, ...]) -> None:
        marks = region(tilemap, cells, self.color)
        self._geometry.remove_node()
        self._geometry = self.np.attach_new_node(geom_node(self.name, marks))
        self._shown_color, self._is_stale = self.color, False
