"""Play a search on the map, step by step: open and closed tiles, costs, arrows, and the path."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from panda3d.core import NodePath

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.search import ALGORITHMS, FRONTIER, Known, Search, random_ends
from ai.rules.heuristics import HEURISTICS
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.rules.reasons import StepAnswer
from ai.search.graph import MILLION
from terrain3d.core.checks import plain, whole_within
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import capitalized, tr, tr_n
from terrain3d.grid.grid import Cell, CellLike
from terrain3d.grid.kinds import Color
from terrain3d.grid.reason import Reason, plain_reason
from terrain3d.look.layout import Box
from terrain3d.look.orbit import map_box
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays.flat_shapes import PIN_HEIGHT, centers, pin
from terrain3d.mesh.overlays.search_tiles import CLOSED, FILLS, OPEN, search_tiles
from terrain3d.view.command import Command
from terrain3d.view.geometry import attach_look, make_geom_node, pattern_texture, redrawn, set_unlit
from terrain3d.view.hud.hud import Caption3D
from terrain3d.view.hud.widgets import COLUMN_GAP, INK, PLATE, Text, Widget, plate, row
from terrain3d.view.scene.labels_3d import Labels3D
from terrain3d.view.scene.mark_3d import PathRibbon3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D
from terrain3d.view.window.viewport import ScreenProjection

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ai.navigation.navigation import Navigation
    from terrain3d.look.orbit import OrbitView
    from terrain3d.map.tilemap import TileMap
    from terrain3d.view.camera import OrbitCamera3D

UPHILL = 1, 10
"""Costs of a level up that are compared."""
START_COLOR: Color = (0.45, 0.95, 0.80)
GOAL_COLOR: Color = (1.0, 0.84, 0.25)
LEAST_STEPS_S, MOST_S = 6.0, 20.0
"""The usual speed: so many steps a second, and more if a search would take longer than this."""
SLOWEST, FASTEST = 1 / 16, 64.0
"""Factors on the usual speed."""

_PORTION, _AHEAD = 250, 20_000  # steps searched in a frame, and at most before they are shown
_MOST_RUNS = 3  # earlier ones in the caption
_LEAST_PITCH_DEG = 36.0
_AROUND, _ABOVE = 1.5, PIN_HEIGHT + 3.5  # what is shown of the map around, for the caption, too
_CHUNK = 16  # rows and columns of tiles that are drawn together
_SORT, _PIN_SORT = 12, 35
_PIN_LIFT, _LEAST_PIN_PART = 0.035, 1 / 12  # the least height of a pin, as a part of the window's
_NEAR_PX, _NUMBER_SIZE = 64.0, 0.31  # size of a tile on which numbers can be read
_FIRST_WIDTH = 1.7  # wider than the path now, so that both are seen where they are one


class SearchTheatre3D(Node3D):
    """Plays searches on the map, one after the other; a child of the `Terrain3D` with that map.

    What earlier searches between the same ends have found stays beside the one that plays. After an
    edit of the map nothing is shown until the next `watch`.

    Parameters
    ----------
    navigation : Navigation
    camera : OrbitCamera3D, optional
        Shows all that is searched until the player moves it, and goes back when the node leaves.
    name : str
    seed : int
        That of random ends.

    Examples
    --------
    ::

        theatre = terrain.add_child(SearchTheatre3D(navigation))
        theatre.finished.connect(lambda: print(theatre.caption))
        theatre.watch((0, 0), (9, 9))
    """

    finished = Signal()
    """The end of the search is shown."""

    speed = export(1.0, range=(SLOWEST, FASTEST), doc="factor on the usual steps a second")
    playing = export(False, doc="whether it goes on by itself")
    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the caption's text")
    path_color = export(
        PAINTED.path, range=(0.0, 1.0), doc="color of the path found: red, green and blue in 0..1"
    )
    first_path_color = export(
        PAINTED.first_path, range=(0.0, 1.0), doc="color of the path of the search before"
    )

    def __init__(
        self,
        navigation: Navigation,
        camera: OrbitCamera3D | None = None,
        name: str = "",
        seed: int = 0,
    ) -> None:
        super().__init__(name)
        self._navigation, self._camera = navigation, camera
        self._random = np.random.default_rng(seed)
        self._asked: dict[str, Any] = {}  # the arguments of `Navigation.begin_search`
        self._search: Search | None = None
        self._version = -1
        self._runs: dict[str, tuple[str, list[Cell]]] = {}  # texts and paths by title, latest last
        self._step, self._due = 0, 0.0  # and the part of the next step that has passed
        self._known: dict[int, Known] = {}
        self._changed: set[int] = set()  # nodes to be drawn again
        self._looked: tuple[object, ...] = ()
        self._is_near, self._is_framed = False, True
        self._view_before: OrbitView | None = None
        self._view_framed: OrbitView | None = None
        self._chunks: dict[tuple[int, int], NodePath] = {}
        self._marks = self.np.attach_new_node("tiles")
        set_unlit(self._marks, _SORT)
        self._marks.set_texture(pattern_texture())
        self._pins = [self._add_pin(color) for color in (START_COLOR, GOAL_COLOR)]
        self._ribbon = self.add_child(PathRibbon3D("path"))
        self._first_ribbon = self.add_child(PathRibbon3D("first path"))
        self._first_ribbon.width = _FIRST_WIDTH
        self._numbers = self.add_child(Labels3D("numbers"))
        self._numbers.size, self._numbers.raised = _NUMBER_SIZE, -0.15
        self._numbers.no_depth_test = True  # neither trees nor terrain in front cut them
        self._caption = self.add_child(Caption3D())

    def _add_pin(self, color: Color) -> NodePath:
        """Add a pin that is drawn over everything in front of it."""
        stuck = attach_look(self.np, make_geom_node("pin", pin(color)))
        set_unlit(stuck, _PIN_SORT)
        stuck.set_depth_test(False)
        stuck.set_billboard_point_eye()
        stuck.hide()
        return stuck

    @property
    def search(self) -> Search | None:
        """The search that plays; None before `watch`, and after an edit of the map."""
        return self._search

    @property
    def step(self) -> int:
        """The number of tiles closed in the state that is shown."""
        return self._step

    @property
    def n_steps(self) -> int:
        """The number of steps searched so far; all of them when `search` is done."""
        return 0 if self._search is None else self._search.expansions

    @property
    def caption(self) -> str:
        """The text about the search and the state that is shown."""
        return "\n".join(self._lines())

    @property
    def status(self) -> str:
        """The playback state as text."""
        if self.playing:
            rate = max(1, round(self._steps_s))
            return tr_n("Playing {n} step a second", "Playing {n} steps a second", rate)
        return tr("Paused at step {step} of {count}", step=self._step, count=self.n_steps)

    def watch(
        self,
        start: CellLike,
        goal: CellLike,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        algorithm: str = ALGORITHMS[0],
        heuristic: str = HEURISTICS[0],
        blockers: Blockers = NO_BLOCKERS,
    ) -> None:
        """Play the search for a path; the parameters are those of `Navigation.begin_search`."""
        how = {"algorithm": algorithm, "heuristic": heuristic, "blockers": blockers}
        self._begin({"start": start, "goal": goal, "profile": profile, **how})
        self._runs, self._view_framed = {}, None

    def watch_random(
        self,
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        algorithm: str = ALGORITHMS[0],
        heuristic: str = HEURISTICS[0],
    ) -> bool:
        """Play a search between random ends; return whether any two are connected."""
        ends = random_ends(self._navigation, profile, self._random)
        if ends is not None:
            self.watch(*ends, profile, algorithm=algorithm, heuristic=heuristic)
        return ends is not None

    def play(self) -> None:
        """Play; from the start if the end is shown."""
        if self._is_at_end:
            self.seek(0)
        self.playing = True

    def seek(self, step: int) -> None:
        """Show the state after so many steps, or the end of a search that takes fewer."""
        search, before = self._search, self._step
        wanted = whole_within("step", step, 0)
        if search is None:
            return
        search.run(max(0, wanted - search.expansions))
        steps, now = search.steps, min(wanted, search.expansions)
        for each in steps[before:now]:
            self._known |= each.after
        for each in reversed(steps[now:before]):
            self._known |= each.before
        for each in steps[max(min(before, now) - 1, 0) : max(before, now)]:
            self._changed |= each.after.keys()
        self._step = now
        if now > before and self._is_at_end:
            self.finished.emit()

    @property
    def _is_at_end(self) -> bool:
        search = self._search
        return search is not None and search.done and self._step == search.expansions

    @property
    def _steps_s(self) -> float:
        return self.speed * max(LEAST_STEPS_S, self.n_steps / MOST_S)

    def _toggle(self) -> None:
        if self.playing:
            self.playing = False
        else:
            self.play()

    def _step_by(self, count: int) -> None:
        self.playing = False
        self.seek(max(0, self._step + count))

    def _restart(self) -> None:
        self.seek(0)
        self.playing = True

    def _change_speed(self, factor: float) -> None:
        self.speed = min(max(self.speed * factor, SLOWEST), FASTEST)

    def _use_next(self, name: str, values: tuple[str, ...]) -> None:
        """Use the next algorithm or heuristic that is not refused."""
        if self._search is not None:
            at = values.index(self._asked[name]) + 1
            any(self._use(name, value) for value in (*values[at:], *values[:at]))

    def _use_next_uphill(self) -> None:
        if self._search is not None:
            profile = self._asked["profile"]
            cost = UPHILL[profile.climb_cost == UPHILL[0]]
            self._use("profile", replace(profile, climb_cost=cost))

    def _use(self, name: str, value: object) -> bool:
        """Search between the same ends in another way; return False if it is refused."""
        search, title = self._search, self._title
        try:
            self._begin({**self._asked, name: value})
        except ValueError:
            return False
        if search is not None and search.path is not None:
            self._runs.pop(title, None)  # it is the latest
            self._runs[title] = _outcome(search), search.path.cells
        return True

    def _play_again(self) -> None:
        if self._asked:
            how = {name: self._asked[name] for name in ("profile", "algorithm", "heuristic")}
            self.watch_random(**how)

    def _begin(self, asked: dict[str, Any]) -> None:
        """Play another search from its start; `ValueError` if the heuristic is refused."""
        self._search = self._navigation.begin_search(**asked)
        self._asked, self._version = asked, self._search.tilemap.version
        self._forget()
        if not self._search.done:
            self._known = {self._search.ends[0]: Known(FRONTIER, 0.0)}
            self._changed |= self._known.keys()
        self.playing, self._is_framed = True, False

    def _forget(self) -> None:
        """Know nothing of any tile."""
        self._step, self._due, self._looked = 0, 0.0, ()
        self._changed |= self._known.keys()
        self._known = {}

    def _commands(self) -> list[Command]:
        back, forward = partial(self._step_by, -1), partial(self._step_by, 1)
        slower, faster = partial(self._change_speed, 0.5), partial(self._change_speed, 2.0)
        algorithm = partial(self._use_next, "algorithm", ALGORITHMS)
        heuristic = partial(self._use_next, "heuristic", HEURISTICS)
        uphill, again = self._use_next_uphill, self._play_again
        text, comma = "go one step back, forward", ", gamepad-dpad_left"
        cost, random = "use the other cost of a level up: 1 or 10", "play between random ends"
        return [
            Command("play", "space gamepad-face_a", "play, pause", self._toggle, "Play, pause"),
            Command("step_back", comma, text, back, "Step back", "Comma / Period", repeats=True),
            Command("step_forward", ". gamepad-dpad_right", "", forward, "Step", repeats=True),
            Command("slower", "j gamepad-dpad_down", "play slower, faster", slower, "", "J / L"),
            Command("faster", "l gamepad-dpad_up", call=faster),
            Command("restart", "b", "play from the start", self._restart, "From the start"),
            Command("next_algorithm", "o", "use the next algorithm", algorithm, "Algorithm"),
            Command("next_heuristic", "h", "use the next heuristic", heuristic, "Heuristic"),
            Command("next_uphill", "i", cost, uphill, "Uphill cost"),
            Command("play_again", "g", random, again, "Again"),
        ]

    def _enter_tree(self) -> None:
        self.accept_actions(self._commands(), "Search theatre")
        self._caption.box = map_box(terrain_above(self).tilemap, PIN_HEIGHT)
        self._changed |= self._known.keys()  # colors may be others on this terrain
        self._looked = ()
        if self._camera is not None:
            self._view_before = self._camera.goal

    def _exit_tree(self) -> None:
        camera = self._camera
        if camera is not None and camera.is_inside_tree and self._view_before is not None:
            camera.goal = self._view_before

    def _process(self, dt_s: float) -> None:
        tilemap, search = terrain_above(self).tilemap, self._search
        if search is not None and tilemap.version != self._version:
            self._search, self._runs = None, {}
            self._forget()
        elif search is not None:
            if not search.done and search.expansions < _AHEAD:
                search.run(_PORTION)
            if not self._is_framed and (search.done or search.expansions >= _AHEAD):
                self._is_framed = True
                self._frame(search, tilemap)
            if self.playing:
                self._due += dt_s * self._steps_s
                self.seek(self._step + int(self._due))
                self._due %= 1.0
                self.playing = not self._is_at_end
        self._draw(tilemap)

    def _frame(self, search: Search, tilemap: TileMap) -> None:
        """Move the camera to show everything that is searched, unless the player has moved it."""
        camera = self._camera
        if camera is None or not self.panda.has_camera:
            return
        if self._view_framed not in {None, camera.goal}:
            return
        points = _centers(tilemap, [*np.flatnonzero(search.state), *search.ends])
        low, high = points.min(axis=0), points.max(axis=0)
        corners = low - (_AROUND, _AROUND, 0.0), np.add(high, (_AROUND, _AROUND, _ABOVE))
        pitch_deg = max(camera.goal.pitch_deg, _LEAST_PITCH_DEG)
        camera.goal = camera.framing(camera.goal.heading_deg, pitch_deg, corners)
        self._view_framed = camera.goal

    def _draw(self, tilemap: TileMap) -> None:
        """Draw the state again if the view, the search or the step has changed."""
        self._caption.text_scale = self.text_scale
        self._ribbon.color, self._first_ribbon.color = self.path_color, self.first_path_color
        search, panda = self._search, self.panda
        projection = ScreenProjection.of(panda.viewport, self.np) if panda.has_camera else None
        looked = projection, search, self._step, self.n_steps
        if looked == self._looked:
            return
        self._looked = looked
        if projection is not None:
            self._draw_numbers(search, tilemap, projection)
        changed = np.array([*self._changed], np.intp)
        _, row, col = np.unravel_index(changed, tilemap.surface_level.shape)
        self._changed = set()
        for at in {*zip((row // _CHUNK).tolist(), (col // _CHUNK).tolist(), strict=True)}:
            self._draw_chunk(tilemap, at)
        path = search.path if search is not None and self._is_at_end else None
        self._ribbon.show([tilemap.surface_point(cell) for cell in path or ()])
        _, first = [("", []), *self._runs.values()][-1]
        self._first_ribbon.show([tilemap.surface_point(cell) for cell in first])
        self._caption.show(self._lines(), *self._legend())

    def _draw_chunk(self, tilemap: TileMap, at: tuple[int, int]) -> None:
        shape = tilemap.surface_level.shape
        rows, cols = (slice(_CHUNK * start, _CHUNK * start + _CHUNK) for start in at)
        nodes = np.arange(tilemap.surface_level.size).reshape(shape)[:, rows, cols].ravel().tolist()
        found = ((node, self._known.get(node)) for node in nodes)
        known = {node: each for node, each in found if each is not None and each.state}
        steps = self._search.steps[max(self._step - 1, 0) : self._step] if self._search else []
        latest = steps[0].after if steps else {}
        looks = [each.state - FRONTIER + 2 * (node in latest) for node, each in known.items()]
        parents = [node if each.parent < 0 else each.parent for node, each in known.items()]
        here, before = _centers(tilemap, [*known]), _centers(tilemap, parents)
        mesh = search_tiles(tilemap.grid, here, looks, before, is_near=self._is_near)
        old = self._chunks.get(at) or NodePath("none")
        self._chunks[at] = redrawn(old, self._marks, "tiles", mesh)

    def _draw_numbers(
        self, search: Search | None, tilemap: TileMap, projection: ScreenProjection
    ) -> None:
        """Write numbers on tiles that are near, and place the pins."""
        pins: list[Box] = []
        for stuck, end in zip(self._pins, search.ends if search else (-1, -1), strict=True):
            stuck.hide() if end < 0 else stuck.show()
            point = _centers(tilemap, [max(end, 0)])
            high_px = PIN_HEIGHT * max(1.0, projection.unit_px(point)[0])
            stuck.set_pos(*(point[0] + (0.0, 0.0, _PIN_LIFT)))
            scale = max(1.0, _LEAST_PIN_PART * projection.size_px[1] / high_px)
            stuck.set_scale(scale)
            (x, y), high_px = projection.in_pixels(point)[0].tolist(), scale * high_px
            pins += [Box(x - high_px / 4, y - high_px, high_px / 2, high_px)] * (end >= 0)
        self._caption.kept_clear = pins
        nodes = [node for node, each in self._known.items() if each.state]
        points = _centers(tilemap, nodes)
        tile_px = projection.unit_px(points)
        shown = np.flatnonzero(projection.is_seen(points) & (tile_px >= _NEAR_PX))
        shown = shown[np.argsort(tile_px[shown], kind="stable")]  # the last ones have room first
        if bool(shown.size) != self._is_near:
            self._is_near = bool(shown.size)
            self._changed |= {*nodes}
        near = {nodes[at]: self._known[nodes[at]].g for at in shown.tolist()}
        scores = _scores(search, near) if search else []
        texts = [f"f{_short(f)}\ng{_short(g)} h{_short(h)}" for g, h, f in scores]
        self._numbers.show(points[shown], texts)

    @property
    def _title(self) -> str:
        """The name of the search, and the cost of a level up."""
        if self._search is None:
            return ""
        cost = self._asked["profile"].climb_cost
        return plain_reason(Reason("searched_uphill", search=self._search.title, cost=cost))

    def _lines(self) -> list[str]:
        """Describe the search, the state that is shown, and what searches before have found."""
        search, step = self._search, self._step
        if search is None:
            return []
        lines = [self._title]
        if self._is_at_end:
            lines.append(_outcome(search))
        else:
            text = "{n} of {count} tiles explored, {waiting} waiting"
            n_open = sum(each.state == FRONTIER for each in self._known.values())
            lines.append(tr(text, n=step, count=search.expansions, waiting=n_open))
            waits = [tr("The start waits to be explored")]
            lines += self._explain(search, search.steps[step - 1].closed) if step else waits
        runs = [
            tr("{search}: {found}", search=each, found=f) for each, (f, _) in self._runs.items()
        ]
        return lines + runs[-_MOST_RUNS:]

    def _explain(self, search: Search, node: int) -> list[str]:
        """Say how a tile was reached, what its g is made of, and why it is explored now."""
        tilemap, known = search.tilemap, self._known[node]
        cell, deed, parts = _cell_of(tilemap, node), tr("starts here"), [0.0]
        [(g, h, f)] = _scores(search, {node: known.g})
        if known.parent >= 0:
            before = _cell_of(tilemap, known.parent)
            step = self._navigation.explain_step(before, cell, self._asked["profile"])
            paid_before = _scores(search, {known.parent: self._known[known.parent].g})[0][0]
            costs = [1.0] if search.algorithm == "bfs" else [part for part in step.parts if part]
            deed, parts = _deed(step), [paid_before, *costs]
        total = " + ".join(map(_short, parts)).replace("+ -", "- ")
        total += f" = {_short(g)}" if len(parts) > 1 else ""
        kind = capitalized(tr(tilemap.kind_at(cell).name))
        why = "f = g + h = {g} + {h} = {f}, the lowest that waited"
        if search.algorithm == "greedy":
            why = "f = h = {h}, the lowest that waited"
        said = tr("{kind}, {deed}: g = {sum}", kind=kind, deed=deed, sum=total)
        return [said, tr(why, g=_short(g), h=_short(h), f=_short(f))]

    def _legend(self) -> list[Widget]:
        """Return what colors and letters mean."""
        if self._search is None:
            return []
        looks = [(FILLS[OPEN], tr("open: waits")), (FILLS[CLOSED], tr("closed: explored"))]
        looks.append((self.path_color, tr("path")))
        if self._runs:
            looks.append((self.first_path_color, tr("path before")))
        shown = [
            plate(Text(name, PLATE if sum(color) > 1.5 else INK), plate=color, padding=0.2)
            for color, name in looks
        ]
        letters = tr("f = g (cost so far) + h (estimate)")
        if self._search.algorithm == "greedy":
            letters = tr("f = h (estimate), g: cost so far")
        return [row(*shown, Text(letters), gap=COLUMN_GAP, most=0.9)]


def _cell_of(tilemap: TileMap, node: int) -> Cell:
    deck, row, col = np.unravel_index(node, tilemap.surface_level.shape)
    return Cell(int(row), int(col), int(deck))


def _deed(step: StepAnswer) -> str:
    """Return how a step leads to its tile."""
    if step.parts.warp or step.parts.link:
        return tr("warps") if step.parts.warp else tr("takes a link")
    if step.rise:
        return tr("climbs {n}" if step.rise > 0 else "drops {n}", n=abs(step.rise))
    return tr("walks")


def _centers(tilemap: TileMap, nodes: ArrayLike) -> NDArray[np.float64]:
    """Return the (n, 3) centers of the tops of surfaces by their numbers."""
    return centers(
        tilemap, *np.unravel_index(np.array(nodes, np.intp), tilemap.surface_level.shape)
    )


def _outcome(search: Search) -> str:
    """Return how many tiles a search has closed, and the cost of its path, or why there is none."""
    path, count = search.path, search.expansions
    explored = tr_n("{n} tile explored", "{n} tiles explored", count)
    found = tr("no path: {why}", why=plain_reason(path.reason)) if path is not None else ""
    if path:
        steps, cost = len(path) - 1, plain(path.cost)
        found = tr_n("cost {cost}, {n} step", "cost {cost}, {n} steps", steps, cost=cost)
    return tr(", ").join([explored, found])


def _scores(search: Search, units: dict[int, float]) -> list[tuple[float, float, float]]:
    """Return g, h and f of nodes, of which g is known in units of the search."""
    g = np.array([*units.values()]) * search.unit / MILLION
    h = search.h.ravel()[np.array([*units], np.intp)]
    f = h if search.algorithm == "greedy" else g + h
    return [*zip(g.tolist(), h.tolist(), f.tolist(), strict=True)]


def _short(number: float) -> str:
    """Return a cost in few digits: with one decimal place if it is small and not whole."""
    if number >= 1e6:
        return f"{number:.1e}".replace("e+0", "e")
    return f"{number:.0f}" if number >= 1000 or number == int(number) else f"{number:.1f}"
