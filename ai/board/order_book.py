"""Carry out, undo and redo the orders to the units on a map.

Replay a log: move units along its paths to where they stood at its end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from ai.board.occupancy import JointPaths, Occupancy, Plan, joint_move_reason, path_along, refusal
from ai.board.orders import Executed, ExecutedOrder, History, Order, TurnEnd
from ai.board.turns import EndedTurn, Turn, Turns, turns_of
from ai.board.unit import Unit
from ai.motion.motion import Point
from ai.navigation.path import Path, plain_number
from ai.rules.footprint import tiles_of
from terrain3d import Cell, Reason, Signal, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import as_cell


class MoveRefused(ValueError):
    """An order that the rules do not allow; the text says why."""


@dataclass(frozen=True)
class OrderSignals:
    """The signals of a board that orders emit."""

    unit_moved: Signal
    unit_turned: Signal
    unit_returned: Signal
    turn_ended: Signal
    turn_began: Signal


class OrderBook:
    """Carries out the orders to the units on a map, and keeps them for undo and redo."""

    def __init__(self, occupancy: Occupancy, signals: OrderSignals) -> None:
        self._occupancy, self._signals = occupancy, signals
        self.history = History()

    def restart(self) -> None:
        """Forget all orders and announce the turn."""
        self.history = History(self._occupancy.turns.as_dict())
        self.announce_turn()

    def announce_turn(self) -> None:
        """Emit `turn_began`, on a board with turns."""
        turn = self._occupancy.turns.turn
        if turn is not None:
            self._signals.turn_began.emit(turn)

    def allowed_path(self, unit: Unit, cell: Cell) -> Plan:
        """Return the path of an order to a cell; `MoveRefused` if the rules do not allow it."""
        return self.allowed(self._occupancy.plan(unit, cell))

    def allowed(self, plan: Plan) -> Plan:
        """Return a plan; `MoveRefused` if the rules do not allow it, or anything has changed."""
        why = self._occupancy.outdated_reason(plan) or ("" if plan else plan.reason)
        if why:
            raise MoveRefused(refusal(plan.unit, why))
        return plan

    def allowed_paths(self, cells: JointPaths) -> dict[Unit, Path]:
        """Return the paths of a joint move; `MoveRefused` if the rules do not allow it."""
        tiles = [tile for unit in cells for tile in unit.cells]
        situations = {
            unit: self._occupancy.options(unit).situation.without(tiles) for unit in cells
        }
        waits = ((unit, self._occupancy.turns.reason(unit)) for unit in cells)
        late = (refusal(unit, why) for unit, why in waits if why)
        why = next(late, "") or joint_move_reason(self._occupancy.navigation, cells, situations)
        if why:
            raise MoveRefused(why)
        return {unit: path_along(path, situations[unit]) for unit, path in cells.items()}

    def facing_point(self, unit: Unit) -> Point:
        """Return where a unit stands, from where it may turn now; `MoveRefused` if it may not."""
        self._occupancy.check_known(unit)
        why = "it is still walking" if unit.is_moving else self._occupancy.turns.reason(unit)
        if why:
            raise MoveRefused(Reason("{} cannot turn: {}", unit.name, why))
        return unit.pose.point

    def move(
        self,
        cells: JointPaths,
        paths: dict[Unit, Path],
        step_s: float | None = None,
        *,
        is_automatic: bool = False,
        is_redo: bool = False,
    ) -> None:
        """Carry out an order: start all units, also if a listener raises, and emit `unit_moved`.

        Units whose path has one cell stay. After an order of a player nothing can be redone, unless
        it is itself redone.
        """
        moving = {unit: path for unit, path in paths.items() if len(path) > 1}
        if moving and not (is_automatic or is_redo):
            self.history.undone.clear()
        group, turns = object(), self._occupancy.turns
        for unit, path in moving.items():
            order = ExecutedOrder(
                unit, tuple(cells[unit]), unit.heading_deg, step_s, group, is_automatic
            )
            if turns.order is not None:
                situation = self._occupancy.options(unit).situation
                is_halted, before = situation.is_halting(path.cells[-1]), turns.before([unit])
                order = replace(order, spent=path.cost, is_halted=is_halted, before=before)
                turns.spend(unit, path.cost, is_halted=is_halted)
            self.history.add(order)
        with ExitStack() as calls:  # runs the last callback first, and the rest if one raises
            for unit, path in reversed(moving.items()):
                calls.callback(self._signals.unit_moved.emit, unit, path)
            for unit in reversed(moving):
                calls.callback(unit.follow, cells[unit], step_s)

    def turn(self, unit: Unit, heading_deg: float, *, is_redo: bool = False) -> None:
        """Turn a unit where it stands; see `move`."""
        if not is_redo:
            self.history.undone.clear()
        before, cells = self._occupancy.turns.before([unit]), (unit.cell,)
        self.history.add(
            ExecutedOrder(unit, cells, unit.heading_deg, before=before, facing_deg=heading_deg)
        )
        unit.place(self._occupancy.navigation.tilemap, unit.cell, heading_deg)
        self._signals.unit_turned.emit(unit)

    def end_turn(self, *, is_automatic: bool = False, is_redo: bool = False) -> Turn:
        """End the turn, unless there are no units, and return the next one; see `move`."""
        turns, units = self._occupancy.turns, self._occupancy.units
        ended, unit = turns.turn, turns.acting
        if ended is not None and not units:
            return ended
        before = turns.before(units)
        turns.end()
        assert ended is not None
        self.history.add(EndedTurn(ended.team, unit, before, is_automatic))
        if not (is_automatic or is_redo):
            self.history.undone.clear()
        began = turns.turn
        assert began is not None
        with ExitStack() as calls:
            calls.callback(self._signals.turn_began.emit, began)
            calls.callback(self._signals.turn_ended.emit, ended)
        return began

    def undo(self) -> bool:
        """Undo the last order; see `Board.undo`."""
        history, tilemap = self.history, self._occupancy.navigation.tilemap
        orders = history.latest(history.done)
        if not orders:
            return False
        moves = _moves(orders)
        first_orders = {order.unit: order for order in reversed(moves)}
        for unit, order in first_orders.items():
            why = self._occupancy.stand_reason(unit, order.cells[0], first_orders)
            if why:
                raise MoveRefused(Reason("{} cannot go back: {}", unit.name, why))
        del history.done[-len(orders) :]
        history.undone += [order for order in orders if not order.is_automatic]
        for unit, order in first_orders.items():
            unit.place(tilemap, order.cells[0], order.heading_deg)
        for executed in reversed(orders):
            if executed.before is not None:
                self._occupancy.turns.restore(executed.before)
        for unit, order in first_orders.items():
            self._signals.unit_returned.emit(unit, order.cells[0])
        if len(moves) < len(orders):
            self.announce_turn()
        return True

    def redo(self) -> bool:
        """Give the last undone order again; see `Board.redo`."""
        undone = self.history.undone
        orders = self.history.latest(undone)
        if not orders:
            return False
        if isinstance(orders[0], EndedTurn):
            self._check_end(orders[0])
            del undone[-1]
            self.end_turn(is_redo=True)
            return True
        moves = _moves(orders)
        if moves[0].facing_deg is not None:
            self.facing_point(moves[0].unit)
            del undone[-1]
            self.turn(moves[0].unit, moves[0].facing_deg, is_redo=True)
            return True
        cells, paths = self._paths_again(moves)
        del undone[-len(orders) :]
        if all(len(path) == 1 for path in paths.values()):
            return self.redo()  # a behavior has taken the units there already: the next order
        self.move(cells, paths, moves[0].step_s, is_redo=True)
        return True

    def _check_end(self, ended: EndedTurn) -> None:
        """Raise `MoveRefused` if it is another turn now."""
        turns = self._occupancy.turns
        turn = turns.turn
        if turn is None or (ended.team, ended.unit) != (turn.team, turns.acting):
            raise MoveRefused(Reason("{} cannot end its turn: it is {}", ended.team, turns.whose))

    def _paths_again(self, moves: list[ExecutedOrder]) -> tuple[JointPaths, dict[Unit, Path]]:
        """Return the cells and paths of a move that was undone, planned again if it was of one."""
        cells: JointPaths = {order.unit: order.cells for order in moves}
        for unit, path in cells.items():
            if not self._occupancy.navigation.tilemap.has_cell(path[-1]):
                raise MoveRefused(refusal(unit, Reason("the ground at {} is gone", path[-1])))
        if moves[0].step_s is not None:
            return cells, self.allowed_paths(cells)
        paths: dict[Unit, Path] = {
            unit: self.allowed_path(unit, path[-1]) for unit, path in cells.items()
        }
        return {unit: path.cells for unit, path in paths.items()}, paths


def _moves(orders: list[Executed]) -> list[ExecutedOrder]:
    return [order for order in orders if isinstance(order, ExecutedOrder)]


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
