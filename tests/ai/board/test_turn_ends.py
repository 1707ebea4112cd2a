"""Where the turns of a long walk end: within the points, on cells to stop on, as when played."""

import math

import numpy as np
import pytest

from ai import Board, Commander, MoveProfile, Unit
from ai.board.turns import turn_ends
from terrain3d import TileMap
from tests.support.boards import posted
from tests.support.reference import ground


def ends_of(picture, name, goal, points, move, levels=None, **more):
    board, units = posted(picture, levels, **more)
    path = board.find_path(units[name], goal)
    return turn_ends(path, points, move, board.situation(units[name]).can_stop)


@pytest.mark.parametrize(
    ("points", "move", "ends"),
    [
        (7, 7, (7,)),
        (9, 4, (7,)),
        (3, 3, (3, 6, 7)),
        (1, 3, (1, 4, 7)),
        (0, 5, (0, 5, 7)),
        (0.5, 2.5, (0, 2, 4, 6, 7)),
        (math.inf, math.inf, (7,)),
        (0, 0, ()),
    ],
)
def test_each_turn_goes_as_far_as_its_points_last(points, move, ends):
    assert ends_of("a.......", "a", (0, 7), points, move) == ends


def test_no_turn_ends_on_an_ally():
    assert ends_of("a..b....", "a", (0, 7), 3, 3) == (2, 5, 7)


def test_no_turn_ends_where_a_mover_may_pass_but_not_stop():
    tilemap = ground("000000", "gggsgg")
    board = Board(tilemap)
    unit = board.add(Unit("a", (0, 0), profile=MoveProfile(no_stop={"swamp"}), move=5))
    path = board.find_path(unit, (0, 5))
    # Costs 1, 1, 3, 1, 1: five points would end on the swamp.
    assert turn_ends(path, 5, 5, board.situation(unit).can_stop) == (2, 5)


def test_turns_end_before_a_step_for_which_no_turn_has_the_points():
    assert ends_of("a....", "a", (0, 4), 2, 2, "00020") == (2,)
    assert ends_of("a....", "a", (0, 4), 2, 2, "02000") == ()


def test_without_a_path_or_a_step_no_turn_ends():
    assert ends_of("a....", "a", (0, 4), 2, 2, "00090") == ()
    assert ends_of("a....", "a", (0, 0), 2, 2) == ()


def random_board(seed):
    rng = np.random.default_rng(seed)
    levels, kinds = rng.integers(0, 4, (7, 7)), rng.choice([1, 2, 3], (7, 7))
    plain = TileMap.from_text("0")
    names = [kind.name for kind in plain.kinds]
    chosen = np.array([names.index(name) for name in ("grass", "swamp", "road")])
    board = Board(TileMap(levels, chosen[kinds - 1], plain.kinds))
    cells = rng.permutation([(row, col) for row in range(7) for col in range(7)])
    profile = MoveProfile(
        climb_cost=float(rng.choice([1, 0.3, 2])), no_stop={"road"} if seed % 2 else ()
    )
    for name, team, cell in zip("abCD", ("blue", "blue", "red", "red"), cells, strict=False):
        move, points = float(rng.integers(0, 9)), {"has_zoc": team == "red"}
        try:
            board.add(Unit(name, cell, team, profile, move=move, **points))
        except ValueError:  # it may not stop there
            continue
    return board, rng


@pytest.mark.parametrize("seed", range(40))
def test_orders_to_one_aim_turn_by_turn_end_where_the_marks_are(seed):
    board, rng = random_board(seed)
    commander = Commander(board)
    if not board.units:
        return
    unit = board.units[0]
    commander.select(unit)
    commander.aim_at(rng.integers(0, 7, 2).tolist())
    plan = commander.plan
    if plan is None:
        return
    marks = turn_ends(plan.path, unit.points, unit.move, board.situation(unit).can_stop)
    assert plan.turn_ends == marks[:1]  # on a board without turns
    for number, end in enumerate(marks):
        goal, before = plan.path.cells[end], unit.cell
        now = commander.plan
        if number == 0:
            assert now.cells == plan.path.cells[: end + 1]
        assert now.cost <= unit.move
        assert board.situation(unit).can_stop(goal)
        commander.act_on(plan.cell)
        assert unit.cell == goal != before
        unit.advance(1000.0)
    arrived = unit.cell == plan.cell
    assert arrived == bool(marks and marks[-1] == len(plan.path) - 1)
    if not arrived:
        before = unit.cell
        commander.act_on(plan.cell)
        assert unit.cell == before


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_on_a_board_with_turns_the_marks_begin_with_the_points_left(turns):
    board = Board(TileMap.from_text("0" * 12), turns=turns)
    unit = board.add(Unit("a", (0, 0), move=4))
    commander = Commander(board)
    commander.select(unit)
    commander.act_on((0, 1))
    unit.advance(1000.0)
    commander.aim_at((0, 11))
    plan = commander.plan
    assert (plan.cost, plan.turn_ends) == (3, (3, 7, 10))
    for end in plan.turn_ends:
        commander.act_on(plan.cell)
        unit.advance(1000.0)
        assert (unit.cell, unit.points >= 0) == (plan.path.cells[end], True)
        if unit.cell != plan.cell:
            assert (unit.points, bool(commander.plan)) == (0, False)
            board.end_turn()
