"""Answers of a Navigation after edits, undo and redo."""

import contextlib
import gc
import math
import weakref

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.support.reference import ground

CORNER_TO_CORNER = MoveProfile(max_climb=3, kind_cost={"water": 2})


def check_like_new(navigation, profile, start, goal):
    answers = []
    for nav in (navigation, Navigation(navigation.tilemap)):
        path, reach = nav.find_path(start, goal, profile), nav.reach(start, math.inf, profile)
        costs = {cell: reach.cost_to(cell) for cell in reach}
        answers.append((path.cells, path.cost, path.reason, path.steps, costs))
    assert answers[0] == answers[1]


def test_a_map_of_arrays_in_columns_is_followed_through_an_edit():
    level = np.array([[0, 0, 0], [0, 0, 0]])
    tilemap = TileMap(np.asfortranarray(level), np.asfortranarray(level))
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 0), (0, 2)).cost == 2
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 2)
        edit.set_kind((0, 2), "swamp")
    assert tilemap.level.tolist() == [[0, 2, 0], [0, 0, 0]]
    check_like_new(navigation, MoveProfile(kind_cost={"swamp": 5}), (0, 0), (0, 2))
    check_like_new(navigation, MoveProfile(), (0, 0), (0, 2))


def raise_to(tilemap, cell, level):
    with tilemap.edit() as edit:
        edit.set_level(cell, level)


@pytest.fixture
def asked():
    """Return a map and a navigation that has answered."""
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 0), (0, 2)).cost == 2
    return tilemap, navigation


@pytest.mark.parametrize("count", [1, 63, 64, 65, 66, 130])
def test_many_changes_between_two_questions_are_all_seen(count):
    tilemap = ground("\n".join(["0" * 12] * 12))
    navigation = Navigation(tilemap)
    check_like_new(navigation, CORNER_TO_CORNER, (0, 0), (11, 11))
    # The first change, beside the goal, is the one that a short history would drop.
    rng = np.random.default_rng(count)
    for cell in [(10, 11), *rng.integers(0, 10, (count - 1, 2)).tolist()]:
        raise_to(tilemap, cell, int(tilemap.level_at(cell) + 1 + 8 * (cell == (10, 11))))
    path = navigation.find_path((0, 0), (11, 11), CORNER_TO_CORNER)
    assert (10, 11, 0) not in path.cells
    check_like_new(navigation, CORNER_TO_CORNER, (0, 0), (11, 11))
    while tilemap.undo():
        pass
    check_like_new(navigation, CORNER_TO_CORNER, (0, 0), (11, 11))


def test_a_listener_of_the_change_gets_answers_on_the_new_map(asked):
    (tilemap, navigation), heard = asked, []
    tilemap.changed.connect(lambda _rect: heard.append(navigation.find_path((0, 0), (0, 2)).cost))
    raise_to(tilemap, (0, 1), 5)
    tilemap.undo()
    tilemap.redo()
    assert heard == [4, 2, 4]


def test_a_listener_may_edit_again_and_gets_answers_on_the_newest_map(asked):
    tilemap, navigation = asked
    tilemap.changed.connect(lambda _rect: raise_to(tilemap, (1, 1), 5), once=True)
    raise_to(tilemap, (0, 1), 5)
    assert not navigation.find_path((0, 0), (0, 2))


def test_answers_in_an_open_edit_are_those_of_the_old_map(asked):
    tilemap, navigation = asked
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 5)
        assert navigation.find_path((0, 0), (0, 2)).cost == 2
    assert navigation.find_path((0, 0), (0, 2)).cost == 4


def test_a_failed_edit_changes_no_answer(asked):
    tilemap, navigation = asked
    with contextlib.suppress(ValueError), tilemap.edit() as edit:
        edit.set_level((0, 1), 5)
        edit.set_kind((1, 1), "cheese")
    assert navigation.find_path((0, 0), (0, 2)).cost == 2


def test_more_profiles_than_are_cached_all_get_answers():
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    movers = [MoveProfile(climb_cost=price) for price in range(40)]
    assert [navigation.find_path((0, 0), (0, 2), mover).cost for mover in movers] == [2] * 40
    raise_to(tilemap, (0, 1), 1)
    prices = [navigation.find_path((0, 0), (0, 2), mover).cost for mover in movers]
    assert prices == [2, 3] + [4] * 38


def test_a_dropped_navigation_frees_its_graphs_at_once():
    navigation, extra = Navigation(ground("000\n000")), np.ones((2, 3))
    navigation.find_path((0, 0), (0, 2), extra_cost=extra)
    navigation.build_index()
    navigation.is_decision_point((0, 0))
    graph = weakref.ref(navigation.profile_graph())
    gc.disable()
    try:
        del navigation
        assert graph() is None
    finally:
        gc.enable()
