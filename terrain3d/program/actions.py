"""All actions of a player by mode: groups of the help, buttons, the bottom line, and idle keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ai.view import (
    BOX_ACTIONS,
    COMMAND_ACTIONS,
    SEARCH_ACTIONS,
    SLIDER_ACTIONS,
    THEATRE_ACTIONS,
)
from terrain3d import Signal
from terrain3d.view import (
    CAMERA_ACTIONS,
    CURSOR_ACTIONS,
    DRAWING_ACTIONS,
    EDITOR_ACTIONS,
    KIND_ACTIONS,
    LOOK_ACTIONS,
    MAP_ACTIONS,
    SETTINGS_ACTIONS,
    TOOL_ACTIONS,
    Action,
    Button,
    MapEditor3D,
    WindowNode,
    buttons_of,
    help_rows,
)

if TYPE_CHECKING:
    import ai

PLAY, EDIT, WATCH = "play", "edit", "watch"
"""The modes: commanding units, editing the map, watching a search."""
EDITING = "Not while the map is edited; F2 leaves the map editor"
WATCHING = "Not while a search is played; Esc closes the search"

UNIT_ACTIONS = (
    Action("next_behavior", "z", "start the next behavior for the selected unit"),
    Action(
        "rules", "f6", "show or hide the rules of the selected unit, to change them", label="Rules"
    ),
    Action("free_path", "f11", "show or hide the line of free movement beside the path"),
)
TURN_ACTIONS = (
    Action("end_turn", "f10", "end the turn", label="End turn"),
    Action(
        "threat",
        "f8",
        "show or hide what enemies could reach; aim at one to see its tiles",
        label="Threat",
    ),
    Action("turn_order", "f7", "sides take turns, turns by waiting time, or no turns"),
)
NEW_MAP_ACTIONS = (
    Action("new_map", "r", "generate a map from the next seed; twice if edits are not saved"),
)
SCENE_ACTIONS = (*UNIT_ACTIONS, *TURN_ACTIONS, *NEW_MAP_ACTIONS)
"""Actions that the scene itself carries out."""

_CAMERA = {"Camera": (*CAMERA_ACTIONS, *MAP_ACTIONS), "Display": SETTINGS_ACTIONS}
ACTIONS: dict[str, dict[str, tuple[Action, ...]]] = {
    PLAY: {
        "Units": (*COMMAND_ACTIONS, *BOX_ACTIONS, *UNIT_ACTIONS),
        "Turns": TURN_ACTIONS,
        "Map": (*EDITOR_ACTIONS, *THEATRE_ACTIONS, *NEW_MAP_ACTIONS),
        **_CAMERA,
    },
    EDIT: {
        "Map editor": (*EDITOR_ACTIONS, *DRAWING_ACTIONS, *CURSOR_ACTIONS),
        **_CAMERA,
        "Camera": (*LOOK_ACTIONS, *MAP_ACTIONS),
    },
    WATCH: {
        "Search theatre": (*SEARCH_ACTIONS, *THEATRE_ACTIONS, *NEW_MAP_ACTIONS),
        **_CAMERA,
    },
}
"""The actions of each mode, in the groups of its help."""


KEYS = {mode: help_rows(groups) for mode, groups in ACTIONS.items()}
"""The rows of the help by mode."""


def _buttons(mode: str, names: str) -> tuple[Button, ...]:
    return buttons_of([each for group in ACTIONS[mode].values() for each in group], names)


BUTTONS = {
    PLAY: _buttons(
        PLAY, "undo redo show_costs threat rules search_theatre map_editor help end_turn"
    ),
    WATCH: _buttons(
        WATCH,
        "play step_back step_forward slower faster next_algorithm next_heuristic next_order"
        " next_rival play_again close_search help",
    ),
}
"""The buttons of the modes whose buttons do not change."""
[END_TURN] = _buttons(PLAY, "end_turn")
[THEATRE] = _buttons(PLAY, "search_theatre")
_PLAY_GAME = Button.of(*EDITOR_ACTIONS, "Play")
_SELECTED = _buttons(PLAY, "select_next end_turn help")
BOTTOM_LINES = {
    "nothing selected": _buttons(PLAY, "select_next search_theatre map_editor help"),
    "unit selected": (Button("Aim", "Arrow keys", ""), *_SELECTED),
    "planning": (
        Button("Move there", "Enter", "enter"),
        *_buttons(PLAY, "undo search_theatre help"),
    ),
    EDIT: (*_buttons(EDIT, "undo_stroke save"), _PLAY_GAME, *_buttons(EDIT, "help")),
    WATCH: _buttons(WATCH, "play step_forward close_search help"),
}
"""The four most useful actions, by what the player does."""


def editor_buttons(editor: MapEditor3D) -> tuple[Button, ...]:
    """Return the buttons of the map editor: files, tools, area, brush, and kinds with colors."""
    map_editor = editor.map_editor
    settings = map_editor.tool_settings
    tools = [
        replace(Button.of(action), is_chosen=action.name == f"tool_{settings.tool}")
        for action in TOOL_ACTIONS
    ]
    kinds = [
        replace(
            Button.of(action, kind.name.capitalize()),
            color=kind.color,
            is_chosen=kind.name == settings.kind,
        )
        for kind, action in zip(map_editor.kinds, KIND_ACTIONS, strict=False)
    ]
    files = *_buttons(EDIT, "undo_stroke redo_stroke save load"), _PLAY_GAME
    area, *sizes = _buttons(EDIT, "next_area smaller_brush larger_brush")
    area = replace(area, label=f"Area: {settings.area}")
    return *files, *_buttons(EDIT, "help"), *tools, area, *sizes, *kinds


_BUTTON_DOWN = "button-down"
_MODIFIERS = ("shift", "control", "alt", "meta", "lshift", "rshift", "lcontrol", "rcontrol", "lalt")
_WHILE = {PLAY: "", EDIT: " while the map is edited", WATCH: " in a search"}
_REASONS = {PLAY: "", EDIT: EDITING, WATCH: WATCHING}
_NAMES = {
    mode: {event: each.name for group in groups.values() for each in group for event in each.events}
    for mode, groups in ACTIONS.items()
}
"""The names of actions by their events, in each mode."""
_OF_SLIDERS = {event for action in SLIDER_ACTIONS for event in action.events}


class IdleKeys(WindowNode):
    """Emits why a key that was pressed does nothing; the scene sets `mode` and `has_sliders`."""

    pressed = Signal("key")
    """A key was pressed, with its modifiers: "shift-tab"."""
    explained = Signal("message")
    """A key was pressed that does nothing now."""

    def __init__(self, commander: ai.Commander) -> None:
        super().__init__()
        self._commander = commander
        self._was_selected = False
        self.mode = PLAY
        self.has_sliders = False

    def _enter_tree(self) -> None:
        throwers: Any = self.panda.base.buttonThrowers  # NodePaths; none without a window
        for thrower in throwers or ():
            thrower.node().set_button_down_event(_BUTTON_DOWN)
        self.accept(_BUTTON_DOWN, self._check)

    def _process(self, _dt_s: float) -> None:
        # A key is checked after it has worked: Esc has already deselected.
        self._was_selected = self._commander.selected is not None

    def _check(self, event: str) -> None:
        key = event.rsplit("-", 1)[-1]
        if key.startswith(("mouse", "wheel")) or key in _MODIFIERS:
            return
        self.pressed.emit(event)
        is_of_sliders = self.mode == PLAY and event in _OF_SLIDERS  # used while shown
        if not is_of_sliders and not self.panda.base.messenger.who_accepts(event):
            name = " + ".join(filter(None, event.split("-"))) or event
            self.explained.emit(
                f"{name.capitalize()} does nothing{_WHILE[self.mode]}; F1 lists the keys"
            )
        elif reason := self._reason(event):
            self.explained.emit(reason)

    def _reason(self, event: str) -> str:
        """Return why a key that a node listens to does nothing; "" if it does something."""
        commander, mode = self._commander, self.mode
        action = _NAMES[mode].get(event, "")
        if not action and event in _NAMES[PLAY]:
            return _REASONS[mode]
        aim = commander.aim
        if mode == WATCH:
            return ""
        if action in {"confirm", "take_kind"} and aim is None:
            return "Aim at a tile first, with the mouse or the arrow keys"
        decks = () if aim is None else commander.board.tilemap.decks_at(aim[:2])
        if action == "cursor_surface" and len(decks) < 2:
            return "There is no other surface above or below"
        if mode == EDIT:
            return ""
        if event in _OF_SLIDERS and not self.has_sliders:
            return "F6 shows the rules that this key changes"
        if action == "camera_focus" and not commander.board.units:
            return "There is no unit to look at"
        is_used = self._was_selected or self.panda.is_help_open
        return "No unit is selected" if action == "deselect" and not is_used else ""
