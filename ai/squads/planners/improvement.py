"""Improves a plan by large neighborhood search until the limits are reached.

Each attempt plans a part of the plan again and keeps what does not cost more: either a small group
of units, one after the other around all others, or all units from a tick on, as a crowd. How many
units are planned again is chosen at random; what gained most for its work is chosen most often.

References
----------
Li, Chen, Harabor, Stuckey, Koenig (2021), "Anytime multi-agent path finding via large neighborhood
search", https://doi.org/10.24963/ijcai.2021/568
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import TimedPaths, paths_of, position_table
from ai.squads.planners.configuration_generator import ConfigurationGenerator
from ai.squads.planners.lacam import MAX_SALT, Lacam
from ai.squads.planners.prioritized import Traffic
from ai.squads.task import Budget, Task

_ALL = 0
_GROUP_SIZES = (_ALL, 1, 2, 4, 8, 16)
_CROWD_WORK = 4  # work of one unit for one tick of a crowd, in expansions
_EQUAL = 1e-12
_PATIENCE = 50  # failed attempts per unit after which the improvement ends
_LEAST_SHARE = 0.1  # of the best group size's probability
_MEMORY = 0.9


def improve_plan(task: Task, paths: TimedPaths, budget: Budget, seed: int) -> TimedPaths:
    """Plan parts of a plan again and again; keep changes that do not raise the cost."""
    rng = np.random.default_rng(seed)
    search = _Neighborhoods(task, paths, rng)
    rates = np.full(len(_GROUP_SIZES), np.inf)  # cost saved per expansion
    n_failed = 0
    while not budget.is_spent and n_failed < _PATIENCE * len(task) and search.is_delayed:
        untried = np.flatnonzero(np.isinf(rates))
        if len(untried):
            number = int(untried[0])
        else:
            chance = np.maximum(rates, max(rates.max() * _LEAST_SHARE, _EQUAL))
            number = int(rng.choice(len(rates), p=chance / chance.sum()))
        size, work, cost = _GROUP_SIZES[number], budget.left, search.costs.sum()
        if size == _ALL:
            search.replan_all(budget)
        else:
            search.replan_group(size, budget)
        saved = cost - search.costs.sum()
        n_failed = 0 if saved > cost * _EQUAL else n_failed + 1
        work = (work - budget.left) * (_CROWD_WORK if size == _ALL else 1)
        rate = saved / work
        known = rates[number]
        rates[number] = rate if np.isinf(known) else _MEMORY * known + (1 - _MEMORY) * rate
    return tuple(search.traffic.paths[unit] for unit in range(len(task)))


class _Neighborhoods:
    """A plan and attempts to improve it."""

    def __init__(self, task: Task, paths: TimedPaths, rng: np.random.Generator) -> None:
        self._task = task
        self._rng = rng
        self._generator = ConfigurationGenerator(task)
        self._least_costs = np.array([task.least_cost_of(unit) for unit in range(len(task))])
        self._set(paths)

    def _set(self, paths: TimedPaths) -> None:
        self.traffic = Traffic(self._task)
        for unit, path in enumerate(paths):
            self.traffic.add(unit, path)
        self.costs = self._task.costs_of(paths)
        self._positions = position_table(paths)

    @property
    def _delays(self) -> NDArray[np.float64]:
        delays: NDArray[np.float64] = np.maximum(self.costs - self._least_costs, 0)
        return delays

    @property
    def is_delayed(self) -> bool:
        """Whether any unit could have a cheaper path."""
        return bool(self._delays.sum() > _EQUAL * self._least_costs.sum())

    def replan_all(self, budget: Budget) -> None:
        """Plan all units again from a random tick on."""
        task, positions = self._task, self._positions
        tick = int(self._rng.integers(max(map(len, self.traffic.paths.values())) - 1))
        budget.spend(len(task))
        limit = 2 * len(task) * (len(positions) - tick)
        search = Lacam(task, self._generator, int(self._rng.integers(MAX_SALT)))
        outcome = search.run(budget.part(1, limit), positions[tick], tick)
        if outcome.paths:
            table = np.concatenate([positions[:tick], position_table(outcome.paths)])
            paths = paths_of(table)
            if self._task.costs_of(paths).sum() <= self.costs.sum():
                self._set(paths)

    def replan_group(self, size: int, budget: Budget) -> None:
        """Plan a delayed unit, units that block it, and others again."""
        n_units, delays, rng = len(self._task), self._delays, self._rng
        unit = int(rng.choice(n_units, p=delays / delays.sum()))
        group = [unit, *self._blocking_units(unit)]
        group += [other for other in rng.permutation(n_units).tolist() if other not in group]
        group = rng.permutation(group[:size]).tolist()
        traffic, least_costs = self.traffic, self._least_costs
        paths = [traffic.remove(unit) for unit in group]
        left = self.costs[group].sum() * (1 + _EQUAL) - least_costs[group].sum()  # for delays
        costs: list[float] = []
        for unit in group:
            cost = traffic.add_cheapest(unit, budget, left + least_costs[unit])
            if cost is None:
                break
            left -= cost - least_costs[unit]
            costs.append(cost)
        if len(costs) == len(group):
            self.costs[group] = costs
            self._move(group)
            return
        for unit in group[: len(costs)]:
            traffic.remove(unit)
        for unit, path in zip(group, paths, strict=True):
            traffic.add(unit, path)

    def _move(self, group: list[int]) -> None:
        """Update the positions of a group."""
        paths = self.traffic.paths
        if max(len(paths[unit]) for unit in group) > len(self._positions):
            self._positions = position_table([paths[unit] for unit in range(len(self._task))])
        for unit in group:
            self._positions[: len(paths[unit]), unit] = paths[unit]
            self._positions[len(paths[unit]) :, unit] = paths[unit][-1]

    def _blocking_units(self, unit: int) -> list[int]:
        """Return units on the nodes that a delayed unit would rather have stepped to."""
        task, positions = self._task, self._positions
        left, profile = task.cost_to_goal(unit), int(task.profile_of[unit])
        found: dict[int, None] = {}
        for tick, (node, after) in enumerate(itertools.pairwise(positions[:, unit].tolist())):
            if left[node] == 0 or left[after] < left[node]:
                continue
            better = [end for end in task.graph.neighbors(profile, node) if left[end] < left[node]]
            around = positions[tick : tick + 2]
            for end in better:
                found.update(dict.fromkeys(np.nonzero(around == end)[1].tolist()))
        found.pop(unit, None)
        return list(found)
