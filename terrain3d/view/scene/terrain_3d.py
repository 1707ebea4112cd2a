"""Show a map by chunks that follow camera and edits, and find the tile under the pointer."""

from __future__ import annotations

import math
import time
from functools import partial, reduce
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from panda3d.core import (
    BoundingBox,
    LMatrix4,
    LPoint3,
    LVector3,
    NodePath,
    Point3,
    Texture,
    TextureStage,
)

from terrain3d.core.checks import instance_of, true_or_false
from terrain3d.core.signals import Signal
from terrain3d.grid.grid import Cell, Rect
from terrain3d.look.orbit import map_box
from terrain3d.look.settings import HIGH, Quality, quality_of
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.chunks import Chunk, ChunkPlan, ChunkTree, Sight, chunk_mesh
from terrain3d.mesh.ground.coarse import coarse_mesh
from terrain3d.mesh.ground.paint import KindPalette
from terrain3d.view.geometry import LINEAR, SEAM_SPAN, make_geom, make_geom_node, seam_texture
from terrain3d.view.light.daylight import Daylight
from terrain3d.view.window.panda_tree import Node3D
from terrain3d.view.window.viewport import cameras_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from panda3d.core import Geom

    from terrain3d.core.node import Node
    from terrain3d.grid.kinds import Color
    from terrain3d.look.lighting_presets import Mood
    from terrain3d.look.orbit import Point

BUDGET_S = 0.008
"""Time to build chunks in a frame; one is built in any case."""
_N_EDITED = 2
"""Chunks that are built in the frame of an edit: edited ones, and one that the view lacks."""
_N_SPARE = 128
"""Chunks that are kept although they are not shown."""
_GROUP = "terrain3d"
_CHEST_Z = 0.55  # of a figure: the point that plants must not hide
_HEADROOM = 1.5  # figures on the highest tile cast shadows too


class Terrain3D(Node3D):
    """Shows a `TileMap` with light and shadows, and follows its edits.

    Child nodes use the map's coordinates; a tile's center is `tilemap.surface_point(cell)`.

    Parameters
    ----------
    tilemap : TileMap
    name : str
    quality : Quality or str
        Drawing quality; see `terrain3d.look.settings`.
    lighting : {"own", "scene"}
        With "scene" there are no shaders and no sky: the lights, the fog and the renderer of the
        scene graph light the terrain and its figures, which have vertex colors, normals and matte
        materials.
    has_linear_colors : bool
        Whether those colors are linear instead of sRGB, as renderers with tone mapping expect.
    """

    tile_hovered = Signal("cell")
    """The pointer is over another tile: its `Cell`, or None outside the map."""
    tile_clicked = Signal("cell", "button")
    """A click: the tile's `Cell`, or None outside the map, and "left", "middle" or "right"."""

    def __init__(
        self,
        tilemap: TileMap,
        name: str = "",
        quality: Quality | str = HIGH,
        lighting: str = "own",
        *,
        has_linear_colors: bool = False,
    ) -> None:
        super().__init__(name)
        self.add_to_group(_GROUP)
        self._tilemap = instance_of("tilemap", tilemap, TileMap)
        self._quality = quality_of(quality)
        self._hovered: Cell | None = None
        self._looked: tuple[object, ...] = ()
        self.pick_targets: list[PickTarget] = []
        """Figures on the tiles; pointing at one counts as pointing at its tile."""
        self._ground = self.np.attach_new_node("ground")
        true_or_false("has_linear_colors", has_linear_colors)
        _show_seams(self._ground, tilemap, is_linear=has_linear_colors)
        self._chunks = ChunkNodes(
            tilemap,
            self._ground,
            has_ground_cover=self._quality.has_ground_cover,
            is_linear=has_linear_colors,
        )
        self._built_version = tilemap.version
        self._full_rect = self._chunks.full_rect
        values = *self._box(), tilemap.grid.headings, lighting
        self.daylight = self.add_child(Daylight(*values, has_linear_colors=has_linear_colors))
        self.daylight.quality = self._quality
        self.daylight.add_subject(self._ground)
        if has_linear_colors:
            self.np.set_tag(LINEAR, "1")

    @property
    def tilemap(self) -> TileMap:
        """The map it shows; another map needs another terrain."""
        return self._tilemap

    @property
    def hovered(self) -> Cell | None:
        """The tile under the pointer; None outside the map."""
        return self._hovered

    @property
    def mood(self) -> Mood:
        """Light of the terrain; may be set by name. See `look.lighting_presets`."""
        return self.daylight.mood

    @mood.setter
    def mood(self, mood: Mood | str) -> None:
        self.daylight.mood = mood

    @property
    def quality(self) -> Quality:
        """Drawing quality; may be set by name. It does not change the samples of an open window."""
        return self._quality

    @quality.setter
    def quality(self, quality: Quality | str) -> None:
        self._quality = quality_of(quality)
        self.daylight.quality = self._quality
        self._chunks.set_ground_cover(self._quality.has_ground_cover)

    def _enter_tree(self) -> None:
        self.listen(self.panda.pointer.clicked, self._click)

    def _exit_tree(self) -> None:
        self._hover(None)
        self._looked = ()

    def _freed(self) -> None:
        self._chunks.close()
        super()._freed()

    @property
    def is_built(self) -> bool:
        """Whether all that the camera sees is drawn as finely as it will be."""
        return self._chunks.is_built and self._built_version == self._tilemap.version

    def build_visible(self) -> None:
        """Build all that the camera sees now, instead of a part in each frame."""
        self._build(math.inf)

    def geom_of(self, rect: Rect) -> Geom:
        """Return the shape of a part of the map as it is now, without ground cover.

        It is in the map's coordinates, such as for a body of a physics engine.

        Raises
        ------
        IndexError
            The rectangle reaches beyond the map.
        """
        mesh = chunk_mesh(self._tilemap, instance_of("rect", rect, Rect), has_ground_cover=False)
        return make_geom(mesh)

    def _process(self, _dt_s: float) -> None:
        self._build(BUDGET_S)
        self._look()
        self._show_figures()

    def _show_figures(self) -> None:
        """Keep plants out of the way to the figures nearest to the camera and the hovered tile."""
        if not (self.daylight.has_shaders and self.panda.has_camera):
            return
        eye = self.panda.viewport.camera.get_pos(self.np)
        shown = (each.point for each in self.pick_targets if each.map_dot is not None)
        points = sorted(shown, key=partial(math.dist, eye))
        if self._hovered is not None and self._tilemap.has_cell(self._hovered):
            points.insert(0, self._tilemap.surface_point(self._hovered))
        self.daylight.show_points([(x, y, z + _CHEST_Z) for x, y, z in points])

    def _build(self, budget_s: float) -> None:
        """Follow the map and the camera; spend at most this time on other than edited chunks."""
        changed = self._tilemap.changed_rects(self._built_version)
        if changed:
            self._chunks.mark(changed)
            self._built_version = self._tilemap.version
        self._chunks.update(self._sights(), budget_s)
        if changed or self._chunks.full_rect != self._full_rect:
            self._full_rect = self._chunks.full_rect
            self.daylight.fit(*self._box(), self._cast_box())

    def _sights(self) -> Sequence[Sight]:
        """Return what each camera sees that shows the map; empty if it makes no difference."""
        if self._chunks.is_whole:
            return ()
        sights = []
        for camera, lens in cameras_of(self.panda.base, self.np):
            eye = camera.get_pos(self.np)
            to_film = self.np.get_mat(camera) * lens.get_projection_mat()
            sights.append(Sight.of((eye.x, eye.y, eye.z), np.array(to_film).reshape(4, 4)))
        return sights

    def _box(self) -> tuple[Point, Point]:
        return map_box(self._tilemap, _HEADROOM)

    def _cast_box(self) -> tuple[Point, Point] | None:
        """Return the box of the part that is shown in full; None if that is all or nothing."""
        rect = self._full_rect
        if rect is None or self._chunks.is_whole:
            return None
        center, (low, high) = self._tilemap.grid.center, self._box()
        west, north = center((rect.row, rect.col))
        east, south = center((rect.row + rect.rows - 1, rect.col + rect.cols - 1))
        return (west - 1.0, south - 1.0, low[2]), (east + 1.0, north + 1.0, high[2])

    def _hit(
        self, point: tuple[float, float], includes_void: bool = False
    ) -> tuple[float, Cell | None]:
        """Return the depth in the picture and the cell of this map at a point of the window.

        A figure counts as its tile; a map that is hidden or out of the scene is not hit.
        """
        ray = self.panda.ray(point, self.np)
        if ray is None or not self.panda.viewport.shows(self.np):
            return math.inf, None
        hit = self._tilemap.cast(*ray, includes_void)
        cell, nearest = (None, math.inf) if hit is None else hit
        for target in self.pick_targets:
            distance = target.cast(*ray)
            if distance is not None and distance < nearest:
                cell, nearest = target.cell, distance
        if cell is None:
            return math.inf, None
        # The map may be scaled, so lengths in its coordinates cannot be compared with other maps'.
        origin, direction = LPoint3(*ray[0]), LVector3(*ray[1])
        met = origin + direction.normalized() * nearest
        return self.panda.viewport.camera.get_relative_point(self.np, met).y, cell

    def cell_at(self, point: tuple[float, float], includes_void: bool = False) -> Cell | None:
        """Find the tile at a point of the window; None where another map is in front.

        Parameters
        ----------
        point : (x, y)
            -1..1 from left to right and from bottom to top, as `Pointer` reports it.
        includes_void : bool
            Whether void tiles count, as if they had ground.
        """
        distance, cell = self._hit(point, includes_void)
        if cell is None:
            return None
        others = self.panda.get_nodes_in_group(_GROUP)
        hidden = any(
            other._hit(point)[0] < distance
            for other in others
            if isinstance(other, Terrain3D) and other is not self
        )
        return None if hidden else cell

    def _look(self) -> None:
        """Find the hovered tile again if pointer, view, map or a figure has moved or changed."""
        point = self.panda.pointer.scene_point
        viewport = self.panda.viewport
        if point is None or not self.panda.has_camera:
            self._looked = ()
            self._hover(None)
            return
        view = LMatrix4(viewport.camera.get_mat(self.np))
        lens = LMatrix4(viewport.lens.get_projection_mat())
        standing = tuple((each.point, each.map_dot) for each in self.pick_targets)
        looked = (point, self._tilemap.version, standing, viewport.shows(self.np), view, lens)
        if looked != self._looked:
            self._looked = looked
            self._hover(self.cell_at(point))

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.tile_hovered.emit(cell)

    def _click(self, button: str, point: tuple[float, float]) -> None:
        self.tile_clicked.emit(self.cell_at(point), button)


def _show_seams(ground: NodePath, tilemap: TileMap, *, is_linear: bool) -> None:
    """Draw the seams of tiles by a texture; the shader of own light draws finer ones."""
    texture = seam_texture(tilemap.grid.headings)
    if is_linear:
        texture = texture.make_copy()
        texture.set_format(Texture.F_srgb)
    stage, start = TextureStage.get_default(), 0.5 - 0.5 / SEAM_SPAN
    ground.set_texture(texture)
    ground.set_tex_scale(stage, 1.0 / SEAM_SPAN)
    ground.set_tex_offset(stage, start, start)


def terrain_above(node: Node) -> Terrain3D:
    """Return the nearest `Terrain3D` above a node; `RuntimeError` if there is none."""
    above = node.find_ancestor(Terrain3D)
    if above is None:
        raise RuntimeError(f"{node!r} must be below a Terrain3D")
    return above


class MapDot(NamedTuple):
    """How the small map marks something that stands on the terrain."""

    shape: tuple[int, float]
    """Its number of corners, and the angle of the first one in turns."""
    color: Color
    is_selected: bool


class PickTarget(Protocol):
    """Something on a tile that can be pointed at, such as a figure."""

    @property
    def cell(self) -> Cell:
        """The tile that is hovered when the pointer is on it."""

    @property
    def point(self) -> Point:
        """Its position, in map coordinates."""

    @property
    def map_dot(self) -> MapDot | None:
        """Its mark on the small map; None if it has none."""

    def cast(self, origin: Point, direction: Point) -> float | None:
        """Return its distance along a ray in map coordinates; None if the ray misses it."""


class ChunkNodes:
    """The nodes of a map's chunks; those that are shown are children of `parent`.

    `has_ground_cover` is whether full chunks have small plants and stones, `is_linear` whether
    colors are linear. A small map is built at
    once; of a larger one there is a coarse mesh until `update` is called.
    """

    def __init__(
        self, tilemap: TileMap, parent: NodePath, *, has_ground_cover: bool, is_linear: bool = False
    ) -> None:
        self._is_linear = is_linear
        self._tilemap, self._parent = tilemap, parent
        self._has_ground_cover = has_ground_cover
        self._tree = ChunkTree(tilemap.grid)
        self._nodes: dict[Chunk, NodePath] = {}  # those hidden last are at the end
        self._stale: dict[Chunk, None] = {}  # those edited first are built first
        self._is_edited = False
        self._shown: set[Chunk] = set()
        self._sights: Sequence[Sight] = ()
        self.full_rect: Rect | None = None
        """The smallest rectangle around the full chunks that are shown; None without any."""
        if self._tree.root.stride > 1:
            self._build(self._tree.root)
        self._replan()
        if self._tree.root.stride == 1:
            self.update((), inf)

    @property
    def is_whole(self) -> bool:
        """Whether all of the map is shown in full, from any distance."""
        return self._tree.is_whole

    @property
    def is_built(self) -> bool:
        """Whether nothing is left to build for the latest view."""
        return not self._stale and not self._plan.missing

    def mark(self, changed: Iterable[Rect]) -> None:
        """Have the chunks built again that an edit of these cells may change."""
        rects = tuple(changed)
        touched = [c for c in self._nodes if any(c.touches(rect) for rect in rects)]
        firsts = [Cell(*rect[:2]) for rect in rects]
        self._mark(sorted(touched, key=lambda c: not any(map(c.rect.holds, firsts))))
        self._is_edited = True

    def set_ground_cover(self, has_ground_cover: bool) -> None:
        """Have full chunks built again, with or without small plants and stones."""
        if has_ground_cover != self._has_ground_cover:
            self._has_ground_cover = has_ground_cover
            self._mark([chunk for chunk in self._nodes if not chunk.stride])

    def update(self, sights: Sequence[Sight], budget_s: float = BUDGET_S) -> None:
        """Show the chunks for views, and build those that they lack, as far as the time allows."""
        if sights != self._sights:
            self._sights = sights
            self._replan()
        if self.is_built:
            return
        end_s = time.perf_counter() + budget_s
        edited = [chunk for chunk in self._stale if chunk in self._shown]
        missing, wanted = self._plan.missing, self._plan.wanted
        if budget_s == inf:  # nothing has to stand in for what is wanted
            missing = [chunk for chunk in missing if chunk in wanted]
        hidden = [chunk for chunk in self._stale if chunk not in self._shown]
        chunks = [*edited, *missing, *hidden]
        if edited and self._is_edited and budget_s < inf:
            chunks, end_s = [*edited[:1], *missing[:1], *edited[1:]][:_N_EDITED], inf
        self._is_edited = False
        for number, chunk in enumerate(chunks):
            if number and time.perf_counter() > end_s:
                break
            self._build(chunk)
        self._replan()

    def close(self) -> None:
        """Free all chunks."""
        for chunk in list(self._nodes):
            self._drop(chunk)

    def _mark(self, chunks: Iterable[Chunk]) -> None:
        """Mark chunks as stale; full ones that are not shown are dropped instead."""
        for chunk in chunks:
            if chunk.stride or chunk in self._shown:
                self._stale.setdefault(chunk)
            else:
                self._drop(chunk)
        self._replan()

    def _replan(self) -> None:
        """Decide again what to show, show it, and drop what has not been shown for long."""
        height = self._tilemap.top_level * self._tilemap.step_height
        self._plan = plan = ChunkPlan(self._tree, self._sights, height, self._nodes)
        shown = plan.shown or self._shown
        for chunk in self._shown - shown:
            node = self._nodes.pop(chunk)
            node.detach_node()
            self._nodes[chunk] = node
        for chunk in shown - self._shown:
            self._nodes[chunk].reparent_to(self._parent)
        if shown != self._shown:
            self._shown = shown
            full = [chunk.rect for chunk in shown if not chunk.stride]
            self.full_rect = reduce(Rect.union, full) if full else None
        kept = shown | plan.wanted | plan.divided
        spare = [chunk for chunk in self._nodes if chunk not in kept]
        for chunk in spare[:-_N_SPARE]:
            self._drop(chunk)

    def _build(self, chunk: Chunk) -> None:
        tilemap, rect = self._tilemap, chunk.rect
        if chunk.stride:
            mesh = coarse_mesh(tilemap, rect, chunk.stride)
        else:
            mesh = chunk_mesh(tilemap, rect, has_ground_cover=self._has_ground_cover)
        if chunk in self._nodes:
            self._drop(chunk)
        looks = KindPalette.of(tilemap.kinds).looks
        geometry = make_geom_node("chunk", mesh, looks, is_solid=True, is_linear=self._is_linear)
        if len(mesh.positions):  # else the engine looks for the bounds more slowly
            spans = [(part.min(), part.max()) for part in mesh.positions.T]
            geometry.set_bounds(BoundingBox(*(Point3(*end) for end in zip(*spans, strict=True))))
        self._nodes[chunk] = node = NodePath(geometry)
        if chunk in self._shown:
            node.reparent_to(self._parent)

    def _drop(self, chunk: Chunk) -> None:
        self._nodes.pop(chunk).remove_node()
        self._stale.pop(chunk, None)
