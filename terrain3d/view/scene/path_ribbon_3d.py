"""Draw a path on the map, or crumbs along a trail."""

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
from terrain3d.mesh.overlays.flat_shapes import crumbs
from terrain3d.mesh.overlays.ribbon import ribbon, step_midpoints
from terrain3d.view.geometry import redrawn, set_unlit, show_through
from terrain3d.view.scene.labels_3d import Labels3D, checked_texts
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


_SORT = 20
_HIDDEN_ALPHA = 0.22


class PathRibbon3D(Node3D):
    """Shows one path; a child of Terrain3D.

    The points do not follow edits of the map: show the path again after an edit.

    Examples
    --------
    ::

        points = [tilemap.surface_point(cell) for cell in path.cells]
        ribbon.show(points, labels=[f"+{step.cost:g}" for step in path.steps])
    """

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
        self._style: dict[str, Any] = {"is_refused": False, "turn_ends": ()}
        self._built: tuple[object, ...] = ()
        self._geometry = NodePath(name)
        self._labels = self.add_child(Labels3D("labels"))
        self._labels.size, self._labels.lift = 0.36, 0.12
        self._turns = self.add_child(Labels3D("turns"))
        self._turns.raised, self._turns.no_depth_test = 0.9, True

    @property
    def is_refused(self) -> bool:
        """Whether the path is shown as refused."""
        return bool(self._style["is_refused"])

    @property
    def turn_ends(self) -> tuple[int, ...]:
        """The numbers of the points where a turn ends."""
        return tuple(self._style["turn_ends"])

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
            Numbers of the points where a turn ends: each has a ring, and of several the number of
            turns; the path is dashed after the first of them.

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
        style = {"is_refused": true_or_false("is_refused", is_refused), "turn_ends": ends}
        self._labels.show(step_midpoints(path) if texts else (), texts)
        marked = {
            end: tr_n("{n} turn", "{n} turns", number)
            for number, end in enumerate(ends, 1)
            if end and len(ends) > 1
        }
        self._turns.show(path[[*marked]], [*marked.values()])
        if style != self._style or not np.array_equal(path, self._points):
            self._style, self._points, self._built = style, path, ()
        self._build()

    def clear(self) -> None:
        """Show no path."""
        self.show(np.zeros((0, 3)))

    def _enter_tree(self) -> None:
        self._built = ()  # colors may be others on this terrain

    def _process(self, _dt_s: float) -> None:
        self._build()

    def _build(self) -> None:
        """Build the geometry, unless it already shows this path in its color."""
        color = self.refused_color if self.is_refused else self.color
        wanted = color, self.width, self.raised
        if wanted == self._built:
            return
        self._built = wanted
        red, green, blue = color
        self._labels.color = (0.5 + 0.5 * red, 0.5 + 0.5 * green, 0.5 + 0.5 * blue)
        self._labels.raised = self.raised
        marks = ribbon(self._points, color=color, width=self.width, **self._style)
        self._geometry = redrawn(self._geometry, self.np, self.name, marks)
        sort = _SORT - 2 * (self.width > 1.0)
        set_unlit(self._geometry, sort)
        show_through(self._geometry, sort, _HIDDEN_ALPHA)


_CRUMBS_SORT = 15


class Crumbs3D(Node3D):
    """Shows a trail as crumbs; a child of Terrain3D.

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
        set_unlit(self.np, _CRUMBS_SORT)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the crumbs, the newest first."""
        return self._cells

    def show(self, cells: Iterable[CellLike]) -> None:
        """Replace the crumbs; `cells` are ordered from the newest."""
        self._cells = tuple(as_cell(cell) for cell in listed("cells", cells))

    def _enter_tree(self) -> None:
        terrain_above(self)  # refuse to be elsewhere at once

    def _process(self, _dt_s: float) -> None:
        tilemap = terrain_above(self).tilemap
        wanted = (tilemap, tilemap.version, self._cells, self.color)
        if wanted != self._built:
            points = [tilemap.surface_point(cell) for cell in self._cells if tilemap.has_cell(cell)]
            marks = crumbs(points, self.color)
            self._geometry = redrawn(self._geometry, self.np, self.name, marks)
            self._built = wanted
