"""A recorded search on the map, step by step: open and closed tiles, costs, and the path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import NodePath

from ai.view.step_player import StepPlayer
from terrain3d.core.signals import export
from terrain3d.core.translation import tr
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import Color
from terrain3d.grid.reason import describe_place, plain_reason
from terrain3d.look.orbit import map_box
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays import search_tiles
from terrain3d.mesh.overlays.flat_shapes import PIN_HEIGHT, frame, pin
from terrain3d.mesh.overlays.search_tiles import SurfacePositions
from terrain3d.view.geometry import (
    FaceSheet,
    attach_look,
    make_geom_node,
    pattern_texture,
    set_unlit,
)
from terrain3d.view.hud.hud import Caption3D
from terrain3d.view.scene.labels_3d import Labels3D
from terrain3d.view.scene.path_ribbon_3d import PathRibbon3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.viewport import WHOLE, ScreenProjection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ai.navigation.replay import Replay
    from terrain3d.look.orbit import Point
    from terrain3d.map.tilemap import TileMap
    from terrain3d.mesh.data import MeshData

CLOSED_NOW_COLOR: Color = (1.0, 1.0, 1.0)
START_COLOR: Color = (0.45, 0.95, 0.80)
GOAL_COLOR: Color = (1.0, 0.84, 0.25)

_SORT = 12
_PIN_SORT = 35
_LEAST_PIN_PART = 1 / 12
"""Least height of a pin, as a part of the window's."""
_FRAME_LIFT = 0.035
_AROUND = 1.5
_LOOKS = np.array([search_tiles.HIDDEN, search_tiles.OPEN, search_tiles.CLOSED])
"""Looks of nodes in states 0, 1 and 2: not yet met, open, closed."""

_SHOW_PX, _HIDE_PX = 54.0, 50.0
"""Sizes of a tile at which its numbers appear, and below which they disappear."""

_F_SIZE, _GH_SIZE = 0.31, 0.175
"""Heights of the two sizes of text, in tiles."""

_GH_COLOR = (0.86, 0.93, 1.0)


class SearchTheatre3D(StepPlayer):
    """Plays one recorded search; a child of Terrain3D.

    It shows nothing more after an edit of the map, since the search ran on the old map.

    Parameters
    ----------
    replay : Replay
        Records a search on the terrain's map.
    name : str
    has_keys : bool
        Whether it has the commands of a `StepPlayer`.

    Examples
    --------
    ::

        search = navigation.begin_search((0, 0), (9, 9))
        theatre = terrain.add_child(SearchTheatre3D(Replay(search)))
        theatre.finished.connect(lambda: print(theatre.caption))
        theatre.play()
    """

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the caption's text")
    path_color = export(
        PAINTED.path, range=(0.0, 1.0), doc="color of the path found: red, green and blue in 0..1"
    )

    def __init__(self, replay: Replay, name: str = "", *, has_keys: bool = True) -> None:
        super().__init__(name, has_keys=has_keys)
        self.part = WHOLE
        """The part of the window that its marks are seen in."""
        self._replay = replay
        self._step = replay.step
        self._tilemap: TileMap | None = None
        self._version = 0
        self._marks = NodePath("marks")
        self._closed_now = NodePath("closed now")
        self._positions = SurfacePositions.empty()
        self._sheet: FaceSheet | None = None
        self._is_near = np.zeros(0, np.bool_)
        self._looked: tuple[object, ...] = ()
        self._ribbon = self.add_child(PathRibbon3D())
        self._large = self.add_child(Labels3D("f"))
        self._large.size, self._large.raised = _F_SIZE, -0.15
        self._small = self.add_child(Labels3D("g h"))
        self._small.size, self._small.raised = _GH_SIZE, -1.35
        self._small.color = _GH_COLOR
        for labels in (self._large, self._small):
            labels.keeps_clear = False  # each is inside its tile
            labels.no_depth_test = True  # neither trees nor terrain in front cut them
        self._caption = self.add_child(Caption3D())

    @property
    def n_steps(self) -> int:
        """The last step."""
        return self._replay.n_steps

    @property
    def caption(self) -> str:
        """The text about the current step."""
        return "\n".join(self._caption.lines)

    @property
    def box(self) -> tuple[Point, Point]:
        """Lowest and highest corner around all searched tiles, in the map's coordinates."""
        tilemap = terrain_above(self).tilemap
        ends = [_point(tilemap, number) for number in self._replay.ends]
        points = np.concatenate([SurfacePositions.of(tilemap, self._replay.met).center, ends])
        west, south, base = points.min(axis=0).tolist()
        east, north, top = points.max(axis=0).tolist()
        return (west - _AROUND, south - _AROUND, base), (
            east + _AROUND,
            north + _AROUND,
            top + PIN_HEIGHT,
        )

    def _enter_tree(self) -> None:
        super()._enter_tree()
        tilemap = terrain_above(self).tilemap
        self._tilemap, self._version = tilemap, tilemap.version
        positions = self._positions = SurfacePositions.of(tilemap, self._replay.met)
        self._marks = self.np.attach_new_node("marks")
        set_unlit(self._marks, _SORT)
        faces_np = self._marks.attach_new_node("faces")
        faces_np.set_texture(pattern_texture())
        self._sheet = FaceSheet(faces_np, tilemap.grid, positions.center, positions.chunk)
        self._is_near = np.zeros(len(positions.chunk_center), np.bool_)
        start, goal = self._replay.ends
        self._add_pin(tilemap, "start", START_COLOR, start)
        self._add_pin(tilemap, "goal", GOAL_COLOR, goal)
        brackets = frame(tilemap.grid, CLOSED_NOW_COLOR)
        self._closed_now = self._add_mark(tilemap, "closed now", brackets, self._replay.closed)
        self._caption.box = map_box(tilemap, PIN_HEIGHT)
        self._looked = ()
        self._show(np.arange(len(positions.number)))

    def _exit_tree(self) -> None:
        self._clear()

    def _process(self, dt_s: float) -> None:
        if self._tilemap is None:
            return
        if self._tilemap.version != self._version:
            self._clear()
            return
        super()._process(dt_s)
        self._caption.text_scale, self._ribbon.color = self.text_scale, self.path_color
        self._caption.part = self.part
        self._update_numbers()

    def _show_step(self, step: int) -> None:
        before = [self._replay.closed, *self._improved()]
        changed = self._replay.seek(step).tolist()
        if self._tilemap is not None:
            now = [self._replay.closed, *self._improved()]
            tiles = [tile for tile in {*before, *changed, *now} if tile >= 0]
            self._show(self._positions.indices_of(sorted(tiles)))

    def _improved(self) -> list[int]:
        """List the tiles that the latest step opened or made cheaper."""
        return [*self._replay.opened.tolist(), *self._replay.cheaper.tolist()]

    def _show(self, places: NDArray[np.int64]) -> None:
        """Update some tiles, the mark on the closed tile, the path and the caption."""
        replay, tilemap = self._replay, self._tilemap
        if tilemap is None:
            return
        self._draw(places)
        _place(tilemap, self._closed_now, replay.closed)
        is_end = replay.step == replay.n_steps
        cells = replay.path if is_end else []
        self._ribbon.show([tilemap.surface_point(cell) for cell in cells])
        self._caption.show(_caption(replay, tilemap))

    def _draw(self, places: NDArray[np.int64]) -> None:
        if self._sheet is None:
            return
        positions, replay = self._positions, self._replay
        numbers = positions.number[places]
        look = _LOOKS[replay.state[numbers]]
        look[np.isin(numbers, self._improved())] = search_tiles.OPEN_NOW
        look[numbers == replay.closed] = search_tiles.CLOSED_NOW
        toward = positions.directions(places, replay.parent[numbers])
        self._sheet.draw(places, look, toward, self._is_near[positions.chunk[places]])

    def _update_numbers(self) -> None:
        """Write numbers on near tiles, and size the pins, if the view or the step has changed."""
        if not self.panda.has_camera:
            return
        projection = ScreenProjection.of(self.panda.viewport, self.np, self.part)
        looked = projection, self._step
        if looked == self._looked:
            return
        self._looked = looked
        for end in (self._marks.find("start"), self._marks.find("goal")):
            tile_px = max(1.0, projection.unit_px(np.array([end.get_pos()]))[0])
            end.set_scale(max(1.0, _LEAST_PIN_PART * projection.size_px[1] / PIN_HEIGHT / tile_px))
        positions = self._positions
        size_px = projection.unit_px(positions.chunk_center)
        is_near = size_px >= np.where(self._is_near, _HIDE_PX, _SHOW_PX)
        is_other = is_near != self._is_near
        self._is_near = is_near
        if is_other.any():
            self._draw(np.flatnonzero(is_other[positions.chunk]))
        places = np.flatnonzero(is_near[positions.chunk])
        places = places[projection.is_seen(positions.center[places])]
        replay = self._replay
        places = places[replay.state[positions.number[places]] > 0]
        numbers, points = positions.number[places], positions.center[places]
        f, g, h = (
            each.tolist() for each in (replay.f[numbers], replay.g[numbers], replay.h[numbers])
        )
        self._large.show(points, [f"f{_short(number)}" for number in f])
        pairs = zip(g, h, strict=True)
        self._small.show(points, [f"g{_short(cost)} h{_short(left)}" for cost, left in pairs])

    def _add_mark(self, tilemap: TileMap, name: str, mesh: MeshData, number: int) -> NodePath:
        """Add a mark on a tile."""
        sign = attach_look(self._marks, make_geom_node(name, mesh))
        sign.set_bin("fixed", _SORT + 1)
        _place(tilemap, sign, number)
        return sign

    def _add_pin(self, tilemap: TileMap, name: str, color: Color, number: int) -> None:
        """Add a pin on a tile, drawn over everything in front of it."""
        stuck = self._add_mark(tilemap, name, pin(color), number)
        stuck.set_bin("fixed", _PIN_SORT)
        stuck.set_depth_test(False)
        stuck.set_billboard_point_eye()

    def _clear(self) -> None:
        """Remove all marks."""
        self._tilemap, self._sheet = None, None
        self._marks.remove_node()
        for shown in (self._large, self._small, self._ribbon):
            shown.clear()
        self._caption.show(())


def _point(tilemap: TileMap, number: int) -> Point:
    return tilemap.surface_point(_cell(tilemap, number))


def _cell(tilemap: TileMap, number: int) -> Cell:
    deck, row, col = np.unravel_index(number, tilemap.surface_level.shape)
    return Cell(int(row), int(col), int(deck))


def _place(tilemap: TileMap, sign: NodePath, number: int) -> None:
    """Move a mark to a tile; hide it if the number is negative."""
    if number < 0:
        sign.hide()
        return
    x, y, z = _point(tilemap, number)
    sign.set_pos(x, y, z + _FRAME_LIFT)
    sign.show()


def _caption(replay: Replay, tilemap: TileMap) -> tuple[str, ...]:
    """Describe the search, its progress and the current step."""
    title = plain_reason(replay.title)
    count = tr(
        "{n} of {count} tiles explored, {waiting} waiting",
        n=replay.step,
        count=replay.n_steps,
        waiting=replay.n_open,
    )
    if replay.step == replay.n_steps:
        return title, count, replay.outcome
    if replay.step == 0:
        return title, count, tr("The start waits to be explored")
    cell, node = _cell(tilemap, replay.closed), np.array([replay.closed])
    place = tr(
        "Explores {kind}, level {level} {place}",
        kind=tr(tilemap.kind_at(cell).name),
        level=tilemap.level_at(cell),
        place=describe_place(cell),
    ).rstrip()
    g, h, f = (float(costs[0]) for costs in (replay.g[node], replay.h[node], replay.f[node]))
    text = "g {g} (cost so far) + h {h} (estimate) = f {f}"
    if f != g + h:  # a greedy search
        text = "h {h} (estimate) = f {f}, without g {g} (cost so far)"
    return title, count, place, tr(text, g=_short(g), h=_short(h), f=_short(f))


def _short(number: float) -> str:
    """Return a cost in few digits: with one decimal place if it is small and not whole."""
    if number >= 1e6:
        return f"{number:.1e}".replace("e+0", "e")
    return f"{number:.0f}" if number >= 1000 or number == int(number) else f"{number:.1f}"
