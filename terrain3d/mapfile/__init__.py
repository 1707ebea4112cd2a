"""Maps outside the program: one module a format, one way to read them all, and one error."""

from terrain3d.core.errors import MapFileError, single_line
from terrain3d.mapfile.formats import read, write
from terrain3d.mapfile.heights.height_rules import HeightRules
from terrain3d.mapfile.movingai.movingai_map import load_weights
from terrain3d.mapfile.record import DECK, Extras, Kept, MapRecord, Rendered

__all__ = [
    "DECK",
    "Extras",
    "HeightRules",
    "Kept",
    "MapFileError",
    "MapRecord",
    "Rendered",
    "load_weights",
    "read",
    "single_line",
    "write",
]
