"""The choice of the cheapest path with the fewest turns.

A path turns at a node that it leaves in another direction than it entered it, seen from above. Of
the paths with the fewest turns those with the fewest steps are left, and of these the one that
leads to the highest-numbered next node, from the start on. Like the choice in `equal_paths` it is a
function of the costs from the start alone.
"""

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled, helper
from ai.search.equal_paths import edge_into
from ai.search.guided_graph import GuidedGraph
from ai.search.search_state import CLOSED, NO_NODE
from ai.search.workspace import Workspace

_TURN = 1 << 32
"""A turn in units of a step: more than any path has steps."""
_NEVER = 1 << 62
_ROUNDING = 1e-12  # of the cost: sums of the same steps in another order differ by less


def straight_path(
    guided: GuidedGraph, workspace: Workspace, source: int, goals: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(n, 5) row, column, deck, cost so far and level along the path to the cheapest of some goals.

    A search has closed a goal, and all nodes on cheapest paths from the source to goals that cost
    as much. Costs to a node that differ by rounding alone are equal.
    """
    graph, layout = guided.graph, guided.layout
    nodes = workspace.settled_nodes().astype(np.int64)
    phase, cost, _ = workspace.decode(nodes)
    cost[phase != CLOSED] = np.inf
    deck, inside = np.divmod(nodes, layout.n_cells)
    cells = np.stack(np.divmod(inside, layout.cols), axis=1)
    place = cells if layout.place is None else layout.place[nodes].astype(np.int64)
    entry_of = np.full(graph.n_nodes, NO_NODE, dtype=np.int32)
    entry_of[nodes] = np.arange(len(nodes))
    ends = entry_of[goals[entry_of[goals] != NO_NODE]]
    least = cost[ends].min()
    ends = ends[cost[ends] == least]
    edges = graph.edge_arrays
    entries = nodes, cost, place
    along = _straightest(edges, entries, entry_of, entry_of[source], ends, _ROUNDING * least)
    return np.column_stack([cells[along], deck[along], cost[along], layout.level[nodes[along]]])


@helper
def _is_turn(place: Array, before: Number, entry: Number, after: Number) -> bool:
    """Return whether two steps differ in direction; straight up or down is no direction."""
    down, right = place[entry, 0] - place[before, 0], place[entry, 1] - place[before, 1]
    on_down, on_right = place[after, 0] - place[entry, 0], place[after, 1] - place[entry, 1]
    return bool(down * on_right != right * on_down or down * on_down + right * on_right <= 0)


@compiled
def _straightest(  # noqa: C901 - one loop over edges, which compiled code cannot split up cheaply
    edges: Array, entries: Array, entry_of: Array, start: Number, ends: Array, slack: Number
) -> Array:
    """Return the entries of the path from one entry to the best of several others.

    The search runs back from the ends over the edges of cheapest paths. Each edge keeps the turns
    and steps from its source to an end, and the edge after it; the first ones lead from an end
    nowhere. Edges wait in a queue, and again when they get better.
    """
    steps_back, back_first = edges.steps_back, edges.back_first
    nodes, cost, place = entries
    source, target = [np.int64(end) for end in ends], [np.int64(-1) for _ in ends]
    left, after = [np.int64(0) for _ in ends], [np.int64(-1) for _ in ends]
    queue, is_waiting = [np.int64(i) for i in range(len(ends))], [True for _ in ends]
    listed = np.full((len(nodes), 2), -1, dtype=np.int64)  # the range of the edges to each entry
    head = 0
    while head < len(queue):
        edge = queue[head]
        head += 1
        is_waiting[edge] = False
        entry = source[edge]
        if listed[entry, 0] < 0:
            listed[entry, 0] = len(source)
            node = nodes[entry]
            n_links = np.int64(0)
            if len(back_first) > 0:
                n_links += back_first[node + 1] - back_first[node]
            for number in range(len(steps_back) + n_links):
                there, step = edge_into(node, number, edges)
                before = np.int64(entry_of[there]) if there >= 0 else np.int64(-1)
                if before >= 0 and cost[before] + step <= cost[entry] + slack:
                    source.append(before)
                    target.append(entry)
                    left.append(np.int64(_NEVER))
                    after.append(np.int64(-1))
                    is_waiting.append(False)
            listed[entry, 1] = len(source)
        for other in range(listed[entry, 0], listed[entry, 1]):
            total = left[edge] + 1
            if target[edge] >= 0 and _is_turn(place, source[other], entry, target[edge]):
                total += _TURN
            if total < left[other]:
                left[other], after[other] = total, edge
                if not is_waiting[other]:
                    is_waiting[other] = True
                    queue.append(np.int64(other))
            elif total == left[other] and nodes[target[edge]] > nodes[target[after[other]]]:
                after[other] = edge
    best, least = np.int64(0), (np.int64(_NEVER), np.int64(0))
    for i in range(len(ends), len(source)):
        key = left[i], -nodes[target[i]]
        if source[i] == start and key < least:
            best, least = np.int64(i), key
    along = [np.int64(start)]
    while target[best] >= 0:
        along.append(target[best])
        best = after[best]
    return np.array(along)
