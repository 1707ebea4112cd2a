"""Read and write layers, one whole number per tile: as picture lines, number lists, or packed.

Maps of at most MAX_DRAWN_TILES tiles are drawn, so that people can read them and compare versions
line by line. Larger layers are packed to save space.
"""

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.mapfile.record import Json

MAX_DRAWN_TILES = 128 * 128

_UNKNOWN = -1
_ZLIB_LEVEL = 4  # files are 5 % larger than with the default 6, in a quarter of the time


def write_layer(values: NDArray[np.integer], signs: Sequence[str], dtype: DTypeLike) -> Json:
    """Return a layer of (rows, cols) whole numbers as JSON; packed values have the type `dtype`.

    `signs` are the signs of the values, "" for a value without one.
    """
    if values.size > MAX_DRAWN_TILES:
        return pack(values.astype(dtype))
    used = np.unique(values)
    if used[-1] >= len(signs) or not all(signs[value] for value in used):
        return values.tolist()
    return ["".join(signs[value] for value in row) for row in values.tolist()]


def read_layer(
    value: Json, shape: tuple[int, int], signs: Sequence[str], dtype: DTypeLike
) -> NDArray[np.integer]:
    """Return the values of a layer, drawn, listed or packed; `ValueError` if it is none."""
    if isinstance(value, dict):
        packed: NDArray[np.integer] = unpack(value, dtype, shape[0] * shape[1])
        return packed.reshape(shape)
    rows, cols = shape
    if not isinstance(value, list):
        raise ValueError("must be a list of rows or packed")
    if len(value) != rows:
        raise ValueError(f"has {len(value)} rows, the map has {rows}")
    for number, row in enumerate(value):
        if not isinstance(row, type(value[0])) or not isinstance(row, list | str):
            raise ValueError(f"row {number} must be text or a list, like the first row")
        if len(row) != cols:
            raise ValueError(f"row {number} has {len(row)} tiles, the map has {cols} columns")
    if isinstance(value[0], str):
        return _from_signs("".join(value), cols, signs).reshape(shape)
    return _from_numbers(value)


def _from_signs(text: str, cols: int, signs: Sequence[str]) -> NDArray[np.integer]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    values = np.full(128, _UNKNOWN)
    values[[ord(sign) for sign in signs if sign]] = [i for i, sign in enumerate(signs) if sign]
    found: NDArray[np.integer] = values[np.minimum(codes, 127)]  # 127 is not a sign
    wrong = np.flatnonzero(found == _UNKNOWN)
    if wrong.size:
        row, col = divmod(int(wrong[0]), cols)
        shown = repr(text[wrong[0]])
        raise ValueError(f"row {row}, tile {col + 1} is {shown}, which is not a known sign")
    return found


def _from_numbers(rows: list[list[Json]]) -> NDArray[np.integer]:
    limit = np.iinfo(np.int32).max
    for number, row in enumerate(rows):
        for value in row:
            if type(value) is not int or not 0 <= value <= limit:
                raise ValueError(f"row {number} must hold whole numbers in 0..{limit}")
    return np.array(rows, np.int32)


def pack(values: NDArray[np.generic]) -> Json:
    """Return an array's bytes, compressed, as JSON."""
    return {"zlib": base64.b64encode(zlib.compress(values.tobytes(), _ZLIB_LEVEL)).decode("ascii")}


def unpack(value: Json, dtype: DTypeLike, count: int) -> NDArray[Any]:
    """Return a packed array of `count` values; more are never unpacked, but a `ValueError`."""
    if not isinstance(value, dict) or set(value) != {"zlib"} or not isinstance(value["zlib"], str):
        raise ValueError('a packed array must be {"zlib": text}')
    size = count * np.dtype(dtype).itemsize
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(base64.b64decode(value["zlib"], validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"cannot be unpacked: {error}") from None
    if len(data) != size or not stream.eof or stream.unused_data:
        raise ValueError(f"unpacks to {'more' if len(data) > size else 'less'} than {size} bytes")
    return np.frombuffer(data, dtype)
