"""The ground on screen, with Panda3D: nodes that show a map and what happens on it."""

from __future__ import annotations

from terrain3d.view.camera import KEYS as CAMERA_KEYS
from terrain3d.view.camera import LOOK_KEYS, OrbitCamera3D
from terrain3d.view.commander import KEYS as COMMAND_KEYS
from terrain3d.view.commander import Commander3D
from terrain3d.view.crumbs import Crumbs3D
from terrain3d.view.cursor import KEYS as CURSOR_KEYS
from terrain3d.view.cursor import TileCursor3D
from terrain3d.view.door import KEYS as THEATRE_KEYS
from terrain3d.view.door import TheatreDoor3D
from terrain3d.view.editor import DRAWING_KEYS, MapEditor3D
from terrain3d.view.editor import KEYS as EDITOR_KEYS
from terrain3d.view.hud import Hud
from terrain3d.view.labels import Labels3D
from terrain3d.view.lighting import Daylight
from terrain3d.view.minimap import KEYS as MAP_KEYS
from terrain3d.view.minimap import MiniMap
from terrain3d.view.overlay import TileOverlay3D
from terrain3d.view.player import StepPlayer
from terrain3d.view.pointer import Pointer
from terrain3d.view.preferences import KEYS as SETTINGS_KEYS
from terrain3d.view.preferences import Preferences
from terrain3d.view.ribbon import PathRibbon3D
from terrain3d.view.selection import KEYS as BOX_KEYS
from terrain3d.view.selection import SelectionBox
from terrain3d.view.stage import KEYS as STAGE_KEYS
from terrain3d.view.stage import SearchStage3D
from terrain3d.view.terrain import Terrain3D
from terrain3d.view.theatre import SearchTheatre3D
from terrain3d.view.tree import Node3D, PandaTree, WindowNode, attach
from terrain3d.view.unit import Unit3D

__all__ = [
    "BOX_KEYS",
    "CAMERA_KEYS",
    "COMMAND_KEYS",
    "CURSOR_KEYS",
    "DRAWING_KEYS",
    "EDITOR_KEYS",
    "LOOK_KEYS",
    "MAP_KEYS",
    "SETTINGS_KEYS",
    "STAGE_KEYS",
    "THEATRE_KEYS",
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
    "SearchStage3D",
    "SearchTheatre3D",
    "SelectionBox",
    "StepPlayer",
    "Terrain3D",
    "TheatreDoor3D",
    "TileCursor3D",
    "TileOverlay3D",
    "Unit3D",
    "WindowNode",
    "attach",
]
