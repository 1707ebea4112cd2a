"""Read and write numpy arrays: `.npy` with heights or levels, and `.npz` archives of named arrays.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Arrays of objects, which are
pickles, are never read.
"""

import io
import math
import re
import sys
import warnings
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError, single_line
from terrain3d.grid.kinds import KINDS, TileKind
from terrain3d.mapfile.losses import is_void, kinds_in_use, level_grid_notes, loss_notes
from terrain3d.mapfile.record import FileContent, MapRecord

SIGNATURE, ARCHIVE_SIGNATURE = re.compile(rb"\x93NUMPY"), re.compile(rb"PK")
MAX_ARRAYS = 64
EXTRA_BYTES = 2**20
"""What small arrays may take in an archive beside the large ones."""

_HEADERS = {
    (1, 0): npy_format.read_array_header_1_0,
    (2, 0): npy_format.read_array_header_2_0,
}
_MAX_HEADER = 4096
_MAX_NAME = 1000
_SHOWN = 100
_DIRECTORY_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LEVEL, _KIND, _KINDS, _STEP, _TOPOLOGY = "level", "kind", "kinds", "step_height", "topology"


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights of a `.npy` file; NaN means no height."""
    return _grid(_array(data, max_samples, ""), "")


def read_archive(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64] | MapRecord:
    """Return the map of a `.npz` file with an array "level", else its single grid of heights."""
    arrays = read_arrays(data, max_samples, EXTRA_BYTES + 2 * 8 * max_samples)
    if _LEVEL in arrays:
        return _record(arrays)
    grids = [name for name, array in arrays.items() if array.ndim == 2]
    if len(grids) != 1:
        problem = f'needs an array "level" or one of (rows, cols) heights, got {len(grids)}'
        raise MapFileError(problem)
    return _grid(arrays[grids[0]], single_line(grids[0], _SHOWN))


def read_arrays(data: bytes, max_samples: int, max_bytes: int) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of an archive by name; none is unpacked beyond the size in its header.

    One array has at most `max_samples` numbers, all together at most `max_bytes` bytes.
    """
    count = data.count(_DIRECTORY_ENTRY)  # before zipfile makes an object of each
    if count > MAX_ARRAYS:
        raise MapFileError(f"holds {count} files, the limit is {MAX_ARRAYS}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _members(archive, max_samples, max_bytes)
    except MapFileError:
        raise
    except Exception as error:  # zipfile raises a dozen types for broken archives
        raise MapFileError(f"is not an archive: {single_line(error, _SHOWN)}") from None


def _members(
    archive: zipfile.ZipFile, max_samples: int, max_bytes: int
) -> dict[str, NDArray[np.generic]]:
    arrays: dict[str, NDArray[np.generic]] = {}
    bytes_left = max_bytes
    for entry in archive.infolist():
        name = entry.filename.removesuffix(".npy")
        shown = single_line(name, _SHOWN)
        if name in arrays:
            raise MapFileError("occurs twice", field=shown)
        if entry.compress_type not in _METHODS:  # zipfile unpacks all of it for any read
            problem = f"must be stored or deflated, is packed by method {entry.compress_type}"
            raise MapFileError(problem, field=shown)
        with archive.open(entry) as stream:
            start = stream.read(_MAX_HEADER)
            header = io.BytesIO(start)
            shape, _, dtype = _header(header, max_samples, shown)
            size = header.tell() + math.prod(shape) * dtype.itemsize
            bytes_left -= size
            if bytes_left < 0:
                raise MapFileError(f"makes the arrays larger than {max_bytes} bytes", field=shown)
            data = start + stream.read(max(0, size - len(start)) + 1)
        arrays[name] = _array(data, max_samples, shown)
    return arrays


def write(record: MapRecord) -> FileContent:
    """Write the levels of a map: whole numbers, or floats with NaN for void if there is any."""
    level: NDArray[Any] = record.level.astype(np.int16)
    void = is_void(record)
    if void.any():
        level = np.where(void, np.float32(np.nan), level.astype(np.float32))
    return FileContent(_saved(level), level_grid_notes(record))


def write_archive(record: MapRecord) -> FileContent:
    """Write the ground of a map: levels, kinds and their names, step height, topology."""
    arrays: dict[str, NDArray[Any]] = {
        _LEVEL: record.level.astype(np.int16),
        _KIND: record.kind.astype(np.uint8),
        _KINDS: np.array([_checked_name(kind.name) for kind in record.kinds]),
        _STEP: np.array(record.step_height),
        _TOPOLOGY: np.array(record.topology),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            # ZipInfo has a fixed time, so that equal maps make equal files.
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _saved(array))
    notes = loss_notes(record, ("levels", _STEP, _TOPOLOGY))
    used = [record.kinds[number] for number in kinds_in_use(record)]
    names = [kind.name for kind in used if kind != _kind_named(kind.name)]
    if names:
        notes.append(f"left out: kinds of ground, except their names ({', '.join(names)})")
    return FileContent(stream.getvalue(), tuple(notes))


def _saved(array: NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def _checked_name(name: str) -> str:
    """Return a name; refuse one that numpy would cut, that is not text, or that is too long."""
    is_text = name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)
    if len(name) > _MAX_NAME or name.endswith("\0") or not is_text:
        problem = f"names of kinds in .npz files have at most {_MAX_NAME} characters"
        raise ValueError(f"{problem}, got {single_line(ascii(name), _SHOWN)}")
    return name


def _kind_named(name: str) -> TileKind:
    return next((kind for kind in KINDS if kind.name == name), TileKind(name))


def _header(
    stream: io.BytesIO, max_samples: int, name: str
) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return shape, order and type of an array; refuse them before memory is taken for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # about headers of old numpy versions
            read = _HEADERS[npy_format.read_magic(stream)]
            shape, is_fortran, dtype = read(stream, max_header_size=_MAX_HEADER)
    except Exception as error:  # numpy parses the header as Python code
        problem = f"has no array header: {single_line(error, _SHOWN)}"
        raise MapFileError(problem, field=name) from None
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


def _record(arrays: dict[str, NDArray[np.generic]]) -> MapRecord:
    level = _whole(arrays[_LEVEL], _LEVEL)
    kind = _whole(arrays.get(_KIND, np.zeros_like(level)), _KIND)
    if kind.shape != level.shape:
        raise MapFileError(f"has shape {kind.shape}, level has {level.shape}", field=_KIND)
    names = _texts(arrays.get(_KINDS, np.array([kind.name for kind in KINDS])), _KINDS)
    try:
        kinds = tuple(_kind_named(name) for name in names)
    except ValueError as error:
        raise MapFileError(str(error), field=_KINDS) from None
    step = arrays.get(_STEP, np.array(MapRecord.step_height))
    if step.size != 1 or step.dtype.kind not in "iuf":
        raise MapFileError("must be one number", field=_STEP)
    topology = _texts(arrays.get(_TOPOLOGY, np.array("square")), _TOPOLOGY)[0]
    return MapRecord(level, kind, kinds, float(step.reshape(1)[0]), topology)


def _whole(array: NDArray[Any], name: str) -> NDArray[np.integer]:
    if array.ndim != 2 or array.dtype.kind not in "iu":
        problem = f"must be (rows, cols) whole numbers, got {array.shape} of {array.dtype}"
        raise MapFileError(problem[:200], field=name)
    return array


def _texts(array: NDArray[Any], name: str) -> Sequence[str]:
    if array.dtype.kind != "U" or not array.itemsize or not 1 <= array.size <= 256:
        raise MapFileError("must be 1..256 texts", field=name)
    # Codes that are not characters fail inside numpy; half of a surrogate pair fails in printing.
    codes = np.frombuffer(array.tobytes(), f"{array.dtype.byteorder}u4")
    if ((codes > sys.maxunicode) | ((codes >= 0xD800) & (codes < 0xE000))).any():
        raise MapFileError("must be texts", field=name)
    texts: list[str] = array.ravel().tolist()
    return texts
