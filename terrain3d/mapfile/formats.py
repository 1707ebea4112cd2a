"""Which format a file has, and all of them read alike."""

import re
from pathlib import Path

from terrain3d.kinds import KINDS
from terrain3d.mapfile import movingai, native, text
from terrain3d.mapfile.files import read_bytes
from terrain3d.mapfile.record import MapRecord

_OBJECT = re.compile(rb"(\xef\xbb\xbf)?\s*\{")
_HEADER = re.compile(rb"\s*(type|height|width)[ \t]")


def read(
    path: Path, topology: str = "square", max_surfaces: int = native.MAX_SURFACES
) -> MapRecord:
    """Read a map in any format: native, MovingAI's or a text picture.

    How a file begins tells its format; where that says nothing, its suffix does.

    Parameters
    ----------
    path : Path
    topology : str
        How tiles lie, where the format does not tell.
    max_surfaces : int
        The most tiles, on all decks together, that a native file may make.

    Raises
    ------
    MapFileError
        It is no plain file, too large, or no map; with the line or the field if it has one.
    """
    data, source = read_bytes(path, native.max_bytes(max_surfaces)), str(path)
    if _OBJECT.match(data) or path.suffix == native.SUFFIX:
        return native.parse(data, source, max_surfaces)
    if _HEADER.match(data) or path.suffix == movingai.SUFFIX:
        return MapRecord(*movingai.parse_map(data, source), topology=topology)
    level, is_void = text.parse(text.decode(data, source), source)
    return MapRecord(level, text.kind_of(is_void, KINDS), KINDS, topology=topology)
