"""Arrays as numpy saves them: `.npy`, one of heights or levels, and `.npz`, some of them by name.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html; objects, which would be
pickles, are never read.
"""

import io
import math
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
from terrain3d.mapfile.losses import is_void, kindless, kinds_in_use, losses
from terrain3d.mapfile.record import MapRecord, Rendered

SUFFIX, ARCHIVE_SUFFIX = ".npy", ".npz"
MAX_ARRAYS = 64

_HEADERS = {
    (1, 0): npy_format.read_array_header_1_0,
    (2, 0): npy_format.read_array_header_2_0,
}
_MAX_HEADER = 4096
_MAX_NAME = 1000
_SHOWN = 100
_BYTES, _SLACK_BYTES = 16, 2**20  # all arrays of an archive: two for each sample, and small ones
_LEVEL, _KIND, _KINDS, _STEP, _TOPOLOGY = "level", "kind", "kinds", "step_height", "topology"


def parse(data: bytes, source: str = "", max_samples: int = 2**24) -> NDArray[np.float64]:
    """Read a grid of a `.npy` file.

    Parameters
    ----------
    data : bytes
    source : str
        Name of the file, for the text of errors.
    max_samples : int
        The most cells; more are refused before any is made.

    Returns
    -------
    (rows, cols) float64
        NaN, which stays, is no height.

    Raises
    ------
    MapFileError
        It is no array of (rows, cols) numbers, or too large.
    """
    return _grid(_array(data, max_samples, "", source), "", source)


def parse_archive(
    data: bytes, source: str = "", max_samples: int = 2**24
) -> NDArray[np.float64] | MapRecord:
    """Read a `.npz` file: a map if there is an array named "level", else its one grid of heights.

    Parameters
    ----------
    data, source, max_samples
        As of `parse`.

    Raises
    ------
    MapFileError
        It is no such archive; with the name of the array.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = members(archive, max_samples, source)
    except MapFileError:
        raise
    except Exception as error:  # zipfile raises a dozen types for what is no archive
        raise MapFileError(f"is no archive: {single_line(error, _SHOWN)}", source=source) from None
    if _LEVEL in arrays:
        return _record(arrays, source)
    grids = [name for name, array in arrays.items() if array.ndim == 2]
    if len(grids) != 1:
        problem = f'needs an array "level" or one of (rows, cols) heights, got {len(grids)}'
        raise MapFileError(problem, source=source)
    return _grid(arrays[grids[0]], single_line(grids[0], _SHOWN), source)


def members(
    archive: zipfile.ZipFile, max_samples: int, source: str
) -> dict[str, NDArray[np.generic]]:
    """Read all arrays of an archive, none of them beyond the size that it says it has.

    Parameters
    ----------
    archive : ZipFile
        Reading what is damaged raises whatever zipfile does.
    max_samples : int
        The most numbers of one array, and of all together two for each and a few.
    source : str
        Name of the file, for the text of errors.

    Raises
    ------
    MapFileError
        Something in it is no array, or too large; with its name.
    """
    entries = archive.infolist()
    if len(entries) > MAX_ARRAYS:
        problem = f"holds {len(entries)} files, the limit is {MAX_ARRAYS}"
        raise MapFileError(problem, source=source)
    arrays: dict[str, NDArray[np.generic]] = {}
    left = _SLACK_BYTES + _BYTES * max_samples
    for entry in entries:
        name = entry.filename.removesuffix(".npy")
        if name in arrays:
            raise MapFileError("is there twice", field=single_line(name, _SHOWN), source=source)
        with archive.open(entry) as stream:
            start = stream.read(_MAX_HEADER)
            size = _size(start, max_samples, single_line(name, _SHOWN), source)
            left -= size
            if left < 0:
                problem = f"makes the archive too large for {max_samples} samples"
                raise MapFileError(problem, field=single_line(name, _SHOWN), source=source)
            data = start + stream.read(max(0, size - len(start)) + 1)
        arrays[name] = _array(data, max_samples, single_line(name, _SHOWN), source)
    return arrays


def write(record: MapRecord) -> Rendered:
    """Write the levels of a map: whole numbers, or floats if there is void, which is NaN."""
    level: NDArray[Any] = record.level.astype(np.int16)
    void = is_void(record)
    if void.any():
        level = np.where(void, np.float32(np.nan), level.astype(np.float32))
    return Rendered(_saved(level), kindless(record))


def write_archive(record: MapRecord) -> Rendered:
    """Write the ground of a map: levels, kinds and their names, step height, topology.

    Raises
    ------
    ValueError
        The name of a kind is one that would not be read again.
    """
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
            # Without a time of its own, so that equal maps make equal files.
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _saved(array))
    notes = losses(record, ("levels", _STEP, _TOPOLOGY))
    unlike = [record.kinds[number] for number in kinds_in_use(record)]
    names = [kind.name for kind in unlike if kind != _kind_named(kind.name)]
    if names:
        notes.append(f"left out: all but the names of kinds of ground ({', '.join(names)})")
    return Rendered(stream.getvalue(), tuple(notes))


def _saved(array: NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def _checked_name(name: str) -> str:
    """Refuse a name that numpy would cut, or that is no text or too long for whoever reads it."""
    is_text = name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)
    if len(name) > _MAX_NAME or name.endswith("\0") or not is_text:
        problem = f"names of kinds are texts of at most {_MAX_NAME} signs there"
        raise ValueError(f"{problem}, got {single_line(ascii(name), _SHOWN)}")
    return name


def _kind_named(name: str) -> TileKind:
    return next((kind for kind in KINDS if kind.name == name), TileKind(name))


def _header(
    stream: io.BytesIO, max_samples: int, name: str, source: str
) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read what an array says of itself, and refuse it before anything of its size is made."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of headers that only older numpys wrote
            read = _HEADERS[npy_format.read_magic(stream)]
            shape, is_fortran, dtype = read(stream, max_header_size=_MAX_HEADER)
    except Exception as error:  # numpy has Python's own parser read the header
        problem = f"has no header of an array: {single_line(error, _SHOWN)}"
        raise MapFileError(problem, field=name, source=source) from None
    if dtype.kind not in "iufbU" or dtype.itemsize > 4 * _MAX_NAME:
        problem = f"must hold numbers, got {str(dtype)[:40]}"
        raise MapFileError(problem, field=name, source=source)
    count = math.prod(shape)
    if min(shape, default=1) < 1 or count > max_samples:
        problem = f"must have 1..{max_samples} samples, got {shape}"
        raise MapFileError(problem[:200], field=name, source=source)
    return shape, is_fortran, dtype


def _size(start: bytes, max_samples: int, name: str, source: str) -> int:
    """Tell how many bytes an array has with its header."""
    stream = io.BytesIO(start)
    shape, _, dtype = _header(stream, max_samples, name, source)
    return stream.tell() + math.prod(shape) * dtype.itemsize


def _array(data: bytes, max_samples: int, name: str, source: str) -> NDArray[np.generic]:
    stream = io.BytesIO(data)
    shape, is_fortran, dtype = _header(stream, max_samples, name, source)
    start, size = stream.tell(), math.prod(shape) * dtype.itemsize
    if len(data) - start != size:
        problem = f"must have {size} bytes of numbers, it has {len(data) - start}"
        raise MapFileError(problem, field=name, source=source)
    array = np.frombuffer(data, dtype, offset=start)
    return array.reshape(shape, order="F" if is_fortran else "C")


def _grid(array: NDArray[np.generic], name: str, source: str) -> NDArray[np.float64]:
    if array.ndim != 2 or array.dtype.kind not in "iufb":
        problem = f"must be (rows, cols) numbers, got {array.shape} of {array.dtype}"
        raise MapFileError(problem[:200], field=name, source=source)
    return np.ascontiguousarray(array, np.float64)


def _record(arrays: dict[str, NDArray[np.generic]], source: str) -> MapRecord:
    level = _whole(arrays[_LEVEL], _LEVEL, source)
    kind = _whole(arrays.get(_KIND, np.zeros_like(level)), _KIND, source)
    if kind.shape != level.shape:
        problem = f"has shape {kind.shape}, level has {level.shape}"
        raise MapFileError(problem, field=_KIND, source=source)
    names = _texts(arrays.get(_KINDS, np.array([kind.name for kind in KINDS])), _KINDS, source)
    try:
        kinds = tuple(_kind_named(name) for name in names)
    except ValueError as error:
        raise MapFileError(str(error), field=_KINDS, source=source) from None
    step = arrays.get(_STEP, np.array(MapRecord.step_height))
    if step.size != 1 or step.dtype.kind not in "iuf":
        raise MapFileError("must be one number", field=_STEP, source=source)
    topology = _texts(arrays.get(_TOPOLOGY, np.array("square")), _TOPOLOGY, source)[0]
    return MapRecord(level, kind, kinds, float(step.reshape(1)[0]), topology)


def _whole(array: NDArray[Any], name: str, source: str) -> NDArray[np.integer]:
    if array.ndim != 2 or array.dtype.kind not in "iu":
        problem = f"must be (rows, cols) whole numbers, got {array.shape} of {array.dtype}"
        raise MapFileError(problem[:200], field=name, source=source)
    return array


def _texts(array: NDArray[Any], name: str, source: str) -> Sequence[str]:
    if array.dtype.kind != "U" or not array.itemsize or not 1 <= array.size <= 256:
        raise MapFileError("must be 1..256 texts", field=name, source=source)
    # Numbers that are no letters would fail inside numpy, half of a letter wherever it is printed.
    codes = np.frombuffer(array.tobytes(), f"{array.dtype.byteorder}u4")
    if ((codes > sys.maxunicode) | ((codes >= 0xD800) & (codes < 0xE000))).any():
        raise MapFileError("must be texts", field=name, source=source)
    texts: list[str] = array.ravel().tolist()
    return texts
