"""Improvement of a plan by large neighborhood search.

Each attempt plans a part of the plan again and keeps it if it does not cost more. The part is
either a small group of units, planned one after the other around all others (prioritized planning),
or all units from a tick on, planned as a crowd. Sizes that saved most for their work get most of
the work.

References
----------
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
Li, Chen, Harabor, Stuckey, Koenig (2021), "Anytime multi-agent path finding via large neighborhood
search", https://doi.org/10.24963/ijcai.2021/568
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import PathConstraints, TimedPath, TimedPaths, paths_of, position_table
from ai.squads.planners.lacam import MAX_SALT, Lacam
from ai.squads.planners.pibt import ConfigurationGenerator
from ai.squads.task import Budget, Task

_ALL = 0
_SIZES = (_ALL, 1, 2, 4, 8, 16)  # units that are planned again together
_CROWD_WORK = 2  # work of one unit for one tick of a crowd, in expansions
_FIRST_WORK = 100_000  # expansions for which each size is at first expected to save all delays
_MEMORY = 0.8  # share of the past in the expectation
_LEAST_SHARE = 0.1  # of the best size's work
_EQUAL = 1e-12
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
        if delay <= _EQUAL * plan.costs.sum():
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
        n_failed = 0 if saved > _EQUAL * delay else n_failed + 1
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
        others = [*task.queued, *paths], [*task.queued_profiles, *task.profile_of.tolist()]
        self._constraints = [
            PathConstraints(task.graph, profile, *others)
            for profile in range(len(task.graph.steps.first))
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
        outcome = search.run(budget.part(1, limit), positions[tick], tick)
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
        left = delays[group].sum() + _EQUAL * self.costs[group].sum()
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
