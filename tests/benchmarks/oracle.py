"""Whether answers are right, by scipy and by walking every way again."""

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.maps import Cell, edges, price


class Oracle:
    """Costs of cheapest ways on one map; without scipy it only checks that ways can be walked.

    Parameters
    ----------
    level : (size, size) int
    """

    def __init__(self, level: NDArray[np.int16]) -> None:
        self._level = level.astype(np.int64)
        self._size = len(level)
        try:
            from scipy.sparse import csgraph, csr_array
        except ModuleNotFoundError:
            self._dijkstra = None
            return
        source, target, cost = edges(level)
        shape = level.size, level.size
        self._dijkstra = csgraph.dijkstra
        self._graph = csr_array((cost, (source, target)), shape=shape)
        self._back = csr_array((cost, (target, source)), shape=shape)
        self._known: dict[tuple[Cell, Cell], float] = {}
        self._fields: dict[Cell, NDArray[np.float64]] = {}

    @property
    def knows(self) -> bool:
        return self._dijkstra is not None

    def cost(self, start: Cell, goal: Cell) -> float:
        if (start, goal) not in self._known:
            costs = self._dijkstra(self._graph, indices=start[0] * self._size + start[1])
            self._known[start, goal] = float(costs[goal[0] * self._size + goal[1]])
        return self._known[start, goal]

    def is_cheapest(self, start: Cell, goal: Cell, cells: NDArray[np.int64]) -> bool:
        """Tell whether cells are a cheapest way, or rightly none."""
        # Some give the goal alone, or the start alone, for "no way".
        cost = np.inf
        if len(cells) > 1:
            if tuple(cells[0]) != start or tuple(cells[-1]) != goal:
                return False
            if not np.all(np.abs(np.diff(cells, axis=0)).sum(axis=1) == 1):
                return False
            cost = float(price(np.diff(self._level[cells[:, 0], cells[:, 1]])).sum())
            if cost == np.inf:
                return False
        return not self.knows or cost == self.cost(start, goal)

    def is_reach(self, start: Cell, budget: float, told: tuple[int, float]) -> bool:
        """Tell whether as many cells at the same sum of costs lie within the budget."""
        if not self.knows:
            return True
        costs = self._dijkstra(self._graph, indices=start[0] * self._size + start[1], limit=budget)
        within = costs[costs <= budget]
        return told == (len(within), within.sum())

    def is_field(self, goal: Cell, costs: NDArray[np.float64]) -> bool:
        if not self.knows:
            return True
        if goal not in self._fields:
            node = goal[0] * self._size + goal[1]
            self._fields[goal] = self._dijkstra(self._back, indices=node)
        return np.array_equal(costs.ravel(), self._fields[goal])
