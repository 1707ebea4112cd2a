"""Read and write numpy arrays: `.npy` with heights or levels, and zip archives of named arrays.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Arrays of objects, which are
pickles, are never read.
"""

import io
import math
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from terrain3d.core.files import MapFileError, of_library, single_line
from terrain3d.formats.format import FileContent, level_grid_notes
from terrain3d.map.tilemap import TileMap

MAX_FILES = 64
"""Limit on the files in an archive."""

_DIRECTORY_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@contextmanager
def opened_archive(data: bytes) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; any error while it is read becomes a `MapFileError`."""
    count = data.count(_DIRECTORY_ENTRY)  # before zipfile makes an object of each
    if count > MAX_FILES:
        raise MapFileError(f"holds {count} files, the limit is {MAX_FILES}")
    with of_library("is not an archive"), zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield archive


def check_packing(entry: zipfile.ZipInfo) -> None:
    """Raise `MapFileError` for a method of which zipfile unpacks all at any read."""
    if entry.compress_type not in _METHODS:
        problem = f"must be stored or deflated, is packed by method {entry.compress_type}"
        shown = single_line(entry.filename.removesuffix(".npy"), _SHOWN)
        raise MapFileError(problem, field=shown)


_EXTRA_BYTES = 2**20
"""Bytes of an archive allowed for small arrays beside the large ones."""

_HEADERS = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}
_MAX_HEADER = 4096
_MAX_NAME = 1000
_SHOWN = 100


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights of a `.npy` file; NaN means no height."""
    return _grid(_array(data, max_samples, ""), "")


def read_archive(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the heights of a `.npz` file, its only (rows, cols) array."""
    arrays = _arrays(data, max_samples, _EXTRA_BYTES + 2 * 8 * max_samples)
    grids = [name for name, array in arrays.items() if array.ndim == 2]
    if len(grids) != 1:
        raise MapFileError(f"needs one array of (rows, cols) heights, got {len(grids)}")
    return _grid(arrays[grids[0]], single_line(grids[0], _SHOWN))


def _arrays(data: bytes, max_samples: int, max_bytes: int) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of an archive by name; none is unpacked beyond the size in its header.

    One array has at most `max_samples` numbers, all together at most `max_bytes` bytes.
    """
    arrays: dict[str, NDArray[np.generic]] = {}
    bytes_left = max_bytes
    with opened_archive(data) as archive:
        for entry in archive.infolist():
            name = entry.filename.removesuffix(".npy")
            shown = single_line(name, _SHOWN)
            if name in arrays:
                raise MapFileError("occurs twice", field=shown)
            check_packing(entry)
            with archive.open(entry) as stream:
                start = stream.read(_MAX_HEADER)
                header = io.BytesIO(start)
                shape, _, dtype = _header(header, max_samples, shown)
                size = header.tell() + math.prod(shape) * dtype.itemsize
                bytes_left -= size
                if bytes_left < 0:
                    problem = f"makes the arrays larger than {max_bytes} bytes"
                    raise MapFileError(problem, field=shown)
                content = start + stream.read(max(0, size - len(start)) + 1)
            arrays[name] = _array(content, max_samples, shown)
    return arrays


def write(tilemap: TileMap) -> FileContent:
    """Write the levels of a map: whole numbers, or floats with NaN for void if there is any."""
    level: NDArray[Any] = tilemap.level.astype(np.int16)
    void = tilemap.void
    if void.any():
        level = np.where(void, np.float32(np.nan), level.astype(np.float32))
    stream = io.BytesIO()
    np.save(stream, level, allow_pickle=False)
    return FileContent(stream.getvalue(), level_grid_notes(tilemap))


def _header(
    stream: io.BytesIO, max_samples: int, name: str
) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return shape, order and type of an array; refuse them before memory is taken for it."""
    with of_library("has no array header", name), warnings.catch_warnings():
        warnings.simplefilter("error")  # about headers of old numpy versions
        read = _HEADERS[npy_format.read_magic(stream)]
        shape, is_fortran, dtype = read(stream, max_header_size=_MAX_HEADER)
    if dtype.kind not in "iufbU" or dtype.itemsize > 4 * _MAX_NAME:
        raise MapFileError(f"must hold numbers, got {str(dtype)[:40]}", field=name)
    count = math.prod(shape)
    if min(shape, default=1) < 1 or count > max_samples:
        problem = f"must have 1..{max_samples} samples, got {shape}"
        raise MapFileError(problem[:200], field=name)
    return shape, is_fortran, dtype


def _array(data: bytes, max_samples: int, name: str) -> NDArray[np.generic]:
    stream = io.BytesIO(data)
    shape, is_fortran, dtype = _header(stream, max_samples, name)
    start, size = stream.tell(), math.prod(shape) * dtype.itemsize
    if len(data) - start != size:
        raise MapFileError(
            f"must have {size} bytes of numbers, got {len(data) - start}", field=name
        )
    array = np.frombuffer(data, dtype, offset=start)
    return array.reshape(shape, order="F" if is_fortran else "C")


def _grid(array: NDArray[np.generic], name: str) -> NDArray[np.float64]:
    if array.ndim != 2 or array.dtype.kind not in "iufb":
        problem = f"must be (rows, cols) numbers, got {array.shape} of {array.dtype}"
        raise MapFileError(problem[:200], field=name)
    return np.ascontiguousarray(array, np.float64)
