"""Shared parts of behaviors: situations, planned paths, and orders that a board checks."""

import pytest
from hypothesis import assume, example, given

from ai import Behavior, Board, MoveProfile, Navigation, Situation, Unit
from ai.behaviors.behavior import PlannedPath
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.mixed_maps import Case, cases
from tests.support.mover_pictures import spanned
from tests.support.reference import ground, thoroughly
from tests.support.walks import path_of


class Go(Behavior):
    """Go to some cells one after the other, whatever the rules say."""

    def __init__(self, *cells):
        self.cells = list(cells)

    def _choose(self, _situation):
        return self.cells.pop(0) if self.cells else "has arrived"


BIG_FLYER = MoveProfile(can_fly=True, size=2)


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


def test_a_planned_path_is_followed_from_any_of_its_cells():
    tilemap = ground("0000")
    path = PlannedPath(Navigation(tilemap).find_path((0, 0), (0, 3)))
    at = [Situation(Navigation(tilemap), (0, col)) for col in range(4)]
    ahead = [path.next_cell(situation) for situation in at]
    assert ahead == [(0, 1, 0), (0, 2, 0), (0, 3, 0), None]
    assert path.goal == (0, 3, 0)
    assert PlannedPath().next_cell(at[0]) is PlannedPath().goal is None


def test_a_planned_path_passes_allies_and_ends_where_it_is_blocked():
    tilemap = ground("00000")
    navigation = Navigation(tilemap)
    path = PlannedPath(navigation.find_path((0, 0), (0, 4)))
    assert path.next_cell(Situation(navigation, (0, 0), passable=[(0, 1), (0, 2)])) == (0, 3, 0)
    assert path.next_cell(Situation(navigation, (0, 0), blocked=[(0, 2)])) == (0, 1, 0)
    assert path.next_cell(Situation(navigation, (0, 1), blocked=[(0, 2)])) is None
    assert path.next_cell(Situation(navigation, (0, 2), passable=[(0, 3), (0, 4)])) is None
    with tilemap.edit() as edit:
        edit.set_level((0, 2), 3)
    assert path.next_cell(Situation(navigation, (0, 1))) is None
    assert path.next_cell(Situation(navigation, (0, 2))) == (0, 3, 0)


def test_a_planned_path_over_a_removed_bridge_ends():
    tilemap = spanned("2#2", ([(0, 1)], 2))
    navigation = Navigation(tilemap)
    path = PlannedPath(navigation.find_path((0, 0), (0, 2)))
    assert path.next_cell(Situation(navigation, (0, 0))) == (0, 1, 1)
    with tilemap.edit() as edit:
        edit.remove_deck([(0, 1)], 1)
    assert path.next_cell(Situation(navigation, (0, 0))) is None
    assert path.next_cell(Situation(navigation, (0, 1, 1))) is None


def test_a_board_carries_out_what_a_behavior_wants_if_the_rules_allow_it():
    board = Board(TileMap.from_text("0009"))
    mira = board.add(Unit("Mira", (0, 0), move=1))
    orla = board.add(Unit("Orla", (0, 2), team="red"))
    go = Go((0, 1), (0, 2), (0, 3))
    assert board.act(mira, go).cells == [(0, 0, 0), (0, 1, 0)]
    assert mira.cell == (0, 1, 0)
    assert go.reason == ""
    assert board.act(mira, go).reason == "Orla stands on (0, 2)"
    assert "climb 9 > 2 at (0, 3)" in board.act(mira, go).reason
    assert board.act(mira, go).reason == go.reason == "has arrived"
    assert (mira.cell, orla.cell) == ((0, 1, 0), (0, 2, 0))
    assert board.undo()
    assert mira.cell == (0, 0, 0)


@pytest.mark.parametrize("dt_s", [-1, float("nan"), "1", True])
def test_time_does_not_run_backwards(dt_s):
    with pytest.raises((ValueError, TypeError), match="dt_s must be"):
        Go().advance(dt_s)


def test_the_helper_of_these_tests_sees_a_step_that_is_none():
    with pytest.raises(AssertionError, match="no legal step"):
        path_of(Go((0, 1)), ground("09"), (0, 0))
