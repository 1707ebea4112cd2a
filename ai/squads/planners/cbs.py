"""Cheapest plans for small groups: conflict-based search (CBS).

The root of the constraint tree has a cheapest path for each unit. A node with a conflict has two
children: each constrains one of the two units. Nodes are expanded by their sum of costs, which
never decreases along the tree, so the first node without conflicts is a cheapest plan. With a bound
above 1 the search may first expand a node with fewer conflicts that costs at most that many times
the cheapest open node.

References
----------
Sharon, Stern, Felner, Sturtevant (2015), "Conflict-based search for optimal multi-agent
pathfinding", https://doi.org/10.1016/j.artint.2014.11.006
Barer, Sharon, Stern, Felner (2014), "Suboptimal variants of the conflict-based search algorithm"
(the bound), https://doi.org/10.1609/socs.v5i1.18315
"""

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from ai.squads.constraints import (
    Conflict,
    Constraint,
    PathConstraints,
    TimedPath,
    TimedPaths,
    find_conflicts,
    position_table,
)
from ai.squads.task import Budget, Outcome, Task
from terrain3d import Reason


@dataclass
class _TreeNode:
    """A node of the constraint tree: paths that satisfy its constraint and its ancestors'."""

    paths: TimedPaths
    costs: tuple[float, ...]
    constraint: Constraint | None = None
    parent: "_TreeNode | None" = None
    conflicts: Sequence[Conflict] = ()

    @property
    def cost(self) -> float:
        return sum(self.costs)

    def constraints(self, unit: int) -> list[Constraint]:
        """Return all constraints on a unit."""
        constraints = []
        node: _TreeNode | None = self
        while node is not None:
            if node.constraint is not None and node.constraint.unit == unit:
                constraints.append(node.constraint)
            node = node.parent
        return constraints


class _OpenList:
    """Open nodes; the focal list holds those within the bound of the least cost."""

    def __init__(self, bound: float) -> None:
        self._bound = bound * (1 + 1e-12)
        self._number = itertools.count()
        self._by_cost: list[tuple[float, int]] = []
        self._focal: list[tuple[int, float, int, _TreeNode]] = []
        self._rest: list[tuple[float, int, _TreeNode]] = []
        self._popped: set[int] = set()

    def push(self, node: _TreeNode) -> None:
        """Add a node."""
        number = next(self._number)
        heapq.heappush(self._by_cost, (node.cost, number))
        heapq.heappush(self._rest, (node.cost, number, node))

    def pop(self) -> tuple[_TreeNode, float] | None:
        """Remove the next node; return it and the least cost of all open nodes."""
        while self._by_cost and self._by_cost[0][1] in self._popped:
            self._popped.remove(heapq.heappop(self._by_cost)[1])
        if not self._by_cost:
            return None
        least = self._by_cost[0][0]
        while self._rest and self._rest[0][0] <= least * self._bound:
            cost, number, node = heapq.heappop(self._rest)
            # Among equal nodes the latest comes first: it has the most constraints.
            heapq.heappush(self._focal, (len(node.conflicts), cost, -number, node))
        _, _, number, node = heapq.heappop(self._focal)
        self._popped.add(-number)
        return node, least


class ConflictBasedSearch:
    """Conflict-based search for a plan that costs at most `bound` >= 1 times the least cost."""

    def __init__(self, task: Task, bound: float) -> None:
        self._task = task
        self._bound = bound

    def run(self, budget: Budget) -> Outcome:
        """Search until there is a plan, a proof that there is none, or no work left."""
        root = self._root(budget)
        if root is None:
            return Outcome(reason=Reason("gave_up"))
        open_list = _OpenList(self._bound)
        open_list.push(root)
        lower_bound = root.cost
        while (popped := open_list.pop()) is not None:
            node, lower_bound = popped
            if not node.conflicts:
                return Outcome(node.paths, lower_bound=lower_bound)
            children = [self._child(node, each, budget) for each in node.conflicts[0]]
            if budget.is_spent:
                return Outcome(reason=Reason("gave_up"), lower_bound=lower_bound)
            for child in self._bypassed(node, children):
                open_list.push(child)
        return Outcome(reason=Reason("all_conflicts"))

    @staticmethod
    def _bypassed(node: _TreeNode, children: list[_TreeNode | None]) -> list[_TreeNode]:
        """Return the children, or only one of them if it bypasses the conflict.

        A child bypasses the conflict if its paths cost no more and have fewer conflicts. Its paths
        are then taken without its constraint, and the node need not be split.
        """
        found = [child for child in children if child is not None]
        for child in found:
            if child.cost <= node.cost and len(child.conflicts) < len(node.conflicts):
                child.constraint, child.parent = node.constraint, node.parent
                return [child]
        return found

    def _root(self, budget: Budget) -> _TreeNode | None:
        paths: list[TimedPath] = []
        costs = []
        for unit in range(len(self._task)):
            found = self._find_path(unit, paths, (), budget)
            if found is None:
                return None
            paths.append(found[0])
            costs.append(found[1])
        return self._with_conflicts(_TreeNode(tuple(paths), tuple(costs)), budget)

    def _child(self, node: _TreeNode, constraint: Constraint, budget: Budget) -> _TreeNode | None:
        """Return a node with one more constraint; None if that leaves its unit without a path."""
        unit = constraint.unit
        constraints = [constraint, *node.constraints(unit)]
        found = self._find_path(unit, node.paths, constraints, budget)
        if found is None:
            return None
        paths = (*node.paths[:unit], found[0], *node.paths[unit + 1 :])
        costs = (*node.costs[:unit], found[1], *node.costs[unit + 1 :])
        return self._with_conflicts(_TreeNode(paths, costs, constraint, node), budget)

    def _find_path(
        self,
        unit: int,
        paths: Sequence[TimedPath],
        constraints: Sequence[Constraint],
        budget: Budget,
    ) -> tuple[TimedPath, float] | None:
        """Return a path of a unit under constraints that avoids the paths of the first units."""
        task, profile = self._task, int(self._task.profile_of[unit])
        required = PathConstraints(task.graph, profile)
        for each in constraints:
            required.forbid(each)
        avoid = PathConstraints(task.graph, profile)
        for other, path in enumerate(paths):
            if other != unit:
                avoid.count(path, int(task.profile_of[other]))
        return task.find_path(unit, required, avoid, budget)

    def _with_conflicts(self, node: _TreeNode, budget: Budget) -> _TreeNode:
        """Find the conflicts of a node and return the node."""
        graph, positions = self._task.graph, position_table(node.paths)
        node.conflicts = find_conflicts(positions, self._task.profile_of, graph)
        # About as much work as so many expansions; clearances are looked up one by one.
        budget.spend(positions.size if graph.needs_clearance else positions.size // 4)
        return node
