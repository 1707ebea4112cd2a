"""The shadow of the whole map below it, drawn between the sky and the map."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from panda3d.core import NodePath, TransparencyAttrib

from terrain3d.mesh.ground.ground_shadow import floor_mesh
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.unlit import set_backdrop
from terrain3d.view.light.shaders import glsl_version
from terrain3d.view.light.shadow_map import CASTER_MASK
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.look.orbit import Point

_SORT = -50
_APART = 4  # in depth steps; greater than the depth error within a floor
_SHIFT = 0.5  # shift away from the sun, in world units


class FloorShadow(Node3D):
    """Shows a dark area below the map that fades outward."""

    def __init__(self) -> None:
        super().__init__("FloorShadow")
        self._place = 0
        set_backdrop(self.np, _SORT)
        self.np.set_transparency(TransparencyAttrib.M_alpha)
        self.np.hide(CASTER_MASK)
        self._spot = NodePath("spot")

    def _enter_tree(self) -> None:
        if glsl_version(self.panda.base.win):
            return
        # The renderer without shaders draws pixels on the edge of two triangles twice, which is
        # visible unless the depth test rejects the second. Overlapping floors then need an order.
        others = (node for node in self.tree.root.walk() if isinstance(node, FloorShadow))
        taken = {other._place for other in others if other is not self}
        self._place = next(place for place in count() if place not in taken)
        self.np.set_bin("background", _SORT + self._place)
        self.np.set_depth_offset(_APART * self._place)
        self.np.set_depth_test(True)
        self.np.set_depth_write(True)

    def fit(self, low: Point, high: Point) -> None:
        """Place it below the box with these corners."""
        self._spot.remove_node()
        mesh = floor_mesh(low[:2], high[:2], low[2])
        self._spot = self.np.attach_new_node(make_geom_node("spot", mesh))

    def turn_from(self, sun: Point) -> None:
        """Shift it a little away from the sun."""
        x, y, z = sun
        self.np.set_pos(-_SHIFT * x / z, -_SHIFT * y / z, 0.0)
