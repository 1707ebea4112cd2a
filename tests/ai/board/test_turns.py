"""Whose turn it is, where turns and paths end, zones of control and allies."""

import re
from contextlib import suppress

import hypothesis.strategies as st
import pytest
from hypothesis import assume

from ai import Board, MoveProfile, MoveRefused, Unit
from terrain3d import TileMap
from tests.support import reference, rulebook
from tests.support.boards import FIELD, one_action, posted, random_boards, random_units
from tests.support.selection import table
from tests.support.strategies import profiles as mixed_profiles
from tests.support.strategies import tilemaps as mixed_maps
from tests.support.turns_reference import SLACK, Referee


def sides():
    """Return a board on which blue acts, with two blue units and a red one."""
    board = Board(reference.ground(FIELD), turns="sides")
    entries = ("Mira", (0, 0), "blue"), ("Odo", (2, 4), "red"), ("Pell", (2, 0), "blue")
    return board, *[board.add(Unit(*each, move=4)) for each in entries]


def test_a_unit_out_of_turn_is_shown_its_path_and_not_sent():
    board, _, odo, _ = sides()
    plan = board.plan(odo, (2, 2), partial=True)
    assert (plan.path.cost, plan.turn_ends, bool(plan)) == (2, (2,), False)
    with pytest.raises(MoveRefused, match="Odo cannot go there: it is blue's turn"):
        board.move(plan)
    with pytest.raises(MoveRefused, match="Odo cannot turn: it is blue's turn"):
        board.face(odo, (0, 0))


def test_the_next_units_are_those_with_the_least_waiting_times():
    board = Board(reference.ground(FIELD), turns="wait")
    for name, row, wait in (("Mira", 0, 10), ("Odo", 1, 6), ("Pell", 2, 6)):
        board.add(Unit(name, (row, 0), wait=wait))
    with pytest.raises(MoveRefused, match="it is Odo's turn"):
        board.move("Mira", (0, 1))
    board.move("Odo", (1, 1))
    # Odo's next turn is at 6 + 6 + 1 for the point it spent; ties by the order on the board.
    order = ["Odo", "Pell", "Mira", "Pell", "Odo", "Pell"]
    assert [unit.name for unit in board.next_units(6)] == order


def test_a_board_without_turns_has_none():
    board = Board(reference.ground(FIELD))
    unit = board.add(Unit("Mira", (0, 0), move=4))
    board.move(unit, (0, 3))
    assert (board.turn, unit.points) == (None, 4)
    with pytest.raises(ValueError, match=re.escape('Board(tilemap, turns="sides")')):
        board.end_turn()


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_a_turn_begins_when_the_unit_that_had_it_leaves(turns):
    board = Board(reference.ground("0000"), turns=turns)
    blue = [board.add(Unit(f"blue {col}", (0, col), "blue", move=3)) for col in (0, 1)]
    red = board.add(Unit("red", (0, 3), "red", move=3))
    begun = []
    board.changed.connect(lambda entry: begun.append(entry.begins_turn))
    can_act = {unit: turns is not None and unit in board.turn.units for unit in (red, blue[0])}
    assert set(can_act.values()) == ({False} if turns is None else {True, False})
    for unit, acts in can_act.items():
        begun.clear()
        board.remove(unit)
        assert begun == [acts and turns == "wait"]  # another blue unit shares the turn


def test_a_unit_waits_after_its_turn_for_what_it_spent_in_an_action():
    board = Board(reference.ground("00"), "wait")
    mira, odo = (board.add(Unit(n, (0, col), move=5, wait=10)) for col, n in enumerate("ab"))
    one_action(board).spend(mira, points=2, waiting=7)
    assert [*board.next_units(4)] == [mira, odo, odo, mira]  # at 10, 10, 20 and 29


MOVES = st.sampled_from([0, 1, 2, 3, 4.5, 6])


@reference.tried(60, st.data())
def test_a_plan_is_the_cheapest_path_cut_where_the_points_end(data):
    tilemap = data.draw(mixed_maps(max_side=4))
    cells = rulebook.whereabouts(tilemap, MoveProfile())
    assume(cells)
    board = Board(tilemap, data.draw(st.sampled_from(["sides", "wait"])))
    movers = mixed_profiles(tilemap.topology)
    for number in range(data.draw(st.integers(1, 5))):
        with suppress(ValueError):  # it cannot stand there
            board.add(data.draw(random_units(f"unit {number}", cells, movers, MOVES)))
    assume(board.units)
    unit = data.draw(st.sampled_from(board.turn.units))
    points = min(unit.move, data.draw(st.sampled_from([6, 0, 0.5, 2])))
    if points < unit.move:
        one_action(board).spend(unit, unit.points - points)
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
    board = Board(reference.ground("0030", "gggg"), turns)
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


# Zones of control and allies

WIDE = {"move": 9, "profile": MoveProfile(size=2)}


@table(
    "picture levels goal reason",
    ("a....\n..B..\n..C..", None, (2, 4), "B's zone of control ends the path at (0, 2)"),
    ("g....\n.....\n...B.", None, (0, 3), "B's zone of control ends the path at (0, 2)"),
    ("a.B.", None, (0, 3), "B stands on (0, 2)"),
    ("a....\n..B..\n.....", "00009\n00009\n00009", (0, 4), "climb 9 > 2 at (0, 4)"),
)
def test_the_unit_whose_zone_closes_a_goal_off_is_named(picture, levels, goal, reason):
    board, units = posted(picture, levels, all={"move": 9}, g=WIDE)
    unit = next(each for each in units.values() if each.team == "blue")
    assert board.find_path(unit, goal).reason == reason
    with pytest.raises(MoveRefused, match=re.escape(f"{unit.name} cannot go there: {reason}")):
        board.move(unit, goal)


def test_a_zone_takes_all_points_of_a_wide_unit_that_enters_it_with_any_tile():
    board = Board(reference.ground("0000000\n0000000\n0000000"), turns="sides")
    wide = board.add(Unit("Ox", (0, 0), profile=MoveProfile(size=2), move=6))
    board.add(Unit("Odo", (0, 5), "red", has_zoc=True))
    board.move(wide, (0, 2))
    assert wide.points == 4
    board.move(wide, (0, 3))
    assert (wide.points, board.reach(wide).cells) == (0, [(0, 3, 0)])


@reference.tried(150, random_boards(reference.plain_profiles | reference.profiles, most=6))
def test_a_reach_is_where_orders_may_end_by_the_rulebook(board):
    for unit in board.units:
        if reference.is_exact(board.tilemap, unit.profile):
            reach = board.reach(unit)
            found = {tuple(cell): reach.cost_to(cell) for cell in reach}
            ends = Referee(board, unit).ends(unit.move)
            assert found == pytest.approx(ends, rel=reference.TOLERANCE)


@pytest.mark.parametrize("allies", [["blue"], [("blue",)], [("blue", "blue")], [("blue", 3)]])
def test_allies_are_pairs_of_different_teams(allies):
    with pytest.raises((TypeError, ValueError), match="allies"):
        Board(TileMap.from_text("0"), allies=allies)
