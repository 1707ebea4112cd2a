"""Comparisons: options cycle, refused options are skipped, and the rival follows."""

from functools import partial

import pytest

from ai import MoveProfile, Navigation, SearchComparison, SearchOptions
from ai.navigation.search import ALGORITHMS
from terrain3d import TileMap

FLAT = "00000\n00000\n00000"


def show_on(tilemap, choice=None, rival=None, start=(0, 0), goal=(2, 4)):
    begin = partial(Navigation(tilemap).begin_search, start, goal)
    return SearchComparison(begin, choice or SearchOptions(MoveProfile()), rival)


@pytest.fixture
def show():
    return show_on(TileMap.from_text(FLAT))


def titles(show):
    return [replay.title for replay in show.replays()]


def test_every_algorithm_has_its_turn_and_then_the_first_again(show):
    names = []
    for _ in ALGORITHMS:
        names += titles(show)
        show.next_algorithm()
    assert names == [
        "A*, heuristic auto",
        "Dijkstra",
        "Breadth first",
        "Greedy best first, heuristic auto",
    ]
    assert show.options == (SearchOptions(MoveProfile()),)


def test_every_estimate_has_its_turn(show):
    names = []
    for _ in range(6):
        show.next_heuristic()
        names.append(show.options[0].heuristic)
    assert names == ["manhattan", "octile", "chebyshev", "euclidean", "zero", "auto"]


def test_estimates_that_could_exceed_the_true_cost_are_left_out():
    profile = MoveProfile(diagonal="always", diagonal_cost=1)
    show = show_on(TileMap.from_text(FLAT), SearchOptions(profile))
    names = []
    for _ in range(3):
        show.next_heuristic()
        names.append(show.options[0].heuristic)
    assert names == ["chebyshev", "zero", "auto"]


def test_an_algorithm_that_needs_an_estimate_is_left_out_where_there_is_none():
    show = show_on(TileMap.from_text(FLAT), SearchOptions(MoveProfile(), "bfs", "zero"))
    show.next_algorithm()
    assert show.options[0].algorithm == "astar"


def test_every_order_has_its_turn_and_its_name_in_the_title(show):
    seen = []
    for _ in range(3):
        show.next_order()
        seen += titles(show)
    assert seen == [
        "A*, heuristic auto, high g first",
        "A*, heuristic auto, low g first",
        "A*, heuristic auto",
    ]


def test_two_orders_side_by_side_find_one_path_over_a_diagonal_and_over_the_whole_field():
    options = SearchOptions(MoveProfile(), order="high_g_first")
    rival = SearchOptions(MoveProfile(), order="low_g_first")
    high, low = show_on(TileMap.from_text(FLAT), options, rival).replays()
    assert (high.n_steps, low.n_steps) == (7, 15)
    assert high.path == low.path


def test_rivals_are_another_algorithm_then_another_rule_then_none(show):
    seen = []
    for _ in range(3):
        show.next_rival()
        seen.append(titles(show))
    assert seen == [
        ["A*, heuristic auto", "Dijkstra"],
        ["A*, heuristic auto, uphill 1", "A*, heuristic auto, uphill 10"],
        ["A*, heuristic auto"],
    ]


def test_a_high_climb_cost_is_compared_with_a_low_one():
    show = show_on(TileMap.from_text(FLAT), SearchOptions(MoveProfile(climb_cost=10), "dijkstra"))
    show.next_rival()
    assert show.options[1].algorithm == "astar"
    show.next_rival()
    assert titles(show) == ["Dijkstra, uphill 10", "Dijkstra, uphill 1"]


def test_a_rival_keeps_its_difference_when_the_algorithm_changes(show):
    show.next_rival()
    show.next_algorithm()
    assert [options.algorithm for options in show.options] == ["dijkstra", "astar"]
    show.next_rival()
    show.next_algorithm()
    assert [options.algorithm for options in show.options] == ["bfs", "bfs"]
    assert [options.profile.climb_cost for options in show.options] == [1, 10]


def test_another_climb_cost_leads_along_another_path():
    # Over the hill or around it.
    tilemap = TileMap.from_text("01110\n00000")
    show = show_on(tilemap, start=(0, 0), goal=(0, 4))
    show.next_rival()
    show.next_rival()
    over, around = (replay.search.path for replay in show.replays())
    assert (over.cost, around.cost) == (5, 6)
    assert len(around) == 7


def test_begun_replays_can_be_recorded_later(show):
    show.next_rival()
    record = show.begin_replays()
    show.next_rival()
    assert [replay.title for replay in record()] == ["A*, heuristic auto", "Dijkstra"]
