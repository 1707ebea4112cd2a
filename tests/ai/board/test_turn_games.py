"""Random games with both orders of turns, beside a plain record of what each unit may spend."""

import copy
import math

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ai import Board, MoveRefused, Unit
from tests.support.reference import cells_of, edges, profiles, thoroughly, tilemaps


class AnyGameOfTurns(RuleBasedStateMachine):
    @initialize(
        data=st.data(), tilemap=tilemaps(max_side=4), turns=st.sampled_from(["sides", "wait"])
    )
    def begin(self, data, tilemap, turns):
        self.turns, self.board = turns, Board(tilemap, turns=turns)
        self.cells = cells_of(tilemap)
        self.starts, self.teams = {}, []
        for number in range(data.draw(st.integers(1, 5))):
            team = data.draw(st.sampled_from(["blue", "red", "green"]))
            unit = Unit(
                f"unit {number}",
                data.draw(st.sampled_from(self.cells)),
                team,
                data.draw(profiles),
                data.draw(st.sampled_from([0, 1, 2, 5, 7.5, math.inf])),
                has_zoc=data.draw(st.booleans()),
                wait=data.draw(st.sampled_from([1, 2.5, 10])),
            )
            if (
                not self.board.navigation.explain_stop(unit.cell, unit.profile)
                and self.board.unit_at(unit.cell) is None
            ):
                self.starts[self.board.add(unit)] = unit.cell
                self.teams += [team] * (team not in self.teams)
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
        foes = [foe for foe in self.starts if foe.has_zoc and foe.team != unit.team]
        is_halted = any(
            (foe.cell[:2], unit.cell[:2]) == edge[:2]
            for foe in foes
            for edge in edges(self.board.tilemap, foe.profile)
        )
        self.points[unit] = 0 if is_halted else max(0, self.points[unit] - path.cost)
        self.spent += path.cost

    @rule()
    def end_turn(self):
        if not self.starts:
            assert self.board.end_turn() == self.board.turn
            return
        self.past.append(self.recorded())
        self.future.clear()
        ended = self.board.turn
        heard = []
        self.board.turn_ended.connect(heard.append)
        began = self.board.end_turn()
        self.board.turn_ended.disconnect(heard.append)
        assert heard == [ended]
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
        twins = [
            Unit(u.name, cell, u.team, u.profile, u.move, has_zoc=u.has_zoc, wait=u.wait)
            for u, cell in self.starts.items()
        ]
        again = Board.replay(copy.copy(board.tilemap), twins, board.log, turns=self.turns)
        assert (again.digest(), again.log) == (board.digest(), board.log)
        for _, digest in reversed(self.past):
            assert again.undo()
            assert again.digest() == digest
        assert not again.undo()

    @rule()
    def continue_elsewhere(self):
        twins = [
            Unit(
                *(u.name, u.cell, u.team, u.profile, u.move),
                **{"heading_deg": u.heading_deg % 360, "has_zoc": u.has_zoc, "wait": u.wait},
            )
            for u in self.starts
        ]
        other = Board(copy.copy(self.board.tilemap), turns=self.turns)
        for twin in twins:
            other.add(twin)
        other.resume(self.board.turn_state())
        assert other.digest() == self.board.digest()

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
