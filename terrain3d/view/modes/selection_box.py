"""A box drawn on the window, to select everything in it."""

from __future__ import annotations

import numpy as np
from panda3d.core import NodePath

from terrain3d.core.exports import export
from terrain3d.core.signals import Signal
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, quads
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.unlit import set_unlit
from terrain3d.view.window.panda_tree import WindowNode

KEYS = (("Ctrl + left drag", "select several units with a box"),)
"""(keys, what they do): the row that help texts show."""

_SORT = 30
_FILL_ALPHA = 0.16
_LINE = 0.006  # in half window heights
_LEAST = 0.02  # of a side
_MODIFIER, _BUTTON = "control", "left"

Point = tuple[float, float]


class SelectionBox(WindowNode):
    """Lets a player draw a box with Ctrl and the left button.

    Examples
    --------
    ::

        box = tree.root.add_child(SelectionBox())
        box.drawn.connect(lambda low, high: print("from", low, "to", high))
    """

    drawn = Signal("low", "high")
    """A box was drawn: its lower left and upper right corner, (x, y) in -1..1."""

    color = export(
        (0.95, 0.97, 1.0), range=(0.0, 1.0), doc="color of its line: red, green and blue in 0..1"
    )
    is_enabled = export(True, doc="whether a box can be drawn")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._start: Point | None = None
        self._np = NodePath(self.name)

    def _enter_tree(self) -> None:
        pointer = self.panda.pointer
        self._np.reparent_to(self.panda.base.render2d)
        self.listen(pointer.pressed, self._press)
        self.listen(pointer.moved, self._move)
        self.listen(pointer.released, self._release)
        self.listen(pointer.focus_lost, self._cancel)

    def _exit_tree(self) -> None:
        self._cancel()
        self._np.detach_node()

    def _press(self, button: str, point: Point, modifier: str) -> None:
        if self.is_enabled and button == _BUTTON and modifier == _MODIFIER:
            self._start = point

    def _move(self, point: Point | None) -> None:
        if self._start is not None and point is not None:
            self._show(*_corners(self._start, point))

    def _release(self, button: str) -> None:
        start, end = self._start, self.panda.pointer.point
        if button != _BUTTON or start is None:
            return
        self._cancel()
        # A click may move the pointer a little.
        if end is not None and max(abs(end[0] - start[0]), abs(end[1] - start[1])) > _LEAST:
            self.drawn.emit(*_corners(start, end))

    def _cancel(self) -> None:
        self._start = None
        self._np.get_children().detach()

    def _show(self, low: Point, high: Point) -> None:
        """Draw a faint area with a light line in a dark one, visible on any ground."""
        across, up = _LINE / self.panda.base.get_aspect_ratio(), _LINE
        plate = quads(_rectangle(low, high)[None], self.color, _FILL_ALPHA)
        frames = []
        for color, width in ((DARK, 2.0), (self.color, 1.0)):
            (left, bottom), (right, top) = low, high
            dx, dy = across * width, up * width
            sides = [
                ((left - dx, bottom - dy), (right + dx, bottom)),
                ((left - dx, top), (right + dx, top + dy)),
                ((left - dx, bottom), (left, top)),
                ((right, bottom), (right + dx, top)),
            ]
            frames.append(quads(np.stack([_rectangle(*side) for side in sides]), color, 0.9))
        self._np.get_children().detach()
        part = self._np.attach_new_node(make_geom_node(self.name, joined([plate, *frames])))
        set_unlit(part, _SORT)
        part.set_two_sided(True)


def _rectangle(low: Point, high: Point) -> np.ndarray:
    """(4, 3) corners of a rectangle in the plane of the window, where y points into it."""
    (left, bottom), (right, top) = low, high
    return np.array(
        [(left, 0.0, bottom), (right, 0.0, bottom), (right, 0.0, top), (left, 0.0, top)]
    )


def _corners(start: Point, end: Point) -> tuple[Point, Point]:
    (ax, ay), (bx, by) = start, end
    return (min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by))
