"""The choice among paths of equal cost once more, in plain Python: costs first, then the rule."""

from tests.support import rulebook

EDGE, OTHER, LINK = range(3)


def steps_of(navigation, profile, blocked=(), halting=()):
    """List the (start, end, cost in millionths, sort) of all steps of a mover, by the rulebook.

    Nodes are those of the navigation; a sort is EDGE, OTHER or LINK.
    """
    tilemap, of = navigation.tilemap, navigation.profile_graph(profile).nodes.of
    sorts = [(rulebook.straight_steps, EDGE), (rulebook.diagonal_steps, OTHER)]
    sorts += [(rulebook.link_steps, LINK)]
    found = []
    for start in rulebook.whereabouts(tilemap, profile):
        if rulebook.is_touched(profile, start, halting):
            continue
        for steps, sort in [(rulebook.warps, LINK)] if profile.warp else sorts:
            for end, cost in steps(tilemap, profile, start, blocked):
                if cost < rulebook.NOT_AT_ALL:
                    found.append((of(start), of(end), round(cost * 10**6), sort))
    return found


def steps_around(navigation, case):
    """List the steps as `steps_of` does, without those that the blockers of a case forbid."""
    own = {*rulebook.tiles(case.profile, case.start)}
    return steps_of(navigation, case.profile, case.blocked - own, case.halting - own)


def first_cells(steps, start, goal):
    """Return the nodes of the path from start to goal over the steps of `steps_of`; [] without.

    The path is read back from the goal. Among the last steps of cheapest paths one over an edge is
    taken, then a diagonal, then a link that costs most, and from the highest node.
    """
    costs, before = costs_from(steps, start), {}
    for here, there, cost, sort in steps:
        before.setdefault(there, []).append((sort, -cost if sort == LINK else 0, -here, cost))
    path = [goal] if goal in costs else []
    while path and path[-1] != start:
        node = path[-1]
        path.append(
            next(
                -here
                for *_, here, cost in sorted(before[node])
                if -here in costs and costs[-here] + cost == costs[node]
            )
        )
    return path[::-1]


def costs_from(steps, start):
    after = {}
    for here, there, cost, _ in steps:
        after.setdefault(here, []).append((there, cost))
    return rulebook.spread(lambda node: after.get(node, ()), {start: 0})


def all_cheapest(steps, start, goal):
    """List all paths from start to goal that cost least, each as (start, end, cost, sort) steps."""
    costs = costs_from(steps, start)
    found, open_ends = [], [(goal, ())] if goal in costs else []
    while open_ends:
        node, path = open_ends.pop()
        if node == start:
            found.append(path)
        for step in steps:
            here, there, cost, _ = step
            if there == node != start and here in costs and costs[here] + cost == costs[node]:
                open_ends.append((here, (step, *path)))
    return found


def first_of(paths, *, from_start=False):
    """Return the nodes of the path that the rule takes of several.

    They are compared step by step from the goal back, or by the same rule from the start on.
    """

    def rank(path):
        steps = path if from_start else reversed(path)
        return [
            (sort, -cost if sort == LINK else 0, -(there if from_start else here))
            for here, there, cost, sort in steps
        ]

    path = min(paths, key=rank)
    return [path[0][0], *(there for _, there, *_ in path)] if path else []
