"""Stepped tile terrain: make it, edit it, pick on it, save it. Panda3D is needed by `view` only."""

from terrain3d.exports import export
from terrain3d.grid import Cell, Grid, Rect, SquareGrid
from terrain3d.hexgrid import HexGrid
from terrain3d.kinds import KINDS, TileKind
from terrain3d.landscape import landscape
from terrain3d.links import Link, Wall
from terrain3d.mapfile import MapFileError
from terrain3d.scene import Node, SceneTree
from terrain3d.signals import Signal
from terrain3d.tilemap import TileMap
from terrain3d.topology import TOPOLOGIES, make_grid

__all__ = [
    "KINDS",
    "TOPOLOGIES",
    "Cell",
    "Grid",
    "HexGrid",
    "Link",
    "MapFileError",
    "Node",
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
