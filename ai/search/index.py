"""The index of a graph: predecessors on all paths of a small one, landmarks for a larger one."""

from ai.search.landmarks import Landmarks
from ai.search.predecessors import MAX_HOP_NODES, Predecessors

Index = Landmarks | Predecessors

MAX_LANDMARKS = 128
_USUAL_LANDMARKS, _LEAST_LANDMARKS = 64, 16
_ENTRIES = 2**24  # of a larger graph's index: reading more costs as much as more landmarks save


def default_index_size(n_nodes: int) -> int:
    """Return the default number of landmarks; for a small graph the number of its nodes."""
    if n_nodes <= MAX_HOP_NODES:
        return n_nodes
    return min(_USUAL_LANDMARKS, max(_LEAST_LANDMARKS, _ENTRIES // n_nodes))
