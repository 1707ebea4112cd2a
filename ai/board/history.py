"""What a board does by entries of its log: makes them, undoes them and does them again."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ai.board.action import Draft
from ai.board.log import BoardValues, Entry, Log, MoveRefused, without_waits
from ai.board.occupancy import Occupancy, path_along, refusal
from ai.board.turns import Turn, TurnState, turns_of
from ai.board.unit import Unit, UnitState, Walk, json_like
from ai.navigation.navigation import Navigation
from ai.rules.footprint import tiles_of
from ai.rules.step_rule import check_names
from terrain3d import Reason, TileMap
from terrain3d.map.change import Change

if TYPE_CHECKING:
    from ai.board.board import Board


class _Snapshot(NamedTuple):
    """What an entry that fails returns to."""

    values: BoardValues
    walks: dict[Unit, tuple[Walk, ...]]
    """Of all units."""


class History:
    """The log of a board, and the state that its entries change. Used by the board alone."""

    def __init__(self, board: "Board", occupancy: Occupancy) -> None:
        self._board, self._occupancy = board, occupancy
        self.gone: dict[str, Unit] = {}
        """Units that have left, for undo."""
        self.open_draft: Draft | None = None
        self.is_replaying = self._is_announcing = False
        self._is_beginning_turn = False
        self.log = Log(self.values())
        self._tilemap.edited.connect(self.add_edit, weak=True)

    @property
    def _navigation(self) -> Navigation:
        return self._occupancy.navigation

    @property
    def _tilemap(self) -> TileMap:
        return self._occupancy.navigation.tilemap

    def admit(self, unit: Unit) -> None:
        """Put a unit on the board that is known to be right."""
        unit._place(self._tilemap, self.assign, unit.state)
        self._occupancy.units.append(unit)

    def clear(self) -> None:
        """Begin a new log with the state now."""
        self.gone.clear()
        self.log = Log(self.values())

    def undo(self) -> bool:
        """Undo the last entry of a player; see `Board.undo`."""
        self.refuse_inside("undo")
        entries = self.log.latest()
        if not entries:
            return False
        whose = self.whose_turn()
        self.apply([entry.inverse() for entry in reversed(entries)], is_walked=False)
        del self.log.done[-len(entries) :]
        self.log.undone.append(entries)
        self.announce(self._calls_of_undo(entries, whose))
        return True

    def redo(self, entries: list[Entry]) -> None:
        """Do the entries again that were undone last, or some of them."""
        calls = self.apply(entries)
        self.log.done += entries
        self.log.forget_undone()
        self.announce(calls)

    def _named(self, name: str) -> Unit:
        """Return a unit that is on the board, or was; `KeyError` without one."""
        return self._occupancy.find(name) or self.gone[name]

    def whose_turn(self) -> object:
        """Return a value that differs for different turns."""
        turns = self._occupancy.turns
        unit = turns.acting
        return turns.order and (turns.state.number, unit.team if unit else turns.team, unit)

    def announce_turn(self) -> None:
        """Emit `turn_began`, on a board with turns."""
        turn, outer = self._occupancy.turns.turn, self._is_beginning_turn
        if turn is not None:
            self._is_beginning_turn = True
            try:
                self._board.turn_began.emit(turn)
            finally:
                self._is_beginning_turn = outer

    def values(self) -> BoardValues:
        """Return the state now."""
        states = [unit.state for unit in self._occupancy.units]
        return BoardValues({each.name: each for each in states}, self._occupancy.turns.state)

    @contextmanager
    def draft(
        self,
        kind: str,
        *,
        keeps_undone: bool = False,
        **values: Any,  # noqa: ANN401 - of `Entry`
    ) -> Iterator[Draft]:
        """Make one entry of what happens in a `with` block, or nothing of it if an error is raised.

        In an open action it joins that.
        """
        if self.open_draft is not None:
            yield self.open_draft
            return
        if self.is_replaying:
            raise RuntimeError("a board cannot act while it undoes, redoes or replays")
        values["is_automatic"] = values.get("is_automatic", False) or self._is_beginning_turn
        before, whose, draft = self._snapshot(), self.whose_turn(), Draft(kind)
        is_forced = kind in {"action", "change"}
        units = self._occupancy.units if is_forced else ()
        has_surface = self._tilemap.has_surface
        lost = {unit for unit in units if not all(map(has_surface, unit.cells))}
        self.open_draft = draft
        try:
            yield draft
            if is_forced:
                self._check_places(before.values, lost)
                values["data"] = json_like("data", draft.data)
        except BaseException:
            self._restore(before, draft.edits)
            raise
        finally:
            self.open_draft = None
        walks: dict[str, Sequence[Any]] = dict(draft.slides)
        for unit, made in draft.walks.items():
            slide = walks.get(unit.name)
            later = [cell for walk in made for cell in walk.cells[1:]]
            walks[unit.name] = made if slide is None else (*slide, *later)
        edits = tuple(draft.edits)
        entry = Entry.between(before.values, self.values(), walks, kind=kind, edits=edits, **values)
        if entry.is_empty and kind != "action":
            return
        self.log.add(entry, keeps_undone=keeps_undone)
        if kind == "action":
            draft.signals.append(partial(self._board.acted.emit, entry))
        if draft.begins_turn or self.whose_turn() != whose:
            draft.signals.append(self.announce_turn)
        begun = ((unit, walk) for unit, made in draft.walks.items() for walk in made)
        starts = [partial(unit._begin_walk, walk) for unit, walk in begun if len(walk.cells) > 1]
        _call_all([*starts, *draft.signals])

    def add_edit(self, change: Change) -> None:
        """Add an entry for a change of the map, or let it join the open action."""
        if self.open_draft is not None:
            self.open_draft.edits.append(change)
        elif not self.is_replaying:
            is_automatic = self._is_beginning_turn
            self.log.add(Entry("edit", change.name, edits=(change,), is_automatic=is_automatic))

    def refuse_inside(self, what: str, *, also_signals: bool = True) -> None:
        """Raise `RuntimeError` in an action, undo, redo or replay, or only until that is done."""
        is_done = self._is_announcing and not also_signals
        if self.open_draft is not None or (self.is_replaying and not is_done):
            raise RuntimeError(f"a board cannot {what} inside an action, undo, redo or replay")

    def _snapshot(self) -> _Snapshot:
        return _Snapshot(self.values(), {unit: unit.walks for unit in self._occupancy.units})

    def _restore(self, before: _Snapshot, edits: Sequence[Change]) -> None:
        """Return to a state after an error, in which the map had not been edited yet."""
        self._change_map([edit.inverse() for edit in reversed(edits)])
        for unit in self._occupancy.units:
            if unit not in before.walks:
                unit._leave()
        states = before.values.units.values()
        for (unit, walks), state in zip(before.walks.items(), states, strict=True):
            unit._place(self._tilemap, self.assign, state, walks)
        self._occupancy.units[:] = before.walks
        self._set_turn(before.values.turn)

    def _set_turn(self, turn: TurnState) -> None:
        if turn.order != self._occupancy.turns.order:
            self._occupancy.turns = turns_of(
                turn.order, self._occupancy.units, self._occupancy.sides
            )
        self._occupancy.turns.state = turn

    def _change_map(self, edits: Iterable[Change]) -> None:
        """Make changes of the map that are no entries of their own."""
        outer, self.is_replaying = self.is_replaying, True
        try:
            for edit in edits:
                self._tilemap.revert(edit.inverse())
        finally:
            self.is_replaying = outer

    def apply(
        self, entries: Sequence[Entry], *, is_walked: bool = True
    ) -> list[Callable[[], object]]:
        """Bring the board to the state after some entries, and return what to emit then.

        Units walk there, or without `is_walked` are there at once, and nothing is to be emitted.
        If it is not possible, nothing has changed.
        """
        before = self._snapshot()
        edits, calls = list[Change](), list[Callable[[], object]]()
        try:
            for entry in entries:
                for edit in entry.edits:
                    self._change_map([edit])
                    edits.append(edit)
                ended, whose = self._occupancy.turns.turn, self.whose_turn()
                self._apply_changes(entry, is_walked=is_walked)
                if is_walked:
                    calls += self._calls_of(entry, ended)
                    if entry.kind == "turns" or self.whose_turn() != whose:
                        calls.append(self.announce_turn)
        except BaseException:
            self._restore(before, edits)
            raise
        return calls

    def _apply_changes(self, entry: Entry, *, is_walked: bool) -> None:
        for change in entry.changes:
            if change.before is None and change.after is not None:
                self.gone.setdefault(change.name, Unit._of(change.after))
            unit = self._named(change.name)
            if change.after is None:
                self.gone[change.name] = unit
                unit._leave()
            elif len(change.along) > 1 and is_walked and not change.is_forced:
                if not unit.is_placed:
                    start = change.after._replace(cell=change.along[0])
                    unit._place(self._tilemap, self.assign, start)
                walk = unit._plan_walk(change.along, change.step_s)
                unit.state = change.after
                unit._begin_walk(walk)
            elif not unit.is_placed or unit.cell != change.after.cell:
                unit._place(self._tilemap, self.assign, change.after)
            else:
                unit.state = change.after
        if entry.order != entry.order_before:
            known = self.gone | {unit.name: unit for unit in self._occupancy.units}
            self._occupancy.units[:] = [known[name] for name in entry.order]
        if entry.turns is not None:
            self._set_turn(entry.turns[1])

    def _calls_of(self, entry: Entry, ended: Turn | None) -> Iterator[Callable[[], object]]:
        """Yield what emits the signals of an entry that is done again."""
        for change in entry.changes:
            unit = self._named(change.name)
            if change.before is None or change.after is None:
                signal = (
                    self._board.unit_added if change.before is None else self._board.unit_removed
                )
                yield partial(signal.emit, unit)
            elif entry.kind == "move" and len(change.along) > 1:
                route = self._navigation.price(without_waits(change.along), unit.profile)
                yield partial(self._board.unit_moved.emit, unit, path_along(route, self._tilemap))
            elif entry.kind == "face":
                yield partial(self._board.unit_turned.emit, unit)
        if entry.kind == "action":
            yield partial(self._board.acted.emit, entry)
        if entry.kind == "end turn":
            yield partial(self._board.turn_ended.emit, ended)

    def _calls_of_undo(
        self, entries: Sequence[Entry], whose: object
    ) -> Iterator[Callable[[], object]]:
        """Yield what emits the signals of entries that were undone; `whose` turn it was then."""
        then: dict[str, UnitState | None] = {}
        for change in (change for entry in reversed(entries) for change in entry.changes):
            then.setdefault(change.name, change.after)
        for name, old in then.items():
            unit = self._occupancy.find(name)
            if unit is None:
                yield partial(self._board.unit_removed.emit, self.gone[name])
            elif old is None:
                yield partial(self._board.unit_added.emit, unit)
            elif (old.cell, old.heading_deg) != (unit.cell, unit.heading_deg):
                yield partial(self._board.unit_returned.emit, unit, unit.cell)
        if any(entry.kind == "turns" for entry in entries) or self.whose_turn() != whose:
            yield self.announce_turn

    def announce(self, calls: Iterable[Callable[[], object]]) -> None:
        """Emit signals of what is done, in which the board cannot act."""
        self.is_replaying = self._is_announcing = True
        try:
            _call_all(calls)
        finally:
            self.is_replaying = self._is_announcing = False

    def _check_places(self, before: BoardValues, lost: Collection[Unit]) -> None:
        """Raise `MoveRefused` if a unit stands on nothing, or two on one tile.

        Units whose ground was gone before, and which stay there, do not count.
        """
        for unit in self._occupancy.units:
            was = before.units.get(unit.name)
            if unit in lost and was and tiles_of(was.cell, was.profile) == unit.cells:
                continue
            why = self._occupancy.stand_reason(unit)
            if why:
                raise MoveRefused(refusal(unit, why))

    def check_again(self, entry: Entry) -> None:
        """Raise `MoveRefused` if an entry that was undone cannot be done as it was."""
        before = self._snapshot()
        now = before.values
        is_same = all(now.units.get(each.name) == each.before for each in entry.changes)
        if entry.order != entry.order_before:
            is_same = is_same and entry.order_before == tuple(now.units)
        if not is_same or (entry.turns is not None and entry.turns[0] != now.turn):
            raise MoveRefused(Reason("plan_before_moves"))
        try:
            self.apply([entry], is_walked=False)
        except ValueError:  # the map has changed
            raise MoveRefused(Reason("plan_before_edit")) from None
        try:
            self._check_places(now, ())
        finally:
            self._restore(before, entry.edits)

    def assign(self, unit: Unit, values: dict[str, Any]) -> None:
        """Change values of a unit, as an entry of its own or in an open action.

        `ValueError` for a profile with a kind that the map does not have.
        """
        if "profile" in values:
            check_names(values["profile"], self._board.tilemap)
        with self.draft("change", by=unit.name):
            unit.state = unit.state._replace(**values)
            if "team" in values:
                self._occupancy.turns.change_team(unit)


def _call_all(calls: Iterable[Callable[[], object]]) -> None:
    """Call all in order, also if one raises."""
    rest = iter([*calls])
    try:
        for call in rest:
            call()
    except BaseException:
        _call_all(rest)
        raise
