"""Whose turn it is, what a unit may spend, where turns end; their undo, log and record."""

import math
import re
from contextlib import suppress

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given

from ai import Board, Commander, GameRecord, MoveProfile, MoveRefused, Unit
from ai.board.planning import turn_ends
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.boards import FIELD, posted, random_units, twin_of
from tests.support.reference import ground, thoroughly
from tests.support.selection import rest_nightly
from tests.support.strategies import profiles
from tests.support.strategies import tilemaps as mixed_maps
from tests.support.turns_reference import SLACK, Referee


def sides(turns="sides", **more):
    """Return a board with two blue units and a red one that controls the tiles beside it."""
    board = Board(ground(FIELD), turns=turns)
    entries = ("Mira", (0, 0), "blue"), ("Odo", (2, 4), "red"), ("Pell", (2, 0), "blue")
    units = [
        board.add(Unit(name, cell, team, move=4, has_zoc=team == "red", **more))
        for name, cell, team in entries
    ]
    board.clear_history()
    return board, *units


def test_a_zone_of_control_takes_all_points_of_a_wide_unit_that_enters_it_with_any_tile():
    board = Board(ground("0000000\n0000000\n0000000"), turns="sides")
    wide = board.add(Unit("Ox", (0, 0), profile=MoveProfile(size=2), move=6))
    board.add(Unit("Odo", (0, 5), "red", has_zoc=True))
    board.move(wide, (0, 2))
    assert wide.points == 4
    board.move(wide, (0, 3))
    assert (wide.points, board.reach(wide).cells) == (0, [(0, 3, 0)])


def test_a_unit_out_of_turn_is_shown_its_path_and_not_sent():
    board, _, odo, _ = sides()
    plan = board.plan(odo, (2, 2), partial=True)
    assert (plan.path.cost, plan.turn_ends, bool(plan)) == (2, (2,), False)
    with pytest.raises(MoveRefused, match="Odo cannot go there: it is blue's turn"):
        board.move(plan)


def test_the_unit_with_the_least_waiting_time_acts():
    board, mira, odo, pell = sides("wait")
    for unit, wait in ((mira, 10), (odo, 6), (pell, 6)):
        board.remove(unit)
        unit.wait = wait
        board.add(unit)
    assert (board.turn.units, board.turn.team) == ((odo,), "red")
    with pytest.raises(MoveRefused, match="it is Odo's turn"):
        board.move(mira, (0, 1))
    board.move(odo, (2, 3))
    assert [unit.name for unit in board.next_units(6)] == [
        # Odo's next turn is at 6 + 6 + 1 for the point it spent; ties by the order on the board.
        *("Odo", "Pell", "Mira", "Pell", "Odo", "Pell"),
    ]
    board.end_turn()
    assert (odo.waiting, odo.points, board.turn.units) == (13, 4, (pell,))


def test_a_late_unit_waits_from_now_on():
    board, mira, odo, pell = sides("wait")
    for _ in range(7):
        board.end_turn()
    now = board.turn.units[0].waiting
    late = board.add(Unit("Ilka", (1, 2), wait=3))
    assert (late.waiting, board.turn.units[0] in (mira, odo, pell)) == (now + 3, True)


def test_undo_takes_back_a_turn_and_what_red_did_by_itself():
    board, mira, odo, _ = sides()
    board.move(mira, (0, 1))
    before = board.digest()
    heard = []
    board.changed.connect(lambda _entry: heard.append((board.turn.number, board.turn.team)))
    board.end_turn()
    after = board.digest()
    board.move(odo, (2, 3))
    board.undo()
    assert board.digest() == after
    board.end_turn(is_automatic=True)
    assert board.turn.team == "blue"
    later = board.digest()
    board.undo()
    assert board.digest() == before
    board.redo()
    assert board.digest() == later
    began = [(1, "red"), (1, "red"), (1, "red"), (2, "blue"), (1, "red"), (1, "blue")]
    assert heard == [*began, (1, "red"), (2, "blue")]


def test_the_turn_passes_on_when_its_last_unit_leaves():
    board, mira, odo, pell = sides()
    board.move(mira, (0, 1))
    board.remove(mira)
    assert board.turn.team == "blue"
    board.remove(pell)
    assert board.turn.units == (odo,)
    waiting, first, second, _ = sides("wait")
    waiting.move(first, (0, 1))
    waiting.remove(first)
    assert waiting.turn.units == (second,)
    waiting.end_turn()
    assert second.waiting == 20


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_the_turn_of_a_unit_that_has_left_comes_back_with_the_unit(turns):
    board = Board(ground(FIELD), turns=turns)
    units = [board.add(Unit(name, (row, 0), name)) for row, name in enumerate("abc")]
    board.end_turn()
    before = board.digest()
    board.remove(units[1])
    after = board.digest()
    assert board.turn.units == (units[2],)
    assert board.undo()
    assert (board.digest(), board.turn.units) == (before, (units[1],))
    assert board.redo()
    assert board.digest() == after


def test_the_end_of_a_turn_is_done_again_after_others_by_themselves():
    board, *_ = sides()
    board.end_turn()
    after = board.state
    board.undo()
    board.end_turn(is_automatic=True)
    board.end_turn(is_automatic=True)
    assert board.redo()
    assert board.state == after


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_the_first_unit_on_an_empty_board_has_the_turn(turns):
    board = Board(ground(FIELD), turns=turns)
    board.end_turn()
    mira = board.add(Unit("Mira", (0, 0)))
    assert board.turn.units == (mira,)
    board.remove(mira)
    assert (board.turn.team, board.turn.units) == ("", ())
    odo = board.add(Unit("Odo", (0, 0), "red"))
    assert board.turn.units == (odo,)
    board.add(Unit("Ilka", (0, 1)))
    assert board.turn.units == (odo,)


def test_a_team_that_comes_back_is_the_last_also_in_a_replay():
    board = Board(TileMap.from_text(FIELD), turns="sides")
    units = [board.add(Unit(name, (row, 0), name)) for row, name in enumerate("abc")]
    board.remove(units[0])
    board.add(units[0])
    assert board.state.teams == ("b", "c", "a")
    assert GameRecord.of(board).replay().digest() == board.digest()


def test_a_unit_with_a_lower_limit_has_no_more_points_than_that():
    board, mira, *_ = sides()
    board.move(mira, (0, 1))
    mira.move = 2
    assert (mira.points, board.reach(mira).budget) == (2, 2)


@pytest.mark.parametrize("before", ["sides", "wait", None])
@pytest.mark.parametrize("after", ["sides", "wait", None])
def test_changed_turns_begin_as_on_a_new_board(before, after):
    board, *units = sides(before)
    if before is not None:
        board.end_turn()
    board.move(units[0] if before is None else board.turn.units[0], (1, 2))
    for unit in units:
        unit.advance(100.0)
    begun = []
    board.changed.connect(lambda entry: begun.append(entry.begins_turn))
    board.change_turns(after)
    new = Board(board.tilemap, after)
    for unit in units:
        new.add(twin_of(unit)).heading_deg = unit.heading_deg
    assert board.digest() == new.digest()
    assert begun == ([True] if before != after or after is not None else [])


def test_a_board_without_turns_has_none():
    board = Board(ground(FIELD))
    unit = board.add(Unit("Mira", (0, 0), move=4))
    board.move(unit, (0, 3))
    assert (board.turn, unit.points) == (None, 4)
    with pytest.raises(ValueError, match=re.escape('Board(tilemap, turns="sides")')):
        board.end_turn()


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_a_turn_begins_when_the_unit_that_had_it_leaves(turns):
    board = Board(ground("0000"), turns=turns)
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


@pytest.mark.parametrize(
    ("picture", "levels", "points", "move", "ends"),
    [
        ("a.......", None, 7, 7, (7,)),
        ("a.......", None, 9, 4, (7,)),
        ("a.......", None, 3, 3, (3, 6, 7)),
        ("a.......", None, 1, 3, (1, 4, 7)),
        ("a.......", None, 0, 5, (0, 5, 7)),
        ("a.......", None, 0.5, 2.5, (0, 2, 4, 6, 7)),
        ("a.......", None, math.inf, math.inf, (7,)),
        ("a.......", None, 0, 0, ()),
        ("a..b....", None, 3, 3, (2, 5, 7)),  # none ends on an ally
        ("a....", "00020", 2, 2, (2,)),  # no turn has the points for the climb
        ("a....", "02000", 2, 2, ()),
        ("a....", "00090", 2, 2, ()),  # there is no path
        ("a", None, 2, 2, ()),
    ],
)
def test_each_turn_goes_as_far_as_its_points_last(picture, levels, points, move, ends):
    board, units = posted(picture, levels)
    path = board.find_path(units["a"], (0, len(picture) - 1))
    assert turn_ends(path, points, move, board.situation(units["a"]).can_stop) == ends


def test_no_turn_ends_where_a_mover_may_pass_but_not_stop():
    tilemap = ground("000000", "gggsgg")
    board = Board(tilemap)
    unit = board.add(Unit("a", (0, 0), profile=MoveProfile(no_stop={"swamp"}), move=5))
    path = board.find_path(unit, (0, 5))
    # Costs 1, 1, 3, 1, 1: five points would end on the swamp.
    assert turn_ends(path, 5, 5, board.situation(unit).can_stop) == (2, 5)


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


@pytest.mark.parametrize("seed", rest_nightly(range(40), 10))
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
        for _ in range(1 + now.partial):  # the first one shows how far it goes
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
        for _ in range(1 + commander.plan.partial):
            commander.act_on(plan.cell)
        unit.advance(1000.0)
        assert (unit.cell, unit.points >= 0) == (plan.path.cells[end], True)
        if unit.cell != plan.cell:
            assert (unit.points, bool(commander.plan)) == (0, False)
            board.end_turn()


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
