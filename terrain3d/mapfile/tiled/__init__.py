"""Maps of the Tiled editor, `.tmx` and `.tmj`, in and out; docs/tiled.md tells what they hold."""

from terrain3d.mapfile.tiled.external_tilesets import SUFFIXES as TILESET_SUFFIXES
from terrain3d.mapfile.tiled.external_tilesets import Beside
from terrain3d.mapfile.tiled.reading import BEGINNING, SUFFIXES, parse
from terrain3d.mapfile.tiled.writing import write_tmj, write_tmx

__all__ = [
    "BEGINNING",
    "SUFFIXES",
    "TILESET_SUFFIXES",
    "Beside",
    "parse",
    "write_tmj",
    "write_tmx",
]
