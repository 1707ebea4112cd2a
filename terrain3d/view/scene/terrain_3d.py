"""The map in the scene: shows it chunk by chunk, and tells which tile the pointer is on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from panda3d.core import LMatrix4, LPoint3, LVector3, NodePath

from terrain3d.core.signals import Signal
from terrain3d.grid.grid import Cell, Rect
from terrain3d.look.quality import HIGH, Quality, quality_of
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh import chunk_mesh, chunk_rects, touched_rects
from terrain3d.view.geometry.geom import make_geom_node
from terrain3d.view.light.daylight import Daylight
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from collections.abc import Iterable

    from terrain3d.core import Node
    from terrain3d.look.lighting_presets import Mood
    from terrain3d.look.orbit import Point

_GROUP = "terrain3d"
_HEADROOM = 1.5  # what stands on the highest tile casts a shadow too


class PickTarget(Protocol):
    """Something upright on a tile."""

    @property
    def cell(self) -> Cell:
        """The tile it is pointed at for."""

    @property
    def point(self) -> Point:
        """Where it stands, in map coordinates."""

    def cast(self, origin: Point, direction: Point) -> float | None:
        """Tell how far along a ray, in map coordinates, it is met; None if it is not."""


class Terrain3D(Node3D):
    """A `TileMap` as a lit diorama that follows the map's edits.

    What hangs under it uses the map's coordinates; a tile's center is `tilemap.surface_point`.

    Parameters
    ----------
    tilemap : TileMap
    name : str
    quality : Quality or str
        What it is drawn with; see `terrain3d.look.quality`.
    """

    tile_hovered = Signal("cell")
    """The pointer is over another tile: its `Cell`, or None beside the map."""
    tile_clicked = Signal("cell", "button")
    """A click: the tile's `Cell`, or None beside the map, and "left", "middle" or "right"."""

    def __init__(self, tilemap: TileMap, name: str = "", quality: Quality | str = HIGH) -> None:
        super().__init__(name)
        self.add_to_group(_GROUP)
        self._tilemap = tilemap
        self._quality = quality_of(quality)
        self._hovered: Cell | None = None
        self._looked: tuple[object, ...] = ()
        self.pick_targets: list[PickTarget] = []
        """What stands on the tiles and is pointed at in their stead."""
        self._ground = self.np.attach_new_node("ground")
        self._chunks: dict[Rect, NodePath] = {}
        self._mesh(chunk_rects(tilemap.rows, tilemap.cols))
        self._built_version = tilemap.version
        self.daylight = self.add_child(Daylight(*self._box(), tilemap.grid.headings))
        self.daylight.shadow_size = self._quality.shadow_size
        self.daylight.add_subject(self._ground)

    @property
    def tilemap(self) -> TileMap:
        """The map it shows."""
        return self._tilemap

    @property
    def hovered(self) -> Cell | None:
        """The tile under the pointer; None beside the map."""
        return self._hovered

    @property
    def mood(self) -> Mood:
        """Light of the terrain, see `look.lighting_presets`; may be set by name."""
        return self.daylight.mood

    @mood.setter
    def mood(self, mood: Mood | str) -> None:
        self.daylight.mood = mood

    @property
    def quality(self) -> Quality:
        """What it is drawn with; may be set by name. A window keeps the samples it has."""
        return self._quality

    @quality.setter
    def quality(self, quality: Quality | str) -> None:
        before, self._quality = self._quality, quality_of(quality)
        self.daylight.shadow_size = self._quality.shadow_size
        if self._quality.has_herbs != before.has_herbs:
            self._mesh(self._chunks)

    def _enter_tree(self) -> None:
        self.listen(self.panda.pointer.clicked, self._click)

    def _exit_tree(self) -> None:
        self._hover(None)
        self._looked = ()

    def _process(self, _dt_s: float) -> None:
        changed = self._tilemap.changed_since(self._built_version)
        if changed is not None:
            self._rebuild(changed)
        self._look()

    def _rebuild(self, changed: Rect) -> None:
        self._mesh(touched_rects(changed, self._tilemap.rows, self._tilemap.cols))
        self._built_version = self._tilemap.version
        self.daylight.fit(*self._box())

    def _mesh(self, rects: Iterable[Rect]) -> None:
        """Mesh chunks anew, in place of what was there."""
        for rect in tuple(rects):
            if rect in self._chunks:
                self._chunks[rect].remove_node()
            mesh = chunk_mesh(self._tilemap, rect, has_herbs=self._quality.has_herbs)
            self._chunks[rect] = self._ground.attach_new_node(make_geom_node("chunk", mesh))

    def _box(self) -> tuple[Point, Point]:
        tilemap = self._tilemap
        top = tilemap.top_level * tilemap.step_height + _HEADROOM
        x0, y0, x1, y1 = tilemap.extent
        return (x0, y0, tilemap.base_z), (x1, y1, top)

    def _meet(
        self, point: tuple[float, float], takes_void: bool = False
    ) -> tuple[float, Cell | None]:
        """Find what a point of the window shows of this map, and how far from the camera it is.

        A figure counts as its unit's tile.
        """
        ray = self.panda.ray(point, self.np)
        if ray is None:
            return math.inf, None
        hit = self._tilemap.cast(*ray, takes_void)
        cell, nearest = (None, math.inf) if hit is None else hit
        for body in self.pick_targets:
            distance = body.cast(*ray)
            if distance is not None and distance < nearest:
                cell, nearest = body.cell, distance
        if cell is None:
            return math.inf, None
        # The map may be scaled, so that its own lengths tell nothing about another map's.
        origin, direction = LPoint3(*ray[0]), LVector3(*ray[1])
        met = origin + direction.normalized() * nearest
        return self.panda.base.cam.get_relative_point(self.np, met).length(), cell

    def cell_at(self, point: tuple[float, float], takes_void: bool = False) -> Cell | None:
        """Find the tile at a point of the window; None where another map is in front.

        Parameters
        ----------
        point : (x, y)
            -1..1 from left to right and from bottom to top, as `Pointer` reports it.
        takes_void : bool
            Whether void ground counts as if it were there.
        """
        distance, cell = self._meet(point, takes_void)
        if cell is None:
            return None
        others = self.panda.get_nodes_in_group(_GROUP)
        hidden = any(
            other._meet(point)[0] < distance
            for other in others
            if isinstance(other, Terrain3D) and other is not self
        )
        return None if hidden else cell

    def _look(self) -> None:
        """Find the hovered tile again if pointer, view, map or what stands on it changed."""
        point = self.panda.pointer.scene_point
        if point is None:
            self._looked = ()
            self._hover(None)
            return
        base = self.panda.base
        view = LMatrix4(base.cam.get_mat(self.np)), LMatrix4(base.camLens.get_projection_mat())
        standing = tuple(body.point for body in self.pick_targets)
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
    """Find the `Terrain3D` that a node hangs under.

    Raises
    ------
    RuntimeError
        There is none.
    """
    above = node.find_above(Terrain3D)
    if above is None:
        raise RuntimeError(f"{node!r} must hang under a Terrain3D")
    return above
