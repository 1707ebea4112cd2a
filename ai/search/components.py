"""Strongly connected components of a graph, by Tarjan's algorithm without recursion.

Inside a component every node reaches every other node. An edge leads to the same component or to
one with a smaller number.

References
----------
Tarjan (1972), "Depth-first search and linear graph algorithms", https://doi.org/10.1137/0201010
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.search.graph import EdgeArrays, Graph, edge_out, n_out
from ai.search.jit import Int, compiled


@compiled
def _label(  # noqa: C901 - Tarjan's recursion, unrolled
    edges: EdgeArrays,
) -> tuple[NDArray[np.int32], Int]:
    n_nodes = len(edges.cost)
    label = np.full(n_nodes, -1, dtype=np.int32)
    order = np.full(n_nodes, -1, dtype=np.int32)  # of discovery
    low = np.empty(n_nodes, dtype=np.int32)  # lowest order that it leads back to
    next_edge = np.zeros(n_nodes, dtype=np.int32)
    open_nodes = np.empty(n_nodes, dtype=np.int32)  # seen, without a component yet
    trail = np.empty(n_nodes, dtype=np.int32)  # path from the root to the current node
    n_seen = n_open = n_components = 0
    for root in range(n_nodes):
        if order[root] >= 0:
            continue
        trail[0] = root
        depth = 1
        while depth > 0:
            node = np.int64(trail[depth - 1])
            if next_edge[node] == 0 and order[node] < 0:
                order[node] = low[node] = n_seen
                n_seen += 1
                open_nodes[n_open] = node
                n_open += 1
            went_down = False
            while next_edge[node] < n_out(node, edges):
                there, _ = edge_out(node, np.int64(next_edge[node]), edges)
                next_edge[node] += 1
                if there < 0:
                    continue
                if order[there] < 0:
                    trail[depth] = there
                    depth += 1
                    went_down = True
                    break
                if label[there] < 0:
                    low[node] = min(low[node], order[there])
            if went_down:
                continue
            if low[node] == order[node]:
                while True:
                    n_open -= 1
                    member = open_nodes[n_open]
                    label[member] = n_components
                    if member == node:
                        break
                n_components += 1
            depth -= 1
            if depth > 0:
                above = trail[depth - 1]
                low[above] = min(low[above], low[node])
    return label, n_components


@dataclass(frozen=True)
class Components:
    """The strongly connected component of each node."""

    label: NDArray[np.int32]
    """(n_nodes,) number of each node's component; no edge leads to a larger number."""
    largest: int
    """Number of the component with the most nodes."""

    @classmethod
    def of(cls, graph: Graph) -> "Components":
        """Find the components of a graph."""
        label, n_components = _label(graph.edges)
        return cls(label, int(np.bincount(label, minlength=n_components).argmax()))

    def reaches(self, start: int, goal: int) -> bool | None:
        """Return whether a path exists, without a search; None if only a search can decide."""
        here, there = self.label[start], self.label[goal]
        if here == there:
            return True
        return False if here < there else None
