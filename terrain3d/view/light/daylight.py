"""Light a terrain: sun, shadows and sky by shaders, or lamps of the engine without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import (
    AmbientLight,
    DirectionalLight,
    Material,
    NodePath,
    TextureStage,
    Vec3,
    Vec4,
)

from terrain3d.look.lighting_presets import NOON, Mood, lamps_of, mood_of
from terrain3d.look.settings import HIGH
from terrain3d.view.geometry.textures import SEAM_SPAN, seam_texture
from terrain3d.view.light.backdrop import FloorShadow, Sky
from terrain3d.view.light.shader_light import ShaderLight, ShadowBuffer
from terrain3d.view.light.shaders import glsl_version
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from collections.abc import Iterable

    from direct.showbase.ShowBase import ShowBase

    from terrain3d.look.orbit import Point

_DOUBLE_COLOR = "TinyPanda"
"""This renderer applies lit vertex colors twice, unless a material is white."""
MOOD_S = 0.8
"""Duration of a change from one mood to another."""


class Daylight(Node3D):
    """Provides a sun with shadows, light from sky and ground, and the sky; a child of the terrain.

    It lights only the nodes given to `add_subject`, so that overlays and labels keep their own
    colors.

    Parameters
    ----------
    low, high : (x, y, z)
        Corners of the terrain's box, in its coordinates.
    headings : tuple of (x, y)
        Directions of a tile's edges; see `Grid.headings`.
    """

    def __init__(self, low: Point, high: Point, headings: tuple[tuple[float, float], ...]) -> None:
        super().__init__("Daylight")
        self._headings = headings
        self._low, self._high = low, high
        self._cast = low, high
        self._lit: list[NodePath] = []
        self._light: ShaderLight | FixedLight | None = None
        self._buffer: ShadowBuffer | None = None
        self._from = self._mood = NOON
        self._part = 1.0  # progress from one to the other, 0..1
        self._shadow_size = HIGH.shadow_size
        self._sky = self.add_child(Sky())
        self._floor = self.add_child(FloorShadow())
        self._floor.fit(low, high)

    @property
    def glsl(self) -> int:
        """GLSL version of the light, 150 or 120; 0 without shaders."""
        return self._light.glsl if isinstance(self._light, ShaderLight) else 0

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
    def shadow_size(self) -> int:
        """Edge of the shadow map, in texels."""
        return self._shadow_size

    @shadow_size.setter
    def shadow_size(self, size: int) -> None:
        if size != self._shadow_size:
            self._shadow_size = size
            if self._light is not None:
                self._turn_off()
                self._turn_on()

    def fit(self, low: Point, high: Point, cast: tuple[Point, Point] | None = None) -> None:
        """Set the box of the terrain, and that in which shadows are cast if it is smaller."""
        if (low, high) != (self._low, self._high):
            self._low, self._high = low, high
            self._floor.fit(low, high)
        self._cast = cast or (low, high)
        if self._light is not None:
            self._light.fit(low, high, self._cast)

    def add_subject(self, subject: NodePath) -> None:
        """Light a node below the terrain, and let it cast a shadow."""
        self._lit.append(subject)
        if self._light is not None:
            self._light.add_subject(subject)

    def remove_subject(self, subject: NodePath) -> None:
        """Stop lighting a node."""
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
        glsl = glsl_version(base.win)
        if glsl:
            # Making the buffer takes longer than a frame: that of the terrain before is used again.
            spares = [spare for spare in self.panda.spares if spare.size == self._shadow_size]
            if spares:
                self.panda.spares.remove(spares[0])
            self._buffer = buffer = spares[0] if spares else ShadowBuffer(base, self._shadow_size)
            self._light = ShaderLight(base, ground, glsl, self._headings, buffer)
        else:
            self._light = FixedLight(base, self.np, self._headings)
        self._light.fit(self._low, self._high, self._cast)
        self._part = 1.0
        self._show(self._light)
        for subject in self._lit:
            self._light.add_subject(subject)

    def _turn_off(self) -> None:
        if self._light is not None:
            for subject in self._lit:
                self._light.remove_subject(subject)
            self._light.close()
            self._light = None
        if self._buffer is not None:
            self.panda.spares.append(self._buffer)
            self._buffer = None

    def _process(self, dt_s: float) -> None:
        if self._light is None:
            return
        if self._part < 1.0:
            self._part = min(self._part + dt_s / MOOD_S, 1.0)
            self._show(self._light)
        self._light.advance(dt_s)

    def _follow(self) -> None:
        """Update for the camera and the shadow casters, which are now where they are drawn."""
        if self._light is not None:
            self._light.follow(self._lit)

    def _shown(self) -> Mood:
        """Return the current mood, blended smoothly during a change."""
        part = self._part
        if part >= 1.0:
            return self._mood
        return self._from.mixed(self._mood, part * part * (3.0 - 2.0 * part))

    def _show(self, light: ShaderLight | FixedLight) -> None:
        shown = self._shown()
        light.set_mood(shown)
        self._sky.paint(shown)
        self._floor.turn_from(shown.sun)


class FixedLight:
    """Lights nodes with lamps below the node `lamps`; nothing casts shadows.

    `headings` are the (x, y) directions of a tile's edges.
    """

    def __init__(
        self, base: ShowBase, lamps: NodePath, headings: tuple[tuple[float, float], ...]
    ) -> None:
        self._headings = headings
        self._needs_white = base.pipe.get_interface_name() == _DOUBLE_COLOR
        self._key, above, below = (DirectionalLight(name) for name in ("key", "above", "below"))
        above.set_direction(Vec3(0.0, 0.0, -1.0))
        below.set_direction(Vec3(0.0, 0.0, 1.0))
        self._lights: tuple[DirectionalLight | AmbientLight, ...]
        self._lights = self._key, above, below, AmbientLight("everywhere")
        self._lamps = [lamps.attach_new_node(light) for light in self._lights]

    def fit(self, low: Point, high: Point, cast: tuple[Point, Point]) -> None:
        """Do nothing: without shadows the light is the same everywhere."""

    def set_mood(self, mood: Mood) -> None:
        """Set the colors and the sun's direction of a mood."""
        self._key.set_direction(-Vec3(*mood.sun))
        for light, color in zip(self._lights, lamps_of(mood), strict=True):
            light.set_color(Vec4(*color, 1.0))

    def add_subject(self, subject: NodePath) -> None:
        """Light a node."""
        stage, start = TextureStage.get_default(), 0.5 - 0.5 / SEAM_SPAN
        subject.set_texture(seam_texture(self._headings))
        subject.set_tex_scale(stage, 1.0 / SEAM_SPAN)
        subject.set_tex_offset(stage, start, start)
        if self._needs_white:
            subject.set_material(_white())
        for lamp in self._lamps:
            subject.set_light(lamp)

    def remove_subject(self, subject: NodePath) -> None:
        """Stop lighting a node."""
        subject.clear_texture()
        subject.clear_tex_transform()
        subject.clear_material()
        for lamp in self._lamps:
            subject.clear_light(lamp)

    def advance(self, dt_s: float) -> None:
        """Do nothing: this light does not depend on time."""

    def follow(self, lit: Iterable[NodePath]) -> None:
        """Do nothing: this light does not depend on the camera."""

    def close(self) -> None:
        """Remove the lamps."""
        for lamp in self._lamps:
            lamp.remove_node()


def _white() -> Material:
    material = Material("white")
    material.set_ambient((1.0, 1.0, 1.0, 1.0))
    material.set_diffuse((1.0, 1.0, 1.0, 1.0))
    return material
