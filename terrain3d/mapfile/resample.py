"""Grids of heights in other sizes: each new cell is the mean of the area that it covers."""

import numpy as np
from numpy.typing import NDArray


def resample(heights: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.float64]:
    """Give a grid another size.

    A new cell is the mean of the old ones weighted by how much of each it covers; where less than
    half of what it covers has a height, it has none. Whole heights give the same means on every
    machine, for the weights are whole numbers too.

    Parameters
    ----------
    heights : (n, m) float64
        NaN where there is none.
    rows, cols : int >= 1

    Returns
    -------
    (rows, cols) float64, in which NaN is where there is none
    """
    if heights.shape == (rows, cols):
        return heights
    is_there = ~np.isnan(heights)
    total = _sums(_sums(np.where(is_there, heights, 0.0), rows).T, cols).T
    weight = _sums(_sums(is_there.astype(np.float64), rows).T, cols).T
    means = np.full((rows, cols), np.nan)
    np.divide(total, weight, out=means, where=2 * weight >= heights.size)
    return means


def _sums(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Add up along axis 0 what each of `count` equal parts covers.

    A value counts as often as the parts of 1 / count that are covered of it.
    """
    size = len(values)
    # Of size * count units, an old cell has `count` and a new one `size`; cut at both.
    cuts = np.union1d(np.arange(size) * count, np.arange(count) * size)
    lengths = np.diff(cuts, append=size * count)
    starts = np.searchsorted(cuts, np.arange(count) * size)
    pieces = values[cuts // count] * lengths[:, None].astype(np.float64)
    sums: NDArray[np.float64] = np.add.reduceat(pieces, starts, axis=0)
    return sums
