"""The log of a board: undo, redo, automatic steps, actions, and what may not happen when."""

import contextlib
import copy
import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import Board, GameRecord, MoveProfile, MoveRefused, Unit
from terrain3d import TileMap
from tests.long.games import Go
from tests.support.boards import board_with, heard_of, one_action, one_edit, state
from tests.support.reference import ground, tried
from tests.support.selection import table


def led(board, unit, cell):
    """Let a unit go to a cell by itself."""
    return board.act(unit, Go(cell), is_automatic=True)


def test_undo_while_walking_puts_the_unit_back_at_once():
    board, mira = board_with((0, 0))
    board.move(mira, (0, 4))
    mira.advance(0.5)
    board.undo()
    assert (mira.cell, mira.is_moving) == ((0, 0, 0), False)
    assert mira.pose.point == board.tilemap.surface_point((0, 0))
    mira.advance(5)
    assert mira.pose.point == board.tilemap.surface_point((0, 0))


def test_an_edit_is_undone_once_also_in_the_history_of_the_map():
    board, _ = board_with((0, 0))
    one_edit(board.tilemap).set_level((2, 2), 3)
    assert board.undo()
    assert not board.tilemap.undo()
    assert board.redo()
    assert (board.tilemap.undo(), board.tilemap.undo()) == (True, False)


def test_a_stroke_is_one_entry():
    board, _ = board_with((0, 0))
    tilemap = board.tilemap
    tilemap.begin_stroke("paint")
    for col in (1, 2):
        one_edit(tilemap).set_level((2, col), 3)
    assert board.log == ()
    tilemap.end_stroke()
    assert [entry.name for entry in board.log] == ["paint"]
    assert board.undo()
    assert not tilemap.level.any()
    assert board.redo()
    assert tilemap.level[2].tolist() == [0, 3, 3, 0, 0]


def test_redo_leads_to_the_state_after_and_takes_back_what_happened_by_itself_since():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(mira, (0, 1))
    after = board.state
    board.move(mira, (0, 3))
    end = board.state
    board.undo()
    board.undo()
    led(board, odo, (2, 2))
    led(board, mira, (0, 3))
    assert board.redo()
    assert (board.state, len(board.log)) == (after, 1)
    led(board, odo, (2, 2))
    assert board.redo()
    assert (board.state, len(board.log)) == (end, 2)
    assert not board.redo()


def test_after_an_arrival_by_itself_nothing_is_done_again():
    board, mira = board_with((0, 0))
    board.add(Unit("Odo", (2, 0)))
    board.undo()
    with board.action("Spring", is_automatic=True) as action:
        imp = action.add(Unit("Imp", (1, 1)))
    assert not board.redo()
    assert board.units == (mira, imp)


CELLS = st.tuples(st.integers(0, 2), st.integers(0, 3)) | st.just((0, 1, 1))
ACTS = st.lists(st.tuples(st.booleans(), st.integers(0, 2), CELLS), min_size=5, max_size=40)


@tried(150, ACTS)
def test_between_orders_is_one_entry_at_most_and_its_walks_are_legal_steps(acts):
    tilemap = TileMap.from_text("0123\n0023\n0#11")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1)], level=4)
        edit.add_link((0, 1), (0, 1, 1), cost=1, kind="ladder")
    board, n_orders = Board(tilemap), 0
    for name, cell in (("Mira", (0, 0)), ("Odo", (2, 3)), ("Pell", (1, 0))):
        board.add(Unit(name, cell, move=9))
    board.clear_history()
    for is_order, number, cell in acts:
        with contextlib.suppress(MoveRefused):
            if is_order:
                n_orders += len(board.move(board.units[number], cell)) > 1
            else:
                led(board, board.units[number], cell)
    record = GameRecord.of(board)
    assert record.replay().digest() == board.digest()
    assert len(board.log) <= 2 * n_orders + 1
    for number, entry in enumerate(board.log):
        cells = {unit.name: unit.cell for unit in record.replay(number).units}
        assert entry.changes
        for change in entry.changes:
            assert change.before != change.after
            assert change.before.cell == cells[change.name]
            assert change.along[:1] in {(), (change.before.cell,)}
            for start, end in itertools.pairwise(change.along):
                assert end in board.navigation.steps_from(start)


# Actions


def test_an_action_is_one_entry_with_its_name_and_who_acts():
    board, mira, odo = board_with((0, 0), (1, 1), teams=("blue", "red"))
    heard = heard_of(board.changed)
    with board.action("Strike", by=mira) as action:
        action.set(odo, hp=5)
        action.place(odo, (2, 2), along=[(1, 1), (2, 2)])
        one_edit(action).set_level((1, 1), 4)
    [entry] = board.log
    assert heard == [entry]
    assert (entry.kind, entry.name, entry.by) == ("action", "Strike", "Mira")
    assert board.undo()
    assert board.redo()
    assert [(each.is_undo, each.is_redo) for each in heard[1:]] == [(True, False), (False, True)]


@table(
    "spoil error",
    (lambda action, odo: action.place(odo, (9, 9)), IndexError),
    (lambda action, odo: action.set(odo, hp=math.nan), ValueError),
    (lambda action, odo: action.set(odo, hp=object()), TypeError),
    (lambda action, _: action.data.update(roll={1, 2}), TypeError),
    (lambda action, odo: action.change(odo, name="Bram"), ValueError),
    (lambda action, odo: action.change(odo, move=-1), ValueError),
    (lambda action, odo: action.change(odo, profile=MoveProfile(size=4)), ValueError),
    (lambda _action, _unit: 1 / 0, ZeroDivisionError),
)
def test_an_action_that_fails_leaves_no_trace(spoil, error):
    board, mira, odo = board_with((0, 0), (1, 1))
    before, everything, heard = board.digest(), state(board), []
    board.changed.connect(heard.append)
    with pytest.raises(error), board.action("Strike", by=mira) as action:  # noqa: PT012
        action.set(odo, hp=1)
        action.remove(mira)
        spoil(action, odo)
    assert (board.digest(), state(board), board.log, heard) == (before, everything, (), [])


def test_what_listeners_do_when_a_turn_begins_is_automatic():
    board, *_ = board_with((0, 0), (2, 4), teams=("blue", "red"))
    board.change_turns("sides")
    board.clear_history()

    def poison(entry):
        if entry.begins_turn:
            one_action(board).set(board.turn.units[0], hp=8)

    board.changed.connect(poison)
    board.end_turn()
    assert [entry.is_automatic for entry in board.log] == [False, True]


def test_a_game_is_neither_recorded_nor_copied_inside_an_action():
    board, mira = board_with((0, 0))
    with board.action("hit") as action:
        action.set(mira, hp=1)
        for ask in (GameRecord.of, Board.copy):
            with pytest.raises(RuntimeError, match="inside an action"):
                ask(board)


def test_a_game_is_recorded_after_each_entry_but_not_while_it_is_undone():
    board, mira = board_with((0, 0))
    records = []

    def keep(_what):
        try:
            records.append(GameRecord.of(board).problem)
        except RuntimeError as error:
            records.append(str(error))

    board.changed.connect(keep)
    board.move(mira, (0, 1))
    one_edit(board.tilemap).set_level((0, 1), 2)
    board.tilemap.changed.connect(keep)  # while the undo is half done
    board.undo()
    assert records == ["", "", *["a board cannot act while it undoes or redoes"] * 2]


def test_a_profile_of_no_unit_of_the_map_is_refused_and_nothing_changes():
    board, mira = board_with((0, 0))
    before = board.digest()
    with pytest.raises(ValueError, match="kind_cost has 'gras'"):
        mira.profile = MoveProfile(kind_cost={"gras": 2})
    assert board.digest() == before
    assert board.reach(mira)


def test_a_unit_that_goes_and_dies_in_one_action_keeps_its_last_pose():
    board, mira = board_with((0, 0))
    with board.action("Trap", by=mira) as action:
        board.move(mira, (0, 2))
        action.remove(mira)
    assert (mira.is_moving, mira.is_placed) == (False, False)
    assert mira.pose.point == board.tilemap.surface_point((0, 2))
    with board.action("Return") as action:
        action.add(mira)
        board.move(mira, (0, 3))
        action.remove(mira)
        action.add(Unit("Mira", (1, 1)))
    assert (board.unit("Mira").cell, board.unit("Mira").is_moving) == ((1, 1, 0), False)


def test_an_order_inside_an_action_joins_it_and_actions_do_not_nest():
    board, mira, _ = board_with((0, 0), (1, 1))
    with board.action("Charge", by=mira) as action:
        board.move(mira, (0, 3))
        with pytest.raises(RuntimeError, match="do not nest"), board.action("Again"):
            pass
        with pytest.raises(RuntimeError, match="inside an action"):
            board.undo()
    assert [entry.name for entry in board.log] == ["Charge"]
    assert mira.is_moving
    for call in (lambda: action.set(mira, hp=1), action.edit, lambda: action.add(mira)):
        with pytest.raises(RuntimeError, match="this action is over"):
            call()
    board.undo()
    assert mira.cell == (0, 0, 0)


def test_copies_and_replays_of_a_game_have_its_rules():
    def no_hills(tilemap, _profile):
        return np.where(tilemap.surface_level > 0, np.inf, 0)

    board = Board(ground("010\n000"), rules=[no_hills])
    mira = board.add(Unit("Mira", (0, 0)))
    for other in (board, board.copy(), GameRecord.of(board).replay(rules=[no_hills])):
        with pytest.raises(MoveRefused, match="no hills"):
            other.move(other.unit(mira), (0, 1))


def test_what_is_done_again_is_walked_once():
    board, mira, odo = board_with((0, 0), (2, 0))
    with board.action("Charge", by=mira):
        board.move(mira, (0, 3))
    board.undo()
    led(board, odo, (2, 1))
    heard = heard_of(mira.move_started)
    assert board.redo()
    mira.advance(100)
    assert len(heard) == 1
    assert mira.pose.point == board.tilemap.surface_point((0, 3))


def test_stats_may_have_any_name_and_data_be_assigned_while_the_action_is_open():
    board, mira = board_with((0, 0))
    with board.action("hit") as action:
        action.set(mira, unit=1, self=2)
        action.data["left out"] = 1
        action.data = {"damage": 4, "is_hit": np.int64(3) > 2}
    action.data["too late"] = 1
    assert mira.stats == {"unit": 1, "self": 2}
    assert board.log[-1].data == {"damage": 4, "is_hit": True}


class _Hero(Unit):
    def __init__(self, name, cell, motto):
        super().__init__(name, cell)
        self.motto = motto


@pytest.mark.parametrize("twin_of", [copy.copy, copy.deepcopy, Board.copy])
def test_copies_of_a_board_keep_what_a_subclass_of_unit_keeps(twin_of):
    board = Board(TileMap.from_text("000"))
    hero, heard = board.add(_Hero("Mira", (0, 0), "onward")), []
    hero.move_finished.connect(lambda cell: heard.append(cell))
    twin = twin_of(board).unit("Mira")
    assert isinstance(twin, _Hero)
    assert twin is not hero
    assert twin.motto == "onward"
    twin.move_finished.emit((0, 0))
    assert not heard
    assert pickle.loads(pickle.dumps(hero)).motto == "onward"
