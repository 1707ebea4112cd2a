"""Keep landmark bounds valid where edges get cheaper.

In each row of the table of `Landmarks`, no edge may lead to an entry that is higher by more than
its cost. Then the difference of two entries is a lower bound of the cost between their nodes. An
edge that gets more expensive keeps that rule; a cheaper edge may break it. Then the entry of its
end is lowered (in the rows from landmarks) or that of its start is raised (in the rows to them).
This goes on along the edges beyond, as in the relaxation of Bellman and Ford.

References
----------
Delling, Wagner (2007), "Landmark-based routing in dynamic graphs",
https://doi.org/10.1007/978-3-540-72845-0_5
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.search.graph import Graph
from ai.search.grid_index import striped_index, width_of
from ai.search.landmarks import MAX_UNITS, Landmarks


def repair_landmarks(landmarks: Landmarks, graph: Graph, nodes: NDArray[np.int64]) -> bool:
    """Change entries until the edges out of some nodes keep the rule; return whether any changed.

    All other edges keep it already. No search may read the table meanwhile.
    """
    table = landmarks.striped_costs, landmarks.coarse_costs, landmarks.coarse_unit
    is_whole = graph.is_whole
    arguments: tuple[Any, ...] = (
        *graph.arrays,
        graph.steps_back,
        *graph.links_back,
        landmarks.cols,
        *table,
        1.0 if is_whole else landmarks.unit,
        np.inf if is_whole else landmarks.unit * MAX_UNITS,
        nodes,
        np.empty(graph.n_nodes, dtype=np.int32),
        np.zeros(graph.n_nodes, dtype=np.bool_),
    )
    return bool(_relax_rows(*arguments))


@compiled
def _relax_rows(  # noqa: C901 - edges out of a node and into it, in one loop
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    link_first: Array,
    link_target: Array,
    link_cost: Array,
    steps_back: Array,
    back_first: Array,
    back_source: Array,
    back_cost: Array,
    cols: Number,
    striped: Array,
    coarse: Array,
    coarse_unit: Number,
    unit: Number,
    highest: Number,
    nodes: Array,
    queue: Array,
    is_queued: Array,
) -> bool:
    """Relax the edges out of some nodes, and those at each entry that changes.

    `queue` and `is_queued` are buffers with an entry for each node; none is queued before and
    after. Return whether any entry has changed.
    """
    n_nodes, n_slots = step_cost.shape
    width = width_of(cols)
    n_map_rows = n_nodes // width[0]
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
            here_place = striped_index(node, width, n_map_rows)
            n_steps = n_slots if is_out else len(steps_back)
            firsts = link_first if is_out else back_first
            n_edges = np.int64(n_steps)
            if len(firsts) > 0:
                n_edges += firsts[node + 1] - firsts[node]
            own_class = np.int64(node_class[node]) if len(node_class) > 0 else np.int64(0)
            for edge in range(n_edges):
                if edge < n_steps:
                    if is_out:
                        there, step = node + offset[own_class, edge], step_cost[node, edge]
                    else:
                        there = node - steps_back[edge, 0]
                        if not 0 <= there < n_nodes:
                            continue
                        if len(node_class) > 0 and node_class[there] != steps_back[edge, 2]:
                            continue
                        step = step_cost[there, steps_back[edge, 1]]
                    if step >= illegal:
                        continue
                    cost = np.floor(step / unit) * unit
                elif is_out:
                    link = firsts[node] + edge - n_steps
                    there = np.int64(link_target[link])
                    cost = np.floor(link_cost[link] / unit) * unit
                else:
                    link = firsts[node] + edge - n_steps
                    there = np.int64(back_source[link])
                    cost = np.floor(back_cost[link] / unit) * unit
                there_place = striped_index(there, width, n_map_rows)
                here_entry = np.float64(entries[here_place])
                there_entry = np.float64(entries[there_place])
                rise = there_entry - here_entry if is_out else here_entry - there_entry
                if rise <= cost:
                    continue
                has_changed = True
                changed, place = (there, there_place)
                if not is_from and is_first:
                    changed, place = node, here_place
                if is_from:
                    entry = min(here_entry + cost, highest)
                else:
                    entry = max((there_entry if is_first else here_entry) - cost, -highest)
                entries[place] = entry
                coarse[changed, row] = np.int64(np.floor(entry / coarse_unit)) & 255
                if not is_queued[changed]:
                    is_queued[changed] = True
                    queue[tail % n_nodes] = changed
                    tail += 1
    return has_changed
