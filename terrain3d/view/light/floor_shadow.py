"""The shadow that the whole map casts on what it stands on, drawn between the sky and the map."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from panda3d.core import NodePath, TransparencyAttrib

from terrain3d.mesh.ground.ground_shadow import floor_mesh
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.light.shaders import glsl_version
from terrain3d.view.light.shadow_casters import CASTER_MASK
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.look.orbit import Point

_SORT = -50
_APART = 4  # in steps of depth, more than it is off by within one floor
_SHIFT = 0.5  # how far it lies away from where the light comes from, in world units


class FloorShadow(Node3D):
    """A dark spot below the map that fades outwards."""

    def __init__(self) -> None:
        super().__init__("FloorShadow")
        self._place = 0
        self.np.set_bin("background", _SORT)
        self.np.set_depth_test(False)
        self.np.set_depth_write(False)
        self.np.set_light_off(1)
        self.np.set_shader_off(1)
        self.np.set_texture_off(1)
        self.np.set_transparency(TransparencyAttrib.M_alpha)
        self.np.hide(CASTER_MASK)
        self._spot = NodePath("spot")

    def _enter_tree(self) -> None:
        if glsl_version(self.panda.base.win):
            return
        # The plain renderer draws pixels on the edge of two triangles twice, which shows unless
        # depth keeps the second off. Floors that overlap then need an order among themselves.
        others = (node for node in self.tree.root.walk() if isinstance(node, FloorShadow))
        taken = {other._place for other in others if other is not self}
        self._place = next(place for place in count() if place not in taken)
        self.np.set_bin("background", _SORT + self._place)
        self.np.set_depth_offset(_APART * self._place)
        self.np.set_depth_test(True)
        self.np.set_depth_write(True)

    def fit(self, low: Point, high: Point) -> None:
        """Lie below the box with these corners."""
        self._spot.remove_node()
        mesh = floor_mesh(low[:2], high[:2], low[2])
        self._spot = self.np.attach_new_node(make_geom_node("spot", mesh))

    def turn_from(self, sun: Point) -> None:
        """Lie a little away from where the light comes from."""
        x, y, z = sun
        self.np.set_pos(-_SHIFT * x / z, -_SHIFT * y / z, 0.0)
