"""Random games with orders, edits, turns, joining and leaving: the rules of the board hold."""

import re

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ai import Board, GameRecord, MoveRefused, plain_reason
from ai.board.log import without_waits
from ai.board.planning import path_along
from tests.long import edits
from tests.support.boards import random_units
from tests.support.reason_claims import CELL
from tests.support.reference import cells_of, profiles, thoroughly, tilemaps, walk
from tests.support.selection import rest_nightly
from tests.support.turns_reference import Referee


class AnyGame(RuleBasedStateMachine):
    @initialize(tilemap=tilemaps(max_side=4))
    def begin(self, tilemap):
        self.board = Board(tilemap)
        self.cells = cells_of(tilemap)
        self.before = {}
        self.n_added = 0
        self.done = []  # before each entry, by a record that forgets nothing
        self.undone = []
        self.board.changed.connect(self.check_orders)

    def check_orders(self, entry):
        for change in entry.changes if entry.kind == "move" and not entry.is_undo else ():
            cells = without_waits(change.along)
            route = self.board.navigation.price(cells, change.unit.profile)
            path = path_along(route, self.board.tilemap)
            self.check_order(self.board.unit(change.unit), path)

    def check_order(self, unit, path):
        """Price an order that is done or redone once more, by the map and units of now."""
        foes = {cell for other, cell in self.before.items() if other.team != unit.team}
        allies = {cell for other, cell in self.before.items() if other.team == unit.team}
        tilemap, start = self.board.tilemap, self.before[unit]
        walk(tilemap, unit.profile, path, start, unit.cell[:2], foes)
        assert unit.cell[:2] not in allies
        assert not set(path.cells[1:-1]) & Referee(self.board, unit).zones
        assert path.cost <= unit.move + 1e-9

    def remember(self):
        self.before = {unit: unit.cell[:2] for unit in self.board.units}

    def drawn_cell(self, data):
        return data.draw(st.sampled_from(self.cells))

    def note(self, digest):
        """Note that an entry followed a state."""
        self.done.append(digest)
        self.undone.clear()

    @rule(data=st.data())
    def add(self, data):
        unit = data.draw(random_units(f"unit {self.n_added}", self.cells))
        why, before = (
            self.board.navigation.explain_stop(unit.cell, unit.profile),
            self.board.digest(),
        )
        if not why and self.board.unit_at(unit.cell) is None:
            self.n_added += 1
            self.board.add(unit)
            self.note(before)
            return
        with pytest.raises(ValueError, match=re.escape(why or "already")):
            self.board.add(unit)

    @precondition(lambda self: self.board.units)
    @rule(data=st.data())
    def remove(self, data):
        before = self.board.digest()
        self.board.remove(data.draw(st.sampled_from(self.board.units)))
        self.note(before)

    @precondition(lambda self: self.board.units)
    @rule(data=st.data())
    def order(self, data):
        unit = data.draw(st.sampled_from(self.board.units))
        # Mostly what can be done, sometimes just anything.
        within_reach = [cell[:2] for cell in self.board.reach(unit).cells]
        cell = data.draw(st.sampled_from([*within_reach, self.drawn_cell(data)]))
        planned = self.board.plan(unit, cell)
        self.remember()
        if not planned:
            with pytest.raises(MoveRefused, match=re.escape(planned.reason)) as refusal:
                self.board.move(unit, cell)
            assert not CELL.search(plain_reason(str(refusal.value)))
            assert self.places() == self.before
            return
        before = self.board.digest()
        path = self.board.move(unit, cell)
        assert path.cells == planned.cells
        if len(path) > 1:
            self.note(before)

    @precondition(lambda self: self.board.units)
    @rule(data=st.data(), profile=profiles, move=st.integers(0, 30), has_zoc=st.booleans())
    def change(self, data, profile, move, has_zoc):
        """Change what a unit is, after its reach was asked for."""
        unit = data.draw(st.sampled_from(self.board.units))
        self.board.reach(unit)
        values = {"profile": profile, "move": move, "has_zoc": has_zoc}
        values["team"] = data.draw(st.sampled_from(["blue", "red"]))
        for name, value in values.items():
            before, n_before = self.board.digest(), len(self.board.log)
            setattr(unit, name, value)
            if len(self.board.log) > n_before:
                self.note(before)

    @rule()
    def undo(self):
        self.remember()
        now = self.board.digest()
        assert self.board.undo() == bool(self.done)
        if self.done:
            assert self.board.digest() == self.done.pop()
            self.undone.append(now)

    @rule()
    def redo(self):
        self.remember()
        now = self.board.digest()
        assert self.board.redo() == bool(self.undone)
        if self.undone:
            assert self.board.digest() == self.undone.pop()
            self.done.append(now)

    @rule(data=st.data(), level=st.integers(0, 4))
    def edit(self, data, level):
        before, version = self.board.digest(), self.board.tilemap.version
        with self.board.tilemap.edit() as edit:
            edit.set_level(self.drawn_cell(data), level)
        if self.board.tilemap.version != version:
            self.note(before)

    @rule(seconds=st.floats(0, 5))
    def wait(self, seconds):
        for unit in self.board.units:
            unit.advance(seconds)

    def places(self):
        return {unit: unit.cell[:2] for unit in self.board.units}

    @invariant()
    def no_two_units_hold_one_cell(self):
        if hasattr(self, "board"):
            taken = list(self.places().values())
            assert len(set(taken)) == len(taken)

    @invariant()
    def the_log_leads_to_the_same_state(self):
        if not hasattr(self, "board"):
            return
        assert len(self.board.log) == len(self.done)
        assert self.replayed().digest() == self.board.digest()

    def replayed(self):
        """Make a board that has never answered anything, in the same state."""
        return GameRecord.of(self.board).replay()

    @invariant()
    def who_stands_still_stands_on_its_cell(self):
        if hasattr(self, "board"):
            for unit in self.board.units:
                if not unit.is_moving:
                    assert unit.pose.point == self.board.tilemap.surface_point(unit.cell)


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(
    thoroughly(150),
    stateful_step_count=30,
    phases=set(Phase) - {Phase.explain},  # it takes minutes on games that fail
)


class AnyGameOfTurns(RuleBasedStateMachine):
    @initialize(
        data=st.data(), tilemap=tilemaps(max_side=4), turns=st.sampled_from(["sides", "wait"])
    )
    def begin(self, data, tilemap, turns):
        self.turns, self.board = turns, Board(tilemap, turns=turns)
        self.cells = cells_of(tilemap)
        self.starts, self.teams = {}, []
        for number in range(data.draw(st.integers(1, 5))):
            unit = data.draw(random_units(f"unit {number}", self.cells))
            if (
                not self.board.navigation.explain_stop(unit.cell, unit.profile)
                and self.board.unit_at(unit.cell) is None
            ):
                self.starts[self.board.add(unit)] = unit.cell
                self.teams = [*dict.fromkeys([*self.teams, unit.team])]
        self.board.clear_history()
        # The record: round, index of the team, and of each unit the points and the waiting time.
        self.number, self.place, self.spent = 1, 0, 0
        self.points = {unit: unit.move for unit in self.starts}
        self.waiting = {unit: unit.wait for unit in self.starts}
        self.past, self.future = [], []

    def acting(self):
        if not self.starts:
            return []
        if self.turns == "sides":
            return [unit for unit in self.starts if unit.team == self.teams[self.place]]
        least = min(self.waiting.values())
        return [unit for unit in self.starts if self.waiting[unit] == least][:1]

    def recorded(self):
        record = self.number, self.place, self.spent, dict(self.points), dict(self.waiting)
        return record, self.board.digest()

    def recall(self, saved):
        (self.number, self.place, self.spent, points, waiting), digest = saved
        self.points, self.waiting = dict(points), dict(waiting)
        assert self.board.digest() == digest

    @rule(data=st.data())
    def order(self, data):
        if not self.starts:
            return
        unit = data.draw(st.sampled_from(list(self.starts)))
        reach = self.board.reach(unit)
        cell = data.draw(st.sampled_from([*(each[:2] for each in reach.cells), *self.cells]))
        before, start = self.recorded(), unit.cell
        if unit not in self.acting():
            with pytest.raises(MoveRefused, match=r"it is .*'s turn"):
                self.board.move(unit, cell)
            assert reach.budget == unit.move
            assert self.recorded() == before
            return
        assert reach.budget == self.points[unit]
        try:
            path = self.board.move(unit, cell)
        except MoveRefused:
            assert self.recorded() == before
            return
        if len(path) < 2:
            return
        assert path.cost <= self.points[unit] * (1 + 1e-12)
        self.past.append(before)
        self.future.clear()
        assert unit.cell != start
        is_halted = Referee(self.board, unit).halts(unit.cell, start)
        self.points[unit] = 0 if is_halted else max(0, self.points[unit] - path.cost)
        self.spent += path.cost

    @rule()
    def end_turn(self):
        if not self.starts:
            assert self.board.end_turn() == self.board.turn
            return
        self.past.append(self.recorded())
        self.future.clear()
        heard = []
        self.board.changed.connect(heard.append)
        began = self.board.end_turn()
        self.board.changed.disconnect(heard.append)
        assert [entry.kind for entry in heard] == ["end turn"]
        assert began == self.board.turn
        self.next_turn()

    def next_turn(self):
        acting = self.acting()
        if self.turns == "sides":
            self.place += 1
            if self.place >= len(self.teams):
                self.place, self.number = 0, self.number + 1
            for unit in self.acting():
                self.points[unit] = unit.move
        else:
            self.number += 1
            for unit in acting:
                self.waiting[unit] += unit.wait + self.spent
                self.points[unit] = unit.move
        self.spent = 0

    @rule()
    def undo(self):
        now = self.recorded()
        assert self.board.undo() == bool(self.past)
        if self.past:
            self.recall(self.past.pop())
            self.future.append(now)

    @rule()
    def redo(self):
        now = self.recorded()
        assert self.board.redo() == bool(self.future)
        if self.future:
            self.recall(self.future.pop())
            self.past.append(now)

    @rule()
    def play_again(self):
        """Go through all of the game a second time, forwards and backwards."""
        board = self.board
        again = GameRecord.of(board).replay()
        assert (again.digest(), again.log) == (board.digest(), board.log)
        for _, digest in reversed(self.past):
            assert again.undo()
            assert again.digest() == digest
        assert not again.undo()

    @invariant()
    def turn_and_points_are_as_recorded(self):
        if not hasattr(self, "board"):
            return
        turn = self.board.turn
        assert list(turn.units) == self.acting()
        assert turn.number == self.number
        for unit in self.starts:
            assert unit.points == self.points[unit]
            assert 0 <= unit.points <= unit.move
            if self.turns == "wait":
                assert unit.waiting == self.waiting[unit]


TestAnyGameOfTurns = AnyGameOfTurns.TestCase
TestAnyGameOfTurns.settings = settings(
    thoroughly(200), stateful_step_count=25, phases=set(Phase) - {Phase.explain}
)


@pytest.mark.parametrize("seed", rest_nightly(range(200), 30))
def test_answers_are_those_of_a_new_board(seed):
    edits.check(seed)
