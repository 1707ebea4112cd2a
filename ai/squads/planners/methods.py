"""Planning methods: which planners are tried for a task, in which order, with which budget."""

import itertools
from dataclasses import replace

from ai.squads.planners.cbs import ConflictBasedSearch
from ai.squads.planners.improvement import improve_plan
from ai.squads.planners.lacam import plan_lacam
from ai.squads.planners.prioritized import plan_prioritized
from ai.squads.task import Budget, Outcome, Task

METHODS = ("auto", "crowd", "prioritized", "cheapest")

_MAX_CHEAPEST = 12  # units up to which "auto" looks for a cheapest plan
_SHARE_PER_PAIR = 0.1


def solve(task: Task, method: str, bound: float, budget: Budget, seed: int) -> Outcome:
    """Plan a task by a method; see `SquadPlanner.plan`."""
    if method == "auto":
        method = "cheapest" if len(task) <= _MAX_CHEAPEST else "crowd"
    if method == "prioritized":
        outcome = plan_prioritized(task, budget.part(0.25))
        if outcome.paths:
            return Outcome(improve_plan(task, outcome.paths, budget, seed))
    # Only LaCAM can prove that there is no plan; the other planners would not end.
    crowd = plan_lacam(task, budget.part(0.25 if method == "cheapest" else 1), seed)
    if crowd.is_unsolvable:
        return replace(crowd, stuck_pair=_stuck_pair(task, budget, seed))
    if method == "crowd":
        return crowd
    if method == "prioritized":
        return Outcome(improve_plan(task, crowd.paths, budget, seed)) if crowd.paths else crowd
    cheapest = ConflictBasedSearch(task, bound).run(budget.part(0.75))
    if cheapest.paths or not crowd.paths:
        return cheapest
    prioritized = plan_prioritized(task, budget.part(0.25))
    paths = improve_plan(task, prioritized.paths or crowd.paths, budget, seed)
    return Outcome(paths, lower_bound=cheapest.lower_bound)


def _stuck_pair(task: Task, budget: Budget, seed: int) -> tuple[int, ...]:
    """Return two units that have no plan even without the others; empty if none is found."""
    for pair in itertools.combinations(range(len(task)), 2):
        if budget.is_spent:
            break
        if plan_lacam(task.subset(pair), budget.part(_SHARE_PER_PAIR), seed).is_unsolvable:
            return pair
    return ()
