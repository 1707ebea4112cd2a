"""Peers that take nodes and edges: w9-pathfinding, rustworkx, networkx, scipy."""

import numpy as np

from tests.benchmarks.maps import edges
from tests.benchmarks.peers import OnNodes


class W9(OnNodes):
    """w9-pathfinding: a directed Graph with coordinates and A*; its estimate is Euclidean."""

    def __init__(self, level):
        from w9_pathfinding import envs, pf

        super().__init__(level)
        source, target, cost = (part.tolist() for part in edges(level))
        self._graph = envs.Graph(
            level.size,
            directed=True,
            edges=list(zip(source, target, cost, strict=True)),
            coordinates=np.indices(level.shape).reshape(2, -1).T.tolist(),
        )
        self._finder = pf.AStar(self._graph)

    def find_path(self, start, goal):
        return self._finder.find_path(self.node(start), self.node(goal))


class Rustworkx(OnNodes):
    """rustworkx: a PyDiGraph, A* with the Manhattan estimate as a Python function."""

    def __init__(self, level):
        import rustworkx

        super().__init__(level)
        self._rustworkx = rustworkx
        self._graph = rustworkx.PyDiGraph(multigraph=False)
        self._graph.add_nodes_from(
            [divmod(node, self.size) for node in range(self.size * self.size)]
        )
        self._graph.add_edges_from(
            list(zip(*(part.tolist() for part in edges(level)), strict=True))
        )
        self._back = None

    def find_path(self, start, goal):
        row, col = goal

        def estimate(cell):
            return abs(cell[0] - row) + abs(cell[1] - col)

        try:
            return self._rustworkx.digraph_astar_shortest_path(
                self._graph, self.node(start), goal.__eq__, float, estimate
            )
        except self._rustworkx.NoPathFound:
            return []

    def cost_field(self, goal):
        if self._back is None:
            self._back = self._graph.copy()
            self._back.reverse()
        node = self.node(goal)
        return node, self._rustworkx.digraph_dijkstra_shortest_path_lengths(self._back, node, float)

    def costs(self, answer):
        """Read the costs; the goal itself is not among them."""
        node, others = answer
        costs = super().costs(others)
        costs.flat[node] = 0
        return costs

    def set_level(self, cell, level):
        self.level[cell] = level
        graph = self._graph
        for start, end, cost in self.steps_at(cell):
            if cost is not None:
                graph.add_edge(start, end, cost)  # replaces the one there is
            elif graph.has_edge(start, end):
                graph.remove_edge(start, end)


class Networkx(OnNodes):
    """networkx: a DiGraph, A* with the Manhattan estimate."""

    def __init__(self, level):
        import networkx

        super().__init__(level)
        self._networkx = networkx
        self._graph = networkx.DiGraph()
        self._graph.add_nodes_from(range(level.size))
        source, target, cost = (part.tolist() for part in edges(level))
        self._graph.add_weighted_edges_from(zip(source, target, cost, strict=True))
        self._back = None

    def find_path(self, start, goal):
        row, col = goal
        size = self.size

        def estimate(node, _):
            return abs(node // size - row) + abs(node % size - col)

        try:
            return self._networkx.astar_path(
                self._graph, self.node(start), self.node(goal), estimate
            )
        except self._networkx.NetworkXNoPath:
            return []

    def reach(self, start, budget):
        return self._networkx.single_source_dijkstra_path_length(
            self._graph, self.node(start), cutoff=budget
        )

    def cost_field(self, goal):
        if self._back is None:
            self._back = self._graph.reverse()
        return self._networkx.single_source_dijkstra_path_length(self._back, self.node(goal))

    def set_level(self, cell, level):
        self.level[cell] = level
        for start, end, cost in self.steps_at(cell):
            if cost is not None:
                self._graph.add_edge(start, end, weight=cost)
            elif self._graph.has_edge(start, end):
                self._graph.remove_edge(start, end)


class Scipy(OnNodes):
    """scipy.sparse.csgraph: Dijkstra's algorithm over the whole map, with predecessors."""

    def __init__(self, level):
        from scipy.sparse import csgraph, csr_array

        super().__init__(level)
        self._dijkstra = csgraph.dijkstra
        self._array = csr_array
        self._build()

    def _build(self):
        source, target, cost = edges(self.level)
        first = np.zeros(self.level.size + 1, dtype=np.int32)
        np.cumsum(np.bincount(source, minlength=self.level.size), out=first[1:])
        shape = self.level.size, self.level.size
        self._graph = self._array((cost, target.astype(np.int32), first), shape=shape)
        self._back = None

    def find_path(self, start, goal):
        node = self.node(goal)
        _, before = self._dijkstra(self._graph, indices=self.node(start), return_predecessors=True)
        path = [node]
        while (node := int(before[node])) >= 0:
            path.append(node)
        path.reverse()
        return path if path[0] == self.node(start) else []

    def reach(self, start, budget):
        cost = self._dijkstra(self._graph, indices=self.node(start), limit=budget)
        return cost[cost <= budget]

    def reached(self, answer):
        return len(answer), answer.sum()

    def cost_field(self, goal):
        if self._back is None:
            self._back = self._graph.T.tocsr()
        return self._dijkstra(self._back, indices=self.node(goal))

    def costs(self, answer):
        return answer.reshape(self.size, self.size)

    def set_level(self, cell, level):
        """Build the matrix anew: steps come and go, and it has no room for new ones."""
        self.level[cell] = level
        self._build()
