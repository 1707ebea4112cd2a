"""Bounds from landmarks: what the costs to and from a few far nodes tell about all others.

If L is a landmark, cost(v, goal) >= cost(L, goal) - cost(L, v) and >= cost(v, L) - cost(goal, L).
Where there is no way the table holds its dtype's highest value: then the difference is 0, or
negative, or so large that the node is put off, and rightly: it cannot reach the goal.

References
----------
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.grid_index import STRIPE_BITS

_FAR = 2.0**40  # beyond all costs; what stands for no way may be beyond all integers


@dataclass(frozen=True)
class Landmarks:
    """Costs between every node and a few chosen ones, from which bounds follow.

    Parameters
    ----------
    striped_costs : (2 * n_landmarks, n_places) uint16, int32 or float32
        The table, in whose rows the nodes lie as `striped_index` says.
    coarse_costs : (n_nodes, 2 * n_landmarks) uint8
        The table node by node in coarse numbers, so that all that tells which rows suit a search
        lies side by side. A difference of two, as int8, is right even where the numbers have
        wrapped around; where there is no way it is of no use and does no harm.
    cols : int
        Of the map, or the number of nodes if they are of none.
    longest : float
        The highest of the costs.
    slack : float
        By how much a difference of two entries may be too large, from rounding.
    """

    striped_costs: NDArray[Any]
    coarse_costs: NDArray[np.uint8]
    cols: int
    longest: float
    slack: float = 0.0

    @classmethod
    def of(cls, table: NDArray[Any], cols: int, longest: float, slack: float = 0.0) -> "Landmarks":
        """Lay out a table as searches read it.

        Parameters
        ----------
        table : (2 * n_landmarks, n_nodes) uint16, int32 or float32
            Costs from each landmark; then for each the costs to it, taken from the dtype's highest
            whole number, or from 0 for float32. So in every row the goal's entry less a node's is
            a bound.
        cols, longest, slack
            See `Landmarks`.
        """
        n_rows, n_nodes = table.shape
        places = _places(n_nodes, cols)
        striped = np.zeros((n_rows, int(places.max()) + 1), dtype=table.dtype)
        coarse = np.empty(table.shape, dtype=np.uint8)
        steps = max(1, math.ceil(longest / np.iinfo(np.int8).max))
        for number, costs in enumerate(table):
            striped[number, places] = costs
            coarse[number] = (np.clip(costs, -_FAR, _FAR) // steps).astype(np.int64)
        return cls(striped, np.ascontiguousarray(coarse.T), cols, longest, slack)

    @property
    def table(self) -> NDArray[Any]:
        """The table with its nodes in the order of their numbers; see `of`."""
        table: NDArray[Any] = self.striped_costs[:, _places(len(self.coarse_costs), self.cols)]
        return table


def _places(n_nodes: int, cols: int) -> NDArray[np.int64]:
    row, col = np.divmod(np.arange(n_nodes), cols)
    strip, inside = np.divmod(col, 1 << STRIPE_BITS)
    places: NDArray[np.int64] = ((strip * (n_nodes // cols) + row) << STRIPE_BITS) + inside
    return places
