"""Columns of stacked surfaces: their order, overlaps and headroom.

A stack is given by (decks, columns) arrays, whose first deck is the ground: integer `level` and
`thickness`, and `void`, True where a surface does not exist. The ground has no underside.
"""

import numpy as np
from numpy.typing import NDArray

MAX_LEVEL = 32767
"""The highest level of a surface; levels are stored as 16-bit integers."""

STEP_HEIGHTS = (0.01, 100)
"""The least and the greatest height of one level, in world units.

Between them MAX_LEVEL levels can be drawn and picked with the engine's 32-bit numbers.
"""

MAX_DECKS = 63
"""The most decks in one column."""

OPEN_SKY = 32767
"""Headroom of a surface with nothing above it; no other headroom is as large."""

_BOTTOMLESS = np.int64(1) << 40


def headroom(
    level: NDArray[np.integer], thickness: NDArray[np.integer], void: NDArray[np.bool_]
) -> NDArray[np.int16]:
    """Return the (decks, columns) free levels above surfaces, up to the underside of the next deck.

    OPEN_SKY without a deck above, 0 for a deck that does not exist. Void ground has the headroom of
    ground at the level stored for it.
    """
    heights, under = level.astype(np.int32), level.astype(np.int32) - thickness
    free = np.full(level.shape, OPEN_SKY, dtype=np.int32)
    for above in range(1, len(level)):
        is_over = ~void[above] & (heights[above] > heights)
        free = np.where(is_over, np.minimum(free, under[above] - heights), free)
    free[1:][void[1:]] = 0
    return np.maximum(free, 0).astype(np.int16)


def ascending_order(level: NDArray[np.integer], void: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the (decks, columns) deck numbers from low to high, missing decks last."""
    return np.argsort(np.where(void, _BOTTOMLESS, level), axis=0, kind="stable")


def first_overlap(
    level: NDArray[np.integer], thickness: NDArray[np.integer], void: NDArray[np.bool_]
) -> tuple[int, int, int] | None:
    """Return the first column in which a deck's underside is below the surface under it, or None.

    The result is (column, upper deck, lower deck), of the lowest such pair.
    """
    order = ascending_order(level, void)
    under = level.astype(np.int64) - thickness
    under[0] = -_BOTTOMLESS
    heights, bottoms = (np.take_along_axis(array, order, axis=0) for array in (level, under))
    exists = ~np.take_along_axis(void, order, axis=0)
    column, index = np.nonzero((exists[1:] & (bottoms[1:] < heights[:-1])).T)
    if not column.size:
        return None
    first, lower = int(column[0]), int(index[0])
    return first, int(order[lower + 1, first]), int(order[lower, first])
