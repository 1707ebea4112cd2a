"""Find choke points: the articulation points of a graph.

Only edges that lead in both directions count. A component is a set of nodes that such edges join.
A choke point is a node without which its component falls apart into two or more parts.

References
----------
Hopcroft and Tarjan (1973), "Efficient algorithms for graph manipulation",
https://doi.org/10.1145/362248.362272
"""

import numpy as np
from numpy.typing import NDArray

from ai.analysis.terrain import as_surfaces
from ai.navigation.navigation import Navigation
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.search.graph import EdgeArrays, Graph, edge_out, n_out
from ai.search.jit import Int, compiled, inlined
from terrain3d.core.checks import instance_of


@inlined
def _leads(edges: EdgeArrays, start: Int, end: Int) -> bool:
    """Return whether an edge leads from one node to another."""
    for number in range(n_out(start, edges)):  # noqa: SIM110 - numba has no generators
        if edge_out(start, number, edges)[0] == end:
            return True
    return False


@compiled
def cut_off(  # noqa: C901 - a depth-first search, unrolled into one loop
    edges: EdgeArrays, weight: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """(n_nodes,) how many nodes with a weight removing each node cuts off; `cut_off_sizes`."""
    n_nodes = len(edges.cost)
    order = np.full(n_nodes, -1, dtype=np.int32)  # of discovery
    low = np.empty(n_nodes, dtype=np.int32)  # lowest order next to the node or its descendants
    by_order = np.empty(n_nodes, dtype=np.int32)
    parent = np.full(n_nodes, -1, dtype=np.int32)
    next_edge = np.zeros(n_nodes, dtype=np.int32)
    below = np.zeros(n_nodes, dtype=np.int64)  # weight of the node and its descendants
    parts = np.zeros(n_nodes, dtype=np.int64)  # weight of the parts below that it cuts off
    largest = np.zeros(n_nodes, dtype=np.int64)  # of these parts
    second = np.zeros(n_nodes, dtype=np.int64)
    n_seen = 0
    for root in range(n_nodes):
        if order[root] >= 0:
            continue
        begin, node = n_seen, np.int64(root)
        while True:
            if order[node] < 0:
                order[node] = low[node] = n_seen
                by_order[n_seen] = node
                below[node] = weight[node]
                n_seen += 1
            child = np.int64(-1)
            while next_edge[node] < n_out(node, edges):
                there, _ = edge_out(node, np.int64(next_edge[node]), edges)
                next_edge[node] += 1
                if there < 0:
                    continue
                if order[there] >= 0 and order[there] >= low[node]:
                    continue  # nothing new, whether or not it leads back
                if not _leads(edges, there, node):
                    continue
                if order[there] < 0:
                    child = there
                    break
                low[node] = order[there]
            if child >= 0:
                parent[child] = node
                node = child
                continue
            above = np.int64(parent[node])
            if above < 0:
                break
            below[above] += below[node]
            if low[node] >= order[above]:
                part = below[node]
                parts[above] += part
                second[above] = max(second[above], min(part, largest[above]))
                largest[above] = max(largest[above], part)
            else:
                low[above] = min(low[above], low[node])
            node = above
        for place in range(begin, n_seen):
            member = by_order[place]
            rest = below[root] - parts[member] - weight[member]
            second[member] = max(second[member], min(rest, largest[member]))
    return second


def cut_off_sizes(graph: Graph, counts: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return (n_nodes,) how many counted nodes removing each node cuts off; 0 for most.

    Without the node its component falls apart; the number is the size of the second largest part,
    so that at least two parts are that large. `counts`, (n_nodes,), marks the nodes that count.
    """
    return cut_off(graph.edges, counts)


def choke_points(
    navigation: Navigation, profile: MoveProfile = DEFAULT_PROFILE
) -> NDArray[np.int64]:
    """Return how many surfaces closing each surface cuts off.

    Only steps that lead in both directions join surfaces. Surfaces where a path can end count.

    Returns
    -------
    (rows, cols) int64
        The size of the second largest part that remains, 0 for most surfaces.
        (n_decks + 1, rows, cols) on maps with decks. Read-only, as the map is now.
    """
    tilemap = instance_of("navigation", navigation, Navigation).tilemap
    with tilemap.lock:
        graph = navigation.profile_graph(profile)
        stops = graph.can_stop(np.arange(graph.level.size))
        return as_surfaces(tilemap, cut_off_sizes(graph.forward, stops))
