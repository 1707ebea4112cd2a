"""Mark tiles, paths and trails on a terrain, each by a mesh of the map and of what is marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from panda3d.core import NodePath

from terrain3d.core.checks import finite_points, listed, true_or_false, whole_within
from terrain3d.core.signals import export
from terrain3d.core.translation import tr_n
from terrain3d.grid.grid import Cell, CellLike, as_cell
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import crumbs
from terrain3d.mesh.overlays.region import ICONS, region
from terrain3d.mesh.overlays.ribbon import ribbon, step_midpoints
from terrain3d.view.geometry import pattern_texture, redrawn, set_unlit, show_through
from terrain3d.view.scene.labels_3d import Labels3D, checked_texts
from terrain3d.view.scene.terrain_3d import Terrain3D, terrain_above
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from terrain3d.map.tilemap import TileMap


class Mark3D(Node3D):
    """Draws a mark on the map; a child of Terrain3D.

    A subclass passes what is marked to `_mark`, and returns the mesh of it from `_mesh`, in the
    coordinates of its `np`. The mesh is made again when what is marked, an exported property or the
    map changes.
    """

    _sort = 10
    """Marks of a higher number are drawn over others."""
    _hidden_alpha = 0.0
    """Opacity of what the ground hides."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._marked: tuple[Any, ...] = ()
        self._built: tuple[object, ...] = ()
        self._exported = tuple(self.exports)
        self._terrain: Terrain3D | None = None
        self._geometry = NodePath(self.name)

    def _mark(self, *marked: object) -> None:
        """Mark something else; nothing without arguments."""
        self._marked = marked
        self._draw()

    def _check(self, *cells: Cell) -> None:
        """Raise `IndexError` for a cell that is not on the map; outside a tree any may be."""
        if self._terrain is not None:
            for cell in cells:
                self._terrain.tilemap.cell(cell)

    def _mesh(self, tilemap: TileMap) -> MeshData:
        """Return the mesh of what is marked."""
        raise NotImplementedError

    def _label(self, tilemap: TileMap) -> None:
        """Show the texts of what is marked, if there are any."""

    def _enter_tree(self) -> None:
        self._terrain = terrain_above(self)
        self._built = ()  # colors may be others on this terrain
        self._draw()

    def _exit_tree(self) -> None:
        self._terrain = None

    def _process(self, _dt_s: float) -> None:
        if self._marked:
            self._draw()

    def _draw(self) -> None:
        """Draw what is marked, unless it is drawn already."""
        if self._terrain is None:
            return
        tilemap, values = self._terrain.tilemap, vars(self)
        wanted = tilemap.version, self._marked, *map(values.get, self._exported)
        if wanted == self._built:
            return
        self._built = wanted
        self._label(tilemap)
        if not self._marked:
            self._geometry.remove_node()
            return
        self._geometry = redrawn(self._geometry, self.np, self.name, self._mesh(tilemap))
        set_unlit(self._geometry, self._sort)
        if self._hidden_alpha:
            show_through(self._geometry, self._sort, self._hidden_alpha)


class TileOverlay3D(Mark3D):
    """Marks a set of cells; a child of Terrain3D.

    Cells on decks that edits have removed are not drawn.

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
        self._labels = self.add_child(Labels3D("labels"))
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
        texts = checked_texts("labels", labels)
        if texts and len(texts) != len(wanted):
            raise ValueError(f"got {len(wanted)} cells and {len(texts)} labels")
        self._check(*wanted)
        self._cells, self._texts = wanted, dict(zip(wanted, texts, strict=False))
        self._mark(*wanted, *texts)

    def clear(self) -> None:
        """Mark no cells."""
        self.show(())

    def _enter_tree(self) -> None:
        self._terrain = terrain_above(self)
        self._check(*self._cells)
        super()._enter_tree()

    def _there(self, tilemap: TileMap) -> list[Cell]:
        return [cell for cell in self._cells if tilemap.has_cell(cell)]

    def _mesh(self, tilemap: TileMap) -> MeshData:
        return region(
            tilemap,
            self._there(tilemap),
            self.color,
            includes_void=self.includes_void,
            is_dashed=self.is_dashed,
            is_hatched=self.is_hatched,
            icon=self.icon,
        )

    def _label(self, tilemap: TileMap) -> None:
        there = self._there(tilemap) if self.shows_labels else ()
        shown = {cell: text for cell in there if (text := self._texts.get(cell))}
        self._labels.show([tilemap.surface_point(cell) for cell in shown], [*shown.values()])


class PathRibbon3D(Mark3D):
    """Shows one path; a child of Terrain3D.

    The points do not follow edits of the map: show the path again after an edit.

    Examples
    --------
    ::

        points = [tilemap.surface_point(cell) for cell in path.cells]
        ribbon.show(points, labels=[f"+{step.cost:g}" for step in path.steps])
    """

    _hidden_alpha = 0.22
    color = export(
        PAINTED.path,
        range=(0.0, 1.0),
        doc="color of a path that can be walked: red, green and blue in 0..1",
    )
    refused_color = export(
        PAINTED.refused, range=(0.0, 1.0), doc="color of a refused path, which is also dashed"
    )
    width = export(
        1.0, range=(0.1, 3.0), doc="factor on its usual width; wider than 1 it lies under others"
    )
    raised = export(0.0, range=(-10.0, 10.0), doc="shift of its labels up, in heights of a line")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._points = np.zeros((0, 3))
        self._is_refused, self._turn_ends = False, tuple[int, ...]()
        self._labels = self.add_child(Labels3D("labels"))
        self._labels.size, self._labels.lift = 0.36, 0.12
        self._turns = self.add_child(Labels3D("turns"))
        self._turns.raised, self._turns.no_depth_test = 0.9, True

    @property
    def is_refused(self) -> bool:
        """Whether the path is shown as refused."""
        return self._is_refused

    @property
    def turn_ends(self) -> tuple[int, ...]:
        """The numbers of the points where a turn ends."""
        return self._turn_ends

    @property
    def labels(self) -> tuple[str, ...]:
        """The texts at its steps."""
        return self._labels.texts

    def show(
        self,
        points: ArrayLike,
        *,
        is_refused: bool = False,
        labels: Sequence[str] = (),
        turn_ends: Sequence[int] = (),
    ) -> None:
        """Replace the path.

        Parameters
        ----------
        points : (n, 3), in the map's coordinates
            The centers of the tops of its tiles.
        is_refused : bool
            Whether it is dashed, in the other color, with a cross at the goal.
        labels : sequence of str
            A short text for each step, such as its cost, or none; see `Labels3D`.
        turn_ends : sequence of int
            Numbers of the points where a turn ends: each has a ring, and after the first the number
            of turns; the path is dashed after the first of them.

        Raises
        ------
        ValueError
            The shape of the points is wrong, the numbers of labels and steps differ, or a turn ends
            at none of the points.
        """
        path, texts = finite_points("points", points), checked_texts("labels", labels)
        ends = tuple(
            whole_within("turn_ends", end, 0, len(path) - 1)
            for end in listed("turn_ends", turn_ends)
        )
        is_refused = true_or_false("is_refused", is_refused)
        self._labels.show(step_midpoints(path) if texts else (), texts)
        marked = {
            end: tr_n("{n} turn", "{n} turns", number)
            for number, end in enumerate(ends, 1)
            if end and number > 1
        }
        self._turns.show(path[[*marked]], [*marked.values()])
        self._points, self._is_refused, self._turn_ends = path, is_refused, ends
        self._mark(*([path.tobytes(), is_refused, ends] if len(path) else ()))

    def clear(self) -> None:
        """Show no path."""
        self.show(np.zeros((0, 3)))

    def _mesh(self, _tilemap: TileMap) -> MeshData:
        color = red, green, blue = self.refused_color if self._is_refused else self.color
        self._labels.color = (0.5 + 0.5 * red, 0.5 + 0.5 * green, 0.5 + 0.5 * blue)
        self._labels.raised = self.raised
        self._sort = 18 if self.width > 1.0 else 20
        return ribbon(
            self._points,
            color,
            is_refused=self._is_refused,
            turn_ends=self._turn_ends,
            width=self.width,
        )


class Crumbs3D(Mark3D):
    """Shows a trail as crumbs; a child of Terrain3D.

    Crumbs on decks that edits have removed are not drawn.

    Examples
    --------
    ::

        trail = Trail()
        unit.step_finished.connect(trail.drop)
        ...
        marks.show(crumb.cell for crumb in trail)
    """

    _sort = 15
    color = export(PAINTED.path, range=(0.0, 1.0), doc="red, green and blue in 0..1")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the crumbs, the newest first."""
        return self._marked

    def show(self, cells: Iterable[CellLike]) -> None:
        """Replace the crumbs; `cells` are ordered from the newest."""
        self._mark(*(as_cell(cell) for cell in listed("cells", cells)))

    def _mesh(self, tilemap: TileMap) -> MeshData:
        there = [cell for cell in self._marked if tilemap.has_cell(cell)]
        return crumbs([tilemap.surface_point(cell) for cell in there], self.color)
