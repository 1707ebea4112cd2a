"""Pseudo-random numbers by position on the map, without state."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ROW, _COL, _SALT = np.uint32(0x8DA6B343), np.uint32(0xD8163841), np.uint32(0xCB1AB31F)
_FIRST, _SECOND = np.uint32(0x7FEB352D), np.uint32(0x846CA68B)


def chance(row: ArrayLike, col: ArrayLike, salt: ArrayLike) -> NDArray[np.float32]:
    """Return numbers in [0, 1), in the shape that row, col and salt broadcast to.

    The scrambling constants are those of Chris Wellons's lowbias32.
    """
    rows = np.asarray(row).astype(np.uint32)
    cols = np.asarray(col).astype(np.uint32)
    salts = np.atleast_1d(
        np.asarray(salt).astype(np.uint32)
    )  # scalars would cause overflow warnings
    bits: NDArray[np.uint32] = (rows * _ROW) ^ (cols * _COL) ^ (salts * _SALT)
    bits ^= bits >> np.uint32(16)
    bits *= _FIRST
    bits ^= bits >> np.uint32(15)
    bits *= _SECOND
    bits ^= bits >> np.uint32(16)
    return (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)


def drift(
    rows: NDArray[np.floating], cols: NDArray[np.floating], size: int, salt: int
) -> NDArray[np.float32]:
    """Return (r, c) smooth numbers in [-1, 1]: lattice noise of `size` tiles.

    `rows` (r,) and `cols` (c,) are in world units, ascending, at least one of each.
    """
    row, row_part = _split(rows, size)
    col, col_part = _split(cols, size)
    lattice_rows, lattice_cols = (np.arange(at[0], at[-1] + 2) for at in (row, col))
    points = chance(lattice_rows[:, None], lattice_cols[None, :], salt) * 2.0 - 1.0
    row, col, row_part = row - row[0], col - col[0], row_part[:, None]
    along = points[row] * (1.0 - row_part) + points[row + 1] * row_part
    smooth: NDArray[np.floating] = along[:, col] * (1.0 - col_part) + along[:, col + 1] * col_part
    return smooth.astype(np.float32)


def _split(
    places: NDArray[np.floating], size: int
) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """Return the lattice line before each place, and the fraction of the step to the next."""
    before, beyond = np.divmod(places, size)
    return before.astype(np.int64), beyond / size
