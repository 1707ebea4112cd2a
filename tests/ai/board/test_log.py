"""The log of a board: undo, redo, automatic steps, actions, and what may not happen when."""

import contextlib
import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Behavior, Board, GameRecord, MoveProfile, MoveRefused, Unit, plain_reason
from terrain3d import TileMap
from tests.support.boards import FIELD, board_with, state
from tests.support.reference import ground


class Go(Behavior):
    """Goes to a given cell, if it can."""

    def __init__(self, cell):
        self._cell = cell

    def _choose(self, _situation):
        return self._cell


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


def test_arrivals_departures_values_turns_and_edits_are_undone_in_their_order():
    board, mira = board_with((0, 0))
    digests = [board.digest()]

    def edit():
        with board.tilemap.edit("dig") as edit:
            edit.set_level((2, 2), 3)

    odo = Unit("Odo", (1, 1), "red")
    for act in (
        lambda: board.add(odo),
        lambda: setattr(mira, "move", 3),
        lambda: board.move(mira, (0, 2)),
        edit,
        lambda: board.change_turns("sides"),
        board.end_turn,
        lambda: board.remove(odo),
        board.tilemap.undo,
    ):
        act()
        digests.append(board.digest())
    kinds = ["add", "change", "move", "edit", "turns", "end turn", "remove", "edit"]
    assert [entry.kind for entry in board.log] == kinds
    for digest in digests[-2::-1]:
        assert board.undo()
        assert board.digest() == digest
    assert not board.undo()
    for digest in digests[1:]:
        assert board.redo()
        assert board.digest() == digest
    assert not board.redo()
    assert board.unit_at((1, 1)) is None


def test_an_edit_is_undone_once_also_in_the_history_of_the_map():
    board, _ = board_with((0, 0))
    with board.tilemap.edit() as edit:
        edit.set_level((2, 2), 3)
    assert board.undo()
    assert not board.tilemap.undo()
    assert board.redo()
    assert (board.tilemap.undo(), board.tilemap.undo()) == (True, False)


def test_a_stroke_is_one_entry():
    board, _ = board_with((0, 0))
    tilemap = board.tilemap
    tilemap.begin_stroke("paint")
    for col in (1, 2):
        with tilemap.edit() as edit:
            edit.set_level((2, col), 3)
    assert board.log == ()
    tilemap.end_stroke()
    assert [entry.name for entry in board.log] == ["paint"]
    assert board.undo()
    assert not tilemap.level.any()
    assert board.redo()
    assert tilemap.level[2].tolist() == [0, 3, 3, 0, 0]


def test_a_unit_comes_back_as_the_same_object():
    board, mira = board_with((0, 0))
    board.remove(mira)
    board.undo()
    assert board.units == (mira,)
    assert mira.is_placed


def test_automatic_moves_in_a_row_are_one_entry():
    board, mira, odo = board_with((0, 0), (2, 0))
    for col in (1, 2, 3):
        led(board, mira, (0, col))
        led(board, odo, (2, col))
    [entry] = board.log
    assert [change.after.cell[:2] for change in entry.changes] == [(0, 3), (2, 3)]
    assert not entry.walks
    assert not board.undo()


def test_units_that_take_each_others_places_by_themselves_can_be_loaded_again(tmp_path):
    board, mira, odo = board_with((0, 0), (0, 1))
    led(board, mira, (1, 0))
    led(board, odo, (0, 0))
    led(board, mira, (0, 1))
    GameRecord.of(board).save(tmp_path / "game.tmap")
    record = GameRecord.load(tmp_path / "game.tmap")
    assert [unit.cell[:2] for unit in record.replay().units] == [(0, 1), (0, 0)]


def test_up_a_ladder_and_down_again_leaves_no_entry():
    tilemap = TileMap.from_text("000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1)], level=3)
        edit.add_link((0, 1), (0, 1, 1), cost=1, kind="ladder")
    board = Board(tilemap)
    mira = board.add(Unit("Mira", (0, 1), heading_deg=70.0))
    board.clear_history()
    for deck in (1, 0, 1, 0):
        assert led(board, mira, (0, 1, deck))
    assert board.log == ()
    led(board, mira, (0, 2))
    for _ in range(3):
        for cell in ((0, 1), (0, 1, 1), (0, 1)):
            led(board, mira, cell)
    [entry] = board.log
    assert entry.changes[0].after.cell == (0, 1, 0)
    assert GameRecord.of(board).replay().digest() == board.digest()


STAIRS = "0123\n0023\n0#11"
STARTS = ((0, 0), (2, 3), (1, 0))
NAMES = ("Mira", "Odo", "Pell")
CELLS = st.tuples(st.integers(0, 2), st.integers(0, 3))
KINDS = st.sampled_from(["order", "order", *["led"] * 5, "undo", "redo"])
ACTS = st.lists(st.tuples(KINDS, st.integers(0, 2), CELLS), min_size=5, max_size=40)


class Witness:
    """A board, and for each move whether a player gave it and where all units stood before.

    It forgets nothing.
    """

    def __init__(self):
        self.board = Board(TileMap.from_text(STAIRS))
        for name, cell in zip(NAMES, STARTS, strict=True):
            self.board.add(Unit(name, cell, move=9))
        self.board.clear_history()
        self.done, self.undone = [], []

    def order(self, number, cell):
        return len(self.board.move(self.board.units[number], cell)) > 1

    def led(self, number, cell):
        return len(led(self.board, self.board.units[number], cell)) > 1

    def redo(self, _number, _cell):
        assert self.board.redo() is bool(self.undone)
        if self.undone:
            place, again = self.undone.pop()
            self.done[place:] = again
        return False

    def undo(self, _number, _cell):
        orders = [place for place, (is_order, _) in enumerate(self.done) if is_order]
        assert self.board.undo() is bool(orders)
        if orders:
            assert self.board.digest() == self.done[orders[-1]][1]
            self.undone.append((orders[-1], self.done[orders[-1] :]))
            del self.done[orders[-1] :]
        return False

    def do(self, kind, number, cell):
        before = self.board.digest()
        with contextlib.suppress(MoveRefused):
            if getattr(self, kind)(number, cell):
                self.done.append((kind == "order", before))
                if kind == "order":
                    self.undone.clear()


@settings(max_examples=150, deadline=None)
@given(ACTS)
def test_undo_and_replay_are_those_of_a_history_that_forgets_nothing(acts):
    witness = Witness()
    board = witness.board
    for act in acts:
        witness.do(*act)
    record = GameRecord.of(board)
    assert record.replay().digest() == board.digest()
    n_orders = sum(is_order for is_order, _ in witness.done)
    n_undone = sum(kind == "undo" for kind, *_ in acts)
    assert len(board.log) <= 2 * n_orders + 1 + n_undone
    states = [
        {unit.name: unit.cell for unit in record.replay(n).units} for n in range(len(board.log))
    ]
    for cells, entry in zip(states, board.log, strict=True):
        for change in entry.changes:
            assert change.before.cell == cells[change.name]
            assert change.along[:1] in {(), (change.before.cell,)}
            for start, end in zip(change.along, change.along[1:], strict=False):
                assert end in board.navigation.steps_from(start)


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


def test_what_moved_by_itself_is_done_again_with_the_order_before_it():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(mira, (0, 2))
    led(board, odo, (2, 2))
    after = board.digest()
    board.undo()
    assert board.redo()
    assert board.digest() == after


# Actions


def strike(board, mira, odo, **more):
    """Hit Odo, who is thrown back and dies later; return the open and closed action."""
    with board.action("Strike", by=mira, **more) as action:
        action.set(odo, hp=odo.stats.get("hp", 9) - 4)
        action.change(mira, move=2)
        action.place(odo, (2, 2), along=[(1, 1), (2, 2)])
        action.add(Unit("Imp", (0, 4), "red"))
        with action.edit() as edit:
            edit.set_level((1, 1), 4)
        action.data["rolled"] = [int(action.random.integers(6)), 0.5]


def test_an_action_is_one_entry_and_one_undo():
    board, mira, odo = board_with((0, 0), (1, 1), teams=("blue", "red"))
    before, heard = board.digest(), []
    board.changed.connect(heard.append)
    strike(board, mira, odo)
    after = board.digest()
    [entry] = board.log
    assert heard == [entry]
    assert (entry.kind, entry.name, entry.by) == ("action", "Strike", "Mira")
    assert (odo.stats["hp"], odo.cell, mira.move, len(board.units)) == (5, (2, 2, 0), 2, 3)
    assert board.undo()
    assert board.digest() == before
    assert dict(odo.stats) == {}
    assert board.redo()
    assert board.digest() == after
    assert [(each.is_undo, each.is_redo) for each in heard] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_dice_depend_on_the_seed_and_the_number_of_actions_alone():
    def rolls(seed):
        board = Board(ground(FIELD), seed=seed)
        mira = board.add(Unit("Mira", (0, 0)))
        found = []
        for _ in range(3):
            with board.action("roll") as action:
                found.append(int(action.random.integers(10**9)))
            board.move(mira, (0, 1) if mira.cell[1] == 0 else (0, 0))
        return found

    assert rolls(3) == rolls(3)
    assert len({*rolls(3), *rolls(4)}) == 6


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda action, odo: action.place(odo, (0, 4)), MoveRefused),
        (lambda action, odo: action.place(odo, (0, 3)), MoveRefused),
        (lambda action, odo: action.place(odo, (9, 9)), IndexError),
        (lambda action, odo: action.set(odo, hp=math.nan), ValueError),
        (lambda action, odo: action.set(odo, hp=object()), TypeError),
        (lambda action, _: action.data.update(roll={1, 2}), TypeError),
        (lambda action, odo: action.change(odo, name="Bram"), ValueError),
        (lambda action, odo: action.change(odo, move=-1), ValueError),
        (
            lambda action, odo: action.change(odo, profile=MoveProfile(size=4)),
            (IndexError, ValueError),
        ),
        (lambda action, odo: action.spend(odo, points=99), ValueError),
        (lambda _action, _unit: 1 / 0, ZeroDivisionError),
    ],
)
def test_an_action_that_fails_leaves_board_units_and_map_as_they_were(spoil, error):
    board, mira, odo = board_with(
        (0, 0), (1, 1), teams=("blue", "red"), levels="000#0\n00000\n00000"
    )
    before, everything, heard = board.digest(), state(board), []
    board.changed.connect(heard.append)

    def strike():
        with board.action("Strike", by=mira) as action:
            _strike(action)

    def _strike(action):
        action.set(odo, hp=1)
        board.move(mira, (0, 1))
        action.place(odo, (2, 2))
        action.remove(mira)
        action.add(Unit("Imp", (0, 4)))
        with action.edit() as edit:
            edit.set_level((1, 1), 4)
        spoil(action, odo)

    with pytest.raises(error):
        strike()
    assert (board.digest(), state(board), board.log, heard) == (before, everything, (), [])
    assert board.units == (mira, odo)
    assert not board.undo()


def test_units_may_trade_places_and_one_whose_ground_was_gone_does_not_stop_others():
    board, mira, odo, pell = board_with((0, 0), (1, 1), (2, 2))
    with board.action("Swap") as action:
        action.place(mira, odo.cell)
        action.place(odo, (0, 0))
    assert (mira.cell, odo.cell) == ((1, 1, 0), (0, 0, 0))
    with board.tilemap.edit() as edit:
        edit.set_kind((2, 2), "void")
    with board.action("Swap back") as action:
        action.place(odo, mira.cell)
        action.place(mira, (0, 0))
    with board.action("Haste") as action:
        action.change(pell, move=3)

    def fall():
        with board.action("Fall") as action:
            action.place(pell, (2, 1))
            with action.edit() as edit:
                edit.set_kind((2, 1), "void")

    with pytest.raises(MoveRefused, match="Pell"):
        fall()


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


def test_a_listener_cannot_act_while_the_board_undoes_or_redoes():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(mira, (0, 1))
    errors = []

    def act(*_):
        try:
            board.move(odo, (2, 1))
        except RuntimeError as error:
            errors.append(str(error))

    board.changed.connect(act)
    assert board.undo()
    assert errors == ["a board cannot act while it undoes or redoes"]
    assert odo.cell == (2, 0, 0)


def test_what_listeners_do_when_a_turn_begins_is_automatic():
    board, _, odo = board_with((0, 0), (2, 4), teams=("blue", "red"))
    board.change_turns("sides")
    board.clear_history()

    def poison(entry):
        if entry.begins_turn and not (entry.is_undo or entry.is_redo):
            with board.action("Poison") as action:
                for unit in board.turn.units:
                    action.set(unit, hp=unit.stats.get("hp", 9) - 1)

    board.changed.connect(poison)
    before = board.digest()
    board.end_turn()
    after = board.digest()
    assert [entry.is_automatic for entry in board.log] == [False, True]
    assert odo.stats["hp"] == 8
    assert board.undo()
    assert board.digest() == before
    assert board.redo()
    assert board.digest() == after


def test_points_and_waiting_are_spent_by_force():
    board, mira, odo = board_with((0, 0), (2, 4), teams=("blue", "red"), move=4)
    board.change_turns("wait")
    with board.action("Heavy blow", by=odo) as action:  # out of its turn
        action.spend(odo, points=1, waiting=5)
    assert (odo.points, odo.waiting, mira.points) == (3, 15, 4)
    board.undo()
    assert (odo.points, odo.waiting) == (4, 10)


def test_a_refusal_has_its_reason():
    board, mira, _ = board_with((0, 0), (0, 1))
    with pytest.raises(MoveRefused) as refusal:
        board.move(mira, (0, 1))
    assert refusal.value.reason.code == "cannot_go"
    assert (
        plain_reason(refusal.value.reason) == "Mira cannot go there: Odo stands on (row 0, col 1)"
    )


def test_a_profile_that_does_not_fit_is_refused_when_it_is_assigned():
    board, mira, _ = board_with((0, 0), (0, 1))
    before = board.digest()
    with pytest.raises(MoveRefused):
        mira.profile = MoveProfile(size=2)
    assert board.digest() == before
    assert np.array_equal([unit.profile.size for unit in board.units], [1, 1])


def test_rules_of_a_game_are_those_of_its_board_its_copies_and_its_replays():
    def no_hills(tilemap, _profile):
        return np.where(tilemap.surface_level > 0, np.inf, 0)

    board = Board(ground("010\n000"), rules=[no_hills])
    mira = board.add(Unit("Mira", (0, 0)))
    assert (0, 1) not in board.reach(mira)
    with pytest.raises(MoveRefused, match="no hills"):
        board.move(mira, (0, 1))
    others = board.copy(), GameRecord.of(board).replay(rules=[no_hills])
    for other in others:
        assert other.reach(other.unit(mira)).cells == board.reach(mira).cells
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 0)
    assert [(0, 1) in each.reach(each.unit(mira)) for each in (board, *others)] == [
        True,
        False,
        False,
    ]


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
    assert board.unit("Mira").cell == (1, 1, 0)
    assert not board.unit("Mira").is_moving
    board.undo()
    board.undo()
    assert [(unit.name, unit.cell) for unit in board.units] == [("Mira", (0, 0, 0))]


def test_an_action_that_fails_does_not_stop_who_walks():
    board, mira, odo = board_with((0, 0), (2, 0))
    board.move(mira, (0, 4))
    mira.advance(0.5)
    before = state(board)

    def fail():
        with board.action("Gust") as action:
            action.place(mira, (1, 1))
            action.remove(odo)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert state(board) == before


def test_what_is_done_again_is_walked_once():
    board, mira, odo = board_with((0, 0), (2, 0))
    with board.action("Charge", by=mira):
        board.move(mira, (0, 3))
    board.undo()
    led(board, odo, (2, 1))
    heard = []
    mira.move_started.connect(heard.append)
    assert board.redo()
    mira.advance(100)
    assert len(heard) == 1
    assert mira.pose.point == board.tilemap.surface_point((0, 3))


def test_stats_may_have_any_name():
    board, mira = board_with((0, 0))
    with board.action("Name") as action:
        action.set(mira, unit=1, self=2)
    assert mira.stats == {"unit": 1, "self": 2}


def test_data_of_an_action_may_be_assigned_while_it_is_open():
    board = Board(TileMap.from_text("000"))
    with board.action("hit") as action:
        action.data["left out"] = 1
        action.data = {"damage": 4, "is_hit": np.int64(3) > 2}
    assert board.log[-1].data == {"damage": 4, "is_hit": True}
    action.data["too late"] = 1
    assert board.log[-1].data == {"damage": 4, "is_hit": True}
    problem = r"data\['when'\] must be None, .*, got b'noon'"
    with pytest.raises(TypeError, match=problem), board.action("wait") as action:
        action.data["when"] = b"noon"


def test_a_game_cannot_be_recorded_inside_an_action():
    board = Board(TileMap.from_text("000"))
    unit = board.add(Unit("Mira", (0, 0), stats={"hp": 5}))
    with board.action("hit") as action:
        action.set(unit, hp=1)
        with pytest.raises(RuntimeError, match="cannot be recorded inside an action"):
            GameRecord.of(board)
    assert GameRecord.of(board).replay().digest() == board.digest()


def test_listeners_can_keep_a_copy_at_each_entry_but_not_while_the_board_undoes():
    board = Board(TileMap.from_text("000\n000"), "sides")
    mira = board.add(Unit("Mira", (0, 0)))
    saved, refused = [], []

    def keep(entry):
        if entry.is_undo or entry.is_redo:
            with pytest.raises(RuntimeError, match="while it undoes or redoes"):
                GameRecord.of(board)
            refused.append(entry)
        else:
            saved.append(GameRecord.of(board))

    board.changed.connect(keep)
    board.move(mira, (0, 1))
    board.end_turn()
    assert board.undo()
    assert board.redo()
    assert [record.problem for record in saved] == ["", ""]
    assert len(refused) == 2


def test_a_game_cannot_be_recorded_while_an_undo_is_half_done():
    board = Board(TileMap.from_text("000"))
    unit, problems = board.add(Unit("Mira", (0, 0))), []
    with board.action("dig") as action:
        action.place(unit, (0, 1))
        with action.edit() as edit:
            edit.set_level((0, 1), 2)

    def record(_rect):
        with pytest.raises(RuntimeError, match="cannot act while it undoes"):
            GameRecord.of(board)
        problems.append(True)

    board.tilemap.changed.connect(record)
    board.undo()
    assert problems


@pytest.mark.parametrize(
    ("profile", "topology", "problem"),
    [
        (MoveProfile(kind_cost={"gras": 2}), "square", "kind_cost has 'gras'"),
        (MoveProfile(size=2), "hex_odd_r", "needs square tiles"),
    ],
)
def test_a_profile_of_no_unit_of_the_map_is_refused_and_nothing_changes(profile, topology, problem):
    board = Board(TileMap.from_text("000\n000", topology=topology))
    unit = board.add(Unit("Mira", (0, 0)))
    before = board.digest()
    with pytest.raises(ValueError, match=problem):
        unit.profile = profile
    assert board.digest() == before
    assert board.reach(unit)


def test_the_rules_of_a_unit_whose_deck_is_gone_may_change_but_not_its_size():
    tilemap = TileMap.from_text("000\n000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0)], level=3, kind="road")
    board = Board(tilemap)
    mira = board.add(Unit("Mira", (0, 0, 1)))
    with tilemap.edit() as edit:
        edit.remove_deck([(0, 0)], 1)
    mira.profile = MoveProfile(max_climb=1)
    assert mira.profile.max_climb == 1
    with pytest.raises(MoveRefused, match="no ground is left"):
        mira.profile = MoveProfile(size=2)


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


@pytest.mark.parametrize("changed", range(4))
def test_copies_of_a_board_have_extras_of_their_own(changed):
    tilemap = TileMap.from_text("000")
    tilemap.extras["doors"] = [{"is_open": False}]
    board = Board(tilemap)
    first, edited = board.copy(), board.copy()
    maps = [tilemap, first.tilemap, first.copy().tilemap, edited.tilemap]
    if changed == 1:
        assert first.tilemap.extras
        maps.append(first.copy().tilemap)
    with edited.tilemap.edit() as edit:
        edit.set_level((0, 0), 1)
    maps[changed].extras["doors"][0]["is_open"] = True
    found = [each.extras["doors"][0]["is_open"] for each in maps]
    assert found == [number == changed for number in range(len(maps))]
