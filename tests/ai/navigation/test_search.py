"""Searches that run in portions: states, order of expansion, and how they are paused."""

import math

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.navigation.search import ALGORITHMS, DONE, FRONTIER, ORDERS, UNSEEN, Known, random_ends
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.plain_map import SQUARE_WAYS, column_ahead, distance, level
from tests.support.reference import tried
from tests.support.strategies import cases, cells_to_ask

CORNERS = (0, 0), (3, 4)
HOWS = st.sampled_from(ALGORITHMS), st.sampled_from(ORDERS)
# Clockwise from north: the order in which a search tries its steps; hexagons in (q, r).
CLOCKWISE = {
    "square": SQUARE_WAYS,
    "hex_odd_r": ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
    "hex_even_q": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
}


def begin(topology="square", **more):
    tilemap = TileMap([[0, 1, 0, 2, 0]] * 3 + [[1, 0, 0, 0, 1]], topology=topology)
    return Navigation(tilemap).begin_search(*CORNERS, **more)


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_breadth_first_takes_the_fewest_steps_and_returns_their_cost(topology):
    search = begin(topology, algorithm="bfs")
    search.run()
    steps = search.path.steps
    assert len(steps) == Navigation(TileMap([[0] * 5] * 4, topology=topology)).distance(*CORNERS)
    rises = sum(max(0, step.rise) for step in steps)
    assert search.path.cost == sum(step.cost for step in steps) == len(steps) + rises


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


def plain_search(tilemap, profile, start, goal, is_guided):
    """Search in plain Python by the documented rule: lowest f first, then the newest node.

    Gives what is known after each step: {cell: (state, g, parent)}, as one dictionary a step.
    """

    def estimate(cell):
        climb = max(0, level(tilemap, goal) - level(tilemap, cell)) * profile.climb_cost
        drop = max(0, level(tilemap, cell) - level(tilemap, goal)) * profile.drop_cost
        return (distance(tilemap, cell[:2], goal[:2]) + climb + drop) * is_guided

    came_in = [start]
    found = {start: (FRONTIER, 0, None)}
    steps = [dict(found)]
    while came_in:
        best = min(found[cell][1] + estimate(cell) for cell in came_in)
        here = [cell for cell in came_in if found[cell][1] + estimate(cell) == best][-1]
        came_in.remove(here)
        _, cost, parent = found[here]
        found[here] = (DONE, cost, parent)
        if here != goal:
            for direction in CLOCKWISE[tilemap.topology]:
                column = column_ahead(tilemap, here[:2], direction)
                if column is None:
                    continue
                there = (*column, 0)
                new = cost + rulebook.edge_cost(tilemap, profile, here, there, ())
                if new == math.inf or (there in found and found[there][1] <= new):
                    continue
                found[there] = (FRONTIER, new, here)
                if there in came_in:
                    came_in.remove(there)
                came_in.append(there)
        steps.append(dict(found))
        if here == goal:
            break
    return steps


@st.composite
def hills(draw):
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    line = st.lists(st.integers(0, 4), min_size=cols, max_size=cols)
    levels = draw(st.lists(line, min_size=rows, max_size=rows))
    topology = draw(st.sampled_from(["square", *CLOCKWISE]))
    limits, prices = [st.integers(1, 3)] * 2, [st.integers(0, 3), st.integers(0, 1)]
    profile = MoveProfile(*map(draw, limits + prices))
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1), st.just(0))
    return TileMap(levels, topology=topology), profile, draw(cell), draw(cell)


@tried(200, hills(), st.sampled_from(["astar", "dijkstra"]))
def test_each_step_is_that_of_a_plain_search_by_the_documented_rule(hill, algorithm):
    tilemap, profile, start, goal = hill
    search = Navigation(tilemap).begin_search(start, goal, profile, algorithm=algorithm)
    expected = plain_search(tilemap, profile, start, goal, algorithm == "astar")
    for found in expected:
        for cell in np.ndindex(tilemap.rows, tilemap.cols):
            state, cost, parent = found.get((*cell, 0), (UNSEEN, math.inf, None))
            above = -1 if parent is None else parent[0] * tilemap.cols + parent[1]
            assert (search.state[cell], search.g[cell], search.parent[cell]) == (state, cost, above)
        search.run(max_expansions=1)
    assert search.done
    assert search.expansions == len(expected) - 1


@tried(100, cases(), st.data())
def test_steps_lead_from_any_state_to_the_one_before_and_back(case, data):
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    algorithm = data.draw(st.sampled_from(ALGORITHMS))
    how = {"algorithm": algorithm, "blockers": case.blockers}
    search = Navigation(case.tilemap).begin_search(case.start, goal, case.profile, **how)
    states = [state_of(search)]
    while search.expand():
        states.append(state_of(search))
    for number, step in enumerate(search.steps):
        before, after = states[number : number + 2]
        for values, known in ((before, step.before), (after, step.after)):
            for node, each in known.items():
                assert values[node] == each
        changed = {node for node, each in enumerate(before) if each != after[node]}
        assert changed == {*step.after}
        assert next(iter(step.after)) == step.closed


def state_of(search):
    parts = search.state, np.round(search.g * 1_000_000 / search.unit), search.parent
    state, g, parent = (part.ravel().tolist() for part in parts)
    return [*map(Known, state, g, parent)]


def test_a_search_that_is_refused_has_no_steps_and_its_reason():
    search = Navigation(TileMap.from_text("00#")).begin_search((0, 0), (0, 2))
    assert search.done
    assert (search.expansions, search.path.reason) == (0, "(0, 2) is void")
    assert not search.state.any()


def drawn_ends(tilemap, seed):
    navigation, random, found = Navigation(tilemap), np.random.default_rng(seed), []
    for _ in range(20):
        start, goal = random_ends(navigation, MoveProfile(), random)
        found.append((start, goal, navigation.find_path(start, goal).cost))
    return found


def test_random_ends_are_connected_and_follow_from_the_seed():
    tilemap = TileMap.from_noise(40, 40, seed=2, levels=6)
    drawn = drawn_ends(tilemap, 5)
    assert len({start for start, _, _ in drawn}) > 10
    assert all(0 < cost <= 40 and start != goal for start, goal, cost in drawn)
    assert drawn == drawn_ends(tilemap, 5) != drawn_ends(tilemap, 6)


def test_void_and_lonely_ground_is_no_random_end():
    drawn = drawn_ends(TileMap.from_text("##0#\n#00#\n0###"), 1)
    ends = {cell[:2] for start, goal, _ in drawn for cell in (start, goal)}
    assert ends == {(0, 2), (1, 1), (1, 2)}
    lonely = Navigation(TileMap.from_text("0#0\n###"))
    assert random_ends(lonely, MoveProfile(), np.random.default_rng(1)) is None


@tried(100, cases(), st.integers(1, 9), *HOWS, st.data())
def test_in_portions_and_in_any_order_it_answers_as_at_once(case, portion, algorithm, order, data):
    navigation, cells = Navigation(case.tilemap), cells_to_ask(case.tilemap)
    others = {"blockers": case.blockers}
    for _ in range(3):
        ends = case.start, data.draw(st.sampled_from(cells)), case.profile
        how = {"algorithm": algorithm, **others}
        search = navigation.begin_search(*ends, order=order, **how)
        at_once = navigation.begin_search(*ends, **how)
        beside = navigation.begin_search(*ends[::-1][1:], case.profile)
        at_once.run()
        assert search.expansions == len(search.closed_order) == 0
        while not search.run(max_expansions=portion):
            navigation.reach(case.start, 7, case.profile, blocked=cells)
            beside.run(max_expansions=1)
        query = navigation.find_path(*ends, **others)
        for path in (at_once.path, query)[: 1 + (algorithm in ("astar", "dijkstra"))]:
            answer = search.path
            assert (answer.cells, answer.cost) == (path.cells, path.cost)
            assert answer.reason == path.reason


SIGN = {"high_g_first": -1, "low_g_first": 1}


def searched(tilemap, start, goal, **more):
    search = Navigation(tilemap).begin_search(start, goal, **more)
    search.run()
    return search


@pytest.mark.parametrize(("rows", "cols"), [(10, 10), (6, 30), (25, 40)])
def test_on_an_open_field_high_g_first_expands_one_path_and_low_g_first_the_whole_field(rows, cols):
    tilemap, goal = TileMap([[0] * cols] * rows), (rows - 1, cols - 1)
    counts = {order: searched(tilemap, (0, 0), goal, order=order).expansions for order in SIGN}
    assert counts == {"high_g_first": rows + cols - 1, "low_g_first": rows * cols}


@tried(100, cases(), *HOWS, st.data())
def test_every_expansion_is_the_first_of_the_order(case, algorithm, order, data):
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    how = {"algorithm": algorithm, "order": order}
    search = Navigation(case.tilemap).begin_search(case.start, goal, case.profile, **how)
    sign = SIGN.get(search.order, 0)
    while True:
        is_open = (search.state == FRONTIER).ravel()
        f, g = (values.ravel().round(9) for values in (search.f, search.g))
        step = search.expand()
        if step is None:
            break
        assert is_open[step.closed]
        ranks = zip(f[is_open], sign * g[is_open], strict=True)
        assert (f[step.closed], sign * g[step.closed]) == min(ranks)


def test_the_order_has_a_name_and_only_a_star_has_equal_scores_to_order():
    tilemap = TileMap([[0] * 5] * 5)
    assert searched(tilemap, (0, 0), (4, 4)).order == "lifo"
    for algorithm in ALGORITHMS:
        hows = [{"algorithm": algorithm, "order": order} for order in ORDERS]
        orders = [searched(tilemap, (0, 0), (4, 4), **how).order for how in hows]
        assert orders == (list(ORDERS) if algorithm == "astar" else ["lifo"] * 3)
