"""Searches in portions towards goals that cannot be reached, or are not yet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.navigation.resumable_search import ALGORITHMS, UNSEEN
from tests.support import rulebook
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.reference import ground, thoroughly


@thoroughly(100)
@given(cases(), st.integers(1, 9), st.data())
def test_in_portions_it_answers_as_a_query_does(case, portion, data):
    case.tell()
    navigation = Navigation(case.tilemap)
    for _ in range(3):  # the later ones use the workspace that the first released
        goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
        ends = case.start, goal, case.profile
        query = navigation.find_path(*ends, partial=True, **case.others)
        search = navigation.begin_search(*ends, partial=True, **case.others)
        assert search.expansions == 0
        assert not len(search.closed_order)
        while not search.run(max_expansions=portion):
            pass
        answer = search.path
        assert (answer.cost, answer.partial, answer.reason) == (
            query.cost,
            query.partial,
            query.reason,
        )
        assert answer.cells[-1:] == query.cells[-1:]
        if not query.partial:
            assert answer.cells == query.cells
        search.release()


def test_portions_of_one_find_a_warp_past_decks_over_the_start():
    tilemap = ground("0\n0\n0\n0\n0")
    with tilemap.edit() as edit:
        for row, level in ((1, 3), (1, 6), (3, 3)):
            edit.add_deck((row, 0), level=level, kind="grass")
    flyer = MoveProfile(can_fly=True, warp=4)
    search = Navigation(tilemap).begin_search((1, 0), (3, 0, 1), flyer)
    for _ in range(20):
        search.run(max_expansions=1)
    assert search.path.cells == [(1, 0, 0), (3, 0, 1)]
    assert search.path.cost == 2


def test_the_path_so_far_leads_to_the_nearest_closed_cell():
    navigation = Navigation(ground("00000\n00000"))
    search = navigation.begin_search((0, 0), (0, 4), partial=True)
    assert not search.path_so_far()
    before = 0
    while not search.run(max_expansions=1):
        path = search.path_so_far()
        assert path.partial
        assert path.cells[0] == (0, 0, 0)
        assert before <= path.cells[-1].col
        before = path.cells[-1].col
    assert before > 0
    assert search.path_so_far() is search.path


@thoroughly(50)
@given(cases(), st.sampled_from(ALGORITHMS), st.data())
def test_the_path_so_far_has_legal_steps(case, algorithm, data):
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    navigation = Navigation(case.tilemap)
    search = navigation.begin_search(
        case.start, goal, case.profile, algorithm=algorithm, partial=True, blocked=case.blocked
    )
    others = case.blocked - {*rulebook.tiles(case.profile, case.start)}
    is_done = False
    while not is_done:
        is_done = search.run(max_expansions=2)
        path = search.path_so_far()
        steps = path.steps
        assert path.cost == pytest.approx(sum(step.cost for step in steps)) or not path
        for step in steps:
            if case.tilemap.is_void(step.start):
                continue  # a flyer over void: no query returns steps from there
            assert step.end in navigation.steps_from(step.start, case.profile, blocked=others)


def test_a_released_search_does_not_continue():
    navigation = Navigation(ground("000"))
    search = navigation.begin_search((0, 0), (0, 2))
    search.release()
    assert search.run()
    assert search.path.reason == "the search was given up"


def test_searches_reuse_workspaces():
    navigation = Navigation(ground("000\n000"))
    first = navigation.begin_search((0, 0), (0, 2))
    first.run(max_expansions=1)
    other = navigation.begin_search((1, 0), (1, 2))
    assert (other.state == UNSEEN).all()
    other.run()
    first.run()
    assert [cell.row for cell in first.path.cells] == [0, 0, 0]
    assert [cell.row for cell in other.path.cells] == [1, 1, 1]
