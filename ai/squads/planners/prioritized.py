"""Plans for groups, one unit after the other: each finds its way around those planned before it.

It is quick and its plans are good, but neither complete nor bounded: who was planned first may shut
in who comes later. Then the one that found no way is planned first, and all others again.

References
----------
Erdmann, Lozano-Perez (1987), "On multiple moving objects", https://doi.org/10.1007/BF01840371
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
Li, Chen, Harabor, Stuckey, Koenig (2021), "Anytime multi-agent path finding via large neighborhood
search" (planning some units anew among the others), https://doi.org/10.24963/ijcai.2021/568
"""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from ai.squads.constraints import Way, as_table
from ai.squads.task import Budget, Outcome, Task, Ways

_MOST_ROUNDS = 32
_GROUP = 8  # units that are planned anew together
_EQUAL = 1e-12
_PATIENCE = 10  # tries in vain for each unit, after which it is as good as it gets


def plan_in_turn(task: Task, budget: Budget) -> Outcome:
    """Plan the units one after the other, those with the longest ways first."""
    order = sorted(range(len(task)), key=lambda unit: (-task.alone(unit), unit))
    for _ in range(min(_MOST_ROUNDS, len(task) + 1)):
        ways: dict[int, Way] = {}
        for unit in order:
            way = _find(task, unit, ways, budget)
            if way is None:
                break
            ways[unit] = way
        if len(ways) == len(task):
            return Outcome(tuple(ways[unit] for unit in range(len(task))))
        if budget.is_spent or order[0] == unit:
            break
        order.remove(unit)
        order.insert(0, unit)
    return Outcome(reason="units that were planned first leave others no way")


def improve(task: Task, ways: Ways, budget: Budget, seed: int) -> Ways:
    """Plan a few units anew among all others, again and again, and keep what is not dearer."""
    rng = np.random.default_rng(seed)
    found = dict(enumerate(ways))
    costs = np.array([task.cost_of(unit, way) for unit, way in found.items()])
    alone = np.array([task.alone(unit) for unit in found])
    n_in_vain = 0
    while not budget.is_spent and n_in_vain < _PATIENCE * len(task):
        delay = np.maximum(costs - alone, 0)
        if delay.sum() <= _EQUAL * alone.sum():
            break
        unit = int(rng.choice(len(task), p=delay / delay.sum()))
        group = [unit, *_in_the_way(task, unit, found)]
        some = rng.permutation(len(task)).tolist()
        group += [other for other in some if other not in group]
        group = rng.permutation(group[:_GROUP]).tolist()
        others = {other: way for other, way in found.items() if other not in group}
        anew = _planned_anew(task, group, others, budget)
        prices = np.array([task.cost_of(each, way) for each, way in anew.items()])
        if len(anew) == len(group) and prices.sum() <= costs[group].sum():
            n_in_vain = n_in_vain + 1 if prices.sum() == costs[group].sum() else 0
            found.update(anew)
            costs[group] = prices
        else:
            n_in_vain += 1
    return tuple(found[unit] for unit in range(len(task)))


def _planned_anew(
    task: Task, group: Sequence[int], others: Mapping[int, Way], budget: Budget
) -> dict[int, Way]:
    """Plan a group in its order among others, up to the first that finds no way."""
    ways: dict[int, Way] = {}
    for unit in group:
        way = _find(task, unit, {**others, **ways}, budget)
        if way is None:
            break
        ways[unit] = way
    return ways


def _in_the_way(task: Task, unit: int, ways: Mapping[int, Way]) -> list[int]:
    """List some of those who keep a unit from the steps of its cheapest way."""
    table = as_table([ways[each] for each in range(len(task))])
    left, profile = task.left(unit), int(task.profile_of[unit])
    found: dict[int, None] = {}
    along = table[: len(ways[unit]), unit].tolist()
    for tick, (node, after) in enumerate(itertools.pairwise(along)):
        if left[after] < left[node]:
            continue
        better = [end for end in task.ground.steps_from(profile, node) if left[end] < left[node]]
        around = table[tick : tick + 2]
        for end in better:
            found.update(dict.fromkeys(np.nonzero(around == end)[1].tolist()))
    found.pop(unit, None)
    return list(found)


def _find(task: Task, unit: int, ways: Mapping[int, Way], budget: Budget) -> Way | None:
    """Find a way around settled ones; None if there is none or the budget is spent."""
    nobody = task.barriers(unit, {}, is_strict=False)
    found = task.find(unit, task.barriers(unit, ways), nobody, budget)
    return found[0] if found else None
