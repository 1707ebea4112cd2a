"""The scene: one map with units on it, its camera and panels, and the player's input."""

import gc
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import ai
from ai.game import descriptions
from ai.game.background import Readiness
from ai.game.battle_commander import BattleCommander
from ai.game.battle_setup import Match, set_up
from ai.game.unit_loader import PLAYER_TEAM, UnitLoader, resume
from ai.view import (
    Commander3D,
    Figures3D,
    SearchTheatre3D,
    SelectionBox,
    Unit3D,
)
from ai.view.battle_3d import Battle3D
from ai.view.map_doctor import DoctorView
from ai.view.opening import HEADINGS_DEG, Opening, clearest, is_mostly_water, sample_goal, view_of
from ai.view.rules_panel import RulesView
from ai.view.turns_panel import TurnsView
from terrain3d import Cell, Node, TileMap, view
from terrain3d.core.translation import tr, tr_n, translation_server
from terrain3d.grid.reason import Reason, plain_reason, register_reasons
from terrain3d.look.orbit import OrbitView
from terrain3d.look.palettes import PALETTES, Palette
from terrain3d.look.settings import Settings
from terrain3d.program import actions
from terrain3d.program.behaviors import CHASE, BehaviorKey
from terrain3d.program.editor_menu import NEW_MAP, EditorMenu
from terrain3d.program.game_menu import GameMenu
from terrain3d.program.maps import MapMaker
from terrain3d.program.panels import Panels
from terrain3d.view.actions import with_keys

register_reasons(
    order_undone=("undone",),
    order_redone=("redone",),
)

MOST_UNFIT = 10
"""After so many maps without room for a battle no other one is made."""


class GameScene(Node):
    """Shows one map with units on it, and lets a player command them.

    The commander, the autopilot and the editor decide; this connects them to the nodes that show
    their state and receive input. `seed` is that of the map and of units that move at random.
    `profile` is that of the default party and of units whose mover is unknown. The map editor saves
    and loads the file `path`. With `turns`, as in `ai.Board`, the player commands one team. With a
    `match` its battle is played, and the map is not edited.
    """

    def __init__(
        self,
        seed: int,
        tilemap: TileMap,
        profile: ai.MoveProfile,
        preferences: view.Preferences,
        path: Path = NEW_MAP,
        turns: str | None = None,
        match: Match | None = None,
    ) -> None:
        super().__init__()
        self._seed, self._profile, self._path = seed, profile, path
        self.preferences, self.match = preferences, match
        self.board = ai.Board(tilemap, turns) if match is None else match.battle.board
        if match is None:
            resume(self.board)
        self.commander = ai.Commander(self.board, None if turns is None else PLAYER_TEAM)
        self.battle_commander: BattleCommander | None = None
        self.battle_3d: Battle3D | None = None
        if match is not None:
            self.commander = self.battle_commander = BattleCommander(match.battle, PLAYER_TEAM)
        self.readiness = self.add_child(Readiness(self.commander))
        self.map_maker = self.add_child(MapMaker())
        self._next: tuple[int, TileMap, Match | None, str] | None = None
        self._n_unfit = 0  # maps made in a row that have no room for a battle
        self._asked: object = None  # the state in which the end of a turn was asked for
        self._add_map_nodes(preferences.settings)
        self._add_window_nodes()
        self._rules = self.commander_3d.add_child(RulesView(self.commander, self.hud))
        self._add_marks()
        self._add_units()
        if self.battle_commander is not None:
            battle_3d = Battle3D(self.battle_commander, self.commander_3d, self._shown_units)
            self.battle_3d = self.commander_3d.add_child(battle_3d)
        panels = Panels(self)
        self._turns_view = self.commander_3d.add_child(
            TurnsView(self.commander, self.commander_3d, self.show_message)
        )
        self._idle_keys = self.add_child(actions.IdleKeys(self.commander))
        self._panels = self.add_child(panels)
        self.opening = self.add_child(Opening(self.camera, self._first_view))
        self.game_menu = self.add_child(GameMenu(self))
        if match is None:
            self.add_child(EditorMenu(self))
        self.add_child(self.hud)  # after all that fills it

    def _add_map_nodes(self, settings: Settings) -> None:
        """Add the terrain, the camera, and the nodes that give orders and edit the map."""
        self.terrain = self.add_child(view.Terrain3D(self.board.tilemap, quality=settings.quality))
        self.terrain.mood = settings.mood
        self.camera = self.add_child(view.OrbitCamera3D(target=self.terrain))
        self.commander_3d = self.terrain.add_child(Commander3D(self.commander, self.camera))
        cursor = self.commander_3d.cursor
        self.editor = view.MapEditor3D(self._path, cursor)
        if self.match is None:
            self.terrain.add_child(self.editor)

    def _add_window_nodes(self) -> None:
        """Add the nodes that draw on the window: selection box, panels and small map."""
        self._box = self.add_child(SelectionBox("box"))
        self.hud = view.Hud()
        self._minimap = self.hud.add_child(view.MiniMap(self.terrain, self.camera))
        self.toolbar = self.hud.add_child(view.Toolbar())
        self.hud.add_child(view.ActionMenu())

    def _add_marks(self) -> None:
        """Add the marks of behaviors, and make the theatre that takes their place."""
        self._crumbs = self.terrain.add_child(view.Crumbs3D("crumbs"))
        self._waypoints = self.terrain.add_child(view.TileOverlay3D("waypoints"))
        self._waypoints.shows_labels = True
        self.doctor = DoctorView(self.board, self._profile, self.editor)
        self.terrain.add_child(self.doctor)
        self._not_watched: list[Node] = [self.commander_3d, self._crumbs, self._waypoints]
        self._not_watched += [self.editor] if self.match is None else []
        self.theatre = SearchTheatre3D(self.board.navigation, self.camera, seed=self._seed)

    def _add_units(self) -> None:
        """Put the units on the board, and add their autopilot and their figures."""
        self.autopilot = ai.Autopilot(self.board)
        self.behavior_key = BehaviorKey(self.autopilot, self.board, self._seed)
        self._notes: list[Reason] = []
        if self.match is None:
            self.add_child(self.autopilot)
            units = UnitLoader(self.board, self._profile)
            self.editor.saving.connect(units.save)
            self._notes = units.notes
            for unit in self.board.units if self.commander.team is not None else ():
                if unit.team != PLAYER_TEAM:
                    self.behavior_key.assign(unit, CHASE)
        for note in self._notes:
            print(note, file=sys.stderr)
        self._shown_units = self.terrain.add_child(Figures3D(self.board))
        self.figures = self._shown_units.figures

    @property
    def mode(self) -> str:
        """What mouse and keys do: `actions.PLAY`, EDIT or WATCH."""
        if self.editor.is_active:
            return actions.EDIT
        return actions.WATCH if self.theatre.is_inside_tree else actions.PLAY

    @property
    def palette(self) -> Palette:
        """The colors of marks and teams."""
        return PALETTES[self.preferences.settings.palette]

    @property
    def is_ready(self) -> bool:
        """Whether orders are taken."""
        return self.commander.is_open

    def show_message(self, message: str) -> None:
        """Show a message on the status line for a few seconds."""
        self._panels.show_message(message)

    def _ready(self) -> None:
        terrain, commander, panels = self.terrain, self.commander, self._panels
        # For the map before this one: the collector counts objects, not bytes, and would wait long.
        self.readiness.begun.connect(gc.collect)
        self.readiness.opened.connect(self._report_ready)
        self.map_maker.made.connect(self._show_made_map)
        self.map_maker.failed.connect(self.show_message)
        calls: dict[str, Callable[[], None]] = {
            "threat": self._turns_view.toggle_threat,
            "end_turn": self._end_turn,
            "glide": self.opening.play,
        }
        if self.match is None:
            calls |= {
                "next_behavior": self._assign_next_behavior,
                "rules": self._rules.toggle,
            }
        in_play = {name: partial(self._call_in_play, call) for name, call in calls.items()}
        always = {"new_map": self.make_next_map, "search_theatre": self._toggle_theatre}
        terrain.accept_actions(actions.SCENE_ACTIONS, {**in_play, **always})
        if self.match is None:  # a node that a search takes away, with keys that the search uses
            add_unit = partial(self._call_in_play, self._add_unit)
            self.commander_3d.accept_actions(actions.UNIT_ACTIONS, {"add_unit": add_unit})
        self._box.drawn.connect(self._select_in_box)
        self.autopilot.changed.connect(lambda _unit: panels.mark_stale())
        self._idle_keys.explained.connect(panels.show_message)
        self._idle_keys.pressed.connect(self._close_help)
        self._idle_keys.pressed.connect(self._skip_opening)
        self.editor.changed.connect(self._switch_mode)
        self.doctor.changed.connect(panels.mark_stale)
        self.editor.message.connect(self._show_reason)
        self.editor.loaded.connect(self._show_loaded_map)
        self.theatre.exit_requested.connect(self._close_theatre)
        commander.changed.connect(panels.mark_stale)
        commander.changed.connect(self._mark_selected)
        commander.order_given.connect(lambda unit, _path: self.autopilot.assign(unit, None))
        commander.part_ordered.connect(
            lambda plan: panels.show_message(descriptions.describe_rest(plan, self.board))
        )
        commander.squad_ordered.connect(self._report_squad)
        commander.order_undone.connect(self._show_undone)
        commander.order_redone.connect(self._show_redone)
        commander.refused.connect(lambda reason: self._show_reason(reason, commander.aim))
        self._shown_units.figure_added.connect(self._add_figure)
        self._open_near_a_unit()
        for changed in (terrain.panda.input.changed, translation_server.changed):
            terrain.listen(changed, self._show_keys)
        terrain.listen(self.preferences.changed, self._change_setting)
        terrain.listen(self.preferences.failed, panels.show_message)
        self._apply(self.preferences.settings)
        self._switch_mode()

    def _process(self, _dt_s: float) -> None:
        self.hud.pointer_place = self.commander_3d.keyed_place
        self.terrain.panda.is_help_open = self.hud.is_help_open
        self.hud.is_bare = self.game_menu.menu.is_open or self.opening.is_playing
        self.commander_3d.takes_orders = not (self.editor.is_active or self.opening.is_playing)
        if self.opening.is_playing:
            self.commander_3d.cursor.cell = None
        self._minimap.is_shown = self.preferences.settings.show_map
        is_editing = self.editor.is_active
        self._crumbs.show([] if is_editing else self.behavior_key.crumbs())
        points = {} if is_editing else self.behavior_key.points()
        self._waypoints.show(points, [str(number or "") for number in points.values()])
        self._idle_keys.is_quiet = self.opening.is_playing or self.terrain.panda.modal is not None
        self._idle_keys.has_sliders = self._rules.is_open or self.match is not None
        if self.battle_3d is not None and self.match is not None:
            self.battle_3d.enemy = self.match.enemy
        if self.battle_commander is not None:
            self.commander_3d.cursor.visible = self.battle_commander.is_players_turn
        if self._next is not None:
            following, self._next = self._next, None  # or the old map would hold the new one
            self._replace(*following)

    def _toggle_theatre(self) -> None:
        """Play a search in place of the marks of orders, or show these again."""
        if self.theatre.is_inside_tree:
            self._close_theatre()
        elif self.editor.is_active or not self.is_ready:
            editing = with_keys(actions.EDITING, self.terrain.panda.input)
            self.show_message(editing if self.editor.is_active else self.readiness.progress)
        elif not self._watch_search():
            self.show_message(tr("No search: no two tiles of this map are connected for this unit"))
        else:
            for node in self._not_watched:
                self.terrain.remove_child(node)
            self.terrain.add_child(self.theatre)
            self._switch_mode()

    def _close_theatre(self) -> None:
        if self.theatre.is_inside_tree:
            self.terrain.remove_child(self.theatre)
            for node in self._not_watched:
                self.terrain.add_child(node)
            self._switch_mode()

    def _watch_search(self) -> bool:
        """Begin the search for the path to the tile aimed at; without one between random ends."""
        plan, unit = self.commander.plan, self.commander.selected
        profile = self._profile if unit is None else unit.profile
        situation = None if plan is None else self.board.situation(plan.unit)
        # A unit whose deck is gone has a plan, which says so, but nowhere to begin.
        if plan is None or situation is None or situation.reason:
            return self.theatre.watch_random(profile)
        self.theatre.watch(situation.here, plan.cell, profile, blockers=situation.blockers)
        return True

    def _select_in_box(self, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Select the units that are seen in a box on the window."""
        figures = self.figures.items()
        self.commander.select_all([unit for unit, figure in figures if figure.is_within(low, high)])

    def _add_unit(self) -> None:
        """Select the unit aimed at beside the others, or leave it out if it is one of them."""
        aim = self.commander.aim
        unit = None if aim is None else self.commander.unit_seen_at(aim)
        if unit is not None:
            squad = [each for each in self.commander.squad if each is not unit]
            is_new = len(squad) == len(self.commander.squad)
            self.commander.select_all([*squad, unit] if is_new else squad)

    def _mark_selected(self) -> None:
        """Mark the selected units, and in play label them and the one that is aimed at."""
        aim, is_played = self.commander.aim, self._box.is_enabled
        aimed = None if aim is None else self.commander.unit_seen_at(aim)
        for unit, figure in self.figures.items():
            figure.is_selected = unit in self.commander.squad
            points = "" if math.isinf(unit.points) else f"  {unit.points:g}"
            is_named = is_played and (figure.is_selected or unit is aimed)
            figure.label = unit.name + points if is_named else ""

    def _add_figure(self, unit: ai.Unit, figure: Unit3D) -> None:
        """Show a new figure like those before it."""
        settings = self.preferences.settings
        figure.color, figure.pace = PALETTES[settings.palette].of_team(unit.team), settings.pace
        self._mark_selected()

    def _report_squad(self, order: ai.SquadOrder) -> None:
        for unit in order.units:
            self.autopilot.assign(unit, None)
        lines = descriptions.describe_squad(order, has_coordinates=self.has_coordinates)
        self.show_message(tr("; ").join(lines))

    def _assign_next_behavior(self) -> None:
        """Start the next behavior for the selected unit."""
        unit, aim = self.commander.selected, self.commander.aim
        if unit is None or self.commander.is_foe_selected:
            self.show_message(tr("Select a unit of yours to start its next behavior"))
            return
        what = self.behavior_key.assign_next(unit, None if aim == unit.cell else aim)
        self.show_message(tr("{unit} {behavior}", unit=unit.name, behavior=what))

    def _open_near_a_unit(self) -> None:
        """Select a unit, one of the player's if there is any, and look at it from near."""
        unit = next(iter(self.figures), None)
        if unit is not None:
            self.commander.select(unit)
            self.camera.focus_point = unit.pose.point
            near = self._first_view()
            self.camera.focus_heading_deg = near.heading_deg
            self.camera.look(near)
        if self.match is not None and self.match.is_new:
            self.opening.play()
            self.game_menu.show_title()

    def _first_view(self) -> OrbitView:
        """Return a view of the selected unit from near, in a battle with an enemy before it."""
        unit, camera, tilemap = self.commander.selected, self.camera, self.board.tilemap
        if unit is None:
            return camera.home
        camera.focus_point = point = unit.pose.point
        seen = [*filter(self.commander.sees, self.board.units)]
        enemies = () if self.match is None else self.board.enemies_of(unit)
        foes = [each for each in enemies if each in seen]
        foe = min(foes, key=lambda each: math.dist(point, each.pose.point), default=None)
        shown = [(each.pose.point, self.figures[each]) for each in (unit, foe) if each is not None]
        near = camera.near if foe is None else view_of(camera.near, [at for at, _ in shown])
        views = [replace(near, heading_deg=heading_deg) for heading_deg in HEADINGS_DEG]
        dry = [look for look in views if not is_mostly_water(look, tilemap)]
        return clearest(dry or views, tilemap, shown, [self.figures[each] for each in seen])

    def _show_sample_path(self) -> None:
        """Aim at a tile, if no pointer does, so that the first picture shows a path."""
        reach = self.commander.reach
        is_free = self.match is None and self.commander.aim is None
        if isinstance(reach, ai.Reach) and is_free:
            self.commander_3d.cursor.go_to(sample_goal(reach, self.camera.goal.heading_deg))
            self.camera.look(self.camera.near)  # the cursor may have moved it

    def _report_ready(self) -> None:
        self._show_sample_path()
        notes = [self._panels.message, *map(plain_reason, self._notes[:1])]
        self.show_message(tr("; ").join(filter(None, notes)))

    def _show_undone(self, is_done: bool) -> None:
        self._show_reason(Reason("order_undone" if is_done else "nothing_to_undo"))

    def _show_redone(self, is_done: bool) -> None:
        self._show_reason(Reason("order_redone" if is_done else "nothing_to_redo"))

    def _close_help(self, key: str) -> None:
        """Close the help at any key but its own, so that what the key does is seen."""
        if key not in self.terrain.panda.input.events_of("help"):
            self.hud.close_help()

    def _skip_opening(self, key: str) -> None:
        if self.opening.is_playing and key not in self.terrain.panda.input.events_of("glide"):
            self.opening.skip()
            self.game_menu.banner.dismiss()

    def _call_in_play(self, call: Callable[[], None]) -> None:
        if self.mode == actions.PLAY and self.is_ready:
            call()

    def make_next_map(self) -> None:
        """Begin to generate the map of the next seed, which then takes the place of this one."""
        key = with_keys("{new_map}", self.terrain.panda.input)
        if not self.editor.is_active and self.editor.may_drop_edits(key):
            self.map_maker.begin(self.board.tilemap, self._seed + 1)

    def _show_made_map(self, seed: int, tilemap: TileMap) -> None:
        match = None
        if self.match is not None:
            try:
                turns, has_fog = self.board.turns or "sides", self.board.has_fog
                battle, _ = set_up(tilemap, seed, turns, fog=has_fog)
            except ValueError as error:
                self._n_unfit += 1
                if self._n_unfit < MOST_UNFIT:
                    self.map_maker.begin(self.board.tilemap, seed + 1)
                else:
                    self._n_unfit = 0
                    self.show_message(str(error))
                return
            match = Match(battle, self.match.difficulty, is_new=True)
        if self.editor.is_active:
            text = "Map {seed} is not shown, since this one is edited"
            self.show_message(tr(text, seed=seed))
        else:
            self._path = NEW_MAP
            self._next = seed, tilemap, match, tr("Map {seed}", seed=seed)

    def begin(self, match: Match, message: str) -> None:
        """Play a match in place of this one."""
        self._next = match.battle.board.seed, match.battle.board.tilemap, match, message

    def _show_loaded_map(self, tilemap: TileMap) -> None:
        self._path = self.editor.map_editor.path
        self._next = self._seed, tilemap, None, self._panels.message

    def _replace(self, seed: int, tilemap: TileMap, match: Match | None, message: str) -> None:
        """Free this scene and add one with another map in its place."""
        self._close_theatre()
        root, is_editing = self.tree.root, self.editor.is_active
        edited = self.editor.map_editor if self.match is None else None
        root.remove_child(self)
        self.queue_free()  # at once, so that no memory holds two scenes
        scene = GameScene(
            seed,
            tilemap,
            self._profile,
            self.preferences,
            self._path,
            self.board.turns,
            match,
        )
        scene.show_message(message)
        root.add_child(scene)
        if edited is not None and scene.match is None:
            scene.editor.map_editor.continue_from(edited)
        scene.editor.is_active = is_editing
        if is_editing:
            scene.camera.look(self.camera.goal)

    def _switch_mode(self) -> None:
        """Give mouse and keys to the commander, the map editor or the theatre."""
        mode, is_editing = self.mode, self.editor.is_active
        self._box.is_enabled = mode == actions.PLAY and self.match is None
        self._rules.is_open &= mode == actions.PLAY
        self._mark_selected()
        self.camera.orbit_buttons = {"right"} if is_editing else {"left", "right"}
        self.hud.close_help()
        self._idle_keys.mode = mode
        self._show_keys()
        self._panels.mark_stale()
        self._turns_view.mark_stale()

    def _change_setting(self, name: str) -> None:
        settings = self.preferences.settings
        self._apply(settings)
        self.show_message(settings.describe(name))

    def _show_keys(self, _name: str = "") -> None:
        """Show what is bound in the help and on the buttons."""
        mode = actions.BATTLE if self.match and self.mode == actions.PLAY else self.mode
        self.hud.keys = view.help_rows(actions.ACTIONS[mode], self.terrain.panda.input)
        self._panels.mark_stale()

    def _end_turn(self) -> None:
        """End the player's turn; in a battle only at the second request while units may act."""
        idle = [] if self.battle_commander is None else self.battle_commander.idle_units
        if idle and self._asked != self.board.state:
            self._asked = self.board.state
            self.show_message(
                tr_n(
                    "{n} unit may still act; end the turn once more to go on",
                    "{n} units may still act; end the turn once more to go on",
                    len(idle),
                )
            )
        else:
            self.commander.end_turn()

    @property
    def has_coordinates(self) -> bool:
        """Whether texts name tiles by row and column: by choice, and always beside the game."""
        is_beside = self.mode in {actions.EDIT, actions.WATCH}
        return is_beside or self.preferences.settings.show_coordinates

    def _show_reason(self, reason: str, aim: Cell | None = None) -> None:
        self.show_message(plain_reason(reason, aim, has_coordinates=self.has_coordinates))

    def _apply(self, settings: Settings) -> None:
        """Pass the settings on to every node that they concern."""
        palette = PALETTES[settings.palette]
        self.commander_3d.palette, self.commander_3d.follows = palette, settings.follow
        self.commander_3d.shows_costs = settings.show_costs
        self.hud.ok_color, self.hud.refused_color = palette.path, palette.refused
        self.hud.text_scale = settings.text_scale
        self.terrain.mood, self.terrain.quality = settings.mood, settings.quality
        self.theatre.text_scale, self.theatre.path_color = settings.text_scale, palette.path
        self.theatre.first_path_color = palette.first_path
        self._crumbs.color = self._waypoints.color = palette.path
        self._rules.ribbon.color = palette.first_path
        self._turns_view.use(palette)
        if self.battle_3d is not None:
            self.battle_3d.use(palette)
        self.doctor.use(palette)
        for unit, figure in self.figures.items():
            self._add_figure(unit, figure)
        self._panels.mark_stale()
