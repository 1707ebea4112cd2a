"""Searches in portions: their limits, their state meanwhile, and their answers."""

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from ai.navigation.search import ALGORITHMS, DONE, FRONTIER, UNSEEN
from ai.search.guided_graph import GuidedGraph
from terrain3d import TileKind, TileMap

CORNERS = (0, 0), (3, 4)


def begin(topology="square", **more):
    tilemap = TileMap([[0, 1, 0, 2, 0]] * 3 + [[1, 0, 0, 0, 1]], topology=topology)
    return Navigation(tilemap).begin_search(*CORNERS, **more)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("topology", ["square", "hex_even_q"])
def test_the_state_of_a_search_is_consistent_at_every_moment(algorithm, topology):
    search = begin(topology, algorithm=algorithm)
    assert set(search.state.flat) == {UNSEEN}
    while not search.run(max_expansions=1):
        state, g, parent, closed = search.state, search.g, search.parent, search.closed_order
        assert search.expansions >= len(closed)
        assert np.array_equal(np.sort(closed), np.flatnonzero(state == DONE))
        assert np.array_equal(np.isfinite(g), state != UNSEEN)
        assert g[CORNERS[0]] == 0
        assert parent[CORNERS[0]] == -1
        assert np.array_equal(parent >= 0, (g > 0) & (state != UNSEEN))
        assert (state == FRONTIER).any()
        before = parent[parent >= 0]
        assert (g.flat[before] < g[parent >= 0]).all()
        assert (search.h >= 0).all()
        assert np.array_equal(np.isfinite(search.f), state != UNSEEN)
    assert (search.path.cells[0][:2], search.path.cells[-1][:2]) == CORNERS


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_breadth_first_takes_the_fewest_steps_and_returns_their_cost(topology):
    search = begin(topology, algorithm="bfs")
    search.run()
    steps = search.path.steps
    assert len(steps) == Navigation(TileMap([[0] * 5] * 4, topology=topology)).distance(*CORNERS)
    rises = sum(max(0, step.rise) for step in steps)
    assert search.path.cost == sum(step.cost for step in steps) == len(steps) + rises


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_greedy_search_goes_straight_even_where_ground_is_free(topology):
    kinds = [TileKind("grass"), TileKind("ice", cost=0)]
    tilemap = TileMap([[0] * 9] * 9, kinds=kinds, topology=topology)
    flat = MoveProfile(climb_cost=0)
    search = Navigation(tilemap).begin_search((4, 0), (4, 8), flat, algorithm="greedy")
    search.run()
    assert search.path.cells == [(4, col, 0) for col in range(9)]
    assert search.expansions == 9


def test_greedy_search_without_an_estimate_is_refused():
    with pytest.raises(ValueError, match="needs a heuristic other than 'zero'"):
        begin(algorithm="greedy", heuristic="zero")


@pytest.mark.parametrize("cost", [0, 0.5, 1])
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("algorithm", ["astar", "dijkstra"])
def test_no_portion_closes_more_nodes_than_allowed(monkeypatch, algorithm, partial, cost):
    closed = []
    search_all = GuidedGraph.search

    def count(graph, workspace, *arguments, is_begin=True, **more):
        before = 0 if is_begin else workspace.n_expanded
        status = search_all(graph, workspace, *arguments, is_begin=is_begin, **more)
        closed.append(workspace.n_expanded - before)
        return status

    monkeypatch.setattr(GuidedGraph, "search", count)
    tilemap = TileMap([[0] * 9] * 9, kinds=[TileKind("grass", cost=cost)])
    blocked = [(7, 8), (8, 7)] if partial else []
    search = Navigation(tilemap).begin_search(
        (0, 0), (8, 8), algorithm=algorithm, blocked=blocked, partial=partial
    )
    is_done = False
    while not is_done:
        closed.clear()
        is_done = search.run(max_expansions=5)
        assert sum(closed) <= 5
    assert search.path


@pytest.mark.parametrize("climb_cost", [0, 1, 1.5])
@pytest.mark.parametrize("cost", [0, 1])
@pytest.mark.parametrize("seed", range(20))
def test_the_path_toward_a_closed_goal_is_that_of_find_path(seed, cost, climb_cost):
    rng = np.random.default_rng(seed)
    tilemap = TileMap(rng.integers(0, 3, (9, 9)), kinds=[TileKind("grass", cost=cost)])
    navigation, profile = Navigation(tilemap), MoveProfile(climb_cost=climb_cost)
    ends, shut = ((0, 0), (6, 6)), [(5, 6), (6, 5), (7, 6), (6, 7)]
    path = navigation.find_path(*ends, profile, blocked=shut, partial=True)
    search = navigation.begin_search(*ends, profile, blocked=shut, partial=True)
    while not search.run(max_expansions=7):
        pass
    assert (search.path.cells, search.path.reason) == (path.cells, path.reason)


def test_a_search_does_not_continue_on_an_edited_map():
    tilemap = TileMap.from_text("000")
    search = Navigation(tilemap).begin_search((0, 0), (0, 2))
    search.run(max_expansions=1)
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 1)
    with pytest.raises(RuntimeError, match="the map was edited"):
        search.run()


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_estimates_on_open_level_ground_are_the_distance_to_the_goal(topology):
    tilemap = TileMap([[0] * 5] * 4, topology=topology)
    goal = (1, 3)
    search = Navigation(tilemap).begin_search((0, 0), goal)
    away = [[tilemap.grid.distance((row, col), goal) for col in range(5)] for row in range(4)]
    assert search.h.tolist() == away
    search.run()
    assert search.f[0, 0] == search.h[0, 0] == search.path.cost
    assert not Navigation(tilemap).begin_search((0, 0), goal, algorithm="dijkstra").h.any()
