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
    if is_there.all():
        return _sums(_sums(heights, rows).T, cols).T / heights.size
    total = _sums(_sums(np.where(is_there, heights, 0.0), rows).T, cols).T
    weight = _sums(_sums(is_there.astype(np.float64), rows).T, cols).T
    means = np.full((rows, cols), np.nan)
    np.divide(total, weight, out=means, where=2 * weight >= heights.size)
    return means


def _sums(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Add up along axis 0 what each of `count` equal parts covers.

    Of size * count units, an old cell has `count` and a new one `size`; a value counts as often as
    there are units of it in the part.
    """
    size = len(values)
    sums = np.empty((count, values.shape[1]))
    for part in range(count):  # one by one, for all at once would take the memory of all
        low, high = part * size, (part + 1) * size
        cells = np.arange(low // count, -(-high // count))
        units = np.minimum((cells + 1) * count, high) - np.maximum(cells * count, low)
        covered = values[cells[0] : cells[-1] + 1]
        sums[part] = (covered * units[:, None]).sum(axis=0)
    return sums
