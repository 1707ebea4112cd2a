"""Searches in portions: their limits, their state meanwhile, and their answers."""

import numpy as np
import pytest

from ai import Navigation
from ai.navigation.search import ALGORITHMS, DONE, FRONTIER, UNSEEN, Known
from terrain3d import TileMap

CORNERS = (0, 0), (3, 4)


def begin(topology="square", **more):
    tilemap = TileMap([[0, 1, 0, 2, 0]] * 3 + [[1, 0, 0, 0, 1]], topology=topology)
    return Navigation(tilemap).begin_search(*CORNERS, **more)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("topology", ["square", "hex_even_q"])
def test_the_state_of_a_search_is_consistent_at_every_moment(algorithm, topology):
    search = begin(topology, algorithm=algorithm)
    assert np.argwhere(search.state == FRONTIER).tolist() == [[*CORNERS[0]]]
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
def test_greedy_search_goes_straight(topology):
    tilemap = TileMap([[0] * 9] * 9, topology=topology)
    search = Navigation(tilemap).begin_search((4, 0), (4, 8), algorithm="greedy")
    search.run()
    assert search.path.cells == [(4, col, 0) for col in range(9)]
    assert search.expansions == 9


def test_greedy_search_without_an_estimate_is_refused():
    with pytest.raises(ValueError, match="needs a heuristic other than 'zero'"):
        begin(algorithm="greedy", heuristic="zero")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_portion_closes_as_many_nodes_as_allowed(algorithm):
    search = begin(algorithm=algorithm)
    assert search.expansions == 0
    assert not search.run(max_expansions=0)
    for number in (2, 4):
        assert not search.run(max_expansions=2)
        assert search.expansions == len(search.closed_order) == number
    assert search.run()
    closed = search.expansions
    assert search.run(max_expansions=2)
    assert search.expansions == closed


def test_an_expansion_has_what_changed_before_and_after():
    search = Navigation(TileMap.from_text("010")).begin_search((0, 1), (0, 2))
    first = search.expand()
    assert first.closed == 1
    assert first.before == {1: (FRONTIER, 0, -1), 0: Known(), 2: Known()}
    assert first.after == {1: (DONE, 0, -1), 0: (FRONTIER, 1, 1), 2: (FRONTIER, 1, 1)}
    assert search.expand().after == {2: (DONE, 1, 1)}
    assert search.done
    assert search.expand() is None


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
