"""Read maps from files of any format, and write them.

A wrong file raises `MapFileError` and nothing else. Limits on sizes are checked before memory is
allocated. `core.files.in_file` names the file, `Fields.naming` of `json_text.py` a field.

May import `terrain3d.map` and what it imports. Start with `registry.py`, the dictionary of formats.
"""

from terrain3d.core.files import MapFileError, MapFileWarning, single_line
from terrain3d.formats.registry import register_format
from terrain3d.map.surfaces import DECK, MAX_SURFACES

__all__ = [
    "DECK",
    "MAX_SURFACES",
    "MapFileError",
    "MapFileWarning",
    "register_format",
    "single_line",
]
