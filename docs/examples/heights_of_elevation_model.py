"""Makes a map of a file that GDAL reads."""

from pathlib import Path

import numpy as np
import rasterio

from terrain3d import TileMap


def heights_of(path: Path) -> np.ma.MaskedArray:
    with rasterio.open(path) as file:
        heights = file.read(1, masked=True) * file.scales[0] + file.offsets[0]
        is_south_up = file.transform.e > 0 and not file.transform.is_identity
    return heights[::-1] if is_south_up else heights


Path("hill.asc").write_text("""ncols 4
nrows 2
xllcorner 7.5
yllcorner 46
cellsize 0.1
NODATA_value -99
400 410 520 530
-99 420 430 640
""")

tilemap = TileMap.from_heights(heights_of(Path("hill.asc")), step=100)
print(tilemap.to_text())
