"""Never stale: after any edit, undo or redo every answer is that of a Navigation made anew."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from tests.ai.reference import KINDS, cells_of, ground, profiles, thoroughly, tilemaps

CORNER_TO_CORNER = MoveProfile(max_climb=3, kind_cost={"water": 2})
KIND_NAMES = [*[kind.name for kind in KINDS], "void"]


def check_like_new(navigation, profile, start, goal):
    fresh = Navigation(navigation.tilemap)
    path, expected = (nav.find_path(start, goal, profile) for nav in (navigation, fresh))
    assert (path.cells, path.cost, path.reason) == (expected.cells, expected.cost, expected.reason)
    assert path.steps == expected.steps
    reach, expected = (nav.reach(start, math.inf, profile) for nav in (navigation, fresh))
    assert reach.cells == expected.cells
    assert [reach.cost_to(cell) for cell in reach] == [expected.cost_to(cell) for cell in reach]


@st.composite
def changes(draw, tilemap):
    """Draw one thing to do to a map: edit a few cells, undo, or redo."""
    what = draw(st.sampled_from(["edit", "edit", "undo", "redo"]))
    if what != "edit":
        return what
    cell = st.sampled_from(cells_of(tilemap))
    levels = draw(st.dictionaries(cell, st.integers(0, 6), max_size=3))
    kinds = draw(st.dictionaries(cell, st.sampled_from(KIND_NAMES), max_size=2))
    return levels, kinds


def apply(tilemap, change):
    if change in ("undo", "redo"):
        getattr(tilemap, change)()
        return
    levels, kinds = change
    with tilemap.edit() as edit:
        for cell, level in levels.items():
            edit.set_level(cell, level)
        for cell, kind in kinds.items():
            edit.set_kind(cell, kind)


@thoroughly(150)
@given(st.data())
def test_answers_follow_every_change(data):
    tilemap = data.draw(tilemaps(max_side=6))
    movers = data.draw(st.lists(profiles, min_size=1, max_size=3))
    cell = st.sampled_from(cells_of(tilemap))
    navigation = Navigation(tilemap)
    for _ in range(data.draw(st.integers(1, 6))):
        for change in data.draw(st.lists(changes(tilemap), max_size=3)):
            apply(tilemap, change)
        # Not everybody asks after every change, so some catch up with several at once.
        for mover in data.draw(st.lists(st.sampled_from(movers), min_size=1, max_size=2)):
            check_like_new(navigation, mover, data.draw(cell), data.draw(cell))


@pytest.mark.parametrize("count", [1, 63, 64, 65, 66, 130])
def test_many_changes_between_two_questions_are_all_seen(count):
    tilemap = ground("\n".join(["0" * 12] * 12))
    navigation = Navigation(tilemap)
    check_like_new(navigation, CORNER_TO_CORNER, (0, 0), (11, 11))
    # The first change, beside the goal, is the one that a short memory would forget.
    rng = np.random.default_rng(count)
    for cell in [(10, 11), *rng.integers(0, 10, (count - 1, 2)).tolist()]:
        with tilemap.edit() as edit:
            edit.set_level(cell, int(tilemap.level_at(cell) + 1 + 8 * (cell == (10, 11))))
    path = navigation.find_path((0, 0), (11, 11), CORNER_TO_CORNER)
    assert (10, 11, 0) not in path.cells
    check_like_new(navigation, CORNER_TO_CORNER, (0, 0), (11, 11))
    while tilemap.undo():
        pass
    check_like_new(navigation, CORNER_TO_CORNER, (0, 0), (11, 11))


def test_changes_far_apart_are_both_seen():
    tilemap = ground("000000000\n###0###0#\n000000000")
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 0), (2, 8)).cost == 10
    apply(tilemap, ({(1, 7): 5}, {}))
    apply(tilemap, ({(1, 3): 5}, {}))
    assert not navigation.find_path((0, 0), (2, 8))
    tilemap.undo()
    assert navigation.find_path((0, 0), (2, 8)).cells[4] == (1, 3, 0)


def test_a_listener_of_the_change_is_answered_by_the_new_map():
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    heard = []
    tilemap.changed.connect(lambda _rect: heard.append(navigation.find_path((0, 0), (0, 2)).cost))
    assert navigation.find_path((0, 0), (0, 2)).cost == 2
    apply(tilemap, ({(0, 1): 5}, {}))
    tilemap.undo()
    tilemap.redo()
    assert heard == [4, 2, 4]


def test_a_listener_may_edit_on_and_is_answered_by_the_newest_map():
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    navigation.find_path((0, 0), (0, 2))

    def close_the_way_around(_rect):
        apply(tilemap, ({(1, 1): 5}, {}))

    tilemap.changed.connect(close_the_way_around, once=True)
    apply(tilemap, ({(0, 1): 5}, {}))
    assert not navigation.find_path((0, 0), (0, 2))


def test_inside_an_open_edit_answers_are_those_of_the_old_map():
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 5)
        assert navigation.find_path((0, 0), (0, 2)).cost == 2
    assert navigation.find_path((0, 0), (0, 2)).cost == 4


def test_a_failed_edit_changes_no_answer():
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    navigation.find_path((0, 0), (0, 2))
    with pytest.raises(ValueError, match="unknown kind"):
        apply(tilemap, ({(0, 1): 5}, {(1, 1): "cheese"}))
    assert navigation.find_path((0, 0), (0, 2)).cost == 2


def test_more_movers_than_are_remembered_are_all_answered():
    tilemap = ground("000\n000")
    navigation = Navigation(tilemap)
    movers = [MoveProfile(climb_cost=price) for price in range(40)]
    assert [navigation.find_path((0, 0), (0, 2), mover).cost for mover in movers] == [2] * 40
    apply(tilemap, ({(0, 1): 1}, {}))
    prices = [navigation.find_path((0, 0), (0, 2), mover).cost for mover in movers]
    assert prices == [2, 3] + [4] * 38


def test_a_way_and_a_reach_are_records_that_edits_do_not_change():
    tilemap = ground("000")
    navigation = Navigation(tilemap)
    path, reach = navigation.find_path((0, 0), (0, 2)), navigation.reach((0, 0), 5)
    apply(tilemap, ({(0, 1): 2}, {(0, 2): "void"}))
    assert (path.cost, [step.rise for step in path.steps]) == (2, [0, 0])
    assert (reach.cost_to((0, 2)), reach.path_to((0, 2)).steps) == (2, path.steps)
