"""The choice among paths of equal cost once more, in plain Python: costs first, then the rule."""

from ai.navigation.blockers import Blockers
from tests.support.rulebook import spread

EDGE, OTHER, LINK = range(3)


def steps_of(navigation, graph, closed=()):
    """List the (start, end, cost, sort) of all steps; a sort is EDGE, OTHER or LINK."""
    cell, grid = navigation.profile_graph().nodes.cell, navigation.tilemap.grid
    n_links = 0 if graph.links is None else len(graph.links.target)
    found = []
    for node in range(graph.n_nodes):
        links = [] if not n_links else list(range(*graph.links.first[node : node + 2].tolist()))
        edges = list(graph.edges_from(node))
        near = {near[:2] for near in grid.neighbors(cell(node)[:2])}
        for place, (end, cost) in enumerate(edges):
            sort = EDGE if cell(end)[:2] in near else OTHER
            if place >= len(edges) - len(links):
                sort = LINK
            if end not in closed:
                found.append((node, end, cost, sort))
    return found


def steps_around(navigation, profile, start, others):
    """List the steps as `steps_of` does, without those that the blockers of a query forbid."""
    graph = navigation.profile_graph(profile)
    blockers = Blockers.of(graph.nodes, profile.size, start, **others)
    closed = set(blockers.blocked.tolist())
    return steps_of(navigation, graph.guided(blockers=blockers).graph, closed)


def first_cells(steps, start, goal):
    """Return the nodes of the path from start to goal over the steps of `steps_of`; [] without.

    The path is read back from the goal. A node is entered by a step that costs something, if there
    is one on a cheapest path; if there is none, from one of the nodes before it from which the
    fewest free steps lead back to such a node or to the start. Among several steps one over an edge
    is taken, then a diagonal, then a link that costs most, and from the highest node.
    """
    after, before = {}, {}
    for here, there, cost, sort in steps:
        after.setdefault(here, []).append((there, cost))
        before.setdefault(there, []).append((sort, -cost if sort == LINK else 0, -here, cost))
    cost_to = costs_from(after, start)
    if goal not in cost_to:
        return []

    def cheapest_before(node):
        for *_, back, cost in sorted(before.get(node, ())):
            if -back in cost_to and cost_to[-back] + cost == cost_to[node]:
                yield -back

    def paid(node):
        return [other for other in cheapest_before(node) if cost_to[other] < cost_to[node]]

    n_free = _free_steps(after, cost_to, {node for node in cost_to if node == start or paid(node)})
    path = [goal]
    while path[-1] != start:
        node = path[-1]
        near = [other for other in cheapest_before(node) if n_free[other] < n_free[node]]
        free = [other for other in near if cost_to[other] == cost_to[node]]
        path.append((free if n_free[node] else paid(node))[0])
    return path[::-1]


def costs_from(after, start):
    return spread(lambda node: after.get(node, ()), {start: 0})


def _free_steps(after, cost_to, nodes):
    """Return the number of free steps to each node from the nearest of some nodes."""
    n_free, reached = dict.fromkeys(nodes, 0), sorted(nodes)
    for node in reached:
        for other, cost in after.get(node, ()):
            if cost_to[node] + cost == cost_to[other] == cost_to[node] and other not in n_free:
                n_free[other] = n_free[node] + 1
                reached.append(other)
    return n_free
