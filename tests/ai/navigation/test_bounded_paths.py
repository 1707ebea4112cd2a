"""Paths within a bound of the cheapest cost: compared with scipy, and with exact answers."""

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.search.search_state import OWN_PARENTS
from ai.search.workspace import Workspace
from terrain3d import TOPOLOGIES, TileKind, TileMap
from tests.support import mixed_maps
from tests.support.reference import cases, cells_of, thoroughly, true_costs, walk

SLACK = 1 + 1e-12
BOUNDS = st.sampled_from([1.0001, 1.05, 1.1, 1.5, 2, 10])


@thoroughly(250)
@given(cases(), BOUNDS, st.data())
def test_a_path_is_legal_and_within_the_bound(case, bound, data):
    tilemap, profile, start, blocked = case.tilemap, case.profile, case.start, case.blocked
    navigation = Navigation(tilemap)
    cheapest = true_costs(tilemap, profile, start, blocked)
    how = {"blocked": blocked, "bound": bound}
    for goal in cells_of(tilemap):
        path = navigation.find_path(start, goal, profile, **how)
        assert bool(path) == (cheapest[goal] < math.inf)
        if path:
            walk(tilemap, profile, path, start, goal, blocked)
            assert path.cost <= bound * cheapest[goal] * SLACK + 1e-12
            assert path.bound in (1, bound)
            if path.bound == 1:
                assert path.cost == pytest.approx(cheapest[goal], rel=1e-11, abs=1e-12)
            limited = navigation.find_path(
                start, goal, profile, **how, max_cost=cheapest[goal] * SLACK
            )
            assert limited.cost == pytest.approx(cheapest[goal], rel=1e-11, abs=1e-12)
    some = data.draw(st.lists(st.sampled_from(cells_of(tilemap)), min_size=2, max_size=5))
    path = navigation.find_path(start, some, profile, **how)
    least = min(cheapest[goal] for goal in some)
    assert bool(path) == (least < math.inf)
    if path:
        walk(tilemap, profile, path, start, path.cells[-1][:2], blocked)
        assert path.cost <= bound * least * SLACK + 1e-12


@thoroughly(80)
@given(mixed_maps.cases(), BOUNDS)
def test_no_index_and_no_earlier_query_changes_a_cell(case, bound):
    case.tell()
    tilemap, profile = case.tilemap, case.profile
    others = case.others | {"bound": bound}
    plain, indexed, table = (Navigation(tilemap) for _ in range(3))
    indexed.build_index(profile, landmarks=1)
    table.build_index(profile)
    for goal in mixed_maps.cells_to_ask(tilemap):
        least = plain.find_path(case.start, goal, profile, **case.others)
        path = plain.find_path(case.start, goal, profile, **others)
        assert path.cost <= least.cost * bound * SLACK
        assert path.reason == least.reason
        for navigation in (indexed, table, Navigation(tilemap)):
            found = navigation.find_path(case.start, goal, profile, **others)
            assert (found.cells, found.cost, found.bound) == (path.cells, path.cost, path.bound)


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("climb_cost", [1, 0.3])
@pytest.mark.parametrize("bound", [1.1, 1.5, 3])
def test_on_rough_ground_the_bound_holds(topology, climb_cost, bound):
    rng = np.random.default_rng(5)
    kinds = [TileKind("road"), TileKind("mud", cost=4), TileKind("bog", cost=19)]
    level, kind = rng.integers(0, 4, (40, 40)), rng.choice(3, (40, 40), p=[0.3, 0.4, 0.3])
    tilemap = TileMap(level, kind, kinds, topology=topology)
    profile = MoveProfile(climb_cost=climb_cost)
    extra = rng.integers(0, 9, (40, 40)) * (rng.random((40, 40)) < 0.3)
    navigation = Navigation(tilemap)
    n_dearer = 0
    for _ in range(4):
        start, other, *goals = (tuple(cell) for cell in rng.integers(0, 40, (30, 2)).tolist())
        for more in ({}, {"extra_cost": extra}):
            costs = navigation.reach(start, math.inf, profile, **more).as_costs()
            for goal in goals:
                path = navigation.find_path(start, goal, profile, bound=bound, **more)
                assert costs[goal] <= path.cost <= bound * costs[goal] * SLACK
                assert path.bound == bound
                n_dearer += path.cost > costs[goal]
            nearest = navigation.find_path(start, [other, goals[0]], profile, bound=bound, **more)
            assert nearest.cost <= bound * min(costs[other], costs[goals[0]]) * SLACK
        with tilemap.edit() as edit:
            edit.set_level((20, 20), int(rng.integers(0, 4)))
    assert bound < 3 or n_dearer > 10  # it is another search


def test_after_edits_the_answers_are_those_of_a_new_navigation():
    tilemap = TileMap.from_text("\n".join(["0000900000"] * 4 + ["0" * 10]))
    navigation, gap = Navigation(tilemap), (4, 4)
    for level, extra in itertools.product((0, 9, 1, 2, 0), (None, np.full((5, 10), 2))):
        with tilemap.edit() as edit:
            edit.set_level(gap, level)
        how = {"bound": 1.5, "extra_cost": extra}
        path = navigation.find_path((0, 0), (0, 9), **how)
        assert path.cells == Navigation(tilemap).find_path((0, 0), (0, 9), **how).cells
        assert bool(path) == (level < 9)


def test_queries_with_another_heuristic_change_no_cell():
    tilemap = TileMap.from_noise(30, 30, seed=2, levels=4)
    navigation = Navigation(tilemap)
    ask = {"start": (0, 0), "goal": (29, 29), "bound": 2}
    other = navigation.find_path(**ask, heuristic="zero")
    path = navigation.find_path(**ask)
    assert path.cells == Navigation(tilemap).find_path(**ask).cells != other.cells


def test_where_steps_cost_next_to_nothing_the_path_is_a_cheapest_one():
    for cost, bound in ((0.0009, 1), (0.001, 3)):
        navigation = Navigation(TileMap([[0] * 4] * 4, kinds=[TileKind("ice", cost=cost)]))
        assert navigation.find_path((0, 0), (3, 3), bound=3).bound == bound


def test_a_bound_spares_most_of_a_search():
    tilemap = TileMap.from_noise(128, 128, seed=7, levels=5)
    graph = Navigation(tilemap).profile_graph(MoveProfile())
    guided, counts = graph.guided(has_any_costs=True), {}
    for bound in (1, 1.5):
        workspace = Workspace.of(guided.graph.n_nodes, is_whole=False)
        sources = np.zeros(1, np.int32), np.zeros(1)
        weight = graph.cost_weight(bound)
        goal = guided.graph.n_nodes - 1
        guided.search(workspace, *sources, goal, cost_weight=weight, choice=OWN_PARENTS)
        counts[bound] = workspace.n_expanded
    assert counts[1.5] < counts[1] / 4


def test_a_bound_of_one_is_the_usual_query():
    tilemap = TileMap.from_noise(30, 30, seed=2, levels=4)
    navigation = Navigation(tilemap)
    for goal in ((29, 29), (3, 20)):
        usual = navigation.find_path((0, 0), goal)
        for bound in (1, 1.0, np.float64(1), 1.01):
            path = navigation.find_path((0, 0), goal, bound=bound)
            assert (path.cells, path.bound) == (usual.cells, 1)
    near = navigation.find_path((0, 0), (29, 29), bound=2)
    assert pickle.loads(pickle.dumps(near)).bound == near.head(3).bound == 2
    assert near.head(3).cost <= 2 * navigation.find_path((0, 0), near.cells[2]).cost


def test_without_a_path_the_answer_is_the_usual_one():
    navigation = Navigation(TileMap.from_text("00#00\n00#00"))
    usual = navigation.find_path((0, 0), (0, 4), partial=True)
    path = navigation.find_path((0, 0), (0, 4), partial=True, bound=2)
    assert (path.cells, path.reason, path.bound) == (usual.cells, usual.reason, 1)
    assert "costs at most 1" in navigation.find_path((0, 0), (1, 1), max_cost=1, bound=2).reason
    assert navigation.find_path((0, 0), (0, 0), bound=2).cells == [(0, 0, 0)]
