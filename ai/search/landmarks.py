"""Landmark bounds from the costs to and from a few far nodes (ALT), repaired where edges change.

If L is a landmark, cost(v, goal) >= cost(L, goal) - cost(L, v) and >= cost(v, L) - cost(goal, L).
Without a path the table holds the highest value of its dtype. The difference is then 0, negative,
or so large that the search puts the node off, which is right: the node cannot reach the goal.

Whole costs are exact. Other costs are rounded down to multiples of a unit before they are added up,
so that float32 holds all sums exactly; what would need more digits is cut to `MAX_UNITS`. Both keep
the differences bounds.

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
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.search.graph import EdgeArrays, Graph
from ai.search.grid_index import striped_index, width_of

MAX_LANDMARKS = 128
MAX_UNITS = 2**24
"""The highest cost in units: float32 holds all whole numbers up to it."""
_UNITS_PER_STEP, _LEAST_STEP = 256, 1e-9
NO_PATH_FLOAT = np.float32(1e30)
"""The mark for "no path" among costs that are not whole."""
_FAR = 2.0**40  # above all costs; the mark for "no path" may exceed all integers


@dataclass(frozen=True)
class Landmarks:
    """Costs between every node and the landmarks."""

    striped_costs: NDArray[Any]
    """(2 * n_landmarks, n_places) uint16, int32 or float32, the table: costs from each landmark;
    then the costs to each, subtracted from the highest value of the dtype, or from 0 for float32.
    In every row the goal's entry minus a node's entry is a bound. Each row is in the order of
    `striped_index`."""
    coarse_costs: NDArray[np.uint8]
    """(n_nodes, 2 * n_landmarks) the table in units of `coarse_unit`, from which a search chooses
    its rows. A difference of two, as int8, is right even if the numbers wrap around. Without a path
    it is meaningless, which does no harm."""
    cols: int
    """Columns of the map, or the number of nodes without a map."""
    longest: float
    """The highest of the costs when the table was made."""
    unit: float = 0.0
    """All entries are multiples of it; 0 for whole costs. A bound is lowered by it, which is more
    than the rounding errors of a search."""

    @classmethod
    def of(
        cls,
        striped_costs: NDArray[Any],
        places: NDArray[np.integer],
        cols: int,
        longest: float,
        unit: float,
    ) -> "Landmarks":
        """Return a table whose rows are in the order of `striped_index`; `places` is that order."""
        coarse = np.empty((len(places), len(striped_costs)), dtype=np.uint8)
        made = cls(striped_costs, coarse, cols, longest, unit)
        for number, costs in enumerate(striped_costs):
            near = costs[places] // made.coarse_unit
            coarse[:, number] = np.clip(near, -_FAR, _FAR).astype(np.int64) if unit else near
        return made

    @property
    def coarse_unit(self) -> int:
        """The unit of `coarse_costs`."""
        return max(1, math.ceil(self.longest / np.iinfo(np.int8).max))


def unit_of(least_step: float) -> float:
    """Return the unit of the costs of a graph, from the cost of a cheap step."""
    step = max(least_step, _LEAST_STEP)  # the number of units of any cost has to be finite
    return 2.0 ** math.floor(math.log2(step)) / _UNITS_PER_STEP


def repair_landmarks(landmarks: Landmarks, graph: Graph, nodes: NDArray[np.int64]) -> bool:
    """Change entries until the edges out of some nodes keep the rule; return whether any changed.

    All other edges keep it already. No search may read the table meanwhile.
    """
    table = landmarks.striped_costs, landmarks.coarse_costs, landmarks.coarse_unit
    is_whole = graph.is_whole
    arguments: tuple[Any, ...] = (
        graph.edge_arrays,
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
    edges: EdgeArrays,
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
    step_cost, mark, offset, node_class, link_first, link_target, link_cost = edges[:7]
    steps_back, back_first, back_source, back_cost = edges[7:]
    illegal = mark[0]
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
