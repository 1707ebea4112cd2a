"""Units on the cells of a map: what they could do, the orders to them, and their digest."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Self, cast, overload

from ai.board.action import Action
from ai.board.attack import Targets, Threat, Weapon, targets_for
from ai.board.digest import digest_of
from ai.board.history import History
from ai.board.log import BoardValues, Entry, Log, MoveRefused
from ai.board.occupancy import (
    BoardState,
    JointPaths,
    Occupancy,
    Plan,
    check_on_board,
    refusal,
)
from ai.board.situation import NextCell, Situation, checked_chooser
from ai.board.turns import Sides, Turn, Turns, turns_of
from ai.board.unit import Unit
from ai.motion.motion import STEP_S, heading_between, point_on, turn_between
from ai.navigation.known_map import KnownMap
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.navigation.search import Search
from ai.rules.entry_rules import EntryRule
from ai.rules.profile import MoveProfile
from terrain3d import Reason, Signal, TileMap
from terrain3d.core.checks import (
    instance_of,
    listed,
    optional,
    positive_number,
    quoted,
    true_or_false,
    whole_within,
    with_whole_numbers,
)
from terrain3d.grid.grid import CellLike

NO_WEAPONS: Mapping[Unit, Weapon] = MappingProxyType({})


class Board:
    """Units on the cells of a map, and their orders.

    A unit can pass units of its own team, but not enemies, and two units never stand on one tile.
    A unit that enters an enemy's zone of control ends its move there.

    On a board with turns only the units whose turn it is may act, and orders spend their points. A
    zone of control takes all points of a unit that enters it, as in Wesnoth. A path that costs more
    than the points left is refused; with 0 left a unit can still take steps that cost nothing.

    All calls raise `TypeError`, `ValueError` or `IndexError` for what is not on this board or map,
    and for values of a wrong type or out of their limits.

    Parameters
    ----------
    tilemap : TileMap
    turns : str, optional
        "sides": teams take turns, in the order in which they first appear on the board, and all
        units of a team have their points back when its turn begins. "wait": the unit with the
        least waiting time acts; ties go to the first on the board. A unit first waits its
        `Unit.wait`; its turn adds that again, and the points it spent. None: no turns.
    seed : int
        That of the dice of actions, >= 0.
    rules : functions of a map and a profile
        Rules of the game, as of `Navigation`. They are not saved in records.
    allies : pairs of str
        Teams whose units pass each other and threaten together, as ``[("blue", "green")]``.
    neutral : sequence of str
        Teams whose units have no turns and no zones of control, and threaten no one, such as
        barrels; they are in the way of all others.
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
    acted = Signal("entry")
    """An action of the game was done or redone: this `Entry` of the log.

    Moves and turns inside it emit no signals of their own.
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
    ) -> None:
        seed, sides = whole_within("seed", seed, 0), Sides.of(allies, neutral)
        self._set_up(Occupancy(Navigation(tilemap, rules), turns, sides), seed)

    def _set_up(self, occupancy: Occupancy, seed: int) -> None:
        self.seed = seed
        """That of the dice of actions."""
        self._occupancy = occupancy
        self._history = History(self, occupancy)

    @classmethod
    def restore(
        cls,
        tilemap: TileMap,
        start: BoardValues,
        log: Iterable[Entry] = (),
        **more: Any,  # noqa: ANN401 - of `Board`
    ) -> Self:
        """Return a board at a state, after the entries of a log, which can be undone.

        Parameters
        ----------
        tilemap : TileMap
            As it was at the start.
        start : BoardValues
            As `log_start` of another board.
        log : iterable of Entry
        **more
            seed, rules, allies and neutral, as of `Board`.

        Raises
        ------
        IndexError, KeyError, ValueError
            A unit would stand outside the map or on another one, or an entry is about a unit that
            is not there.
        """
        board = cls(tilemap, start.turn.order, **more)
        for state in start.units.values():
            board._history.admit(Unit._of(state))
        board._turns.state = start.turn
        board._occupancy.check_apart()
        board.clear_history()
        for entry in log:
            board._history.apply([entry], is_walked=False)
            board._occupancy.check_apart()
            board._history.log.done.append(entry)
        return board

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
        self._history.refuse_inside("be copied")
        made = object.__new__(type(self))
        tilemap = self.tilemap.share()
        made._set_up(self._occupancy.share(self.navigation.share(tilemap)), self.seed)
        for unit in self.units:
            made._history.admit(unit._twin())
        made._turns.state = self._turns.state
        made._history.log = self._history.log.copy()
        return made

    __copy__ = copy

    def __deepcopy__(self, _known: object) -> Self:
        """Return a copy as `copy` does."""
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the map, the state and the log; listeners are left out. Raises as `copy` does."""
        self._history.refuse_inside("be pickled")
        more = {"seed": self.seed, "rules": self.navigation.rules} | vars(self.sides)
        return self._unpickled, (self.tilemap, self._history.values(), self._history.log, more)

    @classmethod
    def _unpickled(
        cls, tilemap: TileMap, values: BoardValues, log: Log, more: Mapping[str, Any]
    ) -> Self:
        made = cls.restore(tilemap, values, **more)
        made._history.log = log
        return made

    def unit(self, which: str | Unit) -> Unit:
        """Return the unit of this board with a name, or with the name of a unit of another board.

        Raises
        ------
        KeyError
            No unit on the board has this name.
        """
        name = which.name if isinstance(which, Unit) else instance_of("which", which, str)
        unit = self._occupancy.find(name)
        if unit is None:
            raise KeyError(f"no unit on this board is named {quoted(name)}")
        return unit

    def __repr__(self) -> str:
        """Show the number of units and the map."""
        return f"<{type(self).__name__} of {len(self.units)} units on {self.tilemap!r}>"

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
        """All units, in the order in which they were added by `add`."""
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
        with self._history.draft("add", by=unit.name) as draft:
            self._turns.enter(unit)
            unit._place(self.tilemap, self._history.assign, unit.state._replace(cell=cell))
            self._occupancy.units.append(unit)
            draft.signals.append(partial(self.unit_added.emit, unit))
        return unit

    def remove(self, unit: Unit) -> None:
        """Take a unit off the board.

        It keeps its last pose, so that a figure can fall there before the game frees its node.

        Raises
        ------
        ValueError
            It is not on this board.
        """
        check_on_board(unit, self.units)
        with self._history.draft("remove", by=unit.name) as draft:
            draft.begins_turn = not self._turns.reason(unit)
            self._turns.leave(unit)
            draft.walks.pop(unit, None)
            draft.slides.pop(unit.name, None)
            self._history.gone[unit.name] = unit
            unit._leave()
            draft.signals.append(partial(self.unit_removed.emit, unit))

    @property
    def sides(self) -> Sides:
        """Which teams are allies, and which are neutral."""
        return self._occupancy.sides

    def enemies_of(self, unit: Unit) -> list[Unit]:
        """Return the units of teams that are neither allies of a unit's team nor neutral."""
        check_on_board(unit, self.units)
        are_enemies = self.sides.are_enemies
        return [other for other in self.units if are_enemies(other.team, unit.team)]

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
        """Whose turn it is, which `end_turn` ends; None on a board without turns."""
        return self._turns.turn

    def change_turns(self, turns: str | None) -> None:
        """Begin other turns, or none, as in `Board`.

        All units have their points back. Errors are those of `Board`; nothing has changed then.
        """
        units = self._occupancy.units
        begun = turns_of(turns, units, self.sides)
        with self._history.draft("turns") as draft:
            for unit in units:
                unit._allot(None, 0.0)
                begun.enter(unit)
            self._occupancy.turns = begun
            draft.begins_turn = True

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
        return self._end_turn(is_automatic=true_or_false("is_automatic", is_automatic))

    def _end_turn(self, *, is_automatic: bool = False, keeps_undone: bool = False) -> Turn:
        turns = self._turns
        ended = turns.turn
        if ended is not None and not ended.units:
            return ended
        values = {"is_automatic": is_automatic, "keeps_undone": keeps_undone}
        with self._history.draft("end turn", by=turns.whose, **values) as draft:
            turns.end()
            assert ended is not None
            draft.signals.append(partial(self.turn_ended.emit, ended))
        began = turns.turn
        assert began is not None
        return began

    def turn_state(self) -> dict[str, Any]:
        """Return the turn and what units have left as JSON-like data; empty without turns."""
        return self._turns.as_dict()

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue at a turn that `turn_state` returned; what was before it cannot be undone.

        Units are known by their names; those that the state does not name begin afresh.

        Raises
        ------
        TypeError, ValueError
            It is not such a state, or is one of other turns; nothing has changed.
        """
        self._turns.resume(with_whole_numbers(dict(instance_of("state", state, Mapping))))
        self.clear_history()
        self._history.announce_turn()

    def clear_history(self) -> None:
        """Forget all that `undo` and `redo` would do, and begin the log with the state now."""
        self._history.clear()

    def situation(self, unit: Unit, *, known: KnownMap | None = None) -> Situation:
        """Return where a unit is and which units block it, `known` as of `reach`: for behaviors."""
        return self._occupancy.options(unit, known).situation

    def reach(self, unit: Unit, *, known: KnownMap | None = None) -> Reach:
        """Return all cells that one order can take a unit to.

        Parameters
        ----------
        unit : Unit
        known : KnownMap, optional
            What the unit's side knows. The answer is that for the map as it is known, with the
            units of the team and its allies, and others of which any tile is in sight; all others
            are left out.
        """
        return self._occupancy.options(unit, known).reach

    def targets(
        self,
        unit: Unit,
        weapon: Weapon,
        *,
        at: CellLike | None = None,
        who: str = "enemies",
        known: KnownMap | None = None,
    ) -> Targets:
        """Return which cells and units a unit can hit from its cell, and after one order.

        Parameters
        ----------
        unit : Unit
        weapon : Weapon
        at : cell, optional
            From this cell alone, as if the unit stood there; whether it could is not asked.
        who : str
            Which units it can hit: "enemies", "allies", "all" or "self". Allies are all units of
            the team; a unit hits itself with `min_tiles` 0, or by an area.
        known : KnownMap, optional
            As of `reach`.
        """
        instance_of("weapon", weapon, Weapon)
        check_on_board(unit, self.units)
        seen = self._occupancy.seen_by(unit.team, known)
        cell = seen.navigation.tilemap.cell
        stands = [unit.cell, *seen.options(unit).reach] if at is None else [cell(at)]
        others = targets_for(who, unit, seen.units, self.sides)
        return Targets.of(unit, stands, seen.attack_range(weapon), others)

    def threat(
        self,
        team: str,
        weapons: Mapping[Unit, Weapon] = NO_WEAPONS,
        *,
        known: KnownMap | None = None,
    ) -> Threat:
        """Return which units of other teams could reach each tile with all of their points.

        All units stand in each other's path as they do now.

        Parameters
        ----------
        team : str
            It needs no units, such as before they are placed.
        weapons : mapping from Unit to Weapon
            Units that are named here also threaten what they could hit after a move.
        known : KnownMap, optional
            What the team knows, as of `reach`.
        """
        for unit, weapon in instance_of("weapons", weapons, Mapping).items():
            check_on_board(unit, self.units)
            instance_of("a weapon", weapon, Weapon)
        instance_of("team", team, str)
        return self._occupancy.seen_by(team, known).threat(team, weapons)

    def find_path(self, unit: Unit, cell: CellLike, *, known: KnownMap | None = None) -> Path:
        """Return a cheapest path around the other units at any cost, or no path with a reason.

        `known` is as of `reach`.
        """
        options = self._occupancy.options(unit, known)
        return options.find_path(options.tilemap.cell(cell))

    def plan(
        self,
        unit: Unit,
        cell: CellLike,
        *,
        partial: bool = False,
        known: KnownMap | None = None,
        via: Iterable[CellLike] = (),
    ) -> Plan:
        """Return the path that an order would take, or no path with the reason of the refusal.

        Parameters
        ----------
        unit : Unit
        cell : cell
        partial : bool
            Whether the order may take the first part of the path, as far as the points last; see
            `Plan`.
        known : KnownMap, optional
            As of `reach`: no reason is about a unit or ground that the side does not know of.
        via : iterable of cells
            What the path leads over, in this order, by the cheapest path from each to the next.
            Allies may stand there; nothing may halt the unit there.
        """
        true_or_false("partial", partial)
        options = self._occupancy.options(unit, known)
        cell = options.tilemap.cell(cell)
        cells = [options.tilemap.cell(each) for each in listed("via", via)]
        return options.plan(cell, partial=partial, via=cells)

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
        known: KnownMap | None = None,
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
        known : KnownMap, optional
            As of `reach`.
        """
        situation = self.situation(unit, known=known)
        return situation.navigation.begin_search(
            unit.cell,
            cell,
            unit.profile if profile is None else profile,
            algorithm=algorithm,
            heuristic=heuristic,
            order=order,
            blockers=situation.blockers,
        )

    @overload
    def move(self, unit: Plan) -> Plan: ...

    @overload
    def move(self, unit: Unit, cell: CellLike, *, known: KnownMap | None = None) -> Plan: ...

    def move(
        self, unit: Unit | Plan, cell: CellLike | None = None, *, known: KnownMap | None = None
    ) -> Plan:
        """Order a unit to a cell: it holds the cell from now on, and its pose walks there.

        With `known` it walks until it meets what its side cannot know of: a unit or ground in its
        path, a zone of control, or costs beyond its points. It then stops on the last cell before
        that where it may, and pays for the cells that it walked.

        Parameters
        ----------
        unit : Unit or Plan
            The unit, or a plan that `plan` returned, which is carried out as it is.
        cell : cell, optional
            Where the unit goes; not with a plan.
        known : KnownMap, optional
            As of `plan`; not with a plan, which has its own.

        Returns
        -------
        Plan
            The path that the unit takes. If it stops early, its `reason` says why, and
            `UnitChange.stop` in the log.

        Raises
        ------
        MoveRefused
            The rules do not allow it, or the plan is one of another board, or of another state of
            map, units and turn; nothing has changed.
        IndexError, TypeError
            The cell is outside the map or is not a cell, or a plan comes with one.
        """
        if not isinstance(unit, Plan):
            plan = self.plan(unit, cast(CellLike, cell), known=known)
        elif cell is None and known is None:
            plan = unit
        else:
            more = quoted(known if cell is None else cell)
            raise TypeError(f"a plan leads to its own cell, got {more} as well")
        return self._go(self._allowed(plan))

    def move_together(
        self,
        paths: Mapping[Unit, Sequence[CellLike]],
        step_s: float = STEP_S,
        *,
        known: KnownMap | None = None,
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
        known : KnownMap, optional
            What the side knows, as of `reach`. As in `move` the units walk until one of them meets
            what it cannot know of: all stop at the last tick before that where all of them may.

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
        cell = (optional("known", known, KnownMap) or self).tilemap.cell
        checked = {
            unit: tuple(cell(each) for each in listed(f"the path of {unit.name}", path))
            for unit, path in paths.items()
        }
        walked, ticks, stops = self._occupancy.walkable_together(checked, known)
        self._walk(walked, ticks, step_s, stops=stops)

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
        check_on_board(unit, self.units)
        why = self._turns.reason(unit)
        if why:
            raise MoveRefused(Reason("cannot_turn", unit=unit.name, why=why))
        here = point_on(self.tilemap, unit.cell, unit.profile)
        heading_deg = heading_between(here, self.tilemap.surface_point(cell))
        if heading_deg is not None and turn_between(unit.heading_deg, heading_deg):
            self._face(unit, heading_deg)

    def act(
        self,
        unit: Unit,
        behavior: NextCell,
        *,
        is_automatic: bool = False,
        known: KnownMap | None = None,
    ) -> Path:
        """Order a unit to the next cell that a behavior chooses.

        Parameters
        ----------
        unit : Unit
        behavior : Behavior, or any object with `next_cell`
        is_automatic : bool
            Whether no player gave this order: it is undone together with the last order that a
            player gave, and orders that were undone can still be redone.
        known : KnownMap, optional
            What the side knows. The behavior decides by it, and the unit moves by it: see `move`.

        Returns
        -------
        Path
            The path that the unit takes; no path, with a reason, if it stays or is refused.
        """
        true_or_false("is_automatic", is_automatic)
        situation = self.situation(unit, known=known)
        cell = checked_chooser("behavior", behavior).next_cell(situation)
        if cell is None:
            return Path.none(getattr(behavior, "reason", ""))
        return self._go(self.plan(unit, cell, known=known), is_automatic=is_automatic)

    def action(self, name: str, by: Unit | None = None, *, is_automatic: bool = False) -> Action:
        """Return an action of the game, for a `with` block; see `Action`.

        Parameters
        ----------
        name : str
            Shown to players.
        by : Unit, optional
            Who acts; a unit may also act out of turn.
        is_automatic : bool
            As of `act`.

        Raises
        ------
        RuntimeError
            Another action is open, or undo, redo or a replay runs.
        TypeError, ValueError
            The name is not a text, or the unit is not on this board.
        """
        instance_of("name", name, str)
        true_or_false("is_automatic", is_automatic)
        if by is not None:
            check_on_board(instance_of("by", by, Unit), self.units)
        return Action(self, name, by, is_automatic=is_automatic)

    @property
    def has_undo(self) -> bool:
        """Whether there is an entry of a player that `undo` would undo."""
        return any(not entry.is_automatic for entry in reversed(self.log))

    @property
    def has_redo(self) -> bool:
        """Whether there is something that `redo` would do again, if the board allows it."""
        return bool(self._history.log.undone)

    def undo(self) -> bool:
        """Undo the last entry of a player, with all automatic ones since; False without one.

        Raises
        ------
        RuntimeError
            An action, an edit or a stroke of the map is open.
        """
        return self._history.undo()

    def redo(self) -> bool:
        """Do what was undone last again; False if there is nothing.

        If units have moved by themselves since, only the player's entry is done again.

        Raises
        ------
        MoveRefused
            The map and the units do not allow it now; nothing has changed.
        RuntimeError
            As of `undo`.
        """
        self._history.refuse_inside("redo")
        log = self._history.log
        if not log.undone:
            return False
        entries = log.undone[-1]
        if log.is_stale:
            again = {"move": self._move_again, "end turn": self._end_turn_again}
            if entries[0].kind in again:
                return again[entries[0].kind](entries[0])
            entries = entries[:1]
            self._history.check_again(entries[0])
        self._history.redo(entries)
        return True

    @property
    def is_replaying(self) -> bool:
        """Whether undo, redo or a replay emits signals now: listeners cannot act then."""
        return self._history.is_replaying

    def join_edits(self, first: int, name: str) -> None:
        """Make one entry of each run of edits in the log, to be undone at once.

        Parameters
        ----------
        first : int
            The number of the first entry that may be joined, as ``len(board.log)`` was before it.
        name : str
            That of the new entries.
        """
        first = whole_within("first", first, 0)
        self._history.log.join_edits(first, instance_of("name", name, str))

    @property
    def log(self) -> tuple[Entry, ...]:
        """Everything that was done, in its order.

        All automatic moves in a row are one entry, with paths without loops, so that a long patrol
        does not make the log longer. On a board with turns each step spends
        points, so that all steps are kept.
        """
        return tuple(self._history.log.done)

    @property
    def log_start(self) -> BoardValues:
        """The units and the turn when `log` began."""
        return self._history.log.start

    def digest(self) -> str:
        """Return 32 hexadecimal digits that are equal for equal states of the map and the units.

        The digest covers the map, and each unit's name, team, cell, heading, profile, move points
        and zone of control; on a board with turns also the turn, points left and waiting times. It
        does not cover past orders and the poses of walking units.
        """
        return digest_of(self.tilemap, self.units, self.turn_state(), self.sides.as_dict())

    @property
    def _turns(self) -> Turns:
        return self._occupancy.turns

    def _allowed(self, plan: Plan) -> Plan:
        """Return a plan; `MoveRefused` if the rules do not allow it, or anything has changed."""
        why = self._occupancy.outdated_reason(plan) or ("" if plan else plan.reason)
        if why:
            raise MoveRefused(refusal(plan.unit, why))
        return plan

    def _end_turn_again(self, entry: Entry) -> bool:
        """End a turn again; see `redo`."""
        if entry.by != self._turns.whose:
            whose = self._turns.whose
            raise MoveRefused(Reason("cannot_end_turn", team=entry.by, whose=whose))
        self._history.log.forget_undone()
        self._end_turn(keeps_undone=True)
        return True

    def _move_again(self, entry: Entry) -> bool:
        """Plan a move that was undone again, and carry it out; see `redo`."""
        find, changes = self._occupancy.find, entry.changes
        cells = {unit: each.along for each in changes if (unit := find(each.name))}
        if len(cells) < len(changes):
            raise MoveRefused(Reason("plan_before_moves"))
        step_s = entry.changes[0].step_s
        for unit, along in cells.items():
            if not self.tilemap.has_cell(along[-1]):
                raise MoveRefused(refusal(unit, Reason("ground_gone", cell=along[-1])))
        if step_s is not None:
            paths: Mapping[Unit, Path] = self._occupancy.joint_paths(cells)
        else:
            plans = {unit: self.plan(unit, along[-1]) for unit, along in cells.items()}
            paths = {unit: self._allowed(plan) for unit, plan in plans.items()}
        self._history.log.forget_undone()
        if all(len(path) == 1 for path in paths.values()):
            return self.redo()  # they have gone there by themselves: the entry after it
        self._walk(paths, None if step_s is None else cells, step_s, keeps_undone=True)
        return True

    def _go(self, plan: Plan, *, is_automatic: bool = False) -> Plan:
        """Carry out a plan, one with `known` as far as the unit can, and return what it walks."""
        walked = plan
        if plan and plan.state.occupancy is not self._occupancy:
            walked = self._occupancy.options(plan.unit).walkable(plan)
        stops = {plan.unit: walked.reason} if len(walked) < len(plan) else {}
        self._walk({plan.unit: walked}, is_automatic=is_automatic, stops=stops)
        return walked

    def _walk(
        self,
        paths: Mapping[Unit, Path],
        ticks: JointPaths | None = None,
        step_s: float | None = None,
        *,
        is_automatic: bool = False,
        keeps_undone: bool = False,
        stops: Mapping[Unit, str] = MappingProxyType({}),
    ) -> None:
        """Carry out an order: start all units, also if a listener raises, and emit `unit_moved`.

        Units whose path has one cell stay, which is an entry only if a player's order has a reason
        to stop in `stops`. In a joint move `ticks` are the cells with waits.
        """
        kept = () if is_automatic else stops.keys()
        moving = {unit: path for unit, path in paths.items() if len(path) > 1 or unit in kept}
        if not moving:
            return
        by = next(iter(moving)).name if len(moving) == 1 else ""
        values = {"is_automatic": is_automatic, "keeps_undone": keeps_undone}
        with self._history.draft("move", by=by, **values) as draft:
            options, ends = self._occupancy.options, moving.items() if self.turns else ()
            halted = {unit for unit, path in ends if options(unit).is_halting(path.cells[-1])}
            for unit, path in moving.items():
                self._turns.spend(unit, path.cost, is_halted=unit in halted)
                draft.walk(unit, (ticks or paths)[unit], step_s, stops.get(unit, ""))
                if draft.kind == "move" and len(path) > 1:
                    draft.signals.append(partial(self.unit_moved.emit, unit, path))

    def _face(self, unit: Unit, heading_deg: float) -> None:
        """Turn a unit where it stands."""
        with self._history.draft("face", by=unit.name) as draft:
            unit.state = unit.state._replace(heading_deg=heading_deg)
            if draft.kind == "face":
                draft.signals.append(partial(self.unit_turned.emit, unit))
