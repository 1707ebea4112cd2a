"""The modes of the scene: what mouse and keys do in each, its commands, buttons and hints."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import ai
from ai.game import descriptions
from ai.game.battle import SKILLS
from ai.game.map_tools import TOOLS_OF_BATTLE, goal_cells
from ai.game.objective import describe_objective, explain_hold, side_name
from ai.game.unit_loader import PLAYER_TEAM, UnitLoader
from ai.view import SearchTheatre3D, SelectionBox
from ai.view.battle_3d import Battle3D
from ai.view.blows_3d import LogView
from ai.view.goal_flag import GoalFlag
from ai.view.map_doctor import DoctorView
from ai.view.rules_panel import RulesView
from ai.view.turns_panel import TurnsView
from terrain3d import view
from terrain3d.core.translation import tr
from terrain3d.grid.reason import Reason, plain_reason, register_reasons
from terrain3d.program.behaviors import CHASE, BehaviorKey
from terrain3d.program.editor_menu import EditorMenu
from terrain3d.view import Button, Command, WindowNode, buttons_of
from terrain3d.view.command import KeyRow, aiming_keys, key_name, key_rows, with_keys
from terrain3d.view.hud.widgets import SWATCH

if TYPE_CHECKING:
    from ai.game.battle_commander import BattleCommander
    from terrain3d import Node
    from terrain3d.look.palettes import Palette
    from terrain3d.program.game_scene import GameScene

register_reasons(
    order_undone=("undone",),
    order_redone=("redone",),
)

N_USEFUL = 3
"""Commands that the line at the bottom names, beside the help and the menu."""

Groups = Mapping[str, list[Command]]
"""Commands by their headings in the help."""


class Mode(WindowNode):
    """What mouse and keys do in a scene; its commands work while it is on."""

    labels: Mapping[str, str] = MappingProxyType({})
    """Labels of some commands in it, by name."""
    useful = ""
    """Names of useful commands, the most useful first, for the line at the bottom."""
    keys = ""
    """Names of the commands that the help lists, in order; all others are among the options."""
    idle = "{key} does nothing; {help} lists the keys"
    """What is said of a key that no command has."""
    away = idle
    """What is said of a key that a command of another mode has."""

    def __init__(self, scene: GameScene) -> None:
        super().__init__(type(self).__name__)
        self.scene = scene

    @property
    def is_on(self) -> bool:
        """Whether it is the mode of the scene."""
        return self.scene.mode is self

    def commands(self) -> Groups:
        """Return its commands, beside those that nodes of the scene bring."""
        return {}

    def buttons(self) -> list[Button]:
        """Return its buttons."""
        return []

    def hints(self) -> list[KeyRow]:
        """Return the first of its useful commands that do something now, as (key, label)."""
        bindings = self.panda.input
        rows = []
        for each in self.named(self.useful):
            is_aim = each.name == "cursor_up"  # stands for all keys that aim
            key, label = (aiming_keys(bindings), tr("Aim")) if is_aim else (each.key, each.text)
            rows += [(key, label)] if key and each.is_enabled else []
        rest = [(each.key, each.text) for each in self.named("help menu") if each.key]
        return rows[:N_USEFUL] + rest

    def help(self) -> list[KeyRow]:
        """Return the rows of the help."""
        bindings, names = self.panda.input, self.keys.split()
        chosen: dict[str, list[Command]] = {name: [] for name in names}
        for group in bindings.groups.values():
            kept: list[Command] = []
            for each in group:  # one without a text belongs to the one before
                kept = chosen.get(each.name, []) if each.text else kept
                kept.append(each)
        return key_rows(itertools.chain.from_iterable(chosen.values()), bindings)

    def named(self, names: str) -> list[Button]:
        """Return the buttons of those of some commands that work now, with the mode's labels."""
        bindings = self.panda.input
        works = bindings.commands
        found = buttons_of(" ".join(name for name in names.split() if name in works), bindings)
        return [
            replace(each, text=tr(self.labels[each.name])) if each.name in self.labels else each
            for each in found
        ]

    def explain(self, event: str) -> str:
        """Return why a key does nothing."""
        bindings = self.panda.input
        text = self.away if bindings.knows(event) else self.idle
        return with_keys(text, bindings, key=tr(key_name(event)))

    def follow(self) -> None:
        """Show that it is on now, or not; called when the scene switches to another mode."""

    def _enter_tree(self) -> None:
        for heading, commands in self.commands().items():
            self.accept_actions(commands, heading, lambda: self.is_on)


class PlayMode(Mode):
    """The player commands units."""

    labels: Mapping[str, str] = MappingProxyType({"confirm": "Select, move"})
    useful = "confirm cursor_up end_turn select_next search_theatre"
    keys = "select deselect select_next undo redo cursor_up confirm map_editor camera_orbit pause"
    has_labels = False
    """Whether the selected units and the one that is aimed at have labels."""

    def __init__(self, scene: GameScene) -> None:
        super().__init__(scene)
        self.turns_view = TurnsView(scene.commander, scene.commander_3d, scene.show_message)
        scene.commander_3d.add_child(self.turns_view)

    def _enter_tree(self) -> None:
        super()._enter_tree()
        scene, commander = self.scene, self.scene.commander
        self.listen(commander.changed, scene.mark_stale)
        self.listen(commander.changed, self.mark_selected)
        self.listen(commander.order_undone, lambda _: scene.show_reason(Reason("order_undone")))
        self.listen(commander.order_redone, lambda _: scene.show_reason(Reason("order_redone")))
        self.listen(commander.refused, lambda why: scene.show_reason(why, commander.aim))

    def commands(self) -> Groups:
        """Return those of turns, and of the map."""
        reach = "show or hide what enemies could reach; aim at one to see its tiles"
        threat, whole = self.turns_view.toggle_threat, self.scene.opening.play
        glide = "show the whole map, and glide to the selected unit"
        return {
            "Turns": [
                Command(
                    "end_turn",
                    "f10",
                    "end the turn",
                    self.end_turn,
                    "End turn",
                    why_not=self._why_no_end,
                ),
                self.command("threat", "f8", reach, threat, "Enemy reach"),
            ],
            "Map": [self.scene.new_map_command],
            "Camera": [self.command("glide", "r", glide, whole)],
        }

    def command(
        self, name: str, keys: str, text: str, call: Callable[[], object], label: str = ""
    ) -> Command:
        """Return a command that does nothing before orders are taken."""
        return Command(name, keys, text, call, label, why_not=lambda: self.scene.readiness.progress)

    def _why_no_end(self) -> str:
        return self.scene.readiness.progress or plain_reason(self.scene.commander.why_no_end)

    @property
    def takes_orders(self) -> bool:
        """Whether clicks and keys give orders."""
        return self.is_on and self.scene.commander_3d.takes_orders

    def hints(self) -> list[KeyRow]:
        """Return hints as any mode, while keys are used."""
        return super().hints() if self.scene.uses_keys else []

    def end_turn(self) -> None:
        """End the player's turn."""
        self.scene.commander.end_turn()

    def describe(self, unit: ai.Unit) -> list[str]:  # noqa: ARG002 - for subclasses
        """Return what a unit does by itself, a line each."""
        return []

    def mark_selected(self) -> None:
        """Mark the selected units, and label them and the one that is aimed at."""
        commander, is_named = self.scene.commander, self.has_labels and self.is_on
        aimed = None if commander.aim is None else commander.unit_seen_at(commander.aim)
        for unit, figure in self.scene.figures.items():
            figure.is_selected = unit in commander.squad
            points = "" if math.isinf(unit.points) else f"  {unit.points:g}"
            has_label = is_named and (figure.is_selected or unit is aimed)
            figure.label = unit.name + points if has_label else ""

    def follow(self) -> None:
        """Label units while it is on."""
        self.mark_selected()
        self.turns_view.mark_stale()

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        self.turns_view.use(palette)


class PeacefulMode(PlayMode):
    """The player commands units without a battle: they also act by themselves, in squads."""

    has_labels = True

    def __init__(self, scene: GameScene) -> None:
        super().__init__(scene)
        self._rules = scene.commander_3d.add_child(RulesView(scene.commander, scene.hud))
        self.autopilot = self.add_child(ai.Autopilot(scene.board))
        self.behavior_key = BehaviorKey(self.autopilot, scene.board, scene.seed)
        self.units = UnitLoader(scene.board, scene.profile)
        self._lead_enemies(scene.board.units)
        self.box = self.add_child(SelectionBox("box"))

    def _enter_tree(self) -> None:
        super()._enter_tree()
        commander, assign = self.scene.commander, self.autopilot.assign
        self.listen(self.box.drawn, self._select_in_box)
        self.listen(self.scene.board.changed, self._meet)
        self.listen(self.scene.board.tilemap.edited, self.units.follow)
        self.listen(self.autopilot.changed, lambda _unit: self.scene.mark_stale())
        self.listen(commander.order_given, lambda unit, _path: assign(unit, None))
        self.listen(commander.squad_ordered, self._report_squad)

    def commands(self) -> Groups:
        """Return those of units, turns, and the map."""
        also = "also select the unit aimed at, or leave it out"
        begin = "start the next behavior for the selected unit"
        rules = "show or hide the rules of the selected unit, to change them"
        return {
            "Units": [
                self.command("add_unit", "g gamepad-dpad_up", also, self._add_unit),
                self.command("next_behavior", "z", begin, self._begin_behavior),
                self.command("rules", "f6", rules, self._rules.toggle, "Rules"),
            ],
            **super().commands(),
        }

    def buttons(self) -> list[Button]:
        """Return those of moves, of the other modes, and of turns, if there are any."""
        names = "undo redo show_costs threat rules search_theatre map_editor help end_turn"
        has_turns = self.scene.board.turn is not None
        return self.named(names if has_turns else names.removesuffix("end_turn"))

    def describe(self, unit: ai.Unit) -> list[str]:
        """Return the behavior of a unit, and why it stays."""
        has_coordinates = self.scene.has_coordinates
        return self.behavior_key.describe(unit, has_coordinates=has_coordinates)

    def explain(self, event: str) -> str:
        """Return why a key does nothing, such as that of a slider that is not shown."""
        if any(each.name.startswith("slider_") for each in self.panda.input.knows(event)):
            return with_keys("{rules} shows the rules that this key changes", self.panda.input)
        return super().explain(event)

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        super().use(palette)
        self._rules.ribbon.color = palette.first_path

    def follow(self) -> None:
        """Take the mouse while it is on, and close the rules if not."""
        super().follow()
        self.box.is_enabled = self.is_on
        self._rules.is_open &= self.is_on

    def _meet(self, entry: ai.Entry) -> None:
        """Lead enemies that have arrived."""
        arrived = (change.unit for change in entry.changes if change.before is None)
        self._lead_enemies(map(self.scene.board.unit, arrived))

    def _lead_enemies(self, units: Iterable[ai.Unit]) -> None:
        """Let enemies chase if sides take turns."""
        for unit in units if self.scene.commander.team is not None else ():
            if unit.team != PLAYER_TEAM:
                self.behavior_key.assign(unit, CHASE)

    def _select_in_box(self, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Select the units that are seen in a box on the window."""
        figures = self.scene.figures.items()
        inside = [unit for unit, figure in figures if figure.is_within(low, high)]
        self.scene.commander.select_all(inside)

    def _add_unit(self) -> None:
        """Select the unit aimed at beside the others, or leave it out if it is one of them."""
        commander = self.scene.commander
        unit = None if commander.aim is None else commander.unit_seen_at(commander.aim)
        if unit is not None:
            squad = [each for each in commander.squad if each is not unit]
            is_new = len(squad) == len(commander.squad)
            commander.select_all([*squad, unit] if is_new else squad)

    def _report_squad(self, order: ai.SquadOrder) -> None:
        for unit in order.units:
            self.autopilot.assign(unit, None)
        lines = descriptions.describe_squad(order, has_coordinates=self.scene.has_coordinates)
        self.scene.show_message(tr("; ").join(lines))

    def _begin_behavior(self) -> None:
        """Start the next behavior for the selected unit."""
        scene = self.scene
        unit, aim = scene.commander.selected, scene.commander.aim
        if unit is None or scene.commander.is_foe_selected:
            scene.show_message(tr("Select a unit of yours to start its next behavior"))
            return
        what = self.behavior_key.assign_next(unit, None if aim == unit.cell else aim)
        scene.show_message(tr("{unit} {behavior}", unit=unit.name, behavior=what))


class BattleMode(PlayMode):
    """The player fights a battle."""

    labels = MappingProxyType({"confirm": "Go, attack", "deselect": "Back"})
    useful = "confirm cursor_up next_skill select_next deselect"
    keys = (
        "select attack choose_skill face deselect undo end_turn battle_log camera_orbit camera_zoom"
    )

    def __init__(self, scene: GameScene, commander: BattleCommander) -> None:
        super().__init__(scene)
        self._commander = commander
        self._asked: object = None  # what was asked for once, and in which state
        battle_3d = Battle3D(commander, scene.commander_3d, scene.figures_3d)
        self.battle_3d = scene.commander_3d.add_child(battle_3d)
        battle_3d.blows.landed.connect(scene.mark_stale)
        scene.commander_3d.add_child(LogView(commander, scene.hud))
        self.flag = scene.commander_3d.add_child(GoalFlag(commander, battle_3d))
        self.flag.redrawn.connect(scene.mark_stale)
        self.flag.lost.connect(self._say_lost)

    def help(self) -> list[KeyRow]:
        """Return what has to be done, the rules of the fight, and keys."""
        battle = self._commander.battle
        goal = describe_objective(battle.objective, PLAYER_TEAM, battle.board.turns)
        rules = descriptions.rules_of_the_fight()
        keys = ("", tr("Keys")), *super().help()
        return [("", goal), *explain_hold(battle.objective), ("", tr("Rules")), *rules, *keys]

    def buttons(self) -> list[Button]:
        """Return what always works, and last the skills of the selected unit: no other moves."""
        commander = self._commander
        is_done = commander.is_players_turn and not (commander.useful_units or self._is_over)
        first, *others = self.named("end_turn undo rewind threat pause help")
        shown = [replace(first, is_chosen=is_done), *others]
        skills = {f"skill_{n}": skill for n, skill in enumerate(commander.skills, start=1)}
        for each in self.named(" ".join(["wait", *skills])):
            made = replace(each, group="unit")
            if skill := skills.get(each.name):
                tip = f"{descriptions.describe_skill(SKILLS[skill])}\n{each.tip}".rstrip()
                made = replace(made, tip=tip, is_chosen=skill == commander.skill)
            shown.append(made)
        return shown

    def commands(self) -> Groups:
        """Return those of the battle, of turns with that of going back, and of the map."""
        commander, groups = self._commander, super().commands()
        more, goal = "show or hide more about the selected unit", "look at the goal"
        battle = [
            self.command("unit_card", "i", more, self.scene.toggle_card),
            self.command("show_goal", "o", goal, self.scene.show_goal),
        ]
        text = "go back to the start of your turn; the same orders have the same results"
        rewind = Command(
            "rewind",
            "shift-u",
            text,
            self._rewind,
            "Rewind",
            why_not=lambda: "" if commander.has_rewind else tr("nothing to undo"),
        )
        return {"Battle": battle, **groups, "Turns": [*groups["Turns"], rewind]}

    @property
    def _is_over(self) -> bool:
        return bool(self._commander.battle.winner)

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        super().use(palette)
        self.battle_3d.use(palette)
        self.flag.use(palette)

    def end_turn(self) -> None:
        """End the player's turn, only at the second request while it could do more."""
        useful = self._commander.useful_units
        units = tr(", ").join(unit.name for unit in useful)
        text = "{units} can still act; end the turn again to end it anyway"
        if not useful or self._is_sure("end", tr(text, units=units)):
            super().end_turn()

    def _say_lost(self, team: str) -> None:
        place = tr(self._commander.battle.objective.place)
        text = "{team} does not hold {place} any more"
        self.scene.show_message(tr(text, team=side_name(team), place=place))

    def _rewind(self) -> None:
        """Go back to the start of the player's turn, at the second request."""
        text = "rewind again to take back all that you did in this turn"
        if self._is_sure("rewind", tr(text)):
            self._commander.rewind()

    def _is_sure(self, request: str, question: str) -> bool:
        """Return whether a request is the second in this state; ask at the first."""
        asked, self._asked = self._asked, (request, self.scene.board.state)
        if asked != self._asked:
            self.scene.show_message(question)
        return asked == self._asked

    def _process(self, _dt_s: float) -> None:
        if self.scene.match is not None:
            self.battle_3d.enemy = self.scene.match.enemy
        self.battle_3d.speed = self.scene.preferences.settings.motion_speed
        self.battle_3d.is_paused = self.scene.menu.is_open or not self.takes_orders
        self.scene.commander_3d.cursor.visible = self._commander.is_players_turn


class WatchMode(Mode):
    """The player watches a search."""

    useful = "play step_forward close_search"
    keys = "play step_back slower next_algorithm next_heuristic next_uphill play_again close_search"
    idle = "{key} does nothing in a search; {help} lists the keys"
    away = "Not while a search is played; {close_search} closes the search"

    def __init__(self, scene: GameScene, hidden: Sequence[Node]) -> None:
        super().__init__(scene)
        self._hidden = hidden
        self.theatre = SearchTheatre3D(scene.board.navigation, scene.camera, seed=scene.seed)

    def _enter_tree(self) -> None:
        super()._enter_tree()
        text = "open or close the search theatre: for the path aimed at, or a random one"
        name, label = "search_theatre", "Search theatre"
        toggle = Command(name, "f3", text, self._toggle, label, why_not=self._why_closed)
        self.accept_actions([toggle], "Map")

    def commands(self) -> Groups:
        """Return those of the theatre, and of the map."""
        text = "close the search theatre"
        close = Command("close_search", "escape gamepad-face_b", text, self.close, "Close")
        return {"Search theatre": [close], "Map": [self.scene.new_map_command]}

    def buttons(self) -> list[Button]:
        """Return those of the search."""
        return self.named(
            "play step_back step_forward slower faster next_algorithm next_heuristic next_uphill"
            " play_again close_search help"
        )

    def _toggle(self) -> None:
        """Play a search in place of the marks of orders, or close it."""
        scene, terrain = self.scene, self.scene.terrain
        if self.is_on:
            self.close()
        elif not self._watch():
            text = "No search: no two tiles of this map are connected for this unit"
            scene.show_message(tr(text))
        else:
            for node in self._hidden:
                terrain.remove_child(node)
            terrain.add_child(self.theatre)
            scene.switch()

    def _why_closed(self) -> str:
        is_edited = self.scene.edit.is_on
        away = with_keys(EditMode.away, self.panda.input)
        return away if is_edited else self.scene.readiness.progress

    def close(self) -> None:
        """Show the marks of orders again in place of a search."""
        if self.is_on:
            self.scene.terrain.remove_child(self.theatre)
            for node in self._hidden:
                self.scene.terrain.add_child(node)
            self.scene.switch()

    def _watch(self) -> bool:
        """Begin the search for the path to the tile aimed at; without one between random ends."""
        scene = self.scene
        plan, unit = scene.commander.plan, scene.commander.selected
        profile = scene.profile if unit is None else unit.profile
        situation = None if plan is None else scene.board.situation(plan.unit)
        # A unit whose deck is gone has a plan, which says so, but nowhere to begin.
        if plan is None or situation is None or situation.reason:
            return self.theatre.watch_random(profile)
        self.theatre.watch(situation.here, plan.cell, profile, blockers=situation.blockers)
        return True


_ICONS = (
    "save save_as load resize_map",
    "undo_stroke redo_stroke",
    " ".join(f"tool_{tool}" for tool in TOOLS_OF_BATTLE),
    "area_brush area_rectangle area_fill smaller_brush larger_brush",
    "",
    "copy cut paste mirror mirror_down",
    "map_editor help",
)
"""The commands of the editor with icons, in groups; the kinds of ground take the place of ""."""
_NOT_OF_ICON = re.compile("^(tool|area)_|_(stroke|brush|map)$")


class EditMode(Mode):
    """The player edits the map."""

    labels = MappingProxyType({"map_editor": "Play"})
    useful = "undo_stroke save map_editor next_area"
    keys = "draw camera_orbit choose_tool next_area choose_kind save undo_stroke copy map_editor"
    idle = "{key} does nothing while the map is edited; {help} lists the keys"
    away = "Not while the map is edited; {map_editor} leaves the map editor"

    def __init__(self, scene: GameScene) -> None:
        super().__init__(scene)
        cursor = scene.commander_3d.cursor
        self.editor = view.MapEditor3D(scene.path, cursor, tools=TOOLS_OF_BATTLE)
        self._goal = scene.terrain.add_child(view.TileOverlay3D("goal"))
        self._version: int | None = None
        self._was_on = False
        self.doctor = DoctorView(scene.board, scene.profile, self.editor)
        self.editor.changed.connect(scene.switch)
        self.editor.message.connect(scene.show_reason)
        self.editor.loaded.connect(scene.show_loaded_map)
        self.doctor.changed.connect(scene.mark_stale)
        self.add_child(EditorMenu(scene, self.editor))

    def follow(self) -> None:
        """Begin with the units where they stand."""
        if self.is_on and not self._was_on:
            self.editor.saving.emit()
        self._was_on = self.is_on

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        self.doctor.use(palette)
        self._goal.color, self._goal.is_hatched = palette.path, palette.is_hatched

    def _process(self, _dt_s: float) -> None:
        tilemap = self.scene.board.tilemap
        version = tilemap.version if self.is_on else None
        if version != self._version:
            self._version = version
            self._goal.show(goal_cells(tilemap) if self.is_on else ())

    def buttons(self) -> list[Button]:
        """Return icons in groups, and the kinds of ground as colors."""
        map_editor = self.editor.map_editor
        settings = map_editor.tool_settings
        kinds = {f"kind_{n}": kind for n, kind in enumerate(map_editor.kinds, start=1)}
        ground = "" if settings.choices else SWATCH  # other choices have their names
        shown = []
        for group in _ICONS:
            for button in self.named(group or " ".join(kinds)):
                tool = button.name.removeprefix("tool_")
                kind = kinds.get(button.name)
                made = replace(
                    button,
                    key="" if kind and not ground else button.key,
                    icon=ground if kind else _NOT_OF_ICON.sub("", button.name),
                    color=kind.color if kind else None,
                    group=group,
                    is_chosen=button.name in {f"tool_{settings.tool}", f"area_{settings.area}"}
                    or (kind is not None and kind.name == settings.kind),
                    tip=button.tip if tool == button.name else replace(settings, tool=tool).advice,
                )
                shown.append(made)
        return shown
