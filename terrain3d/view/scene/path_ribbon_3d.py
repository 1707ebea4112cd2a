"""A path on the map, drawn over the ground, and faintly through terrain in front of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import NodePath

from terrain3d.core.checks import finite_points, true_or_false
from terrain3d.core.exports import export
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays import ribbon, step_midpoints
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.unlit import set_unlit, show_through
from terrain3d.view.scene.labels_3d import Labels3D, checked_texts
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

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

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._points = np.zeros((0, 3))
        self._is_refused = False
        self._built_color = self.color
        self._geometry = NodePath(name)
        self._labels = self.add_child(Labels3D("labels"))
        self._labels.size, self._labels.lift = 0.36, 0.12

    @property
    def is_refused(self) -> bool:
        """Whether the path is shown as refused."""
        return self._is_refused

    @property
    def labels(self) -> tuple[str, ...]:
        """The texts at its steps."""
        return self._labels.texts

    def show(
        self, points: ArrayLike, *, is_refused: bool = False, labels: Sequence[str] = ()
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

        Raises
        ------
        ValueError
            The shape of the points is wrong, or the numbers of labels and steps differ.
        """
        path, texts = finite_points("points", points), checked_texts("labels", labels)
        is_refused = true_or_false("is_refused", is_refused)
        self._labels.show(step_midpoints(path) if texts else (), texts)
        self._build(path, is_refused)

    def clear(self) -> None:
        """Show no path."""
        self.show(np.zeros((0, 3)))

    def _process(self, _dt_s: float) -> None:
        self._build(self._points, self._is_refused)

    def _build(self, points: NDArray[np.float64], is_refused: bool) -> None:
        """Build the geometry, unless it already shows this path in its color."""
        color = self.refused_color if is_refused else self.color
        red, green, blue = color
        self._labels.color = (0.5 + 0.5 * red, 0.5 + 0.5 * green, 0.5 + 0.5 * blue)
        same = is_refused == self._is_refused and color == self._built_color
        if same and np.array_equal(points, self._points):
            return
        marks = ribbon(points, color, is_refused=is_refused)
        self._points, self._is_refused, self._built_color = points, is_refused, color
        self._geometry.remove_node()
        self._geometry = self.np.attach_new_node(make_geom_node(self.name, marks))
        set_unlit(self._geometry, _SORT)
        show_through(self._geometry, _SORT, _HIDDEN_ALPHA)
