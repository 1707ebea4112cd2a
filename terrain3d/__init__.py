"""Stepped tile terrain: maps to generate, edit, pick on and save. Only `view` needs Panda3D."""

from typing import TYPE_CHECKING

from terrain3d.core.imports import lazy_names, look_beside_program

if TYPE_CHECKING:
    from terrain3d.core.node import Node as Node
    from terrain3d.core.node import SceneTree as SceneTree
    from terrain3d.core.signals import Signal as Signal
    from terrain3d.core.signals import export as export
    from terrain3d.core.translation import tr as tr
    from terrain3d.core.translation import tr_n as tr_n
    from terrain3d.core.translation import translation_server as translation_server
    from terrain3d.formats import MapFileError as MapFileError
    from terrain3d.grid.grid import TOPOLOGIES as TOPOLOGIES
    from terrain3d.grid.grid import Cell as Cell
    from terrain3d.grid.grid import Grid as Grid
    from terrain3d.grid.grid import HexGrid as HexGrid
    from terrain3d.grid.grid import Rect as Rect
    from terrain3d.grid.grid import SquareGrid as SquareGrid
    from terrain3d.grid.grid import make_grid as make_grid
    from terrain3d.grid.kinds import KINDS as KINDS
    from terrain3d.grid.kinds import TileKind as TileKind
    from terrain3d.grid.kinds import Water as Water
    from terrain3d.grid.kinds import register_texture as register_texture
    from terrain3d.grid.links import Link as Link
    from terrain3d.grid.links import Wall as Wall
    from terrain3d.grid.reason import Reason as Reason
    from terrain3d.grid.reason import register_reasons as register_reasons
    from terrain3d.map.landscape import landscape as landscape
    from terrain3d.map.tilemap import TileMap as TileMap
    from terrain3d.mesh.props import register_prop as register_prop
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "terrain3d.core.node": "Node SceneTree",
            "terrain3d.core.signals": "Signal export",
            "terrain3d.core.translation": "tr tr_n translation_server",
            "terrain3d.grid.grid": "Cell Grid HexGrid Rect SquareGrid TOPOLOGIES make_grid",
            "terrain3d.grid.kinds": "KINDS TileKind Water register_texture",
            "terrain3d.grid.links": "Link Wall",
            "terrain3d.grid.reason": "Reason register_reasons",
            "terrain3d.map.landscape": "landscape",
            "terrain3d.map.tilemap": "TileMap",
            "terrain3d.mesh.props": "register_prop",
            "terrain3d.formats": "MapFileError",
        },
    )

look_beside_program()
