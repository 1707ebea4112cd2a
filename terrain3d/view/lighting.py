"""Light, shadow and sky over one terrain: with shaders where there are any, without elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import (
    AmbientLight,
    DirectionalLight,
    LMatrix4,
    Material,
    NodePath,
    Point3,
    TextureStage,
    Vec3,
    Vec4,
)

from terrain3d.view.casters import CASTERS
from terrain3d.view.shaders import glsl_version, surface_shader
from terrain3d.view.shadow import SIZE, ShadowMap
from terrain3d.view.sky import Sky
from terrain3d.view.textures import SEAM_SPAN, grain_texture, seam_texture
from terrain3d.view.tree import Node3D

if TYPE_CHECKING:
    from terrain3d.orbit import Point

SUN = (-0.55, -0.45, 0.70)
"""Where the key light comes from, in the coordinates of the terrain."""

_DOUBLE_COLOR = "TinyPanda"
"""Here lit vertex colors count twice, in material and result, unless a material is white."""

_SOFTNESS = 0.9  # of a shadow's edge, in texels


def _white() -> Material:
    material = Material("white")
    material.set_ambient((1.0, 1.0, 1.0, 1.0))
    material.set_diffuse((1.0, 1.0, 1.0, 1.0))
    return material


def _scale(world: LMatrix4) -> float:
    return float(world.xform_vec(Vec3(0.0, 0.0, 1.0)).length())


class Daylight(Node3D):
    """A warm sun with shadows, light from sky and ground, and a sky behind it all.

    It hangs under the terrain and lights only what is given to `shine_on`, so that overlays and
    labels keep their own colors.

    Parameters
    ----------
    low, high : (x, y, z)
        Corners of the box in which shadows are cast, in the coordinates of the terrain.
    headings : tuple of (x, y)
        Where the edges of a tile lie; see `Grid.headings`.
    """

    def __init__(self, low: Point, high: Point, headings: tuple[tuple[float, float], ...]) -> None:
        super().__init__("Daylight")
        self._headings = headings
        self._low, self._high = low, high
        self._glsl = 0
        self._lit: list[NodePath] = []
        self._lights: list[NodePath] = []
        self._shadow: ShadowMap | None = None
        self._told: tuple[object, ...] = ()  # from where the shader knows the sun
        self._told_eye: tuple[object, ...] = ()
        self.add_child(Sky())

    @property
    def has_shaders(self) -> bool:
        """Whether shaders draw light and shadow; if not, fixed functions draw plain light."""
        return self._glsl > 0

    def fit(self, low: Point, high: Point) -> None:
        """Cast shadows in another box from now on."""
        self._low, self._high = low, high
        if self._shadow is not None:
            self._shadow.aim(low, high, SUN)

    def shine_on(self, subject: NodePath) -> None:
        """Light a subject below the terrain, and let it cast a shadow."""
        self._lit.append(subject)
        if self.is_inside_tree:
            self._light(subject)

    def leave(self, subject: NodePath) -> None:
        """Light a subject no more."""
        self._lit.remove(subject)
        self._darken(subject)

    def _enter_tree(self) -> None:
        base = self.panda.base
        self._glsl = glsl_version(base.win)
        if self._glsl:
            ground = self._ground()
            ground.hide(CASTERS)
            self._shadow = ShadowMap(base, ground, self._glsl)
            self._shadow.aim(self._low, self._high, SUN)
            ground.set_shader_input("grain", grain_texture())
            ground.set_shader_input("shadow_map", self._shadow.texture)
            self._tell_headings(ground)
            self._told = self._told_eye = ()
            self._follow(self._shadow)
        else:
            self._open_lights()
        for subject in self._lit:
            self._light(subject)

    def _exit_tree(self) -> None:
        for subject in self._lit:
            self._darken(subject)
        for light in self._lights:
            light.remove_node()
        self._lights.clear()
        if self._shadow is not None:
            self._shadow.close()
            self._shadow = None
        if self._glsl:
            self._ground().clear_shader()
            self._ground().show(CASTERS)

    def _process(self, _dt_s: float) -> None:
        if self._shadow is not None:
            self._shadow.follow(self._lit)
            self._follow(self._shadow)

    def _ground(self) -> NodePath:
        return self.np.get_parent()

    def _follow(self, shadow: ShadowMap) -> None:
        """Tell the shader where the terrain and the eye are, if they are elsewhere now."""
        base = self.panda.base
        placed = LMatrix4(self._ground().get_mat(base.render)), self._low, self._high
        if placed != self._told:
            self._told = placed
            self._tell_sun(shadow, placed[0])
        seen = *placed, base.cam.get_pos(base.render)
        if seen != self._told_eye:
            self._told_eye = seen
            self._tell_eye(placed[0], seen[-1])

    def _tell_headings(self, ground: NodePath) -> None:
        """Tell the shader half of the directions; squares have two, so their third is none."""
        half = [*self._headings[: len(self._headings) // 2], (0.0, 0.0)][:3]
        for name, parts in zip(("headings_x", "headings_y"), zip(*half, strict=True), strict=True):
            ground.set_shader_input(name, Vec3(*parts))

    def _tell_sun(self, shadow: ShadowMap, world: LMatrix4) -> None:
        ground = self._ground()
        directions = {"sun": SUN, "east": (1.0, 0.0, 0.0), "north": (0.0, 1.0, 0.0)}
        for name, direction in directions.items():
            turned = world.xform_vec(Vec3(*direction))
            turned.normalize()
            ground.set_shader_input(name, turned)
        ground.set_shader_inputs(
            shadow_from_world=shadow.from_world(),
            shadow_texel=shadow.texel * _scale(world),
            shadow_step=(_SOFTNESS / SIZE, 0.45 * _SOFTNESS / SIZE),
        )

    def _tell_eye(self, world: LMatrix4, eye: Point3) -> None:
        low, high = Vec3(*self._low), Vec3(*self._high)
        size = (high - low).length() * _scale(world)
        away = (world.xform_point((high + low) * 0.5) - eye).length()
        self._ground().set_shader_inputs(eye=eye, fade_range=(away - 0.2 * size, 0.25 / size))

    def _open_lights(self) -> None:
        for name, direction, color in (
            ("key", SUN, (0.76, 0.67, 0.53, 1.0)),
            ("sky", (0.2, 0.3, 1.0), (0.16, 0.20, 0.28, 1.0)),
            ("bounce", (0.3, 0.2, -1.0), (0.10, 0.07, 0.04, 1.0)),
        ):
            light = DirectionalLight(name)
            light.set_direction(-Vec3(*direction))
            self._add_light(light, color)
        self._add_light(AmbientLight("ambient"), (0.40, 0.40, 0.45, 1.0))

    def _add_light(
        self, light: AmbientLight | DirectionalLight, color: tuple[float, float, float, float]
    ) -> None:
        light.set_color(Vec4(*color))
        self._lights.append(self.np.attach_new_node(light))

    def _light(self, subject: NodePath) -> None:
        if self._glsl:
            subject.set_shader(surface_shader(self._glsl))
            subject.show_through(CASTERS)
            return
        subject.set_texture(seam_texture(self._headings))
        subject.set_tex_scale(TextureStage.get_default(), 1.0 / SEAM_SPAN)
        start = 0.5 - 0.5 / SEAM_SPAN
        subject.set_tex_offset(TextureStage.get_default(), start, start)
        if self.panda.base.pipe.get_interface_name() == _DOUBLE_COLOR:
            subject.set_material(_white())
        for light in self._lights:
            subject.set_light(light)

    def _darken(self, subject: NodePath) -> None:
        if self._glsl:
            subject.clear_shader()
            subject.show(CASTERS)
            return
        subject.clear_texture()
        subject.clear_tex_transform()
        subject.clear_material()
        for light in self._lights:
            subject.clear_light(light)
