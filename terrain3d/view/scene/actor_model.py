"""A model made elsewhere as a figure: its own geometry, textures and named animations."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from direct.actor.Actor import Actor
from panda3d.core import Filename, Loader, NodePath

from terrain3d.core.checks import checked_path
from terrain3d.look.animation import BodyPose
from terrain3d.view.light.shaders import model_shader
from terrain3d.view.scene.figure_model import FigureModel

if TYPE_CHECKING:
    from terrain3d.grid.kinds import Color

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
_GLTF = {".glb", ".gltf"}
_UPRIGHT = BodyPose()


class ActorModel(FigureModel):
    """Shows a model as a figure; an action without an animation moves it as a whole."""

    def __init__(
        self, parent: NodePath, model: NodePath | str | os.PathLike[str], color: Color
    ) -> None:
        shown = load_model(model)
        is_animated = isinstance(shown, Actor) or not shown.find("**/+Character").is_empty()
        self._actor: Actor | None = None
        if is_animated:
            self._actor = shown if isinstance(shown, Actor) else Actor(shown)
        names = [] if self._actor is None else self._actor.get_anim_names()
        # glTF files of Blender name them "Armature|Walk".
        self._names = {name.rpartition("|")[2].lower(): name for name in names}
        self._played = ""
        super().__init__(parent, "", color)
        if self._actor is None:
            shown.copy_to(self._parts)
        else:
            self._actor.reparent_to(self._parts)

    @property
    def has_feet(self) -> bool:
        """True: without animations it stands and sways like a figure on feet."""
        return True

    def set_color(self, color: Color) -> None:
        """Set the color of its silhouette; the model keeps its own colors."""
        self._tint(color)

    def set_action(self, action: str) -> None:
        """Play the animation of an action, if the model has one."""
        found = [name for name in ANIMATIONS.get(action, ()) if name in self._names]
        wanted = self._names[found[0]] if found else ""
        if self._actor is None or wanted == self._played:
            return
        self._played = wanted
        if not wanted:
            self._actor.stop()
        elif action in _LOOPS:
            self._actor.loop(wanted)
        else:
            self._actor.play(wanted)

    def set_pose(self, pose: BodyPose) -> None:
        """Move the whole model, unless an animation moves it."""
        super().set_pose(_UPRIGHT if self._played else pose)

    def show_hidden(self, glsl: int) -> None:
        """Draw the silhouette, and light the model with its textures."""
        super().show_hidden(glsl)
        self.body.set_shader(model_shader(glsl))


def load_model(model: NodePath | str | os.PathLike[str]) -> NodePath:
    """Return a model, read from a file if a path is given; it raises as `Unit3D` does."""
    if isinstance(model, NodePath):
        if model.is_empty():
            raise ValueError("model must not be an empty NodePath")
        return model
    path = checked_path("model", model)
    if not path.is_file():
        raise ValueError(f"model must be a file that exists, got {str(path)!r}")
    if path.suffix.lower() in _GLTF:
        try:
            import gltf
        except ImportError:
            needs = 'pip install "terrain3d-tactics[models]"'
            raise ImportError(f"{path.name} needs panda3d-gltf: {needs}") from None
        return NodePath(gltf.load_model(str(path)))
    node = Loader.get_global_ptr().load_sync(Filename.from_os_specific(str(path)))
    if node is None:
        raise ValueError(f"model {str(path)!r} cannot be read by Panda3D's loader")
    return NodePath(node)
