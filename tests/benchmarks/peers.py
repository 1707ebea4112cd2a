"""Other libraries, each asked the same questions with the fastest calls of its public interface.

They are imported when they are first used, so that a missing one is merely absent. What a library
cannot do it has no method for: beside `find_path(start, goal)` it may have `reach(start, budget)`
with `reached(answer)` (how many cells, their costs summed up), `cost_field(goal)` with
`costs(answer)`, and `set_level(cell, level)`.
"""

import numpy as np

from tests.benchmarks.maps import MAX_CLIMB, MAX_DROP, MOVES, both_ends, edges, step_costs

NO_CELLS = np.zeros((0, 2), dtype=np.int64)


def cost_of(rise):
    """Price a step by its rise; None for a wall."""
    return 1 + max(0, rise) if -MAX_DROP <= rise <= MAX_CLIMB else None


class Library:
    """Answers questions; `cells` reads a path out of its answer, which is not timed."""

    source = staticmethod(np.array)  # what it builds its graph from: a copy, as edits change it

    def cells(self, answer):
        return np.array(answer)


class OnNodes(Library):
    """What those have in common that number the cells row by row."""

    def __init__(self, level):
        self.level, self.size = level, len(level)

    def node(self, cell):
        return cell[0] * self.size + cell[1]

    def cells(self, answer):
        return np.stack(np.divmod(np.array(answer, dtype=np.int64), self.size), axis=1)

    def reached(self, answer):
        """Count the nodes and sum up the costs of a mapping of nodes to costs."""
        return len(answer), sum(answer.values())

    def costs(self, answer):
        cost = np.full(self.size * self.size, np.inf)
        cost[np.array(list(answer.keys()))] = np.array(list(answer.values()))
        return cost.reshape(self.size, self.size)

    def steps_at(self, cell):
        """Give (source, target, cost) of all steps out of and into a cell; None for a wall."""
        row, col = cell
        for move_row, move_col in MOVES:
            there = row + move_row, col + move_col
            if not (0 <= there[0] < self.size and 0 <= there[1] < self.size):
                continue
            for start, end in ((cell, there), (there, cell)):
                rise = int(self.level[end]) - int(self.level[start])
                yield self.node(start), self.node(end), cost_of(rise)


class OnEdges(OnNodes):
    """What those have in common whose graphs take and lose single edges."""

    _back = None

    def set_level(self, cell, level):
        self.level[cell] = level
        for start, end, cost in self.steps_at(cell):
            if cost is not None:
                self._set_edge(start, end, cost)
            elif self._graph.has_edge(start, end):
                self._graph.remove_edge(start, end)


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


class Rustworkx(OnEdges):
    """rustworkx: a PyDiGraph, A* with the Manhattan estimate as a Python function."""

    def __init__(self, level):
        import rustworkx

        super().__init__(level)
        self._rustworkx = rustworkx
        self._graph = rustworkx.PyDiGraph(multigraph=False)
        self._graph.add_nodes_from([divmod(node, self.size) for node in range(level.size)])
        steps = (part.tolist() for part in edges(level))
        self._graph.add_edges_from(list(zip(*steps, strict=True)))

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

    def _set_edge(self, start, end, cost):
        self._graph.add_edge(start, end, cost)  # replaces the one there is


class Networkx(OnEdges):
    """networkx: a DiGraph, A* with the Manhattan estimate."""

    def __init__(self, level):
        import networkx

        super().__init__(level)
        self._networkx = networkx
        self._graph = networkx.DiGraph()
        self._graph.add_nodes_from(range(level.size))
        source, target, cost = (part.tolist() for part in edges(level))
        self._graph.add_weighted_edges_from(zip(source, target, cost, strict=True))

    def find_path(self, start, goal):
        (row, col), size = goal, self.size
        ends = self.node(start), self.node(goal)

        def estimate(node, _):
            return abs(node // size - row) + abs(node % size - col)

        try:
            return self._networkx.astar_path(self._graph, *ends, estimate)
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

    def _set_edge(self, start, end, cost):
        self._graph.add_edge(start, end, weight=cost)


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


class Tcod(Library):
    """tcod.path: a CustomGraph with a cost array for each direction, and one Pathfinder."""

    def __init__(self, level):
        import tcod.path

        self.level, self.size = level, len(level)
        self._tcod = tcod.path
        out = step_costs(level)
        # Costs are looked up where a step ends.
        self._into = [np.zeros(level.shape, dtype=np.int8) for _ in MOVES]
        for slot, move in enumerate(MOVES):
            here, there = both_ends(self.size, move)
            cost = out[(*here, slot)]
            self._into[slot][there] = np.where(cost < np.inf, cost, 0)
        self._graph = self._graph_of(self._into, MOVES)
        self._graph.set_heuristic(cardinal=1)
        self._finder = tcod.path.Pathfinder(self._graph)
        self._whole = self._back = None

    def _graph_of(self, costs, moves):
        graph = self._tcod.CustomGraph(self.level.shape)
        for move, cost in zip(moves, costs, strict=True):
            graph.add_edge(move, 1, cost=cost)
        return graph

    @staticmethod
    def _begin(finder, root):
        # Quicker than Pathfinder.clear and than a new Pathfinder.
        finder.distance[...] = np.iinfo(finder.distance.dtype).max
        finder.distance[root] = 0
        finder.traversal[root] = root
        finder.rebuild_frontier()

    def find_path(self, start, goal):
        finder = self._finder
        self._begin(finder, start)
        finder.resolve(goal)
        if finder.distance[goal] == np.iinfo(finder.distance.dtype).max:
            return NO_CELLS
        return finder.path_to(goal)

    def reach(self, start, budget):
        """Search the whole map: it takes no limit."""
        if self._whole is None:
            self._whole = self._tcod.Pathfinder(self._graph_of(self._into, MOVES))
        self._begin(self._whole, start)
        self._whole.resolve()
        cost = self._whole.distance
        return cost[cost <= budget]

    def reached(self, answer):
        return len(answer), int(answer.sum())

    def cost_field(self, goal):
        if self._back is None:
            costs, moves = [], []
            for move, into in zip(MOVES, self._into, strict=True):
                here, there = both_ends(self.size, move)
                costs.append(np.zeros_like(into))
                costs[-1][here] = into[there]
                moves.append((-move[0], -move[1]))
            self._back = self._tcod.Pathfinder(self._graph_of(costs, moves))
        self._begin(self._back, goal)
        self._back.resolve()
        return self._back.distance.copy()

    def costs(self, answer):
        return np.where(answer == np.iinfo(answer.dtype).max, np.inf, answer)

    def set_level(self, cell, level):
        self.level[cell] = level
        for slot, (move_row, move_col) in enumerate(MOVES):
            before = cell[0] - move_row, cell[1] - move_col
            after = cell[0] + move_row, cell[1] + move_col
            for start, end in ((before, cell), (cell, after)):
                if all(0 <= part < self.size for part in (*start, *end)):
                    rise = int(self.level[end]) - int(self.level[start])
                    self._into[slot][end] = cost_of(rise) or 0


class NanoAstar(Library):
    """nano_astar.astar on an array of bytes, which knows only free and blocked cells."""

    def __init__(self, level):
        from nano_astar import astar

        self._astar, self._grid = astar, (level > 0).astype(np.uint8)

    def find_path(self, start, goal):
        path, _ = self._astar(self._grid, start, goal, "manhattan", diagonal=False)
        return NO_CELLS if path is None else path


class ScikitImage(Library):
    """skimage.graph.MCP_Flexible: directed costs by overriding `travel_cost` in Python.

    Its "costs" are levels; infinity is never taken.
    """

    def __init__(self, level):
        from skimage.graph import MCP_Flexible

        class Forward(MCP_Flexible):
            def travel_cost(self, old_cost, new_cost, _):
                return cost_of(new_cost - old_cost) or np.inf

        class Backward(MCP_Flexible):
            def travel_cost(self, old_cost, new_cost, _):
                return cost_of(old_cost - new_cost) or np.inf

        self.level = level.astype(np.float64)
        self._forward = Forward(self.level, fully_connected=False)
        self._backward = Backward
        self._back = None

    def find_path(self, start, goal):
        cost, _ = self._forward.find_costs([start], [goal])
        return self._forward.traceback(goal) if np.isfinite(cost[goal]) else NO_CELLS

    def cost_field(self, goal):
        if self._back is None:
            self._back = self._backward(self.level, fully_connected=False)
        # It begins with the "cost" of the goal itself.
        return self._back.find_costs([goal])[0] - self.level[goal]

    def costs(self, answer):
        return answer


class PythonPathfinding(Library):
    """pathfinding: its Grid with the height rule in `neighbors` and `calc_cost`.

    Its Graph looks through all edges for every neighbor, which takes seconds a question.
    """

    def __init__(self, level):
        from pathfinding.core.grid import Grid
        from pathfinding.finder.a_star import AStarFinder

        height = level.tolist()

        class HeightGrid(Grid):
            def neighbors(self, node, **_):
                here = height[node.y][node.x]
                return [
                    there
                    for there in super().neighbors(node)
                    if -MAX_DROP <= height[there.y][there.x] - here <= MAX_CLIMB
                ]

            def calc_cost(self, node_a, node_b, _=False):
                return 1 + max(0, height[node_b.y][node_b.x] - height[node_a.y][node_a.x])

        self._grid = HeightGrid(matrix=np.ones(level.shape, dtype=int).tolist())
        self._finder = AStarFinder()

    def find_path(self, start, goal):
        ends = (self._grid.node(col, row) for row, col in (start, goal))
        nodes, _ = self._finder.find_path(*ends, self._grid)
        return nodes

    def cells(self, answer):
        return np.array([(node.y, node.x) for node in answer]).reshape(-1, 2)
