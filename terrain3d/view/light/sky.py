"""The sky: colors by elevation, and stars."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from panda3d.core import BitMask32, NodePath, PerspectiveLens, TransparencyAttrib

from terrain3d.look.lighting_presets import NOON, SKY_STOPS_DEG, Mood
from terrain3d.mesh.data import MeshData
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.geometry.textures import set_backdrop
from terrain3d.view.light.shader_light import CASTER_MASK
from terrain3d.view.window.panda_tree import Node3D

_STARS, _STAR_SEED = 420, 1_604
_UV = (0.5, 0.5, 0.5)
_OUT = 0.9  # part of the far plane's distance
_STAR_SIZE = 0.0016  # radians from a star's center to its corners


def _dome(sky: tuple[tuple[float, float, float], ...]) -> MeshData:
    """Return a sphere of radius 1, seen from inside, colored by elevation."""
    elevation = np.radians(np.linspace(-90.0, 90.0, 73))
    turn = np.linspace(0.0, 2.0 * np.pi, 25)
    rings, spokes = len(elevation), len(turn)
    positions = _on_sphere(elevation[:, None], turn)
    ring_color = np.stack(
        [np.interp(np.degrees(elevation), SKY_STOPS_DEG, part) for part in np.array(sky).T], axis=1
    )
    first = (np.arange(rings - 1)[:, None] * spokes + np.arange(spokes - 1)).reshape(-1, 1)
    quads = np.array([0, spokes, 1, 1, spokes, spokes + 1])
    return MeshData.of(positions, -positions, ring_color[:, None], _UV, first + quads)


def _stars() -> MeshData:
    """Return small diamonds scattered evenly over the sphere."""
    rng = np.random.default_rng(_STAR_SEED)
    elevation = np.arcsin(rng.uniform(-0.95, 0.95, (_STARS, 1)))
    turn = rng.uniform(0.0, 2.0 * np.pi, (_STARS, 1))
    size = _STAR_SIZE * rng.uniform(0.5, 1.0, (_STARS, 1)) ** 2
    positions = _on_sphere(
        elevation + size * (0, 1, 0, -1), turn + size / np.cos(elevation) * (1, 0, -1, 0)
    )
    tint = rng.uniform(0.0, 1.0, (_STARS, 1))
    colors = 0.62 + 0.38 * rng.uniform(0.0, 1.0, (_STARS, 1)) * (1.0 - 0.25 * tint * (1, 0.5, 0))
    quads = np.arange(_STARS)[:, None] * 4 + (0, 1, 2, 0, 2, 3)
    return MeshData.of(positions, -positions, colors[:, None], _UV, quads)


def _on_sphere(elevation: NDArray[np.float64], turn: NDArray[np.float64]) -> NDArray[np.float64]:
    level = np.cos(elevation)
    parts = level * np.cos(turn), level * np.sin(turn), np.sin(elevation)
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


class Sky(Node3D):
    """Shows a dome around the camera, oriented like the world and behind everything."""

    def __init__(self) -> None:
        super().__init__("Sky")
        self._all = self.np.attach_new_node("all")
        set_backdrop(self._all, -100)
        self._all.hide(BitMask32(CASTER_MASK))
        self._dome = NodePath("dome")
        self._stars = self._all.attach_new_node(make_geom_node("stars", _stars()))
        self._stars.set_two_sided(True)
        self._stars.set_bin("background", -99)
        self._stars.set_transparency(TransparencyAttrib.M_alpha)
        self.paint(NOON)

    def paint(self, mood: Mood) -> None:
        """Show the sky of a mood."""
        self._dome.remove_node()
        self._dome = self._all.attach_new_node(make_geom_node("dome", _dome(mood.sky)))
        self._stars.set_alpha_scale(mood.stars)
        if mood.stars > 0.0:
            self._stars.show()
        else:
            self._stars.hide()

    def _enter_tree(self) -> None:
        self._follow()
        self.listen(self.panda.processed, self._follow)

    def _follow(self) -> None:
        """Move the dome around the camera."""
        base = self.panda.base
        if base.cam is None:
            return
        lens = base.camLens
        # Any radius between near and far looks the same from this camera; a large one is visible
        # to the cameras of buffers too.
        radius = (
            _OUT * min(lens.get_far(), 1e7)
            if isinstance(lens, PerspectiveLens)
            else 0.5 * (lens.get_near() + lens.get_far())
        )
        self._all.set_pos_hpr_scale(
            base.render, base.cam.get_pos(base.render), (0, 0, 0), (radius, radius, radius)
        )
