"""One question has one answer: the same cells, however and with whatever index it is asked."""

import random

import pytest
from hypothesis import strategies as st

from ai import Blockers, MoveProfile, Navigation
from terrain3d import TileMap
from tests.long.edits import random_case
from tests.support import reference
from tests.support.programs import NO_DISPLAY, run_python
from tests.support.selection import rest_nightly
from tests.support.strategies import cases, cells_to_ask, profiles, tilemaps

SLOPING = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=2**0.5)


def indexed(tilemap, profile, landmarks=None):
    navigation = Navigation(tilemap)
    navigation.build_index(profile, landmarks=landmarks)
    return navigation


def cells(navigation, ends, profile, **how):
    return [navigation.find_path(*pair, profile, **how).cells for pair in ends]


def test_partial_paths_end_with_the_same_cells():
    tilemap = TileMap.from_text("\n".join(["0" * 20] * 9 + ["#" * 20] + ["0" * 20] * 9))
    ends = [((0, col), (18, 19 - col)) for col in range(20)]
    expected = cells(Navigation(tilemap), ends, SLOPING, partial=True)
    navigation = indexed(tilemap, SLOPING)
    assert cells(navigation, ends, SLOPING, partial=True) == expected
    for start, last in ((found[0], found[-1]) for found in expected):
        assert navigation.find_path(start, last, SLOPING).cells in expected


@reference.tried(60, st.data())
def test_the_path_is_the_one_that_the_rule_takes_of_all_cheapest_ones(data):
    tilemap = data.draw(tilemaps(max_side=3))
    profile = data.draw(profiles(tilemap.topology, ["walk", "walk", "fly", "warp", "big"]))
    start = data.draw(st.sampled_from(cells_to_ask(tilemap)))
    navigation = Navigation(tilemap)
    nodes, steps = navigation.profile_graph(profile).nodes, reference.steps_of(navigation, profile)
    for goal in cells_to_ask(tilemap):
        path = navigation.find_path(start, goal, profile)
        if path and start != goal:
            found = reference.all_cheapest(steps, nodes.of(start), nodes.of(goal))
            assert [nodes.of(cell) for cell in path.cells] == reference.first_of(found)
            onward = navigation.cost_field(goal, profile).path_from(start)
            first = reference.first_of(found, from_start=True)
            assert [nodes.of(cell) for cell in onward.cells] == first


@reference.tried(30, cases())
def test_all_rules_together_leave_one_answer(case):
    tilemap, profile, others = case.tilemap, case.profile, {"blockers": case.blockers}
    plain = Navigation(tilemap)
    nodes = plain.profile_graph(profile).nodes
    source, steps = nodes.of(case.start), reference.steps_around(plain, case)
    reach = plain.reach(case.start, 1e9, profile, **others)
    queries = {
        "plain": (plain, {}),
        "capped": (plain, {"max_cost": 1e12}),
        "landmarks": (indexed(tilemap, profile, 1), {}),
        "index": (indexed(tilemap, profile), {}),
    }
    for goal in cells_to_ask(tilemap):
        path = plain.find_path(case.start, goal, profile, **others)
        for name, (navigation, how) in queries.items():
            found = navigation.find_path(case.start, goal, profile, **others, **how)
            assert found.cells == path.cells, name
            assert found.cost == path.cost, name
        assert reach.path_to(goal).cells == path.cells
        assert plain.find_path(case.start, [goal], profile, **others).cells == path.cells
        if path:
            expected = reference.first_cells(steps, source, nodes.of(goal))
            assert [nodes.of(cell) for cell in path.cells] == expected


@reference.tried(60, st.integers(0, 2**32 - 1))
def test_labels_change_no_cell_whatever_is_in_the_way(seed):
    rng = random.Random(seed)
    tilemap, profile = random_case(rng)
    plain, labeled = Navigation(tilemap), indexed(tilemap, profile)
    if labeled._graphs.of(profile).index.labels is None:
        return
    every = cells_to_ask(tilemap)

    def some(most):
        return rng.choices(every, k=rng.randint(0, most))

    for _ in range(12):
        others = {"blocked": some(2), "blockers": Blockers(some(1), some(4), some(3))}
        for _ in range(4):
            ends = rng.choices(every, k=2)
            how = others if rng.random() < 0.8 else {}
            if rng.random() < 0.3:
                how = {**how, "max_cost": rng.randrange(12)}
            expected = plain.find_path(*ends, profile, **how)
            found = labeled.find_path(*ends, profile, **how)
            assert (found.cells, found.cost) == (expected.cells, expected.cost)
            assert found.reason == expected.reason
            assert found.steps == expected.steps
            field = plain.cost_field(ends[1], profile)
            assert labeled.distance(*ends, profile) == field.cost_from(ends[0])


QUERIES = """
import sys
from itertools import product
import numpy as np
from ai import Blockers, MoveProfile, Navigation, SquadPlanner
from terrain3d import TileMap

def ask(tilemap, profile, index):
    navigation = Navigation(tilemap)
    if index:
        navigation.build_index(profile, **index)
    last = tilemap.rows - 1, tilemap.cols - 1
    ends = [((0, 0), last), (last, (0, 0)), ((0, 3), (5, 1))]
    for start, goal in ends:
        yield navigation.find_path(start, goal, profile)
        yield navigation.find_path(start, [goal, (2, 2)], profile)
        around = Blockers([(3, 3)], [(1, 1)], [(4, 4)])
        yield navigation.find_path(start, goal, profile, blockers=around)
        yield navigation.find_path(start, goal, profile, max_cost=3, partial=True)
        extra = np.arange(49).reshape(7, 7) % 4
        yield navigation.find_path(start, goal, profile, extra_cost=extra)
        yield navigation.find_path(start, [goal, (2, 2)], profile, extra_cost=extra / 2)
        reach = navigation.reach(start, 9, profile, blockers=around)
        yield from map(reach.path_to, reach)
        yield navigation.cost_field([goal, (2, 2)], profile, start_costs=[0, 4]).path_from(start)
        for algorithm in ("astar", "dijkstra", "bfs", "greedy"):
            search = navigation.begin_search(start, goal, profile, algorithm=algorithm)
            while not search.run(max_expansions=4):
                search.f, search.parent
            yield search.path
        navigation.is_reachable(start, goal, profile)
        navigation.steps_from(start, profile)
        navigation.line_of_sight(start, goal)
    yield from navigation.find_paths(*zip(*ends), profile)
    with tilemap.edit() as edit:
        edit.set_level((2, 2), 3)
    yield navigation.find_path(*ends[0], profile)
    starts, goals = [(0, 0), (0, 1), (1, 0)], [(1, 1), (0, 0), (2, 0)]
    yield SquadPlanner(navigation).plan(starts, goals, profile, max_steps=500)

movers = {}, {"climb_cost": 0.3}, {"climb_cost": 200}
cases = list(product(("square", "hex_odd_r"), movers, (False, True)))
for topology, mover, decks in cases[1 :: int(sys.argv[1])]:
    tilemap = TileMap.from_noise(7, 7, seed=3, levels=5)
    tilemap = TileMap(tilemap.level, topology=topology)
    if decks:
        with tilemap.edit() as edit:
            edit.add_deck([(2, 1), (2, 2), (2, 3)], level=9)
            edit.add_link((2, 0), (2, 1, 1), cost=2)
    for index in (None, {"landmarks": 3}, {"kind": "labels"}):
        for path in ask(tilemap, MoveProfile(**mover), index):
            print(path.cells if hasattr(path, "cells") else path.paths, path.cost)
"""


@pytest.mark.parametrize("every", rest_nightly([4, 1], 1))
def test_queries_give_the_same_cells_without_compiling_and_without_warnings(every):
    strict = "-W", "error", "-W", "ignore:overflow encountered:RuntimeWarning"  # in hashes
    command = *strict, "-c", QUERIES, str(every)
    plain = NO_DISPLAY | {"NUMBA_DISABLE_JIT": "1"}
    printed = [run_python(*command, env=environment) for environment in (NO_DISPLAY, plain)]
    assert [ran.stderr for ran in printed] == ["", ""]
    assert printed[0].stdout == printed[1].stdout
