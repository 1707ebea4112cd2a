"""The scene twice in one window, side by side, each half with marks of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import BitMask32, Camera, NodePath

from terrain3d.mesh.overlays.flat_shapes import DARK, quads
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.screen_projection import LEFT, RIGHT

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase

_MASKS = BitMask32.bit(20), BitMask32.bit(21)
_LINE = 0.004  # of the window's width


class SplitView:
    """Draws the scene in the left and in the right half of the window until it is closed.

    Both halves show the same view; its aspect is that of a half. The marks `left` and `right` are
    drawn in one of them alone.
    """

    def __init__(self, base: ShowBase, left: NodePath, right: NodePath) -> None:
        self._base = base
        self._region = base.camNode.get_display_region(0)
        self._mask_before = base.camNode.get_camera_mask()
        second = Camera("right half", base.camLens)
        self._second = base.cam.attach_new_node(second)
        self._second_region = base.win.make_display_region(*_dimensions(RIGHT))
        self._second_region.set_sort(self._region.get_sort())
        self._second_region.set_camera(self._second)
        self._region.set_dimensions(*_dimensions(LEFT))
        base.camNode.set_camera_mask(_MASKS[0])
        second.set_camera_mask(_MASKS[1])
        left.hide(_MASKS[1])
        right.hide(_MASKS[0])
        outline = [[(-_LINE, 0, -1), (_LINE, 0, -1), (_LINE, 0, 1), (-_LINE, 0, 1)]]
        node = make_geom_node("between", quads(np.array(outline, np.float64), DARK))
        self._line = base.render2d.attach_new_node(node)
        self.update(is_line_shown=True)

    def update(self, *, is_line_shown: bool) -> None:
        """Follow the size of the window, and show or hide the line; called once a frame."""
        self._set_aspect(0.5)
        if is_line_shown:
            self._line.show()
        else:
            self._line.hide()

    def close(self) -> None:
        """Show the scene once, in the whole window."""
        base = self._base
        base.win.remove_display_region(self._second_region)
        self._second.remove_node()
        self._line.remove_node()
        self._region.set_dimensions(0.0, 1.0, 0.0, 1.0)
        base.camNode.set_camera_mask(self._mask_before)
        self._set_aspect(1.0)

    def _set_aspect(self, share: float) -> None:
        wanted = self._base.get_aspect_ratio() * share
        if self._base.camLens.get_aspect_ratio() != wanted:
            self._base.camLens.set_aspect_ratio(wanted)


def _dimensions(part: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of a part of the window, in 0..1."""
    start, share = part
    return start, start + share, 0.0, 1.0
