"""Random orders, undo, redo, added units and edits: the rules of the board hold."""

import copy
import math
import re

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ai import Board, MoveRefused, Unit, plain_reason
from tests.support.reason_claims import CELL
from tests.support.reference import cells_of, profiles, step_cost, thoroughly, tilemaps, walk


def halting(board, unit):
    """Return the cells at which the step rule ends a unit's move, by each enemy's own steps."""
    return {
        end
        for foe in board.units
        if foe.team != unit.team and foe.has_zoc
        for end in board.tilemap.grid.neighbors(foe.cell)
        if step_cost(board.tilemap, foe.profile, foe.cell[:2], end[:2]) < math.inf
    }


class AnyGame(RuleBasedStateMachine):
    @initialize(tilemap=tilemaps(max_side=4))
    def begin(self, tilemap):
        self.board = Board(tilemap)
        self.cells = cells_of(tilemap)
        self.before = {}
        self.added = {}
        self.done = []
        self.undone = []
        self.board.unit_moved.connect(self.check_order)

    def check_order(self, unit, path):
        """Price every order that is done or redone once more, by the map and units of now."""
        foes = {cell for other, cell in self.before.items() if other.team != unit.team}
        allies = {cell for other, cell in self.before.items() if other.team == unit.team}
        tilemap, start = self.board.tilemap, self.before[unit]
        walk(tilemap, unit.profile, path, start, unit.cell[:2], foes)
        assert unit.cell[:2] not in allies
        assert not set(path.cells[1:-1]) & halting(self.board, unit)
        assert path.cost <= unit.move + 1e-9

    def remember(self):
        self.before = {unit: unit.cell[:2] for unit in self.board.units}

    def drawn_cell(self, data):
        return data.draw(st.sampled_from(self.cells))

    @rule(data=st.data(), profile=profiles, move=st.integers(0, 30))
    def add(self, data, profile, move):
        team, has_zoc = data.draw(st.sampled_from(["blue", "red"])), data.draw(st.booleans())
        name = f"unit {len(self.added)}"
        unit = Unit(name, self.drawn_cell(data), team, profile, move, has_zoc=has_zoc)
        why = self.board.navigation.explain_stop(unit.cell, profile)
        if not why and self.board.unit_at(unit.cell) is None:
            self.added[self.board.add(unit)] = unit.cell
            return
        with pytest.raises(ValueError, match=re.escape(why or "already")):
            self.board.add(unit)

    @precondition(lambda self: self.board.units)
    @rule(data=st.data())
    def remove(self, data):
        unit = data.draw(st.sampled_from(self.board.units))
        self.board.remove(unit)
        self.done = [entry for entry in self.done if entry[0] is not unit]
        self.undone = [entry for entry in self.undone if entry[0] is not unit]

    @precondition(lambda self: self.board.units)
    @rule(data=st.data())
    def order(self, data):
        unit = data.draw(st.sampled_from(self.board.units))
        # Mostly what can be done, sometimes just anything.
        within_reach = [cell[:2] for cell in self.board.reach(unit).cells]
        cell = data.draw(st.sampled_from([*within_reach, self.drawn_cell(data)]))
        planned = self.board.plan(unit, cell)
        fresh, twins = self.replayed()
        twin = twins[self.board.units.index(unit)]
        assert fresh.reach(twin).as_costs().tolist() == self.board.reach(unit).as_costs().tolist()
        new = fresh.plan(twin, cell)
        assert (new.cells, new.cost, new.reason) == (planned.cells, planned.cost, planned.reason)
        self.remember()
        if not planned:
            with pytest.raises(MoveRefused, match=re.escape(planned.reason)) as refusal:
                self.board.move(unit, cell)
            assert not CELL.search(plain_reason(str(refusal.value)))
            assert self.places() == self.before
            return
        path = self.board.move(unit, cell)
        assert path.cells == planned.cells
        if len(path) > 1:
            self.done.append((unit, self.before[unit], cell))
            self.undone.clear()

    @precondition(lambda self: self.board.units)
    @rule(data=st.data(), profile=profiles, move=st.integers(0, 30), has_zoc=st.booleans())
    def change(self, data, profile, move, has_zoc):
        """Change what a unit is, after its reach was asked for."""
        unit = data.draw(st.sampled_from(self.board.units))
        self.board.reach(unit)
        unit.profile, unit.move, unit.has_zoc = profile, move, has_zoc
        unit.team = data.draw(st.sampled_from(["blue", "red"]))

    @rule()
    def undo(self):
        self.remember()
        try:
            is_done = self.board.undo()
        except MoveRefused:
            unit, start, _ = self.done[-1]
            assert self.board.unit_at(start) not in (None, unit)
            assert self.places() == self.before
            return
        assert is_done == bool(self.done)
        if is_done:
            unit, start, _ = self.done[-1]
            assert unit.cell[:2] == start
            self.undone.append(self.done.pop())

    @rule()
    def redo(self):
        self.remember()
        try:
            is_done = self.board.redo()
        except MoveRefused:
            unit, _, goal = self.undone[-1]
            assert not self.board.plan(unit, goal)
            assert self.places() == self.before
            return
        assert is_done == bool(self.undone)
        if is_done:
            unit, _, goal = self.undone[-1]
            assert unit.cell[:2] == goal
            self.done.append(self.undone.pop())

    @rule(data=st.data(), level=st.integers(0, 4))
    def edit(self, data, level):
        with self.board.tilemap.edit() as edit:
            edit.set_level(self.drawn_cell(data), level)

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
        units, log = self.board.units, self.board.log
        assert [units[order.unit] for order in log] == [unit for unit, _, _ in self.done]
        fresh, _ = self.replayed()
        assert fresh.digest() == self.board.digest()

    def replayed(self):
        """Make a board that has never answered anything, in the same state, and its units."""
        tilemap = copy.copy(self.board.tilemap)
        twins = [
            Unit(u.name, self.added[u], u.team, u.profile, u.move, has_zoc=u.has_zoc)
            for u in self.board.units
        ]
        return Board.replay(tilemap, twins, self.board.log), twins

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
