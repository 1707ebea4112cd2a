"""The faults of a map, found with the plain rulebook and scipy."""

from collections import Counter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from tests.support import rulebook


def findings(tilemap, profile, spawns=()):
    """Return the set of (what, cells) of all problems."""
    cells = sorted(rulebook.whereabouts(tilemap, profile), key=lambda cell: (cell[2], *cell[:2]))
    number = {tuple(cell): index for index, cell in enumerate(cells)}
    arcs = [
        (number[start], number[tuple(end)])
        for start in number
        for end, _ in rulebook.steps_from(tilemap, profile, start)
    ]
    stops = [cell for cell in number if rulebook.can_stop(tilemap, profile, cell)]
    sources, targets = np.array(arcs, dtype=int).reshape(-1, 2).T
    matrix = coo_array((np.ones(len(arcs)), (sources, targets)), shape=(len(cells),) * 2).tocsr()
    label = connected_components(matrix, connection="strong")[1] if cells else []

    def reached(graph, start):
        return set(label[breadth_first_order(graph, number[start], return_predecessors=False)])

    found = set()
    members = Counter(label[number[cell]] for cell in stops)
    if stops:
        home = max(stops, key=lambda cell: members[label[number[cell]]])
        there, back = reached(matrix, home), reached(matrix.T.tocsr(), home)
        for region in members:
            part = frozenset(cell for cell in stops if label[number[cell]] == region)
            if region not in there:
                kind = "deck" if all(cell[2] for cell in part) else "island"
                found.add((kind, part))
            elif region not in back:
                found.add(("trap", part))
    standing = [spawn for spawn in dict.fromkeys(spawns) if spawn in stops]
    found |= {("spawn", frozenset([spawn])) for spawn in spawns if spawn not in stops}
    if standing:
        units = Counter(label[number[spawn]] for spawn in standing)
        sizes = {spawn: units[label[number[spawn]]] for spawn in standing}
        home = max(standing, key=lambda spawn: (sizes[spawn], members[label[number[spawn]]]))
        for region in set(units) - {label[number[home]]}:
            part = frozenset(spawn for spawn in standing if label[number[spawn]] == region)
            found.add(("spawn", part))
    for link in () if profile.warp else tilemap.links:
        is_used = profile.link_cost.get(link.kind, link.cost) is not None
        ends = link.start, link.end
        if is_used and not all(rulebook.can_enter(tilemap, profile, end) for end in ends):
            found.add(("link", frozenset(map(tuple, ends))))
    return found
