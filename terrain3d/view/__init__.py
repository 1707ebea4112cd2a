"""Show maps and marks with Panda3D, as nodes of a scene tree.

The only subpackage of `terrain3d` that imports the engine; it knows no units and never imports
`ai`. Start with `scene/terrain_3d.py`; `attach` connects
a tree to a running ShowBase.
"""

from __future__ import annotations

from terrain3d.view.camera import KEYS as CAMERA_KEYS
from terrain3d.view.camera import LOOK_KEYS, OrbitCamera3D
from terrain3d.view.hud.hud import Hud
from terrain3d.view.hud.minimap import KEYS as MAP_KEYS
from terrain3d.view.hud.minimap import MiniMap
from terrain3d.view.hud.slider_panel import KEYS as SLIDER_KEYS
from terrain3d.view.hud.toolbar import Button, Toolbar
from terrain3d.view.light.daylight import Daylight
from terrain3d.view.map_editor_3d import DRAWING_KEYS, KIND_KEYS, MapEditor3D
from terrain3d.view.map_editor_3d import KEYS as EDITOR_KEYS
from terrain3d.view.preferences import KEYS as SETTINGS_KEYS
from terrain3d.view.preferences import Preferences
from terrain3d.view.scene.labels_3d import Labels3D
from terrain3d.view.scene.path_ribbon_3d import Crumbs3D, PathRibbon3D
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.scene.tile_cursor_3d import KEYS as CURSOR_KEYS
from terrain3d.view.scene.tile_cursor_3d import TileCursor3D
from terrain3d.view.scene.tile_overlay_3d import TileOverlay3D
from terrain3d.view.window.panda_tree import Node3D, PandaTree, WindowNode, attach, forward_signals
from terrain3d.view.window.pointer import Pointer

__all__ = [
    "CAMERA_KEYS",
    "CURSOR_KEYS",
    "DRAWING_KEYS",
    "EDITOR_KEYS",
    "KIND_KEYS",
    "LOOK_KEYS",
    "MAP_KEYS",
    "SETTINGS_KEYS",
    "SLIDER_KEYS",
    "Button",
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
    "Terrain3D",
    "TileCursor3D",
    "TileOverlay3D",
    "Toolbar",
    "WindowNode",
    "attach",
    "forward_signals",
]
