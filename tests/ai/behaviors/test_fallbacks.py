"""FirstOf and While: who is asked, when, and what becomes of the reasons."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import (
    Behavior,
    Board,
    Chase,
    FirstOf,
    KeepDistance,
    MoveProfile,
    Navigation,
    Patrol,
    Seek,
    Situation,
    Stay,
    Travel,
    Unit,
    Waypoints,
    While,
    plain_reason,
)
from terrain3d import Reason, TileMap
from tests.support.reference import cells_of, ground, thoroughly, tilemaps, true_costs


class Says(Behavior):
    """Gives the same answer always, and counts questions and seconds."""

    def __init__(self, answer):
        self.answer = answer
        self.n_asked = self.seconds = 0

    def advance(self, dt_s):
        self.seconds += dt_s

    def _choose(self, _situation):
        self.n_asked += 1
        return self.answer


HERE = Situation(Navigation(ground("000\n000")), (0, 0))
EAST, SOUTH = (0, 1), (1, 0)


def test_the_first_with_a_cell_is_followed_and_later_ones_are_not_asked():
    behaviors = [Says("is tired"), Says(EAST), Says(SOUTH)]
    chosen = FirstOf(*behaviors)
    assert chosen.next_cell(HERE) == (0, 1, 0)
    assert chosen.reason == ""
    assert [each.n_asked for each in behaviors] == [1, 1, 0]
    behaviors[0].answer = SOUTH  # and takes over as soon as it can
    assert chosen.next_cell(HERE) == (1, 0, 0)
    assert [each.n_asked for each in behaviors] == [2, 1, 0]


def test_without_a_cell_the_reasons_are_joined_for_programs_and_players():
    far = Reason("{} is void", HERE.here, plain="there is no ground at {}")
    chosen = FirstOf(Says(far), FirstOf(Says("is tired"), Says("is {lost}")))
    assert chosen.next_cell(HERE) is None
    assert chosen.reason == "(0, 0) is void; is tired; is {lost}"
    assert plain_reason(chosen.reason, (0, 0)) == "there is no ground there; is tired; is {lost}"
    assert not isinstance(chosen.reason, Stay)


@pytest.mark.parametrize("wrap", [lambda it: it, FirstOf, lambda it: While(lambda: True, it)])
def test_one_that_stays_on_purpose_is_left_in_peace(wrap):
    stay = Stay("holds {}", HERE.here)
    chosen = FirstOf(Says("is tired"), wrap(Says(stay)), Says(EAST))
    assert chosen.next_cell(HERE) is None
    assert chosen.reason is stay


@pytest.mark.parametrize(
    "behavior",
    [
        Chase(lambda: EAST),
        KeepDistance(lambda: EAST, 1, 2),
        Patrol([HERE.here]),
        Patrol([HERE.here, EAST], wait_s=1),
        Seek(HERE.here, np.random.default_rng(0)),
        Travel(Waypoints(), HERE.here),
    ],
    ids=["chase", "keep", "post", "wait", "seek", "travel"],
)
def test_behaviors_that_are_where_they_want_to_be_stay_on_purpose(behavior):
    assert FirstOf(behavior, Says(SOUTH)).next_cell(HERE) is None
    assert isinstance(behavior.reason, Stay)


def test_time_passes_for_all_of_them_asked_or_not():
    behaviors = [Says(EAST), Says(SOUTH), Says("is tired")]
    chosen = FirstOf(behaviors[0], While(lambda: False, FirstOf(*behaviors[1:])))
    chosen.advance(0.5)
    chosen.next_cell(HERE)
    chosen.advance(1)
    assert [each.seconds for each in behaviors] == [1.5, 1.5, 1.5]
    assert [each.n_asked for each in behaviors] == [1, 0, 0]


def test_while_asks_before_every_step_and_passes_reasons_on():
    answers = [True, False, 1, None]
    inner = Says(EAST)
    guarded = While(lambda: answers.pop(0), inner)
    assert guarded.next_cell(HERE) == (0, 1, 0)
    assert guarded.next_cell(HERE) is None
    assert guarded.reason == "its condition does not hold"
    inner.answer = "is tired"
    assert guarded.next_cell(HERE) is None
    assert guarded.reason == "is tired"
    assert guarded.next_cell(HERE) is None
    assert inner.n_asked == 2


def test_behaviors_that_are_not_asked_go_on_from_where_they_were():
    navigation, is_day = Navigation(ground("00000")), [True]
    patrol = Patrol([(0, 0), (0, 4)])
    guarded = While(lambda: is_day[0], patrol)
    here = (0, 0)
    for _ in range(2):
        here = guarded.next_cell(Situation(navigation, here))
    is_day[0] = False
    assert guarded.next_cell(Situation(navigation, here)) is None
    is_day[0] = True
    assert patrol.post == (0, 4, 0)
    assert guarded.next_cell(Situation(navigation, here)) == (0, 3, 0)


@thoroughly(120)
@given(tilemaps(max_side=6), st.integers(0, 12), st.data())
def test_it_chases_what_is_near_by_true_costs_and_else_patrols(tilemap, max_cost, data):
    profile = MoveProfile()
    start, prey, post = (data.draw(st.sampled_from(cells_of(tilemap))) for _ in range(3))
    chase = Chase(lambda: prey, max_cost=max_cost, near_tiles=0)
    behavior = FirstOf(chase, Patrol([post]))
    cell = behavior.next_cell(Situation(Navigation(tilemap), start, profile))
    costs = true_costs(tilemap, profile, start)
    if behavior.reason.startswith("has caught up"):
        assert tilemap.grid.distance(start, prey) <= 1
    elif costs[prey] <= max_cost:
        assert costs[cell[:2]] + true_costs(tilemap, profile, cell[:2])[prey] == costs[prey]
    elif start == post:
        assert behavior.reason == f"stays at its only post {tilemap.cell(post)}"
    elif costs[post] < math.inf:
        assert costs[cell[:2]] + true_costs(tilemap, profile, cell[:2])[post] == costs[post]
    else:
        no_path = Navigation(tilemap).find_path(start, post, profile)
        assert behavior.reason == f"{chase.reason}; {no_path.reason}"


def test_a_guard_on_a_board_chases_what_comes_near_stands_by_it_and_goes_back_to_its_round():
    board = Board(TileMap.from_text("0" * 30))
    guard = board.add(Unit("Odo", (0, 0)))
    wolf = board.add(Unit("Wolf", (0, 29), team="red", move=math.inf))
    mind = FirstOf(Chase(lambda: wolf.cell, max_cost=12), Patrol([(0, 0), (0, 4)]))

    def walk(n_steps):
        cols = []
        for _ in range(n_steps):
            mind.advance(1)
            board.act(guard, mind)
            cols.append(guard.cell.col)
        return cols

    assert walk(8) == [1, 2, 3, 4, 3, 2, 1, 0]
    board.move(wolf, (0, 9))
    assert walk(12) == [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8]
    assert mind.reason == "has caught up with the target at (0, 9)"
    board.move(wolf, (0, 29))
    assert walk(6) == [7, 6, 5, 4, 3, 2]


def test_who_keeps_a_distance_is_not_sent_on():
    navigation = Navigation(ground("0" * 9))
    archer = FirstOf(KeepDistance(lambda: (0, 0), 3, 5), Patrol([(0, 8)]))
    assert archer.next_cell(Situation(navigation, (0, 4))) is None
    assert archer.reason == "keeps its distance of 4 tiles"


def test_what_is_no_behavior_or_condition_is_refused():
    with pytest.raises(ValueError, match="FirstOf needs at least 1 behavior, got none"):
        FirstOf()
    for wrong in ([Says(EAST)], Chase, None):
        with pytest.raises(TypeError, match="a behavior must be a Behavior"):
            FirstOf(Says(EAST), wrong)
        with pytest.raises(TypeError, match="behavior must be a Behavior"):
            While(lambda: True, wrong)
    for condition in (True, lambda situation: situation):
        with pytest.raises(TypeError, match="condition must be a function"):
            While(condition, Says(EAST))
