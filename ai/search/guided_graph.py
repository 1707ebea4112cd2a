"""A graph with a heuristic, and the calls of the compiled searches on it."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.astar_float import search_float
from ai.search.astar_int import search_int
from ai.search.bounded_dijkstra import dijkstra_int
from ai.search.equal_paths import MAX_COST
from ai.search.graph import Graph
from ai.search.heuristics import Heuristic, NodeLayout
from ai.search.landmarks import Landmarks
from ai.search.search_state import (
    FIRST_PARENTS,
    NO_NODE,
    POOL_FULL,
    SETTLED_PARENTS,
    UNSETTLED,
)
from ai.search.workspace import IntWorkspace, Workspace

NO_LIMIT = 1e300
_NO_PAUSE = 1 << 62
BUCKETS_PER_STEP = 16
"""Buckets for the cost of a cheap step in searches of any costs."""
_LEAST_STEP = 1e-9  # narrower buckets would have numbers beyond any integer
_MANY = 256  # searches in one call: longer ones gain nothing
NO_REGIONS = np.zeros(0, dtype=np.uint8)
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
        # The arguments that all calls share, gathered once. They stay loose: all 33 cost 2.4 us a
        # call, grouped in named tuples 5.9 us, and a short query takes only 26 us.
        self._edges = graph.arrays
        if graph.is_plain and layout.place is None:
            self._edges = (*graph.arrays[:3], None, None, None, None)
        self._choice = FIRST_PARENTS  # until a path meets a step that costs nothing
        self._guided: tuple[Landmarks | None, tuple[Any, ...]] = None, ()
        self._run: Any = search_int if graph.is_whole else search_float
        scale = BUCKETS_PER_STEP / max(least_step, _LEAST_STEP)  # buckets per unit
        self._scale = () if graph.is_whole else (scale,)
        self._number = int if graph.is_whole else float
        self._highest = MAX_COST if graph.is_whole else NO_LIMIT

    @cached_property
    def _head(self) -> tuple[Any, ...]:
        """The arguments of both searches that all calls share, up to the heuristic."""
        graph, layout = self.graph, self.layout
        back = (None, None, None) if self._edges[3] is None else graph.links_back
        number = np.int64 if graph.is_whole else np.float64
        weights = np.array(self.heuristic.weights, dtype=number)
        return (
            *self._edges,
            graph.steps_back,
            *back,
            layout.cols,
            layout.n_cells,
            layout.place,
            layout.level,
            weights,
        )

    @cached_property
    def _plain_head(self) -> tuple[Any, ...]:
        """The arguments that all calls without landmarks share."""
        is_guided = max(self.heuristic.weights) > 0
        if not self.graph.is_whole:
            return (*self._head, is_guided, *_NO_TABLE, 0.0)
        no_table = (None, None) if self.layout.place is None else _NO_TABLE_WHOLE
        return (*self._head, is_guided, *no_table)

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
        region_of: NDArray[np.uint8] = NO_REGIONS,
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
            see `astar_float`. 0 is greedy best-first search.
        is_backward : bool
            Write the path from the goal to the source.
        region_of : (n_nodes,) uint8
            Which of 64 regions each node lies in; `Workspace.regions` gets those of the search.
        choice : int, optional
            `OWN_PARENTS` leaves the path along the parents of the search, `FIRST_PARENTS` chooses
            it by `equal_paths`, `SETTLED_PARENTS` does so where steps may cost nothing. A search
            that is continued needs the one that fits.
        """
        head = self._plain_head if landmarks is None else self._head_with(landmarks)
        limit = self._number(limit) if limit < self._highest else self._highest
        workspace.one_goal[0] = goal
        while True:
            if is_begin:
                workspace.begin()
                if blocked is not None and len(blocked):
                    workspace.block(blocked)
            status, _, regions = self._run(
                *head,
                sources,
                costs,
                workspace.one_goal,
                limit,
                max_expansions,
                *((cost_weight, *self._scale) if self._scale else ()),
                *workspace.arguments(),
                is_backward,
                region_of,
                is_begin,
                self._choice if choice is None else choice,
            )
            if status == UNSETTLED:
                choice = self._choice = SETTLED_PARENTS
            elif status == POOL_FULL:
                workspace.grow_pool()
            else:
                workspace.regions = regions
                return int(status)
            is_begin = True

    def _head_with(self, landmarks: Landmarks) -> tuple[Any, ...]:
        known, head = self._guided  # one read: other threads may use other landmarks
        if known is not landmarks:
            head = *self._head, True, landmarks.striped_costs, landmarks.coarse_costs
            head = head if self.graph.is_whole else (*head, landmarks.unit)
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
        if not isinstance(workspace, IntWorkspace):
            self.search(workspace, sources, costs, limit=limit, blocked=blocked)
            return
        if len(sources) > 1:
            order = np.argsort(costs, kind="stable")
            sources, costs = sources[order], costs[order]
        limit = int(limit) if limit < MAX_COST else MAX_COST
        status = POOL_FULL
        while status == POOL_FULL:
            workspace.begin()
            if blocked is not None and len(blocked):
                workspace.block(blocked)
            given = self.graph.steps_back, sources, costs, limit
            arguments = *self._edges, *given, *workspace.dijkstra_arguments()
            status = dijkstra_int(*arguments)
            if status == POOL_FULL:
                workspace.grow_pool()

    def search_many(
        self,
        workspace: IntWorkspace,
        starts: NDArray[np.int32],
        goals: NDArray[np.int32],
        landmarks: Landmarks | None = None,
    ) -> list[NDArray[np.int32]]:
        """Find a path from each start to its goal, mostly without the interpreter lock.

        Return records as `Workspace.found_path` does; one without rows means that there is no path.
        """
        head = self._plain_head if landmarks is None else self._head_with(landmarks)
        found: list[NDArray[np.int32]] = []
        while len(found) < len(starts):
            lengths, arguments = workspace.begin_many(min(_MANY, len(starts) - len(found)))
            ahead = slice(len(found), len(found) + len(lengths))
            status, done, _ = self._run(
                *head,
                starts[ahead],
                np.zeros(len(lengths), dtype=np.int64),
                goals[ahead],
                self._highest,
                _NO_PAUSE,
                *arguments,
                False,
                NO_REGIONS,
                True,
                self._choice,
            )
            if status == UNSETTLED:
                self._choice = SETTLED_PARENTS
            elif done == 0:
                workspace.grow_pool()
            found += workspace.found_paths(lengths[:done])
        return found
