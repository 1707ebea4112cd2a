"""Units on the cells of a map: what they could do, the orders to them, and their digest."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Self, cast, overload

import numpy as np
from numpy.typing import NDArray

from ai.behaviors.behavior import Behavior, Situation
from ai.board.attack import Targets, Threat, Weapon, targets_for
from ai.board.occupancy import (
    BoardState,
    JointPaths,
    Occupancy,
    Plan,
    check_on_board,
    joint_move_reason,
    path_along,
    refusal,
)
from ai.board.orders import (
    Executed,
    ExecutedOrder,
    History,
    LogStart,
    MoveRefused,
    Order,
    TurnEnd,
    replay_log,
)
from ai.board.turns import EndedTurn, Turn, Turns, turns_of
from ai.board.unit import Unit
from ai.motion.motion import STEP_S, heading_between, point_on, turn_between
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.navigation.resumable_search import Search
from ai.rules.entry_rules import EntryRule
from ai.rules.profile import MoveProfile
from terrain3d import Link, Reason, Signal, TileKind, TileMap, Wall
from terrain3d.core.checks import (
    instance_of,
    listed,
    positive_number,
    quoted,
    true_or_false,
    whole_within,
    with_whole_numbers,
)
from terrain3d.grid.grid import CellLike
from terrain3d.map.tilemap import Json

NO_WEAPONS: Mapping[Unit, Weapon] = MappingProxyType({})


class Board:
    """Units on the cells of a map, and their orders.

    A unit can pass units of its own team, but not enemies, and two units never stand on one tile.
    A unit that enters an enemy's zone of control ends its move there.

    On a board with turns only the units whose turn it is may act, and orders spend their points. A
    zone of control takes all points of a unit that enters it, as in Wesnoth. A path that costs more
    than the points left is refused; with 0 left a unit can still take steps that cost nothing.

    Parameters
    ----------
    tilemap : TileMap
    turns : str, optional
        "sides": teams take turns, in the order in which they first appear on the board, and all
        units of a team have their points back when its turn begins. "wait": the unit with the
        least waiting time acts; ties go to the first on the board. A unit first waits its
        `Unit.wait`; its turn adds that again, and the points it spent. None: no turns.
    rules : functions of a map and a profile
        Rules of a game, as of `Navigation`.

    Raises
    ------
    TypeError, ValueError
        The map is no `TileMap`, the turns are none of these, or a rule is no such function.
    """

    unit_added = Signal("unit")
    """A unit was put on the map."""
    unit_removed = Signal("unit")
    """A unit was taken off the board."""
    unit_moved = Signal("unit", "path")
    """An order was done or redone: the unit now holds the last cell of the path."""
    unit_turned = Signal("unit")
    """An order to turn was done or redone: the unit has another heading where it stands."""
    unit_returned = Signal("unit", "cell")
    """An order was undone: the unit is back on the cell where it started."""
    turn_ended = Signal("turn")
    """This `Turn` was ended, also by redo."""
    turn_began = Signal("turn")
    """It is this `Turn` now, also after undo or the removal of a unit."""

    def __init__(
        self, tilemap: TileMap, turns: str | None = None, rules: Iterable[EntryRule] = ()
    ) -> None:
        self._occupancy = Occupancy(Navigation(tilemap, rules), turns)
        self._history = History()

    def __repr__(self) -> str:
        """Show the number of units and the map."""
        return f"<{type(self).__name__} of {len(self.units)} units on {self.tilemap!r}>"

    @classmethod
    def replay(
        cls,
        tilemap: TileMap,
        units: Iterable[Unit],
        log: Iterable[Order | TurnEnd],
        turns: str | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return a board on which the orders of a log have been carried out and can be undone.

        If the map and the units equal those that the log was made with, each unit on the cell
        where it was added, then the board has the same digest. On a board with turns this holds if
        all units were added before the first order.

        Parameters
        ----------
        tilemap : TileMap
        units : sequence of Unit
            In the order of `Board.units`; on no board yet.
        log : sequence of Order and TurnEnd
        turns : str, optional
            Those of the board that the log is from.
        state : mapping, optional
            The turn at which the log begins, as returned by `log_start`; the first by default.

        Raises
        ------
        IndexError
            A cell is outside the map, or an order is for a unit that does not exist.
        ValueError
            A unit is on a board already, or two units have one name. A path does not start where
            its unit stands, or two units would end on one tile. The log does not fit the turns. No
            unit has been put on the map then.
        """
        board, units = cls(tilemap, turns), listed("units", units)
        state = {} if state is None else instance_of("state", state, Mapping)
        known, done = replay_log(tilemap, units, turns, listed("log", log), state)
        board._history = History(state)
        board._history.done, board._occupancy.turns = done, known
        board._occupancy.units = units
        return board

    @property
    def tilemap(self) -> TileMap:
        """The map."""
        return self.navigation.tilemap

    @property
    def navigation(self) -> Navigation:
        """Path queries on the map without units."""
        return self._occupancy.navigation

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units, in the order in which they were added."""
        return tuple(self._occupancy.units)

    def add(self, unit: Unit) -> Unit:
        """Put a unit on its cell and return the unit.

        Raises
        ------
        IndexError
            Its cell is outside the map or on a deck that does not exist.
        ValueError
            It is on a board already, a unit of this board has its name, it cannot stop on its cell,
            or another unit stands there.
        """
        cell = self._occupancy.check_free(unit)
        self._turns.enter(unit)
        unit.place(self.tilemap, cell, unit.heading_deg)
        self._occupancy.units.append(unit)
        self.unit_added.emit(unit)
        return unit

    def remove(self, unit: Unit) -> None:
        """Take a unit off the board; its orders can no longer be undone.

        It keeps its last pose, so that a figure can fall there before the game frees its node.

        Raises
        ------
        ValueError
            It is not on this board.
        """
        check_on_board(unit, self.units)
        had_turn = not self._turns.reason(unit)
        self._turns.leave(unit)
        self._history.forget(unit, self._turns)
        unit.leave()
        self.unit_removed.emit(unit)
        if had_turn:
            self._announce_turn()

    def unit_at(self, cell: CellLike) -> Unit | None:
        """Return the unit that covers a cell, or None."""
        cell = self.tilemap.cell(cell)
        return next((unit for unit in self.units if cell in unit.cells), None)

    @property
    def turns(self) -> str | None:
        """The order of turns, "sides" or "wait"; None without turns."""
        return self._turns.order

    @property
    def turn(self) -> Turn | None:
        """Whose turn it is; None on a board without turns."""
        return self._turns.turn

    def change_turns(self, turns: str | None) -> None:
        """Begin other turns, or none, as in `Board`; orders before cannot be undone.

        All units have their points back. Errors are those of `Board`; nothing has changed then.
        """
        units = self._occupancy.units
        begun = turns_of(turns, units)
        for unit in units:
            unit.allot(None, 0.0)
            begun.enter(unit)
        self._occupancy.turns = begun
        self._restart()

    def turn_reason(self, unit: Unit) -> str:
        """Return why a unit may not act now; "" if it may, or if there are no turns."""
        check_on_board(unit, self.units)
        return self._turns.reason(unit)

    def next_units(self, count: int = 10) -> list[Unit]:
        """Return the units of the next turns on a board with ``turns="wait"``, this turn's first.

        Parameters
        ----------
        count : int
            How many turns, 1..1000; each is counted as if its unit spent nothing more.

        Raises
        ------
        TypeError, ValueError
            The count is not a whole number in 1..1000, or the board has no such turns.
        """
        return self._turns.next_units(whole_within("count", count, 1, 1000))

    def end_turn(self, *, is_automatic: bool = False) -> Turn:
        """End the turn, unless there are no units, and return the next one; undo returns to it.

        Parameters
        ----------
        is_automatic : bool
            As of `act`: whether no player ended it.

        Raises
        ------
        TypeError, ValueError
            `is_automatic` is not a bool, or the board has no turns.
        """
        return self._end_turn(is_automatic=true_or_false("is_automatic", is_automatic))

    def turn_state(self) -> dict[str, Any]:
        """Return the turn and what units have left as JSON-like data; empty without turns."""
        return self._turns.as_dict()

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue at a turn that `turn_state` returned; orders before it cannot be undone.

        Units are known by their names; those that the state does not name begin afresh.

        Raises
        ------
        TypeError, ValueError
            It is not such a state, or is one of other turns; nothing has changed.
        """
        self._turns.resume(with_whole_numbers(dict(instance_of("state", state, Mapping))))
        self._restart()

    def situation(self, unit: Unit) -> Situation:
        """Return where a unit is and which units block it: the input of behaviors."""
        return self._occupancy.options(unit).situation

    def reach(self, unit: Unit) -> Reach:
        """Return all cells that one order can take a unit to."""
        return self._occupancy.options(unit).reach

    def targets(
        self, unit: Unit, weapon: Weapon, *, at: CellLike | None = None, who: str = "enemies"
    ) -> Targets:
        """Return which cells and units a unit can hit from its cell, and after one order.

        Parameters
        ----------
        unit : Unit
        weapon : Weapon
        at : cell, optional
            From this cell alone, as if the unit stood there; whether it could is not asked.
        who : str
            Whom the weapon is for: "enemies", "allies", "all" or "self". Allies are all units of
            the team; a unit hits itself with `min_tiles` 0, or by an area.

        Raises
        ------
        IndexError, TypeError, ValueError
            The unit is not on this board, the weapon is none or does not fit the tiles, the cell
            is outside the map or is not a cell, or `who` is none of these.
        """
        instance_of("weapon", weapon, Weapon)
        check_on_board(unit, self.units)
        stands = [unit.cell, *self.reach(unit)] if at is None else [self.tilemap.cell(at)]
        others = targets_for(who, unit, self.units)
        return Targets.of(unit, stands, self._occupancy.attack_range(weapon), others)

    def threat(self, team: str, weapons: Mapping[Unit, Weapon] = NO_WEAPONS) -> Threat:
        """Return which units of other teams could reach each tile with all of their points.

        All units stand in each other's path as they do now.

        Parameters
        ----------
        team : str
        weapons : mapping from Unit to Weapon
            Units that are named here also threaten what they could hit after a move.

        Raises
        ------
        TypeError, ValueError
            The team is not a text, the weapons are no such mapping, or one of the units is not on
            this board.
        """
        for unit, weapon in instance_of("weapons", weapons, Mapping).items():
            check_on_board(unit, self.units)
            instance_of("a weapon", weapon, Weapon)
        return self._occupancy.threat(instance_of("team", team, str), weapons)

    def find_path(self, unit: Unit, cell: CellLike) -> Path:
        """Return a cheapest path around the other units at any cost, or no path with a reason."""
        return self._occupancy.options(unit).find_path(self.tilemap.cell(cell))

    def plan(self, unit: Unit, cell: CellLike, *, partial: bool = False) -> Plan:
        """Return the path that an order would take, or no path with the reason of the refusal.

        Parameters
        ----------
        unit : Unit
        cell : cell
        partial : bool
            Whether the order may take the first part of a path that costs too much, as far as the
            points last. It also plans the turns after that: see `Plan`.
        """
        true_or_false("partial", partial)
        cell = self.tilemap.cell(cell)
        return self._occupancy.options(unit).plan(cell, partial=partial)

    @property
    def state(self) -> BoardState:
        """All that plans depend on: equal as long as map, units and turn are as they are now."""
        return self._occupancy.state()

    def begin_search(
        self,
        unit: Unit,
        cell: CellLike,
        profile: MoveProfile | None = None,
        *,
        algorithm: str = "astar",
        heuristic: str = "auto",
        order: str = "lifo",
    ) -> Search:
        """Begin the search of `find_path`, to be run in parts; see `Search`.

        Parameters
        ----------
        unit, cell
            As in `find_path`.
        profile : MoveProfile, optional
            Rules other than the unit's own.
        algorithm, heuristic, order : str
            As in `Navigation.begin_search`.
        """
        blockers = self.situation(unit).blockers
        return self.navigation.begin_search(
            unit.cell,
            cell,
            unit.profile if profile is None else profile,
            algorithm=algorithm,
            heuristic=heuristic,
            order=order,
            **blockers,
        )

    @overload
    def move(self, unit: Plan) -> Plan: ...

    @overload
    def move(self, unit: Unit, cell: CellLike) -> Plan: ...

    def move(self, unit: Unit | Plan, cell: CellLike | None = None) -> Plan:
        """Order a unit to a cell: it holds the cell from now on, and its pose walks there.

        Parameters
        ----------
        unit : Unit or Plan
            The unit, or a plan that `plan` returned, which is carried out as it is.
        cell : cell, optional
            Where the unit goes; not with a plan.

        Returns
        -------
        Plan
            The path that the unit takes.

        Raises
        ------
        MoveRefused
            The rules do not allow it, or the plan is one of another board, or of another state of
            map, units and turn; nothing has changed.
        IndexError, TypeError
            The cell is outside the map or is not a cell, or a plan comes with one.
        """
        if not isinstance(unit, Plan):
            plan = self.plan(unit, cast(CellLike, cell))
        elif cell is None:
            plan = unit
        else:
            raise TypeError(f"a plan leads to its own cell, got {quoted(cell)} as well")
        self._execute({plan.unit: self._allowed(plan)})
        return plan

    def move_together(
        self, paths: Mapping[Unit, Sequence[CellLike]], step_s: float = STEP_S
    ) -> None:
        """Order several units at once along paths that a squad planner has found.

        Each unit holds its last cell from now on, and their poses keep step. It is one order for
        undo.

        Parameters
        ----------
        paths : mapping from Unit to cells
            The cell of each unit at tick 0, 1, ...: it takes one step a tick, or waits.
        step_s : float
            The duration of a tick, > 0.

        Raises
        ------
        MoveRefused
            A path is not legal, costs too much, or meets another one; nothing has changed.
        IndexError, TypeError, ValueError
            A cell is outside the map or is not a cell, a unit is not on this board, or the duration
            is out of its limits.
        """
        instance_of("paths", paths, Mapping)
        positive_number("step_s", step_s)
        for unit in paths:
            check_on_board(unit, self.units)
        cell = self.tilemap.cell
        checked = {
            unit: tuple(cell(each) for each in listed(f"the path of {unit.name}", path))
            for unit, path in paths.items()
        }
        self._execute(self._allowed_paths(checked), checked, step_s)

    def face(self, unit: Unit, cell: CellLike) -> None:
        """Order a unit to turn toward a cell, from the cell it holds; undone like a move.

        A unit that still walks turns when it arrives.

        Raises
        ------
        MoveRefused
            It is not its turn; nothing has changed.
        IndexError, TypeError, ValueError
            The cell is outside the map or is not a cell, or the unit is not on this board.
        """
        self._check_may_turn(unit)
        here = point_on(self.tilemap, unit.cell, unit.profile)
        heading_deg = heading_between(here, self.tilemap.surface_point(cell))
        if heading_deg is not None and turn_between(unit.heading_deg, heading_deg):
            self._face(unit, heading_deg)

    def act(self, unit: Unit, behavior: Behavior, *, is_automatic: bool = False) -> Path:
        """Order a unit to the next cell that a behavior chooses.

        Parameters
        ----------
        unit : Unit
        behavior : Behavior
        is_automatic : bool
            Whether no player gave this order: it is undone together with the last order that a
            player gave, and orders that were undone can still be redone.

        Returns
        -------
        Path
            The path that the unit takes; no path, with a reason, if it stays or is refused.
        """
        true_or_false("is_automatic", is_automatic)
        cell = instance_of("behavior", behavior, Behavior).next_cell(self.situation(unit))
        if cell is None:
            return Path.none(behavior.reason)
        plan = self.plan(unit, cell)
        self._execute({unit: plan}, is_automatic=is_automatic)
        return plan

    def undo(self) -> bool:
        """Put the units of the last order back where they started; False if there is no order.

        Raises
        ------
        MoveRefused
            A cell is taken or lost its ground since; nothing has changed.
        """
        history, tilemap = self._history, self.tilemap
        orders = history.latest(history.done)
        if not orders:
            return False
        moves = _moves(orders)
        first_orders = {order.unit: order for order in reversed(moves)}
        for unit, order in first_orders.items():
            why = self._occupancy.stand_reason(unit, order.cells[0], first_orders)
            if why:
                raise MoveRefused(Reason("cannot_go_back", unit=unit.name, why=why))
        del history.done[-len(orders) :]
        history.undone += [order for order in orders if not order.is_automatic]
        for unit, order in first_orders.items():
            if order.facing_deg is not None and order.cells[0] == unit.cell:
                unit.turn(order.heading_deg)  # where it goes on to walk
            else:
                unit.place(tilemap, order.cells[0], order.heading_deg)
        for executed in reversed(orders):
            if executed.before is not None:
                self._turns.restore(executed.before)
        for unit, order in first_orders.items():
            self.unit_returned.emit(unit, order.cells[0])
        if len(moves) < len(orders):
            self._announce_turn()
        return True

    def redo(self) -> bool:
        """Give the last undone order again; False if there is none.

        Raises
        ------
        MoveRefused
            The map and the units do not allow the order now; nothing has changed.
        """
        undone = self._history.undone
        orders = self._history.latest(undone)
        if not orders:
            return False
        if isinstance(orders[0], EndedTurn):
            ended, turns = orders[0], self._turns
            turn = turns.turn
            if turn is None or (ended.team, ended.unit) != (turn.team, turns.acting):
                raise MoveRefused(Reason("cannot_end_turn", team=ended.team, whose=turns.whose))
            del undone[-1]
            self._end_turn(is_redo=True)
            return True
        moves = _moves(orders)
        if moves[0].facing_deg is not None:
            self._check_may_turn(moves[0].unit)
            del undone[-1]
            self._face(moves[0].unit, moves[0].facing_deg, is_redo=True)
            return True
        cells = {order.unit: order.cells for order in moves}
        step_s = moves[0].step_s
        paths = self._paths_again(cells, is_joint=step_s is not None)
        del undone[-len(orders) :]
        if all(len(path) == 1 for path in paths.values()):
            return self.redo()  # a behavior has taken the units there already: the next order
        self._execute(paths, None if step_s is None else cells, step_s, is_redo=True)
        return True

    @property
    def log(self) -> tuple[Order | TurnEnd, ...]:
        """The orders that are done, in their order, as plain data; and the ends of turns.

        All automatic steps of a unit since a player's last order are one path without loops, so
        that a long patrol does not make the log longer. On a board with turns each step spends
        points, so that all steps are kept.
        """
        return self._history.log(self.units)

    @property
    def log_start(self) -> LogStart:
        """Where each unit was, and whose turn it was, when `log` began."""
        return self._history.start(self.units)

    def digest(self) -> str:
        """Return 32 hexadecimal digits that are equal for equal states of the map and the units.

        The digest covers the map, and each unit's name, team, cell, heading, profile, move points
        and zone of control; on a board with turns also the turn, points left and waiting times. It
        does not cover past edits and orders, the appearance of kinds, and the poses of walking
        units.
        """
        units, turns = self.units, self.turn_state()
        profiles = {profile: _fields_state(profile) for profile in {unit.profile for unit in units}}
        entries = [{**_unit_state(unit), "profile": profiles[unit.profile]} for unit in units]
        state: dict[str, object] = {"map": _map_state(self.tilemap)}
        state["units"] = sorted(entries, key=_text)
        if turns:
            state["turns"] = {**turns, "wait": {unit.name: _plain(unit.wait) for unit in units}}
        return hashlib.sha256(_text(state).encode()).hexdigest()[:32]

    @property
    def _turns(self) -> Turns:
        return self._occupancy.turns

    def _restart(self) -> None:
        """Forget all orders and announce the turn."""
        self._history = History(self._turns.as_dict())
        self._announce_turn()

    def _announce_turn(self) -> None:
        """Emit `turn_began`, on a board with turns."""
        turn = self._turns.turn
        if turn is not None:
            self.turn_began.emit(turn)

    def _allowed(self, plan: Plan) -> Plan:
        """Return a plan; `MoveRefused` if the rules do not allow it, or anything has changed."""
        why = self._occupancy.outdated_reason(plan) or ("" if plan else plan.reason)
        if why:
            raise MoveRefused(refusal(plan.unit, why))
        return plan

    def _allowed_paths(self, cells: JointPaths) -> dict[Unit, Path]:
        """Return the paths of a joint move; `MoveRefused` if the rules do not allow it."""
        tiles = [tile for unit in cells for tile in unit.cells]
        situations = {
            unit: self._occupancy.options(unit).situation.without(tiles) for unit in cells
        }
        waits = ((unit, self._turns.reason(unit)) for unit in cells)
        late = (refusal(unit, why) for unit, why in waits if why)
        why = next(late, "") or joint_move_reason(self._occupancy.navigation, cells, situations)
        if why:
            raise MoveRefused(why)
        return {unit: path_along(path, situations[unit]) for unit, path in cells.items()}

    def _check_may_turn(self, unit: Unit) -> None:
        """Raise `MoveRefused` if a unit may not turn now."""
        check_on_board(unit, self.units)
        why = self._turns.reason(unit)
        if why:
            raise MoveRefused(Reason("cannot_turn", unit=unit.name, why=why))

    def _execute(
        self,
        paths: Mapping[Unit, Path],
        ticks: JointPaths | None = None,
        step_s: float | None = None,
        *,
        is_automatic: bool = False,
        is_redo: bool = False,
    ) -> None:
        """Carry out an order: start all units, also if a listener raises, and emit `unit_moved`.

        Units whose path has one cell stay. In a joint move `ticks` are the cells with waits. After
        an order of a player nothing can be redone, unless it is itself redone.
        """
        moving = {unit: path for unit, path in paths.items() if len(path) > 1}
        cells = {unit: tuple((ticks or paths)[unit]) for unit in moving}
        if moving and not (is_automatic or is_redo):
            self._history.undone.clear()
        group, turns = object(), self._turns
        for unit, path in moving.items():
            heading_deg = unit.heading_deg
            order = ExecutedOrder(unit, cells[unit], heading_deg, step_s, group, is_automatic)
            if turns.order is not None:
                situation = self._occupancy.options(unit).situation
                is_halted, before = situation.is_halting(path.cells[-1]), turns.before([unit])
                order = replace(order, spent=path.cost, is_halted=is_halted, before=before)
                turns.spend(unit, path.cost, is_halted=is_halted)
            self._history.add(order)
        with ExitStack() as calls:  # runs the last callback first, and the rest if one raises
            for unit, path in reversed(moving.items()):
                calls.callback(self.unit_moved.emit, unit, path)
            for unit in reversed(moving):
                calls.callback(unit.follow, cells[unit], step_s)

    def _face(self, unit: Unit, heading_deg: float, *, is_redo: bool = False) -> None:
        """Turn a unit on its cell; see `_execute`."""
        if not is_redo:
            self._history.undone.clear()
        before, cells = self._turns.before([unit]), (unit.cell,)
        self._history.add(
            ExecutedOrder(unit, cells, unit.heading_deg, before=before, facing_deg=heading_deg)
        )
        unit.turn(heading_deg)
        self.unit_turned.emit(unit)

    def _end_turn(self, *, is_automatic: bool = False, is_redo: bool = False) -> Turn:
        """End the turn, unless there are no units, and return the next one; see `_execute`."""
        turns, units = self._turns, self.units
        ended, unit = turns.turn, turns.acting
        if ended is not None and not units:
            return ended
        before = turns.before(units)
        turns.end()
        assert ended is not None
        self._history.add(EndedTurn(ended.team, unit, before, is_automatic))
        if not (is_automatic or is_redo):
            self._history.undone.clear()
        began = turns.turn
        assert began is not None
        with ExitStack() as calls:
            calls.callback(self.turn_began.emit, began)
            calls.callback(self.turn_ended.emit, ended)
        return began

    def _paths_again(self, cells: JointPaths, *, is_joint: bool) -> Mapping[Unit, Path]:
        """Return the paths of a move that was undone, planned again if it was of one unit."""
        for unit, path in cells.items():
            if not self.tilemap.has_cell(path[-1]):
                raise MoveRefused(refusal(unit, Reason("ground_gone", cell=path[-1])))
        if is_joint:
            return self._allowed_paths(cells)
        return {unit: self._allowed(self.plan(unit, path[-1])) for unit, path in cells.items()}


def _moves(orders: list[Executed]) -> list[ExecutedOrder]:
    return [order for order in orders if isinstance(order, ExecutedOrder)]


_LOOKS = ("color", "texture", "props")
"""Fields of a kind that only change its appearance."""

_HEADING_DIGITS = 6  # of a degree; the last bits of an arc tangent differ between platforms


def _text(state: object) -> str:
    return json.dumps(state, sort_keys=True, separators=(",", ":"))


def _map_state(tilemap: TileMap) -> dict[str, object]:
    """Return the state of a map; kinds count by their names, not by their index in the table."""
    names, states = [kind.name for kind in tilemap.kinds], map(_fields_state, tilemap.kinds)
    kinds = [{name: state[name] for name in state if name not in _LOOKS} for state in states]
    place = np.empty(len(names), dtype=np.uint8)
    place[np.argsort(names)] = np.arange(len(names))
    surfaces = np.nonzero(~tilemap.surface_void[1:])
    decks: list[NDArray[np.integer]] = [
        *surfaces,
        tilemap.surface_level[1:][surfaces],
        place[tilemap.surface_kind[1:][surfaces]],
        tilemap.surface_thickness[1:][surfaces],
    ]
    return {
        "topology": tilemap.topology,
        "step_height": _plain(tilemap.step_height),
        "shape": [tilemap.rows, tilemap.cols],
        "kinds": sorted(kinds, key=_text),
        "level": _hash(tilemap.level),
        "kind": _hash(place[tilemap.kind]),
        "decks": _hash(np.stack([part.astype(np.int64) for part in decks])),
        "links": sorted(map(_pair_state, tilemap.links), key=_text),
        "walls": sorted(map(_pair_state, tilemap.walls), key=_text),
    }


def _pair_state(pair: Link | Wall) -> dict[str, object]:
    """Return the state of a link or wall; without a direction, its ends are sorted."""
    if not pair.one_way:
        first, last = sorted((pair.start, pair.end))
        pair = replace(pair, start=first, end=last)
    return _fields_state(pair)


def _unit_state(unit: Unit) -> dict[str, object]:
    heading = round(unit.heading_deg % 360.0, _HEADING_DIGITS) % 360.0
    return {
        "name": unit.name,
        "team": unit.team,
        "cell": list(unit.cell),
        "heading_deg": heading,
        "move": _plain(unit.move),
        "has_zoc": unit.has_zoc,
    }


def _fields_state(record: MoveProfile | TileKind | Link | Wall) -> dict[str, object]:
    """Return the fields of a dataclass that count for its equality."""
    parts = [part for part in fields(record) if part.compare]
    return {part.name: _plain(getattr(record, part.name)) for part in parts}


def plain(value: object, number: Callable[[Any], float]) -> Json:
    """Return a field of a unit or of its profile for JSON, with each number in it converted."""
    match value:
        case None | str() | bool():
            return value
        case Mapping():
            return {name: plain(part, number) for name, part in value.items()}
        case frozenset():
            return sorted(value)
        case tuple():
            return [plain(part, number) for part in value]
    return number(value)


def _plain(value: object) -> Json:
    """Return a value for JSON, equal for values that are equal."""
    return plain(value, lambda number: float(number) + 0.0)


def _hash(array: NDArray[np.integer]) -> str:
    """Return the hash of an array's whole numbers, whatever their type and byte order."""
    return hashlib.sha256(array.astype("<i4").tobytes()).hexdigest()
