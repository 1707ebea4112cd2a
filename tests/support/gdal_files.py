"""Files of heights as GDAL writes them."""

import warnings
from collections.abc import Callable

import numpy as np

from tests.support.optional import import_or_skip

NORTH_UP = (0.001, 0.0, 7.0, 0.0, -0.001, 47.0)
"""From (column, row) to (x, y): x = 0.001 column + 7, y = -0.001 row + 47."""


def by_gdal(
    heights: np.ndarray,
    driver: str = "GTiff",
    transform: tuple[float, ...] | None = NORTH_UP,
    finish: Callable[..., object] | None = None,
    **options: object,
) -> bytes:
    """Return a file of (rows, cols) or (bands, rows, cols) numbers, a GeoTIFF by default.

    `finish` is called with the open file, and writes the numbers then.
    """
    rasterio = import_or_skip("rasterio")
    bands = heights.reshape(-1, *heights.shape[-2:])
    count, rows, cols = bands.shape
    shape = {"count": count, "height": rows, "width": cols, "dtype": heights.dtype}
    place = {}
    if driver == "GTiff" and transform is not None:
        place = {"crs": "EPSG:4326", "transform": rasterio.Affine(*transform)}
    with (
        warnings.catch_warnings(),
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True),
        rasterio.MemoryFile() as memory,
    ):
        warnings.simplefilter("ignore")  # about files without a place on the Earth
        with memory.open(driver=driver, **shape, **place, **options) as file:
            if finish:
                finish(file)
            else:
                file.write(bands)
            if options.get("tiled") and not finish:
                file.build_overviews([2])
        return bytes(memory.read())
