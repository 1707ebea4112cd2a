"""Runs a behavior for each autonomous unit of a board."""

from dataclasses import dataclass

from ai.behaviors.behavior import Behavior
from ai.board.board import Board
from ai.board.log import Entry
from ai.board.state import Turn
from ai.board.unit import Unit
from terrain3d import Cell, Node, Signal
from terrain3d.core.checks import instance_of, number_within

REST_S = 0.25
"""Seconds between two decisions of a unit that stays on its cell."""


@dataclass
class _Assigned:
    """The behavior of one autonomous unit, and when and why the unit rests."""

    behavior: Behavior
    rest_s: float = 0.0
    reason: str = ""  # why the unit stays


class Autopilot(Node):
    """Moves units by behaviors, one step at a time.

    Each step is a normal order: the board checks it, announces it, and undoes it together with the
    last order that a player gave. On a board with turns, the units whose turn it is act one by one,
    until each of them stays, has no points, or has gone in a circle. If all of them have behaviors,
    the turn then ends. Nobody acts while an edit or a stroke of the map is open.

    Parameters
    ----------
    board : Board

    Examples
    --------
    ::

        autopilot = tree.root.add_child(Autopilot(board))
        autopilot.assign(wolf, Chase(goose))
        autopilot.assign(guard, Patrol([guard.cell, (3, 7)]))
        autopilot.assign(wolf, None)  # it waits for orders again
    """

    changed = Signal("unit")
    """The unit has another behavior, or stays for another reason."""

    def __init__(self, board: Board, name: str = "") -> None:
        super().__init__(name)
        self._board = instance_of("board", board, Board)
        self._assigned: dict[Unit, _Assigned] = {}
        self._stayed: set[Unit] = set()  # in this turn
        self._seen: set[tuple[Unit, Cell, float]] = set()  # in this turn, with the points left
        board.changed.connect(self._follow, weak=True)

    def behavior_of(self, unit: Unit) -> Behavior | None:
        """Return the unit's behavior; None if the unit waits for orders."""
        instance_of("a unit", unit, Unit)
        return self._assigned[unit].behavior if unit in self._assigned else None

    def reason_of(self, unit: Unit) -> str:
        """Return why an autonomous unit stays on its cell; "" if it moves or waits for orders."""
        instance_of("a unit", unit, Unit)
        return self._assigned[unit].reason if unit in self._assigned else ""

    def assign(self, unit: Unit, behavior: Behavior | None) -> None:
        """Start a behavior for a unit, or stop its behavior with None.

        Parameters
        ----------
        unit : Unit
        behavior : Behavior, optional
            One object for each unit: a behavior keeps state about its mover.

        Raises
        ------
        ValueError
            The unit is not on the board, or the behavior moves another unit.
        TypeError
            It is not a behavior.
        """
        self._board.state_of(unit)
        if behavior is None:
            self._assigned.pop(unit, None)
        else:
            self._check_own(unit, instance_of("behavior", behavior, Behavior))
            self._assigned[unit] = _Assigned(behavior)
        self._stayed.discard(unit)
        self._seen = {state for state in self._seen if state[0] is not unit}
        self.changed.emit(unit)

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass: each unit that has arrived takes its next step.

        Raises
        ------
        TypeError, ValueError
            `dt_s` is not a number >= 0.
        """
        number_within("dt_s", dt_s, 0)
        if self._board.tilemap.is_editing:
            return
        turn = self._board.turn
        for unit, assigned in tuple(self._assigned.items()):
            assigned.behavior.advance(dt_s)
            assigned.rest_s -= dt_s
            is_current = self._assigned.get(unit) is assigned  # a listener may have changed it
            is_free = turn is None and is_current and not unit.is_moving
            if is_free and assigned.rest_s <= 0:
                self._step(unit, assigned)
        if turn is not None:
            self._advance_turn(turn)

    def _step(self, unit: Unit, assigned: _Assigned) -> bool:
        """Let a unit take its next step; False if it stays."""
        path = self._board.act(unit, assigned.behavior, is_automatic=True)
        assigned.rest_s = 0.0 if path else REST_S
        before, assigned.reason = assigned.reason, path.reason
        if assigned.reason != before:
            self.changed.emit(unit)
        return bool(path)

    def _advance_turn(self, turn: Turn) -> None:
        """Let the next unit of a turn act, once nobody walks; end the turn after the last."""
        if any(unit.is_moving for unit in self._board.units):
            return
        for unit in turn.units:
            assigned = self._assigned.get(unit)
            if assigned is None or unit in self._stayed:
                continue
            state = unit, unit.cell, unit.points
            is_back = state in self._seen  # free steps could go on forever
            self._seen.add(state)
            if is_back or not self._step(unit, assigned) or unit.points == 0:
                self._stayed.add(unit)
            return
        if turn.units and all(unit in self._assigned for unit in turn.units):
            self._board.end_turn(is_automatic=True)

    def _follow(self, entry: Entry) -> None:
        for change in entry.changes:
            if change.after is None:
                self._assigned.pop(self._board.unit(change.unit), None)
        if entry.begins_turn or entry.is_undo or entry.is_redo:
            self._stayed.clear()
            self._seen.clear()

    def _process(self, dt_s: float) -> None:
        self.advance(dt_s)

    def _check_own(self, unit: Unit, behavior: Behavior) -> None:
        """Raise `ValueError` for a behavior that moves another unit."""
        for other, assigned in self._assigned.items():
            if assigned.behavior is behavior and other is not unit:
                name = type(behavior).__name__
                raise ValueError(f"this {name} moves {other.name}; each unit needs its own")
