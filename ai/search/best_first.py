"""Best-first search: A* with an estimate, Dijkstra's algorithm without, a reach with a limit."""

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from ai.search.graph import Graph

NO_NODE = -1

Floats = NDArray[np.float64]
Nodes = NDArray[np.int32]


@dataclass(frozen=True)
class Found:
    """What a search has learnt.

    Parameters
    ----------
    settled : (n_settled,) int32
        Nodes in the order the search closed them, the start first.
    cost : (n_nodes,) float64
        Cheapest known cost from the start; exact for settled nodes, infinity where never seen.
    came_from : (n_nodes,) int32
        The node before each on its cheapest known way; `NO_NODE` for the start and unseen nodes.
    """

    settled: Nodes
    cost: Floats
    came_from: Nodes


@numba.njit(cache=True)
def _is_before(f: Floats, g: Floats, node: Nodes, a: int, b: int) -> bool:
    if f[a] != f[b]:
        return bool(f[a] < f[b])
    if g[a] != g[b]:
        return bool(g[a] > g[b])
    return bool(node[a] < node[b])


@numba.njit(cache=True)
def _swap(f: Floats, g: Floats, node: Nodes, a: int, b: int) -> None:
    f[a], f[b] = f[b], f[a]
    g[a], g[b] = g[b], g[a]
    node[a], node[b] = node[b], node[a]


@numba.njit(cache=True)
def _sift_up(f: Floats, g: Floats, node: Nodes, place: int) -> None:
    while place > 0:
        above = (place - 1) // 2
        if not _is_before(f, g, node, place, above):
            return
        _swap(f, g, node, place, above)
        place = above


@numba.njit(cache=True)
def _sift_down(f: Floats, g: Floats, node: Nodes, size: int) -> None:
    place = 0
    while True:
        first = 2 * place + 1
        if first >= size:
            return
        if first + 1 < size and _is_before(f, g, node, first + 1, first):
            first += 1
        if not _is_before(f, g, node, first, place):
            return
        _swap(f, g, node, place, first)
        place = first


@numba.njit(cache=True)
def _search(
    step_cost: Floats,
    offset: NDArray[np.int64],
    start: int,
    goal: int,
    estimate: Floats,
    limit: float,
    is_blocked: NDArray[np.bool_],
) -> tuple[Nodes, Floats, Nodes]:
    n_nodes, n_slots = step_cost.shape
    cost = np.full(n_nodes, np.inf)
    came_from = np.full(n_nodes, np.int32(NO_NODE), dtype=np.int32)
    is_closed = np.zeros(n_nodes, dtype=np.bool_)
    settled = np.empty(n_nodes, dtype=np.int32)
    n_settled = 0
    # The frontier: a binary heap in three arrays. A node whose cost fell is pushed again and its
    # older entry is passed over when it comes up.
    f, g = np.empty(256), np.empty(256)
    node = np.empty(256, dtype=np.int32)
    f[0], g[0], node[0] = estimate[start], 0.0, start
    size = 1
    cost[start] = 0.0
    while size > 0:
        here, g_here = node[0], g[0]
        size -= 1
        f[0], g[0], node[0] = f[size], g[size], node[size]
        _sift_down(f, g, node, size)
        if g_here > cost[here]:
            continue
        if not is_closed[here]:
            is_closed[here] = True
            settled[n_settled] = here
            n_settled += 1
        if here == goal:
            break
        for slot in range(n_slots):
            there_cost = g_here + step_cost[here, slot]
            if not there_cost <= limit:
                continue
            there = here + offset[slot]
            if there_cost >= cost[there] or is_blocked[there]:
                continue
            cost[there] = there_cost
            came_from[there] = here
            if size == len(f):
                f = np.concatenate((f, np.empty(size)))
                g = np.concatenate((g, np.empty(size)))
                node = np.concatenate((node, np.empty(size, dtype=np.int32)))
            f[size], g[size], node[size] = there_cost + estimate[there], there_cost, there
            _sift_up(f, g, node, size)
            size += 1
    return settled[:n_settled].copy(), cost, came_from


def best_first(
    graph: Graph,
    start: int,
    *,
    goal: int = NO_NODE,
    estimate: Floats | None = None,
    limit: float = np.finfo(np.float64).max,
    is_blocked: NDArray[np.bool_] | None = None,
) -> Found:
    """Settle nodes in the order of their promise until the goal is reached or all is known.

    With an estimate and a goal this is A*; without an estimate it is Dijkstra's algorithm; with a
    limit and no goal it finds all that a budget reaches.

    The node with the lowest f = cost so far + estimate is settled first; among equals the one
    with the greater cost so far, among those the smaller number. A node keeps the first parent
    that gave it its lowest cost. So the same query always takes the same course.

    Parameters
    ----------
    start, goal : int
        Nodes of the graph. Without a goal everything within the limit is settled.
    estimate : (n_nodes,) float64, optional
        Lower bound of the cost from each node to the goal; zeros if not given.
    limit : float
        Steps that would cost more in all are not taken.
    is_blocked : (n_nodes,) bool, optional
        Nodes that cannot be entered. The start may be one of them.

    Raises
    ------
    ValueError
        The start or the goal is no node, or an array does not have one entry a node.

    References
    ----------
    Hart, Nilsson, Raphael (1968), https://doi.org/10.1109/TSSC.1968.300136
    Dijkstra (1959), https://doi.org/10.1007/BF01386390
    """
    if estimate is None:
        estimate = np.zeros(graph.n_nodes)
    if is_blocked is None:
        is_blocked = np.zeros(graph.n_nodes, dtype=np.bool_)
    # The compiled search would read past the end.
    if not (0 <= start < graph.n_nodes and NO_NODE <= goal < graph.n_nodes):
        raise ValueError(f"nodes are 0..{graph.n_nodes - 1}, got start {start}, goal {goal}")
    if not estimate.shape == is_blocked.shape == (graph.n_nodes,):
        raise ValueError(
            f"estimate and is_blocked must be ({graph.n_nodes},), "
            f"got {estimate.shape} and {is_blocked.shape}"
        )
    settled, cost, came_from = _search(
        graph.step_cost, graph.offset, start, goal, estimate, limit, is_blocked
    )
    return Found(settled, cost, came_from)


def reversed_path(found: Found, node: int) -> list[int]:
    """List the nodes from `node` back to the start; `node` must have been reached."""
    nodes = [node]
    while (node := int(found.came_from[node])) != NO_NODE:
        nodes.append(node)
    return nodes


def warm_up() -> None:
    """Compile the searches now, or load them from the cache, so that the first query is quick.

    Takes seconds the very first time on a machine; it may run in a thread of its own.
    """
    best_first(Graph(np.array([1]), np.array([[1.0], [np.inf]])), 0, goal=1)
