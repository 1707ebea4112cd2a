"""Read heights without a header: SRTM tiles, `.hgt` and zipped, and `.r16` or `.raw` files.

Tiles of the Shuttle Radar Topography Mission have the heights of one square degree in meters, as
16-bit numbers: https://lpdaac.usgs.gov/documents/179/SRTM_User_Guide_V3.pdf. Raw files have
unsigned 16-bit numbers, little-endian if the caller does not say otherwise, row by row.
"""

import math

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import MapFileError, check_tile_count
from terrain3d.formats.format import MAX_SAMPLES_PER_TILE, MapFile, ReadOptions
from terrain3d.formats.npy import check_packing, opened_archive
from terrain3d.map.heights import HeightRules

SIDES = (1201, 3601)
"""Samples along a side, at 3 seconds of arc or at 1."""

VOID = -32768


def read_srtm(data: bytes, max_samples: int = SIDES[-1] ** 2) -> NDArray[np.float64]:
    """Return the (side, side) heights in meters; row 0 is the north, NaN is a void."""
    side = next((side for side in SIDES if 2 * side**2 == len(data)), None)
    if side is None:
        sizes = " or ".join(f"{2 * side**2} bytes, {side} x {side} samples" for side in SIDES)
        raise MapFileError(f"must have {sizes}; got {len(data)}")
    if side**2 > max_samples:
        raise MapFileError(f"has {side**2} samples, the limit is {max_samples}")
    samples = np.frombuffer(data, ">i2").reshape(side, side)
    heights = samples.astype(np.float64)
    heights[samples == VOID] = np.nan
    return heights


def read_zip(data: bytes, max_samples: int = SIDES[-1] ** 2) -> NDArray[np.float64]:
    """Return the heights of the only tile in an archive."""
    with opened_archive(data) as archive:
        tiles = [entry for entry in archive.infolist() if _is_tile(entry.filename)]
        if len(tiles) != 1:
            raise MapFileError(f"holds {len(tiles)} .hgt files, must hold one")
        check_packing(tiles[0])
        with archive.open(tiles[0]) as stream:
            return read_srtm(stream.read(2 * SIDES[-1] ** 2 + 1), max_samples)


def _is_tile(name: str) -> bool:
    """Return whether a file is a tile, and not what macOS adds beside one."""
    return name.lower().endswith(".hgt") and not name.startswith("__MACOSX/")


def read(data: bytes, options: ReadOptions) -> MapFile:
    """Read a map from raw heights.

    A size in the options that fits the file is the shape of its rows and columns; otherwise the
    grid must be square.
    """
    count = len(data) // 2
    check_tile_count(count, MAX_SAMPLES_PER_TILE * options.max_surfaces)
    rules = options.heights or HeightRules()
    size, dtype = rules.size, "<u2" if rules.byte_order == "little" else ">u2"
    side = math.isqrt(count)
    shape = size if size and math.prod(size) == count else (side, side)
    if len(data) != 2 * math.prod(shape):
        problem = f"has {len(data)} bytes; a square grid of 16-bit numbers was expected"
        raise MapFileError(f"{problem}; pass size= or --size for its rows and columns")
    return options.build_from_heights(np.frombuffer(data, dtype).reshape(shape).astype(float))
