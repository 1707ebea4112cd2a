"""Prioritized planning for groups, improved by large neighborhood search.

Units are planned one after the other, each around the paths of the units before it. This is fast
and the plans are good, but it is neither complete nor bounded: units planned first may leave a
later unit without a path. That unit is then planned first, and all others again.

References
----------
Erdmann, Lozano-Perez (1987), "On multiple moving objects", https://doi.org/10.1007/BF01840371
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
Li, Chen, Harabor, Stuckey, Koenig (2021), "Anytime multi-agent path finding via large neighborhood
search", https://doi.org/10.24963/ijcai.2021/568
"""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import TimedPath, TimedPaths, position_table
from ai.squads.squad_graph import Ints
from ai.squads.task import MAX_COST, Budget, Outcome, Task

Costs = NDArray[np.float64]

_MAX_ROUNDS = 32
_GROUP_SIZES = (1, 2, 4, 8, 16)  # units that are replanned together
_EQUAL = 1e-12
_PATIENCE = 10  # failed attempts per unit after which the improvement ends


class _Traffic:
    """Paths of some units of a task, and the constraints on the other units that follow."""

    def __init__(self, task: Task) -> None:
        self.paths: dict[int, TimedPath] = {}
        self._task = task
        profiles = range(len(task.graph.steps.first))
        self._constraints = [task.queued_constraints(profile) for profile in profiles]
        self._nothing = task.constraints(0)

    def add(self, unit: int, path: TimedPath) -> None:
        self.paths[unit] = path
        for constraints in self._constraints:
            constraints.add(path, int(self._task.profile_of[unit]))

    def remove(self, unit: int) -> TimedPath:
        path = self.paths.pop(unit)
        for constraints in self._constraints:
            constraints.remove(path, int(self._task.profile_of[unit]))
        return path

    def add_cheapest(self, unit: int, budget: Budget, max_cost: float = MAX_COST) -> float | None:
        """Add a cheapest path of a unit and return its cost; None if there is none."""
        constraints = self._constraints[int(self._task.profile_of[unit])]
        found = self._task.find_path(unit, constraints, self._nothing, budget, max_cost)
        if found is None:
            return None
        self.add(unit, found[0])
        return found[1]


def plan_prioritized(task: Task, budget: Budget) -> Outcome:
    """Plan the units one after the other, those with the most expensive paths first."""
    order = sorted(range(len(task)), key=lambda unit: (-task.least_cost_of(unit), unit))
    for _ in range(min(_MAX_ROUNDS, len(task) + 1)):
        traffic = _Traffic(task)
        for unit in order:
            if traffic.add_cheapest(unit, budget) is None:
                break
        else:
            return Outcome(tuple(traffic.paths[unit] for unit in range(len(task))))
        if budget.is_spent or order[0] == unit:
            break
        order.remove(unit)
        order.insert(0, unit)
    return Outcome(reason="units planned first leave another unit without a path")


def improve_plan(task: Task, paths: TimedPaths, budget: Budget, seed: int) -> TimedPaths:
    """Replan small groups of units again and again; keep changes that do not raise the cost."""
    rng = np.random.default_rng(seed)
    traffic = _Traffic(task)
    for unit, path in enumerate(paths):
        traffic.add(unit, path)
    positions = position_table(paths)
    costs = np.array([task.cost_of(unit, path) for unit, path in enumerate(paths)])
    least_costs = np.array([task.least_cost_of(unit) for unit in range(len(task))])
    n_failed = 0
    while not budget.is_spent and n_failed < _PATIENCE * len(task):
        delay = np.maximum(costs - least_costs, 0)
        if delay.sum() <= _EQUAL * least_costs.sum():
            break
        unit = int(rng.choice(len(task), p=delay / delay.sum()))
        group = [unit, *_blocking_units(task, unit, positions)]
        some = rng.permutation(len(task)).tolist()
        group += [other for other in some if other not in group]
        group = rng.permutation(group[:8]).tolist()
        new_costs = _replan(traffic, group, costs, least_costs, budget)
        if not len(new_costs) or new_costs.sum() == costs[group].sum():
            n_failed += 1
        else:
            n_failed = 0
        if len(new_costs):
            costs[group] = new_costs
            if max(len(traffic.paths[each]) for each in group) > len(positions):
                positions = position_table([traffic.paths[each] for each in range(len(task))])
            for each in group:
                path = traffic.paths[each]
                positions[: len(path), each] = path
                positions[len(path) :, each] = path[-1]
    return tuple(traffic.paths[unit] for unit in range(len(task)))


def _replan(
    traffic: _Traffic, group: Sequence[int], costs: Costs, least_costs: Costs, budget: Budget
) -> Costs:
    """Replan a group in its order and return its costs; change nothing if they would rise."""
    paths = [traffic.remove(unit) for unit in group]
    left = costs[group].sum() * (1 + _EQUAL) - least_costs[group].sum()  # for delays
    found: list[float] = []
    for unit in group:
        cost = traffic.add_cheapest(unit, budget, left + least_costs[unit])
        if cost is None:
            break
        left -= cost - least_costs[unit]
        found.append(cost)
    else:
        return np.array(found)
    for unit in group[: len(found)]:
        traffic.remove(unit)
    for unit, path in zip(group, paths, strict=True):
        traffic.add(unit, path)
    return np.zeros(0)


def _blocking_units(task: Task, unit: int, positions: Ints) -> list[int]:
    """Return units on the nodes that a delayed unit would rather have stepped to."""
    left, profile = task.cost_to_goal(unit), int(task.profile_of[unit])
    found: dict[int, None] = {}
    path = positions[:, unit].tolist()
    for tick, (node, after) in enumerate(itertools.pairwise(path)):
        if left[node] == 0 or left[after] < left[node]:
            continue
        better = [end for end in task.graph.neighbors(profile, node) if left[end] < left[node]]
        around = positions[tick : tick + 2]
        for end in better:
            found.update(dict.fromkeys(np.nonzero(around == end)[1].tolist()))
    found.pop(unit, None)
    return list(found)
