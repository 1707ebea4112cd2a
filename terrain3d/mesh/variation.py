"""Chance without a state: the same place on the map always gives the same numbers."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ROW, _COL, _SALT = np.uint32(0x8DA6B343), np.uint32(0xD8163841), np.uint32(0xCB1AB31F)
_FIRST, _SECOND = np.uint32(0x7FEB352D), np.uint32(0x846CA68B)


def chance(row: ArrayLike, col: ArrayLike, salt: ArrayLike) -> NDArray[np.float32]:
    """Give numbers in [0, 1) for places, in the shape that row, col and salt broadcast to.

    The scrambling constants are those of Chris Wellons's lowbias32.
    """
    rows = np.asarray(row).astype(np.uint32)
    cols = np.asarray(col).astype(np.uint32)
    salts = np.atleast_1d(np.asarray(salt).astype(np.uint32))  # scalars would warn of overflow
    bits: NDArray[np.uint32] = (rows * _ROW) ^ (cols * _COL) ^ (salts * _SALT)
    bits ^= bits >> np.uint32(16)
    bits *= _FIRST
    bits ^= bits >> np.uint32(15)
    bits *= _SECOND
    bits ^= bits >> np.uint32(16)
    numbers: NDArray[np.float32] = (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
    return numbers


def drift(
    rows: NDArray[np.int64], cols: NDArray[np.int64], size: int, salt: int
) -> NDArray[np.float32]:
    """Give smooth numbers in [-1, 1] at each row and column, as lattice noise of `size` tiles.

    Parameters
    ----------
    rows, cols : (r,) and (c,) int64
        Consecutive and >= 0.

    Returns
    -------
    (r, c) float32
    """
    first_row, first_col = int(rows[0]) // size, int(cols[0]) // size
    lattice_rows = np.arange(first_row, int(rows[-1]) // size + 2)
    lattice_cols = np.arange(first_col, int(cols[-1]) // size + 2)
    points = chance(lattice_rows[:, None], lattice_cols[None, :], salt) * 2.0 - 1.0
    row, row_part = rows // size - first_row, ((rows % size) / size)[:, None]
    col, col_part = cols // size - first_col, ((cols % size) / size)[None, :]
    along = points[row] * (1.0 - row_part) + points[row + 1] * row_part
    smooth = along[:, col] * (1.0 - col_part) + along[:, col + 1] * col_part
    return smooth.astype(np.float32)
