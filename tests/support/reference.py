"""Paths by SciPy over the steps of the rulebook, costs in whole units, and random cases."""

import math
from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai import MoveProfile
from ai.rules.profile import DIAGONAL_MODES
from terrain3d import TOPOLOGIES, TileKind, TileMap
from tests.support import plain_map, rulebook, strategies
from tests.support.selection import FEW, MANY

SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))

KINDS = (
    TileKind("grass"),
    TileKind("swamp", cost=3),
    TileKind("road", cost=0.5),
    TileKind("water", cost=None),
    TileKind("ice", cost=1),
)
SIGNS = {"g": "grass", "s": "swamp", "r": "road", "w": "water", "i": "ice", "#": "void"}

TOLERANCE = 1e-9
MILLION = 10**6


def thoroughly(examples):
    """Try a quarter of so many examples, or by the profile `thorough` at least as many."""
    is_thorough = settings.default.max_examples > FEW
    return settings(max_examples=max(examples, MANY) if is_thorough else examples // 4)


def tried(examples, *strategies, **named):
    """Try a test with drawn values, as many as `thoroughly` says."""
    return lambda test: thoroughly(examples)(given(*strategies, **named)(test))


def ground(levels, kinds=None, table=KINDS, signs=SIGNS):
    """Make a map from a picture of levels and, if given, one of kinds by their signs."""
    tilemap = TileMap.from_text(levels, table)
    if kinds is None:
        return tilemap
    names = [kind.name for kind in tilemap.kinds]
    indices = [[names.index(signs[sign]) for sign in row] for row in kinds.split("\n")]
    return TileMap(tilemap.level, indices, tilemap.kinds)


def drawn(tilemap, path):
    """Draw a path: 0 on its first cell, 1 on its second and so on, dots elsewhere."""
    rows = [["."] * tilemap.cols for _ in range(tilemap.rows)]
    for number, cell in enumerate(path.cells):
        rows[cell.row][cell.col] = "0123456789abcdefghijklmnopqrstuvwxyz"[number]
    return "\n".join("".join(row) for row in rows)


def cells_of(tilemap):
    return [(row, col) for row in range(tilemap.rows) for col in range(tilemap.cols)]


def distance(tilemap, profile, one, other):
    if tilemap.topology != "square" or profile.diagonal == "never":
        return plain_map.distance(tilemap, one, other)
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def amounts_of(tilemap, profile):
    """Return all costs, in millionths, and more than what the most expensive step costs."""
    kinds = [kind for kind in tilemap.kinds if kind.name != "void"]
    costs = [profile.kind_cost.get(kind.name, kind.cost) for kind in kinds]
    entry, rise = [cost for cost in costs if cost is not None] or [0], [0]
    rise += [profile.climb_cost * level for level in range(1, profile.max_climb + 1)]
    rise += [profile.drop_cost * level for level in range(1, profile.max_drop + 1)]
    has_diagonals = tilemap.topology == "square" and profile.diagonal != "never"
    entry += [cost * profile.diagonal_cost for cost in entry if has_diagonals]
    amounts = list(map(nearest, entry + rise))
    return amounts, max(map(nearest, entry)) + max(map(nearest, rise))


def unit_of(tilemap, profile):
    return shared_unit(tilemap, *amounts_of(tilemap, profile))


def is_exact(tilemap, profile):
    """Return whether no cost is rounded to the unit."""
    unit = unit_of(tilemap, profile)
    return all(amount % unit == 0 for amount in amounts_of(tilemap, profile)[0])


def shared_unit(tilemap, amounts, highest):
    """Return the unit of amounts: 1, or more if all share it or a path would not fit."""
    unit, whole = math.gcd(*amounts) or MILLION, MILLION
    most = min(2**31 - 4, 2**44 // tilemap.level.size)
    if highest <= unit * most:
        return unit
    while highest > whole * most:
        whole *= 2
    return min(each for each in range(1, whole + 1) if whole % each == 0 and highest <= each * most)


def nearest(cost, unit=1):
    """Return a cost as the nearest number of millionths that is whole in a unit, 0 for 0 alone."""
    amount = max(round(cost * MILLION), cost > 0)
    return max((amount + unit // 2) // unit, amount > 0) * unit


def price(tilemap, profile, start, end, unit):
    """Price a legal step, in whole units, or with the unit 0 as exact as floats are."""
    is_diagonal = tilemap.topology == "square" and start[0] != end[0] and start[1] != end[1]
    kind, rise = tilemap.kind_at(end), int(tilemap.level[end]) - int(tilemap.level[start])
    entry = profile.kind_cost.get(kind.name, kind.cost)
    costs = (
        entry * (profile.diagonal_cost if is_diagonal else 1),
        profile.climb_cost * rise if rise > 0 else profile.drop_cost * -rise,
    )
    return sum(nearest(cost, unit) for cost in costs) / MILLION if unit else sum(costs)


def ends_from(tilemap, profile, start, blocked=()):
    others = {(*cell, 0) for cell in blocked}
    steps = rulebook.steps_from(tilemap, profile, (*start, 0), others)
    return [end[:2] for end, _ in steps]


def step_cost(tilemap, profile, start, end, blocked=()):
    """Price one step in whole units; infinity if it is not legal."""
    is_legal = end in ends_from(tilemap, profile, start, blocked)
    unit = unit_of(tilemap, profile)
    return price(tilemap, profile, start, end, unit) if is_legal else math.inf


def edges(tilemap, profile, blocked=(), unit=None):
    """List all legal steps as (start, end, cost), the costs in whole units or exact for 0."""
    unit = unit_of(tilemap, profile) if unit is None else unit
    return [
        (start, end, price(tilemap, profile, start, end, unit))
        for start in cells_of(tilemap)
        for end in ends_from(tilemap, profile, start, blocked)
    ]


def costs_over(tilemap, steps, cell):
    """(rows, cols) cheapest costs from a cell over (start, end, cost) steps, by scipy."""
    number = {cell: node for node, cell in enumerate(cells_of(tilemap))}
    table = [(number[start], number[end], cost) for start, end, cost in steps]
    start, end, cost = np.array(table, dtype=float).reshape(-1, 3).T
    shape = len(number), len(number)
    graph = csr_matrix((cost, (start.astype(int), end.astype(int))), shape=shape)
    cost = dijkstra(graph, indices=number[cell])
    if tilemap.void[cell]:
        cost[:] = math.inf
    return cost.reshape(tilemap.rows, tilemap.cols)


def true_costs(tilemap, profile, start, blocked=(), unit=None):
    """(rows, cols) cheapest costs from `start` by scipy; infinity without a path."""
    others = set(blocked) - {start}  # a mover does not block itself
    return costs_over(tilemap, edges(tilemap, profile, others, unit), start)


def true_costs_to(tilemap, profile, goals):
    """(rows, cols) cheapest costs to any of (goal, cost to add there) by scipy."""
    back = [(end, start, cost) for start, end, cost in edges(tilemap, profile)]
    return np.min([costs_over(tilemap, back, goal) + more for goal, more in goals], axis=0)


def walk(tilemap, profile, path, start, goal, blocked=()):
    """Follow a path step by step and fail where it breaks the rule or misreports itself."""
    cells = [tuple(cell[:2]) for cell in path.cells]
    blocked = set(blocked) - {start}
    assert path
    assert path.reason == ""
    assert (cells[0], cells[-1]) == (start, goal)
    assert [tuple(place) for place in path.as_array().tolist()] == [(*cell, 0) for cell in cells]
    assert len(path) == len(cells) == len(path.steps) + 1
    total = 0.0
    for before, after, step in zip(cells, cells[1:], path.steps, strict=False):
        cost = step_cost(tilemap, profile, before, after, blocked)
        rise = int(tilemap.level[after]) - int(tilemap.level[before])
        assert cost < math.inf, f"{before} to {after} is not legal"
        assert (step.start[:2], step.end[:2], step.rise) == (before, after, rise)
        assert step.kind == ("climb" if rise > 0 else "drop" if rise < 0 else "walk")
        assert math.isclose(step.cost, cost, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        total += cost
    assert math.isclose(path.cost, total, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


whole_costs = st.integers(1, 12)
rare_costs = [0.001, 0.1, 0.7, 253, 254, 300, 1e5, 1e6]
costs = whole_costs | st.floats(1e-6, 12) | st.sampled_from(rare_costs)

profiles = st.builds(
    MoveProfile,
    *[st.integers(0, 4)] * 2,
    *[st.just(0) | costs] * 2,
    kind_cost=st.dictionaries(
        st.sampled_from(["grass", "swamp", "road", "water", "ice", "lava"]),
        costs | st.none(),
        max_size=3,
    ),
    diagonal=st.sampled_from(DIAGONAL_MODES),
    diagonal_cost=st.sampled_from([1, math.sqrt(2), 2, 1.5, 0.5, 3]),
)

# With few prices, all of them whole, many paths cost the same.
plain_profiles = st.builds(
    MoveProfile,
    *[st.integers(0, 3)] * 2,
    *[st.integers(0, 2)] * 2,
    kind_cost=st.just({"road": 1}),
    diagonal=st.sampled_from(DIAGONAL_MODES),
    diagonal_cost=st.sampled_from([1, 1, 2, 3]),
)


@st.composite
def tilemaps(draw, max_side=7):
    return strategies.bare_map(draw, max_side, KINDS, ["square"] * 3 + [*TOPOLOGIES])


@st.composite
def cases(draw):
    """Draw a map, a mover, its start, and the blockers."""
    tilemap = draw(tilemaps())
    cell = st.sampled_from(cells_of(tilemap))
    blocked = draw(st.sets(cell, max_size=draw(st.sampled_from([0, 4]))))
    mover = draw(profiles | plain_profiles)
    return SimpleNamespace(tilemap=tilemap, profile=mover, start=draw(cell), blocked=blocked)


def center_of(layout, row, col):
    """Where a hexagon's center lies, straight from the definition of the layouts."""
    tall, tip = math.sqrt(3) / 2, 1 / math.sqrt(3)
    line = row if layout.endswith("r") else col
    offset = 0.5 if (line % 2 == 1) == ("odd" in layout) else 0.0
    if layout.endswith("r"):
        return col + 0.5 + offset, -(row * tall + tip)
    return col * tall + tip, -(row + 0.5 + offset)


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
        rank = sort, -cost if sort == LINK else 0, -here
        before.setdefault(there, []).append((rank, here, cost))
    path = [goal] if goal in costs else []
    while path and path[-1] != start:
        ways, due = sorted(before[path[-1]]), costs[path[-1]]
        path.append(next(n for _, n, cost in ways if n in costs and costs[n] + cost == due))
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
