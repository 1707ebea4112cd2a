"""Peers that know of grids: tcod, nano-astar, scikit-image, pathfinding."""

import numpy as np

from tests.benchmarks.maps import MAX_CLIMB, MAX_DROP, MOVES, both_ends, step_costs
from tests.benchmarks.peers import NO_CELLS


class Tcod:
    """tcod.path: a CustomGraph with a cost array for each direction, and one Pathfinder."""

    source = staticmethod(np.array)

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

    def _begin(self, finder, root):
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

    def cells(self, answer):
        return answer

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
                    is_legal = -MAX_DROP <= rise <= MAX_CLIMB
                    self._into[slot][end] = 1 + max(0, rise) if is_legal else 0


def _travel_cost(start, end):
    """Price a step for scikit-image, whose "costs" here are levels; infinity is never taken."""
    rise = end - start
    if rise > MAX_CLIMB or rise < -MAX_DROP:
        return np.inf
    return 1 + rise if rise > 0 else 1


class NanoAstar:
    """nano_astar.astar on an array of bytes, which knows only free and blocked cells."""

    source = staticmethod(np.array)

    def __init__(self, level):
        from nano_astar import astar

        self._astar, self._grid = astar, (level > 0).astype(np.uint8)

    def find_path(self, start, goal):
        path, _ = self._astar(self._grid, start, goal, "manhattan", diagonal=False)
        return NO_CELLS if path is None else path

    def cells(self, answer):
        return answer


class ScikitImage:
    """skimage.graph.MCP_Flexible: directed costs by overriding `travel_cost` in Python."""

    source = staticmethod(np.array)

    def __init__(self, level):
        from skimage.graph import MCP_Flexible

        class Forward(MCP_Flexible):
            def travel_cost(self, old_cost, new_cost, _):
                return _travel_cost(old_cost, new_cost)

        class Backward(MCP_Flexible):
            def travel_cost(self, old_cost, new_cost, _):
                return _travel_cost(new_cost, old_cost)

        self.level = level.astype(np.float64)
        self._forward = Forward(self.level, fully_connected=False)
        self._backward = Backward
        self._back = None

    def find_path(self, start, goal):
        cost, _ = self._forward.find_costs([start], [goal])
        return self._forward.traceback(goal) if np.isfinite(cost[goal]) else NO_CELLS

    def cells(self, answer):
        return np.array(answer)

    def cost_field(self, goal):
        if self._back is None:
            self._back = self._backward(self.level, fully_connected=False)
        # It begins with the "cost" of the goal itself.
        return self._back.find_costs([goal])[0] - self.level[goal]

    def costs(self, answer):
        return answer


class PythonPathfinding:
    """pathfinding: its Grid with the height rule in `neighbors` and `calc_cost`.

    Its Graph looks through all edges for every neighbor, which takes seconds a question.
    """

    source = staticmethod(np.array)

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
        grid = self._grid
        nodes, _ = self._finder.find_path(
            grid.node(start[1], start[0]), grid.node(goal[1], goal[0]), grid
        )
        return nodes

    def cells(self, answer):
        if not answer:
            return NO_CELLS
        return np.array([(node.y, node.x) for node in answer])
