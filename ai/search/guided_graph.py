"""A graph with a heuristic, and the calls of the compiled searches on it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import Bundle
from ai.search.astar import dijkstra_int, reach_int, reach_many, search
from ai.search.equal_paths import MAX_COST
from ai.search.graph import Graph
from ai.search.heuristics import Heuristic, NodeLayout
from ai.search.search_state import (
    FIRST_PARENTS,
    NO_NODE,
    POOL_FULL,
    SETTLED_PARENTS,
    UNSETTLED,
)
from ai.search.workspace import FloatWorkspace, Workspace

if TYPE_CHECKING:
    from ai.search.landmarks import Landmarks

NO_LIMIT = 1e300
_NO_PAUSE = 1 << 62
_BUCKETS_PER_STEP = 16
"""Buckets for the cost of a cheap step in searches of any costs."""
_LEAST_STEP = 1e-9  # narrower buckets would have numbers beyond any integer
_NO_ROUGH = np.zeros((0, 2), dtype=np.uint8)
_NO_TABLE = np.zeros((0, 2), dtype=np.float32), _NO_ROUGH
_NO_TABLE_WHOLE = np.zeros((0, 2), dtype=np.uint16), _NO_ROUGH


class GuidedGraph:
    """A graph with a heuristic, ready for any number of searches.

    Without a heuristic it is all zeros, for Dijkstra's algorithm. `least_step` is the approximate
    cost of a cheap step; it sets the bucket width of the search for any costs.
    """

    def __init__(
        self, graph: Graph, heuristic: Heuristic | None = None, least_step: float = 1.0
    ) -> None:
        self.graph = graph
        self.heuristic = (heuristic if graph.layout else None) or Heuristic()
        layout = graph.layout or NodeLayout(graph.n_nodes, np.zeros(graph.n_nodes, dtype=np.int16))
        # Whole costs on squares without links have a faster specialization of the search.
        if not graph.is_plain or self.heuristic.norm == "straight":
            layout = layout.with_places()
        self.layout = layout
        self._choice = FIRST_PARENTS  # until a path meets a step that costs nothing
        self._guided: tuple[Landmarks | None, tuple[Any, ...]] = None, ()
        self._scale = _BUCKETS_PER_STEP / max(least_step, _LEAST_STEP)  # buckets per unit
        self._number = int if graph.is_whole else float
        self._highest = MAX_COST if graph.is_whole else NO_LIMIT

    def _bundled(self, slack: float, *, is_guided: bool) -> Bundle:
        """Return the arrays that all calls share, in the order of `edges_at` and `layout_at`."""
        layout = self.layout
        number = np.int64 if self.graph.is_whole else np.float64
        return Bundle(
            *self.graph.edge_arrays,
            layout.level,
            np.array(self.heuristic.weights, dtype=number),
            np.array([layout.cols, layout.n_cells, is_guided]),
            np.array([self._scale, slack]),
        )

    @cached_property
    def _plain_head(self) -> tuple[Any, ...]:
        """The bundle, places and tables of all calls without landmarks."""
        place, is_guided = self.layout.place, max(self.heuristic.weights) > 0
        table = _NO_TABLE_WHOLE if self.graph.is_whole else _NO_TABLE
        bundle = self._bundled(0.0, is_guided=is_guided)
        return bundle, place, *((None, None) if place is None else table)

    def search(
        self,
        workspace: Workspace,
        sources: NDArray[np.int32],
        costs: NDArray[Any],
        goal: int = NO_NODE,
        *,
        landmarks: Landmarks | None = None,
        limit: float = NO_LIMIT,
        max_expansions: int = _NO_PAUSE,
        cost_weight: float = 1.0,
        blocked: NDArray[np.int64] | None = None,
        is_backward: bool = False,
        is_begin: bool = True,
        choice: int | None = None,
    ) -> int:
        """Run until the goal is found, everything within the limit is known, or the pause is due.

        Return GOAL_FOUND, EXHAUSTED or PAUSED; the rest is in `workspace`, which must be of the
        graph's size and kind of costs.

        Parameters
        ----------
        sources, costs
            Nodes to start from, and their start costs.
        goal : int
            `NO_NODE` to explore all within the limit.
        max_expansions : int
            Pause after this many expansions since the search began; without `is_begin` a paused
            search continues.
        cost_weight : float
            Weight of the cost so far beside the heuristic, below 1 only for graphs with any costs;
            see `astar`. 0 is greedy best-first search.
        is_backward : bool
            Write the path from the goal to the source.
        choice : int, optional
            `OWN_PARENTS` leaves the path along the parents of the search, `FIRST_PARENTS` chooses
            it by `equal_paths`, `SETTLED_PARENTS` does so where steps may cost nothing. A search
            that is continued needs the one that fits.
        """
        bundle, *tables = self._plain_head if landmarks is None else self._head_with(landmarks)
        limit = self._rounded(limit)
        run: Any = search  # mypy takes each tuple for any number of arguments
        workspace.cost_weight[0] = cost_weight
        given = sources, costs, goal, limit, max_expansions
        while True:
            if is_begin:
                workspace.begin(blocked=blocked)
            chosen = self._choice if choice is None else choice
            status, workspace.path_length = run(
                bundle.words, *tables, workspace.bundle.words, *given, workspace.generation,
                workspace.cost_weight, is_backward, is_begin, chosen,
            )  # fmt: skip
            if status == UNSETTLED:
                choice = self._choice = SETTLED_PARENTS
            elif status == POOL_FULL:
                workspace.grow_pool()
            else:
                return int(status)
            is_begin = True

    def _rounded(self, limit: float) -> float:
        """Return a limit of cost as the searches take it."""
        return self._number(limit) if limit < self._highest else self._highest

    def _head_with(self, landmarks: Landmarks) -> tuple[Any, ...]:
        known, head = self._guided  # one read: other threads may use other landmarks
        if known is not landmarks:
            bundle = self._bundled(landmarks.unit, is_guided=True)
            tables = landmarks.striped_costs, landmarks.coarse_costs
            head = bundle, self.layout.place, *tables
            self._guided = landmarks, head
        return head

    def dijkstra(
        self,
        workspace: Workspace,
        sources: NDArray[np.int32],
        costs: NDArray[Any],
        *,
        limit: float = NO_LIMIT,
        blocked: NDArray[np.int64] | None = None,
    ) -> None:
        """Find the costs of all nodes within a limit; arguments and results as in `search`."""
        if isinstance(workspace, FloatWorkspace):
            self.search(workspace, sources, costs, limit=limit, blocked=blocked)
            return
        if len(sources) > 1:
            order = np.argsort(costs, kind="stable")
            sources, costs = sources[order], costs[order]
        limit, status, (bundle, place, *_) = self._rounded(limit), POOL_FULL, self._plain_head
        while status == POOL_FULL:
            workspace.begin(blocked=blocked)
            head = bundle.words, place, workspace.bundle.words
            status = dijkstra_int(*head, sources, costs, limit, workspace.generation)
            if status == POOL_FULL:
                workspace.grow_pool()

    def reach(
        self,
        workspace: Workspace,
        source: int,
        limit: float,
        blocked: NDArray[np.int64] | None = None,
    ) -> NDArray[Any]:
        """(n, 7) row, column, deck, cost, level, parent's row and number of nodes within a limit.

        The cheapest come first, the source with no parent, -1, before all.
        """
        workspace.one_source[0] = source
        bundle, place, *_ = self._plain_head
        if isinstance(workspace, FloatWorkspace):
            start = workspace.one_source, workspace.no_cost
            self.search(workspace, *start, limit=limit, blocked=blocked)
            return workspace.found_nodes(bundle)
        limit = self._rounded(limit)
        while True:
            workspace.begin(blocked=blocked)
            given = workspace.bundle.words, workspace.one_source, limit, workspace.generation
            record = reach_int(bundle.words, place, *given)
            if record is not None:
                return record
            workspace.grow_pool()

    def reach_many(
        self, workspace: Workspace, sources: NDArray[np.int32], limit: float
    ) -> tuple[NDArray[Any], ...]:
        """Return how many nodes each source reaches, (n, 3) cells of all and (n,) their costs."""
        found = [(np.zeros(0, np.int64), np.zeros((0, 3), np.int32), np.zeros(0))]
        n_done, (bundle, place, *_) = 0, self._plain_head
        while n_done < len(sources):
            if isinstance(workspace, FloatWorkspace):
                record = self.reach(workspace, int(sources[n_done]), limit)
                count, cells, costs = np.array([len(record)]), record[:, :3], record[:, 3]
            else:
                begun = workspace.begin(len(sources) - n_done)
                ahead, now = sources[n_done : n_done + begun], workspace.generation
                given = workspace.bundle.words, ahead, self._rounded(limit), now
                count, cells, costs = reach_many(bundle.words, place, *given)
                workspace.generation -= begun - 1
                if len(count) < begun:
                    workspace.grow_pool()
            found.append((count, cells.astype(np.int32, copy=False), costs))
            n_done += len(count)
        return found[1] if len(found) == 2 else tuple(map(np.concatenate, zip(*found, strict=True)))
