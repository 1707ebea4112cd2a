"""Read raw heights, `.r16` and `.raw`: unsigned 16-bit numbers, little-endian, row by row."""

import math

import numpy as np

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.mapfile.heights.heights_to_levels import record_from_heights
from terrain3d.mapfile.read_options import MAX_SAMPLES_PER_TILE, ReadOptions
from terrain3d.mapfile.record import MapRecord


def read(data: bytes, options: ReadOptions) -> MapRecord:
    """Read a map from raw heights.

    A size in the options that fits the file is the shape of its rows and columns; otherwise the
    grid must be square.
    """
    count = len(data) // 2
    check_tile_count(count, MAX_SAMPLES_PER_TILE * options.max_surfaces)
    size = options.heights.size if options.heights else None
    side = math.isqrt(count)
    shape = size if size and math.prod(size) == count else (side, side)
    if len(data) != 2 * math.prod(shape):
        problem = f"has {len(data)} bytes; a square grid of 16-bit numbers was expected"
        raise MapFileError(f"{problem}; pass size= or --size for its rows and columns")
    return record_from_heights(np.frombuffer(data, "<u2").reshape(shape).astype(float), options)
