"""Small pictures of one color, as PNG in base64: what Tiled shows for a tile.

They stand in the file itself, so that a map stays one file.
"""

import base64
import struct
import zlib
from collections.abc import Sequence

_HEADER = b"\x89PNG\r\n\x1a\n"
_RGBA = 6


def swatch(color: str, width_px: int, insets_px: Sequence[int]) -> str:
    """Draw a picture.

    Parameters
    ----------
    color : str
        As #aarrggbb.
    width_px : int
    insets_px : sequence of int
        For each line of pixels, how many at each end are left empty.

    References
    ----------
    Portable Network Graphics, https://www.w3.org/TR/png-3/
    """
    pixel = bytes.fromhex(color[3:] + color[1:3])
    rows = bytearray()
    for inset in insets_px:
        empty = bytes(4 * inset)
        rows += b"\0" + empty + pixel * (width_px - 2 * inset) + empty
    start = struct.pack(">IIBBBBB", width_px, len(insets_px), 8, _RGBA, 0, 0, 0)
    data = _chunk(b"IHDR", start) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    return base64.b64encode(_HEADER + data).decode("ascii")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
