"""Autonomous units on a board."""

import math

import numpy as np
import pytest

from ai import Autopilot, Behavior, Board, Chase, MoveProfile, Patrol, Unit, Wander
from ai.game.autopilot import REST_S
from terrain3d import TileMap
from tests.support.boards import board_of, pass_time


def wander():
    return Wander(np.random.default_rng(1))


def test_a_turn_ends_though_a_unit_has_endless_points():
    board = Board(TileMap.from_text("000\n000"), turns="sides")
    board.add(Unit("blue", (0, 0)))
    red = board.add(Unit("red", (1, 2), "red", move=math.inf))
    autopilot = Autopilot(board)
    autopilot.assign(red, wander())
    board.end_turn()
    pass_time(board, autopilot, 100, 1.0)
    assert (board.turn.team, board.turn.number) == ("blue", 2)


def test_a_unit_that_stayed_acts_when_it_is_assigned_another_behavior_in_its_turn():
    board = Board(TileMap.from_text("00000"), turns="sides")
    blue = board.add(Unit("blue", (0, 0), move=3))
    board.add(Unit("waiting for orders", (0, 4)))  # or the turn would end
    autopilot = Autopilot(board)
    autopilot.assign(blue, Chase(lambda: None))  # there is no enemy
    autopilot.advance(1.0)
    assert autopilot.reason_of(blue)
    autopilot.assign(blue, wander())
    autopilot.advance(1.0)
    assert blue.cell != (0, 0, 0)


def test_a_unit_that_stays_is_asked_again_only_after_a_rest():
    board, units = board_of(TileMap.from_text("0"), WOLF=(0, 0))
    autopilot, results, asked = Autopilot(board), [], []
    autopilot.assign(units["WOLF"], Chase(lambda: asked.append(1)))
    autopilot.changed.connect(results.append)
    for _ in range(10):
        autopilot.advance(REST_S / 5)
    assert len(asked) == 2
    assert results == [units["WOLF"]]
    assert autopilot.reason_of(units["WOLF"]) == "there is no target"


def test_a_removed_unit_has_no_behavior_any_more():
    board, units = board_of(TileMap.from_text("000"), WOLF=(0, 0), mira=(0, 2))
    autopilot = Autopilot(board)
    autopilot.assign(units["WOLF"], wander())
    board.remove(units["WOLF"])
    assert autopilot.behavior_of(units["WOLF"]) is None
    pass_time(board, autopilot, 2)
    with pytest.raises(ValueError, match="WOLF is not on this board"):
        autopilot.assign(units["WOLF"], wander())
    board.undo()
    pass_time(board, autopilot, 2)
    assert units["WOLF"].cell == (0, 0, 0)  # it waits for orders


class Climb(Behavior):
    def _choose(self, situation):
        level_at = situation.navigation.tilemap.level_at
        higher = [cell for cell in situation.steps() if level_at(cell) > level_at(situation.here)]
        return higher[0] if higher else "is on top"


def test_a_unit_moves_by_its_behavior_until_that_stays_and_says_why():
    board, units = board_of(TileMap.from_text("012"), goat=(0, 0))
    goat, autopilot, climb = units["goat"], Autopilot(board), Climb()
    autopilot.assign(goat, climb)
    assert autopilot.behavior_of(goat) is climb
    pass_time(board, autopilot, 4)
    assert (goat.cell, autopilot.reason_of(goat)) == ((0, 2, 0), "is on top")
    autopilot.assign(goat, None)
    assert (autopilot.behavior_of(goat), autopilot.reason_of(goat)) == (None, "")


def test_nobody_acts_during_a_stroke_of_the_map_and_all_act_again_after_an_undo():
    board = Board(TileMap.from_text("012345678"), turns="sides")
    goat = board.add(Unit("goat", (0, 0), move=5))
    board.add(Unit("waiting for orders", (0, 8)))  # or the turn would end
    board.clear_history()
    autopilot = Autopilot(board)
    autopilot.assign(goat, Climb())
    board.tilemap.begin_stroke("hill")
    pass_time(board, autopilot, 4)
    assert goat.cell == (0, 0, 0)
    board.tilemap.end_stroke()
    for _ in range(2):
        board.move("waiting for orders", (0, 7))
        pass_time(board, autopilot, 9)
        assert goat.cell == (0, 2, 0)  # each step up costs 2 of 5 points
        board.undo()


def test_one_behavior_object_moves_one_unit():
    board, units = board_of(TileMap.from_text("000"), a=(0, 0), b=(0, 2))
    autopilot, climb = Autopilot(board), Climb()
    autopilot.assign(units["a"], climb)
    with pytest.raises(ValueError, match="this Climb moves a; each unit needs its own"):
        autopilot.assign(units["b"], climb)
    autopilot.assign(units["a"], climb)
    autopilot.assign(units["a"], None)
    autopilot.assign(units["b"], climb)


def test_a_unit_whose_next_step_is_refused_says_why():
    board = Board(TileMap.from_text("03\n03"))
    climber = board.add(Unit("climber", (0, 0), profile=MoveProfile(max_climb=3, climb_cost=9)))
    autopilot = Autopilot(board)
    autopilot.assign(climber, Patrol([(0, 0), (0, 1)]))
    pass_time(board, autopilot, 1)
    why = "the step to (0, 1) costs 28 move points, but climber never has more than 5"
    assert autopilot.reason_of(climber) == why
