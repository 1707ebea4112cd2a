"""Read and write ESRI ASCII grids, `.asc`: a header of names and numbers, then a number per cell.

https://desktop.arcgis.com/en/arcmap/latest/manage-data/raster-and-images/esri-ascii-raster-format.htm
"""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import MapFileError
from terrain3d.formats.format import FileContent, level_grid_notes
from terrain3d.map.heights import MAX_HEIGHT
from terrain3d.map.tilemap import TileMap

NODATA = -9999.0
"""The number for "no height" where the header does not set one."""

_NODATA_NAMES = ("nodata_value", "nodata", "no_data", "no_data_value")
_SIZES = ("cellsize", "dx", "dy")
_NAMES = (
    *("ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter", *_SIZES),
    _NODATA_NAMES[0],
)
_ENTRY = re.compile(
    rb"\s*([A-Za-z_]{1,40})(?:[ \t]*[:=][ \t]*|[ \t]+)(\S{1,40})[ \t]*(?:\r\n?|\n|$)"
)
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_MISSING = re.compile(
    rb"(?<!\S)[-+]?(?:nan(?:\(\w*\))?|null|na|none|nodata|1\.#(?!inf)\w+)(?!\S)", re.IGNORECASE
)
"""Words for "no height" of several programs and languages, such as 1.#QNAN of C on Windows."""
_PLAIN, _CHARACTERS = re.compile(rb"[-+.0-9eE\s]*"), re.compile(rb"[-+.0-9eEan\s]*")
_GAP = re.compile(rb"\s")
_WORD = re.compile(rb"\S+")
_UTF_16 = re.compile(rb"\xff\xfe|\xfe\xff|\0?[nN]\0")
_PART_BYTES = 2**20


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights of a grid, row 0 in the north; NaN means no height.

    The decimal mark is a point or a comma. Samples are no heights if they are words such as "nan",
    or equal to the number for it, which some programs round to 32 bits.
    """
    data = _in_ascii(data)
    start, header = _header(data)
    rows, cols = (_count(header[name]) for name in ("nrows", "ncols"))
    if rows * cols > max_samples:
        raise MapFileError(f"has {rows} x {cols} samples, the limit is {max_samples}")
    if 2 * rows * cols - 1 > len(data) - start:
        raise MapFileError(f"is too short for {rows} x {cols} samples")
    grid = np.empty(rows * cols)
    filled = 0
    for part in _parts(data, start):
        if filled + len(part) > len(grid):
            raise MapFileError(f"has more samples than {rows} x {cols}")
        grid[filled : filled + len(part)] = part
        filled += len(part)
    if filled < len(grid):
        raise MapFileError(f"has {filled} samples, the header says {rows} x {cols}")
    nodata = float(header.get(_NODATA_NAMES[0], NODATA))
    with np.errstate(over="ignore"):
        is_missing = grid.astype(np.float32) == np.float32(nodata)
    if abs(nodata) > MAX_HEIGHT:  # samples may have fewer digits than the header
        is_missing |= np.abs(grid) > MAX_HEIGHT
    grid[is_missing] = np.nan
    return grid.reshape(rows, cols)


def _in_ascii(data: bytes) -> bytes:
    """Return a text in UTF-8 or UTF-16 as bytes that are ASCII as far as it is."""
    if _UTF_16.match(data):
        order = "utf-16-be" if data[:1] in (b"\0", b"\xfe") else "utf-16-le"
        return data.decode(order, "replace").encode("utf-8").removeprefix(b"\xef\xbb\xbf")
    return data.removeprefix(b"\xef\xbb\xbf")


def _header(data: bytes) -> tuple[int, dict[str, bytes]]:
    """Return where the samples begin, and the numbers of the header by name."""
    start, header = 0, dict[str, bytes]()
    while entry := _ENTRY.match(data, start):
        if header and _MISSING.fullmatch(entry[1]) and entry[1].lower() != b"nodata":
            break  # a row of two samples
        name, value = entry[1].decode("ascii").lower(), entry[2].replace(b",", b".")
        name = _NODATA_NAMES[0] if name in _NODATA_NAMES else name
        if name == _NODATA_NAMES[0] and _MISSING.fullmatch(value):
            value = b"nan"
        elif name not in _NAMES or not _NUMBER.fullmatch(value):
            raise _error(data, entry.start(1), f"a header has numbers named {', '.join(_NAMES)}")
        if name in header:
            raise _error(data, entry.start(1), f"a header has {name} once")
        if name in _SIZES and float(value) <= 0:
            shown = entry[2].decode("ascii")
            raise _error(data, entry.start(1), f"{name} must be > 0, got {shown}")
        header[name] = value
        start = entry.end()
    if not {"ncols", "nrows"} <= header.keys():
        raise _error(data, start, "a header begins with ncols and nrows")
    return start, header


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


def _parts(data: bytes, start: int) -> Iterator[NDArray[np.float64]]:
    """Yield the numbers part by part, so that splitting the text takes little memory."""
    mark = b"." if data.find(b",", start) < 0 else b","
    while start < len(data):
        gap = _GAP.search(data, start + _PART_BYTES)
        end = gap.start() if gap else len(data)
        part = data[start:end]
        if mark == b"," or not _PLAIN.fullmatch(part):
            part = _with_mark(_MISSING.sub(b"nan", part), mark)
        try:
            numbers = np.array(part.split(), np.float64) if _CHARACTERS.fullmatch(part) else None
        except ValueError:
            numbers = None
        if numbers is None or np.isinf(numbers).any():
            raise _wrong_number(data, start, end, mark)
        yield numbers
        start = end


def _with_mark(text: bytes, mark: bytes) -> bytes:
    """Return numbers with points for decimal marks; with both marks, one parts thousands."""
    return text if mark == b"." else text.replace(b".", b"?").replace(mark, b".")


def _wrong_number(data: bytes, start: int, end: int, mark: bytes) -> MapFileError:
    for word in _WORD.finditer(data, start, end):
        text = _with_mark(word[0], mark)
        is_number = _NUMBER.fullmatch(text) and not np.isinf(float(text))
        if not is_number and not _MISSING.fullmatch(word[0]):
            shown = word[0][:20].decode("ascii", "backslashreplace")
            return _error(data, word.start(), f"{shown!r} is not a finite number")
    return _error(data, start, "holds something that is not a number")


def _error(data: bytes, offset: int, problem: str) -> MapFileError:
    return MapFileError(problem, line=data.count(b"\n", 0, offset) + 1)
