"""Plans over turns have the fewest turns, then the least cost, by brute force."""

from contextlib import suppress

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given

from ai import Board, MoveProfile, Unit
from ai.testing.strategies import profiles
from ai.testing.strategies import tilemaps as mixed_maps
from terrain3d import TileKind, TileMap
from tests.support import rulebook
from tests.support.boards import random_units
from tests.support.reference import ground, thoroughly
from tests.support.turns_reference import Referee

MOVES = st.sampled_from([0, 1, 2, 3, 4.5, 6])


def test_points_that_a_turn_loses_make_a_dear_path_the_better_one():
    kinds = [TileKind(f"of {cost}", cost=cost) for cost in (1, 2, 3, 4)]
    board = Board(TileMap(np.zeros((2, 4), int), [[0, 3, 3, 3], [2, 1, 1, 1]], kinds), "sides")
    unit = board.add(Unit("Mira", (0, 0), move=7))
    plan = board.plan(unit, (0, 3), partial=True)
    assert board.find_path(unit, (0, 3)).cost == 12
    assert (plan.path.cost, plan.turn_ends, plan.cells) == (13, (3, 5), plan.path.cells[:4])


def test_a_plan_stops_in_a_zone_of_control_and_goes_on_in_the_next_turn():
    board = Board(TileMap.from_text("0000000\n###0###"), turns="sides")
    mira = board.add(Unit("Mira", (0, 0), move=4))
    board.add(Unit("Foe", (1, 3), "red", has_zoc=True))
    plan = board.plan(mira, (0, 6), partial=True)
    assert (plan.cost, plan.turn_ends) == (3, (3, 6))
    assert str(plan.reason) == "Foe's zone of control ends the path at (0, 3)"
    assert not board.plan(mira, (0, 6))
    board.move(plan)
    assert mira.points == 0
    board.end_turn()
    board.end_turn()
    board.move(mira, (0, 6))
    assert mira.cell[:2] == (0, 6)


def test_a_turn_that_begins_in_a_zone_is_not_replaced_by_a_cheaper_one_that_ends_there():
    board = Board(ground("101\n010\n111\n111", "iss\niii\ngis\nrgs"), turns="sides")
    unit = board.add(Unit("Mira", (2, 2), profile=MoveProfile(climb_cost=1), move=1))
    for cell in ((2, 0), (3, 0)):
        board.add(Unit(f"foe on {cell}", cell, "red", has_zoc=True))
    # By (2, 1), a zone, it costs 1 and takes three turns; by (1, 2) it costs 2.
    plan = board.plan(unit, (0, 0), partial=True)
    assert (plan.path.cost, len(plan.turn_ends)) == (2, 2)


@st.composite
def positions(draw, **more):
    """Draw a board with turns, a unit that acts, and the points that it has left."""
    tilemap = draw(mixed_maps(max_side=4))
    cells = rulebook.whereabouts(tilemap, MoveProfile())
    assume(cells)
    board = Board(tilemap, draw(st.sampled_from(["sides", "wait"])), **more)
    movers = profiles(tilemap.topology)
    for number in range(draw(st.integers(1, 5))):
        with suppress(ValueError):  # it cannot stand there
            board.add(draw(random_units(f"unit {number}", cells, movers, MOVES)))
    assume(board.units)
    unit = draw(st.sampled_from(board.turn.units))
    points = min(unit.move, draw(st.sampled_from([6, 0, 0.5, 2])))
    if points < unit.move:
        unit.allot(points, unit.waiting)
    return board, unit, points


@thoroughly(40)
@given(st.data())
def test_plans_are_those_of_brute_force(data):
    board, unit, points = data.draw(positions())
    referee = Referee(board, unit)
    goals = rulebook.whereabouts(board.tilemap, unit.profile)
    goals = [cell for cell in goals if cell != unit.cell and referee.can_stop(cell)]
    assume(goals)
    for goal in data.draw(st.lists(st.sampled_from(goals), min_size=1, max_size=4, unique=True)):
        plan = board.plan(unit, goal, partial=True)
        best = referee.fewest_turns(goal, points, unit.move)
        arrives = bool(plan.turn_ends) and plan.turn_ends[-1] == len(plan.path) - 1
        assert arrives == (best is not None), goal
        if best is not None:
            found = referee.price_plan(plan.path.cells, plan.turn_ends, points, unit.move)
            assert found == pytest.approx(best), goal
            assert plan.path.cost == pytest.approx(best[1])
            first = plan.path.cells[: plan.turn_ends[0] + 1]
            assert plan.cells == (first if len(first) > 1 else [])
