"""Landmarks: bounds from the costs to and from a few far nodes (ALT), repaired where edges change.

If L is a landmark, cost(v, goal) >= cost(L, goal) - cost(L, v) and >= cost(v, L) - cost(goal, L).
Without a path the table holds the highest value of its type. The difference is then 0, negative,
or so large that the search puts the node off, which is right: the node cannot reach the goal.

An entry has 16 bits. Where costs are higher it stands for several units, a power of 2, and each
edge is rounded down to that before edges are added up; what is higher still is cut.

In each row of the table no edge may lead to an entry that is higher by more than its cost. Then the
difference of two entries is a lower bound of the cost between their nodes. An edge that gets more
expensive keeps that rule; a cheaper edge may break it. Then the entry of its end is lowered (in the
rows from landmarks) or that of its start is raised (in the rows to them). This goes on along the
edges beyond, as in the relaxation of Bellman and Ford.

References
----------
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
Delling, Wagner (2007), "Landmark-based routing in dynamic graphs",
https://doi.org/10.1007/978-3-540-72845-0_5
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ai.search.astar import STRIPE_BITS, striped_index
from ai.search.components import Components
from ai.search.graph import EdgeArrays, Graph, edge_into, edge_out, n_into, n_out, reversed_graph
from ai.search.jit import Int, compiled
from ai.search.workspace import Guided, Workspace

Progress = Callable[[int, int], object]

MAX_LANDMARKS = 128
NO_PATH = 2**16 - 1
"""The mark for "no path" in a table."""
_HIGHEST = NO_PATH - 1
_N_OUTER, _OUTER_SHARE = 32, 1 / 32  # landmarks on the border, also as a share of its nodes
_LEAST_SHARE = 0.01  # a component with a smaller share of the nodes gets no landmark of its own


def striped_places(n_nodes: int, cols: int) -> NDArray[np.int64]:
    """(n_nodes,) `striped_index` of each node."""
    row, col = np.divmod(np.arange(n_nodes), cols)
    stripe, inside = np.divmod(col, 1 << STRIPE_BITS)
    places: NDArray[np.int64] = ((stripe * (n_nodes // cols) + row) << STRIPE_BITS) + inside
    return places


@dataclass(frozen=True)
class Landmarks:
    """Costs between every node and the landmarks."""

    striped_costs: NDArray[np.uint16]
    """(2 * n_landmarks, n_places) the table: costs from each landmark; then the costs to each,
    subtracted from `NO_PATH`. In every row the goal's entry minus a node's entry is a bound. Each
    row is in the order of `striped_index`."""
    coarse_costs: NDArray[np.uint8]
    """(n_nodes, 2 * n_landmarks) the table in units of `coarse_unit`, from which a search chooses
    its rows. A difference of two, as int8, is right even if the numbers wrap around. Without a path
    it is meaningless, which does no harm."""
    cols: int
    """Columns of the map."""
    grain: int
    """An entry stands for 2**grain units of the graph that was measured."""
    coarse_unit: int
    scale: int
    """How many units of the graph that is searched an entry stands for."""

    def scaled(self, factor: int) -> "Landmarks":
        """Return the same table for costs in a unit that is smaller by a factor."""
        return replace(self, scale=self.scale * factor)


def repair_landmarks(landmarks: Landmarks, graph: Graph, nodes: NDArray[np.int64]) -> bool:
    """Change entries until the edges out of some nodes keep the rule; return whether any changed.

    All other edges keep it already. No search may read the table meanwhile.
    """
    table = landmarks.striped_costs, landmarks.coarse_costs
    numbers = landmarks.cols, landmarks.coarse_unit, landmarks.grain
    queue = np.empty(graph.n_nodes, np.int32), np.zeros(graph.n_nodes, np.bool_)
    return bool(_relax_rows(graph.edges, *table, numbers, nodes, *queue))


@compiled
def _relax_rows(
    edges: EdgeArrays,
    striped: NDArray[np.uint16],
    coarse: NDArray[np.uint8],
    numbers: tuple[Int, Int, Int],
    nodes: NDArray[np.int64],
    queue: NDArray[np.int32],
    is_queued: NDArray[np.bool_],
) -> bool:
    """Relax the edges out of some nodes, and those at each entry that changes.

    `numbers` are columns, coarse unit and grain. `queue` and `is_queued` are buffers with an entry
    for each node; none is queued before and after. Return whether any entry has changed.
    """
    cols, coarse_unit, grain = numbers
    n_nodes, inverse = len(edges.cost), 1.0 / cols
    n_lines = n_nodes // cols
    has_changed = False
    for row in range(len(striped)):
        is_from = row < len(striped) // 2
        entries = striped[row]
        head = tail = 0
        turn = 0
        while turn < len(nodes) or head < tail:
            is_first = turn < len(nodes)  # edges out of the given nodes, in both kinds of rows
            if is_first:
                node = np.int64(nodes[turn])
                turn += 1
            else:
                node = np.int64(queue[head % n_nodes])
                head += 1
                is_queued[node] = False
            is_out = is_from or is_first
            here_place = striped_index(node, n_lines, cols, inverse)
            for edge in range(n_out(node, edges) if is_out else n_into(node, edges)):
                there, step = (
                    edge_out(node, edge, edges) if is_out else edge_into(node, edge, edges)
                )
                if there < 0:
                    continue
                cost = step >> grain
                there_place = striped_index(there, n_lines, cols, inverse)
                here_entry = np.int64(entries[here_place])
                there_entry = np.int64(entries[there_place])
                rise = there_entry - here_entry if is_out else here_entry - there_entry
                if rise <= cost:
                    continue
                has_changed = True
                changed, place = (there, there_place)
                if not is_from and is_first:
                    changed, place = node, here_place
                if is_from:
                    entry = here_entry + cost
                else:
                    entry = (there_entry if is_first else here_entry) - cost
                entries[place] = entry
                coarse[changed, row] = (entry // coarse_unit) & 255
                if not is_queued[changed]:
                    is_queued[changed] = True
                    queue[tail % n_nodes] = changed
                    tail += 1
    return has_changed


def choose_landmarks(
    graph: Graph, count: int, progress: Progress | None = None
) -> Landmarks | None:
    """Choose landmarks and compute the costs between them and all nodes.

    The first is a farthest node of the largest strongly connected component. Each further one is
    the node farthest from those before. Large components that no landmark reaches come first. On a
    map the first ones lie on its border, or on that of a part of it: cheapest paths to a node
    inside continue to few others, so that it gives few high bounds. More than 32 landmarks on a
    border, or one for every 32 nodes of a long one, would be too alike: the next ones lie inside.

    `progress` is called with (landmarks done, count). None if no node reaches another one.
    """
    components = Components.of(graph)
    sizes = np.bincount(components.label)
    is_candidate = sizes[components.label] >= max(2, _LEAST_SHARE * graph.n_nodes)
    is_candidate |= components.label == components.largest
    if sizes[components.largest] < 2:
        return None
    is_outer = _outermost(is_candidate, graph, components.label)
    n_outer = max(_N_OUTER, _OUTER_SHARE * np.count_nonzero(is_outer))
    some = int(np.flatnonzero(components.label == components.largest)[0])
    workspace = Workspace(graph.n_nodes)
    cost = workspace.costs_from(Guided(graph), some)
    is_first = is_outer & (components.label == components.largest)
    landmark = _farthest(np.where(cost < 0, np.inf, cost), is_first)
    # Two nodes of a component may be as far apart as both are from a third.
    grain = max(0, math.ceil(math.log2(max(1, 2 * int(cost.max()) / _HIGHEST))))
    rounded = _rounded_down(graph, grain)
    ahead, back = Guided(rounded), Guided(reversed_graph(rounded))
    places = striped_places(graph.n_nodes, graph.layout.cols)
    table = np.zeros((2 * count, int(places.max()) + 1), np.uint16)
    nearest = np.full(graph.n_nodes, np.inf, dtype=np.float32)
    longest = 0
    for done in range(count):
        for row, guided in ((done, ahead), (count + done, back)):
            cost = workspace.costs_from(guided, landmark)
            np.minimum(nearest, cost, out=nearest, where=cost >= 0)
            longest = max(longest, min(int(cost.max()), _HIGHEST))
            packed = np.where(cost < 0, NO_PATH, np.minimum(cost, _HIGHEST))
            table[row, places] = packed if row < count else NO_PATH - packed
        is_next = is_outer if done + 1 < n_outer else is_candidate
        landmark = _next(nearest, is_next, components.label, sizes)
        if progress is not None:
            progress(done + 1, count)
    coarse_unit = max(1, math.ceil(longest / np.iinfo(np.int8).max))
    coarse = np.empty((graph.n_nodes, len(table)), dtype=np.uint8)
    for row, costs in enumerate(table):
        coarse[:, row] = costs[places] // coarse_unit
    return Landmarks(table, coarse, graph.layout.cols, grain, coarse_unit, 1 << grain)


def _rounded_down(graph: Graph, grain: int) -> Graph:
    """Return a graph with the cost of each edge divided by 2**grain."""
    if grain == 0:
        return graph
    table, links = graph.cost.copy(), graph.links
    np.right_shift(table, grain, out=table, where=graph.cost < graph.illegal)
    return replace(graph, cost=table, links=links.with_costs(links.cost >> grain), least=1)


def _outermost(
    is_candidate: NDArray[np.bool_], graph: Graph, label: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """(n_nodes,) which candidates are the first or last of their row or column of the map.

    Of a component without any these are all candidates.
    """
    candidates = is_candidate.reshape(-1, graph.layout.rows, graph.layout.cols)
    cells = candidates.any(axis=0)
    is_outer = np.zeros_like(cells)
    for axis in (0, 1):
        count = cells.cumsum(axis)
        is_outer |= (count == 1) | (count == count.max(axis, keepdims=True))
    outer = (candidates & is_outer).ravel()
    return outer | (is_candidate & ~np.isin(label, label[outer]))


def _farthest(cost: NDArray[np.float32], is_candidate: NDArray[np.bool_]) -> int:
    return int(np.where(is_candidate & np.isfinite(cost), cost, -1.0).argmax())


def _next(
    nearest: NDArray[np.float32],
    is_candidate: NDArray[np.bool_],
    label: NDArray[np.int32],
    sizes: NDArray[np.int64],
) -> int:
    unmeasured = is_candidate & np.isinf(nearest)
    if unmeasured.any():
        return int(np.where(unmeasured, sizes[label], -1).argmax())
    return _farthest(nearest, is_candidate)
