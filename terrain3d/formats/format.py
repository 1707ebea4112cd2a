"""What readers and writers of map files share: the file, warnings, kinds, pictures, packing."""

import base64
import string
import struct
import sys
import warnings
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.core.checks import quoted
from terrain3d.core.files import MapFileError, single_line
from terrain3d.grid.kinds import (
    PROPS,
    TEXTURES,
    TileKind,
    Unregistered,
    name_in_file,
    water_in_file,
)
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, MapParts, TileMap

Content = bytes | dict[str, bytes]
"""What a writer returns: the bytes of the map's file, or of several files in its folder by name.

The map's own file is the last of several.
"""


class MapFileWarning(UserWarning):
    """A map lacks something that its file has, or a file something that its map has."""


def warn_of_losses(path: Path, losses: Sequence[str]) -> None:
    """Warn in one line of what a map or a file lacks; of nothing, if there are no losses."""
    if losses:
        warnings.warn(single_line(f"{path}: {'; '.join(losses)}"), MapFileWarning, stacklevel=2)


def max_file_bytes(max_surfaces: int) -> int:
    """Return the size limit of a file with a map of at most `max_surfaces` tiles."""
    return 2**24 + 8 * max_surfaces


@dataclass(frozen=True)
class SourceFile:
    """A file that a map is read from, and what its reader needs to know beside the bytes.

    Parameters
    ----------
    path : Path
        References of the file are relative to its folder, and lead to no file outside of it.
    max_surfaces : int
        Limit on the number of tiles, on all decks together.
    map_type : type
        Class of the map, `TileMap` or derived from it.
    """

    path: Path
    max_surfaces: int = MAX_SURFACES
    map_type: type[TileMap] = TileMap

    def build(
        self,
        level: NDArray[np.integer],
        kind: NDArray[np.integer],
        kinds: Sequence[TileKind],
        step_height: float = DEFAULT_STEP_HEIGHT,
        topology: str = "square",
        **parts: Any,  # noqa: ANN401 - of the types of `MapParts`
    ) -> TileMap:
        """Make the map of a file, with `MapParts`; `MapFileError` if they do not make a map."""
        try:
            tilemap = self.map_type(level, kind, kinds, step_height, topology)
            tilemap._add(MapParts(**parts))
        except (TypeError, ValueError, IndexError) as error:
            raise MapFileError(str(error)) from None
        warn_of_losses(self.path, _unregistered(tilemap.kinds))
        return tilemap


def _unregistered(kinds: Sequence[TileKind]) -> list[str]:
    """Return a line for each name of a texture or of props that is not registered."""
    return [
        f"drawn plain: {what} {quoted(name)} of {quoted(kind.name)} is not registered"
        for kind in kinds
        for what, name in (("texture", kind.texture), ("props", kind.props))
        if isinstance(name, Unregistered)
    ]


def kind_fields(kind: TileKind) -> dict[str, Any]:
    """Return the fields of a kind as JSON holds them; glow and water only if it has them."""
    values = {field.name: getattr(kind, field.name) for field in fields(kind)}
    if kind.water is not None:
        values["water"] = {
            name: value for name, value in vars(kind.water).items() if name != "color"
        }
    return {name: value for name, value in values.items() if value or name not in ("glow", "water")}


def kind_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a kind in a file as `TileKind` takes them.

    The name of a texture or of props may be one that is not registered.
    """
    tables: dict[str, Mapping[str, object]] = {"texture": TEXTURES, "props": PROPS}
    values = dict(given)
    for name in values.keys() & tables.keys():
        values[name] = name_in_file(values[name], tables[name])
    if "water" in values:
        values["water"] = water_in_file(values["water"])
    return values


def png(pixels: NDArray[np.uint8], palette: bytes = b"") -> bytes:
    """Return a PNG file of (height, width, 3) colors, or of (height, width) entries of a palette.

    A palette has four bytes for each color: alpha, red, green, blue. See
    https://www.w3.org/TR/png-3/.
    """
    high, wide = pixels.shape[:2]
    rows = np.pad(pixels.reshape(high, -1), ((0, 0), (1, 0))).tobytes()  # each row without a filter
    head = struct.pack(">IIBBBBB", wide, high, 8, 3 if palette else 2, 0, 0, 0)
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 4)
    tables = (b"PLTE", colors[:, 1:].tobytes()), (b"tRNS", colors[:, 0].tobytes())
    data = (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in ((b"IHDR", head), *(tables if palette else ()), *data)
    )


COMPRESSIONS = ("", "zlib", "gzip", "zstd")
_NEEDS_ZSTD = 'is compressed with zstd, which needs: pip install "terrain3d-tactics[tiled]"'
_SPACES = string.whitespace.encode("ascii")
_WINDOW_LOG = 25
"""Limit of the memory that zstd takes in addition to the unpacked data, as a power of 2."""


def unpack(text: str, dtype: DTypeLike, count: int, compression: str = "zlib") -> NDArray[Any]:
    """Return the array of `count` values whose bytes are compressed and in base64.

    More are never unpacked. `ValueError` if the text holds something else.
    """
    try:
        data = base64.b64decode(text.encode("ascii").translate(None, _SPACES), validate=True)
    except ValueError as error:
        raise ValueError(f"is not base64: {error}") from None
    if compression not in COMPRESSIONS:
        known = ", ".join(COMPRESSIONS[1:])
        raise ValueError(f"compression must be one of {known}, got {quoted(compression)}")
    size, is_whole_stream = count * np.dtype(dtype).itemsize, True
    if compression:
        stream, errors = _stream(compression)
        try:
            data = stream.decompress(data, size + 1)
        except errors as error:
            raise ValueError(f"cannot be unpacked: {error}") from None
        is_whole_stream = stream.eof and not stream.unused_data
    if len(data) != size:
        found = "more" if len(data) > size else "less"
        raise ValueError(f"holds {found} than {count} values")
    if not is_whole_stream:
        raise ValueError("cannot be unpacked: it is cut short or too long")
    return np.frombuffer(data, dtype)


def _stream(compression: str) -> tuple[Any, type[Exception]]:
    """Return a decompressor, for zstd of Python or before 3.14 of its backport, and its error."""
    if compression != "zstd":
        wbits = zlib.MAX_WBITS + (16 if compression == "gzip" else 0)
        return zlib.decompressobj(wbits), zlib.error
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ValueError(_NEEDS_ZSTD) from None
    options: dict[Any, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    return zstd.ZstdDecompressor(options=options), zstd.ZstdError
