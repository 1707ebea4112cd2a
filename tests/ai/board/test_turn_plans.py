"""Plans over turns: the cheapest path, cut where the points end."""

import re
from contextlib import suppress

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given

from ai import Board, MoveProfile, MoveRefused, Unit
from tests.support import rulebook
from tests.support.boards import random_units
from tests.support.reference import ground, thoroughly
from tests.support.strategies import profiles
from tests.support.strategies import tilemaps as mixed_maps
from tests.support.turns_reference import SLACK, Referee

MOVES = st.sampled_from([0, 1, 2, 3, 4.5, 6])


@thoroughly(60)
@given(st.data())
def test_a_plan_is_the_cheapest_path_cut_where_the_points_end(data):
    tilemap = data.draw(mixed_maps(max_side=4))
    cells = rulebook.whereabouts(tilemap, MoveProfile())
    assume(cells)
    board = Board(tilemap, data.draw(st.sampled_from(["sides", "wait"])))
    movers = profiles(tilemap.topology)
    for number in range(data.draw(st.integers(1, 5))):
        with suppress(ValueError):  # it cannot stand there
            board.add(data.draw(random_units(f"unit {number}", cells, movers, MOVES)))
    assume(board.units)
    unit = data.draw(st.sampled_from(board.turn.units))
    points = min(unit.move, data.draw(st.sampled_from([6, 0, 0.5, 2])))
    if points < unit.move:
        with board.action("tire") as action:
            action.spend(unit, unit.points - points)
    referee = Referee(board, unit)
    for goal in data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=4, unique=True)):
        plan, path = board.plan(unit, goal, partial=True), board.find_path(unit, goal)
        assert (plan.path.cells, plan.path.cost) == (path.cells, path.cost)
        if not path or len(path) == 1:
            assert plan.reason == path.reason
            continue
        assert plan.turn_ends == referee.turn_ends(path.cells, points, unit.move)
        end = max(plan.turn_ends[:1], default=0)
        assert plan.cells == (path.cells[: end + 1] if end else [])
        dear = [step for step in path.steps if step.cost > unit.move * (1 + SLACK)]
        if len(plan) < len(path):
            assert plan.reason.code == ("expensive_step" if dear else "too_expensive")


@pytest.mark.parametrize("turns", [None, "sides"])
def test_a_step_that_no_turn_has_the_points_for_is_the_reason(turns):
    board = Board(ground("0030", "gggg"), turns)
    unit = board.add(Unit("Mira", (0, 0), profile=MoveProfile(max_climb=3), move=2))
    reason = "the step to (0, 2) costs 4 move points, but Mira never has more than 2"
    plan = board.plan(unit, (0, 3), partial=True)
    assert (plan.cells[-1], plan.turn_ends, plan.reason) == ((0, 1, 0), (1,), reason)
    assert plan.reason.cells == ((0, 2, 0),)
    board.move(plan)
    for partial in (False, True):
        assert board.plan(unit, (0, 3), partial=partial).reason == reason
    with pytest.raises(MoveRefused, match=re.escape(reason)):
        board.move_together({unit: [(0, 1), (0, 2)]})
