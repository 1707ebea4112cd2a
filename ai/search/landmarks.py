"""Landmark bounds: lower bounds from the costs to and from a few far nodes (ALT).

If L is a landmark, cost(v, goal) >= cost(L, goal) - cost(L, v) and >= cost(v, L) - cost(goal, L).
Without a path the table holds the highest value of its dtype. The difference is then 0, negative,
or so large that the search puts the node off, which is right: the node cannot reach the goal.

Whole costs are exact. Other costs are rounded down to multiples of a unit before they are added up,
so that float32 holds all sums exactly; what would need more digits is cut to `MAX_UNITS`. Both keep
the differences bounds.

References
----------
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_LANDMARKS = 128
MAX_UNITS = 2**24
"""The highest cost in units: float32 holds all whole numbers up to it."""
_UNITS_PER_STEP, _LEAST_STEP = 256, 1e-9
NO_PATH_FLOAT = np.float32(1e30)
"""The mark for "no path" among costs that are not whole."""
_FAR = 2.0**40  # above all costs; the mark for "no path" may exceed all integers


@dataclass(frozen=True)
class Landmarks:
    """Costs between every node and the landmarks."""

    striped_costs: NDArray[Any]
    """(2 * n_landmarks, n_places) uint16, int32 or float32, the table: costs from each landmark;
    then the costs to each, subtracted from the highest value of the dtype, or from 0 for float32.
    In every row the goal's entry minus a node's entry is a bound. Each row is in the order of
    `striped_index`."""
    coarse_costs: NDArray[np.uint8]
    """(n_nodes, 2 * n_landmarks) the table in units of `coarse_unit`, from which a search chooses
    its rows. A difference of two, as int8, is right even if the numbers wrap around. Without a path
    it is meaningless, which does no harm."""
    cols: int
    """Columns of the map, or the number of nodes without a map."""
    longest: float
    """The highest of the costs when the table was made."""
    unit: float = 0.0
    """All entries are multiples of it; 0 for whole costs. A bound is lowered by it, which is more
    than the rounding errors of a search."""

    @classmethod
    def of(
        cls,
        striped_costs: NDArray[Any],
        places: NDArray[np.integer],
        cols: int,
        longest: float,
        unit: float,
    ) -> "Landmarks":
        """Return a table whose rows are in the order of `striped_index`; `places` is that order."""
        coarse = np.empty((len(places), len(striped_costs)), dtype=np.uint8)
        made = cls(striped_costs, coarse, cols, longest, unit)
        for number, costs in enumerate(striped_costs):
            near = costs[places] // made.coarse_unit
            coarse[:, number] = np.clip(near, -_FAR, _FAR).astype(np.int64) if unit else near
        return made

    @property
    def coarse_unit(self) -> int:
        """The unit of `coarse_costs`."""
        return max(1, math.ceil(self.longest / np.iinfo(np.int8).max))


def unit_of(least_step: float) -> float:
    """Return the unit of the costs of a graph, from the cost of a cheap step."""
    step = max(least_step, _LEAST_STEP)  # the number of units of any cost has to be finite
    return 2.0 ** math.floor(math.log2(step)) / _UNITS_PER_STEP
