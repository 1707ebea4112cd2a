"""Where ways may end as a crowd stands, and which of the places reached is nearest to a goal."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import Crowd
from ai.navigation.profile_graph import Baked


def is_end(baked: Baked, nodes: NDArray[np.int64], crowd: Crowd) -> NDArray[np.bool_]:
    """(n,) whether a way may end on nodes, as the crowd stands."""
    return baked.can_stop(nodes) & ~np.isin(nodes, crowd.passable)


def nearest_end(
    baked: Baked,
    nodes: NDArray[np.int64],
    costs: NDArray[Any],
    source: int,
    targets: Sequence[int],
    crowd: Crowd,
) -> int:
    """Give the entry of the node that is nearest to a target by the grid's distance, then cheapest.

    Parameters
    ----------
    nodes : (n,) int64
        What was reached; the source, on which a way may always end, is among them.
    costs : (n,) number
        What the way to each costs.
    """
    away = baked.distance(nodes, targets)
    stays = is_end(baked, nodes, crowd) | (nodes == source)
    away = np.where(stays, away, np.iinfo(np.int64).max)
    return int(np.lexsort((nodes, costs, away))[0])
