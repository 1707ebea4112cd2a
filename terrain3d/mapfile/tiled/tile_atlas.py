"""Pictures of tilesets: plain tiles side by side in one PNG with a palette."""

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_COLORS = 255
"""Limit on different colors of one picture; one entry of its palette is transparent."""

_SIGNATURE, _PALETTE = b"\x89PNG\r\n\x1a\n", 3


def columns_of(n_tiles: int) -> int:
    """Return the number of columns of the picture of some tiles."""
    return int(np.ceil(np.sqrt(n_tiles)))


def draw_atlas(
    colors: Sequence[str], size_px: tuple[int, int], insets_px: Sequence[int]
) -> tuple[bytes, tuple[int, int]]:
    """Return a PNG of tiles in reading order, and its (width, height); see the source.

    Parameters
    ----------
    colors : sequence of str
        The color of each tile, #aarrggbb or #rrggbb, with at most MAX_COLORS different ones.
    size_px : (width, height)
        Of one tile.
    insets_px : sequence of int
        The transparent pixels at each end of each line of a tile.

    Notes
    -----
    Source: https://www.w3.org/TR/png-3/
    """
    palette = {color: number for number, color in enumerate(dict.fromkeys(colors), start=1)}
    columns, (width, height) = columns_of(len(colors)), size_px
    rows = -(-len(colors) // columns)
    numbers = np.zeros(rows * columns, np.uint8)
    numbers[: len(colors)] = [palette[color] for color in colors]
    x, inset = np.arange(width), np.array(insets_px)[:, None]
    is_inside = (x >= inset) & (x < width - inset)
    pixels = np.einsum("rc,yx->rycx", numbers.reshape(rows, columns), is_inside)
    entries = [bytes.fromhex(color[1:].rjust(8, "f")) for color in ["#00000000", *palette]]
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", columns * width, rows * height, 8, _PALETTE, 0, 0, 0)),
        (b"PLTE", b"".join(entry[1:] for entry in entries)),
        (b"tRNS", bytes(entry[0] for entry in entries)),
        (b"IDAT", zlib.compress(_lines(pixels.reshape(rows * height, columns * width)))),
        (b"IEND", b""),
    )
    data = _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)
    return data, (columns * width, rows * height)


def _lines(pixels: NDArray[np.uint8]) -> bytes:
    """Return the pixels with the number of a filter, none, before each line."""
    return np.pad(pixels, ((0, 0), (1, 0))).tobytes()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
