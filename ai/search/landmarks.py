"""Bounds from landmarks: what the costs to and from a few far nodes tell about all others.

If L is a landmark, cost(v, goal) >= cost(L, goal) - cost(L, v) and >= cost(v, L) - cost(goal, L).
Where there is no way the table holds its dtype's highest value: then the difference is 0, or
negative, or so large that the node is put off, and rightly: it cannot reach the goal.

References
----------
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FAR = 2.0**40  # beyond all costs; what stands for no way may be beyond all integers


@dataclass(frozen=True)
class Landmarks:
    """Costs between every node and a few chosen ones, from which bounds follow.

    Parameters
    ----------
    table : (2 * n_landmarks, n_nodes) uint16, int32 or float32
        Costs from each landmark; then for each the costs to it, taken from the dtype's highest
        whole number, or from 0 for float32. So in every row the goal's entry less a node's is a
        bound. A search looks at four rows, in which the
        nodes that it looks at lie side by side.
    longest : float
        The highest of the costs.
    slack : float
        By how much a difference of two entries may be too large, from rounding.
    """

    table: NDArray[Any]
    longest: float
    slack: float = 0.0
    rough: NDArray[np.uint8] = field(init=False)
    """(n_nodes, 2 * n_landmarks) the table node by node in coarse numbers, so that all that tells
    which rows suit a search lies side by side. A difference of two, as int8, is right even where
    the numbers have wrapped around; where there is no way it is of no use and does no harm."""

    def __post_init__(self) -> None:
        """Make the coarse numbers."""
        steps = max(1, math.ceil(self.longest / np.iinfo(np.int8).max))
        rough = np.empty(self.table.shape, dtype=np.uint8)
        for row, costs in zip(rough, self.table, strict=True):
            row[:] = (np.clip(costs, -_FAR, _FAR) // steps).astype(np.int64)
        object.__setattr__(self, "rough", np.ascontiguousarray(rough.T))
