"""Every query against the plain rulebook, on small maps with all rules mixed."""

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation
from ai.rules.heuristics import HEURISTICS
from tests.support import rulebook
from tests.support.mixed_maps import cases, cells_to_ask, edits, profiles, tilemaps
from tests.support.reference import distance, thoroughly

NEARLY = {"rel": 1e-9, "abs": 1e-9}


def check_steps(case, path, others, halting):
    """Follow a path step by step; fail if a step breaks the rule or its cost is wrong."""
    tilemap, profile = case.tilemap, case.profile
    cells = [tuple(cell) for cell in path.cells]
    assert path.as_array().tolist() == [list(cell) for cell in cells]
    assert len(path.steps) == len(cells) - 1
    total = 0
    for (before, after), step in zip(itertools.pairwise(cells), path.steps, strict=True):
        legal = rulebook.steps_from(tilemap, profile, before, others, halting)
        prices = [cost for end, cost in legal if end == after]
        assert prices, f"{before} to {after} is not legal"
        assert (step.start, step.end) == (before, after)
        stands = [rulebook.stand(tilemap, profile, cell) for cell in (before, after)]
        assert step.rise == stands[1] - stands[0]
        assert step.cost == pytest.approx(min(prices), **NEARLY)
        total += min(prices)
    assert path.cost == pytest.approx(total, **NEARLY)


def check_way(case, path, goals):
    """Fail if a path from the start of a case is not a cheapest legal one to one of the goals."""
    reached = rulebook.ends(case.tilemap, case.profile, case.start, **case.others)
    best = min((reached.get(goal, math.inf) for goal in goals), default=math.inf)
    assert path.cost == pytest.approx(best, **NEARLY)
    assert bool(path) == (best < math.inf)
    if not path:
        assert path.reason
        return
    assert path.reason == ""
    assert path.cells[0] == case.start
    assert path.cells[-1] in goals
    own = {*rulebook.tiles(case.profile, case.start)}
    check_steps(case, path, case.blocked - own, case.halting - own)


@thoroughly(150)
@given(cases(), st.data())
def test_ways_are_the_cheapest_that_the_rulebook_knows(case, data):
    case.tell()
    cell = st.sampled_from(cells_to_ask(case.tilemap))
    navigation = Navigation(case.tilemap)
    for goal in data.draw(st.lists(cell, min_size=1, max_size=3)):
        path = navigation.find_path(case.start, goal, case.profile, **case.others)
        check_way(case, path, [goal])
    goals = data.draw(st.lists(cell, min_size=1, max_size=3))
    check_way(case, navigation.find_path(case.start, goals, case.profile, **case.others), goals)


@thoroughly(100)
@given(cases(), st.data())
def test_ways_with_an_index_are_as_cheap_one_by_one_and_many_at_once(case, data):
    case = replace(case, blocked=set(), passable=set(), halting=set())
    case.tell()
    cells = cells_to_ask(case.tilemap)
    navigation = Navigation(case.tilemap)
    navigation.build_index(case.profile, landmarks=data.draw(st.sampled_from([None, 1, 3])))
    for goal in data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=3)):
        check_way(case, navigation.find_path(case.start, goal, case.profile), [goal])
    paths = navigation.find_paths([case.start] * len(cells), cells, case.profile)
    for goal, path in zip(cells, paths, strict=True):
        check_way(case, path, [goal])


@thoroughly(100)
@given(cases(), st.data())
def test_reach_holds_what_the_rulebook_can_pay_and_stop_on(case, data):
    case.tell()
    budget = data.draw(st.sampled_from([0, 1, 3.5, 7, 20, math.inf]))
    reach = Navigation(case.tilemap).reach(case.start, budget, case.profile, **case.others)
    ends = rulebook.ends(case.tilemap, case.profile, case.start, **case.others)
    expected = {cell: cost for cell, cost in ends.items() if cost <= budget + 1e-9}
    assert {tuple(cell): reach.cost_to(cell) for cell in reach} == pytest.approx(expected, **NEARLY)
    for cell in expected:
        assert cell in reach
        check_way(case, reach.path_to(cell), [cell])
    for cell in set(cells_to_ask(case.tilemap)) - set(expected):
        assert cell not in reach
        assert not reach.path_to(cell)


@thoroughly(100)
@given(cases(), st.data())
def test_fields_hold_what_the_rulebook_pays_from_everywhere(case, data):
    case.tell()
    tilemap, profile = case.tilemap, case.profile
    cells = cells_to_ask(tilemap)
    goals = data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=3, unique=True))
    field = Navigation(tilemap).cost_field(goals, profile, blocked=case.blocked)
    n_layers = len(tilemap.surface_level)
    plain = (tilemap.rows, tilemap.cols)
    assert field.cost.shape == (plain if n_layers == 1 else (n_layers, *plain))
    expected = rulebook.costs_to(tilemap, profile, dict.fromkeys(goals, 0), case.blocked)
    for cell in cells:
        cost = expected.get(cell, math.inf)
        assert field.cost_from(cell) == pytest.approx(cost, **NEARLY), cell
        path = field.path_from(cell)
        assert path.cost == pytest.approx(cost, **NEARLY)
        if path:
            assert path.cells[0] == cell
            end = tuple(path.cells[-1])
            assert end in goals
            assert end == cell or rulebook.can_stop(tilemap, profile, end)
            check_steps(case, path, case.blocked, ())


@thoroughly(60)
@given(cases())
def test_yes_or_no_and_many_at_once_agree_with_the_rulebook(case):
    case.tell()
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    ends = rulebook.ends(tilemap, profile, start)
    cells = cells_to_ask(tilemap)
    paths = navigation.find_paths([start] * len(cells), cells, profile)
    for goal, path in zip(cells, paths, strict=True):
        best = ends.get(goal, math.inf)
        assert path.cost == pytest.approx(best, **NEARLY)
        assert navigation.is_reachable(start, goal, profile) == (goal in ends)
        assert navigation.distance(start, goal, profile) == pytest.approx(best, **NEARLY)


@thoroughly(60)
@given(cases())
def test_single_steps_are_explained_as_the_rulebook_has_them(case):
    case.tell()
    tilemap, profile, start = case.tilemap, case.profile, case.start
    steps = rulebook.steps_from(tilemap, profile, start)
    navigation = Navigation(tilemap)
    for end in set(cells_to_ask(tilemap)) - {start}:
        answer = navigation.explain_step(start, end, profile)
        prices = [cost for there, cost in steps if there == end]
        assert answer.legal == bool(prices), (end, answer)
        assert answer.cost == pytest.approx(min(prices, default=math.inf), **NEARLY)
        assert answer.legal == (answer.reason == "")
    costs = navigation.steps_from(start, profile)
    assert set(costs) == {end for end, _ in steps}
    cheapest = {end: min(cost for there, cost in steps if there == end) for end in costs}
    assert costs == pytest.approx(cheapest, **NEARLY)


@thoroughly(60)
@given(cases(), st.data())
def test_searches_that_can_be_watched_find_the_cheapest_ways_too(case, data):
    case.tell()
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    algorithm = data.draw(st.sampled_from(["astar", "dijkstra"]))
    search = Navigation(case.tilemap).begin_search(
        case.start, goal, case.profile, algorithm=algorithm, **case.others
    )
    while not search.run(max_expansions=3):
        pass
    check_way(case, search.path, [goal])


@thoroughly(60)
@given(cases(), st.sampled_from(HEURISTICS), st.data())
def test_every_estimate_by_name_is_exact_or_refused(case, heuristic, data):
    case.tell()
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    try:
        path = Navigation(case.tilemap).find_path(
            case.start, goal, case.profile, heuristic=heuristic, **case.others
        )
    except ValueError:
        assert heuristic not in {"auto", "zero"}
        return
    check_way(case, path, [goal])


@thoroughly(60)
@given(cases(), st.data())
def test_part_of_a_way_ends_where_one_may_stop_nearest_to_the_goal(case, data):
    case.tell()
    tilemap, profile = case.tilemap, case.profile
    goal = data.draw(st.sampled_from(cells_to_ask(tilemap)))
    path = Navigation(tilemap).find_path(case.start, goal, profile, partial=True, **case.others)
    ends = rulebook.ends(tilemap, profile, case.start, **case.others)
    assert path.partial == (bool(ends) and goal not in ends)
    if path.partial:

        def far(cell):
            return distance(tilemap, profile, cell[:2], goal[:2])

        nearest = min(far(cell) for cell in ends)
        cheapest = min(cost for cell, cost in ends.items() if far(cell) == nearest)
        assert far(path.cells[-1]) == nearest
        assert path.cost == pytest.approx(cheapest, **NEARLY)
        assert tuple(path.cells[-1]) in ends


@thoroughly(60)
@given(tilemaps(), st.data())
def test_answers_are_never_stale(tilemap, data):
    movers = data.draw(st.lists(profiles(tilemap.topology), min_size=1, max_size=2))
    kept = Navigation(tilemap)
    for profile in movers:
        kept.is_reachable((0, 0), (0, 0), profile)
        if data.draw(st.booleans()):
            kept.build_index(profile, landmarks=data.draw(st.sampled_from([None, 2])))
    for _ in range(data.draw(st.integers(1, 5))):
        data.draw(edits(tilemap))(tilemap)
        for profile in movers:
            cells = cells_to_ask(tilemap)
            start, goal = data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(cells))
            best = rulebook.ends(tilemap, profile, start)
            expected = pytest.approx(best.get(goal, math.inf), **NEARLY)
            for navigation in (kept, Navigation(tilemap)):
                assert navigation.find_path(start, goal, profile).cost == expected
                assert navigation.is_reachable(start, goal, profile) == (goal in best)
                reach = navigation.reach(start, 9, profile)
                costs = {tuple(cell): reach.cost_to(cell) for cell in reach}
                affordable = {cell: cost for cell, cost in best.items() if cost <= 9 + 1e-9}
                assert costs == pytest.approx(affordable, **NEARLY)
            fields = [nav.cost_field(goal, profile) for nav in (kept, Navigation(tilemap))]
            assert fields[0].cost == pytest.approx(fields[1].cost, **NEARLY)
            assert [fields[0].cost_from(cell) for cell in cells] == pytest.approx(
                [
                    rulebook.costs_to(tilemap, profile, {goal: 0}).get(cell, math.inf)
                    for cell in cells
                ],
                **NEARLY,
            )
