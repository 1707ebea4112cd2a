"""Read and write height images: gray PNG files of 8 or 16 bits, with Pillow.

Pillow has no mode for colors of 16 bits; `deep_png` decodes these.

Pillow is an optional dependency, which most projects have already.
"""

import io
import re
import struct
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError, single_line
from terrain3d.core.gif import PillowMissing, check_pillow
from terrain3d.mapfile.heights import deep_png
from terrain3d.mapfile.losses import is_void, level_grid_notes
from terrain3d.mapfile.record import FileContent, MapRecord

if TYPE_CHECKING:
    from PIL.Image import Image

MAGIC = b"\x89PNG\r\n\x1a\n"
SIGNATURE = re.compile(re.escape(MAGIC))

_START = struct.Struct(">8sI4sII")
_SHOWN = 100
_PART_PIXELS = 2**18


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights of an image, 0..255 or 0..65535: brighter is higher.

    A fully transparent pixel becomes NaN.
    """
    size = _size(data, max_samples)
    if deep_png.is_deep_color(data):
        return deep_png.read_heights(data, size)
    check_pillow_installed()
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sizes that are allowed here
            with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
                if image.size != size:
                    raise ValueError("its header has another size")
                image.load()
                if image.mode.startswith("I"):
                    gray = np.asarray(image).astype(np.float64)
                    gray[gray == image.info.get("transparency")] = np.nan
                    return gray
                return shades(image)
    except MapFileError:
        raise
    except Exception as error:  # Pillow raises a dozen types for a broken image
        raise MapFileError(f"is not a PNG image: {single_line(error, _SHOWN)}") from None


def shades(image: "Image") -> NDArray[np.float64]:
    """Return the shades of an image of 8 bits, in parts: as colors it takes much more memory."""
    width, height = image.size
    shades = np.empty((height, width))
    n_rows = max(1, _PART_PIXELS // width)
    for top in range(0, height, n_rows):
        part = image.crop((0, top, width, min(top + n_rows, height))).convert("RGBA")
        red, green, blue, alpha = np.moveaxis(np.asarray(part), 2, 0)
        colored = ((red != green) | (red != blue)) & (alpha > 0)
        if colored.any():
            row, col = divmod(int(colored.argmax()), width)
            field = f"row {top + row}, column {col}"
            raise MapFileError("is colored; heights are gray", field=field)
        shades[top : top + len(red)] = np.where(alpha > 0, red, np.nan)
    return shades


def write(record: MapRecord) -> FileContent:
    """Write levels as shades of gray, void as a transparent shade above; this needs Pillow."""
    check_pillow_installed()
    from PIL import Image

    void = is_void(record)
    transparent = int(np.where(void, 0, record.level).max()) + 1
    depth = np.uint8 if transparent <= np.iinfo(np.uint8).max else np.uint16
    image = Image.fromarray(np.where(void, transparent, record.level).astype(depth))
    stream = io.BytesIO()
    image.save(stream, "PNG", **({"transparency": transparent} if void.any() else {}))
    return FileContent(stream.getvalue(), level_grid_notes(record))


def _size(data: bytes, max_samples: int) -> tuple[int, int]:
    """Return width and height; refuse unknown data and too many pixels."""
    start = data[: _START.size].ljust(_START.size, b"\0")
    magic, _, name, width, height = _START.unpack(start)
    if magic != MAGIC or name != b"IHDR":
        raise MapFileError("is not a PNG image")
    if b"IEND" not in data:
        raise MapFileError("is cut short")
    if not 1 <= width * height <= max_samples:
        raise MapFileError(f"has {height} x {width} pixels, the limit is {max_samples}")
    return width, height


def check_pillow_installed() -> None:
    """Raise `MapFileError` if Pillow is not installed."""
    try:
        check_pillow("a height image")
    except PillowMissing as error:
        raise MapFileError(str(error)) from None
