"""Workspaces: the reusable arrays of searches, and the calls of the compiled search."""

import math
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from ai.search.astar import (
    BASE,
    FULL,
    NO_LIMIT,
    NO_NODE,
    Guide,
    Work,
    found,
    nodes_before,
    reach,
    reach_many,
    search,
)
from ai.search.graph import EdgeArrays, Graph

if TYPE_CHECKING:
    from ai.search.landmarks import Landmarks

_N_GENERATIONS = 2**15 - 2
_UNSEEN = np.iinfo(np.int64).max

NO_NODES = np.zeros(0, dtype=np.int64)


_NO_TABLE = np.zeros((0, 0), np.uint16), np.zeros((0, 0), np.uint8)
_BUCKETS_PER_STEP = 16
"""Buckets for the cost of the cheapest edge, where costs do not fit in bytes."""


class Guided:
    """A graph with lower bounds, by landmarks too if there are some, as searches take it."""

    def __init__(self, graph: Graph, landmarks: "Landmarks | None" = None) -> None:
        self.graph, layout = graph, graph.layout
        # Plain tuples take less time to pass.
        self.edges = cast(EdgeArrays, tuple(graph.edges))
        self.shift: int | None = None
        """log2 of the range of a bucket; None for one unit and costs in bytes."""
        if not graph.is_small:
            self.shift = max(0, math.floor(math.log2(graph.least / _BUCKETS_PER_STEP)))
        table, scale = _NO_TABLE, 0
        if landmarks is not None:
            table, scale = (landmarks.striped_costs, landmarks.coarse_costs), landmarks.scale
        number = np.array([*graph.bound, layout.rows, layout.cols, *layout.shift, scale])
        self.guide = cast(Guide, tuple(Guide(layout.level, number, *table)))


class PathReader:
    """Reads paths off the costs of a search when they are needed, whatever was edited since.

    They begin at sources with start costs and do not leave halting nodes.
    """

    def __init__(
        self,
        graph: Graph,
        sources: NDArray[np.int64],
        starts: NDArray[np.int64],
        halting: NDArray[np.int64],
    ) -> None:
        # Edits change costs in place.
        self._edges = cast(EdgeArrays, (graph.cost.copy(), *graph.edges[1:]))
        self._sources, self._starts, self._halting = sources, starts, halting

    def nodes_before(self, costs: NDArray[np.int64]) -> NDArray[np.int32]:
        """(n_nodes,) the node before each one on its path by their costs, -1 without one."""
        before = nodes_before(self._edges, costs, self._halting)
        before[self._sources[costs[self._sources] == self._starts]] = NO_NODE
        return before

    def entries_before(self, record: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,) the entry before each one in a record of `Workspace.reach`, -1 for the start."""
        nodes, n_nodes = record[:, -1], len(self._edges[0])
        costs, entry_of = np.full(n_nodes, -1), np.full(n_nodes + 1, -1)
        costs[nodes], entry_of[nodes] = record[:, -3], np.arange(len(nodes))
        return entry_of[self.nodes_before(costs)[nodes]]  # the last one is of no node


class Workspace:
    """The arrays for searches on graphs of one size; one thread at a time may use them.

    They take up to 100 bytes for each node. Most searches touch few of them; on most systems
    untouched pages take no memory.
    """

    def __init__(self, n_nodes: int) -> None:
        self._generation = _N_GENERATIONS
        size = 3 * n_nodes // 2 + 1024
        self._work = Work(
            np.full(n_nodes, _UNSEEN),
            np.zeros((3, n_nodes), np.int32),
            np.empty((size, 2), np.int32),
            np.empty(size, np.int64),
            np.empty(256, np.int32),
            np.empty((n_nodes, 5), np.int64),
        )
        self._arrays = cast(Work, tuple(self._work))
        self._source = np.zeros((1, 2), np.int64)
        self.n_closed = 0
        """How many nodes the latest search closed; a node closed twice counts twice."""

    def find_path(
        self,
        graph: Guided,
        source: int,
        goal: int,
        limit: int = NO_LIMIT,
        blocked: NDArray[np.int64] = NO_NODES,
        halting: NDArray[np.int64] = NO_NODES,
    ) -> NDArray[np.int64]:
        """(n, 5) row, column, deck, cost so far and level along the path; no rows without one.

        Parameters
        ----------
        limit : int
            No path that costs more is found.
        blocked, halting : (n,) int64
            Nodes that cannot be entered, and nodes that cannot be left once entered.
        """
        self._source[0, 0] = source
        length = self._search(graph, self._source, goal, limit, blocked, halting)
        return self._work.path[:length].copy()

    def find_path_back(
        self,
        graph: Guided,
        sources: NDArray[np.int64],
        goal: int,
        limit: int = NO_LIMIT,
        blocked: NDArray[np.int64] = NO_NODES,
    ) -> NDArray[np.int64]:
        """Return the path from `goal` to the nearest source, on a graph with reversed edges."""
        ends = np.array((sources, np.zeros_like(sources))).T.copy()
        length = self._search(graph, ends, goal, limit, blocked, NO_NODES)
        rows = self._work.path[:length][::-1].copy()
        rows[:, 3] = rows[:1, 3] - rows[:, 3]
        return rows

    def reach(
        self,
        graph: Guided,
        source: int,
        limit: int,
        blocked: NDArray[np.int64] = NO_NODES,
        halting: NDArray[np.int64] = NO_NODES,
    ) -> NDArray[np.int64]:
        """(n, 7) entry before, row, column, deck, cost, level and node of all within a limit.

        The cheapest come first, the source with no entry before, -1, ahead of all. If they are many
        of the graph's nodes, only (n, 3) the last columns; `PathReader` reads the entries before.
        """
        self._source[0, 0] = source
        while True:
            self._begin(1, blocked, halting)
            record, self.n_closed = reach(
                graph.edges, graph.guide, self._arrays, self._source, limit, self._generation,
                len(halting) > 0, graph.shift,
            )  # fmt: skip
            if self.n_closed != FULL:
                return record
            self._grow()

    def costs(
        self,
        graph: Guided,
        sources: NDArray[np.int64],
        starts: NDArray[np.int64],
        halting: NDArray[np.int64] = NO_NODES,
    ) -> NDArray[np.int64]:
        """(n_nodes,) costs from the cheapest source, with its start cost; -1 without a path."""
        ends = np.array((sources, starts)).T.copy()  # faster than to stack them
        self._search(graph, ends, None, NO_LIMIT, NO_NODES, halting)
        return found(self._work.word, self._generation)

    def costs_from(self, graph: Guided, source: int) -> NDArray[np.int64]:
        """(n_nodes,) costs from one source, -1 without a path."""
        return self.costs(graph, np.array([source]), np.zeros(1, np.int64))

    def reach_many(
        self, graph: Guided, sources: NDArray[np.int64], limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return how many nodes each source reaches, and (n, 2) all of them with their costs."""
        counts, found, n_done = [np.zeros(0, np.int64)], [np.zeros((0, 2), np.int64)], 0
        ends = np.column_stack([sources, np.zeros_like(sources)])
        while n_done < len(sources):
            ahead = ends[n_done : n_done + _N_GENERATIONS - 1]
            self._begin(len(ahead), NO_NODES, NO_NODES)
            part = reach_many(
                graph.edges, graph.guide, self._arrays, ahead, limit, self._generation, graph.shift
            )
            self._generation -= len(ahead) - 1
            if len(part[0]) < len(ahead):
                self._grow()
            counts.append(part[0])
            found.append(part[1])
            n_done += len(part[0])
        return np.concatenate(counts), np.concatenate(found)

    def _search(
        self,
        graph: Guided,
        sources: NDArray[np.int64],
        goal: int | None,
        limit: int,
        blocked: NDArray[np.int64],
        halting: NDArray[np.int64],
    ) -> int:
        """Search, again with a larger pool if it does not suffice; return the path's length."""
        while True:
            self._begin(1, blocked, halting)
            length, self.n_closed = search(
                graph.edges, graph.guide, self._arrays, sources, goal, limit, self._generation,
                len(halting) > 0, graph.shift,
            )  # fmt: skip
            if length != FULL:
                return int(length)
            self._grow()

    def _begin(self, count: int, blocked: NDArray[np.int64], halting: NDArray[np.int64]) -> None:
        """Begin `count` searches in the generations from a new one down.

        The first may not enter or leave some nodes. Words of older searches no longer count: they
        are of higher generations. All are cleared when too few are left.
        """
        if self._generation <= count:
            self._work.word[:] = _UNSEEN
            self._work.mark[0] = 0
            self._generation = _N_GENERATIONS
        self._generation -= 1
        if len(blocked):
            self._work.word[blocked] = (self._generation << BASE) - 1
        if len(halting):
            self._work.mark[0, halting] = self._generation

    def _grow(self) -> None:
        """Double the entries of the frontier, after a search ran out of them."""
        size = 2 * len(self._work.pool)
        pool, wait = np.empty((size, 2), np.int32), np.empty(size, np.int64)
        self._work = self._work._replace(pool=pool, wait=wait)
        self._arrays = cast(Work, tuple(self._work))
