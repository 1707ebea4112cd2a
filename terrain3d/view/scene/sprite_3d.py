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
from terrain3d.core.signals import export
from terrain3d.grid.kinds import PLAIN
from terrain3d.mesh.data import UP, MeshData, surface_of
from terrain3d.view.geometry import make_geom, make_texture
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.window.panda_tree import Node3D

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
    """Shows a picture, or those of a sheet, upright and toward the camera.

    It stands on the point of its node. Below a `Terrain3D` it is lit as the ground is and casts a
    shadow. Where its alpha is less than one half nothing is drawn. Pixels stay sharp.

    Parameters
    ----------
    texture : path or array
        An image file, or an array (height, width, 3 or 4) of 0..255 with the top row first.
    animations : mapping of str to sequences of int, optional
        The columns of the sheet that each animation shows in turn, the left one is 0. The first
        animation plays at first. Without any the left column is shown.
    directions : sequence of str
        What is seen in the rows of the sheet, from the top: 1 to 8 names of `DIRECTIONS`. The row
        that is nearest to what the camera sees is shown.
    hframes : int
        The number of columns; the width of the sheet must be a multiple of it, and its height of
        the number of directions.
    pixel_size : float
        Edge of a pixel in tiles; by default 32 pixels are one tile.

    Raises
    ------
    TypeError, ValueError
        The texture cannot be read, or the sheet cannot be divided; an animation has no frames or
        one beyond the sheet, or a direction is unknown or named twice.
    """

    pixel_size = export(PIXEL_SIZE, range=(1e-6, 1e3), doc="edge of a pixel, in tiles")
    fps = export(8.0, range=(0.0, 1000.0), doc="frames a second")

    def __init__(
        self,
        texture: str | os.PathLike[str] | NDArray[np.uint8],
        animations: Mapping[str, Iterable[int]] | None = None,
        directions: Iterable[str] = ("front",),
        hframes: int = 1,
        pixel_size: float = PIXEL_SIZE,
        name: str = "",
    ) -> None:
        super().__init__(name)
        pixels = _pixels(texture) if isinstance(texture, np.ndarray) else _read(texture)
        high, wide, _ = pixels.shape
        rows = tuple(
            one_of("direction", each, DIRECTIONS) for each in listed("directions", directions)
        )
        if not 0 < len(set(rows)) == len(rows):
            raise ValueError(f"directions must be different names, got {quoted(rows)}")
        self._rows = {each: row for row, each in enumerate(rows)}
        hframes = whole_within("hframes", hframes, 1, wide)
        if wide % hframes or high % len(rows):
            frames = f"{hframes} x {len(rows)} frames"
            raise ValueError(f"{frames} do not divide {wide} x {high} pixels")
        self._size = wide // hframes, high // len(rows)
        named = {"still": (0,)} if animations is None else animations
        read: dict[str, tuple[int, ...]] = {}
        for key, columns in instance_of("animations", named, Mapping).items():
            what = f"a frame of {quoted(key)}"
            given = [whole_within(what, each, 0, hframes - 1) for each in listed("frames", columns)]
            if not given:
                raise ValueError(f"animation {quoted(key)} must have frames, got none")
            read[instance_of("an animation's name", key, str)] = tuple(given)
        if not read:
            raise ValueError("animations must have at least one entry, got none")
        self.animations: Mapping[str, tuple[int, ...]] = MappingProxyType(read)
        """The columns of each animation, read-only."""
        self.pixel_size = pixel_size
        self._direction, self._animation = rows[0], next(iter(read))
        self._played_s, self._loops, self._is_playing = 0.0, True, True
        self._drawn: tuple[object, ...] = ()
        self.card = self.np.attach_new_node("body").attach_new_node(GeomNode("card"))
        """The NodePath of what is drawn, turned to the camera."""
        self.card.set_texture(_texture(pixels))
        self.card.set_transparency(TransparencyAttrib.M_binary)
        self.card.set_two_sided(True)
        self.card.set_shader_input("upright", Vec3.up())
        self._draw()
        self._terrain: Terrain3D | None = None

    @property
    def animation(self) -> str:
        """The name of the animation that is shown."""
        return self._animation

    @property
    def direction(self) -> str:
        """The direction that is shown, one of `directions`."""
        return self._direction

    @property
    def frame(self) -> int:
        """The column of the sheet that is shown."""
        frames = self.animations[self._animation]
        return frames[min(int(self._played_s * self.fps + 1e-6), len(frames) - 1)]

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
        one_of("animation", animation, self.animations)
        loops = true_or_false("loops", loops)
        goes_on = self._is_playing and self._loops and loops
        if not (goes_on and animation == self._animation):
            self._played_s = 0.0
        self._animation, self._loops, self._is_playing = animation, loops, True

    def stop(self) -> None:
        """Stop the animation at the first frame."""
        self._is_playing, self._played_s = False, 0.0

    def _enter_tree(self) -> None:
        self.listen(self.panda.processed, self._follow)
        self._terrain = self.find_ancestor(Terrain3D)
        if self._terrain is not None:
            self._terrain.daylight.add_subject(self.card)
            is_linear = self._terrain.daylight.is_linear
            colors = Texture.F_srgb_alpha if is_linear else Texture.F_rgba
            self.card.get_texture().set_format(colors)
        self._follow()

    def _exit_tree(self) -> None:
        if self._terrain is not None:
            self._terrain.daylight.remove_subject(self.card)
            self._terrain = None
            self._drawn = ()  # what was drawn before may be there again

    def _freed(self) -> None:
        self.card.remove_node()  # else the texture stays as long as this object
        super()._freed()

    def _process(self, dt_s: float) -> None:
        if self._is_playing:
            self._played_s += dt_s
            length_s = len(self.animations[self._animation]) / self.fps if self.fps else math.inf
            if self._played_s >= length_s:
                if self._loops:
                    self._played_s %= length_s
                else:
                    self._is_playing = False
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
        self._direction = seen_direction(-heading_deg, self._rows)

    def _draw(self) -> None:
        column, row = self.frame, self._rows[self._direction]
        wanted = column, row, self.pixel_size
        if wanted == self._drawn:
            return
        self._drawn = wanted
        (wide, high), sheet = self._size, self.card.get_texture()
        columns = column * wide + np.array([_EDGE, wide - _EDGE])
        rows = (len(self._rows) - row) * high - np.array([high - _EDGE, _EDGE])
        half, tall = self.pixel_size * wide / 2, self.pixel_size * high
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        x, z = np.array([-half, half])[corners[:, 0]], np.array([0.0, tall])[corners[:, 1]]
        u = columns[corners[:, 0]] / sheet.get_x_size()
        v = rows[corners[:, 1]] / sheet.get_y_size()
        uv = np.stack([u, v], axis=1)
        points = np.stack([x, np.zeros(4), z], axis=1)
        # Its normal points up, so that it is as bright as the ground from all sides.
        triangles = np.array([0, 1, 2, 0, 2, 3])
        mesh = MeshData.of(points, UP, (1.0, 1.0, 1.0), surface_of(PLAIN), triangles, uv)
        geom, node = make_geom(mesh), self.card.node()
        geom.modify_vertex_data().name = "sprite"  # it has no marks, as meshes of the ground do
        assert isinstance(node, GeomNode)
        if node.get_num_geoms():
            node.set_geom(0, geom)  # its state stays, and shadows are drawn again
        else:
            node.add_geom(geom)


def seen_direction(heading_deg: float, directions: Iterable[str]) -> str:
    """Return which of some directions is the nearest to what a camera sees of a figure.

    Its heading is relative to the camera's, counter-clockwise. Of two that are as near it is the
    first one.
    """

    def away_deg(direction: str) -> float:
        turned = heading_deg - 360.0 / len(DIRECTIONS) * DIRECTIONS.index(direction)
        return round(abs((turned + 180.0) % 360.0 - 180.0), 2)  # a camera trembles by less

    return min(directions, key=away_deg)


def _texture(pixels: NDArray[np.uint8]) -> Texture:
    """Return a texture whose sides are powers of two, as not all renderers draw others."""
    above, beside = ((1 << (size - 1).bit_length()) - size for size in pixels.shape[:2])
    texture = make_texture("sprite", np.pad(pixels[::-1], ((0, above), (0, beside), (0, 0))))
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
