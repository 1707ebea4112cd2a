"""Queries against the plain rulebook and steps explained one by one, with all rules mixed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, movers
from terrain3d import Reason, TileMap
from tests.long import rules
from tests.long.rules import ASK, Tally, check_path, questions
from tests.support import rulebook
from tests.support.plain_map import columns, is_inside
from tests.support.reference import distance, thoroughly
from tests.support.rulebook import tiles
from tests.support.strategies import cases, cells_to_ask

NEARLY = {"rel": 1e-9, "abs": 1e-9}


@pytest.mark.parametrize("kind", ASK)
@given(case=cases(), data=st.data())
def test_answers_are_those_of_the_rulebook(kind, case, data):
    case.tell()
    ASK[kind](case, Navigation(case.tilemap), Tally(), data.draw(questions(case)))


@thoroughly(100)
@given(cases(), st.data())
def test_paths_with_an_index_are_as_cheap_one_by_one_and_many_at_once(case, data):
    case = replace(case, blocked=set(), passable=set(), halting=set())
    case.tell()
    navigation = Navigation(case.tilemap)
    navigation.build_index(case.profile, landmarks=data.draw(st.sampled_from([None, 1, 3])))
    cells = st.sampled_from(cells_to_ask(case.tilemap))
    goals = data.draw(st.lists(cells, min_size=1, max_size=3))
    rules.paths(case, navigation, Tally(), goals)
    rules.many_at_once(case, navigation, Tally())


@thoroughly(60)
@given(cases(), st.data())
def test_searches_that_can_be_watched_find_the_cheapest_ways_too(case, data):
    case.tell()
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    algorithm = data.draw(st.sampled_from(["astar", "dijkstra"]))
    search = Navigation(case.tilemap).begin_search(
        case.start, goal, case.profile, algorithm=algorithm, blockers=case.blockers
    )
    while not search.run(max_expansions=3):
        pass
    check_path(case, Tally(), search.path, [goal])


@thoroughly(60)
@given(cases(), st.data())
def test_part_of_a_way_ends_where_one_may_stop_nearest_to_the_goal(case, data):
    case.tell()
    tilemap, profile = case.tilemap, case.profile
    goal = data.draw(st.sampled_from(cells_to_ask(tilemap)))
    path = Navigation(tilemap).find_path(
        case.start, goal, profile, partial=True, blockers=case.blockers
    )
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


def check_steps(navigation, profile, path):
    """Fail if a step of a path is not legal by itself, or a tile under it is not on the map."""
    for step in path.steps:
        answer = navigation.explain_step(step.start, step.end, profile)
        assert (answer.legal, answer.reason, answer.rise) == (True, "", step.rise)
        assert answer.cost == pytest.approx(step.cost, **NEARLY)
        assert navigation.steps_from(step.start, profile)[step.end] == answer.cost
    for cell in path.cells:
        assert all(is_inside(navigation.tilemap, tile[:2]) for tile in tiles(profile, cell))


@thoroughly(60)
@given(cases(), st.booleans(), st.data())
def test_every_step_of_a_path_is_explained(case, also_flies, data):
    profile = replace(case.profile, can_fly=case.profile.can_fly or also_flies)
    with case.tilemap.edit() as edit:
        for hole in data.draw(st.sets(st.sampled_from(columns(case.tilemap)), max_size=4)):
            edit.set_kind(hole, "void")
    case.tell()
    navigation = Navigation(case.tilemap)
    reach = navigation.reach(case.start, 30, profile)
    for cell in reach:
        check_steps(navigation, profile, reach.path_to(cell))
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    check_steps(navigation, profile, navigation.find_path(case.start, goal, profile, partial=True))
    field = navigation.cost_field(goal, profile)
    for cell in cells_to_ask(case.tilemap):
        check_steps(navigation, profile, field.path_from(cell))


def test_a_flyer_goes_on_from_void():
    navigation = Navigation(TileMap.from_text("0#0"))
    path = navigation.find_path((0, 0), (0, 2), movers.FLYER)
    assert [step.cost for step in path.steps] == [1, 1]
    answer = navigation.explain_step((0, 1), (0, 2), movers.FLYER)
    assert (answer.legal, answer.cost, answer.reason) == (True, 1, "")
    assert navigation.steps_from((0, 1), movers.FLYER) == {(0, 0, 0): 1, (0, 2, 0): 1}


def test_a_walker_goes_on_from_ground_only():
    navigation = Navigation(TileMap.from_text("0#0"))
    for profile in (MoveProfile(), MoveProfile(warp=3), MoveProfile(warp=3, can_fly=True)):
        assert navigation.explain_step((0, 1), (0, 2), profile).reason == Reason(
            "is_void", cell=(0, 1)
        )
        assert navigation.steps_from((0, 1), profile) == {}
