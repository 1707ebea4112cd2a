"""The log of a board: everything that happened, each entry with what was and what is."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ai.board.turns import TurnState
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


class BoardValues(NamedTuple):
    """The state of all units in their order, and the turn."""

    units: Mapping[str, UnitState]
    turn: TurnState


class UnitChange(NamedTuple):
    """What one unit was and is; None before it arrived, and after it left."""

    name: str
    before: UnitState | None
    after: UnitState | None
    along: tuple[Cell, ...] = ()
    """The cells along which it moved; in a joint move a cell repeats while the unit waits."""
    step_s: float | None = None
    """The duration of each step in a joint move."""
    is_forced: bool = False
    """Whether an action has put it there, and it does not walk."""
    stop: str = ""
    """Why it stopped before the end of its order, as a `Reason`; "" if it did not."""


class Entry(NamedTuple):
    """One entry of a log.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    name : str
        That of the action or of the edit.
    by : str
        The name of the unit that acts; "" if it is none.
    changes : tuple of UnitChange
    order : tuple of str
        The names of all units after it, if units arrived or left; else empty.
    order_before : tuple of str
        The names of all units before it, if units arrived or left; else empty.
    turns : (TurnState, TurnState), optional
        The turn before and after, if it changed.
    edits : tuple of Change
        What changed on the map.
    is_automatic : bool
        Whether no player did it: it is undone with the latest entry of a player before it.
    data : mapping
        What the game keeps of an action.
    """

    kind: str
    name: str = ""
    by: str = ""
    changes: tuple[UnitChange, ...] = ()
    order: tuple[str, ...] = ()
    order_before: tuple[str, ...] = ()
    turns: tuple[TurnState, TurnState] | None = None
    edits: tuple[Change, ...] = ()
    is_automatic: bool = False
    data: Mapping[str, Any] = FrozenMap()

    @classmethod
    def between(
        cls,
        before: BoardValues,
        after: BoardValues,
        walks: Mapping[str, Any],
        **values: Any,  # noqa: ANN401 - of `Entry`
    ) -> "Entry":
        """Return the entry that leads from one state to another; `values` are its other fields."""
        old, new = tuple(before.units), tuple(after.units)
        names = old if old == new else {**before.units, **after.units}
        changes = tuple(
            UnitChange(name, was, now, *_along(walks.get(name, ()) if now else ()))
            for name in names
            if (was := before.units.get(name)) is not (now := after.units.get(name))
            and (was != now or walks.get(name))
        )
        turns = None if before.turn == after.turn else (before.turn, after.turn)
        lists = ((), ()) if old == new else (new, old)
        return cls(changes=changes, order=lists[0], order_before=lists[1], turns=turns, **values)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed."""
        return not (self.changes or self.order != self.order_before or self.turns or self.edits)

    def applied(self, before: BoardValues) -> BoardValues:
        """Return the state after the entry; `KeyError` if it names a unit that is not there."""
        units = dict(before.units)
        for change in self.changes:
            if change.after is None:
                del units[change.name]
            else:
                units[change.name] = change.after
        if self.order != self.order_before:
            units = {name: units[name] for name in self.order}
        return BoardValues(units, before.turn if self.turns is None else self.turns[1])

    def inverse(self) -> "Entry":
        """Return the entry that leads back."""
        return self._replace(
            changes=tuple(UnitChange(each.name, each.after, each.before) for each in self.changes),
            order=self.order_before,
            order_before=self.order,
            turns=None if self.turns is None else self.turns[::-1],
            edits=tuple(edit.inverse() for edit in reversed(self.edits)),
        )


def _along(walks: Sequence[Any]) -> tuple[tuple[Cell, ...], float | None, bool, str]:
    """Return the last fields of a `UnitChange`, for walks in a row or for cells by force."""
    if not walks:
        return (), None, False, ""
    if isinstance(walks[0], Cell):
        return tuple(walks), None, True, ""
    cells = walks[0].cells + tuple(cell for walk in walks[1:] for cell in walk.cells[1:])
    return cells, walks[0].step_s, False, walks[-1].stop


def without_waits(path: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the cells of a path without repetitions in a row."""
    return tuple(cell for cell, _ in itertools.groupby(path))


def without_detours(path: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return a path without its loops, from the same start to the same end.

    A unit ends with the same heading on both paths: the last step that turned it stays.
    """
    turns = [end for end in range(1, len(path)) if path[end][:2] != path[end - 1][:2]]
    last = turns[-1] if turns else 0
    return (*_without_loops(path[:last]), *_without_loops(path[last:]))


def _without_loops(path: Sequence[Cell]) -> list[Cell]:
    """Return a path without the cells between two visits of one cell."""
    kept: dict[Cell, None] = {}  # in the order of the path
    for cell in path:
        if cell in kept:
            while next(reversed(kept)) != cell:
                kept.popitem()
        kept[cell] = None
    return list(kept)


class Log:
    """The entries that were done, and those that were undone and can be done again.

    Automatic steps cannot be undone one by one, but only all of them since a player's last entry.
    So automatic steps in a row are kept as one entry; not on a board with turns, where each step
    spends points.
    """

    def __init__(self, start: BoardValues) -> None:
        self.start = start
        self.done: list[Entry] = []
        self.undone: list[list[Entry]] = []
        """Each a player's entry with the automatic ones after it."""
        self._n_stale = 0

    def add(self, entry: Entry, *, keeps_undone: bool = False) -> None:
        """Add an entry, or extend the automatic moves before it by it."""
        if not (entry.is_automatic or keeps_undone):
            self.undone.clear()
        self._n_stale = len(self.undone)
        if not (self.done and _is_step(entry) and _is_step(self.done[-1])):
            self.done.append(entry)
            return
        last = self.done.pop()
        by_name = {change.name: change for change in last.changes}
        for change in entry.changes:
            before = by_name.pop(change.name, None)
            if before is not None:
                along = without_detours((*before.along, *change.along[1:]))
                change = change._replace(before=before.before, along=along)
            if change.before != change.after:  # else it is back on its cell
                by_name[change.name] = change
        if by_name:
            by = last.by if last.by == entry.by else ""
            self.done.append(last._replace(by=by, changes=tuple(by_name.values())))

    def copy(self) -> "Log":
        """Return a log that goes on independently."""
        made = Log(self.start)
        made.done, made._n_stale = self.done[:], self._n_stale
        made.undone = [entries[:] for entries in self.undone]
        return made

    @property
    def is_stale(self) -> bool:
        """Whether something has happened by itself since the last of `undone` was undone."""
        return self._n_stale >= len(self.undone)

    def forget_undone(self) -> None:
        """Remove the last of `undone`."""
        del self.undone[-1]
        self._n_stale = min(self._n_stale, len(self.undone))

    def join_edits(self, first: int, name: str) -> None:
        """Make one entry of each run of edits from an entry on."""
        later, self.done[first:] = self.done[first:], []
        for is_edit, run in itertools.groupby(later, lambda entry: entry.kind == "edit"):
            entries = list(run)
            if is_edit:
                edits = tuple(edit for entry in entries for edit in entry.edits)
                entries = [entries[0]._replace(name=name, edits=edits)]
            self.done += entries

    def latest(self) -> list[Entry]:
        """Return a player's last entry that is done, if any, with all automatic ones after it."""
        first = len(self.done) - 1
        while first >= 0 and self.done[first].is_automatic:
            first -= 1
        return self.done[first:] if first >= 0 else []


def _is_step(entry: Entry) -> bool:
    """Return whether an entry is an automatic move that spends no points."""
    return (
        entry.kind == "move"
        and entry.is_automatic
        and entry.turns is None
        and all(
            change.before and change.after and change.before.points == change.after.points
            for change in entry.changes
        )
    )
