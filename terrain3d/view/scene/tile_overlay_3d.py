"""A set of tiles marked on the ground by a color, a border and an icon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from panda3d.core import NodePath

from terrain3d.core.checks import listed
from terrain3d.core.signals import export
from terrain3d.grid.grid import Cell, CellLike, as_cell
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays.region import ICONS, RegionStyle, region
from terrain3d.view.geometry import pattern_texture, redrawn, set_unlit
from terrain3d.view.scene.labels_3d import Labels3D, checked_texts
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.map.tilemap import TileMap

_SORT = 10


class TileOverlay3D(Node3D):
    """Marks a set of cells; a child of Terrain3D.

    After an edit, a cell on a deck that no longer exists is not shown.

    Examples
    --------
    ::

        overlay = terrain.add_child(TileOverlay3D())
        reach = nav.reach((4, 4), 5, profile)
        overlay.show(reach, [f"{reach.cost_to(cell):g}" for cell in reach])
        overlay.shows_labels = True
    """

    color = export(PAINTED.reach, range=(0.0, 1.0), doc="red, green and blue in 0..1")
    includes_void = export(
        False, doc="whether void tiles are marked too, at the height of their ground"
    )
    is_dashed = export(False, doc="whether the border is dashed, inside of where a solid one is")
    is_hatched = export(False, doc="whether the tiles are hatched, for players who mix up colors")
    icon = export("", choices=ICONS, doc="a sign on each tile")
    shows_labels = export(False, doc="whether the labels are shown")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._cells: tuple[Cell, ...] = ()
        self._texts: dict[Cell, str] = {}
        self._built: tuple[object, ...] = ()
        self._geometry = NodePath(self.name)
        self._labels = self.add_child(Labels3D("labels"))
        self._labeled: tuple[object, ...] = ()
        set_unlit(self.np, _SORT)
        self.np.set_texture(pattern_texture(), 1)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The marked cells, set by `show`."""
        return self._cells

    @property
    def labels(self) -> dict[Cell, str]:
        """The labels by cell, whether they are shown or not."""
        return dict(self._texts)

    def show(self, cells: Iterable[CellLike], labels: Sequence[str] = ()) -> None:
        """Replace the cells.

        Parameters
        ----------
        cells : iterable of cells
        labels : sequence of str
            A short text for each cell, such as its cost, or none; see `Labels3D`.

        Raises
        ------
        IndexError
            A cell is outside the map or on no deck; nothing changes.
        ValueError
            The numbers of labels and cells differ; nothing changes.
        """
        wanted = tuple(as_cell(cell) for cell in listed("cells", cells))
        labels = checked_texts("labels", labels)
        if labels and len(labels) != len(wanted):
            raise ValueError(f"got {len(wanted)} cells and {len(labels)} labels")
        if self.is_inside_tree:
            self._build(terrain_above(self).tilemap, wanted)
        self._cells, self._texts = wanted, dict(zip(wanted, labels, strict=False))

    def clear(self) -> None:
        """Mark no cells."""
        self.show(())

    def _enter_tree(self) -> None:
        self._build(terrain_above(self).tilemap, self._cells)

    def _process(self, _dt_s: float) -> None:
        if not (self._cells or self._labels.texts):
            return  # as most overlays in most frames
        tilemap = terrain_above(self).tilemap
        if self._built[:2] != (tilemap, tilemap.version):
            self._cells = tuple(cell for cell in self._cells if tilemap.has_cell(cell))
            self._texts = {cell: text for cell, text in self._texts.items() if cell in self._cells}
        self._build(tilemap, self._cells)
        wanted = tilemap.version, self._texts if self.shows_labels else {}
        if self._labeled != wanted:
            self._labeled = wanted
            shown = {cell: text for cell, text in wanted[1].items() if text}
            self._labels.show([tilemap.surface_point(cell) for cell in shown], [*shown.values()])

    def _build(self, tilemap: TileMap, cells: tuple[Cell, ...]) -> None:
        """Build the geometry, unless it already shows these cells on this map."""
        style = RegionStyle(self.is_dashed, self.is_hatched, self.icon)
        wanted = (tilemap, tilemap.version, cells, self.color, self.includes_void, style)
        if wanted != self._built:
            marks = region(tilemap, cells, self.color, self.includes_void, style)
            self._geometry = redrawn(self._geometry, self.np, self.name, marks)
            self._built = wanted
