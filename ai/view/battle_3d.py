"""Show a battle on a map: targets, goal and hit points, and the turns of the enemies."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ai.board.unit import Unit
from ai.game.battle import DOOR, Blow, Choice
from ai.game.battle_ai import BattleAI
from ai.game.descriptions import Status, full_hit_points, statuses
from ai.motion.motion import point_on
from ai.view.blows_3d import Blows3D, arc, show_forecast
from ai.view.commander_3d import CommanderView
from ai.view.opening import TURNS_DEG, clearest, view_of
from ai.view.unit_3d import KeptClear, Unit3D
from terrain3d import Cell
from terrain3d.core.signals import Signal
from terrain3d.core.translation import capitalized, tr
from terrain3d.grid.reason import plain_reason
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, polygon
from terrain3d.view.command import Command
from terrain3d.view.geometry import attach_look, make_geom_node, set_unlit
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
BEGIN_S, INTENT_S = 0.8, 0.9
"""How long enemies wait after the begin of their turn and before each deed; a click hurries."""
_FRINGE_ALPHA = 0.5  # it may be large
_MARK_Z, _MARK_SORT = 1.42, 45
_STAND_RADIUS, _STAND_HEIGHT = 0.4, 0.3  # in tiles, of what the words of a forecast keep off
_HASTE = 4.0
_LEAST_PITCH_DEG, _MOST_PITCH_DEG = 30.0, 42.0
"""Limits of the pitch of a view of who acts."""
_HIDDEN = 6
"""How many of nine points of a figure may be hidden before the camera turns."""
_FOG = (0.72, 0.78, 0.88)


class Battle3D(CommanderView):
    """Shows a battle, and lets enemies act in their turns; a child of `Commander3D`.

    The camera moves to the unit that acts, and turns only if something hides it or its target.
    Before it acts, its path, an arrow to its target and a forecast are shown.
    """

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
        board = commander.board
        self._statuses: dict[str, Sequence[Status]] = {}
        self._full = {unit.name: full_hit_points(unit, board) for unit in board.units}
        self._decisions: Iterator[tuple[Unit, Choice | None]] | None = None
        self._acting: tuple[Unit, ...] = ()  # the units whose turn it is
        self._following: list[Callable[[], None]] = []  # what the unit that has chosen does
        self._wait_s, self._is_hurried, self._has_ended = 0.0, False, False
        self._was_busy = False
        self._foes_blows: list[Blow] = []  # those that an enemy is about to do
        self.speed = 1.0
        """How fast the enemies' turn and blows go."""
        self._fogged_in: GameState | None = None  # for which the fog is shown
        self._accepted: tuple[str, ...] | None = None
        self._views: list[OrbitView] = []  # before the enemies' turn, and the one shown in it last
        self.goal_overlay = self.add_child(TileOverlay3D("goal"))
        self.target_overlay = self.add_child(TileOverlay3D("targets"))
        self.target_overlay.icon = "crosshair"
        self.fringe_overlay = self.add_child(TileOverlay3D("fringe"))
        self.fringe_overlay.is_dashed = self.fringe_overlay.is_hatched = True
        self.fringe_overlay.np.set_alpha_scale(_FRINGE_ALPHA)
        self.marks = self.add_child(Node3D("marks"))  # over units that it can strike
        set_unlit(self.marks.np, _MARK_SORT)
        self.marks.np.set_depth_test(False)
        self.area_overlay = self.add_child(TileOverlay3D("area"))
        self.area_overlay.icon, self.area_overlay.is_dashed = "cross", True
        self.landing_overlay = self.add_child(TileOverlay3D("landing"))  # of who is pushed
        self.landing_overlay.icon, self.landing_overlay.is_dashed = "diamond", True
        self.fog_overlay = self.add_child(TileOverlay3D("fog"))
        self.fog_overlay.color = _FOG
        self.intent_ribbon = self.add_child(PathRibbon3D("intent"))
        self.attack_ribbon = self.add_child(PathRibbon3D("attack"))
        self._stand = self.add_child(Node3D("stand"))  # from where the attack shown would be
        self._kept_clear = KeptClear(self._stand.np, _STAND_RADIUS, _STAND_HEIGHT)
        self.blows = self.add_child(Blows3D(figures, self._full))
        self.blows.begins.connect(self._look_at_figures)
        self.blows.landed.connect(self.mark_stale)
        commander.board.changed.connect(self._follow, weak=True)
        self.use(commander_3d.palette)

    @property
    def is_busy(self) -> bool:
        """Whether a unit walks, a figure acts, or a blow is shown."""
        is_walking = any(unit.is_moving for unit in self._battle.board.units)
        return is_walking or self._figures.is_acting or self.blows.is_playing

    def hit_points(self, unit: Unit) -> float:
        """Return the hit points of a unit before those of its blows that are still to be seen."""
        left = self.blows.left(unit.name)
        return float(unit.stats["hp"]) if left is None else left

    def statuses(self, unit: Unit) -> Sequence[Status]:
        """Return what holds of a unit before those of its blows that are still to be seen."""
        if self.blows.left(unit.name) is None:
            self._statuses[unit.name] = statuses(unit, self._battle.board)
        return self._statuses.get(unit.name, ())

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        self.goal_overlay.color, self.target_overlay.color = palette.path, palette.threat
        self.area_overlay.color = self.attack_ribbon.color = palette.refused
        self.fringe_overlay.color = self.landing_overlay.color = palette.refused
        self.intent_ribbon.color = palette.first_path
        for overlay in (self.goal_overlay, self.target_overlay, self.area_overlay):
            overlay.is_hatched = palette.is_hatched
        self.mark_stale()

    def hurry(self) -> None:
        """Skip what is waited for, until the enemies' turn or a blow of the player ends."""
        self._is_hurried = self._was_busy or not self._battle_commander.is_players_turn

    def _enter_tree(self) -> None:
        self.panda.labels.append(self._kept_clear)
        super()._enter_tree()
        self._accepted = None
        self._accept_skills()
        self.listen(self._battle_commander.changed, self._accept_skills)
        terrain = terrain_above(self)
        self.listen(self._commander_3d.cursor.chosen, lambda _cell: self.hurry())
        self.listen(terrain.tile_clicked, lambda _cell, _button: self.hurry())
        self.goal_overlay.show(self._battle.objective.cells)

    def _exit_tree(self) -> None:
        self.panda.labels.remove(self._kept_clear)

    def _accept_skills(self) -> None:
        """Take the keys of what the selected unit can do, by the names of its skills."""
        commander = self._battle_commander
        if commander.skills != self._accepted:
            self._accepted = commander.skills
            self.ignore_actions()
            self.accept_actions(self._commands(), "Battle", lambda: self._commander_3d.takes_orders)

    def _commands(self) -> list[Command]:
        commander = self._battle_commander

        def why_not(*skill: str) -> Callable[[], str]:
            return lambda: plain_reason(commander.why_not(*skill))

        following, wait = "choose the next skill that has a target", "wait"
        do_nothing, choose = "let the selected unit do nothing in this turn", self._choose
        keys = range(1, MOST_SKILLS + 1)
        return [
            Command("next_skill", "gamepad-dpad_up", following, self._choose_next),
            Command(wait, "h", do_nothing, commander.wait, "Wait", why_not=why_not()),
            Command("attack", text="show an attack, then attack", shown_keys="Left click twice"),
            Command(
                "choose_skill",
                text="choose a skill of the selected unit",
                shown_keys=f"1 to {MOST_SKILLS}",
            ),
            *(
                Command(
                    f"skill_{n}",
                    str(n),
                    call=partial(choose, n - 1),
                    label=capitalized(tr(skill)),
                    why_not=why_not(skill),
                )
                for n, skill in zip(keys, commander.skills, strict=False)
            ),
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
        point = self._battle.board.tilemap.surface_point
        for _ in commander.targets if commander.skill else ():
            if commander.aim is not None and commander_3d.is_in_view(point(commander.aim)):
                commander_3d.cursor.go_to(commander.aim)
                return
            commander.next_target()
        if commander.skill:
            commander_3d.aim_by_key(commander.aim)

    def _process(self, dt_s: float) -> None:
        super()._process(dt_s)
        was_busy, self._was_busy = self._was_busy, self.is_busy
        self._is_stale |= was_busy and not self._was_busy
        self.blows.speed = self.speed * (_HASTE if self._is_hurried else 1.0)
        self._wait_s -= dt_s * self.speed
        battle = self._battle
        if self.is_paused or not self._battle_commander.is_open:
            return
        is_enemys = not (battle.winner or self._battle_commander.is_players_turn)
        self._is_hurried &= is_enemys or self._was_busy
        for unit in battle.board.units if self._is_hurried else ():
            unit.advance(_HASTE * dt_s)  # beside what its figure does
        if self.is_busy or (self._wait_s > 0 and not self._is_hurried and is_enemys):
            return
        has_ended, self._has_ended = self._has_ended, bool(battle.winner)
        if is_enemys:
            self._go_on(max(SLICE_S, SLICE_PART * dt_s))
        elif battle.winner and not has_ended:
            self._decisions, self._following, self._foes_blows = None, [], []
            self._hide_intent()
            self.mark_stale()
            self.ended.emit(battle.winner)

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
            self._wait_s = INTENT_S if choice.skill else INTENT_S / 2

    def _go(self, unit: Unit, choice: Choice) -> None:
        board, cell = self._battle.board, self._battle.board.tilemap.cell(choice.cell)
        if cell != unit.cell:
            board.move(unit, cell)
        is_there = unit.cell == cell  # else an unseen unit has halted it
        _, skill, aim = choice
        if aim is not None and is_there and self._battle_commander.sees(unit):
            team = self._battle_commander.team
            if skill != DOOR.name:
                self._foes_blows = self._battle.forecast(unit, skill, aim, team)
            self.mark_stale()
            self._wait_s = INTENT_S

    def _act(self, unit: Unit, choice: Choice) -> None:
        is_there = unit.cell == self._battle.board.tilemap.cell(choice.cell)
        self._hide_intent()
        self._foes_blows = []
        self._battle.play(unit, choice if is_there else Choice(unit.cell), is_automatic=True)

    def _look_at(self, unit: Unit, choice: Choice) -> None:
        """Look at a unit, its goal and its target."""
        figures, point = self._figures.figures, self._battle.board.tilemap.surface_point
        shown = [(unit.pose.point, figures[unit]), (point(choice.cell), figures[unit])]
        if choice.aim is not None:
            target = self._battle.board.unit_at(choice.aim)
            shown += [(point(choice.aim), figures[target or unit])]
        self._look(shown)

    def _look_at_figures(self, figures: Iterable[Unit3D]) -> None:
        self._look([(each.point, each) for each in figures])

    def _look(self, shown: list[tuple[Point, Unit3D]]) -> None:
        """Show bodies: as one looks now, else by a pan, else by a turn if something hides them."""
        camera = self._commander_3d.camera
        if camera is None or not self._commander_3d.follows:
            return
        goal, feet = camera.goal, [foot for foot, _ in shown]
        pitch_deg = min(max(goal.pitch_deg, _LEAST_PITCH_DEG), _MOST_PITCH_DEG)
        is_own = self._battle_commander.is_players_turn
        here = goal if is_own else replace(goal, pitch_deg=pitch_deg)
        panned = view_of(here, feet)
        views = [replace(panned, heading_deg=goal.heading_deg + each) for each in TURNS_DEG]
        if all(map(self._commander_3d.is_in_view, feet)):
            views.insert(0, here)
        figures = self._figures.figures.values()
        others = [figure for figure in figures if figure.visible]
        camera.goal = clearest(views, self._battle.board.tilemap, shown, others, n_allowed=_HIDDEN)
        if not is_own:
            self._views = [*(self._views or [goal])[:1], camera.goal]

    def _show_intent(self, unit: Unit, choice: Choice) -> None:
        """Show and look at where a unit goes, as far as that is seen, and what it aims at there."""
        board = self._battle.board
        cell, seen = board.tilemap.cell(choice.cell), board.seen(self._battle_commander.team or "")
        path = board.find_path(unit, cell).cells if cell != unit.cell else ()
        cells = itertools.takewhile(lambda each: seen[each[:2]], path)
        self.intent_ribbon.show([board.tilemap.surface_point(each) for each in cells])
        shown = choice if seen[cell[:2]] else Choice(unit.cell)
        self._show_choice(unit, shown)
        self._look_at(unit, shown)

    def _show_choice(self, unit: Unit, choice: Choice) -> None:
        """Show an arrow from where a unit acts to what it aims at, and all that is hit there."""
        (cell, skill, aim), tilemap = choice, self._battle.board.tilemap
        aims = {} if skill in {"", DOOR.name} else self._battle.aims(unit, skill, cell)
        hit, point = aims.get(tilemap.cell(aim or cell)), tilemap.surface_point
        self.area_overlay.show(() if hit is None else hit.cells)
        self.attack_ribbon.show([] if aim is None else arc(point(cell), point(aim)))
        self._stand.position, self._kept_clear.is_on = point(cell), aim is not None

    def _hide_intent(self) -> None:
        for mark in (self.intent_ribbon, self.attack_ribbon, self.area_overlay):
            mark.clear()
        self._kept_clear.is_on = False

    def _show(self) -> None:
        commander, takes_orders = self._battle_commander, self._commander_3d.takes_orders
        self.target_overlay.show(commander.aims_of(commander.skill) if takes_orders else ())
        self.fringe_overlay.show(commander.fringe if takes_orders else ())
        self.marks.np.get_children().detach()
        blows = commander.forecast if commander.is_players_turn else self._foes_blows
        blows = blows if takes_orders else []
        struck = {blow.target for blow in blows}  # a forecast takes the place of their marks
        targets = commander.targets if takes_orders else ()
        for target in (each for each in targets if each not in struck):
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
            left, full = self.blows.left(each.name), self._full.get(each.name, 0)
            figure.health = min(self.hit_points(each) / full, 1.0) if full else 1.0
            figure.visible = commander.sees(each) or left is not None
            figure.signs = [(status.icon, status.number) for status in self.statuses(each)]
        show_forecast(blows, self._figures.figures, self._full)
        self.landing_overlay.show({blow.slide[-1] for blow in blows if blow.slide})
        board = commander.board
        if board.has_fog and board.state is not self._fogged_in:
            self._fogged_in = board.state
            hidden = ~(board.seen(commander.team or "") | board.tilemap.void)
            self.fog_overlay.show([Cell(*tile) for tile in np.argwhere(hidden).tolist()])

    def _follow(self, entry: Entry) -> None:
        self.blows.follow(entry, self._battle_commander.team or "")
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
