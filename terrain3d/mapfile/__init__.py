"""Convert map files of any format to and from `MapRecord`, the contents of a map as plain data.

A wrong file raises `MapFileError` and nothing else. Limits on sizes are checked before memory is
allocated. `errors.in_file` names the file, `Fields.naming` a field.

May import `terrain3d.generate`, `terrain3d.grid` and `terrain3d.core`. Inside, `native`, `tiled`,
`movingai` and `heights` import the modules here, except `formats`, which imports all of them. Start
with `formats.py`, the table of formats, and `record.py`.
"""

from terrain3d.core.errors import MapFileError, single_line
from terrain3d.grid.kinds import KINDS, TileKind
from terrain3d.mapfile.formats import read, write
from terrain3d.mapfile.movingai import terrain_characters
from terrain3d.mapfile.read_options import MAX_SURFACES, HeightRules
from terrain3d.mapfile.record import DECK, Extras, FileContent, MapRecord, UnknownFields

STANDARD_KINDS: tuple[TileKind, ...] = (
    *KINDS,
    *terrain_characters.KINDS,
    *terrain_characters.TERRAINS,
)
"""The kinds of all maps that bring no table of their own: "grass", "swamp", "water", "tree", ..."""

__all__ = [
    "DECK",
    "MAX_SURFACES",
    "STANDARD_KINDS",
    "Extras",
    "FileContent",
    "HeightRules",
    "MapFileError",
    "MapRecord",
    "UnknownFields",
    "read",
    "single_line",
    "write",
]
