"""Decode the tiles of a layer or a chunk from all encodings and compressions of Tiled.

Nothing is unpacked beyond the size that the layer or chunk must have.
"""

import base64
import re
import string
import sys
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile.record import Json

COMPRESSIONS = ("", "zlib", "gzip", "zstd")
NEEDS_ZSTD = 'is compressed with zstd, which needs: pip install "terrain3d-tactics[tiled]"'

_LARGEST = 2**32 - 1
_SPACES = string.whitespace.encode("ascii")
_CSV = re.compile(r"[0-9,\s]*")
_GZIP = 16 + zlib.MAX_WBITS
_WINDOW_LOG = 25
"""Limit of the memory that zstd takes in addition to the unpacked data, as a power of 2."""


def decode_gids(value: Json, encoding: str, compression: str, count: int) -> NDArray[np.uint32]:
    """Return `count` gids with their flags for flipped and rotated tiles.

    `encoding` is "csv" or "base64", `compression` one of COMPRESSIONS for "base64". A list needs
    neither. `ValueError` if the data is malformed, of unknown encoding or of another length.
    """
    if isinstance(value, list):
        return _from_list(value, count)
    if not isinstance(value, str):
        raise ValueError("must be a list of gids or text")
    if encoding == "csv":
        return _from_csv(value, count)
    if encoding != "base64":
        raise ValueError(f"encoding must be csv or base64, got {encoding[:20]!r}")
    try:
        packed = base64.b64decode(value.encode("ascii").translate(None, _SPACES), validate=True)
    except ValueError as error:
        raise ValueError(f"is not base64: {error}") from None
    data = _decompress(packed, compression, 4 * count)
    if len(data) != 4 * count:
        found = "more" if len(data) > 4 * count else "less"
        raise ValueError(f"holds {found} than {count} tiles")
    return np.frombuffer(data, "<u4")


def _from_list(values: list[Json], count: int) -> NDArray[np.uint32]:
    _check_count(len(values), count)
    for value in values:
        if type(value) is not int or not 0 <= value <= _LARGEST:
            raise ValueError(f"must hold whole numbers in 0..{_LARGEST}")
    return np.array(values, np.uint32)


def _from_csv(text: str, count: int) -> NDArray[np.uint32]:
    text = text.strip().removesuffix(",")
    _check_count(text.count(",") + 1 if text else 0, count)
    if not _CSV.fullmatch(text):
        raise ValueError("must hold whole numbers with commas between")
    try:
        return _from_list([int(part) for part in text.split(",")], count)
    except ValueError:
        raise ValueError(f"must hold whole numbers in 0..{_LARGEST} with commas between") from None


def _check_count(found: int, count: int) -> None:
    if found != count:
        raise ValueError(f"holds {found} tiles, must be {count}")


def _decompress(packed: bytes, compression: str, size: int) -> bytes:
    """Return unpacked data, at most one byte more than `size`."""
    if compression == "":
        return packed
    if compression not in COMPRESSIONS:
        known = ", ".join(COMPRESSIONS[1:])
        raise ValueError(f"compression must be one of {known}, got {compression[:20]!r}")
    stream, errors = _zstd_stream() if compression == "zstd" else _zlib_stream(compression)
    try:
        data: bytes = stream.decompress(packed, size + 1)
    except errors as error:
        raise ValueError(f"cannot be unpacked: {error}") from None
    if len(data) <= size and (not stream.eof or stream.unused_data):
        raise ValueError("cannot be unpacked: it is cut short or too long")
    return data


def _zlib_stream(compression: str) -> tuple[Any, type[Exception]]:
    """Return a decompressor for "zlib" or "gzip", and its error."""
    return zlib.decompressobj(_GZIP if compression == "gzip" else zlib.MAX_WBITS), zlib.error


def _zstd_stream() -> tuple[Any, type[Exception]]:
    """Return a decompressor of Python's own zstd, before 3.14 of its backport, and its error."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ValueError(NEEDS_ZSTD) from None
    options: dict[Any, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    return zstd.ZstdDecompressor(options=options), zstd.ZstdError
