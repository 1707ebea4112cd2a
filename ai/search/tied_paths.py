"""The choice of the cheapest path with the fewest turns, or nearest to a straight line.

A path turns at a node that it leaves in another direction than it entered it, seen from above. Of
the paths with the fewest turns those with the fewest steps are left, and of these the one that
leads to the highest-numbered next node, from the start on.

The distance of a node from the line through the ends of its path is a cross product, divided by the
length of the line. The products are whole numbers, also for axial coordinates of hexagons, and the
sums of their squares are exact below 2^53. Of the paths with the least sum one is chosen as in
`equal_paths`.

Like the choice there both are functions of the costs from the start alone.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled, helper
from ai.search.graph import edge_into, n_into
from ai.search.guided_graph import GuidedGraph
from ai.search.search_state import CLOSED, NO_NODE
from ai.search.workspace import Workspace

_TURN = 1 << 32
"""A turn in units of a step: more than any path has steps."""
_NEVER = 1 << 62
_ROUNDING = 1e-12  # of the cost: sums of the same steps in another order differ by less


LAST, STRAIGHT, LINE = TIES = "last", "straight", "line"
"""Which of several cheapest paths: that of `equal_paths`, or one of the two described above."""


def tied_path(
    guided: GuidedGraph,
    workspace: Workspace,
    source: int,
    goals: NDArray[np.int64],
    squares: NDArray[np.int64] | None,
) -> NDArray[np.float64]:
    """(n, 5) row, column, deck, cost so far and level along the path to the cheapest of some goals.

    `squares` are the squared lengths of the lines to the goals for a path near to one of them; None
    for one with few turns. A search has closed a goal, and all nodes on cheapest paths from the
    source to goals that cost as much. Costs to a node that differ by rounding alone are equal.
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
    is_known = entry_of[goals] != NO_NODE
    ends = entry_of[goals[is_known]].astype(np.int64)
    least = cost[ends].min()
    is_nearest = cost[ends] == least
    ends, start = ends[is_nearest], int(entry_of[source])
    entries = nodes, cost, place
    found = _edges_to(graph.edge_arrays, entries, entry_of, ends, _ROUNDING * least)
    if squares is None:
        along = _straightest(found, entries, start, len(ends))
    else:
        lengths = squares[is_known][is_nearest].tolist()
        paths = [_nearest(found, entries, start, end) for end in ends.tolist()]
        keys = [
            (Fraction(total) / (length or 1), -nodes[path[-1]])
            for (path, total), length in zip(paths, lengths, strict=True)
        ]
        along = paths[keys.index(min(keys))][0]
    return np.column_stack([cells[along], deck[along], cost[along], layout.level[nodes[along]]])


@helper
def _is_turn(place: Array, before: Number, entry: Number, after: Number) -> bool:
    """Return whether two steps differ in direction; straight up or down is no direction."""
    down, right = place[entry, 0] - place[before, 0], place[entry, 1] - place[before, 1]
    on_down, on_right = place[after, 0] - place[entry, 0], place[after, 1] - place[entry, 1]
    return bool(down * on_right != right * on_down or down * on_down + right * on_right <= 0)


@compiled
def _edges_to(
    edges: Array, entries: Array, entry_of: Array, ends: Array, slack: Number
) -> tuple[Array, Array, Array]:
    """Return the edges of cheapest paths to some entries: source and target, and those into each.

    Edges lead nowhere, to -1, from the ends, which come first; those into one entry follow each
    other, in the order of `equal_paths`. No edge leads down in cost by rounding.
    """
    nodes, cost, _ = entries
    source, target = [np.int64(end) for end in ends], [np.int64(-1) for _ in ends]
    into = np.full((len(nodes), 2), -1, dtype=np.int64)
    head = 0
    while head < len(source):
        entry = source[head]
        head += 1
        if into[entry, 0] >= 0:
            continue
        into[entry, 0] = len(source)
        for number in range(n_into(nodes[entry], edges)):
            there, step = edge_into(nodes[entry], number, edges)
            before = np.int64(entry_of[there]) if there >= 0 else np.int64(-1)
            if before < 0 or cost[before] > cost[entry]:
                continue
            if cost[before] + step <= cost[entry] + slack:
                source.append(before)
                target.append(entry)
        into[entry, 1] = len(source)
    return np.array(source), np.array(target), into


@compiled
def _straightest(found: Array, entries: Array, start: Number, n_ends: Number) -> Array:
    """Return the entries of the path with the fewest turns from one entry to the best end.

    The search runs back from the ends over the edges that `_edges_to` found. Each edge keeps the
    turns and steps from its source to an end, and the edge after it. Edges wait in a queue, and
    again when they get better.
    """
    source, target, into = found
    nodes, _, place = entries
    left, after = np.full(len(source), _NEVER), np.full(len(source), -1)
    left[:n_ends] = 0
    is_waiting = left == 0
    queue = [np.int64(i) for i in range(n_ends)]
    head = 0
    while head < len(queue):
        edge = queue[head]
        head += 1
        is_waiting[edge] = False
        entry = source[edge]
        for other in range(into[entry, 0], into[entry, 1]):
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
    for i in range(n_ends, len(source)):
        key = left[i], -nodes[target[i]]
        if source[i] == start and key < least:
            best, least = np.int64(i), key
    along = [np.int64(start)]
    while target[best] >= 0:
        along.append(target[best])
        best = after[best]
    return np.array(along)


@helper
def _key(away: Array, cost: Array, best: Array, before: Number, entry: Number) -> Number:
    """Return the key of an entry that is entered from another one: see `_nearest`."""
    n_free = best[before, 1] + 1.0 if cost[before] == cost[entry] else 0.0
    return best[before, 0] + away[entry], n_free


@compiled
def _nearest(found: Array, entries: Array, start: Number, end: Number) -> tuple[Array, float]:
    """Return the entries of the path nearest to the line through two entries, and its distance.

    The key of an entry is the least sum of squares on the way to it, then the fewest steps that
    cost nothing since one that costs something. In order of cost it is found at once, except over
    steps that cost nothing, which take more rounds.
    """
    source, _, into = found
    _, cost, place = entries
    there = place - place[start]
    cross = there[:, 0] * there[end, 1] - there[:, 1] * there[end, 0]
    away = cross.astype(np.float64) ** 2
    known = np.flatnonzero(into[:, 0] >= 0)
    order = known[np.argsort(cost[known], kind="mergesort")]
    best = np.full((len(cost), 2), np.inf)
    best[start] = 0.0
    is_done = False
    while not is_done:
        is_done = True
        for entry in order:
            for edge in range(into[entry, 0], into[entry, 1]):
                key = _key(away, cost, best, source[edge], entry)
                if key < (best[entry, 0], best[entry, 1]):
                    best[entry, 0], best[entry, 1] = key
                    is_done = False
    along = [np.int64(end)]
    while along[-1] != start:
        entry = along[-1]
        for edge in range(into[entry, 0], into[entry, 1]):
            if _key(away, cost, best, source[edge], entry) == (best[entry, 0], best[entry, 1]):
                along.append(source[edge])
                break
    return np.array(along[::-1]), best[end, 0]
