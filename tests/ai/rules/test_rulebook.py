"""Queries against the plain rulebook and steps explained one by one, with all rules mixed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation
from tests.long.rules import ASK, Tally, questions
from tests.support import rulebook
from tests.support.reference import distance, tried
from tests.support.strategies import cases, cells_to_ask

NEARLY = {"rel": 1e-9, "abs": 1e-9}


@pytest.mark.parametrize("kind", ASK)
@given(case=cases(), data=st.data())
def test_answers_are_those_of_the_rulebook(kind, case, data):
    ASK[kind](case, Navigation(case.tilemap), Tally(), data.draw(questions(case)))


@tried(100, cases(), st.data())
def test_paths_with_an_index_are_as_cheap_one_by_one_and_many_at_once(case, data):
    case = replace(case, blocked=set(), passable=set(), halting=set())
    navigation = Navigation(case.tilemap)
    navigation.build_index(case.profile, landmarks=data.draw(st.sampled_from([None, 1, 3])))
    for kind in ("paths", "many at once"):
        ASK[kind](case, navigation, Tally(), data.draw(questions(case)))


@tried(60, cases(), st.data())
def test_part_of_a_way_ends_where_one_may_stop_nearest_to_the_goal(case, data):
    tilemap, profile = case.tilemap, case.profile
    goal = data.draw(st.sampled_from(cells_to_ask(tilemap)))
    how = {"partial": True, "blockers": case.blockers}
    path = Navigation(tilemap).find_path(case.start, goal, profile, **how)
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
