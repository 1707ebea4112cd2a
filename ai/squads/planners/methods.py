"""Planning methods: which planners are tried for a task, in which order, with which budget."""

import itertools
from dataclasses import replace

from ai.squads.planners.cbs import ConflictBasedSearch
from ai.squads.planners.improvement import improve_plan
from ai.squads.planners.lacam import plan_lacam
from ai.squads.squad_graph import SquadGraph
from ai.squads.task import GAVE_UP, Budget, Outcome, Task

METHODS = ("auto", "crowd", "prioritized", "cheapest")

_MAX_CHEAPEST = 12  # units up to which "auto" looks for a cheapest plan
_SHARE_PER_PAIR = 0.1


def solve(task: Task, method: str, bound: float, budget: Budget, seed: int) -> Outcome:
    """Plan a task by a method; see `SquadPlanner.plan`."""
    if method == "auto":
        method = "cheapest" if len(task) <= _MAX_CHEAPEST else "crowd"
    crowd = _plan_crowd(task, budget.part(0.25 if method == "cheapest" else 1), seed)
    if crowd.is_unsolvable or method == "crowd":
        return crowd
    lower_bound = 0.0
    if method == "cheapest":
        cheapest = ConflictBasedSearch(task, bound).run(budget.part(0.75 if crowd.paths else 0.25))
        if cheapest.reason != GAVE_UP:
            return cheapest
        lower_bound = cheapest.lower_bound
        if not crowd.paths:
            crowd = _plan_crowd(task, budget, seed + 1)
    paths = improve_plan(task, crowd.paths, budget, seed) if crowd.paths else ()
    return replace(crowd, paths=paths, lower_bound=lower_bound)


def _plan_crowd(task: Task, budget: Budget, seed: int) -> Outcome:
    """Return the crowd's plan, or the proof that there is none, if possible for two units alone.

    The other planners prove nothing: they would not end.
    """
    if _breaks_ring_order(task):
        why = "no plan exists: units would have to pass each other on a ring"
        return Outcome(reason=why, is_unsolvable=True)
    outcome = plan_lacam(task, budget, seed)
    if outcome.is_unsolvable:
        for pair in itertools.combinations(outcome.stuck, 2):
            if budget.is_spent:
                break
            if plan_lacam(task.subset(pair), budget.part(_SHARE_PER_PAIR), seed).is_unsolvable:
                return replace(outcome, stuck=pair)
    return outcome


def _breaks_ring_order(task: Task) -> bool:
    """Return whether units that cannot leave a ring have another cyclic order at their goals."""
    place: dict[int, int] = {}
    for node in task.start.tolist():
        if node in place:
            continue
        ring = {node: number for number, node in enumerate(_ring(task.graph, node))}
        place.update(ring)
        ends = zip(task.start.tolist(), task.goal.tolist(), strict=True)
        goals = [
            ring[goal]
            for _, goal in sorted((ring[start], goal) for start, goal in ends if start in ring)
        ]
        if sum(after < here for here, after in itertools.pairwise([*goals, *goals[:1]])) > 1:
            return True
    return False


def _ring(graph: SquadGraph, node: int) -> list[int]:
    """Return the nodes of a ring in order, if all steps from them lead to the next or previous."""
    ring = [node]
    while True:
        ends = _ends(graph, ring[-1])
        if len(ends) != 2 or not ends.issuperset(ring[-2:-1]):
            return []
        after = min(ends.difference(ring[-2:-1]))
        if after == node:
            return ring if ring[-1] in _ends(graph, node) else []
        ring.append(after)


def _ends(graph: SquadGraph, node: int) -> set[int]:
    """Return the nodes to which a step of any profile leads."""
    return {end for each in range(len(graph.steps.first)) for end in graph.neighbors(each, node)}
