"""Light without shaders: the engine's own lamps, and the seams of tiles as a texture."""

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

from terrain3d.look.lighting_presets import lamps_of
from terrain3d.view.geometry.textures import SEAM_SPAN, seam_texture

if TYPE_CHECKING:
    from collections.abc import Iterable

    from direct.showbase.ShowBase import ShowBase

    from terrain3d.look.lighting_presets import Mood
    from terrain3d.look.orbit import Point

_DOUBLE_COLOR = "TinyPanda"
"""This renderer applies lit vertex colors twice, unless a material is white."""


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
