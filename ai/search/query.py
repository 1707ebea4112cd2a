"""Asking the compiled search: what a graph and an estimate mean as its arguments."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.estimate import NORMS, Estimate
from ai.search.graph import Graph
from ai.search.kernel import NO_NODE, POOL_FULL, run
from ai.search.landmarks import Landmarks
from ai.search.scratch import Scratch

NO_LIMIT = 1e300
_MAX_WHOLE = 2**31 - 2**16  # whole costs so far are kept in 32 bits
_NO_PAUSE = 1 << 62
_BUCKETS_PER_STEP = 16
_LEAST_STEP = 1e-9  # narrower buckets would have numbers beyond any integer


class Course:
    """A graph with an estimate, ready to be searched again and again.

    Parameters
    ----------
    graph : Graph
    estimate : Estimate
        All zeros for Dijkstra's algorithm.
    least_step : float
        About the cost of a cheap step, which sets the width of the buckets of fractional costs.
    """

    def __init__(
        self, graph: Graph, estimate: Estimate | None = None, least_step: float = 1.0
    ) -> None:
        self.graph = graph
        self.estimate = estimate or Estimate()
        links, whole = graph.links, graph.is_whole
        self._number = int if whole else float
        has_estimate = graph.place is not None and self.estimate != Estimate()
        told = self.estimate
        bounds = (told.axis, told.diagonal, told.climb, told.drop)
        # What every call hands over alike, gathered once: calls are frequent and short.
        self._head: tuple[Any, ...] = (
            graph.step_cost,
            graph.broken,
            graph.offset,
            graph.node_class,
            links.first if links else None,
            links.target if links else None,
            links.cost if links else None,
            graph.place if has_estimate else None,
            NORMS[self.estimate.norm],
            *(self._number(part) for part in bounds),
        )
        self._scale = 1 if whole else _BUCKETS_PER_STEP / max(least_step, _LEAST_STEP)
        self._table_zero = np.int32(0) if whole else np.float32(0)
        self._highest = self._number(_MAX_WHOLE if whole else NO_LIMIT)

    def search(
        self,
        scratch: Scratch,
        sources: NDArray[np.int32],
        costs: NDArray[Any],
        goal: int = NO_NODE,
        *,
        landmarks: Landmarks | None = None,
        limit: float = NO_LIMIT,
        max_expansions: int = _NO_PAUSE,
        cost_weight: int = 1,
        blocked: NDArray[np.int64] | None = None,
        is_begin: bool = True,
    ) -> int:
        """Run until the goal is found, all within the limit is known, or it has to pause.

        Parameters
        ----------
        sources, costs
            Where to start, and at which cost.
        goal : int
            `NO_NODE` to explore all within the limit.
        landmarks : Landmarks, optional
            The index to use.
        limit : float
            No way may cost more.
        max_expansions : int
            Pause after so many, counted from the beginning of the search.
        cost_weight : int
            1; or 0 for greedy best-first search, which follows the estimate alone.
        blocked : (n,) int64, optional
            Nodes that cannot be entered.
        is_begin : bool
            False goes on with a search that has paused.

        Returns
        -------
        int
            GOAL_FOUND, EXHAUSTED or PAUSED; the rest is in `scratch`.
        """
        number = self._number
        table, slack = None, number(0)
        if landmarks is not None:
            table, slack = landmarks.table, number(landmarks.slack)
        middle: tuple[Any, ...] = (
            table,
            self._table_zero,
            slack,
            sources,
            costs,
            goal,
            number(cost_weight),
            self._scale,
            number(limit) if limit < self._highest else self._highest,
            max_expansions,
            cost_weight > 0,
        )
        while True:
            if is_begin:
                scratch.next_stamp()
                if blocked is not None and len(blocked):
                    scratch.block(blocked)
            arguments = (*self._head, *middle, scratch.stamp, *scratch.arrays, is_begin)
            status: int = run(*arguments)
            if status != POOL_FULL:
                return status
            scratch.grow_pool()
            is_begin = True
