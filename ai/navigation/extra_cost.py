"""Check numbers that a caller gives for each surface, as extra costs of one query."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d import TileMap
from terrain3d.core.checks import MAX_COST


def checked_surface_values(
    name: str, values: ArrayLike, tilemap: TileMap, hint: str = ""
) -> NDArray[np.float64]:
    """(n_decks + 1, rows, cols) a copy of a number for each surface, after checking all.

    Raises `TypeError` for what holds no numbers, `ValueError` for a wrong shape and for a number
    outside 0..MAX_COST.
    """
    shape = tilemap.n_decks + 1, tilemap.rows, tilemap.cols
    shapes = f"{name} must be of shape {shape[1:]}, or {shape} for each surface its own"
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{shapes}, got rows of different lengths") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold numbers, got {array.dtype}")
    if array.shape not in (shape, shape[1:]):
        raise ValueError(f"{shapes}, got {array.shape}")
    is_wrong = ~((array >= 0) & (array <= MAX_COST))  # NaN compares false
    if is_wrong.any():
        place = tuple(np.argwhere(is_wrong)[0].tolist())
        raise ValueError(f"{name} must be in 0..{MAX_COST}, got {array[place]} at {place}{hint}")
    return np.broadcast_to(array, shape).astype(np.float64)
