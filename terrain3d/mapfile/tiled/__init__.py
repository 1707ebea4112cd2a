"""Maps of the Tiled editor, `.tmx` and `.tmj`, in and out; docs/tiled.md tells what they hold."""

from terrain3d.mapfile.tiled.reading import BEGINNING, SUFFIXES, parse

__all__ = ["BEGINNING", "SUFFIXES", "parse"]
