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
from collections.abc import Mapping, Sequence

import numpy as np

from ai.squads.constraints import TimedPath, TimedPaths, position_table
from ai.squads.task import Budget, Outcome, Task

_MAX_ROUNDS = 32
_NEIGHBORHOOD_SIZE = 8  # units that are replanned together
_EQUAL = 1e-12
_PATIENCE = 10  # failed attempts per unit after which the improvement ends


def plan_prioritized(task: Task, budget: Budget) -> Outcome:
    """Plan the units one after the other, those with the most expensive paths first."""
    order = sorted(range(len(task)), key=lambda unit: (-task.least_cost_of(unit), unit))
    for _ in range(min(_MAX_ROUNDS, len(task) + 1)):
        paths: dict[int, TimedPath] = {}
        for unit in order:
            path = _find_path(task, unit, paths, budget)
            if path is None:
                break
            paths[unit] = path
        if len(paths) == len(task):
            return Outcome(tuple(paths[unit] for unit in range(len(task))))
        if budget.is_spent or order[0] == unit:
            break
        order.remove(unit)
        order.insert(0, unit)
    return Outcome(reason="units planned first leave another unit without a path")


def improve_plan(task: Task, paths: TimedPaths, budget: Budget, seed: int) -> TimedPaths:
    """Replan small groups of units again and again; keep changes that do not raise the cost."""
    rng = np.random.default_rng(seed)
    found = dict(enumerate(paths))
    costs = np.array([task.cost_of(unit, path) for unit, path in found.items()])
    least_costs = np.array([task.least_cost_of(unit) for unit in found])
    n_failed = 0
    while not budget.is_spent and n_failed < _PATIENCE * len(task):
        delay = np.maximum(costs - least_costs, 0)
        if delay.sum() <= _EQUAL * least_costs.sum():
            break
        unit = int(rng.choice(len(task), p=delay / delay.sum()))
        group = [unit, *_blocking_units(task, unit, found)]
        some = rng.permutation(len(task)).tolist()
        group += [other for other in some if other not in group]
        group = rng.permutation(group[:_NEIGHBORHOOD_SIZE]).tolist()
        others = {other: path for other, path in found.items() if other not in group}
        replanned = _replan(task, group, others, budget)
        new_costs = np.array([task.cost_of(each, path) for each, path in replanned.items()])
        if len(replanned) == len(group) and new_costs.sum() <= costs[group].sum():
            n_failed = n_failed + 1 if new_costs.sum() == costs[group].sum() else 0
            found.update(replanned)
            costs[group] = new_costs
        else:
            n_failed += 1
    return tuple(found[unit] for unit in range(len(task)))


def _replan(
    task: Task, group: Sequence[int], others: Mapping[int, TimedPath], budget: Budget
) -> dict[int, TimedPath]:
    """Plan a group in its order around others; stop at the first unit without a path."""
    paths: dict[int, TimedPath] = {}
    for unit in group:
        path = _find_path(task, unit, {**others, **paths}, budget)
        if path is None:
            break
        paths[unit] = path
    return paths


def _blocking_units(task: Task, unit: int, paths: Mapping[int, TimedPath]) -> list[int]:
    """Return units on the nodes that a delayed unit would rather have stepped to."""
    positions = position_table([paths[each] for each in range(len(task))])
    left, profile = task.cost_to_goal(unit), int(task.profile_of[unit])
    found: dict[int, None] = {}
    path = positions[: len(paths[unit]), unit].tolist()
    for tick, (node, after) in enumerate(itertools.pairwise(path)):
        if left[after] < left[node]:
            continue
        better = [end for end in task.graph.neighbors(profile, node) if left[end] < left[node]]
        around = positions[tick : tick + 2]
        for end in better:
            found.update(dict.fromkeys(np.nonzero(around == end)[1].tolist()))
    found.pop(unit, None)
    return list(found)


def _find_path(
    task: Task, unit: int, paths: Mapping[int, TimedPath], budget: Budget
) -> TimedPath | None:
    """Return a path around other paths; None if there is none or the budget is spent."""
    avoid_nothing = task.constraints(unit, {}, with_queued=False)
    found = task.find_path(unit, task.constraints(unit, paths), avoid_nothing, budget)
    return found[0] if found else None
