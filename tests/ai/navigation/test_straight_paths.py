"""Cheapest paths with few turns or near a line: compared with all cheapest paths of small maps."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from terrain3d import KINDS, TileKind, TileMap
from tests.support.equal_paths_reference import LINK, costs_from, steps_around, steps_of
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.reference import drawn, thoroughly

KIND_NAMES = [kind.name for kind in KINDS]
STRAIGHT = {"tie": "straight"}
LINE = {"tie": "line"}
FLAT = MoveProfile(max_climb=1, climb_cost=0, drop_cost=0)


def turns_of(tilemap, cells):
    """Count the turns by the bearings between the centers of tiles."""
    points = [tilemap.surface_point(cell)[:2] for cell in cells]
    bearings = []
    for (x, y), (next_x, next_y) in itertools.pairwise(points):
        is_vertical = math.hypot(next_x - x, next_y - y) < 1e-9
        bearings.append(None if is_vertical else math.atan2(next_y - y, next_x - x))
    return sum(
        one is None or other is None or abs(math.remainder(one - other, math.tau)) > 1e-6
        for one, other in itertools.pairwise(bearings)
    )


def cheapest_paths(steps, start, goal, most=3000):
    """List all cheapest paths that visit no node twice; None if there are too many."""
    after, before = {}, {}
    for here, there, cost, _ in steps:
        after.setdefault(here, []).append((there, cost))
        before.setdefault(there, set()).add((here, cost))
    cost_to = costs_from(after, start)
    found, unfinished = [], [[goal]] if goal in cost_to else []
    for _ in range(20 * most):
        if not unfinished:
            return found
        path = unfinished.pop()
        if path[-1] == start:
            found.append(path[::-1])
            if len(found) > most:
                return None
            continue
        here = path[-1]
        unfinished += [
            [*path, other]
            for other in {
                other
                for other, cost in before.get(here, ())
                if math.isclose(cost_to.get(other, math.inf) + cost, cost_to[here], rel_tol=1e-12)
            }
            if other not in path
        ]
    return None


def straightest(tilemap, nodes, paths, _steps):
    """Return the path that is first in the order that the documentation gives."""

    def order(path):
        turns = turns_of(tilemap, [nodes.cell(node) for node in path])
        return turns, len(path), [-node for node in path]

    return min(paths, key=order)


def sum_of_squares(tilemap, cells):
    """Return the sum of the squared distances of tiles' centers from the line through the ends."""
    points = np.array([tilemap.surface_point(cell)[:2] for cell in cells])
    (right, up), away = points[-1] - points[0], points - points[0]
    crosses = away[:, 0] * up - away[:, 1] * right
    return round((crosses**2).sum() / max(right * right + up * up, 1), 9)


def nearest(tilemap, nodes, paths, steps):
    """Return the path that is first in the order of `tie="line"`, by the rule of `first_cells`."""
    sums = [sum_of_squares(tilemap, map(nodes.cell, path)) for path in paths]
    left = [path for path, each in zip(paths, sums, strict=True) if each == min(sums)]
    left = [path for path in left if len(path) == 1] or left
    last = max(path[-1] for path in left)
    left = [[*path] for path in {tuple(path[::-1]) for path in left if path[-1] == last}]
    after, into = {}, {}
    for here, there, cost, sort in steps:
        after.setdefault(here, []).append((there, cost))
        rank = sort, -cost if sort == LINK else 0, -here
        into.setdefault((here, there), []).append((cost, rank))
    cost_to = costs_from(after, left[0][-1])

    def order(path, place):
        back = path[place:]
        flat = itertools.takewhile(lambda node: cost_to[node] == cost_to[back[0]], back[1:])
        ranks = [
            rank
            for cost, rank in into[back[1], back[0]]
            if math.isclose(cost_to[back[1]] + cost, cost_to[back[0]], rel_tol=1e-12)
        ]
        return sum(1 for _ in flat), min(ranks)

    place = 0
    while len(left) > 1:
        orders = [order(path, place) for path in left]
        left = [path for path, each in zip(left, orders, strict=True) if each == min(orders)]
        place += 1
    return left[0][::-1]


TIES = [
    (STRAIGHT, straightest),
    (LINE, nearest),
]


@given(
    st.lists(st.text("00000001#", min_size=6, max_size=6), min_size=4, max_size=4),
    st.sampled_from([math.sqrt(2), 1.1, 1.9, math.pi / 2]),
    st.sampled_from(TIES),
)
@thoroughly(60)
def test_sums_in_another_order_are_equal(rows, diagonal_cost, tie):
    how, first_of = tie
    tilemap = TileMap.from_text("\n".join(["0" + rows[0][1:], *rows[1:]]))
    profile = MoveProfile(diagonal="always", diagonal_cost=diagonal_cost, climb_cost=0.3)
    navigation = Navigation(tilemap)
    nodes = navigation.profile_graph(profile).nodes
    steps = steps_of(navigation, navigation.profile_graph(profile).guided().graph, set())
    for goal in cells_to_ask(tilemap):
        path = navigation.find_path((0, 0), goal, profile, **how)
        paths = cheapest_paths(steps, nodes.of(tilemap.cell((0, 0))), nodes.of(goal))
        assume(paths is not None)
        if path:
            expected = first_of(tilemap, nodes, paths, steps)
            assert [nodes.of(cell) for cell in path.cells] == expected
            usual = navigation.find_path((0, 0), goal, profile)
            assert path.cost == pytest.approx(usual.cost, rel=1e-12)


def test_an_open_field_has_one_turn():
    navigation = Navigation(TileMap.from_text("\n".join(["0" * 20] * 10)))
    profile = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2))
    for row, col in itertools.product(range(10), range(20)):
        path = navigation.find_path((0, 0), (row, col), profile, **STRAIGHT)
        assert turns_of(navigation.tilemap, path.cells) == (0 < row != col > 0)


@pytest.mark.parametrize(("how", "first_of"), TIES, ids=["straight", "line"])
@given(cases(), st.data())
@thoroughly(120)
def test_it_is_the_first_of_all_cheapest_paths(how, first_of, case, data):
    case.tell()
    tilemap, profile, others = case.tilemap, case.profile, case.others
    plain, indexed, table = (Navigation(tilemap) for _ in range(3))
    indexed.build_index(profile, landmarks=1)
    table.build_index(profile)
    nodes, levels = plain.profile_graph(profile).nodes, plain.profile_graph(profile).level
    source = nodes.of(case.start)
    steps = steps_around(plain, profile, source, others)
    ends = cells_to_ask(tilemap)
    all_paths = {goal: cheapest_paths(steps, source, nodes.of(goal)) for goal in ends}
    assume(None not in all_paths.values())
    for goal in ends:
        usual = plain.find_path(case.start, goal, profile, **others)
        path = plain.find_path(case.start, goal, profile, **others, **how)
        assert (path.cost, path.reason) == (usual.cost, usual.reason)
        if path:
            expected = first_of(tilemap, nodes, all_paths[goal], steps)
            assert [nodes.of(cell) for cell in path.cells] == expected
            assert sum(step.cost for step in path.steps) == pytest.approx(path.cost)
            rises = np.diff(levels[expected].astype(int))
            assert [step.rise for step in path.steps] == rises.tolist()
        for navigation, more in ((plain, {"heuristic": "zero"}), (indexed, {}), (table, {})):
            found = navigation.find_path(case.start, goal, profile, **others, **how, **more)
            assert found.cells == path.cells
    some = data.draw(st.lists(st.sampled_from(ends), min_size=2, max_size=4))
    usual = [plain.find_path(case.start, goal, profile, **others) for goal in some]
    path = plain.find_path(case.start, some, profile, **others, **how)
    assert path.cost == min(each.cost for each in usual)
    if path:
        near = [goal for goal, each in zip(some, usual, strict=True) if each.cost == path.cost]
        paths = [each for goal in near for each in all_paths[goal]]
        expected = first_of(tilemap, nodes, paths, steps)
        assert [nodes.of(cell) for cell in path.cells] == expected


def test_beside_a_slanted_cliff_it_goes_straight():
    tilemap = TileMap.from_text("0000\n9000\n9900\n9990")
    navigation = Navigation(tilemap)
    usual = navigation.find_path((0, 0), (3, 3))
    assert drawn(tilemap, usual) == "01..\n.23.\n..45\n...6"
    straight = navigation.find_path((0, 0), (3, 3), **STRAIGHT)
    assert drawn(tilemap, straight) == "0123\n...4\n...5\n...6"
    assert navigation.find_path((0, 0), (3, 3), tie="last").cells == usual.cells


def test_a_ladder_straight_up_is_a_turn_at_both_ends():
    tilemap = TileMap.from_text("0000\n9999")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1), (0, 2)], level=4)
        edit.add_link((0, 1), (0, 1, 1), cost=1)
        edit.add_link((0, 0), (1, 1), cost=1)
        edit.add_link((1, 1), (0, 2, 1), cost=2)
    path = Navigation(tilemap).find_path((0, 0), (0, 2, 1), **STRAIGHT)
    assert (path.cells, path.cost) == ([(0, 0, 0), (1, 1, 0), (0, 2, 1)], 3)


def test_of_several_goals_only_the_cheapest_counts():
    kinds = [TileKind(str(cost), cost=cost) for cost in (1, 0.1, 0.2, 0.15)]
    tilemap = TileMap([[0] * 4] * 2, [[4, 4, 3, 3], [2, 1, 0, 4]], kinds)
    # 0.1 + 0.2 is slightly more than 0.15 + 0.15.
    path = Navigation(tilemap).find_path((1, 2), [(1, 0), (0, 3)], **STRAIGHT)
    assert (path.cells[-1], path.cost) == ((0, 3, 0), 0.3)


def test_a_line_may_be_so_long_that_its_sum_is_no_whole_number_of_64_bits():
    count = 1_700_000
    kind = np.zeros((2, count), np.int64)
    kind[0, 1:-1] = KIND_NAMES.index("void")
    path = Navigation(TileMap(np.zeros_like(kind), kind)).find_path((0, 0), (0, count - 1), **LINE)
    assert (len(path), path.cost) == (count + 2, count + 1)


def test_other_arguments_hold():
    tilemap = TileMap.from_text("00000\n00000\n00000\n#####\n00000")
    navigation = Navigation(tilemap)
    extra = np.zeros((5, 5))
    extra[1, 1:4] = 0.5
    ends = (0, 0), (2, 4)
    path = navigation.find_path(*ends, extra_cost=extra, **STRAIGHT)
    assert (path.cost, turns_of(tilemap, path.cells)) == (6, 1)
    assert not navigation.find_path(*ends, max_cost=5, **STRAIGHT)
    part = navigation.find_path((0, 0), (4, 4), partial=True, **STRAIGHT)
    usual = navigation.find_path((0, 0), (4, 4), partial=True)
    assert part.partial
    assert part.reason == usual.reason
    assert (part.cells[-1], part.cost) == (usual.cells[-1], usual.cost)
    assert part.cells == navigation.find_path((0, 0), part.cells[-1], **STRAIGHT).cells
    own = navigation.find_path((0, 0), [(0, 0), (2, 2)], **STRAIGHT)
    assert own.cells == navigation.find_path((0, 0), (0, 0), **STRAIGHT).cells == [(0, 0, 0)]
    stuck = navigation.find_path((4, 0), (0, 0), max_cost=0, partial=True, **STRAIGHT)
    assert stuck.cells == [(4, 0, 0)]
