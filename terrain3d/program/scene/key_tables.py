"""The keys of the scene in each of its modes, as the help panel lists them."""

from terrain3d import view

AUTOPILOT_KEYS = (("Z", "start the next behavior for the selected unit"),)
RULES_KEYS = (("F6", "show or hide the rules of the selected unit, to change them"),)
NEW_MAP_KEYS = (("R", "generate a map from the next seed"),)
SCENE_KEYS = (*AUTOPILOT_KEYS, *RULES_KEYS, *NEW_MAP_KEYS)
"""What the scene adds to the keys of its nodes."""

_GENERAL_KEYS = (*view.MAP_KEYS, *view.SETTINGS_KEYS)

PLAY_MODE_KEYS = (
    *view.COMMAND_KEYS,
    *view.BOX_KEYS,
    *view.EDITOR_KEYS,
    *view.THEATRE_KEYS,
    *view.CAMERA_KEYS,
    *_GENERAL_KEYS,
    *SCENE_KEYS,
)
EDIT_MODE_KEYS = (
    *view.EDITOR_KEYS,
    *view.DRAWING_KEYS,
    *view.CURSOR_KEYS,
    *view.LOOK_KEYS,
    *_GENERAL_KEYS,
)
SEARCH_MODE_KEYS = (
    *view.SEARCH_KEYS,
    *view.THEATRE_KEYS,
    *view.CAMERA_KEYS,
    *_GENERAL_KEYS,
    *NEW_MAP_KEYS,
)
"""While a recorded search plays."""
