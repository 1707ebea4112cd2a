"""Read GeoTIFF elevation grids, `.tif`: one band of numbers, with Pillow.

Pillow reads each compression and predictor of the format by libtiff, and height images need it
anyway; tifffile needs imagecodecs for some (26 MB), rasterio takes 36 MB. The position on the Earth
is not kept.
"""

import io
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError, single_line
from terrain3d.mapfile.heights.height_image import check_pillow_installed, replace_raw_modes, shades

if TYPE_CHECKING:
    from PIL.TiffImagePlugin import TiffImageFile

SIGNATURE = re.compile(rb"II[*+]\0|MM\0[*+]")

_NODATA = 42113
"""The tag in which GDAL keeps the value of no height, as text."""
_SAMPLE_FORMAT, _SIGNED = 339, 2
_PHOTOMETRIC, _MIN_IS_WHITE = 262, 0
_BYTE, _INT32 = "L", "I"
_WIDE = (_INT32, "F")
_OTHERS = (
    ((b"II", 1, (3,), 1, (64,), ()), ("F", "F;64F")),
    ((b"MM", 1, (3,), 1, (64,), ()), ("F", "F;64BF")),
    ((b"MM", 1, (1,), 1, (32,), ()), ("I", "I;32BS")),
)
"""Numbers that Pillow can unpack, as 32-bit ones, but does not look for in TIFF files."""
_NATIVE = {
    f"{mode}{order}{numbers}": f"{mode}N{numbers}"
    for mode, numbers in (("I;16", "S"), ("I;32", "S"), ("F;32", "F"), ("F;64", "F"))
    for order in ("", "B")
}
"""Raw modes in the byte order of the machine, in which libtiff returns numbers."""
_MAX_SHADE = 255
_SHOWN = 100


def read_heights(data: bytes, max_samples: int = 2**24) -> NDArray[np.float64]:
    """Return the (rows, cols) heights; nodata becomes NaN. 64-bit numbers are rounded to 32 bits.

    Of a file with overviews the first grid is read.
    """
    check_pillow_installed()
    from PIL import TiffImagePlugin

    for key, modes in _OTHERS:
        TiffImagePlugin.OPEN_INFO.setdefault(key, modes)
    try:
        with warnings.catch_warnings(), _quiet():
            warnings.simplefilter("ignore")  # about sizes that are allowed here, and unknown tags
            with TiffImagePlugin.TiffImageFile(io.BytesIO(data)) as image:
                width, height = image.size
                if not 1 <= width * height <= max_samples:
                    problem = f"has {height} x {width} samples, the limit is {max_samples}"
                    raise MapFileError(problem)
                return _heights(image)
    except MapFileError:
        raise
    except Exception as error:  # Pillow raises a dozen types for a broken image
        problem = f"is not a TIFF image that can be read: {single_line(error, _SHOWN)}"
        if "unknown pixel mode" in str(error):
            problem = "must hold one band of whole numbers up to 32 bits or floats of 32 or 64 bits"
        elif isinstance(error.__cause__, KeyError):
            problem = f"is in the compression {single_line(error, _SHOWN)}, which cannot be read"
        raise MapFileError(problem) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Pillow and libtiff from printing to the error stream what a `MapFileError` says."""
    kept = None
    with suppress(OSError):  # a program with a window may have no such stream
        kept = os.dup(2)
    try:
        if kept is not None:
            with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - its descriptor is used
                os.dup2(nothing.fileno(), 2)
        yield
    finally:
        if kept is not None:
            os.dup2(kept, 2)
            os.close(kept)


def _heights(image: "TiffImageFile") -> NDArray[np.float64]:
    nodata = _nodata(image.tag_v2.get(_NODATA))
    is_signed = image.tag_v2.get(_SAMPLE_FORMAT) == (_SIGNED,)
    is_inverted = image.tag_v2.get(_PHOTOMETRIC) == _MIN_IS_WHITE  # by Pillow, up to 8 bits
    if image.tile[0][0] == "libtiff":  # where Pillow expects the byte order of the file
        replace_raw_modes(image, _NATIVE)
    image.load()
    if not (image.mode == _BYTE or image.mode.startswith(_WIDE)):
        return _MAX_SHADE - shades(image) if is_inverted else shades(image)
    samples = np.asarray(image)
    if image.mode == _BYTE and is_signed:
        samples = samples.view(np.int8)
    elif image.mode == _BYTE and is_inverted:
        samples = _MAX_SHADE - samples
    elif image.mode == _INT32 and not is_signed:
        samples = samples.view(np.uint32)
    heights = samples.astype(np.float64)
    with np.errstate(over="ignore"):  # of a 64-bit value rounded to 32 bits
        absent = nodata if samples.dtype.kind != "f" else np.float32(nodata)
    heights[~np.isfinite(heights) | (heights == absent)] = np.nan
    return heights


def _nodata(text: object) -> float:
    """Return the value of no height; NaN if the file names none."""
    try:
        return float(str(text or "nan").strip("\0 "))
    except ValueError:
        raise MapFileError(f"its nodata value is no number: {single_line(text, _SHOWN)}") from None
