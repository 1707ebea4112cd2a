"""Read and write height images: gray PNG files of 8 or 16 bits, with Pillow.

Pillow has no mode for colors of 16 bits, but can unpack the high or the low byte of each, so such
files are decoded twice. It is an optional dependency, which most projects have already.
"""

import io
import struct
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import MapFileError, of_library
from terrain3d.core.imports import check_pillow
from terrain3d.formats.format import FileContent, level_grid_notes
from terrain3d.map.tilemap import TileMap

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MAGIC = b"\x89PNG\r\n\x1a\n"

_Box = tuple[int, int, int, int]
_START = struct.Struct(">8sI4sII")
_HEADER_BYTES = 33
_DEPTH_AND_COLOR = slice(24, 26)
_DEEP_COLORS: Mapping[bytes, tuple[Mapping[str, str], ...]] = {
    b"\x10\x02": ({}, {"RGB;16B": "RGB;16L"}),
    b"\x10\x04": ({"LA;16B": "RGBA"},),  # gray and alpha, of two bytes each
    b"\x10\x06": ({}, {"RGBA;16B": "RGBA;16L"}),
}
"""Changes to the raw mode by which Pillow unpacks the high and the low bytes of colors, or both."""
_PART_PIXELS = 2**18


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights of an image, 0..255 or 0..65535: brighter is higher.

    A fully transparent pixel becomes NaN.
    """
    size = _size(data, max_samples)
    check_pillow_installed()
    with of_library("is not a PNG image"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about sizes that are allowed here
        if data[_DEPTH_AND_COLOR] in _DEEP_COLORS:
            return _deep_shades(data, size)
        with _open(data, size) as image:
            image.load()
            if not image.mode.startswith("I"):
                return _shades(size, lambda box: np.asarray(image.crop(box).convert("RGBA")))
            gray = np.asarray(image).astype(np.float64)
            gray[gray == image.info.get("transparency")] = np.nan
            return gray


def replace_raw_modes(image: "ImageFile", others: Mapping[str, str]) -> None:
    """Replace modes by which Pillow unpacks the numbers of an image, before it is loaded."""

    def changed(tile: Any) -> Any:  # noqa: ANN401 - a plain tuple before Pillow 11.1
        mode, *more = (tile[3],) if isinstance(tile[3], str) else tile[3]
        options = others.get(mode, mode), *more
        return tile._replace(args=options) if hasattr(tile, "_replace") else (*tile[:3], options)

    image.tile = [changed(tile) for tile in image.tile]


def _open(data: bytes, size: tuple[int, int]) -> "ImageFile":
    from PIL import Image

    image = Image.open(io.BytesIO(data), formats=("PNG",))
    if image.size != size:
        raise ValueError("its header has another size")
    return image


def _deep_shades(data: bytes, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return the shades of an image whose colors have 16 bits."""
    images = []
    for raw_modes in _DEEP_COLORS[data[_DEPTH_AND_COLOR]]:
        image = _open(data, size)
        replace_raw_modes(image, raw_modes)
        images.append(image)

    def pixels(box: _Box) -> NDArray[Any]:
        parts = [np.asarray(image.crop(box)) for image in images]
        if len(parts) == 1:
            return parts[0].view(">u2")
        samples: NDArray[np.uint16] = parts[0].astype(np.uint16) << 8 | parts[1]
        if image.mode == "RGBA":
            return samples
        is_opaque = (samples != image.info.get("transparency", -1)).any(axis=2)
        return np.dstack((samples, is_opaque))

    return _shades(size, pixels)


def _shades(size: tuple[int, int], pixels: Callable[[_Box], NDArray[Any]]) -> NDArray[np.float64]:
    """Return shades from (rows, cols, channels) pixels, of which the last channel is alpha.

    They are read in parts: as colors they take much more memory.
    """
    width, height = size
    shades = np.empty((height, width))
    n_rows = max(1, _PART_PIXELS // width)
    for top in range(0, height, n_rows):
        part = pixels((0, top, width, min(top + n_rows, height)))
        *colors, alpha = np.moveaxis(part, 2, 0)
        is_colored = np.logical_or.reduce([color != colors[0] for color in colors]) & (alpha > 0)
        if is_colored.any():
            row, col = divmod(int(is_colored.argmax()), width)
            field = f"row {top + row}, column {col}"
            raise MapFileError("is colored; heights are gray", field=field)
        shades[top : top + len(part)] = np.where(alpha > 0, colors[0], np.nan)
    return shades


def write(tilemap: TileMap) -> FileContent:
    """Write levels as shades of gray, void as a transparent shade above; this needs Pillow."""
    check_pillow_installed()
    from PIL import Image

    void = tilemap.void
    transparent = int(np.where(void, 0, tilemap.level).max()) + 1
    depth = np.uint8 if transparent <= np.iinfo(np.uint8).max else np.uint16
    image = Image.fromarray(np.where(void, transparent, tilemap.level).astype(depth))
    stream = io.BytesIO()
    image.save(stream, "PNG", **({"transparency": transparent} if void.any() else {}))
    return FileContent(stream.getvalue(), level_grid_notes(tilemap))


def _size(data: bytes, max_samples: int) -> tuple[int, int]:
    """Return width and height; refuse unknown data and too many pixels."""
    start = data[: _START.size].ljust(_START.size, b"\0")
    magic, _, name, width, height = _START.unpack(start)
    if magic != MAGIC or name != b"IHDR":
        raise MapFileError("is not a PNG image")
    if len(data) < _HEADER_BYTES or b"IEND" not in data:
        raise MapFileError("is cut short")
    if not 1 <= width * height <= max_samples:
        raise MapFileError(f"has {height} x {width} pixels, the limit is {max_samples}")
    return width, height


def check_pillow_installed() -> None:
    """Raise `MapFileError` if Pillow is not installed."""
    try:
        check_pillow("a height image")
    except ImportError as error:
        raise MapFileError(str(error)) from None
