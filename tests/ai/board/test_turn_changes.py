"""Games in which units join, leave and move together: undo and redo restore points and turn."""

import copy
import itertools
import math
from contextlib import suppress

import hypothesis.strategies as st
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ai import Board, MoveRefused, Unit
from tests.support.reference import cells_of, plain_profiles, thoroughly, tilemaps

TEAMS = ("blue", "red", "green")


class ChangingGame(RuleBasedStateMachine):
    @initialize(tilemap=tilemaps(max_side=4), turns=st.sampled_from(["sides", "wait"]))
    def begin(self, tilemap, turns):
        self.board = Board(tilemap, turns=turns)
        self.cells, self.count = cells_of(tilemap), 0
        self.start = {}  # the cells of units that were added before the first order
        self.is_late = False
        self.settled = 0  # the length of the log when a unit last joined or left

    @rule(data=st.data())
    def join(self, data):
        board, self.count = self.board, self.count + 1
        unit = Unit(
            f"unit {self.count}",
            data.draw(st.sampled_from(self.cells)),
            data.draw(st.sampled_from(TEAMS)),
            data.draw(plain_profiles),
            data.draw(st.sampled_from([0, 1, 3, 6, math.inf])),
            has_zoc=data.draw(st.booleans()),
            wait=data.draw(st.sampled_from([1, 2.5, 10])),
        )
        begun = bool(board.log)
        try:
            board.add(unit)
        except ValueError:
            return
        self.is_late |= begun
        self.start[unit] = unit.cell
        self.settled = len(board.log)

    @rule(data=st.data())
    def leave(self, data):
        if self.board.units:
            unit = data.draw(st.sampled_from(self.board.units))
            self.board.remove(unit)
            del self.start[unit]
            self.settled = len(self.board.log)

    @rule(data=st.data())
    def order(self, data):
        units = self.board.turn.units
        if units:
            unit = data.draw(st.sampled_from(units))
            self.board.move(unit, data.draw(st.sampled_from(self.board.reach(unit).cells)))

    @rule(data=st.data())
    def order_together(self, data):
        """Let some units take random steps, legal or not."""
        board, paths = self.board, {}
        for unit in board.units:
            path = [unit.cell]
            for _ in range(data.draw(st.integers(0, 3))):
                steps = board.situation(unit).steps_from(path[-1])
                path.append(data.draw(st.sampled_from([path[-1], *steps])))
            if data.draw(st.booleans()):
                paths[unit] = path
        before, points = board.digest(), {unit: unit.points for unit in board.units}
        costs = {
            unit: sum(
                board.situation(unit).steps_from(here).get(there, 0)
                for here, there in itertools.pairwise(path)
            )
            for unit, path in paths.items()
        }
        try:
            board.move_together(paths)
        except MoveRefused:
            assert board.digest() == before
            return
        for unit, cost in costs.items():
            assert unit in board.turn.units
            assert cost <= points[unit]
            assert unit.points in (0, points[unit] - cost)

    @rule()
    def end_turn(self):
        self.board.end_turn()

    @rule(steps=st.integers(1, 6))
    def undo_and_redo(self, steps):
        board, digests = self.board, [self.board.digest()]
        while len(digests) <= steps and len(board.log) > self.settled:
            assert board.undo()
            digests.append(board.digest())
        for digest in reversed(digests[:-1]):
            assert board.redo()
            assert board.digest() == digest

    @rule()
    def undo(self):
        with suppress(MoveRefused):  # somebody stands there by now
            self.board.undo()
        self.settled = min(self.settled, len(self.board.log))

    @rule()
    def play_again(self):
        if self.is_late:
            return
        board = self.board
        twins = [
            Unit(u.name, cell, u.team, u.profile, u.move, has_zoc=u.has_zoc, wait=u.wait)
            for u, cell in self.start.items()
        ]
        again = Board.replay(copy.copy(board.tilemap), twins, board.log, turns=board.turns)
        assert (again.digest(), again.log) == (board.digest(), board.log)

    @invariant()
    def somebody_may_act_and_nobody_overspends(self):
        if not hasattr(self, "board"):
            return
        board = self.board
        assert bool(board.turn.units) == bool(board.units)
        for unit in board.units:
            assert 0 <= unit.points <= unit.move


TestChangingGame = ChangingGame.TestCase
TestChangingGame.settings = settings(
    thoroughly(200), stateful_step_count=25, phases=set(Phase) - {Phase.explain}
)
