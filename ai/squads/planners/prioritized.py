"""Prioritized planning for groups.

Units are planned one after the other, each around the paths of the units before it. This is fast
and the plans are good, but it is neither complete nor bounded: units planned first may leave a
later unit without a path. That unit is then planned first, and all others again.

References
----------
Erdmann, Lozano-Perez (1987), "On multiple moving objects", https://doi.org/10.1007/BF01840371
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
"""

from ai.squads.constraints import TimedPath
from ai.squads.task import MAX_COST, Budget, Outcome, Task

_MAX_ROUNDS = 32


class Traffic:
    """Paths of some units of a task, and the constraints on the other units that follow."""

    def __init__(self, task: Task) -> None:
        self.paths: dict[int, TimedPath] = {}
        self._task = task
        profiles = range(len(task.graph.steps.first))
        self._constraints = [task.queued_constraints(profile) for profile in profiles]
        self._nothing = task.constraints(0)

    def add(self, unit: int, path: TimedPath) -> None:
        """Add the path of a unit."""
        self.paths[unit] = path
        for constraints in self._constraints:
            constraints.add(path, int(self._task.profile_of[unit]))

    def remove(self, unit: int) -> TimedPath:
        """Remove the path of a unit and return it."""
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
        traffic = Traffic(task)
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
