"""Maps of the Tiled editor, `.tmx` and `.tmj`, in and out; docs/tiled.md tells what they hold."""

from terrain3d.mapfile.tiled.reading import BEGINNING, SUFFIXES, parse
from terrain3d.mapfile.tiled.writing import write_tmj, write_tmx

__all__ = ["BEGINNING", "SUFFIXES", "parse", "write_tmj", "write_tmx"]
