"""Plans for crowds: LaCAM, a depth-first search over configurations with PIBT, and improvement.

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

A plan is improved by large neighborhood search. Each attempt plans a part of it again and keeps the
result if it does not cost more. The part is either a small group of units, planned one after the
other around all others (prioritized planning), or all units from a tick on, planned as a crowd.
Sizes that saved most for their work get most of the work.

References
----------
Okumura (2023), "LaCAM: search-based algorithm for quick multi-agent pathfinding",
https://doi.org/10.1609/aaai.v37i10.26377
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
Li, Chen, Harabor, Stuckey, Koenig (2021), "Anytime multi-agent path finding via large neighborhood
search", https://doi.org/10.24963/ijcai.2021/568
"""

import itertools
from collections import deque
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import PathConstraints, TimedPath, TimedPaths, paths_of, position_table
from ai.squads.planners.pibt import ConfigurationGenerator
from ai.squads.planners.push_and_swap import push_and_swap
from ai.squads.squad_graph import Ints
from ai.squads.task import Budget, Outcome, Task
from terrain3d import Reason

_FIRST_LIMIT = 1024  # configurations of the first search
_SWAP_SHARE = 0.125  # of the work left, at most for Push and Swap; it needs little where it helps
_NEAR = 20  # times the least cost up to which the plan of Push and Swap is taken at once
MAX_SALT = 1 << 60

_LowLevelNode = tuple[tuple[int, int], ...]
"""Units and the node on which each has to be after the next tick."""


class _HighLevelNode:
    """A configuration, its parent, and the low-level nodes that are still to be tried."""

    __slots__ = ("expandable", "nodes", "order", "parent", "priority", "untried")

    def __init__(self, nodes: Ints, priority: NDArray[np.float64], parent: Self | None) -> None:
        self.nodes = nodes
        self.priority = priority
        self.order = np.argsort(-priority, kind="stable")
        self.parent = parent
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
        outcome = search.run(budget.part(1, limit), task.start)
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
            proof = search.run(part, alone.start)
            if proof.is_unsolvable:
                return replace(proof, stuck=outcome.stuck)
        limit *= 2


class Lacam:
    """One search for a task; `salt` breaks ties between equally good steps."""

    def __init__(self, task: Task, generator: ConfigurationGenerator, salt: int) -> None:
        self._task = task
        self._generator = generator
        self._salt = salt

    def run(self, budget: Budget, nodes: Ints) -> Outcome:
        """Search from a configuration until there is a plan, a proof, or no work left."""
        task = self._task
        distance = task.goal_costs[task.row_of, nodes]
        root = _HighLevelNode(nodes, distance / (1 + distance.max(initial=0)), None)
        explored = {nodes.tobytes(): root}
        stack = [root]
        best, least_left = root, distance.sum()
        while stack:
            node = stack[-1]
            if np.array_equal(node.nodes, task.goal):
                return Outcome(_paths_to(node))
            if budget.is_spent:
                stuck = np.flatnonzero(best.nodes != task.goal).tolist()
                why = Reason("units_stuck", n_stuck=len(stuck), n_units=len(task))
                return Outcome(reason=why, stuck=tuple(stuck))
            self._add_low_level_nodes(node)
            if not node.untried:
                stack.pop()
                continue
            budget.spend(len(task))
            constraints = node.untried.popleft()
            self._salt += 1
            after, is_legal = self._generator.successor(
                node.nodes, node.order, self._salt, constraints
            )
            node.expandable = constraints if is_legal else None
            if after is None:
                continue
            key = after.tobytes()
            child = explored.get(key)
            if child is None:
                is_at_goal = after == task.goal
                priority = np.where(
                    is_at_goal, node.priority - np.floor(node.priority), node.priority + 1
                )
                child = explored[key] = _HighLevelNode(after, priority, node)
                left = task.goal_costs[task.row_of, after].sum()
                if left < least_left:
                    best, least_left = child, left
            stack.append(child)
        return Outcome(
            reason=Reason("all_searched", n_configurations=len(explored)),
            is_unsolvable=True,
            stuck=tuple(range(len(task))),
        )

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
        if task.graph.can_wait[profile, node] or node == task.start[unit]:
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


_ALL = 0
_SIZES = (_ALL, 1, 2, 4, 8, 16)  # units that are planned again together
_CROWD_WORK = 2  # work of one unit for one tick of a crowd, in expansions
_FIRST_WORK = 100_000  # expansions for which each size is at first expected to save all delays
_MEMORY = 0.8  # share of the past in the expectation
_LEAST_SHARE = 0.1  # of the best size's work
_PATIENCE = 50  # failed attempts per unit after which the improvement ends


def improve_plan(task: Task, paths: TimedPaths, budget: Budget, seed: int) -> TimedPaths:
    """Plan parts of a plan again and again; keep changes that do not raise the cost."""
    rng = np.random.default_rng(seed)
    plan = _Plan(task, paths, rng)
    saved_per_work = np.full(len(_SIZES), plan.delays.sum() / _FIRST_WORK)
    work_of_attempt = np.ones(len(_SIZES))  # expected; low, so that each size is soon tried
    n_failed = 0
    while not budget.is_spent and n_failed < _PATIENCE * len(task):
        delay = plan.delays.sum()
        if delay == 0:
            break
        share = np.maximum(saved_per_work, saved_per_work.max() * _LEAST_SHARE)
        chance = share / work_of_attempt
        number = int(rng.choice(len(_SIZES), p=chance / chance.sum()))
        size, left = _SIZES[number], budget.left
        if size == _ALL:
            plan.replan_all(budget)
        else:
            plan.replan_group(size, budget)
        saved = delay - plan.delays.sum()
        n_failed = 0 if saved > 0 else n_failed + 1
        work = (left - budget.left) * (_CROWD_WORK if size == _ALL else 1)
        work_of_attempt[number] *= _MEMORY
        work_of_attempt[number] += (1 - _MEMORY) * work
        saved_per_work[number] *= _MEMORY
        saved_per_work[number] += (1 - _MEMORY) * max(0.0, saved / work)
    return tuple(plan.paths)


class _Plan:
    """Paths of a squad, and attempts to improve them."""

    def __init__(self, task: Task, paths: TimedPaths, rng: np.random.Generator) -> None:
        self._task = task
        self._rng = rng
        self._generator = ConfigurationGenerator(task)
        self._least_costs = task.goal_costs[task.row_of, task.start]
        self._nothing = PathConstraints(task.graph, 0)
        self._set(paths)

    def _set(self, paths: TimedPaths) -> None:
        """Take the paths of all units."""
        task = self._task
        self.paths = list(paths)
        self.costs = task.costs_of(paths)
        self._positions = position_table(paths)
        self._constraints = [
            PathConstraints(task.graph, profile, paths, task.profile_of.tolist())
            for profile in range(len(task.graph.first))
        ]

    @property
    def delays(self) -> NDArray[np.float64]:
        """(n_units,) by how much each path is more expensive than without other units."""
        delays: NDArray[np.float64] = np.maximum(self.costs - self._least_costs, 0)
        return delays

    def replan_all(self, budget: Budget) -> None:
        """Plan all units again from a random tick on."""
        task, positions = self._task, self._positions
        tick = int(self._rng.integers(len(positions) - 1))
        budget.spend(len(task))
        limit = 2 * len(task) * (len(positions) - tick)
        search = Lacam(task, self._generator, int(self._rng.integers(MAX_SALT)))
        outcome = search.run(budget.part(1, limit), positions[tick])
        if outcome.paths:
            paths = paths_of(np.concatenate([positions[:tick], position_table(outcome.paths)]))
            if task.costs_of(paths).sum() <= self.costs.sum():
                self._set(paths)

    def replan_group(self, size: int, budget: Budget) -> None:
        """Plan a delayed unit, units that block it, and others again."""
        n_units, delays, rng = len(self._task), self.delays, self._rng
        unit = int(rng.choice(n_units, p=delays / delays.sum()))
        group = [unit, *self._blocking_units(unit)]
        group += [other for other in rng.permutation(n_units).tolist() if other not in group]
        group = rng.permutation(group[:size]).tolist()
        for unit in group:
            self._count(unit, self.paths[unit], -1)
        left = delays[group].sum()
        paths, costs = {}, self.costs.copy()
        for unit in group:
            constraints = self._constraints[self._task.profile_of[unit]]
            most = self._least_costs[unit] + left
            found = self._task.find_path(unit, constraints, self._nothing, budget, most)
            if found is None:
                break
            paths[unit], costs[unit] = found
            left = most - costs[unit]
            self._count(unit, paths[unit], 1)
        if len(paths) == len(group):
            self.costs = costs
            for unit, path in paths.items():
                self.paths[unit] = path
            self._positions = position_table(self.paths)
            return
        for unit, path in paths.items():
            self._count(unit, path, -1)
        for unit in group:
            self._count(unit, self.paths[unit], 1)

    def _count(self, unit: int, path: TimedPath, change: int) -> None:
        """Add the constraints of a unit's path on the others, or with -1 remove them."""
        for constraints in self._constraints:
            constraints.count(path, int(self._task.profile_of[unit]), change)

    def _blocking_units(self, unit: int) -> list[int]:
        """Return units on the nodes that a delayed unit would rather have stepped to."""
        task, positions = self._task, self._positions
        left, profile = task.cost_to_goal(unit), int(task.profile_of[unit])
        found: dict[int, None] = {}
        for tick, (node, after) in enumerate(itertools.pairwise(self.paths[unit].tolist())):
            if left[after] < left[node]:
                continue
            better = [end for end in task.graph.neighbors(profile, node) if left[end] < left[node]]
            is_there = np.isin(positions[tick : tick + 2], better)
            found.update(dict.fromkeys(np.nonzero(is_there)[1].tolist()))
        found.pop(unit, None)
        return list(found)
