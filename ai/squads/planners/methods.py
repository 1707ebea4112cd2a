"""Which planner is asked for a squad, in which order, and with which share of the work."""

import itertools
from dataclasses import replace

from ai.squads.planners.cbs import ConflictSearch
from ai.squads.planners.lacam import plan_crowd
from ai.squads.planners.prioritized import improve, plan_in_turn
from ai.squads.task import Budget, Outcome, Task

METHODS = ("auto", "crowd", "prioritized", "cheapest")

_FEW = 12  # so many units are planned for as cheaply as can be
_SHARE_OF_PAIR = 0.1


def solve(task: Task, method: str, bound: float, budget: Budget, seed: int) -> Outcome:
    """Find ways for a task; see `SquadPlanner.plan`."""
    if method == "auto":
        method = "cheapest" if len(task) <= _FEW else "crowd"
    if method == "prioritized":
        outcome = plan_in_turn(task, budget.part(0.25))
        if outcome.ways:
            return Outcome(improve(task, outcome.ways, budget, seed))
    # For the other planners time has no end: this one alone can tell that there is no plan.
    crowd = plan_crowd(task, budget.part(0.25 if method == "cheapest" else 1), seed)
    if crowd.is_none:
        return replace(crowd, stuck=_stuck(task, budget, seed))
    if method == "crowd":
        return crowd
    if method == "prioritized":
        return Outcome(improve(task, crowd.ways, budget, seed)) if crowd.ways else crowd
    cheapest = ConflictSearch(task, bound).run(budget.part(0.75))
    if cheapest.ways or not crowd.ways:
        return cheapest
    in_turn = plan_in_turn(task, budget.part(0.25))
    ways = improve(task, in_turn.ways or crowd.ways, budget, seed)
    return Outcome(ways, lower_bound=cheapest.lower_bound)


def _stuck(task: Task, budget: Budget, seed: int) -> tuple[int, ...]:
    """Find two units of which not even those two alone can both get to their goals."""
    for pair in itertools.combinations(range(len(task)), 2):
        if budget.is_spent:
            break
        if plan_crowd(task.of_few(pair), budget.part(_SHARE_OF_PAIR), seed).is_none:
            return pair
    return ()
