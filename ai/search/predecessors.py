"""Predecessors: the node before any node on the path from any start, for a small graph."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled, helper
from ai.search.graph import Graph
from ai.search.grid_index import cell_of, width_of
from ai.search.guided_graph import GuidedGraph
from ai.search.landmark_selection import Progress
from ai.search.search_state import EVERY_REGION, EXHAUSTED, GOAL_FOUND, NO_NODE
from ai.search.workspace import Workspace

MAX_HOP_NODES = 4096
"""The largest graph with this index, which takes two bytes for each pair of nodes."""


@dataclass(frozen=True)
class Predecessors:
    """The node before any node on the path from any start, by the rule of `equal_paths`."""

    graph: Graph
    before: NDArray[np.uint16]
    """(n_nodes, n_nodes) by start and node; the node itself at the start, and without a path."""
    _head: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Gather the arguments that all calls share."""
        layout = self.graph.layout
        if layout is None:
            raise ValueError("paths consist of rows and columns, but the graph has no layout")
        head = *self.graph.arrays, layout.cols, layout.n_cells, layout.level, self.before
        object.__setattr__(self, "_head", head)

    @staticmethod
    def of(graph: Graph, least_step: float, progress: Progress | None = None) -> "Predecessors":
        """Build the index of a graph of at most `MAX_HOP_NODES`, by a search from every node.

        The arguments are those of `choose_landmarks`; each start counts as a landmark.
        """
        count = graph.n_nodes
        workspace = Workspace.of(count, is_whole=graph.is_whole)
        guided = GuidedGraph(graph, least_step=least_step)
        itself = np.arange(count, dtype=np.uint16)
        before = np.empty((count, count), dtype=np.uint16)
        for start in range(count):
            workspace.one_source[0] = start
            guided.dijkstra(workspace, workspace.one_source, workspace.no_cost)
            _, _, parent = workspace.decode()
            before[start] = np.where(parent == NO_NODE, itself, parent)
            if progress is not None:
                progress(start + 1, count)
        return Predecessors(graph, before)

    def look_up(self, workspace: Workspace, start: int, goal: int) -> int:
        """Follow the table; return GOAL_FOUND or EXHAUSTED and leave the path in `workspace`."""
        workspace.one_source[0], workspace.one_goal[0] = start, goal
        _follow(*self._head, *workspace.path_buffers())
        workspace.regions = EVERY_REGION  # any edit may have made a step cheaper
        return GOAL_FOUND if workspace.has_path else EXHAUSTED

    def look_up_many(
        self, workspace: Workspace, starts: NDArray[np.int32], goals: NDArray[np.int32]
    ) -> list[NDArray[Any]]:
        """Return the path from each start to its goal; see `GuidedGraph.search_many`."""
        found: list[NDArray[Any]] = []
        while len(found) < len(starts):
            lengths, record = workspace.many_path_buffers(len(starts) - len(found))
            buffers: tuple[Any, ...] = starts[len(found) :], goals[len(found) :], record, lengths
            done = _follow(*self._head, *buffers)
            found += workspace.found_paths(lengths[:done])
        return found


@helper
def _cheapest_edge(
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    link_first: Array,
    link_target: Array,
    link_cost: Array,
    node: Number,
    there: Number,
) -> Number:
    """Return the cost of the cheapest edge between two nodes; `illegal` if there is none."""
    own_class = np.int64(node_class[node]) if len(node_class) > 0 else np.int64(0)
    price = illegal
    for slot in range(step_cost.shape[1]):
        if node + offset[own_class, slot] == there:
            price = min(price, type(price)(step_cost[node, slot]))
    if len(link_first) > 0:
        for link in range(link_first[node], link_first[node + 1]):
            if link_target[link] == there:
                price = min(price, type(price)(link_cost[link]))
    return price


@compiled
def _follow(
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    link_first: Array,
    link_target: Array,
    link_cost: Array,
    cols: Number,
    n_cells: Number,
    level: Array,
    before: Array,
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
        if filled + len(before) > len(record):
            return turn
        start, goal = np.int64(starts[turn]), np.int64(goals[turn])
        node, length = goal, 1
        while node != start:
            there = np.int64(before[start, node])
            if there == node or length == len(before):  # a file may have a circle
                length = 0
                break
            node = there
            length += 1
        node = goal
        for place in range(filled + length - 1, filled - 1, -1):
            row, col, deck = cell_of(node, width, n_cells, len(before))
            record[place, 0], record[place, 1], record[place, 2] = row, col, deck
            record[place, 4] = level[node]
            there, node = node, np.int64(before[start, node])
            price = illegal * 0
            if place > filled:
                price = _cheapest_edge(
                    step_cost, illegal, offset, node_class, link_first, link_target, link_cost,
                    node, there,
                )  # fmt: skip
            record[place, 3] = price
            if price >= illegal:
                length = 0
        for place in range(filled + 1, filled + length):
            record[place, 3] += record[place - 1, 3]
        lengths[turn] = length
        filled += length
    return len(goals)
