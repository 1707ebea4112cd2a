"""Decode PNG files with 16 bits for each of several channels, which Pillow reduces to 8 bits.

https://www.w3.org/TR/png-3/
"""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError

_CHANNELS = {2: 3, 4: 2, 6: 4}
"""Channels of the color types RGB, gray with alpha, and RGB with alpha."""
_DEPTH, _IHDR_END = 16, 33
_N_FILTERS = 5
_SUB, _UP, _AVERAGE, _PAETH = 1, 2, 3, 4


def is_deep_color(data: bytes) -> bool:
    """Return whether a PNG file has 16 bits for each of several channels."""
    return data[24:26] in {bytes((_DEPTH, color)) for color in _CHANNELS}


def read_heights(data: bytes, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return the (rows, cols) shades, 0..65535, of a file of a known (width, height).

    Fully transparent pixels become NaN. Colors whose channels differ are refused.
    """
    (width, height), color, is_interlaced = size, data[25], data[28]
    if is_interlaced:
        raise MapFileError("is interlaced; with 16 bits of color it must not be")
    channels = _CHANNELS[color]
    pixel_bytes = 2 * channels
    n_bytes = height * (1 + pixel_bytes * width)
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(_image_data(data), n_bytes)
    except zlib.error as error:
        raise MapFileError(f"is damaged: {error}") from None
    if len(unpacked) < n_bytes:
        raise MapFileError("is cut short")
    lines = np.frombuffer(unpacked, np.uint8).reshape(height, 1 + pixel_bytes * width)
    if lines[:, 0].max() >= _N_FILTERS:
        raise MapFileError(f"is damaged: there is no filter {lines[:, 0].max()}")
    filtered = lines[:, 1:].reshape(height, width, pixel_bytes)
    samples = _unfiltered(lines[:, 0], filtered).view(">u2").astype(np.float64)
    has_alpha = channels % 2 == 0
    is_transparent = samples[..., -1] == 0 if has_alpha else np.zeros((height, width), np.bool_)
    colors = samples[..., : channels - has_alpha]
    is_colored = (colors != colors[..., :1]).any(axis=2) & ~is_transparent
    if is_colored.any():
        row, col = divmod(int(is_colored.argmax()), width)
        raise MapFileError("is colored; heights are gray", field=f"row {row}, column {col}")
    return np.where(is_transparent, np.nan, colors[..., 0])


def _image_data(data: bytes) -> bytes:
    """Return the content of all chunks of the image."""
    parts, at = [], _IHDR_END
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name == b"IDAT":
            parts.append(data[at + 8 : at + 8 + length])
        at += 12 + length
    return b"".join(parts)


def _unfiltered(filters: NDArray[np.uint8], lines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Undo the filter of each line of (rows, cols, bytes) pixels.

    A byte depends on those to the left, above, and above to the left. So all pixels with the same
    row + column can be decoded at once, one such diagonal after the other.
    """
    rows, cols, n_bytes = lines.shape
    pixels = np.zeros((rows + 1, cols + 1, n_bytes), np.uint8)  # with zeros above and to the left
    for diagonal in range(rows + cols - 1):
        row = np.arange(max(0, diagonal - cols + 1), min(rows, diagonal + 1))
        col = diagonal - row
        left = pixels[row + 1, col].astype(np.int16)
        above = pixels[row, col + 1].astype(np.int16)
        corner = pixels[row, col].astype(np.int16)
        choice = filters[row][:, None]
        predicted = np.select(
            [choice == _SUB, choice == _UP, choice == _AVERAGE, choice == _PAETH],
            [left, above, (left + above) // 2, _paeth(left, above, corner)],
        )
        pixels[row + 1, col + 1] = lines[row, col] + predicted.astype(np.uint8)
    return np.ascontiguousarray(pixels[1:, 1:])


def _paeth(
    left: NDArray[np.int16], above: NDArray[np.int16], corner: NDArray[np.int16]
) -> NDArray[np.int16]:
    """Return the neighbor that is nearest to left + above - corner; of equal ones the first."""
    near = left + above - corner
    to_left, to_above, to_corner = (abs(near - value) for value in (left, above, corner))
    is_left = (to_left <= to_above) & (to_left <= to_corner)
    return np.where(is_left, left, np.where(to_above <= to_corner, above, corner))
