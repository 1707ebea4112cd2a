"""A tag above a unit: a label, and from far away a marker in the shape of its team."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import DynamicTextFont, LMatrix4, NodePath, TextNode

from terrain3d.look.layout import Boxes, clear_of
from terrain3d.mesh.figures.feet import plate_mesh
from terrain3d.view.geometry.font import make_font
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.screen_projection import ScreenProjection
from terrain3d.view.geometry.unlit import set_unlit

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase

    from terrain3d.grid.kinds import Color

_ABOVE_FEET = 1.2
_FAR_PART = 1 / 14
"""A figure that is smaller than this part of the picture's height has a marker."""
_TEXT_PART, _LEAST_TEXT_PX = 1 / 42, 12.0
_MARKER_SIZE, _TIP = 1.6, 0.62  # in heights of the text, for the mesh of 0.62
_MARGIN = 0.35, 0.35, 0.12, 0.12
_PLATE_COLOR = (0.055, 0.065, 0.09, 0.82)
_SORT = 50


class UnitTag:
    """A label and a marker above a unit, of the same size on screen at any distance."""

    label_rank = 0

    def __init__(self, parent: NodePath) -> None:
        self._np = parent.attach_new_node("tag")
        self._np.set_z(_ABOVE_FEET)
        self._np.set_billboard_point_eye()
        set_unlit(self._np, _SORT)
        self._np.set_depth_test(False)
        self._marker = NodePath("marker")
        self._text = TextNode("label")
        self._text.set_align(TextNode.A_center)
        self._text.set_card_as_margin(*_MARGIN)
        self._text.set_card_color(*_PLATE_COLOR)
        self._text.set_bin("fixed")
        self._text.set_draw_order(_SORT + 1)
        self._label = self._np.attach_new_node(self._text)
        self._seen: tuple[object, ...] = ()
        self._taken = np.zeros((0, 4))

    @property
    def label(self) -> str:
        """The text; "" for none."""
        return self._text.get_text()

    @label.setter
    def label(self, label: str) -> None:
        if label != self.label:
            self._text.set_font(_font())
            self._text.set_text(label)

    def set_team(self, color: Color, shape: tuple[int, float]) -> None:
        """Set the color and the shape of the marker, as `plate_mesh` takes them."""
        self._marker.remove_node()
        self._marker = self._np.attach_new_node(make_geom_node("marker", plate_mesh(color, shape)))
        self._marker.set_hpr(0.0, -90.0, 0.0)  # upright, with its tip down
        self._marker.set_scale(_MARKER_SIZE)
        self._marker.set_z(_MARKER_SIZE * _TIP)

    def place(self, base: ShowBase, taken: Boxes) -> Boxes:
        """Adapt to the camera, with the label inside the window; see `LabelLike`."""
        view = LMatrix4(self._np.get_parent().get_mat(base.cam))
        window = base.win.get_x_size(), base.win.get_y_size(), base.camLens.get_vfov()
        seen = view, window, self.label, self._marker, taken.tobytes()
        if seen != self._seen:
            self._seen, self._taken = seen, self._place(base, taken)
        return self._taken

    def _place(self, base: ShowBase, taken: Boxes) -> Boxes:
        height_px = base.win.get_y_size()
        depth = self._np.get_parent().get_y(base.cam)
        slope = math.tan(math.radians(base.camLens.get_vfov()) / 2)
        tile_px = height_px / (2.0 * slope * max(depth, base.camLens.get_near()))
        is_far = tile_px * _ABOVE_FEET < height_px * _FAR_PART
        self._marker.show() if is_far else self._marker.hide()
        self._np.set_scale(max(_LEAST_TEXT_PX, height_px * _TEXT_PART) / tile_px)
        up = 2.0 * _MARKER_SIZE * _TIP + 0.2 if is_far else 0.35
        self._label.hide()
        projection, middle = ScreenProjection.of(base, self._np), np.zeros((1, 3))
        if not self.label or not projection.is_seen(middle)[0]:
            return taken
        px = projection.unit_px(middle)[0]
        left, right, bottom, top = self._text.get_card_actual()
        size = np.array([right - left, top - bottom]) * px
        wanted = projection.in_window(middle)[0] + (left * px, -(up + top) * px)
        corner = np.clip(wanted, 0.0, np.maximum(projection.window - size, 0.0))
        box = np.array([[*corner, *size]])
        if not clear_of(box, taken)[0]:
            return taken
        right_by, down_by = ((corner - wanted) / px).tolist()
        self._label.set_pos(right_by, 0.0, up - down_by)
        self._label.show()
        return np.concatenate([taken, box])


@cache
def _font() -> DynamicTextFont:
    return make_font(32)
