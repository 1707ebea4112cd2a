"""Predecessors: the edge before any node on the path from any start, for a small graph."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled, helper, u64
from ai.search.graph import Graph
from ai.search.grid_index import cell_of, striped_index, striped_places, width_of
from ai.search.guided_graph import GuidedGraph
from ai.search.landmark_selection import Progress
from ai.search.workspace import Workspace

MAX_HOP_NODES = 4096
"""The largest graph with this index, which takes a byte for each pair of nodes."""
_NO_EDGE = 255


@dataclass(frozen=True)
class Predecessors:
    """The edge by which the path from any start enters any node, by the rule of `equal_paths`."""

    graph: Graph
    edge_before: NDArray[np.uint8]
    """(n_nodes, n_places) by start, and by node in the order of `striped_index`. The number of an
    edge is its row in `Graph.steps_back`; links to the node count on from there. 255 at the start,
    and without a path."""
    _head: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Gather the arguments that all calls share."""
        layout = self.graph.layout
        if layout is None:
            raise ValueError("paths consist of rows and columns, but the graph has no layout")
        head = *_edges_back(self.graph), layout.cols, layout.n_cells, layout.level, self.edge_before
        object.__setattr__(self, "_head", head)

    @staticmethod
    def of(
        graph: Graph, least_step: float, progress: Progress | None = None
    ) -> "Predecessors | None":
        """Build the index of a graph of at most `MAX_HOP_NODES`, by a search from every node.

        The arguments are those of `choose_landmarks`; each start counts as a landmark. None if more
        edges lead to nodes than a byte can number.
        """
        count = graph.n_nodes
        if len(graph.steps_back) + np.diff(graph.links_back[0]).max(initial=0) > _NO_EDGE:
            return None
        cols = graph.n_nodes if graph.layout is None else graph.layout.cols
        workspace = Workspace.of(count, is_whole=graph.is_whole)
        guided = GuidedGraph(graph, least_step=least_step)
        n_places = int(striped_places(count, cols).max()) + 1
        edge_before = np.full((count, n_places), _NO_EDGE, dtype=np.uint8)
        arguments: tuple[Any, ...] = *_edges_back(graph), graph.arrays[1], graph.arrays[3], cols
        for start in range(count):
            workspace.one_source[0] = start
            guided.dijkstra(workspace, workspace.one_source, workspace.no_cost)
            _, _, parent = workspace.decode()
            ends: tuple[Any, ...] = parent, edge_before[start]
            _find_edges(*arguments, *ends)
            if progress is not None:
                progress(start + 1, count)
        return Predecessors(graph, edge_before)

    def look_up(self, workspace: Workspace, start: int, goal: int) -> NDArray[Any]:
        """Return the path as `Workspace.found_path` does, without rows if there is none."""
        buffer, last = workspace.path_buffer, len(self.edge_before)
        ends: tuple[Any, ...] = start, goal, buffer
        length = _follow(*self._head, *ends)
        return buffer[last - length : last].copy()

    def look_up_many(
        self, workspace: Workspace, starts: NDArray[np.int32], goals: NDArray[np.int32]
    ) -> list[NDArray[Any]]:
        """Return the path from each start to its goal, as `look_up` does."""
        found: list[NDArray[Any]] = []
        while len(found) < len(starts):
            lengths = np.zeros(len(starts) - len(found), dtype=np.int64)
            ends: tuple[Any, ...] = starts[len(found) :], goals[len(found) :]
            buffers: tuple[Any, ...] = *ends, workspace.path_buffer, lengths
            done = _follow_many(*self._head, *buffers)
            found += workspace.found_paths(lengths[:done])
        return found


def _edges_back(graph: Graph) -> tuple[Any, ...]:
    """Return step costs, steps back, and the links to each node; None for these without links."""
    links = (None, None, None) if graph.links is None else graph.links_back
    return graph.step_cost, graph.steps_back, *links


@compiled
def _find_edges(
    step_cost: Array,
    steps_back: Array,
    back_first: Array,
    back_source: Array,
    back_cost: Array,
    illegal: Number,
    node_class: Array,
    cols: Number,
    parent: Array,
    out: Array,
) -> None:
    """Write the cheapest edge from the parent of each node to it."""
    width = width_of(cols)
    n_rows = len(parent) // width[0]
    for node in range(len(parent)):
        before = np.int64(parent[node])
        if before < 0:
            continue
        price = np.float64(illegal)
        edge = _NO_EDGE
        for number in range(len(steps_back)):
            is_of_class = len(node_class) == 0 or node_class[before] == steps_back[number, 2]
            if node - steps_back[number, 0] == before and is_of_class:
                step = np.float64(step_cost[before, steps_back[number, 1]])
                if step < price:
                    price, edge = step, number
        if back_first is not None:
            for link in range(back_first[node], back_first[node + 1]):
                if back_source[link] == before and np.float64(back_cost[link]) < price:
                    price = np.float64(back_cost[link])
                    edge = len(steps_back) + link - back_first[node]
        out[striped_index(node, width, n_rows)] = edge


@helper
def _trace(
    step_cost: Array,
    steps_back: Array,
    back_first: Array,
    back_source: Array,
    back_cost: Array,
    width: Number,
    n_cells: Number,
    level: Array,
    edges: Array,
    start: Number,
    goal: Number,
    record: Array,
    end: Number,
) -> Number:
    """Write the rows of a path so that the last one is before `end`; return how many."""
    n_nodes = len(level)
    n_rows = n_nodes // width[0]
    node, place = np.int64(goal), np.int64(end)
    while True:
        place -= 1
        row, col, deck = cell_of(node, width, n_cells, n_nodes)
        record[place, 0], record[place, 1], record[place, 2] = row, col, deck
        record[place, 3], record[place, 4] = 0, level[u64(node)]
        if node == start:
            break
        edge = np.int64(edges[u64(striped_index(node, width, n_rows))])
        if edge == _NO_EDGE:
            return 0
        if back_first is None or edge < len(steps_back):
            node -= steps_back[u64(edge), 0]
            record[place, 3] = step_cost[u64(node), u64(steps_back[u64(edge), 1])]
        else:
            link = back_first[node] + edge - len(steps_back)
            record[place, 3] = back_cost[link]
            node = np.int64(back_source[link])
    for later in range(place + 1, end):
        record[later, 3] += record[later - 1, 3]
    return end - place


@compiled
def _follow(
    step_cost: Array,
    steps_back: Array,
    back_first: Array,
    back_source: Array,
    back_cost: Array,
    cols: Number,
    n_cells: Number,
    level: Array,
    edge_before: Array,
    start: Number,
    goal: Number,
    record: Array,
) -> Number:
    """Write the path so that its last row is that of the last node; return its length."""
    return _trace(
        step_cost, steps_back, back_first, back_source, back_cost, width_of(cols), n_cells, level,
        edge_before[start], start, goal, record, len(level),
    )  # fmt: skip


@compiled
def _follow_many(
    step_cost: Array,
    steps_back: Array,
    back_first: Array,
    back_source: Array,
    back_cost: Array,
    cols: Number,
    n_cells: Number,
    level: Array,
    edge_before: Array,
    starts: Array,
    goals: Array,
    record: Array,
    lengths: Array,
) -> int:
    """Write the paths one after the other while there is room; return how many are written.

    `lengths` gets the length of each path, 0 without a path.
    """
    width = width_of(cols)
    filled = 0
    for turn in range(len(goals)):
        end = filled + len(level)
        if end > len(record):
            return turn
        length = _trace(
            step_cost, steps_back, back_first, back_source, back_cost, width, n_cells, level,
            edge_before[starts[turn]], starts[turn], goals[turn], record, end,
        )  # fmt: skip
        for place in range(length):
            record[filled + place] = record[end - length + place]
        lengths[turn] = length
        filled += length
    return len(goals)
