"""Plans over turns have the fewest turns, then the least cost, by brute force."""

import pickle
from contextlib import suppress

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given

from ai import Board, GameRecord, MoveProfile, MoveRefused, Unit
from ai.game.squad_orders import SquadOrders
from terrain3d import TileKind, TileMap
from tests.support import rulebook
from tests.support.boards import random_units
from tests.support.reference import ground, thoroughly
from tests.support.strategies import profiles
from tests.support.strategies import tilemaps as mixed_maps
from tests.support.turns_reference import Referee

MOVES = st.sampled_from([0, 1, 2, 3, 4.5, 6])


def test_points_that_a_turn_loses_make_a_dear_path_the_better_one():
    kinds = [TileKind(f"of {cost}", cost=cost) for cost in (1, 2, 3, 4)]
    board = Board(TileMap(np.zeros((2, 4), int), [[0, 3, 3, 3], [2, 1, 1, 1]], kinds), "sides")
    unit = board.add(Unit("Mira", (0, 0), move=7))
    plan = board.plan(unit, (0, 3), partial=True)
    assert board.find_path(unit, (0, 3)).cost == 12
    assert (plan.path.cost, plan.turn_ends, plan.cells) == (13, (3, 5), plan.path.cells[:4])
    board.change_turns(None)
    assert board.plan(unit, (0, 3), partial=True).path.cost == 12


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


def test_with_any_points_left_one_more_step_is_allowed():
    board = Board(ground("00000000", "gsssgisg"), turns="sides", always_one_step=True)
    unit = board.add(Unit("Mira", (0, 0), move=4))
    reach = board.reach(unit)
    assert {cell.col: reach.cost_to(cell) for cell in reach} == {0: 0, 1: 3, 2: 6}
    assert unit in board.threat("red").by((0, 2))
    plan = board.plan(unit, (0, 6), partial=True)
    assert (plan.cost, plan.turn_ends, plan.path.cost) == (6, (2, 5, 6), 13)
    board.move(unit, (0, 2))
    assert (unit.points, board.reach(unit).cells) == (0, [(0, 2, 0)])
    assert not board.plan(unit, (0, 3))
    board.end_turn()
    board.move_together({unit: [(0, col) for col in (2, 3, 4, 5)]})
    assert (unit.cell[:2], unit.points) == ((0, 5), 0)
    with pytest.raises(MoveRefused, match="costs 3 move points, but Mira has 0"):
        board.move_together({unit: [(0, 5), (0, 6)]})


def test_points_that_are_left_by_rounding_alone_allow_no_step():
    board = Board(ground("0000", "ggsg"), turns="sides", always_one_step=True)
    profile = MoveProfile(kind_cost={"grass": 0.1, "swamp": 0.3})
    unit = board.add(Unit("Mira", (0, 0), profile=profile, move=0.1 + 0.3 + 1e-17))
    board.move(unit, (0, 1))
    board.move(unit, (0, 2))
    assert (unit.points, board.reach(unit).cells) == (0, [(0, 2, 0)])


def test_one_step_more_is_part_of_record_digest_and_copies(tmp_path):
    board = Board(ground("000", "gss"), turns="sides", always_one_step=True)
    unit = board.add(Unit("Mira", (0, 0), move=1))
    other = Board(ground("000", "gss"), turns="sides")
    other.add(Unit("Mira", (0, 0), move=1))
    assert board.digest() != other.digest()
    board.move(unit, (0, 1))
    GameRecord.of(board).save(tmp_path / "game.tmap")
    loaded = GameRecord.load(tmp_path / "game.tmap")
    assert loaded.always_one_step
    for same in (board.copy(), pickle.loads(pickle.dumps(board)), loaded.replay()):
        assert (same.digest(), same.always_one_step) == (board.digest(), True)
        same.end_turn()
        same.move(same.units[0], (0, 2))
    with pytest.raises(TypeError, match="always_one_step must be True or False"):
        Board(ground("0"), always_one_step=1)


def test_a_squad_takes_one_more_step():
    board = Board(ground("00000\n00000", "gssgg\ngssgg"), turns="sides", always_one_step=True)
    units = [board.add(Unit(name, (row, 0), move=4)) for row, name in enumerate("ab")]
    order = SquadOrders(board).plan(units, (0, 4))
    assert {unit: path[-1].col for unit, path in order.paths.items()} == dict.fromkeys(units, 2)
    board.move_together(order.paths)
    assert [unit.points for unit in units] == [0, 0]


@thoroughly(40)
@given(st.data())
def test_plans_with_one_more_step_are_those_of_brute_force(data):
    board, unit, points = data.draw(positions(always_one_step=True))
    referee = Referee(board, unit, always_one_step=True)
    reach = board.reach(unit)
    for goal in rulebook.whereabouts(board.tilemap, unit.profile):
        if goal == unit.cell or not referee.can_stop(goal):
            assert (goal in reach) == (goal == unit.cell)
            continue
        best = referee.fewest_turns(goal, points, unit.move)
        is_reached = best is not None and best[0] == 1
        assert (goal in reach) == is_reached, goal
        if is_reached:
            path = reach.path_to(goal)
            found = referee.price_plan(path.cells, [len(path) - 1], points, unit.move)
            assert found == pytest.approx(best)
            assert reach.cost_to(goal) == pytest.approx(best[1])
        elif best is not None:
            plan = board.plan(unit, goal, partial=True)
            found = referee.price_plan(plan.path.cells, plan.turn_ends, points, unit.move)
            assert found == pytest.approx(best)
