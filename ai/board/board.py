"""Units on the cells of a map: what they could do, the orders to them, and their digest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from ai.board.action import Action
from ai.board.attack import Targets, Threat, Weapon, targets_for
from ai.board.log import NO_WALK, Entry, Log, MoveRefused, Walked
from ai.board.plain import digest_of
from ai.board.planning import (
    Ground,
    Plan,
    SideView,
    are_alike,
    check_places,
    occupied_reason,
    refusal,
    units_without_ground,
)
from ai.board.situation import NextCell, Situation
from ai.board.state import GameState, Sides, Turn, differences
from ai.board.unit import EXTRA, Unit, UnitState, heading_after, json_like, units_of
from ai.motion.motion import STEP_S, Pose, heading_between, point_on, turn_between
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.rules.entry_rules import EntryRule
from ai.rules.nodes import converted
from ai.rules.step_rule import check_profile
from terrain3d import Reason, Signal, TileMap
from terrain3d.core.checks import (
    instance_of,
    listed,
    positive_number,
    quoted,
    true_or_false,
    whole_within,
)
from terrain3d.grid.grid import CellLike, read_only
from terrain3d.map.change import Change

MAX_SEED = 2**63
NO_WEAPONS: Mapping[Unit, Weapon] = MappingProxyType({})


class Board:
    """Units on the cells of a map, and their orders.

    A unit can pass units of its own team, but not enemies, and two units never stand on one tile.
    A unit that enters an enemy's zone of control ends its move there.

    On a board with turns only the units whose turn it is may act, and orders spend their points. A
    zone of control takes all points of a unit that enters it, as in Wesnoth. A path that costs more
    than the points left is refused.

    The board is a chain of states: each order makes the next one, and an entry of the log that has
    both. Undo is the state before, redo the state after. Methods take a unit or its name.

    All calls raise `TypeError`, `ValueError` or `IndexError` for what is not on this board or map,
    and for values of a wrong type or out of their limits; `KeyError` for a name that no unit has.
    Orders raise `RuntimeError` while an edit or a stroke of the map is open, and while `changed`
    announces an undo or a redo.

    Parameters
    ----------
    tilemap : TileMap
    turns : str, optional
        "sides": teams take turns, in the order in which they first appear on the board, and all
        units of a team have their points back when its turn begins. "wait": the unit with the
        least waiting time acts; ties go to the first on the board. A unit first waits its
        `Unit.wait`; its turn adds that again, and the points it spent. None: no turns.
    seed : int
        That of the dice of actions, in 0..2**63.
    rules : functions of a map and a profile
        Rules of the game, as of `Navigation`. They are not saved in records.
    allies : pairs of str
        Teams whose units pass each other and threaten together, as ``[("blue", "green")]``.
    neutral : sequence of str
        Teams whose units have no turns and no zones of control, and threaten no one, such as
        barrels; they are in the way of all others.
    fog : bool
        Whether a side sees only units in sight of its own and those of its allies. `reach`, `plan`,
        `find_path`, `situation`, `targets`, `threat` and the reasons of refused orders leave others
        out; a unit that walks into one of them stops before it. The ground is always known. All
        other properties are the truth.
    """

    changed = Signal("entry")
    """This `Entry` of the log is done, undone (`is_undo`) or done again (`is_redo`).

    What listeners do on the board then is automatic: it is undone and done again with the entry.
    So after an undo or a redo they cannot act.
    """

    def __init__(
        self,
        tilemap: TileMap,
        turns: str | None = None,
        *,
        seed: int = 0,
        rules: Iterable[EntryRule] = (),
        allies: Iterable[Iterable[str]] = (),
        neutral: Iterable[str] = (),
        fog: bool = False,
    ) -> None:
        seed, sides = whole_within("seed", seed, 0, MAX_SEED), Sides.of(allies, neutral)
        ground = Ground(Navigation(tilemap, rules))
        state = GameState(sides=sides).with_turns(turns)
        self._set_up(ground, state, seed, fog=true_or_false("fog", fog))

    def _set_up(self, ground: Ground, state: GameState, seed: int, *, fog: bool) -> None:
        self.seed = seed
        """That of the dice of actions."""
        self.has_fog = fog
        """Whether each side sees only what its units see."""
        self._ground, self._state, self._log = ground, state, Log()
        self.navigation = ground.navigation
        """Path queries on the map without units."""
        self.tilemap = self.navigation.tilemap
        """The map."""
        self._handles: dict[int, Unit] = {}  # by `UnitState.number`, also of units that have left
        self._units: tuple[object, tuple[Unit, ...]] = None, ()
        self._views: dict[str | None, SideView] = {}  # of this state; None: of all units
        self._action: Action | None = None  # that is open
        self._walks, self._edits = dict[int, Walked](), list[Change]()  # of the open action
        self._rollback: list[Callable[[], object]] = []  # if that fails, the last step first
        self._is_announcing = self._is_replaying = False
        self.tilemap.edited.connect(self._add_edit, weak=True)

    # ------------------------------------------------------------------ states

    def copy(self) -> Self:
        """Return a board in the same state, to look ahead on.

        It has units of its own, see `unit`, and a map of its own that shares arrays and graphs with
        the map of this board until one of them is edited. Nobody listens to its signals, and no
        unit walks. It can undo what this board can.

        Raises
        ------
        RuntimeError
            An action of the board, or an edit or a stroke of its map is open.
        """
        self._check_closed("be copied")
        made, navigation = object.__new__(type(self)), self.navigation
        ground = self._ground.share(navigation.share(navigation.tilemap.share()))
        made._set_up(ground, self._state, self.seed, fog=self.has_fog)
        made._log = Log(self._log.done, self._log.undone)
        for number, unit in self._handles.items():
            if type(unit) is not Unit:  # others are made when somebody asks for them
                twin = made._handles[number] = unit._twin()
                if unit._board is self:
                    twin._enter(made, unit.state)
        return made

    __copy__ = copy

    def __deepcopy__(self, _known: object) -> Self:
        """Return a copy as `copy` does."""
        return self.copy()

    @property
    def state(self) -> GameState:
        """The state now, to keep, to compare and to hash; see `at`."""
        if self._state.revision != self.tilemap.revision:
            self._set_state(self._state)
        return self._state

    def at(self, state: GameState) -> Self:
        """Return a new board in a state of this one, with nothing to undo.

        Raises
        ------
        ValueError
            The map has been edited since, and not undone.
        """
        if instance_of("state", state, GameState).revision != self.tilemap.revision:
            raise ValueError("the map has been edited since this state; undo that first")
        made = self.copy()
        made._log = Log()
        made._set_state(state)
        return made

    def seen_state(self, team: str) -> GameState:
        """Return the state as a team sees it: without the units that fog hides from it."""
        return self._view(instance_of("team", team, str)).state

    def seen(self, team: str) -> NDArray[np.bool_]:
        """Return where a team sees units.

        Returns
        -------
        (rows, cols) bool
            The tiles with a surface in sight of a unit of the team or of its allies; all without
            fog. Read-only.
        """
        instance_of("team", team, str)
        if not self.has_fog:
            return read_only(np.ones((self.tilemap.rows, self.tilemap.cols), dtype=np.bool_))
        are_allies = self.sides.are_allies
        own = [unit for unit in self._state.units if are_allies(unit.team, team)]
        return read_only(self._ground_now.seen_from(own))

    def is_seen(self, unit: Unit | str, team: str) -> bool:
        """Return whether a team sees a unit; True without fog."""
        number = self.state_of(unit).number
        return any(each.number == number for each in self.seen_state(team).units)

    def digest(self) -> str:
        """Return 32 hexadecimal digits that are equal for equal states of the map and the units.

        The digest covers the map, and each unit's name, team, cell, heading, profile, move points,
        sight, stats and zone of control; on a board with turns also the turn, points left and
        waiting times. It does not cover past orders and the poses of walking units.
        """
        return digest_of(self.tilemap, self.state)

    # ------------------------------------------------------------------ units

    def unit(self, which: str | Unit | UnitState) -> Unit:
        """Return the unit of this board with a name, or with the name of a unit of another board.

        With a state, such as `UnitChange.unit`, it is the unit that was in it, also if it has left.

        Raises
        ------
        KeyError
            No unit on the board has this name.
        """
        if isinstance(which, UnitState) and which.number in self._handles:
            return self._handles[which.number]
        if isinstance(which, Unit | UnitState):
            which = which.name
        name = instance_of("which", which, str)
        state = self._state.find(name)
        if state is None:
            raise KeyError(f"no unit on this board is named {quoted(name)}")
        return self._handle(state)

    def __repr__(self) -> str:
        """Show the number of units and the map."""
        return f"<{type(self).__name__} of {len(self.units)} units on {self.tilemap!r}>"

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units, in the order in which they were added."""
        states = self._state.units
        if self._units[0] is not states:
            self._units = states, tuple(map(self._handle, states))
        return self._units[1]

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
        instance_of("a unit", unit, Unit)
        cell = self.tilemap.cell(unit.cell)
        if unit.is_placed:
            where = "this" if unit in self.units else "another"
            raise ValueError(f"{unit.name} is on {where} board already")
        if self._state.find(unit.name) is not None:
            raise ValueError(f"this board has another unit named {quoted(unit.name)}")
        if why := self.navigation.explain_stop(cell, unit.profile):
            raise ValueError(f"{unit.name} cannot stand there: {why}")
        # In an action the unit that stands there may still leave.
        if self._action is None and (why := occupied_reason(self._state.units, unit.state, cell)):
            raise ValueError(f"{why} already")
        self._refuse_writers()
        after = self._state.with_added(unit.state._replace(cell=cell))
        if self._action is not None:
            self._rollback.append(partial(self._let_go, unit, unit.state, unit._last_pose))
        self._handles[after.n_added] = unit
        self._commit("add", after, by=unit.name)
        return unit

    def add_all(self, tilemap: TileMap) -> list[Unit]:
        """Put the units in the extras of a map on the board: all, as one entry, or none.

        ``tilemap.extras["units"]`` is a list of objects with `name`, `cell` and other parameters of
        `Unit`; instead of `profile` they have `mover`, one of `ai.movers.BY_NAME`.

        Raises
        ------
        IndexError, TypeError, ValueError
            An entry is no unit, or cannot stand on its cell; the text says which.
        """
        units = units_of(instance_of("tilemap", tilemap, TileMap))
        with self.action("add units") as action:
            return converted(EXTRA, units, action.add)

    def remove(self, unit: Unit | str) -> None:
        """Take a unit off the board.

        It keeps its last pose, so that a figure can fall there before the game frees its node.
        """
        state = self.state_of(unit)
        self._commit("remove", self._state.without(state), by=state.name)

    @property
    def sides(self) -> Sides:
        """Which teams are allies, and which are neutral."""
        return self._state.sides

    def enemies_of(self, unit: Unit | str) -> list[Unit]:
        """Return the units of teams that are neither allies of a unit's team nor neutral."""
        team, are_enemies = self.state_of(unit).team, self.sides.are_enemies
        return [other for other in self.units if are_enemies(other.team, team)]

    def unit_at(self, cell: CellLike) -> Unit | None:
        """Return the unit that covers a cell, or None."""
        cell = self.tilemap.cell(cell)
        found = next((unit for unit in self._state.units if cell in unit.cells), None)
        return None if found is None else self._handle(found)

    # ------------------------------------------------------------------ turns

    @property
    def turns(self) -> str | None:
        """The order of turns, "sides" or "wait"; None without turns."""
        return self._state.order

    @property
    def turn(self) -> Turn | None:
        """Whose turn it is, which `end_turn` ends; None on a board without turns."""
        state = self._state
        if state.order is None:
            return None
        return Turn(state.number, state.acting_team, tuple(map(self._handle, state.acting)))

    def change_turns(self, turns: str | None) -> None:
        """Begin other turns, or none, as in `Board`.

        All units have their points back. Errors are those of `Board`; nothing has changed then.
        """
        self._commit("turns", self._state.with_turns(turns))

    def turn_reason(self, unit: Unit | str) -> str:
        """Return why a unit may not act now; "" if it may, or if there are no turns."""
        state = self.state_of(unit)
        return self._state.late_reason(state, self._view(state.team).state.units)

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
        n_turns = whole_within("count", count, 1, 1000)
        return [*map(self._handle, self._state.next_units(n_turns))]

    def end_turn(self, *, is_automatic: bool = False) -> Turn:
        """End the turn, unless no unit takes turns, and return the next one; undo returns to it.

        Parameters
        ----------
        is_automatic : bool
            As of `act`: whether no player ended it.

        Raises
        ------
        TypeError, ValueError
            `is_automatic` is not a bool, or the board has no turns.
        """
        true_or_false("is_automatic", is_automatic)
        state = self._state
        if state.order is None or state.movers:
            after, whose = state.with_turn_ended(), state.whose
            self._commit("end turn", after, by=whose, is_automatic=is_automatic)
        turn = self.turn
        assert turn is not None
        return turn

    # ------------------------------------------------------------------ plans

    def situation(self, unit: Unit | str) -> Situation:
        """Return where a unit is and which units block it: for behaviors."""
        state = self.state_of(unit)
        return self._view(state.team).options(state).situation

    def reach(self, unit: Unit | str, *, seen_by: str | None = None) -> Reach:
        """Return all cells that one order can take a unit to.

        Parameters
        ----------
        unit : Unit or str
        seen_by : str, optional
            The team that asks: in fog the units count that it sees. That of the unit by default.
        """
        state = self.state_of(unit)
        team = state.team if seen_by is None else instance_of("seen_by", seen_by, str)
        return self._view(team).options(state).reach

    def find_path(self, unit: Unit | str, cell: CellLike) -> Path:
        """Return a cheapest path around the other units at any cost, or no path with a reason."""
        state = self.state_of(unit)
        return self._view(state.team).options(state).find_path(self.tilemap.cell(cell))

    def plan(
        self,
        unit: Unit | str,
        cell: CellLike,
        *,
        partial: bool = False,
        via: Iterable[CellLike] = (),
    ) -> Plan:
        """Return the path that an order would take, or no path with the reason of the refusal.

        Parameters
        ----------
        unit : Unit or str
        cell : cell
        partial : bool
            Whether the order may take the first part of the path, as far as the points last; see
            `Plan`.
        via : iterable of cells
            What the path leads over, in this order, by the cheapest path from each to the next.
            Allies may stand there; nothing may halt the unit there.
        """
        true_or_false("partial", partial)
        state, to_cell = self.state_of(unit), self.tilemap.cell
        goal, cells = to_cell(cell), [to_cell(each) for each in listed("via", via)]
        return self._view(state.team).options(state).plan(goal, partial=partial, via=cells)

    def targets(
        self,
        unit: Unit | str,
        weapon: Weapon,
        *,
        at: CellLike | None = None,
        who: str = "enemies",
    ) -> Targets:
        """Return which cells and units a unit can hit from its cell, and after one order.

        Parameters
        ----------
        unit : Unit or str
        weapon : Weapon
        at : cell, optional
            From this cell alone, as if the unit stood there; whether it could is not asked.
        who : str
            Which units it can hit: "enemies", "allies", "all" or "self". Allies are all units of
            the team; a unit hits itself with `min_tiles` 0, or by an area.
        """
        instance_of("weapon", weapon, Weapon)
        state = self.state_of(unit)
        view, handle = self._view(state.team), self._handle(state)
        stands = [self.tilemap.cell(at)] if at is not None else [state.cell]
        if at is None:
            stands += view.options(state).reach
        others = targets_for(who, handle, map(self._handle, view.state.units), self.sides)
        return Targets.of(handle, stands, view.ground.attack_range(weapon), others)

    def threat(
        self, team: str, weapons: Mapping[Unit, Weapon | Iterable[Weapon]] = NO_WEAPONS
    ) -> Threat:
        """Return which units of other teams could reach each tile with all of their points.

        All units stand in each other's path as they do now.

        Parameters
        ----------
        team : str
            It needs no units, such as before they are placed.
        weapons : mapping from Unit or str to Weapon, or to several
            Units that are named here also threaten what they could hit after a move.
        """
        armed = {}
        for unit, given in instance_of("weapons", weapons, Mapping).items():
            each = [given] if isinstance(given, Weapon) else listed("the weapons of a unit", given)
            checked = tuple(instance_of("a weapon", weapon, Weapon) for weapon in each)
            armed[self._handle(self.state_of(unit))] = checked
        return self._view(instance_of("team", team, str)).threat(team, armed)

    # ------------------------------------------------------------------ orders

    def move(self, unit: Unit | str | Plan, cell: CellLike | None = None) -> Plan:
        """Order a unit to a cell: it holds the cell from now on, and its pose walks there.

        In fog it walks until it meets what its side does not see: a unit in its path or on its
        goal, or a zone of control. It then stops on the last cell before that where it may, and
        pays for the cells that it walked.

        Parameters
        ----------
        unit : Unit, str or Plan
            The unit, or a plan that `plan` returned, which is carried out as it is.
        cell : cell, optional
            Where the unit goes; not with a plan.

        Returns
        -------
        Plan
            The path that the unit takes. If it stops early, its `reason` says why.

        Raises
        ------
        MoveRefused
            The rules do not allow it, or the plan is one of another board, or of another state of
            map, units and turn; nothing has changed.
        TypeError
            A plan comes with a cell.
        """
        if not isinstance(unit, Plan):
            plan = self.plan(unit, cast(CellLike, cell))
        elif cell is None:
            plan = unit
        else:
            raise TypeError(f"a plan leads to its own cell, got {quoted(cell)} as well")
        why = "" if plan else plan.reason
        if plan.unit not in self._handles.values():
            why = Reason("other_board")
        elif plan.state.revision != self.tilemap.revision:
            why = Reason("plan_before_edit")
        elif not are_alike(self._view(plan.unit.team).state, plan.state):
            why = Reason("plan_before_moves")
        if why:
            raise MoveRefused(refusal(plan.unit.state, why))
        return self._go(plan)

    def move_together(
        self, paths: Mapping[Unit, Sequence[CellLike]], step_s: float = STEP_S
    ) -> None:
        """Order several units at once along paths that a squad planner has found.

        Each unit holds its last cell from now on, and their poses keep step. It is one order for
        undo. In fog the units walk until one of them meets what its side does not see: all stop at
        the last tick before that where all of them may.

        Parameters
        ----------
        paths : mapping from Unit or str to cells
            The cell of each unit at tick 0, 1, ...: it takes one step a tick, or waits.
        step_s : float
            The duration of a tick, > 0.

        Raises
        ------
        MoveRefused
            A path is not legal, costs too much, or meets another one; nothing has changed.
        """
        instance_of("paths", paths, Mapping)
        positive_number("step_s", step_s)
        to_cell, ticks = self.tilemap.cell, dict[UnitState, Sequence[Any]]()
        for unit, path in paths.items():
            state = self.state_of(unit)
            if why := self.situation(unit).reason:
                raise MoveRefused(refusal(state, why))
            ticks[state] = tuple(map(to_cell, listed(f"the path of {state.name}", path)))
        found = self._view(next((unit.team for unit in ticks), None)).joint_paths(ticks)
        n_ticks = max(map(len, ticks.values()), default=0)
        for end in range(n_ticks, 0, -1) if self.has_fog and not isinstance(found, str) else ():
            ticks = {unit: path[:end] for unit, path in ticks.items()}
            found = self._view(None).joint_paths(ticks)
            if not isinstance(found, str):
                break
        if isinstance(found, str):
            raise MoveRefused(cast(Reason, found))
        self._walk(found, ticks, step_s)

    def face(self, unit: Unit | str, cell: CellLike) -> None:
        """Order a unit to turn toward a cell, from the cell it holds; undone like a move.

        A unit that still walks turns when it arrives.

        Raises
        ------
        MoveRefused
            It is not its turn; nothing has changed.
        """
        state = self.state_of(unit)
        if why := self.turn_reason(unit):
            raise MoveRefused(Reason("cannot_turn", unit=state.name, why=why))
        here = point_on(self.tilemap, state.cell, state.profile)
        heading_deg = heading_between(here, self.tilemap.surface_point(cell))
        if heading_deg is not None and turn_between(state.heading_deg, heading_deg):
            after = self._state.with_unit(state._replace(heading_deg=heading_deg))
            self._commit("face", after, by=state.name)

    def act(self, unit: Unit | str, behavior: NextCell, *, is_automatic: bool = False) -> Path:
        """Order a unit to the next cell that a behavior chooses.

        Parameters
        ----------
        unit : Unit or str
        behavior : Behavior, or any object with `next_cell`
        is_automatic : bool
            Whether no player gave this order: it is undone together with the last order that a
            player gave, and orders that were undone can still be redone.

        Returns
        -------
        Path
            The path that the unit takes; no path, with a reason, if it stays or is refused.
        """
        true_or_false("is_automatic", is_automatic)
        if isinstance(behavior, type) or not callable(getattr(behavior, "next_cell", None)):
            has = "have next_cell(situation), as a Behavior has"
            raise TypeError(f"behavior must {has}, got {quoted(behavior)}")
        cell = behavior.next_cell(self.situation(unit))
        if cell is None:
            return Path.none(getattr(behavior, "reason", ""))
        return self._go(self.plan(unit, cell), is_automatic=is_automatic)

    def action(
        self, name: str, by: Unit | str | None = None, *, is_automatic: bool = False
    ) -> AbstractContextManager[Action]:
        """Return an action of the game, for a `with` block; see `Action`.

        Parameters
        ----------
        name : str
            Shown to players.
        by : Unit or str, optional
            Who acts; a unit may also act out of turn.
        is_automatic : bool
            As of `act`.

        Raises
        ------
        RuntimeError
            Another action, an edit or a stroke is open, or undo or redo runs.
        """
        instance_of("name", name, str)
        true_or_false("is_automatic", is_automatic)
        if by is not None and not isinstance(by, str):
            instance_of("by", by, Unit)
        who = "" if by is None else self.state_of(by).name
        return self._acting(name, who, is_automatic)

    # ------------------------------------------------------------------ history

    @property
    def log(self) -> tuple[Entry, ...]:
        """Everything that was done, in its order.

        Without turns all automatic moves in a row are one entry, without the cells between, so that
        a long patrol does not make the log longer.
        """
        return tuple(self._log.done)

    @property
    def has_undo(self) -> bool:
        """Whether there is an entry of a player that `undo` would undo."""
        return self._log.place >= 0

    @property
    def has_redo(self) -> bool:
        """Whether there is something that `redo` would do again."""
        return bool(self._log.undone)

    def undo(self) -> bool:
        """Undo the last entry of a player, with all automatic ones since; False without one.

        Raises
        ------
        RuntimeError
            An action, an edit or a stroke of the map is open.
        """
        self._check_closed("undo")
        entries = self._log.undo()
        self._replay([entry.inverse() for entry in reversed(entries)])
        return bool(entries)

    def redo(self) -> bool:
        """Do again what was undone last; False if there is nothing.

        It leads to the state after it: automatic entries since the undo are taken back.

        Raises
        ------
        RuntimeError
            As of `undo`.
        """
        self._check_closed("redo")
        if not self.has_redo:
            return False
        since, entries = self._log.redo()
        again = [entry._replace(is_redo=True) for entry in entries]
        self._replay([*(entry.inverse() for entry in reversed(since)), *again])
        return True

    def clear_history(self) -> None:
        """Forget all that `undo` and `redo` would do, and begin the log with the state now."""
        self._check_closed("forget its history")
        self._log = Log()
        present = {unit.number for unit in self._state.units}
        self._handles = {n: unit for n, unit in self._handles.items() if n in present}

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the map, the states and the log; listeners are left out. Raises as `copy` does."""
        self._check_closed("be pickled")
        values = {"seed": self.seed, "fog": self.has_fog, "rules": self.navigation.rules}
        return self._unpickled, (self.tilemap, self.state, self._log, values)

    @classmethod
    def _unpickled(
        cls, tilemap: TileMap, state: GameState, log: Log, values: dict[str, Any]
    ) -> Self:
        made = cls(tilemap, **values)
        made._resume(state, log)
        return made

    # ------------------------------------------------------------------ inside

    def _resume(self, state: GameState, log: Log) -> None:
        """Go on in a state to which the entries of a log led, as of another board."""
        self._log, self._handles = log, {}
        self._set_state(state)

    def _assign(self, unit: UnitState, values: dict[str, Any]) -> None:
        """Change checked values of a unit."""
        if "profile" in values:
            check_profile(values["profile"], self.tilemap)
        changed = unit._replace(**values)
        with_changed = self._state.with_team if "team" in values else self._state.with_unit
        after = with_changed(changed)
        if self._action is None and "profile" in values:
            check_places(
                self.tilemap, self._state, after, units_without_ground(self.tilemap, after)
            )
        self._commit("change", after, by=unit.name)

    def state_of(self, unit: Unit | str) -> UnitState:
        """Return the state of a unit of this board; errors as of the class."""
        if isinstance(unit, str):
            return self.unit(unit).state
        instance_of("a unit", unit, Unit)
        if unit._board is not self:
            raise ValueError(f"{unit.name} is not on this board; board.unit(name) is the one there")
        return unit.state

    def _handle(self, state: UnitState) -> Unit:
        """Return the unit with a state."""
        found = self._handles.get(state.number)
        if found is None:
            found = self._handles[state.number] = Unit._of(state)
            found._enter(self, state)
        return found

    @property
    def _ground_now(self) -> Ground:
        if self._ground.is_outdated:
            self._ground = Ground(self.navigation)
            self._views = {}
        return self._ground

    def _view(self, team: str | None) -> SideView:
        """Return what a team sees; of all units with None, and without fog."""
        ground, state = self._ground_now, self.state
        key = team if self.has_fog else None
        found = self._views.get(key)
        if found is None:
            if key is not None:
                sees, are_allies = self.seen(key), state.sides.are_allies
                units = tuple(
                    unit
                    for unit in state.units
                    if are_allies(unit.team, key) or any(sees[cell[:2]] for cell in unit.cells)
                )
                is_spent = state.spent > 0 and state.acting[0] in units
                state = state.with_(units=units, spent=state.spent if is_spent else 0.0)
            found = self._views[key] = SideView(ground, state, self._state, self._handle)
        return found

    def _go(self, plan: Plan, *, is_automatic: bool = False) -> Plan:
        """Carry out a plan, in fog as far as the unit can, and return what it walks."""
        unit = plan.unit.state
        if plan and self.has_fog:
            plan = self._view(None).options(unit).walkable(plan)
        self._walk({unit: plan}, is_automatic=is_automatic)
        return plan

    def _walk(
        self,
        paths: Mapping[UnitState, Path],
        ticks: Mapping[UnitState, Sequence[Any]] = MappingProxyType({}),
        step_s: float | None = None,
        *,
        is_automatic: bool = False,
    ) -> None:
        """Carry out an order; units whose path has one cell stay.

        In a joint move `ticks` are the cells with waits.
        """
        moving = [unit for unit, path in paths.items() if len(path) > 1]
        if not moving:
            return
        after, options = self._state, self._view(None).options
        walks = dict[int, Walked]()
        for unit in moving:
            cells = tuple(ticks.get(unit, paths[unit].cells))
            is_halted = after.order is not None and options(unit).is_halting(cells[-1])
            heading_deg = heading_after(self.tilemap, cells, unit.heading_deg)
            there = unit._replace(cell=cells[-1], heading_deg=heading_deg)
            after = after.with_spent(there, paths[unit].cost, is_halted=is_halted)
            walks[unit.number] = Walked(cells, step_s)
        by = moving[0].name if len(moving) == 1 else ""
        self._commit("move", after, by=by, walks=walks, is_automatic=is_automatic)

    def _commit(self, kind: str, after: GameState, **values: Any) -> None:  # noqa: ANN401 - of `Entry`
        """Take the next state, as an entry of the log, or as a part of an open action."""
        self._refuse_writers()
        self._take(Entry(kind, self._state, after, **values))

    def _take(self, entry: Entry) -> None:
        """Add an entry to the log and announce it, or let it join the open action."""
        if self._action is not None:
            for number, walked in entry.walks.items():
                before = self._walks.get(number)
                self._walks[number] = walked if before is None else before.then(walked)
            self._edits += entry.edits
            self._set_state(entry.after)
        elif not entry.is_empty:
            if self._is_announcing:
                entry = entry._replace(is_automatic=True)
            self._log.add(entry)
            self._show(entry)

    def _show(self, entry: Entry) -> None:
        """Take the state after an entry; let figures walk, and call listeners."""
        self._set_state(entry.after)  # which it is already after an action
        calls: list[Callable[[], object]] = []
        for number, before, after in differences(entry.before, entry.after):
            unit, walked = self._handles.get(number), entry.walks.get(number, NO_WALK)
            if unit is None or after is None:
                continue
            if len(walked.cells) > 1 and not walked.is_forced:
                heading_deg = unit.heading_deg if before is None else before.heading_deg
                calls.append(partial(unit._walk, walked.cells, heading_deg, walked.step_s))
            elif walked.is_forced or (before is not None and before.cell != after.cell):
                unit._stand()
        outer, self._is_announcing = self._is_announcing, True
        try:
            _call_all([*calls, partial(self.changed.emit, entry)])
        finally:
            self._is_announcing = outer

    def _replay(self, entries: Iterable[Entry]) -> None:
        """Go through entries of the log, or their inverses; listeners cannot act."""
        self._is_replaying = True
        try:
            _call_all([partial(self._show_again, entry) for entry in entries])
        finally:
            self._is_replaying = False

    def _show_again(self, entry: Entry) -> None:
        for edit in entry.edits:
            self.tilemap.revert(edit.inverse())
        self.tilemap.writer = self
        try:
            self._show(entry)
        finally:
            self.tilemap.writer = None

    def _set_state(self, state: GameState) -> None:
        """Take a state, and give each unit its own."""
        revision = self.tilemap.revision
        if state.revision != revision:
            state = state.with_(revision=revision)
        old, self._state = self._state, state
        self._views = {}
        for number, _, after in differences(old, state):
            unit = self._handles.get(number)
            if unit is None:
                continue
            if unit._board is self and after is not None:
                unit.state = after
            elif unit._board is self:
                unit._leave()
            elif after is not None and unit._board is None:
                unit._enter(self, after)
            elif after is not None:  # it is on another board now, and stays there
                del self._handles[number]

    def _add_edit(self, change: Change) -> None:
        """Add an entry for a change of the map, or let it join the open action."""
        if self._is_replaying:
            return
        if self._action is not None:
            self._rollback.append(partial(self.tilemap.revert, change))
        after = self._state.with_(revision=self.tilemap.revision)
        self._take(Entry("edit", self._state, after, change.name, edits=(change,)))

    @contextmanager
    def _acting(self, name: str, by: str, is_automatic: bool) -> Iterator[Action]:
        """Let all that happens in a `with` block be one entry; if it fails, leave all as it was."""
        if self._action is not None:
            raise RuntimeError("this board has an open action; actions do not nest")
        self._refuse_writers()
        tilemap, before = self.tilemap, self.state
        lost, handles = units_without_ground(tilemap, before), self._handles.copy()
        walking = [unit for unit in handles.values() if unit._walks]
        self._rollback = [
            *(partial(setattr, unit, "_walks", unit._walks) for unit in walking),
            partial(setattr, self, "_handles", handles),
            partial(self._set_state, before),
        ]
        action = Action(self, name, np.random.default_rng((self.seed, before.n_actions)))
        self._walks, self._edits = {}, []
        self._action, tilemap.writer = action, self
        self._set_state(before.with_(n_actions=before.n_actions + 1))
        try:
            try:
                yield action
            finally:
                action.end()
                tilemap.writer = None
            check_places(tilemap, before, self._state, lost)
            data = json_like("data", instance_of("data", action.data, Mapping))
        except BaseException:
            self._is_replaying = True
            try:
                _call_all(reversed(self._rollback))
            finally:
                self._is_replaying, self._action = False, None
            raise
        self._action, after = None, self._state
        present = {unit.number for unit in after.units}
        walks = {number: walked for number, walked in self._walks.items() if number in present}
        edits = tuple(self._edits)
        self._take(Entry("action", before, after, name, by, walks, edits, is_automatic, data))

    def _let_go(self, unit: Unit, state: UnitState, last_pose: Pose | None) -> None:
        """Let a unit that an action has added be as it was before."""
        if unit._board in {self, None}:
            vars(unit).update(state=state, _last_pose=last_pose, _board=None)

    def _refuse_writers(self) -> None:
        """Raise `RuntimeError` while others write: undo, redo, an edit or a stroke of the map."""
        if self._is_replaying:
            raise RuntimeError("a board cannot act while it undoes or redoes")
        writer = self.tilemap.writer
        if self.tilemap.is_editing or (writer is not None and writer is not self):
            raise RuntimeError("a board cannot act while an edit or a stroke of its map is open")

    def _check_closed(self, what: str) -> None:
        """Raise `RuntimeError`, which says what cannot be done, in an action and the like."""
        if self._action is not None:
            raise RuntimeError(f"a board cannot {what} inside an action")
        self._refuse_writers()


def _call_all(calls: Iterable[Callable[[], object]]) -> None:
    """Call all in order, also if one raises."""
    rest = iter([*calls])
    try:
        for call in rest:
            call()
    except BaseException:
        _call_all(rest)
        raise
