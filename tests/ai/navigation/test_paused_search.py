"""Searches in portions over mixed maps, towards goals that may be out of reach."""

from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.navigation.search import UNSEEN
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.reference import ground, thoroughly


@thoroughly(100)
@given(cases(), st.integers(1, 9), st.sampled_from(["astar", "dijkstra"]), st.data())
def test_in_portions_it_answers_as_a_query_does(case, portion, algorithm, data):
    case.tell()
    navigation = Navigation(case.tilemap)
    for _ in range(3):
        goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
        ends = case.start, goal, case.profile
        query = navigation.find_path(*ends, blockers=case.blockers)
        search = navigation.begin_search(*ends, algorithm=algorithm, blockers=case.blockers)
        assert search.expansions == 0
        assert not len(search.closed_order)
        while not search.run(max_expansions=portion):
            pass
        answer = search.path
        assert (answer.cells, answer.cost, answer.reason) == (query.cells, query.cost, query.reason)


@thoroughly(100)
@given(cases(), st.sampled_from(["astar", "dijkstra", "bfs"]), st.data())
def test_a_search_that_pauses_keeps_its_blockers(case, algorithm, data):
    case.tell()
    navigation, paths = Navigation(case.tilemap), []
    cells = cells_to_ask(case.tilemap)
    goal = data.draw(st.sampled_from(cells))
    for others in ([], cells):
        search = navigation.begin_search(
            case.start, goal, case.profile, algorithm=algorithm, blockers=case.blockers
        )
        while not search.run(max_expansions=1):
            navigation.reach(case.start, 7, case.profile, blocked=others)
        paths.append((search.path.cells, search.path.cost, search.path.reason))
    assert paths[0] == paths[1]


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


def test_searches_do_not_disturb_each_other():
    navigation = Navigation(ground("000\n000"))
    first = navigation.begin_search((0, 0), (0, 2))
    first.run(max_expansions=1)
    other = navigation.begin_search((1, 0), (1, 2))
    assert (other.state != UNSEEN).sum() == 1
    other.run()
    first.run()
    assert [cell.row for cell in first.path.cells] == [0, 0, 0]
    assert [cell.row for cell in other.path.cells] == [1, 1, 1]
