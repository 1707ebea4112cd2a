"""Read and write ESRI ASCII grids, `.asc`: a header of names and numbers, then a number per cell.

https://desktop.arcgis.com/en/arcmap/latest/manage-data/raster-and-images/esri-ascii-raster-format.htm
"""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError
from terrain3d.formats.format import FileContent, level_grid_notes
from terrain3d.map.tilemap import TileMap

NODATA = -9999.0
"""The number for "no height" where the header does not set one."""

_NODATA_NAME = "nodata_value"
_NAMES = (
    *("ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter"),
    *("cellsize", "dx", "dy", _NODATA_NAME),
)
_ENTRY = re.compile(rb"\s*([A-Za-z_]{1,40})[ \t]+(\S{1,40})[ \t]*(?:\r\n?|\n|$)")
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_CHARACTERS = re.compile(rb"[-+.0-9eE\s]*")
_CHARACTERS_OR_NAN = re.compile(rb"[-+.0-9eENnAa\s]*")
_GAP = re.compile(rb"\s")
_WORD = re.compile(rb"\S+")
_PART_BYTES = 2**20


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights of a grid, row 0 in the north; NaN means no height."""
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    header: dict[str, bytes] = {}
    while entry := _ENTRY.match(data, start):
        name = entry[1].decode("ascii").lower()
        is_number = _NUMBER.fullmatch(entry[2]) or (name == _NODATA_NAME and _is_nan(entry[2]))
        if name not in _NAMES or name in header or not is_number:
            problem = f"a header has numbers named {', '.join(_NAMES)}, each once"
            raise _error(data, entry.start(1), problem)
        header[name] = entry[2]
        start = entry.end()
    if not {"ncols", "nrows"} <= header.keys():
        raise _error(data, start, "a header begins with ncols and nrows")
    rows, cols = (_count(header[name]) for name in ("nrows", "ncols"))
    if rows * cols > max_samples:
        raise MapFileError(f"has {rows} x {cols} samples, the limit is {max_samples}")
    if 2 * rows * cols - 1 > len(data) - start:
        raise MapFileError(f"is too short for {rows} x {cols} samples")
    grid = np.empty(rows * cols)
    filled = 0
    nodata = header.get(_NODATA_NAME, b"%g" % NODATA)
    for part in _parts(data, start, has_nan=_is_nan(nodata)):
        if filled + len(part) > len(grid):
            raise MapFileError(f"has more samples than {rows} x {cols}")
        grid[filled : filled + len(part)] = part
        filled += len(part)
    if filled < len(grid):
        raise MapFileError(f"has {filled} samples, the header says {rows} x {cols}")
    grid[grid == float(nodata)] = np.nan
    return grid.reshape(rows, cols)


def write(tilemap: TileMap) -> FileContent:
    """Write the levels of a map as a grid, void as nodata."""
    level = np.where(tilemap.void, int(NODATA), tilemap.level)
    rows, cols = level.shape
    header = f"ncols {cols}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
    lines = [" ".join(map(str, row)) for row in level.tolist()]
    text = f"{header}NODATA_value {NODATA:g}\n" + "\n".join(lines) + "\n"
    return FileContent(text.encode("ascii"), level_grid_notes(tilemap))


def _count(text: bytes) -> int:
    if not re.fullmatch(rb"\d{1,9}", text) or int(text) < 1:
        shown = text.decode("ascii")
        raise MapFileError(f"ncols and nrows must be whole numbers >= 1, got {shown}")
    return int(text)


def _is_nan(text: bytes) -> bool:
    """Return whether a text is NaN, which some programs write as nodata."""
    return text.lower() == b"nan"


def _parts(data: bytes, start: int, *, has_nan: bool) -> Iterator[NDArray[np.float64]]:
    """Yield the numbers part by part, so that splitting the text takes little memory."""
    characters = _CHARACTERS_OR_NAN if has_nan else _CHARACTERS
    while start < len(data):
        gap = _GAP.search(data, start + _PART_BYTES)
        end = gap.start() if gap else len(data)
        part = data[start:end]
        try:
            numbers = np.array(part.split(), np.float64) if characters.fullmatch(part) else None
        except ValueError:
            numbers = None
        if numbers is None or np.isinf(numbers).any():
            raise _wrong_number(data, start, end, has_nan=has_nan)
        yield numbers
        start = end


def _wrong_number(data: bytes, start: int, end: int, *, has_nan: bool) -> MapFileError:
    for word in _WORD.finditer(data, start, end):
        if has_nan and _is_nan(word[0]):
            continue
        if not _NUMBER.fullmatch(word[0]) or np.isinf(float(word[0])):
            shown = word[0][:20].decode("ascii", "backslashreplace")
            return _error(data, word.start(), f"{shown!r} is not a finite number")
    return _error(data, start, "holds something that is not a number")


def _error(data: bytes, offset: int, problem: str) -> MapFileError:
    return MapFileError(problem, line=data.count(b"\n", 0, offset) + 1)
