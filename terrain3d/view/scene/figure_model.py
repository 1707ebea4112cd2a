"""The geometry of a figure: body, feet, and a silhouette where terrain hides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import CullBinManager, DepthTestAttrib, NodePath, RenderAttrib, Vec3

from terrain3d.mesh.figures.catalog import figure
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.light.shaders import hidden_shader

if TYPE_CHECKING:
    from terrain3d.grid.kinds import Color
    from terrain3d.look.animation import BodyPose

_HIDDEN_BIN, _BODY_BIN = "terrain3d-hidden", "terrain3d-figures"
_BINS = ((_HIDDEN_BIN, 21), (_BODY_BIN, 22))  # the ground, in "opaque", has 20
_BRIGHTER = 0.45  # part of white in the color of a silhouette, 0..1


class FigureModel:
    """The geometry of a figure; its origin is the point between the feet, +y is ahead.

    The silhouette is drawn before the figures themselves, so that its depth is compared with the
    ground only. Without shaders it is not drawn. `body` is the part that is lit and casts a shadow;
    `shape` is one of `mesh.figures.SHAPES`, `color` that of its team.
    """

    def __init__(self, parent: NodePath, shape: str, color: Color) -> None:
        _make_bins()
        self._shape = shape
        self._np = parent.attach_new_node("figure")
        self.body = self._np.attach_new_node("body")
        self.body.set_bin(_BODY_BIN, 0)
        self._hidden = NodePath("hidden")
        self._parts = self.body.attach_new_node("parts")
        self._feet: list[NodePath] = []
        self.set_color(color)

    @property
    def has_feet(self) -> bool:
        """Whether it has feet; without feet it floats."""
        return bool(self._feet)

    def set_color(self, color: Color) -> None:
        """Set the team color."""
        made = figure(self._shape, color)
        self._parts.get_children().detach()
        self._parts.attach_new_node(make_geom_node("trunk", made.body))
        self._feet = [
            self._parts.attach_new_node(make_geom_node("foot", foot)) for foot in made.feet
        ]
        self._tint(color)

    def set_action(self, action: str) -> None:
        """Begin an action of the unit; poses show it, so that there is nothing to do here."""

    def set_pose(self, pose: BodyPose) -> None:
        """Move the body and the feet."""
        self._np.set_z(pose.lift)
        self._np.set_hpr(0.0, -pose.lean_deg, pose.sway_deg)
        self._np.set_scale(pose.width, pose.width, pose.height)
        for foot, (ahead, up) in zip(self._feet, (pose.left, pose.right), strict=False):
            foot.set_pos(0.0, ahead, up)

    def show_hidden(self, glsl: int) -> None:
        """Draw the silhouette where terrain hides the figure; `glsl` is 120 or 150."""
        hidden = self._hidden
        hidden.reparent_to(self._np)
        hidden.set_shader(hidden_shader(glsl))
        hidden.set_attrib(DepthTestAttrib.make(RenderAttrib.M_greater))
        hidden.set_depth_write(False)
        hidden.set_bin(_HIDDEN_BIN, 0)
        self._parts.instance_to(hidden)

    def hide_hidden(self) -> None:
        """Stop drawing the silhouette."""
        self._hidden.get_children().detach()
        self._hidden.detach_node()

    def _tint(self, color: Color) -> None:
        """Set the team's color of the silhouette."""
        tint = Vec3(*(part + (1 - part) * _BRIGHTER for part in color))
        self._hidden.set_shader_input("tint", tint)


def _make_bins() -> None:
    bins = CullBinManager.get_global_ptr()
    for name, sort in _BINS:
        if bins.find_bin(name) < 0:
            bins.add_bin(name, CullBinManager.BT_state_sorted, sort)
