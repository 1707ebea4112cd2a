"""One whole number for each tile, as picture lines, as lists of numbers, or packed.

Maps of at most MAX_DRAWN tiles are drawn, so that people can read them and compare two versions
line by line; above that nobody would, and packed they take a small part of the room.
"""

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.mapfile.record import Json

MAX_DRAWN = 128 * 128

_UNKNOWN = -1
_EFFORT = 4  # of zlib: files a twentieth larger than with the usual 6, in a quarter of the time


def render(values: NDArray[np.integer], signs: Sequence[str], dtype: DTypeLike) -> Json:
    """Write a layer.

    Parameters
    ----------
    values : (rows, cols) int
    signs : sequence of str
        The sign of each value, "" where it has none.
    dtype : dtype
        How values are packed.
    """
    if values.size > MAX_DRAWN:
        return pack(values.astype(dtype))
    used = np.unique(values)
    if used[-1] >= len(signs) or not all(signs[value] for value in used):
        return values.tolist()
    return ["".join(signs[value] for value in row) for row in values.tolist()]


def parse(
    value: Json, shape: tuple[int, int], signs: Sequence[str], dtype: DTypeLike
) -> NDArray[np.integer]:
    """Read a layer in whatever way it is written.

    Raises
    ------
    ValueError
        It is none, or has another size.
    """
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
            raise ValueError(f"row {number} must be a text, or a list as the first one")
        if len(row) != cols:
            raise ValueError(f"row {number} has {len(row)} tiles, the map has {cols} columns")
    if isinstance(value[0], str):
        return _from_signs("".join(value), cols, signs).reshape(shape)
    return _from_numbers(value)


def _from_signs(text: str, cols: int, signs: Sequence[str]) -> NDArray[np.integer]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    values = np.full(128, _UNKNOWN)
    values[[ord(sign) for sign in signs if sign]] = [i for i, sign in enumerate(signs) if sign]
    found: NDArray[np.integer] = values[np.minimum(codes, 127)]  # 127 is no sign
    wrong = np.flatnonzero(found == _UNKNOWN)
    if wrong.size:
        row, col = divmod(int(wrong[0]), cols)
        raise ValueError(f"row {row}, tile {col + 1} is {text[wrong[0]]!r}, which is no sign here")
    return found


def _from_numbers(rows: list[list[Json]]) -> NDArray[np.integer]:
    limit = np.iinfo(np.int32).max
    for number, row in enumerate(rows):
        for value in row:
            if type(value) is not int or not 0 <= value <= limit:
                raise ValueError(f"row {number} must hold whole numbers in 0..{limit}")
    return np.array(rows, np.int32)


def pack(values: NDArray[np.generic]) -> Json:
    """Write an array's bytes compressed."""
    return {"zlib": base64.b64encode(zlib.compress(values.tobytes(), _EFFORT)).decode("ascii")}


def unpack(value: Json, dtype: DTypeLike, count: int) -> NDArray[Any]:
    """Read an array of `count` values; no more than these are ever unpacked.

    Raises
    ------
    ValueError
        They are not there, or more than these.
    """
    if not isinstance(value, dict) or set(value) != {"zlib"} or not isinstance(value["zlib"], str):
        raise ValueError('packed is {"zlib": text}')
    size = count * np.dtype(dtype).itemsize
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(base64.b64decode(value["zlib"], validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"cannot be unpacked: {error}") from None
    if len(data) != size or not stream.eof or stream.unused_data:
        raise ValueError(f"unpacks to {'more' if len(data) > size else 'less'} than {size} bytes")
    return np.frombuffer(data, dtype)
