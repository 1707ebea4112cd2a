"""Show maps, units and marks with Panda3D, as nodes of a scene tree.

The only subpackage that imports the engine; it never imports `ai`. Nodes show the state of objects
that they are given, and pass input on to them. Start with `scene/terrain_3d.py`; `attach` connects
a tree to a running ShowBase.
"""

from __future__ import annotations

from terrain3d.view.camera.orbit_camera_3d import KEYS as CAMERA_KEYS
from terrain3d.view.camera.orbit_camera_3d import LOOK_KEYS, OrbitCamera3D
from terrain3d.view.hud.hud import Hud
from terrain3d.view.hud.minimap import KEYS as MAP_KEYS
from terrain3d.view.hud.minimap import MiniMap
from terrain3d.view.hud.slider_panel import KEYS as SLIDER_KEYS
from terrain3d.view.hud.toolbar import Button, Toolbar
from terrain3d.view.light.daylight import Daylight
from terrain3d.view.modes.commander_3d import KEYS as COMMAND_KEYS
from terrain3d.view.modes.commander_3d import Commander3D
from terrain3d.view.modes.map_editor_3d import DRAWING_KEYS, KIND_KEYS, MapEditor3D
from terrain3d.view.modes.map_editor_3d import KEYS as EDITOR_KEYS
from terrain3d.view.modes.preferences import KEYS as SETTINGS_KEYS
from terrain3d.view.modes.preferences import Preferences
from terrain3d.view.modes.selection_box import KEYS as BOX_KEYS
from terrain3d.view.modes.selection_box import SelectionBox
from terrain3d.view.scene.crumbs_3d import Crumbs3D
from terrain3d.view.scene.labels_3d import Labels3D
from terrain3d.view.scene.path_ribbon_3d import PathRibbon3D
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.scene.tile_cursor_3d import KEYS as CURSOR_KEYS
from terrain3d.view.scene.tile_cursor_3d import TileCursor3D
from terrain3d.view.scene.tile_overlay_3d import TileOverlay3D
from terrain3d.view.scene.unit_3d import Unit3D
from terrain3d.view.theatre.search_player_3d import KEYS as SEARCH_KEYS
from terrain3d.view.theatre.search_player_3d import SearchPlayer3D
from terrain3d.view.theatre.search_theatre_3d import SearchTheatre3D
from terrain3d.view.theatre.step_player import StepPlayer
from terrain3d.view.theatre.theatre_toggle_3d import KEYS as THEATRE_KEYS
from terrain3d.view.theatre.theatre_toggle_3d import TheatreToggle3D
from terrain3d.view.window.messenger import forward_signals
from terrain3d.view.window.panda_tree import Node3D, PandaTree, WindowNode, attach
from terrain3d.view.window.pointer import Pointer

__all__ = [
    "BOX_KEYS",
    "CAMERA_KEYS",
    "COMMAND_KEYS",
    "CURSOR_KEYS",
    "DRAWING_KEYS",
    "EDITOR_KEYS",
    "KIND_KEYS",
    "LOOK_KEYS",
    "MAP_KEYS",
    "SEARCH_KEYS",
    "SETTINGS_KEYS",
    "SLIDER_KEYS",
    "THEATRE_KEYS",
    "Button",
    "Commander3D",
    "Crumbs3D",
    "Daylight",
    "Hud",
    "Labels3D",
    "MapEditor3D",
    "MiniMap",
    "Node3D",
    "OrbitCamera3D",
    "PandaTree",
    "PathRibbon3D",
    "Pointer",
    "Preferences",
    "SearchPlayer3D",
    "SearchTheatre3D",
    "SelectionBox",
    "StepPlayer",
    "Terrain3D",
    "TheatreToggle3D",
    "TileCursor3D",
    "TileOverlay3D",
    "Toolbar",
    "Unit3D",
    "WindowNode",
    "attach",
    "forward_signals",
]
