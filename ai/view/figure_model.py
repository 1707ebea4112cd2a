"""Show the body of a figure, made by code or from a model's file, in the poses of its actions."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from direct.actor.Actor import Actor
from panda3d.core import (
    DepthTestAttrib,
    GeomNode,
    LVecBase4f,
    NodePath,
    PTA_LVecBase4f,
    RenderAttrib,
)

from terrain3d.mesh.figures import (
    RIM,
    RIM_BRIGHTER,
    figure,
    figure_mesh,
    outline_mesh,
)
from terrain3d.view.geometry import make_geom_node, set_figure_bin
from terrain3d.view.light.shaders import make_shader
from terrain3d.view.scene.sprite_3d import Sprite3D
from terrain3d.view.window.model_loader import load_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from terrain3d.grid.kinds import Color

STRIDES_PER_TILE = 1.0
"""Strides of each foot per tile of movement."""
_BREATH_HZ, _BREATH = 0.35, 0.012
_SHIFT_HZ, _SHIFT_DEG = 0.11, 0.9  # shift of weight from foot to foot
_FLOAT_HZ, _FLOAT, _FLOAT_LEAN_DEG = 0.28, 0.030, 10.0
_LEAN_DEG, _SWAY_DEG, _RISE = 8.0, 4.0, 0.035
_STEP, _STEP_UP = 0.115, 0.055
_TUCK = (-0.05, 0.05)
_STRETCH = 0.08
_SQUASH, _SQUASH_S = 0.28, 0.26
_CROUCH = 0.16
ANIMATIONS = {
    "stand": ("stand", "idle"),
    "walk": ("walk", "run"),
    "crouch": ("crouch",),
    "climb": ("climb", "jump"),
    "drop": ("drop", "fall", "jump"),
    "leap": ("leap", "jump"),
    "warp": ("warp",),
}
"""Names of animations for each action of a unit; the first that the model has is played."""
_LOOPS = {"stand", "walk"}


@dataclass(frozen=True)
class BodyPose:
    """Offsets of a body and its feet from the upright pose, in tiles and degrees.

    `lean_deg` tilts it forward, `sway_deg` to the right. `left` and `right` are the offsets
    (ahead, up) of each foot from its rest position below the body, `shift` moves all of it to the
    right and ahead.
    """

    lift: float = 0.0
    """Height above the ground point."""
    lean_deg: float = 0.0
    sway_deg: float = 0.0
    height: float = 1.0
    """Factor > 0 of the body's height; the volume stays the same."""
    left: tuple[float, float] = (0.0, 0.0)
    right: tuple[float, float] = (0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def width(self) -> float:
        """Factor of the body's width that keeps its volume."""
        return 1.0 / math.sqrt(self.height)


def body_pose(
    action: str, time_s: float, walked: float, landed_s: float, *, has_feet: bool
) -> BodyPose:
    """Return the pose of a body during an action of its unit, such as "walk".

    The time since any fixed moment drives the breathing. The distance `walked`, in tiles since any
    fixed point, drives the strides, so that feet do not slide. The last landing was `landed_s` ago.
    A figure without feet floats.
    """
    height = 1.0 + _BREATH * math.sin(time_s * math.tau * _BREATH_HZ)
    if landed_s < _SQUASH_S:
        part = landed_s / _SQUASH_S
        height -= _SQUASH * math.sin(math.pi * part) * (1.0 - part)
    if action == "crouch":
        height = min(height, 1.0 - _CROUCH)
    if not has_feet:
        lift = _FLOAT * math.sin(time_s * math.tau * _FLOAT_HZ)
        return BodyPose(_FLOAT + lift, 0.0 if action == "stand" else _FLOAT_LEAN_DEG, 0.0, height)
    if action == "walk":
        swing = math.sin(walked * math.tau * STRIDES_PER_TILE)
        pass_by = math.cos(walked * math.tau * STRIDES_PER_TILE)
        return BodyPose(
            _RISE * abs(pass_by),
            _LEAN_DEG,
            _SWAY_DEG * pass_by,
            height,
            (_STEP * swing, _STEP_UP * max(pass_by, 0.0)),
            (-_STEP * swing, _STEP_UP * max(-pass_by, 0.0)),
        )
    if action in {"climb", "drop", "leap"}:
        return BodyPose(height=1.0 + _STRETCH, left=_TUCK, right=_TUCK)
    shift = _SHIFT_DEG * math.sin(time_s * math.tau * _SHIFT_HZ)
    return BodyPose(sway_deg=shift, height=height)


class FigureModel:
    """The geometry of a figure; its origin is the point between the feet, +y is ahead.

    `body` is the part that is lit and casts a shadow; `shape` is one of `mesh.figures.SHAPES`,
    `color` that of its team. With our own shaders it is one Geom whose feet the shader moves, and
    one for what is seen of it behind the ground: a silhouette in quiet colors. That is drawn before
    the figures themselves, so that its depth is compared with the ground only.
    """

    def __init__(self, parent: NodePath, shape: str, color: Color) -> None:
        self._shape, self._color = shape, color
        self._has_shaders = self._is_far = False
        self._np = parent.attach_new_node("figure")
        self._stride = PTA_LVecBase4f.empty_array(1)
        self._np.set_shader_inputs(feet=self._stride, growth=0.0, tint=LVecBase4f(0.0))
        self.body = self._np.attach_new_node("body")
        set_figure_bin(self.body, "figures")
        self._parts = self.body.attach_new_node("parts")
        self._hidden = NodePath("hidden")
        self._hidden.set_attrib(DepthTestAttrib.make(RenderAttrib.M_greater))
        self._hidden.set_depth_write(False)
        set_figure_bin(self._hidden, "silhouettes")
        self._feet: list[NodePath] = []
        self._build()

    @property
    def has_feet(self) -> bool:
        """Whether it has feet; without feet it floats."""
        return bool(figure(self._shape, self._color).feet)

    def set_color(self, color: Color) -> None:
        """Set the team color."""
        self._color = color
        self._build()

    def set_far(self, is_far: bool) -> None:
        """Draw a simpler figure that is seen from afar, or else the whole one."""
        if is_far != self._is_far:
            self._is_far = is_far
            if self._has_shaders:
                self._build()

    def set_action(self, action: str) -> None:
        """Begin an action of the unit; poses show it, so that there is nothing to do here."""

    @property
    def is_playing(self) -> bool:
        """Whether `play` has begun an animation that has not ended."""
        return False

    def play(self, names: Sequence[str]) -> None:
        """Play the first of some animations that it has, once; here it has none."""

    def set_pose(self, pose: BodyPose) -> None:
        """Move the body and the feet."""
        self._np.set_pos(*pose.shift, pose.lift)
        self._np.set_hpr(0.0, -pose.lean_deg, pose.sway_deg)
        self._np.set_scale(pose.width, pose.width, pose.height)
        self._stride[0] = LVecBase4f(*pose.left, *pose.right)
        for foot, (ahead, up) in zip(self._feet, (pose.left, pose.right), strict=False):
            foot.set_pos(0.0, ahead, up)

    def set_shaders(self, has_shaders: bool) -> None:
        """Draw it for our own shaders, which show where terrain hides it, or for any light."""
        if has_shaders == self._has_shaders:
            return
        self._has_shaders = has_shaders
        self._hidden.detach_node()
        if has_shaders:
            self._hidden.reparent_to(self._np)
            self._hidden.set_shader(make_shader("hidden"))
        self._build()

    def _build(self) -> None:
        """Draw the body and its silhouette."""
        self._parts.get_children().detach()
        self._hidden.get_children().detach()
        if self._has_shaders:
            look = self._shape, self._color, self._is_far
            self._parts.attach_new_node(_body(*look))
            self._hidden.attach_new_node(_outline(*look))
            self._feet = []
        else:
            made = figure(self._shape, self._color)
            self._parts.attach_new_node(make_geom_node("trunk", made.body, is_solid=True))
            self._feet = [
                self._parts.attach_new_node(make_geom_node("foot", foot, is_solid=True))
                for foot in made.feet
            ]


@cache
def _body(shape: str, color: Color, is_far: bool) -> GeomNode:
    """Return the node of a body, shared by all figures that look alike."""
    return make_geom_node("trunk", figure_mesh(shape, color, is_far=is_far), is_solid=True)


@cache
def _outline(shape: str, color: Color, is_far: bool) -> GeomNode:
    return make_geom_node("outline", outline_mesh(shape, color, is_far=is_far))


class _AnimatedModel(FigureModel):
    """Plays animations with these names; an action without one moves the model as a whole."""

    def __init__(self, parent: NodePath, names: Iterable[str], color: Color) -> None:
        # glTF files of Blender name them "Armature|Walk".
        self._names = {name.rpartition("|")[2].lower(): name for name in names}
        self._played = self._clip = ""
        super().__init__(parent, "", color)

    def _begin(self, name: str, loops: bool) -> None:
        """Play an animation from its beginning."""
        raise NotImplementedError

    def _end(self) -> None:
        """Stop the animation."""
        raise NotImplementedError

    def _is_running(self, name: str) -> bool:
        """Return whether an animation has begun and not ended."""
        raise NotImplementedError

    @property
    def has_feet(self) -> bool:
        """True: without animations it stands and sways like a figure on feet."""
        return True

    def _build(self) -> None:
        """Draw the silhouette in the team's color; the model keeps its own colors."""
        self._hidden.get_children().detach()
        layers = ("rims", 0.0, RIM_BRIGHTER), ("silhouettes", -RIM, 0.0)
        for name, growth, white in layers if self._has_shaders else ():
            layer = self._hidden.attach_new_node(name)
            set_figure_bin(layer, name)
            red, green, blue = (part + (1 - part) * white for part in self._color)
            layer.set_shader_inputs(growth=growth, tint=LVecBase4f(red, green, blue, 1.0))
            self._parts.instance_to(layer)

    @property
    def is_playing(self) -> bool:
        """Whether `play` has begun an animation that has not ended."""
        return bool(self._clip) and self._is_running(self._clip)

    def play(self, names: Sequence[str]) -> None:
        """Play the first of some animations that the model has, once."""
        found = [name.lower() for name in names if name.lower() in self._names]
        if found:
            self._played = self._clip = self._names[found[0]]
            self._begin(self._clip, loops=False)

    def set_action(self, action: str) -> None:
        """Play the animation of an action, if the model has one, after that of `play`."""
        if self.is_playing:
            return
        if self._clip:
            self._clip, self._played = "", " "  # so that the animation begins again
        found = [name for name in ANIMATIONS.get(action, ()) if name in self._names]
        wanted = self._names[found[0]] if found else ""
        if wanted == self._played:
            return
        self._played = wanted
        if wanted:
            self._begin(wanted, loops=action in _LOOPS)
        else:
            self._end()

    def set_pose(self, pose: BodyPose) -> None:
        """Move the whole model, unless an animation moves it."""
        super().set_pose(BodyPose() if self._played else pose)


class ActorModel(_AnimatedModel):
    """Shows a model as a figure, with the animations that it has."""

    def __init__(
        self, parent: NodePath, model: NodePath | str | os.PathLike[str], color: Color
    ) -> None:
        shown = load_model(model)
        self._actor: Actor | None = None
        character = shown.find("**/+Character")
        if isinstance(shown, Actor):
            self._actor = shown
        elif not character.is_empty():
            place = character.get_parent().get_mat(shown.get_parent())  # which `Actor` leaves out
            self._actor = Actor(shown)
            self._actor.set_mat(place)
        super().__init__(parent, self._actor.get_anim_names() if self._actor else (), color)
        if self._actor is None:
            shown.copy_to(self._parts)
        else:
            self._actor.reparent_to(self._parts)

    def _begin(self, name: str, loops: bool) -> None:
        if self._actor is not None:
            (self._actor.loop if loops else self._actor.play)(name)

    def _end(self) -> None:
        if self._actor is not None:
            self._actor.stop()

    def _is_running(self, name: str) -> bool:
        control = self._actor and self._actor.get_anim_control(name)
        return bool(control and control.is_playing())


class SpriteModel(_AnimatedModel):
    """Shows a picture as a figure, with the animations that it has."""

    def __init__(self, sprite: Sprite3D, color: Color) -> None:
        self._sprite = sprite
        super().__init__(sprite.np, sprite.animations, color)
        sprite.card.reparent_to(self._parts)

    def _begin(self, name: str, loops: bool) -> None:
        self._sprite.play(name, loops)

    def _end(self) -> None:
        self._sprite.stop()

    def _is_running(self, name: str) -> bool:
        return self._sprite.is_playing and self._sprite.animation == name

    def set_pose(self, pose: BodyPose) -> None:
        """Lift and stretch the picture, which stays upright."""
        super().set_pose(replace(pose, lean_deg=0.0, sway_deg=0.0))
