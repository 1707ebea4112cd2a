"""Chase and intercept: after a moving target, with few searches, or to where it will be."""

import math
from functools import partial

import numpy as np
import pytest

from ai import Chase, Intercept, MoveProfile, Navigation, Replan, Situation, Wander
from terrain3d import TOPOLOGIES, Reason, TileKind, TileMap
from tests.support.boards import one_edit
from tests.support.reference import ground
from tests.support.selection import table
from tests.support.walks import path_of, recorded_calls

PLANNED, STRAIGHT = Replan(straight_tiles=0), Replan(straight_tiles=9)


def test_far_away_it_takes_the_cheapest_path_and_near_by_it_goes_straight_to_what_it_sees():
    # The swamp is expensive, so the cheapest path leads around it.
    tilemap = ground("00000\n00000\n00000", "ggggg\ngsssg\nggggg")
    planned = path_of(Chase(lambda: (1, 4), replan=PLANNED), tilemap, (1, 0))
    assert not {(1, 1), (1, 2), (1, 3)} & {cell[:2] for cell in planned}
    straight = path_of(Chase(lambda: (1, 4), replan=STRAIGHT), tilemap, (1, 0))
    assert [cell[:2] for cell in straight] == [(1, 0), (1, 1), (1, 2), (1, 3)]


def test_going_straight_it_never_takes_a_step_that_it_could_not_take_back():
    # A pit lies between them, easy to drop into and impossible to leave.
    tilemap = TileMap.from_text("333\n303\n333")
    cells = path_of(Chase(lambda: (1, 2), replan=STRAIGHT), tilemap, (1, 0))
    assert (1, 1, 0) not in cells
    assert cells[-1][:2] in {(0, 2), (2, 2)}


def test_it_does_not_go_back_and_forth_where_sight_comes_and_goes():
    # From the middle of the upper row the hill hides the target, from the lower row it does not.
    tilemap = TileMap.from_text("002020\n200000")
    profile = MoveProfile(max_climb=0, max_drop=2)
    chase = Chase(lambda: (0, 0), replan=STRAIGHT)
    cells = path_of(chase, tilemap, (0, 3), profile=profile, blocked=[(0, 0)])
    assert [cell[:2] for cell in cells] == [(0, 3), (1, 3), (0, 3), (1, 3), (1, 2), (1, 1), (0, 1)]


def hunt(navigation, chase, seed):
    """Let a target wander and a hunter take three steps for each of its two."""
    wander = Wander(np.random.default_rng(seed), 60)
    hunter, prey = (1, 1), (40, 40)
    behavior = chase(lambda: prey)
    n_moves = n_catches = 0
    for step in range(200):
        if step % 3:
            prey = wander.next_cell(Situation(navigation, prey)) or prey
        behavior.advance(0.25)
        cell = behavior.next_cell(Situation(navigation, hunter, blocked=[prey]))
        n_moves += cell is not None
        n_catches += behavior.reason.startswith("has caught up")
        hunter = cell or hunter
    return n_moves, n_catches


def test_it_catches_as_much_with_a_fraction_of_the_searches(monkeypatch):
    navigation = Navigation(TileMap.from_noise(64, 64, seed=5))
    searches, results = recorded_calls(monkeypatch, "find_path"), []
    always = Replan(steps=1, straight_tiles=0)
    for chase in (lambda target: Chase(target, replan=always), Chase):
        searches.clear()
        moves, catches = np.sum([hunt(navigation, chase, seed) for seed in range(4)], axis=0)
        results.append((moves, catches, len(searches)))
    (_, often, all_searches), (moves, caught, n_searches) = results
    assert n_searches * 7 < min(moves, all_searches)
    assert caught > 0.9 * often > 20


def test_it_plans_again_when_the_path_is_blocked_or_left_or_the_map_has_changed(monkeypatch):
    searches = recorded_calls(monkeypatch, "find_path")
    tilemap = ground("0000000000\n0000000000")
    navigation = Navigation(tilemap)
    behavior = Chase(lambda: (0, 9), replan=PLANNED)

    def ask(cell, **others):
        searches.clear()
        behavior.next_cell(Situation(navigation, cell, **others))
        return len(searches)

    assert ask((0, 0)) == 1
    assert ask((0, 1)) == 0
    assert ask((0, 1), blocked=[(0, 2)]) == 1
    behavior.advance(9)
    assert ask((1, 1)) == 0  # the target has not moved
    assert ask((0, 5)) == 1  # it was carried off its path
    one_edit(tilemap).set_level((1, 0), 1)
    assert ask((0, 5)) == 1


@table(
    "replan cols",
    (Replan(steps=1, straight_tiles=0), [*range(10)]),
    (Replan(steps=3, straight_tiles=0), [0, 3, 6, 9]),
    (Replan(math.inf, seconds=2, straight_tiles=0), [0, 4, 8]),
    (Replan(steps=3, seconds=2, straight_tiles=0), [0, 3, 6, 9]),
    (Replan(math.inf, at_decision_points=True, straight_tiles=0), [0, 5]),
    (Replan(math.inf, straight_tiles=0), [0]),
)
def test_for_a_target_that_moves_it_plans_again_on_the_given_occasions(monkeypatch, replan, cols):
    searches = recorded_calls(monkeypatch, "find_path")
    tilemap = ground("0" * 30 + "\n#####0" + "#" * 24)  # a junction
    navigation, cell = Navigation(tilemap), (0, 0)
    behavior = Chase(lambda: (0, 15 + cell[1]), replan=replan)
    for _ in range(10):
        cell = behavior.next_cell(Situation(navigation, cell))
        behavior.advance(0.5)
    assert [start.col for start, *_ in searches] == cols


@pytest.mark.parametrize("replan", [Replan(), Replan(math.inf, seconds=2.5)])
def test_without_a_path_it_tries_again_on_the_same_occasions(monkeypatch, replan):
    searches = recorded_calls(monkeypatch, "find_path")
    goal, tilemap = [(0, 3)], ground("00#00")
    behavior = Chase(lambda: goal[0], replan=replan)
    situation = Situation(Navigation(tilemap), (0, 1))
    for _ in range(8):
        assert behavior.next_cell(situation) is None
        behavior.advance(0.5)
    assert behavior.reason == Reason("is_void", cell=(0, 2))
    assert len(searches) == 2
    goal[0] = (0, 4)  # it has moved
    behavior.next_cell(situation)
    assert len(searches) == 3
    one_edit(tilemap).set_kind((0, 2), "grass")
    assert behavior.next_cell(situation) == (0, 2, 0)


def test_shut_in_it_tries_again_at_each_step_with_decision_points():
    navigation = Navigation(ground("000000"))
    replan = Replan(math.inf, at_decision_points=True)
    behavior = Chase(lambda: (0, 5), replan=replan)
    for _ in range(3):
        assert behavior.next_cell(Situation(navigation, (0, 1), blocked=[(0, 2)])) is None
    assert behavior.next_cell(Situation(navigation, (0, 1))) == (0, 2, 0)


def test_what_is_too_far_is_left_alone():
    behavior = Chase(lambda: (0, 9), max_cost=5)
    assert behavior.next_cell(Situation(Navigation(ground("0" * 10)), (0, 0))) is None
    assert behavior.reason == Reason("over_budget", goal=(0, 9), budget=5)


def test_where_only_the_targets_own_cell_is_left_to_stop_on_it_stays():
    bog = TileKind("bog", can_stop=False)
    tilemap = TileMap([[0, 0, 0, 0]], [[0, 0, 1, 0]], [TileKind("grass"), bog])
    behavior = Chase(lambda: (0, 3))
    cells = path_of(behavior, tilemap, (0, 0), blocked=[(0, 3)])
    assert [cell.col for cell in cells] == [0, 1]
    assert behavior.reason == Reason("as_near_as_can", goal=(0, 3))


FIELD = "\n".join(["0" * 12] * 7)


def play(line, here, behavior_of=Intercept, tilemap=None, n_steps=20, **options):
    """Move a target along a line, a cell at a time, with a mover after it."""
    navigation, moment = Navigation(tilemap or ground(FIELD)), 0
    behavior = behavior_of(lambda: line[min(moment, len(line) - 1)])
    for moment in range(n_steps):  # noqa: B007 - the target looks at it
        here = behavior.next_cell(Situation(navigation, here, **options)) or here
        if behavior.reason.startswith("has caught up"):
            break
    return behavior, moment


def test_it_goes_to_where_the_target_will_be():
    line = [(0, col) for col in range(12)]
    assert play(line, (5, 8), n_steps=3)[0].meeting == (0, 7, 0)  # to no cell before it comes first
    behavior, moment = play(line, (5, 8))
    assert behavior.reason.code == "caught_up"
    assert moment <= 7


def test_while_the_target_keeps_to_its_line_nothing_is_searched_again(monkeypatch):
    searches = recorded_calls(monkeypatch, "find_path")
    line, counts = [(0, col) for col in range(12)], []
    for n_steps in (3, 6):
        searches.clear()
        behavior, moment = play(line, (6, 9), n_steps=n_steps)
        counts.append(len(searches))
    assert behavior.meeting is not None
    assert moment == 5
    assert counts[0] == counts[1]


def test_a_mover_that_is_too_slow_chases():
    line = [(0, col) for col in range(12)]
    slow = partial(Intercept, speed_ratio=0.1)
    assert play(line, (6, 0), slow, n_steps=4)[0].meeting is None


def test_the_line_ends_where_the_ground_ends_it():
    # The target comes to a cliff at the end of its row.
    tilemap, line = ground("000000\n000009\n000000"), [(1, 2), (1, 3)]
    walker, climber = MoveProfile(), MoveProfile(max_climb=9, max_drop=9)
    for profile, prey, length in ((walker, None, 2), (climber, None, 3), (climber, walker, 2)):
        cut = partial(Intercept, prey=prey)
        behavior, _ = play(line, (2, 5), cut, tilemap, n_steps=2, profile=profile)
        assert len(behavior.line) == length


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("direction", range(6))
def test_straight_lines_are_followed_on_every_grid(topology, direction):
    tilemap = TileMap([[0] * 12] * 12, topology=topology)
    directions = tilemap.grid.directions[0]
    line = [(6, 6)]
    for _ in range(4):
        row, col = line[-1]
        down, right = tilemap.grid.steps_from(row, col)[direction % len(directions)]
        line.append((row + down, col + right))
    behavior, _ = play(line, (0, 0), tilemap=tilemap, n_steps=2)
    assert [cell[:2] for cell in behavior.line[:4]] == line[1:]
