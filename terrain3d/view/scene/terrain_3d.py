"""A map in the scene, drawn by chunks, and the tile under the pointer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from panda3d.core import LMatrix4, LPoint3, LVector3

from terrain3d.core.checks import instance_of
from terrain3d.core.signals import Signal
from terrain3d.grid.grid import Cell
from terrain3d.look.framing import map_box
from terrain3d.look.quality import HIGH, Quality, quality_of
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.chunk_tree import Sight
from terrain3d.view.geometry.screen_projection import ScreenProjection
from terrain3d.view.light.daylight import Daylight
from terrain3d.view.scene.chunk_nodes import BUDGET_S, ChunkNodes
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.core import Node
    from terrain3d.look.lighting_presets import Mood
    from terrain3d.look.orbit import Point

_GROUP = "terrain3d"
_HEADROOM = 1.5  # units on the highest tile cast shadows too


class PickTarget(Protocol):
    """Something on a tile that can be pointed at, such as a figure."""

    @property
    def cell(self) -> Cell:
        """The tile that is hovered when the pointer is on it."""

    @property
    def point(self) -> Point:
        """Its position, in map coordinates."""

    def cast(self, origin: Point, direction: Point) -> float | None:
        """Return its distance along a ray in map coordinates; None if the ray misses it."""


class Terrain3D(Node3D):
    """Shows a `TileMap` with light and shadows, and follows its edits.

    Child nodes use the map's coordinates; a tile's center is `tilemap.surface_point(cell)`.

    Parameters
    ----------
    tilemap : TileMap
    name : str
    quality : Quality or str
        Drawing quality; see `terrain3d.look.quality`.
    """

    tile_hovered = Signal("cell")
    """The pointer is over another tile: its `Cell`, or None outside the map."""
    tile_clicked = Signal("cell", "button")
    """A click: the tile's `Cell`, or None outside the map, and "left", "middle" or "right"."""

    def __init__(self, tilemap: TileMap, name: str = "", quality: Quality | str = HIGH) -> None:
        super().__init__(name)
        self.add_to_group(_GROUP)
        self._tilemap = instance_of("tilemap", tilemap, TileMap)
        self._quality = quality_of(quality)
        self._hovered: Cell | None = None
        self._looked: tuple[object, ...] = ()
        self.pick_targets: list[PickTarget] = []
        """Figures on the tiles; pointing at one counts as pointing at its tile."""
        self._ground = self.np.attach_new_node("ground")
        has_ground_cover = self._quality.has_ground_cover
        self._chunks = ChunkNodes(tilemap, self._ground, has_ground_cover=has_ground_cover)
        self._built_version = tilemap.version
        self._full_rect = self._chunks.full_rect
        self.daylight = self.add_child(Daylight(*self._box(), tilemap.grid.headings))
        self.daylight.shadow_size = self._quality.shadow_size
        self.daylight.add_subject(self._ground)

    @property
    def tilemap(self) -> TileMap:
        """The map it shows."""
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
        self.daylight.shadow_size = self._quality.shadow_size
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

    def _process(self, _dt_s: float) -> None:
        self._build(BUDGET_S)
        self._look()

    def _build(self, budget_s: float) -> None:
        """Follow the map and the camera; spend at most this time on other than edited chunks."""
        changed = self._tilemap.changed_rects(self._built_version)
        if changed:
            self._chunks.mark(changed)
            self._built_version = self._tilemap.version
        self._chunks.update(self._sight(), budget_s)
        if changed or self._chunks.full_rect != self._full_rect:
            self._full_rect = self._chunks.full_rect
            self.daylight.fit(*self._box(), self._cast_box())

    def _sight(self) -> Sight | None:
        """Return what the camera sees; None without a camera, or if it makes no difference."""
        if self._chunks.is_whole or self.panda.base.cam is None:
            return None
        base = self.panda.base
        eye = base.cam.get_pos(self.np)
        return Sight.of((eye.x, eye.y, eye.z), ScreenProjection.of(base, self.np).matrix)

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
        """Return the distance from the camera and the cell of this map at a point of the window.

        A figure counts as its unit's tile.
        """
        ray = self.panda.ray(point, self.np)
        if ray is None:
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
        return self.panda.base.cam.get_relative_point(self.np, met).length(), cell

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
        if point is None:
            self._looked = ()
            self._hover(None)
            return
        base = self.panda.base
        view = LMatrix4(base.cam.get_mat(self.np)), LMatrix4(base.camLens.get_projection_mat())
        standing = tuple(target.point for target in self.pick_targets)
        looked = (point, self._tilemap.version, standing, *view)
        if looked != self._looked:
            self._looked = looked
            self._hover(self.cell_at(point))

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.tile_hovered.emit(cell)

    def _click(self, button: str, point: tuple[float, float]) -> None:
        self.tile_clicked.emit(self.cell_at(point), button)


def terrain_above(node: Node) -> Terrain3D:
    """Return the nearest `Terrain3D` above a node; `RuntimeError` if there is none."""
    above = node.find_ancestor(Terrain3D)
    if above is None:
        raise RuntimeError(f"{node!r} must be below a Terrain3D")
    return above
