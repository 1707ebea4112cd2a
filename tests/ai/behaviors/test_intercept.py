"""Intercept: go to where a target will be, and chase where that is unknown."""

import math

import pytest

from ai import Intercept, MoveProfile, Navigation, Situation
from terrain3d import TileMap
from terrain3d.grid.hexgrid import TOPOLOGIES
from tests.support.reference import ground
from tests.support.walks import recorded_calls

FIELD = "\n".join(["0" * 12] * 7)


def play(tilemap, line, start, behavior_of, n_steps=20, **options):
    """Move a target along a line, a cell at a time, with a mover after it."""
    navigation, here, moment = Navigation(tilemap), start, 0
    behavior = behavior_of(lambda: line[min(moment, len(line) - 1)])
    walked = [start]
    for moment in range(n_steps):  # noqa: B007 - the target looks at it
        cell = behavior.next_cell(Situation(navigation, here, **options))
        if behavior.reason.startswith("has caught up"):
            break
        here = cell[:2] if cell else here
        walked.append(here)
    return behavior, walked, moment


def test_it_goes_to_where_the_target_will_be():
    line = [(0, col) for col in range(12)]
    behavior, _, moment = play(ground(FIELD), line, (5, 8), Intercept, n_steps=3)
    assert behavior.meeting == (0, 7, 0)  # to no cell before it comes first
    behavior, _, moment = play(ground(FIELD), line, (5, 8), Intercept)
    assert behavior.reason.startswith("has caught up")
    assert moment <= 7


def test_while_the_target_keeps_to_its_line_nothing_is_searched_again(monkeypatch):
    searches = recorded_calls(monkeypatch, "find_path")
    line = [(0, col) for col in range(12)]
    play(ground(FIELD), line, (6, 9), Intercept, n_steps=3)
    before = len(searches)
    play_on = recorded_calls(monkeypatch, "find_path")
    behavior, _, moment = play(ground(FIELD), line, (6, 9), Intercept, n_steps=6)
    assert behavior.meeting is not None
    assert moment == 5
    assert len(play_on) == before


def test_a_mover_that_is_too_slow_chases():
    line = [(0, col) for col in range(12)]
    behavior, _, _ = play(
        ground(FIELD), line, (6, 0), lambda t: Intercept(t, speed_ratio=0.1), n_steps=4
    )
    assert behavior.meeting is None


def test_the_line_ends_where_the_ground_ends_it():
    levels = "000000\n000009\n000000"
    # The target comes to a cliff at the end of its row; it is met before.
    line = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4)]
    behavior, walked, _ = play(ground(levels), line, (0, 5), Intercept)
    assert behavior.reason.startswith("has caught up")
    assert (1, 5) not in walked
    climber = MoveProfile(max_climb=9, max_drop=9)
    seen = []
    for prey in (MoveProfile(), climber):
        behavior, _, _ = play(
            ground(levels),
            [(1, 2), (1, 3)],
            (2, 5),
            lambda t, prey=prey: Intercept(t, prey=prey, speed_ratio=9),
            n_steps=2,
            profile=climber,
        )
        seen.append(behavior.line)
    assert [len(line) for line in seen] == [2, 3]


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
    behavior, _, _ = play(tilemap, line, (0, 0), Intercept, n_steps=2)
    assert [cell[:2] for cell in behavior.line[:4]] == line[1:]


def test_bad_numbers_are_refused():
    with pytest.raises(ValueError, match="look_ahead must be >= 1"):
        Intercept(lambda: None, look_ahead=0)
    for ratio in (0, -1, math.nan):
        with pytest.raises(ValueError, match="speed_ratio must be"):
            Intercept(lambda: None, speed_ratio=ratio)
