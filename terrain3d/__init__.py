"""Stepped tile terrain: maps to generate, edit, pick on and save. Only `view` needs Panda3D."""

from terrain3d.core import Node, SceneTree
from terrain3d.core.exports import export
from terrain3d.core.frozen import look_beside_program
from terrain3d.core.signals import Signal
from terrain3d.grid.grid import Cell, Grid, Rect, SquareGrid
from terrain3d.grid.hexgrid import TOPOLOGIES, HexGrid, make_grid
from terrain3d.grid.kinds import KINDS, TileKind
from terrain3d.grid.links import Link, Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.landscape import landscape
from terrain3d.map.tilemap import TileMap
from terrain3d.mapfile import MapFileError

look_beside_program()

__all__ = [
    "KINDS",
    "TOPOLOGIES",
    "Cell",
    "Grid",
    "HexGrid",
    "Link",
    "MapFileError",
    "Node",
    "Reason",
    "Rect",
    "SceneTree",
    "Signal",
    "SquareGrid",
    "TileKind",
    "TileMap",
    "Wall",
    "export",
    "landscape",
    "make_grid",
]


def __dir__() -> list[str]:
    """Return the public names, without the subpackages."""
    return [*__all__, "__all__", "__doc__"]
