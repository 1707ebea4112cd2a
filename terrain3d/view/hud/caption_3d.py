"""Lines of text over a box in the scene, equally large at any distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from panda3d.core import NodePath, TransparencyAttrib

from terrain3d.core.exports import export
from terrain3d.look.layout import Box, move_clear
from terrain3d.look.orbit import Point
from terrain3d.view.geometry.screen_projection import WHOLE, ScreenProjection
from terrain3d.view.hud.panel import Panel, fit_to_pixels
from terrain3d.view.window.panda_tree import Node3D


class Caption3D(Node3D):
    """Shows lines over a box of the map, inside the window and clear of all panels.

    `box` is the lowest and the highest corner of the box, in the coordinates of the parent node.
    """

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the text")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.box: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self.part = WHOLE
        """The part of the window that it stays in."""
        self._window = NodePath(self.name)
        self._window.set_bin("fixed", 0)
        self._window.set_transparency(TransparencyAttrib.M_alpha)
        self._panel = Panel(self._window, "caption")
        self._lines: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines shown; without lines, and while the help is open, the caption is hidden."""
        return self._lines

    def show(self, lines: Sequence[str]) -> None:
        """Replace the lines; the first is brighter than the others."""
        self._lines = tuple(lines)

    def _enter_tree(self) -> None:
        self._window.reparent_to(self.panda.base.render2d)

    def _exit_tree(self) -> None:
        self._window.detach_node()

    def _freed(self) -> None:
        self._window.remove_node()
        super()._freed()

    def _process(self, _dt_s: float) -> None:
        projection = ScreenProjection.of(self.panda.base, self.np, self.part)
        width, height = projection.window
        letters = fit_to_pixels(self._window, projection.window, self.text_scale)
        lines = () if self.panda.is_help_open else self._lines
        self._panel.write(letters, ["\n".join(lines)], has_heading=True)
        corners = np.array(np.meshgrid(*zip(*self.box, strict=True))).reshape(3, -1).T
        seen = projection.in_window(corners)
        (west, top), (east, _) = seen.min(axis=0).tolist(), seen.max(axis=0).tolist()
        wide, high = self._panel.size
        start, share = self.part[0] * width, self.part[1] * width
        wanted = Box((west + east - wide) / 2 - start, top - high, wide, high)
        taken = [
            box._replace(left=box.left - start)
            for overlay in self.panda.pointer.overlays
            for box in overlay.boxes
        ]
        place = move_clear(wanted, taken, (share, height), letters.size_px)
        self._panel.place(start + place.left, place.top)
