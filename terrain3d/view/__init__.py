"""Show maps and marks with Panda3D, as nodes of a scene tree.

The only subpackage of `terrain3d` that imports the engine; it knows no units and never imports
`ai`. Start with `scene/terrain_3d.py`; `attach` connects
a tree to a running ShowBase.
"""

from typing import TYPE_CHECKING

from terrain3d.core.imports import lazy_names

if TYPE_CHECKING:
    from terrain3d.core.signals import forward_signals as forward_signals
    from terrain3d.view.camera import OrbitCamera3D as OrbitCamera3D
    from terrain3d.view.command import Command as Command
    from terrain3d.view.command import help_rows as help_rows
    from terrain3d.view.command import key_rows as key_rows
    from terrain3d.view.font import set_font as set_font
    from terrain3d.view.hud.hud import Hud as Hud
    from terrain3d.view.hud.hud import buttons_of as buttons_of
    from terrain3d.view.hud.menu import ActionMenu as ActionMenu
    from terrain3d.view.hud.minimap import MiniMap as MiniMap
    from terrain3d.view.hud.widgets import Button as Button
    from terrain3d.view.light.daylight import Daylight as Daylight
    from terrain3d.view.map_editor_3d import MapEditor3D as MapEditor3D
    from terrain3d.view.preferences import Preferences as Preferences
    from terrain3d.view.scene.labels_3d import Labels3D as Labels3D
    from terrain3d.view.scene.path_ribbon_3d import Crumbs3D as Crumbs3D
    from terrain3d.view.scene.path_ribbon_3d import PathRibbon3D as PathRibbon3D
    from terrain3d.view.scene.sprite_3d import Sprite3D as Sprite3D
    from terrain3d.view.scene.terrain_3d import Terrain3D as Terrain3D
    from terrain3d.view.scene.tile_cursor_3d import TileCursor3D as TileCursor3D
    from terrain3d.view.scene.tile_overlay_3d import TileOverlay3D as TileOverlay3D
    from terrain3d.view.window.input_map import Gamepad as Gamepad
    from terrain3d.view.window.input_map import InputMap as InputMap
    from terrain3d.view.window.input_map import connected_gamepads as connected_gamepads
    from terrain3d.view.window.model_loader import mesh_of as mesh_of
    from terrain3d.view.window.panda_tree import Node3D as Node3D
    from terrain3d.view.window.panda_tree import PandaTree as PandaTree
    from terrain3d.view.window.panda_tree import WindowNode as WindowNode
    from terrain3d.view.window.panda_tree import attach as attach
    from terrain3d.view.window.pointer import Pointer as Pointer
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "terrain3d.core.signals": "forward_signals",
            "terrain3d.view.camera": "OrbitCamera3D",
            "terrain3d.view.command": "Command help_rows key_rows",
            "terrain3d.view.font": "set_font",
            "terrain3d.view.hud.hud": "Hud buttons_of",
            "terrain3d.view.hud.menu": "ActionMenu",
            "terrain3d.view.hud.minimap": "MiniMap",
            "terrain3d.view.hud.widgets": "Button",
            "terrain3d.view.light.daylight": "Daylight",
            "terrain3d.view.map_editor_3d": "MapEditor3D",
            "terrain3d.view.preferences": "Preferences",
            "terrain3d.view.scene.labels_3d": "Labels3D",
            "terrain3d.view.scene.path_ribbon_3d": "Crumbs3D PathRibbon3D",
            "terrain3d.view.scene.sprite_3d": "Sprite3D",
            "terrain3d.view.scene.terrain_3d": "Terrain3D",
            "terrain3d.view.scene.tile_cursor_3d": "TileCursor3D",
            "terrain3d.view.scene.tile_overlay_3d": "TileOverlay3D",
            "terrain3d.view.window.input_map": "Gamepad InputMap connected_gamepads",
            "terrain3d.view.window.model_loader": "mesh_of",
            "terrain3d.view.window.panda_tree": "Node3D PandaTree WindowNode attach",
            "terrain3d.view.window.pointer": "Pointer",
        },
    )
