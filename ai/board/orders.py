"""Orders: as plain data for a log, as records for undo and redo, and a log carried out again."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ai.board.turns import EndedTurn, Turns, TurnState, turns_of
from ai.board.unit import Unit
from ai.navigation.path import plain_number
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap
from terrain3d.core.checks import (
    finite_number,
    instance_of,
    listed,
    quoted,
    true_or_false,
    whole_within,
)
from terrain3d.grid.grid import CellLike, as_cell


class MoveRefused(ValueError):
    """An order that the rules do not allow; the text says why."""


@dataclass(frozen=True)
class Order:
    """One order of a log, as plain data.

    Parameters
    ----------
    unit : int
        The index in `Board.units` of the unit that moved.
    cells : sequence of cells
        Its path, both ends included; kept as a tuple of `Cell`. If it only turns, its cell.
    spent : number
        The cost of the path on a board with turns; 0 without.
    is_halted : bool
        Whether a zone of control took the rest of its points on a board with turns.
    facing_deg : float, optional
        The heading that the unit turned to where it stands; None if it moved.

    Raises
    ------
    TypeError, ValueError
        The unit is not a whole number >= 0, there are too few cells, or another value is of
        the wrong type or out of its limits.
    """

    unit: int
    cells: Sequence[CellLike]
    spent: float = 0
    is_halted: bool = False
    facing_deg: float | None = None

    def __post_init__(self) -> None:
        """Check the index and freeze the cells."""
        unit = whole_within("an order's unit", self.unit, 0)
        cells = tuple(map(as_cell, listed("an order's cells", self.cells)))
        if self.facing_deg is not None:
            finite_number("an order's facing_deg", self.facing_deg)
            if len(cells) != 1:
                raise ValueError(f"an order to turn needs 1 cell, got {len(cells)}")
        elif len(cells) < 2:
            raise ValueError(f"a path without facing_deg needs at least 2 cells, got {len(cells)}")
        finite_number("an order's spent", self.spent, 0)
        true_or_false("an order's is_halted", self.is_halted)
        object.__setattr__(self, "unit", unit)  # also for whole numbers of other types
        object.__setattr__(self, "cells", cells)

    @property
    def start(self) -> Cell:
        """The first cell of the path."""
        return as_cell(self.cells[0])

    @property
    def goal(self) -> Cell:
        """The last cell of the path."""
        return as_cell(self.cells[-1])


@dataclass(frozen=True)
class TurnEnd:
    """The end of a turn in a log, as plain data.

    Parameters
    ----------
    team : str
        The team whose turn ended.
    unit : int, optional
        With ``turns="wait"``, the index in `Board.units` of the unit whose turn ended; None if it
        has left the board.

    Raises
    ------
    TypeError, ValueError
        The team is not a text, or the unit is not a whole number >= 0.
    """

    team: str
    unit: int | None = None

    def __post_init__(self) -> None:
        """Check team and index."""
        instance_of("team", self.team, str)
        if self.unit is not None:
            object.__setattr__(self, "unit", whole_within("unit", self.unit, 0))


class LogStart(NamedTuple):
    """Where a log begins."""

    cells: tuple[Cell, ...]
    """The cell of each unit of the board."""
    headings_deg: tuple[float, ...]
    turn: Mapping[str, Any]
    """A state as returned by `Board.turn_state`; empty if the log begins with the first turn."""


@dataclass(frozen=True)
class ExecutedOrder:
    """An order that was carried out, with the data that its undo needs."""

    unit: Unit
    cells: tuple[Cell, ...]
    """The path it took; in a joint move a cell repeats while the unit waits."""
    heading_deg: float
    """The heading of the unit before the order."""
    step_s: float | None = None
    """The duration of each step in a joint move."""
    group: object = field(default_factory=object)
    """Shared by the orders of a joint move, which are undone together."""
    is_automatic: bool = False
    """Whether a behavior gave it, not a player."""
    spent: float = 0
    is_halted: bool = False
    before: TurnState | None = None
    """The turn before the order; None on a board without turns."""
    facing_deg: float | None = None
    """The heading that the unit turned to on its cell, if it did not move."""


Executed = ExecutedOrder | EndedTurn
"""What a history holds."""


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


class History:
    """The orders that were done, and those that were undone and can be done again.

    Automatic steps cannot be undone one by one, but only all of them since a player's last order.
    So the automatic steps of a unit are kept as one order; not on a board with turns, where each
    step spends points.
    """

    def __init__(self, turn: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.turn = turn
        """The state of the turn at which it begins, if the board has not begun with it."""
        self.done: list[Executed] = []
        self.undone: list[Executed] = []

    def add(self, order: Executed) -> None:
        """Add an order, or extend the unit's automatic order by it."""
        place = self._place_to_join(order)
        if place is None:
            self.done.append(order)
            return
        before = self.done[place]
        assert isinstance(order, ExecutedOrder)
        assert isinstance(before, ExecutedOrder)
        cells = without_detours((*before.cells, *order.cells[1:]))
        if len(cells) > 1:
            self.done[place] = replace(before, cells=cells)
        else:  # the unit is back on its cell, with the same heading
            del self.done[place]

    def forget(self, unit: Unit, turns: Turns) -> None:
        """Drop all orders of a unit that has left the board, and its turns from undo and redo."""

        def is_gone(order: Executed) -> bool:
            return isinstance(order, EndedTurn) and turns.is_gone(order)

        kept = [order for order in self.done if not _is_of(order, unit)]
        self.done = []
        for order in kept:
            self.add(replace(order, is_automatic=True) if is_gone(order) else order)
        self.undone = [
            order for order in self.undone if not _is_of(order, unit) and not is_gone(order)
        ]

    def _place_to_join(self, order: Executed) -> int | None:
        """Return the index of the unit's automatic order since a player's last order, if any."""
        if not order.is_automatic or order.before is not None or isinstance(order, EndedTurn):
            return None
        for place in reversed(range(len(self.done))):
            before = self.done[place]
            if not before.is_automatic:
                return None
            if _is_of(before, order.unit):
                return place
        return None

    @staticmethod
    def latest(orders: list[Executed]) -> list[Executed]:
        """Return a player's last order, if any, with the rest of its group and all later orders."""
        first = len(orders) - 1
        while first >= 0 and orders[first].is_automatic:
            first -= 1
        if first < 0:
            return []
        while first > 0 and orders[first - 1].group is orders[first].group:
            first -= 1
        return orders[first:]

    def start(self, units: Sequence[Unit]) -> LogStart:
        """Return where units were before the first order that is done."""
        first = {each.unit: each for each in reversed(self.done) if isinstance(each, ExecutedOrder)}
        cells = tuple(first[unit].cells[0] if unit in first else unit.cell for unit in units)
        headings = [(first.get(unit) or unit).heading_deg % 360.0 for unit in units]
        return LogStart(cells, tuple(headings), self.turn)

    def log(self, units: Sequence[Unit]) -> tuple[Order | TurnEnd, ...]:
        """Return what was done as plain data."""
        place = {unit: number for number, unit in enumerate(units)}
        return tuple(_entry(executed, place) for executed in self.done)


def _is_of(executed: Executed, unit: Unit) -> bool:
    return isinstance(executed, ExecutedOrder) and executed.unit is unit


def _entry(executed: Executed, place: Mapping[Unit, int]) -> Order | TurnEnd:
    if isinstance(executed, EndedTurn):
        return TurnEnd(executed.team, place.get(executed.unit) if executed.unit else None)
    cells = without_waits(executed.cells)
    unit, facing_deg = place[executed.unit], executed.facing_deg
    if executed.before is None:
        return Order(unit, cells, facing_deg=facing_deg)
    return Order(unit, cells, executed.spent, executed.is_halted, facing_deg)


def replay_log(
    tilemap: TileMap,
    units: list[Unit],
    turns: str | None,
    log: Sequence[Order | TurnEnd],
    state: Mapping[str, Any],
) -> tuple[Turns, list[Executed]]:
    """Put units on a map, move them along the paths of a log, and return turns and what was done.

    The rules allowed the paths when they were taken. The map and the other units may differ now,
    so the paths are not checked by the rules again. Errors are those of `Board.replay`.
    """
    _check_log(tilemap, units, log)
    try:
        known, done = _replay_turns(turns_of(turns, units), units, log, state)
    except (TypeError, ValueError):
        for unit in units:
            unit.allot(None, 0.0)
        raise
    for unit in units:
        unit.place(tilemap, unit.cell, unit.heading_deg)
    for number, order in enumerate(done):
        if isinstance(order, ExecutedOrder):
            unit = order.unit
            done[number] = replace(order, heading_deg=unit.heading_deg)
            if order.facing_deg is None:
                unit.follow(order.cells)
            heading_deg = unit.heading_deg if order.facing_deg is None else order.facing_deg
            unit.place(tilemap, unit.cell, heading_deg)
    return known, done


def _replay_turns(
    turns: Turns, units: list[Unit], log: Sequence[Order | TurnEnd], state: Mapping[str, Any]
) -> tuple[Turns, list[Executed]]:
    """Let units spend their points as in a log; return what was done, yet without headings."""
    turns.expect(each.team if isinstance(each, TurnEnd) else units[each.unit].team for each in log)
    for unit in units:
        turns.enter(unit)
    if state:
        turns.resume(state)
    done: list[Executed] = []
    for number, entry in enumerate(log):
        if isinstance(entry, TurnEnd):
            done.append(_replay_end(number, entry, units, turns))
            continue
        unit, cells = units[entry.unit], tuple(map(as_cell, entry.cells))
        why = turns.reason(unit)
        if turns.order is None and (entry.spent or entry.is_halted):
            why = "the board has no turns"
        elif turns.order and entry.spent > unit.points * (1 + 1e-12):
            why = f"it has {plain_number(unit.points)}"
        if why:
            what = f"spends {plain_number(entry.spent)} points of {unit.name}"
            raise ValueError(f"entry {number} of the log {what}, but {why}")
        order = ExecutedOrder(unit, cells, 0.0, spent=entry.spent, is_halted=entry.is_halted)
        done.append(replace(order, before=turns.before([unit]), facing_deg=entry.facing_deg))
        turns.spend(unit, entry.spent, is_halted=entry.is_halted)
    return turns, done


def _replay_end(number: int, entry: TurnEnd, units: list[Unit], turns: Turns) -> EndedTurn:
    """End a turn as in a log, unless its units are gone."""
    turn, unit = turns.turn, None if entry.unit is None else units[entry.unit]
    ended = EndedTurn(entry.team, unit, turns.before(units))
    is_gone = turns.is_gone(ended)
    if turn is None or (not is_gone and (turn.team, turns.acting) != (entry.team, unit)):
        now = "the board has no turns" if turn is None else f"it is {turns.whose}'s turn"
        raise ValueError(f"entry {number} of the log ends a turn of {entry.team}, but {now}")
    if is_gone:
        turns.pass_over()
    else:
        turns.end()
    return replace(ended, is_automatic=is_gone)


def _check_log(tilemap: TileMap, units: Sequence[Unit], log: Sequence[Order | TurnEnd]) -> None:
    """Raise an error if the log does not fit the units on their first cells."""
    placed = [unit.name for unit in units if instance_of("units", unit, Unit).is_placed]
    if placed:
        raise ValueError(f"{placed[0]} is on another board already")
    for name, count in Counter(unit.name for unit in units).most_common(1):
        if count > 1:
            raise ValueError(f"{count} units are named {quoted(name)}")
    places = [_within(tilemap, unit, unit.cell) for unit in units]
    for number, entry in enumerate(log):
        if not isinstance(entry, Order | TurnEnd):
            raise TypeError(f"order {number} of the log must be an Order, got {quoted(entry)}")
        if entry.unit is not None and entry.unit >= len(units):
            raise IndexError(f"order {number} is for unit {entry.unit} of {len(units)} units")
        if isinstance(entry, Order):
            unit, place = units[entry.unit], places[entry.unit]
            if entry.start != place:
                problem = f"starts at {entry.start}, {unit.name} stands on {place}"
                raise ValueError(f"order {number} of the log {problem}")
            *_, places[entry.unit] = (_within(tilemap, unit, as_cell(cell)) for cell in entry.cells)
    _check_overlap(units, places)


def _within(tilemap: TileMap, unit: Unit, cell: Cell) -> Cell:
    """Return a cell whose tiles all lie in columns of the map; the deck may be gone since."""
    for tile in tiles_of(cell, unit.profile):
        tilemap.grid.within(tile)
    return cell


def _check_overlap(units: Sequence[Unit], places: Sequence[Cell]) -> None:
    """Raise `ValueError` if two units hold one tile."""
    holder: dict[Cell, Unit] = {}
    for unit, place in zip(units, places, strict=True):
        for tile in tiles_of(place, unit.profile):
            other = holder.setdefault(tile, unit)
            if other is not unit:
                raise ValueError(f"{other.name} and {unit.name} would both stand on {tile}")
