"""Read and write maps of the Tiled editor, `.tmx` and `.tmj`; docs/tiled.md describes the rules.

May import the modules of `terrain3d.formats` except `registry.py`. Start with `map_reader.py` and
`map_writer.py`.
"""

from terrain3d.formats.tiled.map_reader import read
from terrain3d.formats.tiled.map_writer import SUFFIXES as TILESET_SUFFIXES
from terrain3d.formats.tiled.map_writer import TilesetFiles, write_tmj, write_tmx
from terrain3d.formats.tiled.world import read_world

__all__ = [
    "TILESET_SUFFIXES",
    "TilesetFiles",
    "read",
    "read_world",
    "write_tmj",
    "write_tmx",
]
