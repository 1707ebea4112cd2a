"""Check answers with SciPy and by adding up the steps of every path."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from tests.benchmarks.maps import edges, price


class Oracle:
    """Costs of cheapest paths on one map.

    Parameters
    ----------
    level : (size, size) int
    """

    def __init__(self, level):
        self._level, self._size = level.astype(np.int64), len(level)
        (source, target, cost), shape = edges(level), (level.size, level.size)
        self._graph = csr_array((cost, (source, target)), shape=shape)
        self._back = csr_array((cost, (target, source)), shape=shape)
        self._known, self._fields = {}, {}

    def node(self, cell):
        return int(cell[0] * self._size + cell[1])

    def walked(self, cells):
        """Return the cost of a path of several cells; infinity if it is not legal."""
        if not np.all(np.abs(np.diff(cells, axis=0)).sum(axis=1) == 1):
            return np.inf
        return float(price(np.diff(self._level[cells[:, 0], cells[:, 1]])).sum())

    def cost(self, start, goal):
        if (start, goal) not in self._known:
            costs = dijkstra(self._graph, indices=self.node(start))
            self._known[start, goal] = float(costs[self.node(goal)])
        return self._known[start, goal]

    def is_cheapest(self, start, goal, cells):
        """Return whether cells are a cheapest path, or empty where there is no path."""
        # Some libraries return the goal alone, or the start alone, for "no path".
        cost = np.inf
        if len(cells) > 1:
            if self.node(cells[0]) != self.node(start) or self.node(cells[-1]) != self.node(goal):
                return False
            cost = self.walked(cells)
            if cost == np.inf:
                return False
        return cost == self.cost(start, goal)

    def is_reach(self, start, budget, answer):
        """Return whether the number of cells within the budget and the sum of their costs agree."""
        costs = dijkstra(self._graph, indices=self.node(start), limit=budget)
        within = costs[costs <= budget]
        return answer == (len(within), within.sum())

    def is_field(self, goal, costs):
        if goal not in self._fields:
            self._fields[goal] = dijkstra(self._back, indices=self.node(goal))
        return np.array_equal(costs.ravel(), self._fields[goal])
