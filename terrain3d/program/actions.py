"""All actions of a player by mode: groups of the help, buttons, the bottom line, and idle keys."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ai.view import (
    BOX_ACTIONS,
    COMMAND_ACTIONS,
    SEARCH_ACTIONS,
    SLIDER_ACTIONS,
)
from ai.view.battle_3d import BATTLE_ACTIONS
from terrain3d import Signal
from terrain3d.core.translation import tr
from terrain3d.editor.tool_settings import AREAS
from terrain3d.program.editor_menu import MAP_FILE_ACTIONS
from terrain3d.program.game_menu import PAUSE_ACTIONS
from terrain3d.view import (
    CAMERA_ACTIONS,
    CURSOR_ACTIONS,
    DRAWING_ACTIONS,
    EDITOR_ACTIONS,
    KIND_ACTIONS,
    LOOK_ACTIONS,
    MAP_ACTIONS,
    MENU_ACTIONS,
    SETTINGS_ACTIONS,
    TOOL_ACTIONS,
    Action,
    Button,
    MapEditor3D,
    WindowNode,
    buttons_of,
    key_rows,
)
from terrain3d.view.actions import Bindings, key_name, table, with_keys
from terrain3d.view.hud.toolbar import SWATCH
from terrain3d.view.window.input_map import BUTTON_DOWN

if TYPE_CHECKING:
    import ai
    from ai.game.battle_commander import BattleCommander

PLAY, EDIT, WATCH, BATTLE = "play", "edit", "watch", "battle"
"""The modes: commanding units, editing the map, watching a search, fighting."""
EDITING = "Not while the map is edited; {map_editor} leaves the map editor"
WATCHING = "Not while a search is played; {close_search} closes the search"

UNIT_ACTIONS = table(
    Action("add_unit", "g gamepad-dpad_up", "also select the unit aimed at, or leave it out"),
    Action("next_behavior", "z", "start the next behavior for the selected unit"),
    Action(
        "rules", "f6", "show or hide the rules of the selected unit, to change them", label="Rules"
    ),
    modes=PLAY,
)
TURN_ACTIONS = table(
    Action("end_turn", "f10", "end the turn", label="End turn"),
    Action(
        "threat",
        "f8",
        "show or hide what enemies could reach; aim at one to see its tiles",
        label="Threat",
    ),
    modes=f"{PLAY} {BATTLE}",
)
THEATRE_ACTIONS = table(
    Action(
        "search_theatre",
        "f3",
        "open or close the search theatre: for the path aimed at, or a random one",
        label="Search theatre",
    )
)
NEW_MAP_ACTIONS = table(
    Action("new_map", "shift-r", "make the next map"),
)
GLIDE_ACTIONS = table(
    Action("glide", "r", "show the whole map, and glide to the selected unit"),
    modes=f"{PLAY} {BATTLE}",
)
SCENE_ACTIONS = (
    *UNIT_ACTIONS, *TURN_ACTIONS, *THEATRE_ACTIONS, *NEW_MAP_ACTIONS, *GLIDE_ACTIONS,
)  # fmt: skip
"""Actions that the scene itself carries out."""

_CAMERA = {"Camera": (*CAMERA_ACTIONS, *MAP_ACTIONS), "Display": (*SETTINGS_ACTIONS, *MENU_ACTIONS)}
ACTIONS: dict[str, dict[str, tuple[Action, ...]]] = {
    PLAY: {
        "Units": (*COMMAND_ACTIONS, *BOX_ACTIONS, *UNIT_ACTIONS),
        "Turns": TURN_ACTIONS,
        "Map": (*EDITOR_ACTIONS, *THEATRE_ACTIONS, *NEW_MAP_ACTIONS, *PAUSE_ACTIONS),
        **_CAMERA,
        "Camera": (*CAMERA_ACTIONS, *MAP_ACTIONS, *GLIDE_ACTIONS),
    },
    BATTLE: {
        "Units": (*COMMAND_ACTIONS, *BATTLE_ACTIONS),
        "Battle": (*TURN_ACTIONS, *PAUSE_ACTIONS),
        "Map": (*THEATRE_ACTIONS, *NEW_MAP_ACTIONS),
        **_CAMERA,
        "Camera": (*CAMERA_ACTIONS, *MAP_ACTIONS, *GLIDE_ACTIONS),
    },
    EDIT: {
        "Map editor": (*EDITOR_ACTIONS, *DRAWING_ACTIONS, *CURSOR_ACTIONS, *MAP_FILE_ACTIONS),
        **_CAMERA,
        "Camera": (*LOOK_ACTIONS, *MAP_ACTIONS),
    },
    WATCH: {
        "Search theatre": (*SEARCH_ACTIONS, *THEATRE_ACTIONS, *NEW_MAP_ACTIONS),
        **_CAMERA,
    },
}
"""The actions of each mode, in the groups of its help."""


_BUTTONS = {
    PLAY: "undo redo show_costs threat rules search_theatre map_editor help end_turn",
    BATTLE: "undo threat pause help",
    WATCH: "play step_back step_forward slower faster next_algorithm next_heuristic next_uphill"
    " play_again close_search help",
}
"""The buttons of the modes whose buttons do not change."""
_USEFUL = {
    "nothing selected": (PLAY, "select_next search_theatre map_editor help menu"),
    "unit selected": (PLAY, "select_next end_turn help menu"),
    BATTLE: (BATTLE, "confirm next_skill select_next deselect help menu"),
    "planning": (PLAY, "confirm undo search_theatre help menu"),
    EDIT: (EDIT, "undo_stroke save map_editor help menu"),
    WATCH: (WATCH, "play step_forward close_search help menu"),
}
"""The most useful actions, by what the player does; those without a key are not shown."""
_LABELS = {
    (BATTLE, "action-confirm"): "Go, attack",
    (BATTLE, "action-deselect"): "Back",
    (PLAY, "action-confirm"): "Move there",
    (EDIT, "action-map_editor"): "Play",
}


def buttons(mode: str, names: str, bindings: Bindings) -> tuple[Button, ...]:
    """Return the buttons of some actions of a mode."""
    actions = [each for group in ACTIONS[mode].values() for each in group]
    return tuple(
        replace(each, label=tr(_LABELS.get((mode, each.event), "")) or each.label)
        for each in buttons_of(actions, names, bindings)
    )


def mode_buttons(mode: str, bindings: Bindings) -> tuple[Button, ...]:
    """Return the buttons of a mode whose buttons do not change: PLAY or WATCH."""
    return buttons(mode, _BUTTONS[mode], bindings)


def cursor_keys(bindings: Bindings) -> str:
    """Return the names of the keys that move the cursor."""
    return next((keys for keys, _ in key_rows(CURSOR_ACTIONS, bindings)), "")


def useful_buttons(state: str, bindings: Bindings) -> tuple[Button, ...]:
    """Return the most useful actions that have a key, by what the player does."""
    aim = Button(tr("Aim"), cursor_keys(bindings), "")
    found = tuple(each for each in buttons(*_USEFUL[state], bindings) if each.key)
    return (aim, *found) if state in {"unit selected", BATTLE} else found


def battle_buttons(commander: BattleCommander, bindings: Bindings) -> tuple[Button, ...]:
    """Return the buttons of a battle: the skills of the selected unit, and what always works."""
    wait, end_turn = buttons(BATTLE, "wait end_turn", bindings)
    skills = [
        replace(
            Button.of(action, tr(skill).capitalize(), bindings), is_chosen=skill == commander.skill
        )
        for skill, action in zip(commander.skills, BATTLE_ACTIONS, strict=False)
    ]
    is_done = commander.is_players_turn and not (commander.idle_units or commander.battle.winner)
    waiting = [wait] if skills else []
    ending = replace(end_turn, is_chosen=is_done, is_enabled=commander.is_players_turn)
    return ending, *mode_buttons(BATTLE, bindings), *skills, *waiting


_EDITOR_BUTTONS = (
    "save save_as load resize_map",
    "undo_stroke redo_stroke",
    " ".join(action.name for action in TOOL_ACTIONS),
    "area_brush area_rectangle area_fill smaller_brush larger_brush",
    "",
    "copy cut paste mirror mirror_down",
    "map_editor help",
)
"""The actions with icons, in groups; the kinds of ground take the place of ""."""
_NOT_OF_ICON = re.compile("^(tool|area)_|_(stroke|brush|map)$")


def editor_buttons(editor: MapEditor3D) -> tuple[Button, ...]:
    """Return the buttons of the map editor: icons in groups, and the kinds of ground as colors."""
    map_editor, bindings = editor.map_editor, editor.panda.input
    settings, has_part = map_editor.tool_settings, map_editor.selection is not None
    has_brush = settings.area == "brush" and not settings.is_span
    able = {"undo_stroke": map_editor.has_undo, "redo_stroke": map_editor.has_redo}
    able |= {"copy": has_part, "cut": has_part, "paste": map_editor.clipboard is not None}
    able |= {"smaller_brush": has_brush, "larger_brush": has_brush}
    able |= dict.fromkeys([f"area_{area}" for area in AREAS], not settings.is_span)
    kinds = [
        replace(
            Button.of(replace(action, label=kind.name), bindings=bindings),
            color=kind.color,
            icon=SWATCH,
            is_chosen=kind.name == settings.kind,
        )
        for kind, action in zip(map_editor.kinds, KIND_ACTIONS, strict=False)
    ]
    shown: list[Button] = []
    for group in _EDITOR_BUTTONS:
        shown += [] if group else kinds
        for button in buttons(EDIT, group, bindings):
            name = button.event.removeprefix("action-")
            tool = name.removeprefix("tool_")
            made = replace(
                button,
                icon=_NOT_OF_ICON.sub("", name),
                group=group,
                is_chosen=name in {f"tool_{settings.tool}", f"area_{settings.area}"},
                is_enabled=able.get(name, True),
                tip="" if tool == name else replace(settings, tool=tool).advice,
            )
            shown.append(made)
    return tuple(shown)


_MODIFIERS = ("shift", "control", "alt", "meta", "lshift", "rshift", "lcontrol", "rcontrol", "lalt")
_IDLE = {
    BATTLE: "{key} does nothing; {help} lists the keys",
    PLAY: "{key} does nothing; {help} lists the keys",
    EDIT: "{key} does nothing while the map is edited; {help} lists the keys",
    WATCH: "{key} does nothing in a search; {help} lists the keys",
}
_REASONS = {PLAY: "", EDIT: EDITING, WATCH: WATCHING}


class IdleKeys(WindowNode):
    """Emits why a key that was pressed does nothing; the scene sets its properties."""

    pressed = Signal("key")
    """A key was pressed, with its modifiers: "shift-tab"."""
    explained = Signal("message")
    """A key was pressed that does nothing now."""

    def __init__(self, commander: ai.Commander) -> None:
        super().__init__()
        self._commander = commander
        self._was_selected = False
        self._of_sliders: set[str] = set()
        self.mode = PLAY
        self.has_sliders = self.is_quiet = False

    def _enter_tree(self) -> None:
        throwers: Any = self.panda.base.buttonThrowers  # NodePaths; none without a window
        for thrower in throwers or ():
            thrower.node().set_button_down_event(BUTTON_DOWN)
        self.accept(BUTTON_DOWN, self._check)

    def _process(self, _dt_s: float) -> None:
        # A key is checked after it has worked: Esc has already deselected.
        self._was_selected = self._commander.selected is not None

    def _check(self, event: str) -> None:
        key = event.rsplit("-", 1)[-1]
        if key.startswith(("mouse", "wheel")) or key in _MODIFIERS:
            return
        self.pressed.emit(event)
        if self.is_quiet:
            return
        heard = self.panda.input.heard
        self._of_sliders = {each for action in SLIDER_ACTIONS for each in heard(action)}
        is_of_sliders = self.mode == PLAY and event in self._of_sliders  # used while shown
        if not is_of_sliders and not self.panda.base.messenger.who_accepts(event):
            name = tr(key_name(event))
            self.explained.emit(with_keys(_IDLE[self.mode], self.panda.input, key=name))
        elif reason := self._reason(event):
            self.explained.emit(reason)

    def _action_of(self, event: str, mode: str) -> str:
        """Return the name of the action that an event causes in a mode; "" without one."""
        heard, groups = self.panda.input.heard, ACTIONS[mode].values()
        return next((each.name for group in groups for each in group if event in heard(each)), "")

    def _reason(self, event: str) -> str:
        """Return why a key that a node listens to does nothing; "" if it does something."""
        commander, mode, bindings = self._commander, self.mode, self.panda.input
        action = self._action_of(event, mode)
        if not action and self._action_of(event, PLAY):
            return with_keys(_REASONS[mode], bindings)
        aim = commander.aim
        if mode == WATCH:
            return ""
        if action in {"confirm", "take_kind"} and aim is None:
            return tr(
                "Aim at a tile first, with the mouse or {cursor}", cursor=cursor_keys(bindings)
            )
        decks = () if aim is None else commander.board.tilemap.decks_at(aim[:2])
        if action == "cursor_surface" and len(decks) < 2:
            return tr("There is no other surface above or below")
        if mode == EDIT:
            return ""
        if event in self._of_sliders and not self.has_sliders:
            return with_keys("{rules} shows the rules that this key changes", bindings)
        if action == "camera_focus" and not commander.board.units:
            return tr("There is no unit to look at")
        is_used = self._was_selected or self.panda.is_help_open
        return tr("No unit is selected") if action == "deselect" and not is_used else ""
