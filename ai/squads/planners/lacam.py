"""Plans for crowds: LaCAM, a depth-first search over configurations with PIBT.

A high-level node is a configuration: the node of every unit at one tick. PIBT generates the next
configuration and mostly leads straight to the goals. When it returns to a configuration that was
generated before, the search continues from there under low-level constraints that fix the next
nodes of single units, one more unit each time. The search is complete: it ends with a plan or with
the proof that there is none.

Run times depend strongly on how ties between equally good steps are broken. A search that takes
long is therefore restarted with other ties and twice the work. Before, the units that did not reach
their goals are tried alone: if there is no plan even for them, there is none. After the first
search Push and Swap is tried, too. Its plan is taken if it is not far above the least cost, else
only if no restart succeeds.

References
----------
Okumura (2023), "LaCAM: search-based algorithm for quick multi-agent pathfinding",
https://doi.org/10.1609/aaai.v37i10.26377
"""

from collections import deque
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import TimedPaths, paths_of
from ai.squads.planners.pibt import ConfigurationGenerator
from ai.squads.planners.push_and_swap import push_and_swap
from ai.squads.squad_graph import Ints
from ai.squads.task import Budget, Outcome, Task

_FIRST_LIMIT = 1024  # configurations of the first search
_SWAP_SHARE = 0.125  # of the work left, at most for Push and Swap; it needs little where it helps
_NEAR = 20  # times the least cost up to which the plan of Push and Swap is taken at once
MAX_SALT = 1 << 60

_LowLevelNode = tuple[tuple[int, int], ...]
"""Units and the node on which each has to be after the next tick."""


class _HighLevelNode:
    """A configuration, its parent, and the low-level nodes that are still to be tried."""

    __slots__ = ("expandable", "nodes", "order", "parent", "priority", "tick", "untried")

    def __init__(
        self, nodes: Ints, priority: NDArray[np.float64], parent: Self | None, tick: int
    ) -> None:
        self.nodes = nodes
        self.priority = priority
        self.order = np.argsort(-priority, kind="stable")
        self.parent = parent
        self.tick = tick
        self.untried: deque[_LowLevelNode] = deque([()])
        self.expandable: _LowLevelNode | None = None
        """The low-level node tried last, if its constraints do not conflict with each other."""


def plan_lacam(task: Task, budget: Budget, seed: int) -> Outcome:
    """Search with restarts until there is a plan, a proof that there is none, or no work left."""
    salts = np.random.default_rng(seed)
    generator = ConfigurationGenerator(task)
    limit = first_limit = _FIRST_LIMIT * len(task)
    swapped: TimedPaths = ()
    while True:
        search = Lacam(task, generator, int(salts.integers(MAX_SALT)))
        outcome = search.run(budget.part(1, limit), task.start, 0)
        if outcome.paths or outcome.is_unsolvable:
            return outcome
        if limit == first_limit:
            swapped = push_and_swap(task, budget.part(_SWAP_SHARE, limit))
        if swapped and (budget.is_spent or task.costs_of(swapped).sum() <= _NEAR * task.least_cost):
            return Outcome(swapped)
        if budget.is_spent:
            return outcome
        if 0 < len(outcome.stuck) < len(task):
            alone = task.subset(outcome.stuck)
            search = Lacam(alone, ConfigurationGenerator(alone), int(salts.integers(MAX_SALT)))
            part = budget.part(1, limit * len(alone) / len(task))
            proof = search.run(part, alone.start, 0)
            if proof.is_unsolvable:
                return replace(proof, stuck=outcome.stuck)
        limit *= 2


class Lacam:
    """One search for a task; `salt` breaks ties between equally good steps."""

    def __init__(self, task: Task, generator: ConfigurationGenerator, salt: int) -> None:
        self._task = task
        self._generator = generator
        self._salt = salt

    def run(self, budget: Budget, nodes: Ints, tick: int) -> Outcome:
        """Search from a configuration at a tick until there is a plan, a proof, or no work left."""
        task = self._task
        distance = task.goal_costs[task.row_of, nodes]
        root = _HighLevelNode(nodes, distance / (1 + distance.max(initial=0)), None, tick)
        explored = {self._key(root.nodes, tick): root}
        stack = [root]
        best, least_left = root, distance.sum()
        while stack:
            node = stack[-1]
            if node.tick >= task.n_queued_ticks and np.array_equal(node.nodes, task.goal):
                return Outcome(_paths_to(node))
            if budget.is_spent:
                stuck = np.flatnonzero(best.nodes != task.goal).tolist()
                why = f"gave up: {len(stuck)} of {len(task)} units did not reach their goals"
                return Outcome(reason=why, stuck=tuple(stuck))
            self._add_low_level_nodes(node)
            if not node.untried:
                stack.pop()
                continue
            budget.spend(len(task))
            constraints = node.untried.popleft()
            self._salt += 1
            after, is_legal = self._generator.successor(
                node.nodes, node.tick, node.order, self._salt, constraints
            )
            node.expandable = constraints if is_legal else None
            if after is None:
                continue
            key = self._key(after, node.tick + 1)
            child = explored.get(key)
            if child is None:
                is_at_goal = after == task.goal
                priority = np.where(
                    is_at_goal, node.priority - np.floor(node.priority), node.priority + 1
                )
                child = explored[key] = _HighLevelNode(after, priority, node, node.tick + 1)
                left = task.goal_costs[task.row_of, after].sum()
                if left < least_left:
                    best, least_left = child, left
            stack.append(child)
        return Outcome(
            reason=f"no plan exists: all {len(explored)} configurations were searched",
            is_unsolvable=True,
            stuck=tuple(range(len(task))),
        )

    def _key(self, nodes: Ints, tick: int) -> bytes:
        """Return the key of a configuration; while queued paths last, it includes the tick."""
        key = nodes.tobytes()
        return key + tick.to_bytes(8) if tick < self._task.n_queued_ticks else key

    def _add_low_level_nodes(self, node: _HighLevelNode) -> None:
        """Add the children of the low-level node tried last: one more unit has to be on a node."""
        constraints, node.expandable = node.expandable, None
        if constraints is not None and len(constraints) < len(self._task):
            unit = int(node.order[len(constraints)])
            for end in self._next_nodes(unit, int(node.nodes[unit])):
                node.untried.append((*constraints, (unit, end)))

    def _next_nodes(self, unit: int, node: int) -> list[int]:
        """Return the nodes on which a unit can be after a tick and still reach its goal."""
        task, profile = self._task, int(self._task.profile_of[unit])
        left = task.cost_to_goal(unit)
        ends = [end for end in task.graph.neighbors(profile, node) if left[end] < np.inf]
        if task.graph.steps.can_wait[profile, node] or node == task.start[unit]:
            ends.append(node)
        return ends


def _paths_to(last: _HighLevelNode) -> TimedPaths:
    """Return the path of each unit up to a high-level node."""
    configurations = []
    node: _HighLevelNode | None = last
    while node is not None:
        configurations.append(node.nodes)
        node = node.parent
    return paths_of(np.array(configurations[::-1]))
