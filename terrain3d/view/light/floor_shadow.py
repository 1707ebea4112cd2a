"""The soft shadow of the whole map on the floor below it, drawn between the sky and the map."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import NodePath, TransparencyAttrib

from terrain3d.mesh.data import MeshData
from terrain3d.mesh.solids import flat_rings
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.textures import set_backdrop
from terrain3d.view.light.shader_light import CASTER_MASK
from terrain3d.view.light.shaders import glsl_version
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.look.orbit import Point


_SPOKES = 64
_SPREAD = 0.16  # of the map's longer side
_DARK = 0.42
_RINGS = np.linspace(0.0, 1.0, 9)


def floor_mesh(low: tuple[float, float], high: tuple[float, float], z: float) -> MeshData:
    """Return a flat, dark spot under a rectangle; it fades outward from the edges."""
    middle = (np.array(low) + high) / 2.0
    half = (np.array(high) - low) / 2.0
    reach = _SPREAD * 2.0 * half.max()
    around = np.linspace(0.0, 2.0 * np.pi, _SPOKES, endpoint=False) + np.pi / 4.0
    out = np.stack([np.cos(around), np.sin(around)], axis=1)
    # Each spoke starts slightly inside the corner of its quadrant, so that corners are round.
    corner = np.where(np.abs(out) < 1e-9, 0.0, np.sign(out)) * np.maximum(half - 0.35 * reach, 0.0)
    points = corner[:, None] + out[:, None] * reach * _RINGS[:, None] * 1.35
    positions = np.zeros((_SPOKES, len(_RINGS) + 1, 3), dtype=np.float32)
    positions[:, 1:, :2] = points + middle
    positions[:, 0, :2] = middle
    positions[..., 2] = z
    colors = np.zeros((len(_RINGS) + 1, 4), dtype=np.uint8)
    fade = (1.0 - _RINGS) ** 2 * (1.0 + 2.0 * _RINGS)
    colors[:, 3] = np.round(255 * _DARK * np.concatenate([[1.0], fade]))
    return flat_rings(positions, colors)


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
