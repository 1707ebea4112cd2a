"""Situations: the steps, paths and blockers of a mover at one moment."""

from dataclasses import replace

import pytest
from hypothesis import assume, example, given

from ai import MoveProfile, Navigation, Situation
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.mixed_maps import Case, cases
from tests.support.reference import ground, thoroughly


@thoroughly(200)
@given(cases())
@example(
    Case(TileMap.from_text("000\n000"), MoveProfile(size=2), (0, 0, 0), {(0, 1, 0)}, set(), set())
)
@example(  # a flyer over void cannot begin a path there, but a path may pass it
    Case(
        TileMap.from_text("000\n0#0"),
        MoveProfile(can_fly=True, size=2),
        (0, 0, 0),
        set(),
        set(),
        set(),
    )
)
def test_single_steps_are_those_of_the_rulebook(case):
    case.tell()
    tilemap, profile, start = case.tilemap, case.profile, case.start
    others = case.blocked - {*rulebook.tiles(profile, start)}
    expected = {}
    for end, cost in rulebook.steps_from(tilemap, profile, start, others):
        expected[end] = min(cost, expected.get(end, cost))
    steps = Navigation(tilemap).steps_from(start, profile, blocked=case.blocked)
    assert {tuple(end): pytest.approx(cost) for end, cost in steps.items()} == expected


@thoroughly(100)
@given(cases())
def test_a_situation_has_the_steps_after_which_the_mover_may_stop(case):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    assume(rulebook.can_start(tilemap, profile, start))
    others = case.blocked | case.passable
    assume(not rulebook.is_touched(profile, start, others))
    ends = {
        end
        for end, _ in rulebook.steps_from(tilemap, profile, start, case.blocked)
        if rulebook.can_stop(tilemap, profile, end, others)
    }
    situation = Situation(Navigation(tilemap), start, profile, case.blocked, case.passable)
    assert {tuple(end) for end in situation.steps()} == ends


def test_a_situation_from_before_an_edit_drops_what_is_gone():
    tilemap = ground("000")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), 4, "road")
    navigation, taken = Navigation(tilemap), [(0, 1, 1), (0, 2)]
    old = Situation(navigation, (0, 0), blocked=taken, passable=taken, halting=taken)
    tilemap.undo()
    for now in (replace(old, cell=(0, 1)), replace(old.without([(0, 2)]), blocked=old.blocked)):
        assert (0, 1, 1) not in [*now.blocked, *now.passable, *now.halting]
        assert [*now.blocked] == [(0, 2, 0)]
        assert now.steps_from((0, 1)) == {(0, 0, 0): 1}


def test_cells_that_do_not_exist_cannot_be_reached():
    situation = Situation(Navigation(ground("00")), (0, 0, 2), blocked=[(0, 1, 4), (0, 1)])
    assert situation.blocked == ((0, 1, 0),)
    assert situation.steps() == {}
    assert situation.find_path((0, 1)).reason == "the ground at (0, 0) deck 2 is gone"
    assert not list(situation.reach(3))
    there = Situation(Navigation(ground("00")), (0, 0))
    assert there.find_path((5, 5)).reason == "(5, 5) is not on the map"
    assert there.find_path([(5, 5), (0, 1)]).cost == 1
    assert not there.can_stop((0, 1, 1))


def test_others_can_be_left_out():
    situation = Situation(Navigation(ground("000")), (0, 0), blocked=[(0, 1)], passable=[(0, 2)])
    assert not situation.find_path((0, 2))
    assert situation.without([(0, 1), (0, 2)]).find_path((0, 2))
    assert situation.is_taken((0, 2))
    large = Situation(Navigation(ground("000\n000")), (0, 0), MoveProfile(size=2), [(1, 2)])
    assert large.is_taken((0, 1))
    assert not large.is_taken((0, 0))
