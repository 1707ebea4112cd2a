"""Replay a log: move units along its paths to where they stood at its end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai.board.orders import Executed, ExecutedOrder, Order, TurnEnd
from ai.board.turns import EndedTurn, Turns, turns_of
from ai.board.unit import Unit
from ai.navigation.path import plain_number
from ai.rules.footprint import tiles_of
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import as_cell


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
        now = "the board has no turns" if turn is None else f"it is {turns.whose}"
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
            raise ValueError(f"{count} units are named {name!r}")
    places = [_within(tilemap, unit, unit.cell) for unit in units]
    for number, entry in enumerate(log):
        if not isinstance(entry, Order | TurnEnd):
            raise TypeError(f"order {number} of the log must be an Order, got {entry!r}")
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
