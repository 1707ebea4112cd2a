"""Show pictures that stand upright in the scene and face the camera, still or animated."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    Filename,
    GeomNode,
    PNMImage,
    SamplerState,
    Texture,
    TransparencyAttrib,
    Vec3,
)

from terrain3d.core.checks import (
    checked_path,
    instance_of,
    listed,
    one_of,
    quoted,
    true_or_false,
    whole_within,
)
from terrain3d.core.signals import Signal, export
from terrain3d.mesh.data import UP, MeshData
from terrain3d.view.geometry import make_geom, make_texture
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.window.panda_tree import Node3D

TextureLike = str | os.PathLike[str] | NDArray[np.uint8] | Texture
"""An image file, an array (height, width, 3 or 4) of 0..255 with the top row first, or a texture.

Pixels of a file or an array stay sharp; a texture of Panda3D keeps its own filters.
"""

PIXEL_SIZE = 1 / 32
DIRECTIONS = (
    "back",
    "back_left",
    "left",
    "front_left",
    "front",
    "front_right",
    "right",
    "back_right",
)
"""What the camera sees of a figure that looks 0, 45, 90, ... degrees to the left of its view."""
_STEEPEST_DEG = 50.0
"""Above this pitch of the camera pictures lean back, so that they never become thin lines."""
_EDGE = 1e-3  # of a pixel, so that a neighbor in the sheet is never sampled


class Sprite3D(Node3D):
    """Shows a picture, or one of a sheet, upright and toward the camera, as Godot's node does.

    It stands on the point of its node. Below a `Terrain3D` it is lit as the ground is and casts a
    shadow. Where its alpha is less than one half nothing is drawn.

    Parameters
    ----------
    texture : path, array or Texture
        See `TextureLike`.
    hframes, vframes : int
        Columns and rows of the sheet; its width and height must be multiples of them.
    frame : int
        The picture that is shown, counted row by row from the top left one.
    pixel_size : float
        Edge of a pixel in tiles; by default 32 pixels are one tile.

    Raises
    ------
    TypeError, ValueError
        The texture cannot be read, the sheet cannot be divided, or there is no such frame.
    """

    pixel_size = export(PIXEL_SIZE, range=(1e-6, 1e3), doc="edge of a pixel, in tiles")

    def __init__(
        self,
        texture: TextureLike,
        name: str = "",
        hframes: int = 1,
        vframes: int = 1,
        frame: int = 0,
        pixel_size: float = PIXEL_SIZE,
    ) -> None:
        super().__init__(name)
        sheet = _texture(texture)
        self._is_own = sheet is not texture
        # A file may have been scaled when it was loaded: pixels count as they are in the file.
        self._size = (
            sheet.get_orig_file_x_size() or sheet.get_x_size(),
            sheet.get_orig_file_y_size() or sheet.get_y_size(),
        )
        self._hframes = whole_within("hframes", hframes, 1, self._size[0])
        self._vframes = whole_within("vframes", vframes, 1, self._size[1])
        if self._size[0] % hframes or self._size[1] % vframes:
            across, down = self._size
            raise ValueError(f"{hframes} x {vframes} frames do not divide {across} x {down} pixels")
        self._uv_scale = sheet.get_tex_scale()
        self.pixel_size = pixel_size
        self.frame = frame
        self._drawn: tuple[int, float] | None = None
        self.card = self.np.attach_new_node("body").attach_new_node(GeomNode("card"))
        """The NodePath of what is drawn, turned to the camera."""
        self.card.set_texture(sheet)
        self.card.set_transparency(TransparencyAttrib.M_binary)
        self.card.set_two_sided(True)
        self.card.set_shader_input("upright", Vec3.up())
        self._draw()
        self._terrain: Terrain3D | None = None

    @property
    def hframes(self) -> int:
        """Columns of the sheet."""
        return self._hframes

    @property
    def vframes(self) -> int:
        """Rows of the sheet."""
        return self._vframes

    @property
    def frame(self) -> int:
        """The picture that is shown, counted row by row from the top left one."""
        return self._frame

    @frame.setter
    def frame(self, frame: int) -> None:
        self._frame = whole_within("frame", frame, 0, self._hframes * self._vframes - 1)

    def _enter_tree(self) -> None:
        self.listen(self.panda.processed, self._follow)
        self._terrain = self.find_ancestor(Terrain3D)
        if self._terrain is not None:
            self._terrain.daylight.add_subject(self.card)
            if self._is_own:
                is_linear = self._terrain.daylight.is_linear
                colors = Texture.F_srgb_alpha if is_linear else Texture.F_rgba
                self.card.get_texture().set_format(colors)
        self._follow()

    def _exit_tree(self) -> None:
        if self._terrain is not None:
            self._terrain.daylight.remove_subject(self.card)
            self._terrain = None
            self._drawn = None  # what was drawn before may be there again

    def _freed(self) -> None:
        self.card.remove_node()  # else the texture stays as long as this object
        super()._freed()

    def _process(self, _dt_s: float) -> None:
        self._draw()  # before shadows are

    def _follow(self) -> None:
        """Turn to the camera, which is now where it sees this frame, and draw what it sees."""
        viewport = self.panda.viewport
        if viewport.is_ready and viewport.shows(self.np):
            right = self.np.get_relative_vector(viewport.camera, Vec3.right())
            ahead = self.np.get_relative_vector(viewport.camera, Vec3.forward())
            pitch_deg = math.degrees(math.atan2(-ahead.z, math.hypot(ahead.x, ahead.y)))
            self._face(math.degrees(math.atan2(right.y, right.x)), pitch_deg)
        self._draw()

    def _face(self, heading_deg: float, pitch_deg: float) -> None:
        """Face a camera with this heading relative to the node, that looks down by a pitch."""
        turned = Vec3(heading_deg, -max(0.0, pitch_deg - _STEEPEST_DEG), 0.0)
        if not turned.almost_equal(self.card.get_hpr(), 1e-3):
            self.card.set_hpr(turned)
            upright = self.card.get_relative_vector(self.card.get_parent(), Vec3.up())
            self.card.set_shader_input("upright", upright)

    def _draw(self) -> None:
        wanted = self._frame, self.pixel_size
        if wanted == self._drawn:
            return
        self._drawn = wanted
        wide, high = self._size[0] // self._hframes, self._size[1] // self._vframes
        row, column = divmod(self._frame, self._hframes)
        left, top = column * wide + _EDGE, row * high + _EDGE
        across = np.array([left, left + wide - 2 * _EDGE]) / self._size[0] * self._uv_scale.x
        up = 1.0 - np.array([top + high - 2 * _EDGE, top]) / self._size[1]
        half, tall = self.pixel_size * wide / 2, self.pixel_size * high
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        x, z = np.array([-half, half])[corners[:, 0]], np.array([0.0, tall])[corners[:, 1]]
        v = up[corners[:, 1]] * self._uv_scale.y
        uv = np.stack([across[corners[:, 0]], v, np.zeros(4)], axis=1)
        points = np.stack([x, np.zeros(4), z], axis=1)
        # Its normal points up, so that it is as bright as the ground from all sides.
        mesh = MeshData.of(points, UP, (1.0, 1.0, 1.0), uv, np.array([0, 1, 2, 0, 2, 3]))
        geom, node = make_geom(mesh), self.card.node()
        geom.modify_vertex_data().name = "sprite"  # it has no marks, as meshes of the ground do
        assert isinstance(node, GeomNode)
        if node.get_num_geoms():
            node.set_geom(0, geom)  # its state stays, and shadows are drawn again
        else:
            node.add_geom(geom)


class AnimatedSprite3D(Sprite3D):
    """Plays animations of a sheet, in the frames of the direction that the camera sees.

    The columns of the sheet are pictures of an animation, the rows directions.

    Parameters
    ----------
    texture : path, array or Texture
        See `TextureLike`.
    animations : mapping of str to sequences of int
        The frames of each animation in the first direction, counted as in `Sprite3D.frame`. Those
        in the second direction are one row below, and so on. The first animation plays at first.
    directions : sequence of str
        What is seen in the rows, from the top: 1 to 8 names of `DIRECTIONS`. The nearest is shown.
    name, hframes, vframes, pixel_size
        As of `Sprite3D`.

    Raises
    ------
    TypeError, ValueError
        As of `Sprite3D`; or an animation has no frames or one beyond the sheet, or a direction is
        unknown or named twice.
    """

    fps = export(8.0, range=(0.0, 1000.0), doc="frames a second")
    animation_finished = Signal("animation")
    """An animation that does not loop has shown its last frame, which stays."""

    def __init__(
        self,
        texture: TextureLike,
        animations: Mapping[str, Iterable[int]],
        directions: Iterable[str],
        hframes: int = 1,
        vframes: int = 1,
        name: str = "",
        pixel_size: float = PIXEL_SIZE,
    ) -> None:
        super().__init__(texture, name, hframes, vframes, 0, pixel_size)
        rows = tuple(
            one_of("direction", each, DIRECTIONS) for each in listed("directions", directions)
        )
        if not 0 < len(set(rows)) == len(rows) <= self.vframes:
            wanted = f"1 to {self.vframes} different names, one for a row"
            raise ValueError(f"directions must be {wanted}, got {quoted(rows)}")
        self._rows = {each: row for row, each in enumerate(rows)}
        last = self.hframes * (self.vframes - len(rows) + 1) - 1
        self._animations: dict[str, tuple[int, ...]] = {}
        for key, frames in instance_of("animations", animations, Mapping).items():
            what = f"a frame of {quoted(key)}"
            given = tuple(whole_within(what, each, 0, last) for each in listed("frames", frames))
            if not given:
                raise ValueError(f"animation {quoted(key)} must have frames, got none")
            self._animations[instance_of("an animation's name", key, str)] = given
        if not self._animations:
            raise ValueError("animations must have at least one entry, got none")
        self.animations: Mapping[str, tuple[int, ...]] = MappingProxyType(self._animations)
        """The frames of each animation in the first direction, read-only."""
        self._direction = rows[0]
        self._animation = next(iter(self._animations))
        self._played_s, self._loops, self._is_playing = 0.0, True, True

    @property
    def animation(self) -> str:
        """The name of the animation that is shown."""
        return self._animation

    @property
    def direction(self) -> str:
        """The direction that is shown, one of `directions`."""
        return self._direction

    @property
    def is_playing(self) -> bool:
        """Whether the animation runs: it was neither stopped nor has it ended."""
        return self._is_playing

    def play(self, animation: str, loops: bool = True) -> None:
        """Play an animation from its beginning; one that loops and plays already goes on.

        Raises
        ------
        TypeError, ValueError
            There is no such animation.
        """
        one_of("animation", animation, self._animations)
        loops = true_or_false("loops", loops)
        goes_on = self._is_playing and self._loops and loops
        if not (goes_on and animation == self._animation):
            self._played_s = 0.0
        self._animation, self._loops, self._is_playing = animation, loops, True

    def stop(self) -> None:
        """Stop the animation at the first frame."""
        self._is_playing, self._played_s = False, 0.0

    def _process(self, dt_s: float) -> None:
        if self._is_playing:
            self._advance(dt_s)
        self._show()

    def _advance(self, dt_s: float) -> None:
        self._played_s += dt_s
        length_s = len(self._animations[self._animation]) / self.fps if self.fps else math.inf
        if self._played_s < length_s:
            return
        if self._loops:
            self._played_s %= length_s
        else:
            self._is_playing = False
            self.animation_finished.emit(self._animation)

    def _face(self, heading_deg: float, pitch_deg: float) -> None:
        super()._face(heading_deg, pitch_deg)
        self._direction = seen_direction(-heading_deg, self._rows)

    def _follow(self) -> None:
        super()._follow()
        self._show()

    def _show(self) -> None:
        """Draw the frame of this time and direction."""
        frames = self._animations[self._animation]
        number = min(int(self._played_s * self.fps + 1e-6), len(frames) - 1)
        self.frame = frames[number] + self._rows[self._direction] * self.hframes
        self._draw()


def seen_direction(heading_deg: float, directions: Iterable[str]) -> str:
    """Return which of some directions is the nearest to what a camera sees of a figure.

    Its heading is relative to the camera's, counter-clockwise. Of two that are as near it is the
    first one.
    """

    def away_deg(direction: str) -> float:
        turned = heading_deg - 360.0 / len(DIRECTIONS) * DIRECTIONS.index(direction)
        return round(abs((turned + 180.0) % 360.0 - 180.0), 2)  # a camera trembles by less

    return min(directions, key=away_deg)


def _texture(source: TextureLike) -> Texture:
    """Return a texture of a sheet; see `TextureLike`."""
    if isinstance(source, Texture):
        if not source.get_x_size():
            raise ValueError("texture must have pixels, got an empty one")
        return source
    pixels = _pixels(source) if isinstance(source, np.ndarray) else _read(source)
    high, wide, _ = pixels.shape
    # Not all renderers draw textures whose sides are no powers of two.
    above, beside = ((1 << (size - 1).bit_length()) - size for size in (high, wide))
    texture = make_texture("sprite", np.pad(pixels[::-1], ((0, above), (0, beside), (0, 0))))
    texture.set_orig_file_size(wide, high)
    texture.set_pad_size(beside, above)
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
    texture.set_magfilter(SamplerState.FT_nearest)
    texture.set_minfilter(SamplerState.FT_nearest)
    return texture


def _pixels(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    shape = array.shape
    if array.dtype != np.uint8 or len(shape) != 3 or shape[2] not in (3, 4) or not array.size:
        wanted = "a uint8 array (height, width, 3 or 4)"
        raise ValueError(f"texture must be {wanted}, got {array.dtype} {shape}")
    opaque = np.full((*shape[:2], 4 - shape[2]), 255, np.uint8)
    return np.concatenate([array, opaque], axis=2)


def _read(source: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Return the (height, width, 4) pixels of an image file, the top row first."""
    path, image, texture = checked_path("texture", source), PNMImage(), Texture()
    if not path.is_file() or not image.read(Filename.from_os_specific(str(path))):
        raise ValueError(f"texture must be an image file, got {quoted(str(path))}")
    texture.load(image)
    pixels = np.frombuffer(texture.get_ram_image_as("RGBA").get_data(), np.uint8)
    shown: NDArray[np.uint8] = pixels.reshape(image.get_y_size(), image.get_x_size(), 4)
    return shown[::-1]
