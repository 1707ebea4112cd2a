"""Actions of a player in each mode of the scene: keys in groups, buttons, and the bottom line.

The node that listens to a key owns what happens. A button sends the event of its key.
"""

from ai.view import BOX_KEYS, COMMAND_KEYS, SEARCH_KEYS, THEATRE_KEYS
from terrain3d import view
from terrain3d.editor.tools import TOOLS
from terrain3d.view import Button

PLAY, EDIT, WATCH = "play", "edit", "watch"
"""The modes: commanding units, editing the map, watching a search."""

SELECT = Button("Next unit", "Tab", "tab")
MOVE = Button("Move there", "Enter", "enter")
UNDO, REDO = Button("Undo", "U", "u"), Button("Redo", "Y", "y")
COSTS = Button("Costs", "C", "c")
THEATRE, EDITOR = Button("Search theatre", "F3", "f3"), Button("Map editor", "F2", "f2")
RULES = Button("Rules", "F6", "f6")
END_TURN, THREAT = Button("End turn", "F10", "f10"), Button("Threat", "F8", "f8")
HELP = Button("Help", "F1", "f1")
UNDO_STROKE = Button("Undo", "Ctrl + Z", "control-z")
REDO_STROKE = Button("Redo", "Ctrl + Y", "control-y")
SMALLER, LARGER = Button("Smaller", "J", "j"), Button("Larger", "L", "l")
SAVE, LOAD = Button("Save", "F5", "f5"), Button("Load", "F9", "f9")
PLAY_GAME, CLOSE = Button("Play", "F2", "f2"), Button("Close", "Esc", "escape")
PAUSE = Button("Play, pause", "Space", "space")
FORWARD = Button("Step", "Period", ".")

PLAYER_BUTTONS = (
    PAUSE,
    Button("Back", "Comma", ","),
    FORWARD,
    Button("Slower", "J", "j"),
    Button("Faster", "L", "l"),
)
"""Buttons of what is played step by step."""
REPLAY_BUTTONS = (*PLAYER_BUTTONS, Button("From the start", "B", "b"), HELP)
"""Buttons of a recorded game."""

BUTTONS = {
    PLAY: (UNDO, REDO, COSTS, THREAT, RULES, THEATRE, EDITOR, HELP, END_TURN),
    WATCH: (
        *PLAYER_BUTTONS,
        Button("Algorithm", "O", "o"),
        Button("Heuristic", "H", "h"),
        Button("Order", "X", "x"),
        Button("Compare", "I", "i"),
        Button("Again", "G", "g"),
        CLOSE,
        HELP,
    ),
}
BOTTOM_LINES = {
    "nothing selected": (SELECT, THEATRE, EDITOR, HELP),
    "unit selected": (Button("Aim", "Arrow keys", ""), SELECT, END_TURN, HELP),
    "planning": (MOVE, UNDO, THEATRE, HELP),
    EDIT: (UNDO_STROKE, SAVE, PLAY_GAME, HELP),
    WATCH: (PAUSE, FORWARD, CLOSE, HELP),
}
"""The four most useful actions, by what the player does."""

_LOOKS = (("", "Display"), *view.SETTINGS_KEYS)
_CAMERA = (("", "Camera"), *view.CAMERA_KEYS, *view.MAP_KEYS, *_LOOKS)
TURN_KEYS = (
    ("", "Turns"),
    ("F10", "end the turn"),
    ("F8", "show or hide what enemies could reach; aim at one to see its tiles"),
    ("F7", "sides take turns, turns by waiting time, or no turns"),
)
_NEW_MAP = ("R", "generate a map from the next seed; twice if edits are not saved")
KEYS = {
    PLAY: (
        ("", "Units"),
        *COMMAND_KEYS,
        *BOX_KEYS,
        ("Z", "start the next behavior for the selected unit"),
        ("F6", "show or hide the rules of the selected unit, to change them"),
        ("F11", "show or hide the line of free movement beside the path"),
        *TURN_KEYS,
        ("", "Map"),
        *view.EDITOR_KEYS,
        *THEATRE_KEYS,
        _NEW_MAP,
        *_CAMERA,
    ),
    EDIT: (
        ("", "Map editor"),
        *view.EDITOR_KEYS,
        *view.DRAWING_KEYS,
        *view.CURSOR_KEYS,
        ("", "Camera"),
        *view.LOOK_KEYS,
        *view.MAP_KEYS,
        *_LOOKS,
    ),
    WATCH: (
        ("", "Search theatre"),
        *SEARCH_KEYS,
        *THEATRE_KEYS,
        _NEW_MAP,
        *_CAMERA,
    ),
}
"""Rows of (keys, what they do) by mode; a row without keys is a heading."""


def editor_buttons(editor: view.MapEditor3D) -> tuple[Button, ...]:
    """Return the buttons of the map editor: tools, area, brush, and kinds with their colors."""
    map_editor = editor.map_editor
    settings = map_editor.tool_settings
    tools = [
        Button(tool.capitalize(), str(number), str(number), is_chosen=tool == settings.tool)
        for number, tool in enumerate(TOOLS, start=1)
    ]
    area = Button(f"Area: {settings.area}", "B", "b")
    kinds = [
        Button(kind.name.capitalize(), key, event, kind.color, kind.name == settings.kind)
        for kind, (key, event) in zip(map_editor.kinds, view.KIND_KEYS, strict=False)
    ]
    files = (UNDO_STROKE, REDO_STROKE, SAVE, LOAD, PLAY_GAME, HELP)
    return (*files, *tools, area, SMALLER, LARGER, *kinds)
