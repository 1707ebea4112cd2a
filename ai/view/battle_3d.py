"""Show a battle on a map: targets, goal, hits and hit points, and the turns of the enemies."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ai.board.unit import Unit
from ai.game.battle import Choice
from ai.game.battle_ai import BattleAI
from ai.game.battle_commander import describe_blows
from ai.motion.motion import point_on
from ai.view.commander_3d import CommanderView
from ai.view.opening import clearest, view_of
from ai.view.unit_3d import Unit3D
from terrain3d import Cell
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.look.orbit import NEAR_DISTANCE
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, polygon
from terrain3d.view.command import Command
from terrain3d.view.geometry import attach_look, make_geom_node, set_unlit
from terrain3d.view.scene.labels_3d import Labels3D
from terrain3d.view.scene.mark_3d import PathRibbon3D, TileOverlay3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from ai.board.log import Entry
    from ai.board.state import GameState
    from ai.game.battle_commander import BattleCommander
    from ai.view.commander_3d import Commander3D
    from ai.view.figures_3d import Figures3D
    from terrain3d.grid.kinds import Color
    from terrain3d.look.orbit import OrbitView, Point
    from terrain3d.look.palettes import Palette
    from terrain3d.mesh.data import MeshData

MOST_SKILLS = 4
SLICE_S, SLICE_PART = 0.004, 0.2
"""How long enemies think in each frame, at most until a choice is rated; more in slow frames, of
which it is this part."""
BEGIN_S, INTENT_S, HIT_S = 0.8, 0.9, 0.7
"""How long enemies wait after the begin of their turn, before each deed, and how long a hit shows;
a click or `confirm` hurries."""
_FRINGE_ALPHA = 0.5  # it may be large
_MARK_Z, _MARK_SORT = 1.42, 45
_CHEST_Z, _ARC, _LONG, _ARC_POINTS, _RISE = 0.6, 0.7, 4.0, 25, 0.5
_HASTE = 4.0
_LEAST_PITCH_DEG, _MOST_PITCH_DEG, _TURNS_DEG = 30.0, 42.0, (0.0, 40.0, -40.0, 80.0, -80.0)
"""Views of who acts that are tried, the best first: by turns from where one looks now."""
_FOG = (0.04, 0.05, 0.09)


class Battle3D(CommanderView):
    """Shows a battle, and lets enemies act in their turns; a child of `Commander3D`.

    The camera moves to the unit that acts. Before it acts, its path and an arrow to its target
    are shown.
    """

    announced = Signal("text")
    """An enemy is about to do something, in words; "" while it only walks there."""
    ended = Signal("winner")
    """The battle is over, and its last hit was shown."""

    def __init__(
        self, commander: BattleCommander, commander_3d: Commander3D, figures: Figures3D
    ) -> None:
        super().__init__(commander)
        self._battle_commander, self._battle = commander, commander.battle
        self._commander_3d, self._figures = commander_3d, figures
        self.enemy = BattleAI()
        """Who plays the enemies."""
        self.is_paused = False
        log = commander.board.log
        start = log[0].before if log else commander.board.state
        self._full = {unit.name: unit.stats.get("hp", 0) for unit in start.units}
        self._decisions: Iterator[tuple[Unit, Choice | None]] | None = None
        self._acting: tuple[Unit, ...] = ()  # the units whose turn it is
        self._following: list[Callable[[], None]] = []  # what the unit that has chosen does
        self._wait_s, self._is_hurried, self._has_ended = 0.0, False, False
        self._hits: list[list[dict[str, Any]]] = []
        self._shown_s = 0.0
        self._fogged_in: GameState | None = None  # for which the fog is shown
        self._accepted: tuple[str, ...] | None = None
        self._views: list[OrbitView] = []  # before the enemies' turn, and the one shown in it last
        self.goal_overlay = self.add_child(TileOverlay3D("goal"))
        self.target_overlay = self.add_child(TileOverlay3D("targets"))
        self.target_overlay.icon = "crosshair"
        self.fringe_overlay = self.add_child(TileOverlay3D("fringe"))
        self.fringe_overlay.is_dashed = True
        self.fringe_overlay.np.set_alpha_scale(_FRINGE_ALPHA)
        self.marks = self.add_child(Node3D("marks"))  # over whom the unit can strike
        set_unlit(self.marks.np, _MARK_SORT)
        self.marks.np.set_depth_test(False)
        self.area_overlay = self.add_child(TileOverlay3D("area"))
        self.area_overlay.icon, self.area_overlay.is_dashed = "cross", True
        self.fog_overlay = self.add_child(TileOverlay3D("fog"))
        self.fog_overlay.color = _FOG
        self.intent_ribbon = self.add_child(PathRibbon3D("intent"))
        self.attack_ribbon = self.add_child(PathRibbon3D("attack"))
        self.numbers = self.add_child(Labels3D("hits"))
        self.numbers.label_rank, self.numbers.no_depth_test = -2, True  # always shown
        self.numbers.size = 0.6
        commander.board.changed.connect(self._queue_hits, weak=True)

    @property
    def is_busy(self) -> bool:
        """Whether a unit walks, a figure acts, or a hit is shown."""
        is_walking = any(unit.is_moving for unit in self._battle.board.units)
        return is_walking or self._figures.is_acting or bool(self._hits) or self._shown_s > 0

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        self.goal_overlay.color, self.target_overlay.color = palette.path, palette.threat
        self.area_overlay.color = self.attack_ribbon.color = palette.refused
        self.fringe_overlay.color = palette.refused
        self.intent_ribbon.color = palette.first_path
        for overlay in (self.goal_overlay, self.target_overlay, self.area_overlay):
            overlay.is_hatched = palette.is_hatched
        self.numbers.color = palette.path
        self.mark_stale()

    def hurry(self) -> None:
        """Skip what is waited for, until the enemies' turn ends."""
        self._is_hurried = True

    def _enter_tree(self) -> None:
        super()._enter_tree()
        self._accepted = None
        terrain = terrain_above(self)
        self.listen(self._commander_3d.cursor.chosen, lambda _cell: self.hurry())
        self.listen(terrain.tile_clicked, lambda _cell, _button: self.hurry())
        self.goal_overlay.show(self._battle.objective.cells)

    def _accept_skills(self) -> None:
        """Take the keys of what the selected unit can do, by the names of its skills."""
        commander = self._battle_commander
        if commander.skills != self._accepted:
            self._accepted = commander.skills
            self.ignore_actions()
            self.accept_actions(self._commands(), "Battle", lambda: self._commander_3d.takes_orders)

    def _commands(self) -> list[Command]:
        skills = [tr(skill).capitalize() for skill in self._battle_commander.skills]
        following, wait = "choose the next skill that has a target", "wait"
        do_nothing, choose = "let the selected unit do nothing in this turn", self._choose
        keys = range(1, MOST_SKILLS + 1)
        return [
            Command(
                "choose_skill",
                text="choose a skill of the selected unit",
                shown_keys=f"1 to {MOST_SKILLS}",
            ),
            *(
                Command(f"skill_{n}", str(n), call=partial(choose, n - 1), label=skill)
                for n, skill in zip(keys, skills, strict=False)
            ),
            Command("next_skill", "gamepad-dpad_up", following, self._choose_next),
            Command(wait, "h", do_nothing, self._battle_commander.wait, "Wait"),
        ]

    def _choose(self, number: int) -> None:
        commander = self._battle_commander
        skills = commander.skills
        if number < len(skills):
            is_chosen = commander.skill == skills[number]
            commander.choose("" if is_chosen else skills[number])
            self._aim_by_key()

    def _choose_next(self) -> None:
        self._battle_commander.choose_next()
        self._aim_by_key()

    def _aim_by_key(self) -> None:
        """Let the cursor aim at a target of the chosen skill, so that `confirm` takes it.

        If one is in the picture it is that one, and the camera stays.
        """
        commander, commander_3d = self._battle_commander, self._commander_3d
        for _ in commander.targets if commander.skill else ():
            if commander.aim is not None and commander_3d.is_in_view(commander.aim):
                commander_3d.cursor.go_to(commander.aim)
                return
            commander.next_target()
        if commander.skill:
            commander_3d.aim_by_key(commander.aim)

    def _process(self, dt_s: float) -> None:
        super()._process(dt_s)
        self._accept_skills()
        self._show_hits(dt_s)
        self._wait_s -= dt_s
        battle = self._battle
        if self.is_paused or not self._battle_commander.is_open:
            return
        is_enemys = not (battle.winner or self._battle_commander.is_players_turn)
        self._is_hurried &= is_enemys
        for unit in battle.board.units if self._is_hurried else ():
            unit.advance(_HASTE * dt_s)  # beside what its figure does
        if self.is_busy or (self._wait_s > 0 and not self._is_hurried and is_enemys):
            return
        if is_enemys:
            self._go_on(max(SLICE_S, SLICE_PART * dt_s))
        elif battle.winner and not self._has_ended:
            self._decisions, self._following = None, []
            self._hide_intent()
            self.ended.emit(battle.winner)
        self._has_ended = bool(battle.winner)

    def _go_on(self, slice_s: float) -> None:
        """Let the enemy that has chosen do what follows, or let enemies think for a while."""
        end_s = time.perf_counter() + slice_s
        if self._following:
            self._following.pop(0)()
        elif self._decisions is None:
            self._decisions, self._acting = self.enemy.decide(self._battle), self._battle.turn.units
            self._wait_s = BEGIN_S
        else:
            for unit, choice in self._decisions:
                if choice is not None:
                    self._announce(unit, choice)
                if self._following or time.perf_counter() > end_s:
                    return
            self._decisions = None
            camera = self._commander_3d.camera
            if camera is not None and self._views and _turn(camera.goal) == _turn(self._views[1]):
                camera.goal = self._views[0]  # the player has not turned it since
            self._views = []
            self._battle.end_turn_of(self._acting, is_automatic=True)

    def _announce(self, unit: Unit, choice: Choice) -> None:
        """Show what a unit is about to do: it goes, and then it acts."""
        self._following = [partial(self._go, unit, choice), partial(self._act, unit, choice)]
        if self._battle_commander.sees(unit):
            self._battle_commander.select(unit)
            self._show_intent(unit, choice)
            self.announced.emit("")  # what was said of the enemy before is over
            self._look_at(unit, choice)
            self._wait_s = INTENT_S if choice.skill else INTENT_S / 2

    def _go(self, unit: Unit, choice: Choice) -> None:
        board, cell = self._battle.board, self._battle.board.tilemap.cell(choice.cell)
        if cell != unit.cell:
            board.move(unit, cell)
        is_there = unit.cell == cell  # else an unseen unit has halted it
        if choice.aim is not None and is_there and self._battle_commander.sees(unit):
            team, blows = self._battle_commander.team, []
            if choice.skill != "door":
                blows = self._battle.forecast(unit, choice.skill, choice.aim, team)
            self.announced.emit("\n".join(describe_blows(blows)))
            self._wait_s = INTENT_S

    def _act(self, unit: Unit, choice: Choice) -> None:
        is_there = unit.cell == self._battle.board.tilemap.cell(choice.cell)
        self._hide_intent()
        self._battle.play(unit, choice if is_there else Choice(unit.cell), is_automatic=True)

    def _look_at(self, unit: Unit, choice: Choice) -> None:
        """Move the camera to a unit, its goal and its target; turn it if something hides them."""
        camera, figures = self._commander_3d.camera, self._figures.figures
        if camera is None or not self._commander_3d.follows:
            return
        tilemap = self._battle.board.tilemap
        shown = [(unit.pose.point, figures[unit])]
        shown += [(tilemap.surface_point(choice.cell), figures[unit])]
        if choice.aim is not None:
            target = self._battle.board.unit_at(choice.aim)
            shown += [(tilemap.surface_point(choice.aim), figures[target or unit])]
        goal = camera.goal
        pitch_deg = min(max(goal.pitch_deg, _LEAST_PITCH_DEG), _MOST_PITCH_DEG)
        distance = min(goal.distance, NEAR_DISTANCE)
        near = replace(goal, pitch_deg=pitch_deg, distance=distance)
        near = view_of(near, [foot for foot, _ in shown])
        views = [replace(near, heading_deg=near.heading_deg + each) for each in _TURNS_DEG]
        others = [figure for figure in figures.values() if figure.visible]
        camera.goal = clearest(views, tilemap, shown, others)
        self._views = [*(self._views or [goal])[:1], camera.goal]

    def _show_intent(self, unit: Unit, choice: Choice) -> None:
        """Show where a unit goes, as far as that is seen, and what it aims at from there."""
        board = self._battle.board
        cell, seen = board.tilemap.cell(choice.cell), board.seen(self._battle_commander.team or "")
        path = board.find_path(unit, cell).cells if cell != unit.cell else ()
        cells = itertools.takewhile(lambda each: seen[each[:2]], path)
        self.intent_ribbon.show([board.tilemap.surface_point(each) for each in cells])
        self._show_choice(unit, choice)

    def _show_choice(self, unit: Unit, choice: Choice) -> None:
        """Show an arrow from where a unit acts to what it aims at, and all that is hit there."""
        (cell, skill, aim), tilemap = choice, self._battle.board.tilemap
        aims = {} if skill in {"", "door"} else self._battle.aims(unit, skill, cell)
        hit, point = aims.get(tilemap.cell(aim or cell)), tilemap.surface_point
        self.area_overlay.show(() if hit is None else hit.cells)
        self.attack_ribbon.show([] if aim is None else arc(point(cell), point(aim)))

    def _hide_intent(self) -> None:
        for mark in (self.intent_ribbon, self.attack_ribbon, self.area_overlay):
            mark.clear()

    def _show(self) -> None:
        commander, takes_orders = self._battle_commander, self._commander_3d.takes_orders
        self.target_overlay.show(commander.aims_of(commander.skill) if takes_orders else ())
        self.fringe_overlay.show(commander.fringe if takes_orders else ())
        self.marks.np.get_children().detach()
        for target in commander.targets if takes_orders else ():
            node = make_geom_node("mark", _mark(self.fringe_overlay.color))
            mark = attach_look(self.marks.np, node)
            mark.set_pos(*point_on(commander.board.tilemap, target.cell, target.profile))
            mark.set_billboard_axis()
        unit, choice = commander.selected, commander.choice if takes_orders else None
        if commander.is_players_turn:
            self._hide_intent()
            if unit is not None and choice is not None:
                self._show_choice(unit, choice)
        for each, figure in self._figures.figures.items():
            hp, full = each.stats["hp"], self._full.get(each.name, 0)
            figure.health = min(hp / full, 1.0) if full else 1.0
            figure.visible = commander.sees(each)
        board = commander.board
        if board.has_fog and board.state is not self._fogged_in:
            self._fogged_in = board.state
            hidden = ~(board.seen(commander.team or "") | board.tilemap.void)
            self.fog_overlay.show([Cell(*tile) for tile in np.argwhere(hidden).tolist()])

    def _queue_hits(self, entry: Entry) -> None:
        hits = [] if entry.is_undo else entry.data.get("hits", [])
        for _, group in itertools.groupby(hits, key=lambda hit: hit["by"]):
            self._hits.append([dict(hit) for hit in group])

    def _show_hits(self, dt_s: float) -> None:
        """Show the next hits, which rise and vanish."""
        if self._shown_s > 0:
            self._shown_s -= dt_s * (1 + _HASTE * self._is_hurried)
            self.numbers.raised = _RISE * (1 - max(self._shown_s, 0) / HIT_S)
            if self._shown_s <= 0:
                self.numbers.clear()
        elif self._hits:
            shown = [each for each in self._figures.children if isinstance(each, Unit3D)]
            figures = {each.unit.name: each for each in shown if isinstance(each.unit, Unit)}
            points, texts = [], []
            for hit in self._hits.pop(0):
                figure = figures.get(hit["target"])
                if figure is not None and figure.map_dot is not None:  # else it is hidden
                    x, y, z = figure.point
                    points.append((x, y, z + _CHEST_Z))
                    texts.append(f"-{hit['damage']:g}" if hit["damage"] else tr("miss"))
                    if hit["damage"]:
                        figure.flinch()
            self._shown_s = HIT_S if points else 0.0
            self.numbers.show(points, texts) if points else self.numbers.clear()
            self.numbers.raised = 0.0
            self.mark_stale()


def _turn(view: OrbitView) -> tuple[float, float]:
    """Return what of a view does not change when it follows who walks."""
    return view.heading_deg, view.distance


def _mark(color: Color) -> MeshData:
    """Return a triangle that points down from over the head of a figure, with a dark rim."""
    low, high, half = _MARK_Z, _MARK_Z + 0.24, 0.16
    shape = np.array([(0.0, 0.0, low), (half, 0.0, high), (-half, 0.0, high)])
    middle = shape.mean(axis=0)
    rim = middle + 1.5 * (shape - middle)
    return joined([polygon(rim, DARK, 0.85), polygon(shape, color)])


def arc(start: Point, end: Point) -> list[Point]:
    """Return points of an arc over the ground from one point to another."""
    parts = np.linspace(0.0, 1.0, _ARC_POINTS)
    line = np.outer(1 - parts, start) + np.outer(parts, end)
    rise = _ARC * min(1.0, np.ptp(line, axis=0).max() / _LONG)
    line[:, 2] += _CHEST_Z + rise * 4 * parts * (1 - parts)
    return [(x, y, z) for x, y, z in line.tolist()]
