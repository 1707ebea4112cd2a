"""Behaviors: what they share, their limits, and decision points."""

import math
import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import ai
from terrain3d import Reason, TileMap
from tests.support import rulebook
from tests.support.boards import one_edit
from tests.support.reference import cells_of, ground, tilemaps, tried, true_costs
from tests.support.selection import table
from tests.support.strategies import cases, cells_to_ask
from tests.support.walks import recorded_calls


class Go(ai.Behavior):
    """Go to some cells one after the other, whatever the rules say."""

    def __init__(self, *cells):
        self.cells = list(cells)

    def _choose(self, _situation):
        return self.cells.pop(0) if self.cells else "has arrived"


def test_a_path_is_kept_while_it_can_be_walked(monkeypatch):
    searches = recorded_calls(monkeypatch, "find_path")
    tilemap = ground("00000\n00000")
    navigation, patrol = ai.Navigation(tilemap), ai.Patrol([(0, 4)])

    def ask(cell, **others):
        searches.clear()
        return patrol.next_cell(ai.Situation(navigation, cell, **others)), len(searches)

    assert ask((0, 0)) == ((0, 1, 0), 1)
    assert ask((0, 0)) == ((0, 1, 0), 0)  # its order was refused
    assert ask((0, 0), passable=[(0, 1), (0, 2)]) == ((0, 3, 0), 0)
    assert ask((0, 1), blocked=[(0, 3)]) == ((0, 2, 0), 0)
    assert ask((0, 2), blocked=[(0, 3)]) == ((1, 2, 0), 1)
    assert ask((1, 2)) == ((1, 3, 0), 0)
    assert ask((0, 1)) == ((0, 2, 0), 1)  # an undo took it back
    one_edit(tilemap).set_level((0, 3), 3)
    assert ask((0, 2)) == ((1, 2, 0), 1)
    tilemap.undo()
    assert ask((1, 2))[1] == 1  # what was changed may be cheaper


def test_a_board_carries_out_what_a_behavior_wants_if_the_rules_allow_it():
    board = ai.Board(TileMap.from_text("0009"))
    mira = board.add(ai.Unit("Mira", (0, 0), move=1))
    board.add(ai.Unit("Orla", (0, 2), team="red"))
    go = Go((0, 1), (0, 2), (0, 3))
    assert board.act(mira, go).cells == [(0, 0, 0), (0, 1, 0)]
    assert (mira.cell, go.reason) == ((0, 1, 0), "")
    assert board.act(mira, go).reason == Reason("stands_on", unit="Orla", cell=(0, 2))
    assert "climb 9 > 2 at (0, 3)" in board.act(mira, go).reason
    assert board.act(mira, go).reason == go.reason == "has arrived"


class Says(ai.Behavior):
    """Gives the same answer always, and counts questions and seconds."""

    def __init__(self, answer):
        self.answer = answer
        self.n_asked = self.seconds = 0

    def advance(self, dt_s):
        self.seconds += dt_s

    def _choose(self, _situation):
        self.n_asked += 1
        return self.answer


HERE = ai.Situation(ai.Navigation(ground("000\n000")), (0, 0))
EAST, SOUTH = (0, 1), (1, 0)


def test_the_first_with_a_cell_is_followed_and_later_ones_are_not_asked():
    behaviors = [Says("is tired"), Says(EAST), Says(SOUTH)]
    chosen = ai.FirstOf(*behaviors)
    assert chosen.next_cell(HERE) == (0, 1, 0)
    assert chosen.reason == ""
    assert [each.n_asked for each in behaviors] == [1, 1, 0]
    behaviors[0].answer = SOUTH  # and takes over as soon as it can
    assert chosen.next_cell(HERE) == (1, 0, 0)
    assert [each.n_asked for each in behaviors] == [2, 1, 0]


def test_without_a_cell_the_reasons_are_joined_for_programs_and_players():
    far = Reason("is_void", cell=HERE.here)
    chosen = ai.FirstOf(Says(far), ai.FirstOf(Says("is tired"), Says("is {lost}")))
    assert chosen.next_cell(HERE) is None
    assert chosen.reason == "(0, 0) is void; is tired; is {lost}"
    assert ai.plain_reason(chosen.reason, (0, 0)) == "there is no ground there; is tired; is {lost}"
    assert not isinstance(chosen.reason, ai.Stay)


@pytest.mark.parametrize("wrap", [lambda it: it, ai.FirstOf, lambda it: ai.While(lambda: True, it)])
def test_one_that_stays_on_purpose_is_left_in_peace(wrap):
    stay = ai.Stay("holds {cell}", cell=HERE.here)
    chosen = ai.FirstOf(Says("is tired"), wrap(Says(stay)), Says(EAST))
    assert chosen.next_cell(HERE) is None
    assert chosen.reason is stay


@table(
    "behavior",
    ai.Chase(lambda: EAST),
    ai.KeepDistance(lambda: EAST, 1, 2),
    ai.Patrol([HERE.here]),
    ai.Patrol([HERE.here, EAST], wait_s=1),
    ai.Seek(HERE.here, np.random.default_rng(0)),
    ai.Travel(ai.Waypoints(), HERE.here),
)
def test_behaviors_that_are_where_they_want_to_be_stay_on_purpose(behavior):
    assert ai.FirstOf(behavior, Says(SOUTH)).next_cell(HERE) is None
    assert isinstance(behavior.reason, ai.Stay)


OFF, BOTH_OFF = "(9, 9) is not on the map", "(9, 9) or (0, 0) is not on the map"
GONE = [
    *[(make, "there is no target", OFF) for make in (ai.Chase, ai.Intercept)],
    (lambda goal: ai.KeepDistance(goal, 2, 4), "there is no target", BOTH_OFF),
    (lambda goal: ai.Travel(ai.Waypoints(), goal), "there is no goal", OFF),
    (lambda goal: ai.Seek(goal() or (9, 9), np.random.default_rng(0)), OFF, OFF),
]


@pytest.mark.parametrize(("make", "gone", "off"), GONE)
def test_a_goal_that_is_gone_or_off_the_map_is_waited_for(make, gone, off):
    for goal, why in ((None, gone), ((9, 9), off)):
        behavior = make(lambda goal=goal: goal)
        assert behavior.next_cell(HERE) is None
        assert behavior.reason == why


def test_time_passes_for_all_of_them_asked_or_not():
    behaviors = [Says(EAST), Says(SOUTH), Says("is tired")]
    chosen = ai.FirstOf(behaviors[0], ai.While(lambda: False, ai.FirstOf(*behaviors[1:])))
    chosen.advance(0.5)
    chosen.next_cell(HERE)
    chosen.advance(1)
    assert [each.seconds for each in behaviors] == [1.5, 1.5, 1.5]
    assert [each.n_asked for each in behaviors] == [1, 0, 0]


def test_while_asks_before_every_step_and_passes_reasons_on():
    answers = [True, False, 1, None]
    inner = Says(EAST)
    guarded = ai.While(lambda: answers.pop(0), inner)
    assert guarded.next_cell(HERE) == (0, 1, 0)
    assert guarded.next_cell(HERE) is None
    assert guarded.reason.code == "condition_fails"
    inner.answer = "is tired"
    assert guarded.next_cell(HERE) is None
    assert guarded.reason == "is tired"
    assert guarded.next_cell(HERE) is None
    assert inner.n_asked == 2


@tried(120, tilemaps(max_side=6), st.integers(0, 12), st.data())
def test_it_chases_what_is_near_by_true_costs_and_else_patrols(tilemap, max_cost, data):
    profile = ai.MoveProfile()
    start, prey, post = (data.draw(st.sampled_from(cells_of(tilemap))) for _ in range(3))
    chase = ai.Chase(lambda: prey, max_cost=max_cost, replan=ai.Replan(straight_tiles=0))
    behavior = ai.FirstOf(chase, ai.Patrol([post]))
    cell = behavior.next_cell(ai.Situation(ai.Navigation(tilemap), start, profile))
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
        no_path = ai.Navigation(tilemap).find_path(start, post, profile)
        assert behavior.reason == f"{chase.reason}; {no_path.reason}"


RNG = np.random.default_rng(0)
NAVIGATION = ai.Navigation(ground("00"))
NAN = math.nan

LIMITS = [
    (partial(ai.Chase, list), "max_cost", [-1, NAN]),
    (partial(ai.Flee, list), "factor", [0, -1, math.inf, NAN]),
    (partial(ai.FollowTrail, ai.Trail(), RNG), "sight_tiles", [-1]),
    (partial(ai.Intercept, list), "speed_ratio", [0, -1, NAN]),
    (partial(ai.KeepDistance, list, 3), "farthest_tiles", [2]),
    (partial(ai.Patrol, [(0, 0)]), "wait_s", [-1]),
    (partial(ai.Seek, (0, 0), RNG), "max_side_steps", [0]),
    (partial(ai.Seek, (0, 0), RNG), "max_detours", [-1]),
    (ai.Trail, "max_crumbs", [0, -1]),
    (ai.Trail, "spacing_tiles", [-1]),
    (partial(ai.Travel, ai.Waypoints(), (0, 0)), "join_within", [-1, NAN]),
    (ai.Replan, "steps", [0, -1, NAN]),
    (ai.Replan, "seconds straight_tiles", [-1, NAN]),
    (partial(ai.Wander, RNG), "max_turn_deg", [29, 91, NAN]),
    (partial(ai.Motion, [(0, 0, 0)]), "speed_tiles_s step_s", [0, -1, NAN, math.inf]),
    (partial(ai.Unit, "Mira", (0, 0)), "move", [-1, NAN]),
    (partial(ai.Unit, "Mira", (0, 0)), "speed_tiles_s wait", [0, -1, NAN, math.inf]),
    (ai.Weapon, "max_tiles", [-1, 65]),
    (partial(ai.Weapon, max_tiles=2), "min_tiles", [-1, 3]),
    (ai.Weapon, "max_up max_down", [-1, NAN]),
    (ai.Weapon, "tiles_per_level_down tiles_per_level_up", [-1, NAN, math.inf]),
    (ai.Weapon, "arc", [-1]),
    (partial(ai.measure, ai.Waypoints(), NAVIGATION), "max_cost", [-1, NAN]),
    (partial(ai.scatter, NAVIGATION, rng=RNG), "count", [-1]),
    (partial(ai.scatter, NAVIGATION, 1, RNG), "spacing_tiles", [-2]),
]


@pytest.mark.parametrize(("make", "names", "values"), LIMITS)
def test_numbers_out_of_their_limits_are_refused(make, names, values):
    for name in names.split():
        for value in values:
            with pytest.raises(ValueError, match=f"{name} must be .*, got {value}"):
                make(**{name: value})


TARGETS = {
    "Chase": ai.Chase,
    "Intercept": ai.Intercept,
    "Flee": lambda target: ai.Flee([target]),
    "KeepDistance": lambda target: ai.KeepDistance(target, 3, 4),
    "Seek": lambda target: ai.Seek(target, np.random.default_rng(1)),
    "Travel": lambda target: ai.Travel(ai.Waypoints(), target),
}


@pytest.mark.parametrize("make", TARGETS.values(), ids=TARGETS)
def test_a_target_is_a_cell_a_function_or_a_unit_alike(make):
    board = ai.Board(TileMap.from_text("0000000\n0100010\n0000000"))
    prey = board.add(ai.Unit("Prey", (1, 4), "red"))
    hunter = board.add(ai.Unit("Hunter", (1, 2)))
    situation = board.situation(hunter)
    of_cell = pickle.loads(pickle.dumps(make((1, 4))))
    kinds = of_cell, make(lambda: prey.cell), make(prey)
    cells = [behavior.next_cell(situation) for behavior in kinds]
    assert len(set(cells)) == 1
    assert cells[0] is not None


@tried(150, cases())
def test_they_are_those_of_the_rulebook(case):
    tilemap, profile = case.tilemap, case.profile
    navigation = ai.Navigation(tilemap)

    def neighbors(cell):
        return {tuple(end) for end, _ in rulebook.steps_from(tilemap, profile, cell)}

    for cell in cells_to_ask(tilemap):
        ends = [end for end in neighbors(cell) if tuple(cell) in neighbors(end)]
        is_straight = False
        if len(ends) == 2:
            here, *there = (np.array(tilemap.surface_point(each)[:2]) for each in (cell, *ends))
            a, b = there[0] - here, there[1] - here
            is_straight = a @ b < 0 and abs(a[0] * b[1] - a[1] * b[0]) < 1e-6
        assert navigation.is_decision_point(cell, profile) != is_straight


# Situations


@tried(100, cases())
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
    situation = ai.Situation(ai.Navigation(tilemap), start, profile, case.blocked, case.passable)
    assert {tuple(end) for end in situation.steps()} == ends


def test_a_situation_from_before_an_edit_drops_what_is_gone():
    tilemap = ground("000")
    one_edit(tilemap).add_deck((0, 1), 4, "road")
    navigation, taken = ai.Navigation(tilemap), [(0, 1, 1), (0, 2)]
    old = ai.Situation(navigation, (0, 0), blocked=taken, passable=taken, halting=taken)
    tilemap.undo()
    for now in (replace(old, cell=(0, 1)), replace(old.without([(0, 2)]), blocked=old.blocked)):
        assert (0, 1, 1) not in [*now.blocked, *now.passable, *now.halting]
        assert [*now.blocked] == [(0, 2, 0)]
        assert now.steps_from((0, 1)) == {(0, 0, 0): 1}


def test_cells_that_do_not_exist_cannot_be_reached():
    situation = ai.Situation(ai.Navigation(ground("00")), (0, 0, 2), blocked=[(0, 1, 4), (0, 1)])
    assert situation.blocked == ((0, 1, 0),)
    assert situation.steps() == {}
    assert situation.find_path((0, 1)).reason == Reason("ground_gone", cell=(0, 0, 2))
    assert not list(situation.reach(3))
    there = ai.Situation(ai.Navigation(ground("00")), (0, 0))
    assert there.find_path([(5, 5), (0, 1)]).cost == 1
    assert not there.can_stop((0, 1, 1))


def test_others_can_be_left_out():
    small, wide = ai.Navigation(ground("000")), ai.Navigation(ground("000\n000"))
    situation = ai.Situation(small, (0, 0), blocked=[(0, 1)], passable=[(0, 2)])
    assert not situation.find_path((0, 2))
    assert situation.without([(0, 1), (0, 2)]).find_path((0, 2))
    assert situation.is_taken((0, 2))
    large = ai.Situation(wide, (0, 0), ai.MoveProfile(size=2), [(1, 2)])
    assert large.is_taken((0, 1))
    assert not large.is_taken((0, 0))
