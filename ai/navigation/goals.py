"""Where a path may end, and which of the reached nodes is nearest to a goal."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import Blockers
from ai.navigation.profile_graph import ProfileGraph


def is_end(graph: ProfileGraph, nodes: NDArray[np.int64], blockers: Blockers) -> NDArray[np.bool_]:
    """(n,) whether a path may end on nodes."""
    return graph.can_stop(nodes) & ~np.isin(nodes, blockers.passable)


def nearest_end(
    graph: ProfileGraph,
    nodes: NDArray[np.int64],
    costs: NDArray[Any],
    source: int,
    targets: Sequence[int],
    blockers: Blockers,
) -> int:
    """Give the entry of the node that is nearest to a target by the grid's distance, then cheapest.

    Parameters
    ----------
    nodes : (n,) int64
        What was reached; the source, on which a way may always end, is among them.
    costs : (n,) number
        What the way to each costs.
    """
    away = graph.distance(nodes, targets)
    stays = is_end(graph, nodes, blockers) | (nodes == source)
    away = np.where(stays, away, np.iinfo(np.int64).max)
    return int(np.lexsort((nodes, costs, away))[0])
