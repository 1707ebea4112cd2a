"""The step rule once more in plain Python, scipy as oracle, and random cases to compare them on."""

import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai import MoveProfile
from terrain3d import TileKind, TileMap

SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))

KINDS = (
    TileKind("grass"),
    TileKind("swamp", cost=3),
    TileKind("road", cost=0.5),
    TileKind("water", cost=None),
    TileKind("ice", cost=0),
)
SIGNS = {"g": "grass", "s": "swamp", "r": "road", "w": "water", "i": "ice", "#": "void"}

TOLERANCE = 1e-9


def thoroughly(examples):
    """Try at least so many examples, and more if the hypothesis profile asks for more."""
    return settings(max_examples=max(examples, settings.default.max_examples))


def ground(levels, kinds=None, step_height=0.5):
    """Make a map from a picture of levels and, if given, one of kinds by their signs."""
    tilemap = TileMap.from_text(levels, KINDS, step_height)
    if kinds is None:
        return tilemap
    names = [kind.name for kind in tilemap.kinds]
    table = [[names.index(SIGNS[sign]) for sign in row] for row in kinds.split("\n")]
    return TileMap(tilemap.level, table, tilemap.kinds, step_height)


def drawn(tilemap, path):
    """Draw a way: 0 on its first cell, 1 on its second and so on, dots elsewhere."""
    rows = [["."] * tilemap.cols for _ in range(tilemap.rows)]
    for number, cell in enumerate(path.cells):
        rows[cell.row][cell.col] = "0123456789abcdefghijklmnopqrstuvwxyz"[number]
    return "\n".join("".join(row) for row in rows)


def cells_of(tilemap):
    return [(row, col) for row in range(tilemap.rows) for col in range(tilemap.cols)]


def kind_name(tilemap, cell):
    return tilemap.kinds[int(tilemap.kind[cell])].name


def step_cost(tilemap, profile, start, end, blocked=()):
    """Price one step by the rule as it is written down; infinity if it is not legal."""
    drow, dcol = end[0] - start[0], end[1] - start[1]
    if (drow, dcol) not in SIDES:
        return math.inf
    if "void" in (kind_name(tilemap, start), kind_name(tilemap, end)) or end in blocked:
        return math.inf
    name = kind_name(tilemap, end)
    costs = {kind.name: kind.cost for kind in tilemap.kinds} | dict(profile.kind_cost)
    if costs[name] is None:
        return math.inf
    rise = int(tilemap.level[end]) - int(tilemap.level[start])
    if rise > 0:
        return math.inf if rise > profile.max_climb else costs[name] + profile.climb_cost * rise
    return math.inf if -rise > profile.max_drop else costs[name] + profile.drop_cost * -rise


def true_costs(tilemap, profile, start, blocked=()):
    """(rows, cols) cheapest costs from `start` by scipy; infinity where there is no way."""
    edges = defaultdict(list)
    for node, cell in enumerate(cells_of(tilemap)):
        for drow, dcol in SIDES:
            end = cell[0] + drow, cell[1] + dcol
            if 0 <= end[0] < tilemap.rows and 0 <= end[1] < tilemap.cols:
                cost = step_cost(tilemap, profile, cell, end, blocked)
                if cost < math.inf:
                    edges[node].append((end[0] * tilemap.cols + end[1], cost))
    n_nodes = tilemap.rows * tilemap.cols
    # Built as rows of edges: a matrix built from pairs or from a table may lose edges of cost 0.
    counts = [len(edges[node]) for node in range(n_nodes)]
    pairs = [pair for node in range(n_nodes) for pair in sorted(edges[node])]
    graph = csr_matrix(
        (
            np.array([cost for _, cost in pairs], dtype=float),
            np.array([end for end, _ in pairs], dtype=np.int32),
            np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        ),
        shape=(n_nodes, n_nodes),
    )
    cost = dijkstra(graph, indices=start[0] * tilemap.cols + start[1])
    if kind_name(tilemap, start) == "void":
        cost[:] = math.inf
    return cost.reshape(tilemap.rows, tilemap.cols)


def walk(tilemap, profile, path, start, goal, blocked=()):
    """Go a way step by step and fail where it breaks the rule or misreports itself."""
    cells = [tuple(cell[:2]) for cell in path.cells]
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


@dataclass
class Case:
    """A map, who moves over it, from where, and who is in the way."""

    tilemap: TileMap
    profile: MoveProfile
    start: tuple[int, int]
    blocked: set[tuple[int, int]] = field(default_factory=set)


whole_costs = st.integers(0, 12)
costs = whole_costs | st.floats(0, 12, allow_subnormal=False) | st.sampled_from([0.1, 0.7, 1e6])

profiles = st.builds(
    MoveProfile,
    max_climb=st.integers(0, 4),
    max_drop=st.integers(0, 4),
    climb_cost=costs,
    drop_cost=costs,
    kind_cost=st.dictionaries(
        st.sampled_from(["grass", "swamp", "road", "water", "ice", "lava"]),
        costs | st.none(),
        max_size=3,
    ),
)


@st.composite
def tilemaps(draw, max_side=7):
    # Long, narrow maps too; the sides are drawn as one, else most maps would have a side of 1.
    sides = [(rows, cols) for rows in range(1, max_side + 1) for cols in range(1, max_side + 1)]
    rows, cols = draw(st.sampled_from(sides[::-1]))
    size = rows * cols
    levels = draw(st.lists(st.integers(0, draw(st.integers(0, 6))), min_size=size, max_size=size))
    # Mostly plain grass, so that many cells can be reached.
    sign = st.sampled_from([0] * draw(st.integers(1, 12)) + [1, 2, 3, 4, 5])
    kinds = draw(st.lists(sign, min_size=size, max_size=size))
    shape = (rows, cols)
    return TileMap(np.reshape(levels, shape), np.reshape(kinds, shape), KINDS)


@st.composite
def cases(draw):
    tilemap = draw(tilemaps())
    cell = st.sampled_from(cells_of(tilemap))
    blocked = draw(st.sets(cell, max_size=draw(st.sampled_from([0, 4]))))
    return Case(tilemap, draw(profiles), draw(cell), blocked)
