"""Bounds from landmarks: what the costs to and from a few far nodes tell about all others.

If L is a landmark, cost(v, goal) >= cost(L, goal) - cost(L, v) and >= cost(v, L) - cost(goal, L).
Where there is no way the table holds its dtype's highest value: then the difference is 0, or
negative, or so large that the node is put off, and rightly: it cannot reach the goal.

References
----------
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


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
    slack : float
        By how much a difference of two entries may be too large, from rounding.
    """

    table: NDArray[Any]
    slack: float = 0.0
