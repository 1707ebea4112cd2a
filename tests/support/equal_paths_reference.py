"""The choice among paths of equal cost once more, in plain Python: costs first, then the rule."""

import heapq
import math


def first_cells(steps, start, goal):
    """Return the nodes of the path from start to goal over (start, end, cost) steps; [] without.

    The path is read back from the goal. A node is entered from the highest node before it by a
    cheapest path whose last step costs something; if there is none, from the highest of the nodes
    before it from which the fewest free steps lead back to such a node or to the start.
    """
    after, before = {}, {}
    for here, there, cost in steps:
        after.setdefault(here, []).append((there, cost))
        before.setdefault(there, []).append((here, cost))
    cost_to = _costs(after, start)
    if goal not in cost_to:
        return []

    def cheapest_before(node):
        for other, cost in before.get(node, ()):
            if other in cost_to and cost_to[other] + cost == cost_to[node]:
                yield other

    def paid(node):
        return [other for other in cheapest_before(node) if cost_to[other] < cost_to[node]]

    n_free = _free_steps(after, cost_to, {node for node in cost_to if node == start or paid(node)})
    path = [goal]
    while path[-1] != start:
        node = path[-1]
        near = [other for other in cheapest_before(node) if n_free[other] < n_free[node]]
        free = [other for other in near if cost_to[other] == cost_to[node]]
        path.append(max(free if n_free[node] else paid(node)))
    return path[::-1]


def _costs(after, start):
    cost_to, frontier = {}, [(0, start)]
    while frontier:
        cost, node = heapq.heappop(frontier)
        if cost >= cost_to.get(node, math.inf):
            continue
        cost_to[node] = cost
        for other, step in after.get(node, ()):
            heapq.heappush(frontier, (cost + step, other))
    return cost_to


def _free_steps(after, cost_to, nodes):
    """Return the number of free steps to each node from the nearest of some nodes."""
    n_free, reached = dict.fromkeys(nodes, 0), sorted(nodes)
    for node in reached:
        for other, cost in after.get(node, ()):
            if cost_to[node] + cost == cost_to[other] == cost_to[node] and other not in n_free:
                n_free[other] = n_free[node] + 1
                reached.append(other)
    return n_free
