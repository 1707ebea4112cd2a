"""Landmarks: bounds from the costs to and from a few far nodes (ALT), repaired where edges change.

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
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled
from ai.search.components import Components
from ai.search.graph import EdgeArrays, Graph, edge_into, edge_out, n_into, n_out
from ai.search.grid_index import striped_index, striped_places, width_of
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import NodeLayout
from ai.search.workspace import Workspace

Progress = Callable[[int, int], object]

MAX_LANDMARKS = 128
MAX_UNITS = 2**24
"""The highest cost in units: float32 holds all whole numbers up to it."""
_UNITS_PER_STEP, _LEAST_STEP = 256, 1e-9
NO_PATH_FLOAT = np.float32(1e30)
"""The mark for "no path" among costs that are not whole."""
_CHUNK = 2**16
_N_OUTER, _OUTER_SHARE = 32, 1 / 32  # landmarks on the border, also as a share of its nodes
_LEAST_SHARE = 0.01  # a component with a smaller share of the nodes gets no landmark of its own
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
def _relax_rows(
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
    n_nodes = len(edges.step_cost)
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
            for edge in range(n_out(node, edges) if is_out else n_into(node, edges)):
                there, step = (
                    edge_out(node, edge, edges) if is_out else edge_into(node, edge, edges)
                )
                if there < 0:
                    continue
                cost = np.floor(step / unit) * unit
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


def choose_landmarks(
    graph: Graph,
    backward: Graph,
    count: int,
    least_step: float,
    progress: Progress | None = None,
) -> Landmarks | None:
    """Choose landmarks and compute the costs between them and all nodes.

    The first is a farthest node of the largest strongly connected component. Each further one is
    the node farthest from those before. Large components that no landmark reaches come first. On a
    map the first ones lie on its border, or on that of a part of it: cheapest paths to a node
    inside continue to few others, so that it gives few high bounds. More than 32 landmarks on a
    border, or one for every 32 nodes of a long one, would be too alike: the next ones lie inside.

    `backward` has the same edges reversed, and `least_step` is that of `GuidedGraph`. `progress` is
    called with (landmarks done, count). None if no node reaches another one.
    """
    unit = 0.0
    if not graph.is_whole:
        unit = unit_of(least_step)
        graph, backward = graph.rounded_down(unit), backward.rounded_down(unit)
    workspace = Workspace.of(graph.n_nodes, is_whole=graph.is_whole)
    ahead, back = (
        GuidedGraph(graph, least_step=least_step),
        GuidedGraph(backward, least_step=least_step),
    )
    components = Components.of(graph)
    sizes = np.bincount(components.label)
    is_candidate = sizes[components.label] >= max(2, _LEAST_SHARE * graph.n_nodes)
    is_candidate |= components.label == components.largest
    if sizes[components.largest] < 2:
        return None
    is_outer = _outermost(is_candidate, ahead.layout, components.label)
    n_outer = max(_N_OUTER, _OUTER_SHARE * np.count_nonzero(is_outer))
    some = int(np.flatnonzero(components.label == components.largest)[0])
    table = _Table(count, graph.n_nodes, ahead.layout.cols, unit)
    nearest = np.full(graph.n_nodes, np.inf, dtype=np.float32)
    table.measure(0, ahead, workspace, some, nearest)
    landmark = _farthest(nearest, is_outer & (components.label == components.largest))
    nearest[:] = np.inf
    for done in range(count):
        for row, guided in ((done, ahead), (count + done, back)):
            table.measure(row, guided, workspace, landmark, nearest)
        is_next = is_outer if done + 1 < n_outer else is_candidate
        landmark = _next(nearest, is_next, components.label, sizes)
        if progress is not None:
            progress(done + 1, count)
    return table.landmarks()


class _Table:
    """The rows measured so far: in place, as several copies would not fit beside a large one."""

    def __init__(self, count: int, n_nodes: int, cols: int, unit: float) -> None:
        self._cols, self._unit = cols, unit
        self._places = striped_places(n_nodes, cols).astype(np.int32)
        shape = 2 * count, int(self._places.max()) + 1
        self._costs: NDArray[Any] = np.zeros(shape, dtype=np.float32 if unit else np.uint16)

    def measure(
        self,
        row: int,
        guided: GuidedGraph,
        workspace: Workspace,
        landmark: int,
        nearest: NDArray[np.float32],
    ) -> None:
        """Fill a row with the costs from a landmark, and lower `nearest` to them."""
        workspace.one_source[0] = landmark
        guided.dijkstra(workspace, workspace.one_source, workspace.no_cost)
        for first in range(0, len(nearest), _CHUNK):
            part = np.s_[first : first + _CHUNK]
            nodes = np.arange(first, min(first + _CHUNK, len(nearest)))
            cost = workspace.decode(nodes)[1]
            nearest[part] = np.minimum(nearest[part], cost)
            packed = _packed(cost, self._unit)
            dtype = np.result_type(self._costs, packed)
            self._costs = _widened(self._costs, dtype)
            self._costs[row, self._places[part]] = _widened(packed, dtype)

    def landmarks(self) -> Landmarks:
        """Return the table in the form of `Landmarks`."""
        costs, half = self._costs, len(self._costs) // 2
        no_path = NO_PATH_FLOAT if self._unit else np.iinfo(costs.dtype).max
        longest = float(max(row[row < no_path].max(initial=0) for row in costs))
        from_ = np.float32(0) if self._unit else no_path
        np.subtract(from_, costs[half:], out=costs[half:])
        return Landmarks.of(costs, self._places, self._cols, longest, self._unit)


def _outermost(
    is_candidate: NDArray[np.bool_], layout: NodeLayout, label: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """(n_nodes,) which candidates are the first or last of their row or column of the map.

    Of a component without any these are all candidates.
    """
    candidates = is_candidate.reshape(-1, layout.n_cells // layout.cols, layout.cols)
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


def _packed(cost: NDArray[np.float64], unit: float) -> NDArray[Any]:
    """Return costs in the smallest dtype that holds them; its highest value marks "no path"."""
    known = np.isfinite(cost)
    if unit:
        return np.where(known, np.minimum(cost, unit * MAX_UNITS), NO_PATH_FLOAT).astype(np.float32)
    highest = float(cost[known].max(initial=0))
    dtype: type[np.integer[Any]] = np.uint16 if highest < np.iinfo(np.uint16).max else np.int32
    return np.where(known, cost, np.iinfo(dtype).max).astype(dtype)


def _widened(costs: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return costs in a larger dtype, whose highest value marks "no path"."""
    if costs.dtype == dtype:
        return costs
    highest = np.iinfo(costs.dtype).max
    return np.where(costs == highest, np.iinfo(dtype).max, costs).astype(dtype)
