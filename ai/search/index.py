"""Which index suits a graph: hops between all nodes of a small one, landmarks in a larger one."""

from ai.search.graph import Graph
from ai.search.landmark_selection import Progress, choose_landmarks
from ai.search.landmarks import Landmarks
from ai.search.next_hops import MAX_HOP_NODES, NextHops

Index = Landmarks | NextHops

MAX_LANDMARKS = 128
_USUAL_LANDMARKS, _LEAST_LANDMARKS = 64, 16
_ENTRIES = 2**24  # of larger graphs' indexes: what more landmarks save, reading more memory costs


def default_index_size(n_nodes: int) -> int:
    """Give how many landmarks suit a graph; as many as it has nodes if it is small."""
    if n_nodes <= MAX_HOP_NODES:
        return n_nodes
    return min(_USUAL_LANDMARKS, max(_LEAST_LANDMARKS, _ENTRIES // n_nodes))


def make_index(
    graph: Graph,
    backward: Graph,
    size: int,
    least_step: float,
    progress: Progress | None = None,
) -> Index | None:
    """Make an index of a size; the other arguments are those of `choose_landmarks`.

    Returns
    -------
    Landmarks, NextHops or None
        None if nothing leads anywhere.
    """
    if graph.n_nodes <= min(size, MAX_HOP_NODES):
        return NextHops.of(graph, backward, least_step, progress)
    return choose_landmarks(graph, backward, min(size, MAX_LANDMARKS), least_step, progress)
