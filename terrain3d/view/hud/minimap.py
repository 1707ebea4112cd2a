"""Show a small map in a corner of the window: the ground, dots on it, and the visible part."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from panda3d.core import SamplerState, Texture

from terrain3d.core.checks import instance_of
from terrain3d.core.signals import export
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Size
from terrain3d.look.orbit import clip_to_extent, visible_ground
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, polygon, polygons
from terrain3d.picture import sampled, shaded_colors, top_surfaces
from terrain3d.view.camera import OrbitCamera3D
from terrain3d.view.command import Command
from terrain3d.view.geometry import redrawn
from terrain3d.view.hud.hud import hud_of
from terrain3d.view.hud.ui import Version
from terrain3d.view.hud.widgets import Call, Picture, Space, plate
from terrain3d.view.scene.terrain_3d import MapDot, Terrain3D
from terrain3d.view.window.panda_tree import Control

if TYPE_CHECKING:
    from terrain3d.mesh.data import MeshData

MAX_TILES = 256
"""Limit on rows and columns that are drawn; larger maps are sampled."""
REDRAW_S = 0.1
"""Time after an edit until it is drawn: not in the frame that meshes it, nor in each of a stroke.
"""
_MOST_REPEATED = 512  # greatest edge of an enlarged picture, in pixels
# In heights of the text:
_LONGEST = (11.0, 8.0, 5.5)
_PADDING = 0.4
_DOT = 0.32
_RIM = 0.13
_WEDGE = 1.9
_SEEN: Color = (1.0, 1.0, 1.0)
_SEEN_ALPHA, _WEDGE_ALPHA, _LINE_ALPHA = 0.14, 0.4, 0.85
_PICKED: Color = (1.0, 0.96, 0.75)


def map_picture(
    texture: Texture,
    wide: float,
    high: float,
    press: Callable[[float, float], object],
    space: Space,
) -> list[Version]:
    """Return plates of three sizes with a picture of a map; a press gives the point on it."""
    scales = [part / max(wide, high) for part in _LONGEST]
    least = 1 / space.px
    sizes = [(max(least, wide * scale), max(least, high * scale)) for scale in scales]
    return [(plate(Picture(texture, size, press), padding=_PADDING), space) for size in sizes]


class MiniMap(Control):
    """Shows a terrain from above, north up; a child of a `Hud`, in whose corner it is.

    Parameters
    ----------
    terrain : Terrain3D
        Its map and figures are shown.
    camera : OrbitCamera3D
        The part it sees is drawn bright; a click moves it.
    name : str
    """

    is_shown = export(True, doc="whether it is shown on the window")

    def __init__(self, terrain: Terrain3D, camera: OrbitCamera3D, name: str = "") -> None:
        super().__init__(name)
        self._terrain = instance_of("terrain", terrain, Terrain3D)
        self._camera = instance_of("camera", camera, OrbitCamera3D)
        self._texture = Texture("terrain3d-minimap")
        self._texture.set_magfilter(SamplerState.FT_nearest)
        self._texture.set_minfilter(SamplerState.FT_linear)
        self._texture.set_wrap_u(SamplerState.WM_clamp)
        self._texture.set_wrap_v(SamplerState.WM_clamp)
        self._drawn_version = -1
        self._behind_s = math.inf
        self._size: Size = (1.0, 1.0)
        self._px = 0  # the height of the text
        empty = self.np.attach_new_node("empty")
        self._visible_part = self._wedge = self._dots = empty
        self._seen: tuple[object, ...] = ()
        self._dotted: tuple[object, ...] = ()

    def _enter_tree(self) -> None:
        self._show_picture()
        keys = "Click or drag on the small map"
        go_to = Command("camera_go_to", text="move the camera there", shown_keys=keys)
        self.accept_actions([go_to], "Camera")

    def _exit_tree(self) -> None:
        hud_of(self).show(self._dock, None)

    @property
    def _dock(self) -> str:
        return f"map {self.name}"

    def _show_picture(self) -> None:
        x0, y0, x1, y1 = self._extent
        picture = Call(map_picture, (self._texture, x1 - x0, y1 - y0, self._go_to))
        hud_of(self).show(self._dock, picture if self.is_shown else None, "top right", 1)

    def _go_to(self, across: float, down: float) -> None:
        """Move the camera to the point of the map that is pressed."""
        x0, y0, x1, y1 = self._extent
        self._camera.go_to(x0 + across * (x1 - x0), y1 - down * (y1 - y0))

    def _process(self, dt_s: float) -> None:
        self._show_picture()
        dock = hud_of(self).dock(self._dock)
        if dock.box is None or dock.space is None:
            self.np.hide()
            return
        self.np.show()
        self.np.set_pos(round(dock.box.left), 0, -round(dock.box.top))
        self._size, self._px = dock.box[2:], dock.space.px
        tilemap = self._terrain.tilemap
        is_drawn = tilemap.version == self._drawn_version
        self._behind_s = 0.0 if is_drawn else self._behind_s + dt_s
        if self._behind_s >= REDRAW_S:
            self._behind_s, self._drawn_version = 0.0, tilemap.version
            picture = minimap(tilemap)
            if not self.panda.base.win.get_gsg().get_supports_tex_non_pow2():
                picture = _in_powers_of_two(picture)
            _draw(self._texture, picture)
        if self.panda.has_camera:
            self._show_visible_part()
        self._show_dots()

    def _show_visible_part(self) -> None:
        """Draw the part that the camera sees, if it has changed."""
        view, px = self._camera.view, self._px
        seen = *self._camera.in_perspective(view), self._size
        if seen == self._seen:
            return
        if seen[1:] != self._seen[1:]:  # it only turns and moves with the camera
            half = math.atan(math.tan(math.radians(seen[1]) / 2) * seen[2])
            self._wedge = redrawn(self._wedge, self.np, "wedge", _wedge(px, half), 3)
        self._seen = seen
        outline = clip_to_extent(visible_ground(*seen[:3]), self._extent)
        part = np.array([self._in_pixels(x, y) for x, y in outline.tolist()])
        shapes = []
        if len(part):
            shapes = [polygon(part, _SEEN, _SEEN_ALPHA), _line(part, 0.5 * _RIM * px)]
        part_shown, name = joined(shapes), "visible part"
        self._visible_part = redrawn(self._visible_part, self.np, name, part_shown, 2)
        length, turn = _WEDGE * px, math.radians(view.heading_deg)
        margin = _PADDING * px + 0.6 * length
        x, _, z = self._in_pixels(*view.eye[:2])
        x, z = x - 0.5 * length * math.sin(turn), z + 0.5 * length * math.cos(turn)
        width, height = self._size
        # Outside the map the wedge stays at its edge.
        x, z = max(margin, min(x, width - margin)), max(margin - height, min(z, -margin))
        self._wedge.set_pos_hpr(x, 0.0, z, 0.0, 0.0, -view.heading_deg)

    def _show_dots(self) -> None:
        """Draw the dots, if one has moved or changed."""
        marks = [(body.point, body.map_dot) for body in self._terrain.pick_targets]
        dots = (*marks, self._size)
        if dots != self._dotted:
            self._dotted = dots
            shapes = []
            # The rings of selected dots are the widest marks, so others lie over them.
            shown = [(point, dot) for point, dot in marks if dot is not None]
            for point, dot in sorted(shown, key=lambda mark: not mark[1].is_selected):
                mesh = _dot(dot, self._px)
                place = np.array(self._in_pixels(*point[:2]), np.float32)
                shapes.append(replace(mesh, positions=mesh.positions + place))
            self._dots = redrawn(self._dots, self.np, "dots", joined(shapes), 4)

    @property
    def _extent(self) -> tuple[float, float, float, float]:
        return self._terrain.tilemap.extent

    def _in_pixels(self, x: float, y: float) -> tuple[float, float, float]:
        """Return a point of the map in pixels on the plate."""
        width, height = self._size
        frame = round(_PADDING * self._px)
        x0, y0, x1, y1 = self._extent
        across, down = (x - x0) / (x1 - x0), (y1 - y) / (y1 - y0)
        return frame + across * (width - 2 * frame), 0.0, -frame - down * (height - 2 * frame)


def minimap(tilemap: TileMap) -> NDArray[np.uint8]:
    """Return the (height, width, 4) image of a map; each column shows its highest surface.

    A square tile is one pixel. A hexagon is a block of 2 pixels along its line and 3 across;
    alternate lines are offset by half a tile, like the tiles. Alpha is 0 without ground.
    """
    row, col = sampled(tilemap.rows, MAX_TILES), sampled(tilemap.cols, MAX_TILES)
    level, kind, is_void = top_surfaces(tilemap, row, col)
    picture = np.full((len(row), len(col), 4), 255, np.uint8)
    picture[..., :3] = shaded_colors(level, kind, tilemap.kinds, tilemap.top_level)
    picture[is_void] = 0
    return picture if tilemap.topology == "square" else _hexagon_blocks(picture, tilemap.topology)


def dot_outline(shape: tuple[int, float]) -> NDArray[np.float64]:
    """Return the outline of a dot; see `MapDot.shape`.

    It is (n, 2), around 0, counter-clockwise with y upward, with the area of a disk of radius 1.
    """
    sides, turn = shape
    angle = (np.arange(sides) / sides + turn) * math.tau
    radius = math.sqrt(math.tau / (sides * math.sin(math.tau / sides)))
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _hexagon_blocks(picture: NDArray[np.uint8], layout: str) -> NDArray[np.uint8]:
    """Enlarge one pixel per hexagon to blocks, alternate lines offset by half a tile."""
    has_rows = layout.endswith("r")
    lines = picture if has_rows else picture.swapaxes(0, 1)
    count, length = lines.shape[:2]
    blocks = np.zeros((3 * count + 1, 2 * length + (count > 1), 4), np.uint8)
    for parity in (0, 1):
        offset = int((parity == 1) == ("odd" in layout)) if count > 1 else 0
        doubled = np.repeat(lines[parity::2], 2, axis=1)
        for part in range(3):
            rows = blocks[1 + 3 * parity + part :: 6, offset : offset + 2 * length]
            rows[: len(doubled)] = doubled
    blocks[0] = blocks[1]
    return blocks if has_rows else blocks.swapaxes(0, 1)


@lru_cache(64)
def _dot(dot: MapDot, letters_px: int) -> MeshData:
    """Return the mesh of a dot, around 0."""
    outline = np.insert(dot_outline(dot.shape), 1, 0.0, axis=1)
    around = ((_DOT + 3 * _RIM, DARK), (_DOT + 2 * _RIM, _PICKED)) if dot.is_selected else ()
    rings = (*around, (_DOT + _RIM, DARK), (_DOT, dot.color))
    return joined([polygon(radius * letters_px * outline, shade) for radius, shade in rings])


def _wedge(letters_px: int, half: float) -> MeshData:
    """Return a wedge that opens upward by an angle to each side, its middle at 0."""
    length, turns = _WEDGE * letters_px, np.array([half, -half])
    eye = np.array([0.0, 0.0, -0.5 * length])
    ends = eye + length * np.stack([-np.sin(turns), np.zeros(2), np.cos(turns)], axis=1)
    aside = np.stack([np.cos(turns), np.zeros(2), np.sin(turns)], axis=1)
    shapes = [polygon(np.stack([eye, *ends]), _SEEN, _WEDGE_ALPHA)]
    for width, color in ((1.2 * _RIM, DARK), (0.6 * _RIM, _SEEN)):
        across = width * letters_px * aside
        corners = [eye - across, ends - across, ends + across, eye + across]
        shapes.append(polygons(np.stack(corners, axis=1), color))
    return joined(shapes)


def _line(outline: NDArray[np.float64], half_width: float) -> MeshData:
    """Return a line along the inside of a shape of (n, 3) points with y at 0."""
    along = np.roll(outline, -1, axis=0) - outline
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    inward = np.stack([-along[:, 2], along[:, 1], along[:, 0]], axis=1) * 2 * half_width
    following = np.roll(outline, -1, axis=0)
    corners = np.stack([outline, following, following + inward, outline + inward], axis=1)
    return polygons(corners, _SEEN, _LINE_ALPHA)


def _in_powers_of_two(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Repeat rows and columns of a picture until its sides are powers of two."""
    for axis, count in enumerate(picture.shape[:2]):
        size = 2 ** math.ceil(math.log2(max(count, min(4 * count, _MOST_REPEATED))))
        picture = picture.take(np.arange(size) * count // size, axis=axis)
    return picture


def _draw(texture: Texture, picture: NDArray[np.uint8]) -> None:
    height, width, _ = picture.shape
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, Texture.F_rgba)
    # From the bottom, in the engine's order of colors; it would reorder them more slowly.
    texture.set_ram_image(np.ascontiguousarray(picture[::-1, :, [2, 1, 0, 3]]))
