"""The scene: a map, a game on it, a view of them, and the mode that has mouse and keys."""

import gc
import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import ai
from ai.game.background import Readiness
from ai.game.battle_commander import BattleCommander
from ai.game.battle_setup import MIN_WORTH, Match, set_up, worth
from ai.game.unit_loader import PLAYER_TEAM, resume
from ai.view import Commander3D, Figures3D, Unit3D
from ai.view.opening import (
    HEAD_Z,
    HEADINGS_DEG,
    PANS,
    TURNS_DEG,
    ZOOMS,
    Opening,
    clearest,
    is_mostly_water,
    n_covered,
    sample_goal,
    view_of,
)
from terrain3d import Cell, Node, TileMap, view
from terrain3d.core.translation import tr, translation_server
from terrain3d.grid.reason import plain_reason
from terrain3d.look.orbit import OrbitView
from terrain3d.look.palettes import PALETTES, Palette
from terrain3d.look.settings import Settings
from terrain3d.program.editor_menu import NEW_MAP
from terrain3d.program.game_menu import GameMenu
from terrain3d.program.maps import MapMaker, ground_of_battle
from terrain3d.program.modes import BattleMode, EditMode, Mode, PeacefulMode, WatchMode
from terrain3d.program.panels import Panels
from terrain3d.view.command import KeyRow, with_keys
from terrain3d.view.hud.menu import Menu

MOST_UNFIT = 10
"""After so many maps without room for a battle no other one is made."""
HEADINGS = (
    "Units",
    "Aim",
    "Rules",
    "Turns",
    "Battle",
    "Map editor",
    "Search theatre",
    "Map",
    "Camera",
    "Display",
)
"""The headings of the help, in order."""
_SILENT = ("shift", "control", "alt", "meta", "lshift", "rshift", "lcontrol", "rcontrol", "lalt")
"""Keys that do nothing alone."""


class GameScene(view.WindowNode):
    """Shows one map with units on it, and lets a player act on it in one of its modes.

    `seed` is that of the map and of units that move at random. `profile` is that of the default
    party and of units whose mover is unknown. The map editor saves and loads the file `path`. With
    `turns`, as in `ai.Board`, the player commands one team. With a `match` its battle is played,
    and the map is not edited. Another map is another scene in its place.
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
        self.seed, self.profile, self.path = seed, profile, path
        self.preferences, self.match = preferences, match
        self._next: tuple[int, TileMap, Match | None, str] | None = None
        self.uses_keys = False
        """Whether the last that was pressed is no button of the mouse."""
        self._n_unfit = 0  # maps made in a row that have no room for a battle
        self.new_map_command = view.Command(
            "new_map", "shift-r", "make the next map", self.make_next_map
        )
        # The game:
        self.battle_commander: BattleCommander | None = None
        if match is None:
            self.board = ai.Board(tilemap, turns)
            resume(self.board)
            self.commander = ai.Commander(self.board, None if turns is None else PLAYER_TEAM)
        else:
            self.board = match.battle.board
            self.battle_commander = BattleCommander(match.battle, PLAYER_TEAM)
            self.commander = self.battle_commander
        self.readiness = self.add_child(Readiness(self.commander))
        self.map_maker = self.add_child(MapMaker())
        # The view:
        self.terrain = view.Terrain3D(tilemap, quality=preferences.settings.quality)
        self.terrain.mood = preferences.settings.mood  # before it is seen, it does not change
        self.add_child(self.terrain)
        self.camera = self.add_child(view.OrbitCamera3D(target=self.terrain))
        commander_3d = Commander3D(self.commander, self.camera, warm_up=False)  # see Readiness
        self.commander_3d = self.terrain.add_child(commander_3d)
        self.figures_3d = Figures3D(self.board)
        self.figures = self.figures_3d.figures
        self.hud = view.Hud()
        self._minimap = self.hud.add_child(view.MiniMap(self.terrain, self.camera))
        self.hud.add_child(view.ActionMenu())
        self.menu = self.hud.add_child(Menu())
        self._panels = Panels(self)
        # The modes:
        self.edit = EditMode(self)
        self.play: PeacefulMode | BattleMode
        hidden: list[Node] = [self.commander_3d]
        if self.battle_commander is None:
            self.play = peaceful = PeacefulMode(self)
            self.notes = peaceful.units.notes
            self.edit.editor.saving.connect(peaceful.units.save)
            hidden.append(self.terrain.add_child(self.edit.editor))
            self.terrain.add_child(self.edit.doctor)
            self.add_child(self.edit)
        else:
            self.play, self.notes = BattleMode(self, self.battle_commander), []
        self.watch = self.add_child(WatchMode(self, hidden))
        self.add_child(self.play)
        self.terrain.add_child(self.figures_3d)
        self.add_child(self._panels)
        self.opening = self.add_child(Opening(self.camera, self._first_view))
        self.game_menu = self.add_child(GameMenu(self))
        self.add_child(self.hud)  # after all that fills it
        for note in self.notes:
            print(note, file=sys.stderr)

    @property
    def mode(self) -> Mode:
        """The mode that has mouse and keys."""
        if self.edit.editor.is_active:
            return self.edit
        return self.watch if self.watch.theatre.is_inside_tree else self.play

    @property
    def palette(self) -> Palette:
        """The colors of marks and teams."""
        return PALETTES[self.preferences.settings.palette]

    @property
    def is_ready(self) -> bool:
        """Whether orders are taken."""
        return self.commander.is_open

    @property
    def has_coordinates(self) -> bool:
        """Whether texts name tiles by row and column: by choice, and always beside the game."""
        return not self.play.is_on or self.preferences.settings.show_coordinates

    def show_message(self, message: str) -> None:
        """Show a message on the status line for a few seconds."""
        self._panels.show_message(message)

    def show_reason(self, reason: str, aim: Cell | None = None) -> None:
        """Show a reason as a message."""
        self.show_message(plain_reason(reason, aim, has_coordinates=self.has_coordinates))

    def mark_stale(self) -> None:
        """Fill the panels in the next frame, once for all changes until then."""
        self._panels.mark_stale()

    def show_goal(self) -> None:
        """Move the camera to the goal of the battle."""
        if self.match is not None:
            self.look_at(self.match.battle.objective.cells)

    def look_at(self, cells: Sequence[Cell]) -> None:
        """Move the camera to some tiles, and turn it only if a unit there would be hidden."""
        board, points = self.board, [*map(self.board.tilemap.surface_point, cells)]
        near = replace(self.camera.goal, distance=self.camera.near.distance)
        near = view_of(near, points)
        views = [replace(near, heading_deg=near.heading_deg + turn) for turn in TURNS_DEG]
        there = [unit for unit in map(self.commander.unit_seen_at, cells) if unit is not None]
        shown = [(unit.pose.point, self.figures[unit]) for unit in there]
        others = [each for each in self.figures.values() if each.visible]
        self.camera.goal = clearest(views, board.tilemap, shown, others)

    def toggle_card(self) -> None:
        """Show or hide more about the selected unit."""
        self._panels.toggle_card()

    def switch(self) -> None:
        """Give mouse and keys to the mode that is on now."""
        for mode in (self.play, self.edit, self.watch):
            mode.follow()
        self.camera.orbit_buttons = {"right"} if self.edit.is_on else {"left", "right"}
        self.hud.close_help()
        self.mark_stale()

    def _ready(self) -> None:
        # For the map before this one: the collector counts objects, not bytes, and would wait long.
        self.readiness.begun.connect(gc.collect)
        self.readiness.opened.connect(self._report_ready)
        self.map_maker.made.connect(self._show_made_map)
        self.map_maker.failed.connect(self.show_message)
        self.figures_3d.figure_added.connect(self._add_figure)
        self._open_near_a_unit()
        self.listen(self.panda.input.pressed, self._note_key)
        self.listen(self.panda.input.refused, self.show_message)
        for changed in (self.panda.input.changed, translation_server.changed):
            self.listen(changed, lambda _name="": self.mark_stale())
        self.listen(self.preferences.changed, self._change_setting)
        self.listen(self.preferences.failed, self.show_message)
        self._apply(self.preferences.settings)
        self.switch()

    def _process(self, _dt_s: float) -> None:
        is_opening = self.opening.is_playing
        self.hud.pointer_place = self.commander_3d.keyed_place
        self.hud.is_bare = is_opening
        takes_orders = not (self.edit.is_on or is_opening)
        if takes_orders != self.commander_3d.takes_orders:
            self.commander_3d.takes_orders = takes_orders
            self.mark_stale()  # other commands work
        self.commander_3d.cursor.has_keys = not is_opening
        if is_opening:
            self.commander_3d.cursor.cell = None
        self._minimap.is_shown = self.preferences.settings.show_map
        if self._next is not None:
            following, self._next = self._next, None  # or the old map would hold the new one
            self._replace(*following)

    def _note_key(self, event: str, is_used: bool) -> None:
        """Skip the opening, close the help, or say why a key does nothing."""
        key, bindings = event.rpartition("-")[2], self.panda.input
        self.uses_keys = not key.startswith(("mouse", "wheel"))
        self.mark_stale()
        if key.startswith(("mouse", "wheel")) or key in _SILENT or self.panda.modal is not None:
            return
        was_open = self.hud.is_help_open
        self.mark_stale()  # a gamepad may be used now, and has other keys
        if event not in bindings.heard("help"):
            self.hud.close_help()  # so that what the key does is seen
        if self.opening.is_playing and event not in bindings.heard("glide"):
            self.opening.skip()
            self.game_menu.banner.dismiss()
        elif not (is_used or was_open):
            self.show_message(self.mode.explain(event))

    def key_rows(self) -> list[KeyRow]:
        """Return rows of all keys that do something now, by their headings."""
        groups = self.panda.input.groups
        ordered = sorted(groups, key=lambda name: HEADINGS.index(name) if name in HEADINGS else -1)
        return view.help_rows({name: groups[name] for name in ordered}, self.panda.input)

    def _add_figure(self, unit: ai.Unit, figure: Unit3D) -> None:
        """Show a new figure like those before it."""
        figure.color, figure.pace = self.palette.of_team(unit.team), self.preferences.settings.pace
        self.play.mark_selected()

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
        party = [each for each in seen if self.match and each.team == unit.team] or [unit]
        shown = [(each.pose.point, self.figures[each]) for each in (*party, foe) if each]
        cells = () if self.match is None else self.match.battle.objective.cells
        goals = [*map(tilemap.surface_point, cells)]
        units = [each.pose.point for each in seen if self.match]
        framed = [point, *goals[:1], *units]
        near = view_of(camera.near, framed) if len(framed) > 1 else camera.near
        turned = [replace(near, heading_deg=heading_deg) for heading_deg in HEADINGS_DEG]
        dry = [look for look in turned if not is_mostly_water(look, tilemap)] or turned
        moved = (
            replace(look, distance=zoom * look.distance).panned(
                right * look.distance, ahead * look.distance
            )
            for zoom in (ZOOMS if self.match else (1.0,))
            for right, ahead in PANS
            for look in dry
        )
        figures = [self.figures[each] for each in seen]
        heads = [(x, y, z + HEAD_Z) for x, y, z in units]
        count_covered = partial(n_covered, [*goals, *units, *heads], camera)
        views = map(camera.limits.clamped, moved)
        return clearest(views, tilemap, shown, figures, 1, count_covered)

    def _show_sample_path(self) -> None:
        """Aim at a tile, if no pointer does, so that the first picture shows a path."""
        reach = self.commander.reach
        is_free = self.match is None and self.commander.aim is None
        if isinstance(reach, ai.Reach) and is_free:
            self.commander_3d.cursor.go_to(sample_goal(reach, self.camera.goal.heading_deg))
            self.camera.look(self.camera.near)  # the cursor may have moved it

    def _report_ready(self) -> None:
        self._show_sample_path()
        notes = [self._panels.message, *map(plain_reason, self.notes[:1])]
        self.show_message(tr("; ").join(filter(None, notes)))

    def make_next_map(self) -> None:
        """Begin to generate the map of the next seed, which then takes the place of this one."""
        key, editor = with_keys("{new_map}", self.panda.input), self.edit.editor
        if self.match is not None or editor.may_drop_edits(key):
            self._make_map(self.seed + 1)

    def _make_map(self, seed: int) -> None:
        like, ground = self.board.tilemap, "landscape"
        if self.match is not None:
            ground = ground_of_battle(like.rows, like.cols)
        self.map_maker.begin(like, seed, ground)

    def _show_made_map(self, seed: int, tilemap: TileMap) -> None:
        match = None
        if self.match is not None:
            battle, turns = None, self.board.turns or "sides"
            with suppress(ValueError):  # it has no room for a battle
                battle, _ = set_up(tilemap, seed, turns, fog=self.board.has_fog)
            if battle is None or worth(battle) < MIN_WORTH:
                self._n_unfit += 1
                if self._n_unfit < MOST_UNFIT:
                    self._make_map(seed + 1)
                else:
                    self._n_unfit = 0
                    self.show_message(tr("No map that suits a battle was found"))
                return
            match = Match(battle, self.match.difficulty, is_new=True)
        if self.edit.is_on:
            text = "Map {seed} is not shown, since this one is edited"
            self.show_message(tr(text, seed=seed))
        else:
            self.path = NEW_MAP
            self._next = seed, tilemap, match, tr("Map {seed}", seed=seed)

    def begin(self, match: Match, message: str) -> None:
        """Play a match in place of this one."""
        self._next = match.battle.board.seed, match.battle.board.tilemap, match, message

    def show_loaded_map(self, tilemap: TileMap) -> None:
        """Show the map that the editor has loaded, in a scene of its own."""
        self.path = self.edit.editor.map_editor.path
        self._next = self.seed, tilemap, None, self._panels.message

    def _replace(self, seed: int, tilemap: TileMap, match: Match | None, message: str) -> None:
        """Free this scene and add one with another map in its place."""
        self.watch.close()
        root, is_editing = self.tree.root, self.edit.is_on
        edited = self.edit.editor.map_editor if self.match is None else None
        root.remove_child(self)
        self.queue_free()  # at once, so that no memory holds two scenes
        scene = GameScene(
            seed, tilemap, self.profile, self.preferences, self.path, self.board.turns, match
        )
        scene.show_message(message)
        root.add_child(scene)
        if edited is not None and scene.match is None:
            scene.edit.editor.map_editor.continue_from(edited)
        scene.edit.editor.is_active = is_editing
        if is_editing:
            scene.camera.look(self.camera.goal)

    def _change_setting(self, name: str) -> None:
        settings = self.preferences.settings
        self._apply(settings)
        self.show_message(settings.describe(name))

    def _apply(self, settings: Settings) -> None:
        """Pass the settings on to every node that they concern."""
        palette, theatre = self.palette, self.watch.theatre
        self.commander_3d.palette, self.commander_3d.follows = palette, settings.follow
        self.commander_3d.shows_costs = settings.show_costs
        self.hud.text_scale = settings.text_scale
        self.terrain.mood, self.terrain.quality = settings.mood, settings.quality
        theatre.text_scale, theatre.path_color = settings.text_scale, palette.path
        theatre.first_path_color = palette.first_path
        self.play.use(palette)
        self.edit.use(palette)
        for unit, figure in self.figures.items():
            self._add_figure(unit, figure)
        self.mark_stale()
