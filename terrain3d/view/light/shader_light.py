"""Light by shaders: sun with shadow map, light from sky and ground, fade with distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import (
    LMatrix4,
    LVecBase3f,
    NodePath,
    Point3,
    PTA_float,
    PTA_LVecBase3f,
    Vec3,
)

from terrain3d.view.geometry.textures import grain_texture, ripple_texture
from terrain3d.view.light.shaders import surface_shader
from terrain3d.view.light.shadow_map import CASTER_MASK, ShadowBuffer, ShadowMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from direct.showbase.ShowBase import ShowBase

    from terrain3d.look.lighting_presets import Mood
    from terrain3d.look.orbit import Point

_SOFTNESS = 0.9  # of a shadow's edge, in texels
_CLOCK_S = 1000.0
"""The shader's time wraps after this; all motion there repeats an integer number of times."""


class ShaderLight:
    """Lights nodes below the node `ground`, which holds the shader's inputs.

    Values that change every frame are in arrays that the engine reads when it draws, so that no
    render state changes with them. `glsl` is 120 or 150, `headings` are the (x, y) directions of a
    tile's edges, and `shadow_buffer` holds the shadow map.
    """

    def __init__(
        self,
        base: ShowBase,
        ground: NodePath,
        glsl: int,
        headings: tuple[tuple[float, float], ...],
        shadow_buffer: ShadowBuffer,
    ) -> None:
        self._base, self._ground, self.glsl = base, ground, glsl
        self._low: Point = (0.0, 0.0, 0.0)
        self._high: Point = (0.0, 0.0, 0.0)
        self._cast: tuple[Point, Point] = self._low, self._high
        self._sun: Point = (0.0, 0.0, 1.0)
        self._colors = PTA_LVecBase3f.empty_array(6)
        self._time_s = PTA_float.empty_array(1)
        self._sun_state: tuple[object, ...] = ()  # what the inputs of the sun were computed from
        self._eye_state: tuple[object, ...] = ()
        ground.hide(CASTER_MASK)
        self._shadow = ShadowMap(base, ground, glsl, shadow_buffer)
        self._softness = _SOFTNESS / shadow_buffer.size
        ground.set_shader_input("grain", grain_texture())
        ground.set_shader_input("ripples", ripple_texture())
        ground.set_shader_input("shadow_map", shadow_buffer.texture)
        ground.set_shader_input("mood", self._colors)
        ground.set_shader_input("time_s", self._time_s)
        # Half of the directions; squares have two, so their third is zero.
        half = [*headings[: len(headings) // 2], (0.0, 0.0)][:3]
        for name, parts in zip(("headings_x", "headings_y"), zip(*half, strict=True), strict=True):
            ground.set_shader_input(name, Vec3(*parts))

    def fit(self, low: Point, high: Point, cast: tuple[Point, Point]) -> None:
        """Fade in the box with these corners, and cast shadows in that of `cast`."""
        self._low, self._high, self._cast = low, high, cast
        self._shadow.aim(*cast, self._sun)

    def set_mood(self, mood: Mood) -> None:
        """Set the colors and the sun's direction of a mood."""
        shown = (
            mood.sun_color,
            mood.sky_light,
            mood.ground_light,
            mood.rim_light,
            mood.fade_color,
            mood.mirrored,
        )
        for place, color in enumerate(shown):
            self._colors[place] = LVecBase3f(*color)
        if mood.sun != self._sun:
            self._sun = mood.sun
            self._shadow.aim(*self._cast, mood.sun)
        self._set_inputs()  # a frame may be drawn before the first call of `follow`

    def add_subject(self, subject: NodePath) -> None:
        """Light a node, and let it cast a shadow."""
        subject.set_shader(surface_shader(self.glsl))
        subject.show_through(CASTER_MASK)

    def remove_subject(self, subject: NodePath) -> None:
        """Stop lighting a node."""
        subject.clear_shader()
        subject.show(CASTER_MASK)

    def advance(self, dt_s: float) -> None:
        """Let time pass for what moves in the shaders."""
        self._time_s[0] = (self._time_s[0] + dt_s) % _CLOCK_S

    def follow(self, lit: Iterable[NodePath]) -> None:
        """Update for the camera and the shadow casters."""
        self._shadow.follow(lit)
        self._set_inputs()

    def close(self) -> None:
        """Stop lighting, and leave the buffer to the next light."""
        self._shadow.close()
        self._ground.clear_shader()
        self._ground.show(CASTER_MASK)

    def _set_inputs(self) -> None:
        """Set the shader inputs of sun and camera, if they have changed."""
        world = LMatrix4(self._ground.get_mat(self._base.render))
        placed = world, self._low, self._high, self._cast, self._sun
        if placed != self._sun_state:
            self._sun_state = placed
            self._set_sun_inputs(world)
        seen = *placed, self._base.cam.get_pos(self._base.render)
        if seen != self._eye_state:
            self._eye_state = seen
            self._set_eye_inputs(world, seen[-1])

    def _set_sun_inputs(self, world: LMatrix4) -> None:
        directions = {"sun": self._sun, "east": (1.0, 0.0, 0.0), "north": (0.0, 1.0, 0.0)}
        for name, direction in directions.items():
            turned = world.xform_vec(Vec3(*direction))
            turned.normalize()
            self._ground.set_shader_input(name, turned)
        self._ground.set_shader_inputs(
            shadow_from_world=self._shadow.from_world(),
            shadow_texel=self._shadow.texel * _scale(world),
            shadow_step=(self._softness, 0.45 * self._softness),
        )

    def _set_eye_inputs(self, world: LMatrix4, eye: Point3) -> None:
        low, high = Vec3(*self._low), Vec3(*self._high)
        size = (high - low).length() * _scale(world)
        away = (world.xform_point((high + low) * 0.5) - eye).length()
        self._ground.set_shader_inputs(eye=eye, fade_range=(away - 0.2 * size, 0.25 / size))


def _scale(world: LMatrix4) -> float:
    return float(world.xform_vec(Vec3(0.0, 0.0, 1.0)).length())
