"""Light a terrain and draw what is behind and below it: sun, shadows, sky, and floor shadow."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import (
    AmbientLight,
    DirectionalLight,
    Geom,
    GeomNode,
    LightAttrib,
    Material,
    NodePath,
    TransparencyAttrib,
    Vec3,
    Vec4,
)

from terrain3d.core.checks import instance_of, one_of
from terrain3d.core.signals import export
from terrain3d.grid.kinds import PLAIN
from terrain3d.look.lighting_presets import NOON, SKY_STOPS_DEG, Mood, lamps_of, mood_of
from terrain3d.look.settings import HIGH, Quality
from terrain3d.mesh.data import MeshData, surface_of
from terrain3d.mesh.solids import flat_rings
from terrain3d.view.geometry import (
    attach_look,
    has_shaders,
    make_geom_node,
    make_linear,
    set_backdrop,
)
from terrain3d.view.light.shader_light import CASTER_MASK, ShaderLight, ShadowBuffer
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase
    from numpy.typing import NDArray

    from terrain3d.look.orbit import Point

LIGHTINGS = "own", "scene"
_DOUBLE_COLOR = "TinyPanda"
"""This renderer applies lit vertex colors twice, unless a material is white."""
_NO_SHADERS = (
    "this window has no GLSL 1.50, so the lights of the scene light the terrain, and without any "
    "two of its own; on macOS set gl-version 3 2 before the window opens"
)
MOOD_S = 0.8
"""Duration of a change from one mood to another."""

_STARS, _STAR_SEED = 420, 1_604
_OUT = 0.9  # part of the far plane's distance
_STAR_SIZE = 0.0016  # radians from a star's center to its corners
_SKY_SORT, _STARS_SORT, _FLOOR_SORT = -100, -99, -50

_SPOKES = 64
_SPREAD = 0.16  # of the map's longer side
_DARK = 0.42
_RINGS = np.linspace(0.0, 1.0, 9)
_SHIFT = 0.5  # shift away from the sun, in world units


class Daylight(Node3D):
    """Provides a sun with shadows, light from sky and ground, and the sky; a child of the terrain.

    It lights only the nodes given to `add_subject`, so that overlays and labels keep their own
    colors. In a window without GLSL 1.50 the lights of the scene light them; if there are none, a
    sun and an ambient light below the terrain do.

    Parameters
    ----------
    low, high : (x, y, z)
        Corners of the terrain's box, in its coordinates.
    headings : tuple of (x, y)
        Directions of a tile's edges; see `Grid.headings`.
    lighting, has_linear_colors
        As of `Terrain3D`.
    """

    has_sky = export(True, doc="whether the sky is drawn; without lighting of its own not at first")
    has_floor_shadow = export(True, doc="whether the floor below the map is dark, likewise")

    def __init__(
        self,
        low: Point,
        high: Point,
        headings: tuple[tuple[float, float], ...],
        lighting: str = "own",
        *,
        has_linear_colors: bool = False,
    ) -> None:
        super().__init__("Daylight")
        self._is_own = one_of("lighting", lighting, LIGHTINGS) == "own"
        self.is_linear = has_linear_colors
        """Whether colors of subjects are made linear."""
        if self._is_own and self.is_linear:
            raise ValueError("has_linear_colors needs lighting='scene'")
        self.has_sky = self.has_floor_shadow = self._is_own
        self._headings = headings
        self._low, self._high = low, high
        self._cast = low, high
        self._lit: list[NodePath] = []
        self._light: ShaderLight | SceneLight | None = None
        self._buffer: ShadowBuffer | None = None
        self._from = self._mood = NOON
        self._part = 1.0  # progress from one to the other, 0..1
        self._quality = HIGH
        self._sky = self.add_child(Sky())
        self._floor = self.add_child(FloorShadow())
        self._floor.fit(low, high)

    @property
    def has_shaders(self) -> bool:
        """Whether it lights by its own shaders now."""
        return isinstance(self._light, ShaderLight)

    @property
    def mood(self) -> Mood:
        """The mood, or during a change the new one; may be set by name."""
        return self._mood

    @mood.setter
    def mood(self, mood: Mood | str) -> None:
        wanted = mood_of(mood)
        if wanted != self._mood:
            self._from, self._mood = self._shown(), wanted
            self._part = 0.0 if self._light is not None else 1.0

    @property
    def quality(self) -> Quality:
        """Edge of the shadow map, and whether surfaces have grain and shadows soft edges."""
        return self._quality

    @quality.setter
    def quality(self, quality: Quality) -> None:
        before, self._quality = self._quality, quality
        is_same = before.shadow_size == quality.shadow_size
        is_same &= before.has_ground_cover == quality.has_ground_cover
        if self.has_shaders and not is_same:
            self._turn_off()
            self._turn_on()

    def fit(self, low: Point, high: Point, cast: tuple[Point, Point] | None = None) -> None:
        """Set the box of the terrain, and that in which shadows are cast if it is smaller."""
        if (low, high) != (self._low, self._high):
            self._low, self._high = low, high
            self._floor.fit(low, high)
        self._cast = cast or (low, high)
        if isinstance(self._light, ShaderLight):
            self._light.fit(low, high, self._cast)

    def add_subject(self, subject: NodePath) -> None:
        """Light a node below the terrain, and let it cast a shadow; one that is lit stays as it is.

        `TypeError` or `ValueError` for what is no NodePath, or an empty one.
        """
        if instance_of("subject", subject, NodePath).is_empty():
            raise ValueError("subject must not be an empty NodePath")
        if subject in self._there():
            return
        self._lit.append(subject)
        if self._light is not None:
            self._light.add_subject(subject)

    def remove_subject(self, subject: NodePath) -> None:
        """Stop lighting a node; does nothing if it is not lit, or the game has removed it."""
        if subject in self._there():
            self._lit.remove(subject)
            if self._light is not None:
                self._light.remove_subject(subject)

    def _enter_tree(self) -> None:
        self._turn_on()
        self.listen(self.panda.processed, self._follow)

    def _exit_tree(self) -> None:
        self._turn_off()

    def _turn_on(self) -> None:
        base, ground = self.panda.base, self.np.get_parent()
        if self._is_own and has_shaders(base.win):
            # Making the buffer takes longer than a frame: that of the terrain before is used again.
            spares = [each for each in self.panda.spares if isinstance(each, ShadowBuffer)]
            buffer = next((each for each in spares if each.size == self._quality.shadow_size), None)
            if buffer is None:
                buffer = ShadowBuffer(base, self._quality.shadow_size)
            else:
                self.panda.spares.remove(buffer)
            self._buffer = buffer
            is_simple = not self._quality.has_ground_cover
            values = self.panda.viewport, ground, self._headings, buffer
            self._light = ShaderLight(*values, is_simple=is_simple)
            self._light.fit(self._low, self._high, self._cast)
        else:
            self._light = SceneLight(ground, is_linear=self.is_linear)
            if self._is_own:
                warnings.warn(_NO_SHADERS, stacklevel=1)
                self._light.add_lamps(base)
        self._part = 1.0
        self._show(self._light)
        for subject in self._there():
            self._light.add_subject(subject)

    def _turn_off(self) -> None:
        if self._light is not None:
            for subject in self._there():
                self._light.remove_subject(subject)
            self._light.close()
            self._light = None
        if self._buffer is not None:
            self.panda.spares.append(self._buffer)
            self._buffer = None

    def _process(self, dt_s: float) -> None:
        if self._light is None:
            return
        for part, is_shown in ((self._sky, self.has_sky), (self._floor, self.has_floor_shadow)):
            part.np.show() if is_shown else part.np.hide()
        if self._part < 1.0:
            self._part = min(self._part + dt_s / MOOD_S, 1.0)
            self._show(self._light)
        if isinstance(self._light, ShaderLight):
            self._light.advance(dt_s)

    def show_points(self, points: list[Point]) -> None:
        """Draw no plants before some points of the map, such as figures; needs shaders."""
        if isinstance(self._light, ShaderLight):
            self._light.show_points(points)

    def _follow(self) -> None:
        """Update for the camera and the shadow casters, which are now where they are drawn."""
        if isinstance(self._light, ShaderLight):
            self._light.follow(self._there())

    def _there(self) -> list[NodePath]:
        """Return the subjects, without those that the game has removed."""
        self._lit = [subject for subject in self._lit if not subject.is_empty()]
        return self._lit

    def _shown(self) -> Mood:
        """Return the current mood, blended smoothly during a change."""
        part = self._part
        if part >= 1.0:
            return self._mood
        return self._from.mixed(self._mood, part * part * (3.0 - 2.0 * part))

    def _show(self, light: ShaderLight | SceneLight) -> None:
        shown = self._shown()
        light.set_mood(shown)
        self._sky.paint(shown)
        self._floor.turn_from(shown.sun)


class SceneLight:
    """Leaves nodes to the lights, the fog and the shaders of the scene graph.

    They are plain geometry with vertex colors and a matte material. With `is_linear`, their colors
    are made linear, as renderers with tone mapping expect.
    """

    def __init__(self, ground: NodePath, *, is_linear: bool = False) -> None:
        self._ground, self._is_linear = ground, is_linear
        self._material = Material("matte")
        self._material.set_roughness(1.0)
        self._before: dict[NodePath, list[tuple[GeomNode, list[Geom]]]] = {}
        self._sun, self._around = DirectionalLight("sun"), AmbientLight("around")
        self._lamps: list[NodePath] = []

    def add_lamps(self, base: ShowBase) -> None:
        """Light the ground and what is below it by two lamps, unless the scene has any."""
        if base.pipe.get_interface_name() == _DOUBLE_COLOR:
            self._material.set_ambient((1.0, 1.0, 1.0, 1.0))
            self._material.set_diffuse((1.0, 1.0, 1.0, 1.0))
        lights = self._ground.get_net_state().get_attrib(LightAttrib)
        if not (isinstance(lights, LightAttrib) and lights.get_num_on_lights()):
            self._lamps = [self._ground.attach_new_node(each) for each in (self._sun, self._around)]
            for lamp in self._lamps:
                self._ground.set_light(lamp)

    def set_mood(self, mood: Mood) -> None:
        """Set the colors of the lamps and the sun's direction."""
        self._sun.set_direction(-Vec3(*mood.sun))
        sun, around = lamps_of(mood)
        self._sun.set_color(Vec4(*sun, 1.0))
        self._around.set_color(Vec4(*around, 1.0))

    def add_subject(self, subject: NodePath) -> None:
        """Give a node a matte material; what has a material of its own keeps it."""
        if not subject.has_material():
            subject.set_material(self._material)
        if self._is_linear:
            self._before[subject] = make_linear(subject)

    def remove_subject(self, subject: NodePath) -> None:
        """Undo `add_subject`."""
        if subject.get_material() == self._material:
            subject.clear_material()
        for node, geoms in self._before.pop(subject, ()):
            for number, geom in enumerate(geoms):
                node.set_geom(number, geom)

    def close(self) -> None:
        """Remove the lamps."""
        for lamp in self._lamps:
            self._ground.clear_light(lamp)
            lamp.remove_node()


class Sky(Node3D):
    """Shows a dome around the camera, oriented like the world and behind everything."""

    def __init__(self) -> None:
        super().__init__("Sky")
        self._all = self.np.attach_new_node("all")
        set_backdrop(self._all, _SKY_SORT)
        self._all.hide(CASTER_MASK)
        self._dome = NodePath("dome")
        self._stars = attach_look(self._all, make_geom_node("stars", _stars()))
        self._stars.set_two_sided(True)
        self._stars.set_bin("background", _STARS_SORT)
        self._stars.set_transparency(TransparencyAttrib.M_alpha)
        self.paint(NOON)

    def paint(self, mood: Mood) -> None:
        """Show the sky of a mood."""
        self._dome.remove_node()
        self._dome = attach_look(self._all, make_geom_node("dome", _dome(mood.sky)))
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
        viewport = self.panda.viewport
        if not self.panda.has_camera:
            return
        camera, lens, scene = viewport.camera, viewport.lens, viewport.scene
        # Any radius between near and far looks the same from this camera; a large one is visible
        # to the cameras of buffers too.
        radius = (
            _OUT * min(lens.get_far(), 1e7)
            if viewport.is_perspective
            else 0.5 * (lens.get_near() + lens.get_far())
        )
        self._all.set_pos_hpr_scale(scene, camera.get_pos(scene), (0, 0, 0), (radius,) * 3)


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
    return MeshData.of(positions, -positions, ring_color[:, None], surface_of(PLAIN), first + quads)


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
    return MeshData.of(positions, -positions, colors[:, None], surface_of(PLAIN), quads)


def _on_sphere(elevation: NDArray[np.float64], turn: NDArray[np.float64]) -> NDArray[np.float64]:
    level = np.cos(elevation)
    parts = level * np.cos(turn), level * np.sin(turn), np.sin(elevation)
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


class FloorShadow(Node3D):
    """Shows a dark area below the map that fades outward."""

    def __init__(self) -> None:
        super().__init__("FloorShadow")
        set_backdrop(self.np, _FLOOR_SORT)
        self.np.set_transparency(TransparencyAttrib.M_alpha)
        self.np.hide(CASTER_MASK)
        self._spot = NodePath("spot")

    def fit(self, low: Point, high: Point) -> None:
        """Place it below the box with these corners."""
        mesh = floor_mesh(low[:2], high[:2], low[2])
        self._spot.remove_node()
        self._spot = attach_look(self.np, make_geom_node("spot", mesh))

    def turn_from(self, sun: Point) -> None:
        """Shift it a little away from the sun."""
        x, y, z = sun
        self.np.set_pos(-_SHIFT * x / z, -_SHIFT * y / z, 0.0)


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
