"""Read tiles of the Shuttle Radar Topography Mission, `.hgt`: 16-bit meters of one square degree.

https://lpdaac.usgs.gov/documents/179/SRTM_User_Guide_V3.pdf
"""

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.errors import MapFileError

SIDES = (1201, 3601)
"""Samples along a side, at 3 seconds of arc or at 1."""

VOID = -32768


def read_heights(data: bytes, max_samples: int = SIDES[-1] ** 2) -> NDArray[np.float64]:
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
