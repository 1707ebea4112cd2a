"""Bounds from landmarks: what the costs to and from a few far nodes tell about all others.

If L is a landmark, cost(v, goal) >= cost(v, L) - cost(goal, L) and >= cost(L, goal) - cost(L, v).

References
----------
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Array = Any  # of whatever dtype: numba compiles for each that comes
Number = Any

_MOST_PICKS = 4  # more bounds would cost more than they save


@dataclass(frozen=True)
class Landmarks:
    """Costs between every node and a few chosen ones, from which bounds follow.

    Parameters
    ----------
    table : (n_nodes, 2 * n_landmarks) uint16, int32 or float32
        Costs from (even columns) and to (odd columns) each landmark.
    unknown : number
        The table's value where there is no way.
    slack : float
        By how much a difference of two entries may be too large, from rounding.
    """

    table: NDArray[Any]
    unknown: float
    slack: float = 0.0

    def picks(self, start: int, goal: int) -> NDArray[np.int64]:
        """Choose the columns that say most about the way between two nodes."""
        picked: NDArray[np.int64] = _pick(self.table, self.unknown, start, goal)
        return picked


@numba.njit(cache=True)
def _pick(
    table: Array,
    unknown: Number,
    start: Number,
    goal: Number,
) -> Array:
    picks = np.full(_MOST_PICKS, -1, dtype=np.int64)
    gains = np.zeros(_MOST_PICKS)
    n_picks = 0
    for column in range(table.shape[1]):
        here, there = table[start, column], table[goal, column]
        if here == unknown or there == unknown:
            continue
        gain = np.float64(there) - np.float64(here)
        if column & 1:
            gain = -gain
        if n_picks < _MOST_PICKS:
            n_picks += 1
        elif gain <= gains[n_picks - 1]:
            continue
        place = n_picks - 1
        while place > 0 and gains[place - 1] < gain:
            gains[place], picks[place] = gains[place - 1], picks[place - 1]
            place -= 1
        gains[place], picks[place] = gain, column
    return picks[:n_picks]
