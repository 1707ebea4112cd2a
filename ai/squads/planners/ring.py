"""Units on a ring of nodes, which cannot pass each other."""

import itertools

from ai.squads.squad_graph import SquadGraph
from ai.squads.task import Task


def breaks_ring_order(task: Task) -> bool:
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
