"""Shortest paths between all pairs of a few hundred nodes (Floyd-Warshall).

References
----------
Floyd (1962), "Algorithm 97: Shortest path", https://doi.org/10.1145/367766.368168
"""

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, compiled


def shortest(cost: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """(n, n) cost of the cheapest path between any two nodes, and (n, n) the next node on it.

    The argument is (n, n) the cost of the edge from each node to each, infinity without an edge;
    its diagonal is ignored. Without a path the cost is infinity and the next node -1, as it is on
    the diagonal.
    """
    best = cost.copy()
    np.fill_diagonal(best, 0.0)
    after = np.where(np.isfinite(best), np.arange(len(best)), -1).astype(np.int32)
    np.fill_diagonal(after, -1)
    _relax(best, after)
    return best, after


@compiled
def _relax(best: Array, after: Array) -> None:
    """Allow one node after the other as an intermediate node; ties go to the first path found."""
    count = len(best)
    for middle in range(count):
        for start in range(count):
            to_middle = best[start, middle]
            if to_middle < np.inf:  # infinity plus a cost would be harmless, but slow
                for end in range(count):
                    through = to_middle + best[middle, end]
                    if through < best[start, end]:
                        best[start, end] = through
                        after[start, end] = after[start, middle]
