"""The log of a game: entries with the states before and after them, and what happened between."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ai.board.state import GameState, differences
from ai.board.unit import FrozenMap, UnitState
from terrain3d import Cell, Reason
from terrain3d.map.change import Change

KINDS = ("move", "face", "end turn", "add", "remove", "change", "turns", "edit", "action")
"""The kinds of entries."""


class MoveRefused(ValueError):
    """An order that the rules do not allow; the text says why.

    Attributes
    ----------
    reason : Reason
        The text and its data, also for `plain_reason`.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Walked(NamedTuple):
    """The cells over which a unit went in an entry, and how."""

    cells: tuple[Cell, ...]
    """In a joint move a cell repeats while the unit waits."""
    step_s: float | None = None
    """The duration of each step in a joint move."""
    is_forced: bool = False
    """Whether an action has put it there, and it does not walk."""

    def then(self, later: Walked) -> Walked:
        """Return what a unit has walked that then goes on."""
        if later.is_forced:
            return Walked(without_waits((*self.cells, *later.cells)), is_forced=True)
        step_s = None if self.is_forced else self.step_s
        return Walked((*self.cells, *later.cells[1:]), step_s, self.is_forced)


NO_WALK = Walked(())
NO_WALKS: Mapping[int, Walked] = cast(Mapping[int, Walked], FrozenMap())


class UnitChange(NamedTuple):
    """What one unit was and is; None before it arrived, and after it left."""

    before: UnitState | None
    after: UnitState | None
    walked: Walked = NO_WALK

    @property
    def unit(self) -> UnitState:
        """The unit after it; before it, if it has left."""
        state = self.after or self.before
        assert state is not None
        return state

    @property
    def name(self) -> str:
        """The name of the unit."""
        return self.unit.name

    @property
    def along(self) -> tuple[Cell, ...]:
        """The cells over which it went, from the one where it was."""
        return self.walked.cells


class Entry(NamedTuple):
    """One entry of a log.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    before, after : GameState
        The states of the game. What an entry has changed is their difference, see `changes`.
    name : str
        That of the action or of the edit.
    by : str
        The name of the unit that acts, or of the unit or team whose turn ends; "" if it is none.
    walks : mapping from int to Walked
        Where units went, by `UnitState.number`.
    edits : tuple of Change
        What changed on the map.
    is_automatic : bool
        Whether no player did it: it is undone with the latest entry of a player before it.
    data : mapping
        What the game keeps of an action.
    is_undo : bool
        Whether it is the way back, as `Board.changed` emits it when an entry is undone.
    is_redo : bool
        Whether it is done again, as `Board.changed` emits it then.
    """

    kind: str
    before: GameState
    after: GameState
    name: str = ""
    by: str = ""
    walks: Mapping[int, Walked] = NO_WALKS
    edits: tuple[Change, ...] = ()
    is_automatic: bool = False
    data: Mapping[str, Any] = FrozenMap()
    is_undo: bool = False
    is_redo: bool = False

    @property
    def changes(self) -> tuple[UnitChange, ...]:
        """Each unit that differs before and after, or has walked."""
        walks = self.walks
        return tuple(
            UnitChange(before, after, walks.get(number, NO_WALK) if walks else NO_WALK)
            for number, before, after in differences(self.before, self.after)
            if before != after or number in walks
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed."""
        return self.before == self.after and not self.edits and not self.walks

    @property
    def begins_turn(self) -> bool:
        """Whether another turn has begun."""
        return self.kind == "turns" or self.before.turn_key != self.after.turn_key

    def inverse(self) -> Entry:
        """Return the entry that leads back, at once."""
        edits = tuple(edit.inverse() for edit in reversed(self.edits))
        return self._replace(
            before=self.after, after=self.before, walks=NO_WALKS, edits=edits, is_undo=True
        )


def without_waits(path: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the cells of a path without repetitions in a row."""
    return tuple(cell for cell, _ in itertools.groupby(path))


Undone = tuple[int, list[Entry]]
"""The place in a log of a player's entry, and the entry with the automatic ones after it."""


class Log:
    """The entries that were done, and those that were undone and can be done again.

    Automatic steps cannot be undone one by one, but only all of them since a player's last entry.
    So without turns, where they spend no points, automatic steps in a row are kept as one entry,
    without the cells between.
    """

    def __init__(self, done: Sequence[Entry] = (), undone: Sequence[Undone] = ()) -> None:
        self.done, self.undone = [*done], [*undone]

    def add(self, entry: Entry) -> None:
        """Add an entry, or extend the automatic steps before it by it.

        After an automatic entry what was undone can still be done again, unless units arrived.
        """
        if not entry.is_automatic or entry.before.n_added != entry.after.n_added:
            self.undone.clear()
        is_free = not self.undone or len(self.done) > self.undone[-1][0]
        if not (is_free and self.done and _is_step(entry) and _is_step(self.done[-1])):
            self.done.append(entry)
            return
        last = self.done.pop()
        by = last.by if last.by == entry.by else ""
        joined = last._replace(after=entry.after, by=by, walks=NO_WALKS)
        if not joined.is_empty:  # else all are back on their cells
            self.done.append(joined)

    @property
    def place(self) -> int:
        """The place of a player's last entry that is done; -1 without one."""
        places = reversed(range(len(self.done)))
        return next((place for place in places if not self.done[place].is_automatic), -1)

    def undo(self) -> list[Entry]:
        """Take back a player's last entry, with all automatic ones after it; [] without one."""
        place = self.place
        if place < 0:
            return []
        entries = self.done[place:]
        del self.done[place:]
        self.undone.append((place, entries))
        return entries

    def redo(self) -> tuple[list[Entry], list[Entry]]:
        """Put back what was undone last; return the automatic entries since, and what is redone."""
        place, entries = self.undone.pop()
        since = self.done[place:]
        self.done[place:] = entries
        return since, entries


def _is_step(entry: Entry) -> bool:
    """Return whether an entry is an automatic move that spends no points."""
    return entry.kind == "move" and entry.is_automatic and entry.before.order is None
