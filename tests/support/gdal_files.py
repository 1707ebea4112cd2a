"""Files of heights as GDAL writes them."""

import warnings

import numpy as np

from tests.support.optional import import_or_skip


def by_gdal(heights: np.ndarray, driver: str = "GTiff", **options: object) -> bytes:
    """Return a file of (rows, cols) or (bands, rows, cols) numbers, a GeoTIFF by default."""
    rasterio = import_or_skip("rasterio")
    bands = heights.reshape(-1, *heights.shape[-2:])
    count, rows, cols = bands.shape
    shape = {"count": count, "height": rows, "width": cols, "dtype": heights.dtype}
    transform = rasterio.Affine(0.001, 0.0, 7.0, 0.0, -0.001, 47.0)
    place = {"crs": "EPSG:4326", "transform": transform} if driver == "GTiff" else {}
    with warnings.catch_warnings(), rasterio.MemoryFile() as memory:
        warnings.simplefilter("ignore")  # about files without a place on the Earth
        with memory.open(driver=driver, **shape, **place, **options) as file:
            file.write(bands)
            if options.get("tiled"):
                file.build_overviews([2])
        return bytes(memory.read())
