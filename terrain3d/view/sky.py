"""The sky: warm sand below, blue above, behind everything."""

from __future__ import annotations

import math

import numpy as np
from panda3d.core import BitMask32, PerspectiveLens

from terrain3d.mesh import MeshData
from terrain3d.view.casters import CASTERS
from terrain3d.view.geom import make_geom_node
from terrain3d.view.tree import Node3D

_STOPS_DEG = (-90.0, -42.0, -32.0, -22.0, -8.0, 14.0, 60.0, 90.0)
_COLORS = np.array(
    [
        (0.86, 0.77, 0.64),
        (0.92, 0.84, 0.71),
        (0.89, 0.84, 0.77),
        (0.73, 0.79, 0.85),
        (0.61, 0.73, 0.87),
        (0.45, 0.62, 0.84),
        (0.30, 0.47, 0.73),
        (0.27, 0.43, 0.68),
    ]
)


def _dome() -> MeshData:
    """Make a sphere of radius 1 seen from inside, colored by elevation alone."""
    elevation = np.radians(np.linspace(-90.0, 90.0, 73))
    turn = np.linspace(0.0, 2.0 * np.pi, 25)
    rings, spokes = len(elevation), len(turn)
    positions = np.empty((rings, spokes, 3))
    positions[..., 0] = np.cos(elevation)[:, None] * np.cos(turn)
    positions[..., 1] = np.cos(elevation)[:, None] * np.sin(turn)
    positions[..., 2] = np.sin(elevation)[:, None]
    ring_color = np.stack(
        [np.interp(np.degrees(elevation), _STOPS_DEG, part) for part in _COLORS.T], axis=1
    )
    colors = np.broadcast_to(ring_color[:, None], positions.shape)
    first = (np.arange(rings - 1)[:, None] * spokes + np.arange(spokes - 1)).reshape(-1, 1)
    quads = np.array([0, spokes, 1, 1, spokes, spokes + 1])
    uv = np.full(positions.shape, 0.5)
    return MeshData.of(positions, -positions, colors, uv, first + quads)


class Sky(Node3D):
    """A dome around the eye that turns with the world and lies behind all else."""

    def __init__(self) -> None:
        super().__init__("Sky")
        self._dome = self.np.attach_new_node(make_geom_node("dome", _dome()))
        self._dome.set_bin("background", -100)
        self._dome.set_depth_test(False)
        self._dome.set_depth_write(False)
        self._dome.set_light_off(1)
        self._dome.set_shader_off(1)
        self._dome.set_texture_off(1)
        self._dome.hide(BitMask32(CASTERS))

    def _process(self, _dt_s: float) -> None:
        base = self.panda.base
        if base.cam is None:
            return
        lens = base.camLens
        # Any radius between near and far looks the same; the middle one is never clipped.
        radius = (
            math.sqrt(lens.get_near() * min(lens.get_far(), 1e7))
            if isinstance(lens, PerspectiveLens)
            else 0.5 * (lens.get_near() + lens.get_far())
        )
        self._dome.set_pos_hpr_scale(
            base.render, base.cam.get_pos(base.render), (0, 0, 0), (radius, radius, radius)
        )
