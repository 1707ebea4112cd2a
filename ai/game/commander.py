"""Turn a player's selection and aim into orders for the units of a board.

Needs no window: a view connects to the signals and passes clicks and keys on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ai.board.attack import Threat, Weapon
from ai.board.board import Board
from ai.board.log import Entry, MoveRefused
from ai.board.planning import Plan
from ai.board.unit import Unit
from ai.game.squad_orders import CommonReach, SquadOrders
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from terrain3d import Cell, Signal
from terrain3d.core.checks import (
    instance_of,
    listed,
    optional,
    true_or_false,
    whole_number,
)
from terrain3d.grid.grid import CellLike
from terrain3d.grid.reason import Reason


class Commander:
    """Selection, aim and planned order of one player, and the orders to the units of a board.

    Parameters
    ----------
    board : Board
    team : str, optional
        The player's team. Units of other teams can be selected to see what they can do, but take
        no orders. None: the player commands all teams.
    """

    unit_selected = Signal("unit")
    """Another unit takes the next order, or none: None."""
    tile_aimed = Signal("cell")
    """Another tile is aimed at, or none: None."""
    order_given = Signal("unit", "path")
    """The selected unit moves along a path."""
    squad_ordered = Signal("order")
    """Several units move together: a `SquadOrder`."""
    order_undone = Signal("is_done")
    """The last order was undone; False: there was none."""
    order_redone = Signal("is_done")
    """The last undone order was given again; False: there was none."""
    refused = Signal("reason")
    """An order was not carried out, undone or given again, or not by every unit."""
    changed = Signal()
    """Selection, aim, reach or plan may have changed."""

    def __init__(self, board: Board, team: str | None = None) -> None:
        self.board = instance_of("board", board, Board)
        """The board with the units."""
        self.team: str | None = optional("team", team, str)
        """The player's team; None if the player commands all teams."""
        self._plan: Plan | None = None  # the one that is shown
        self._planned_for: object = None
        self._shown_part: Plan | None = None
        self._waypoints: tuple[Cell, ...] = ()
        self._squad_orders = SquadOrders(board)
        self._squad: tuple[Unit, ...] = ()
        self._aim: Cell | None = None
        self._is_open = True
        for unit in board.units:
            unit.move_finished.connect(self._emit_changed, weak=True)
        board.changed.connect(self._follow, weak=True)
        board.tilemap.changed.connect(self._check_aim, weak=True)

    @property
    def is_foe_selected(self) -> bool:
        """Whether a unit is selected that takes no orders, since it is of another team."""
        unit = self.selected
        return unit is not None and self.team is not None and unit.team != self.team

    @property
    def is_players_turn(self) -> bool:
        """Whether the player may give orders by the turn; True on a board without turns."""
        turn = self.board.turn
        return turn is None or self.team is None or turn.team == self.team

    @property
    def is_open(self) -> bool:
        """Whether it plans and gives orders; if not, it only selects and aims.

        It may be closed while `warm_up` runs, so that no frame waits for the compiler.
        """
        return self._is_open

    @is_open.setter
    def is_open(self, value: bool) -> None:
        if true_or_false("is_open", value) != self._is_open:
            self._is_open = value
            self._emit_changed()

    @property
    def selected(self) -> Unit | None:
        """The unit that takes the next order, set by `select`; the first of a squad."""
        return self._squad[0] if self._squad else None

    @property
    def squad(self) -> tuple[Unit, ...]:
        """All units that take the next order together, the selected unit included."""
        return self._squad

    @property
    def aim(self) -> Cell | None:
        """The tile aimed at, set by `aim_at`."""
        return self._aim

    @property
    def waypoints(self) -> tuple[Cell, ...]:
        """The tiles that the planned path leads over before it goes on to the aim."""
        return self._waypoints

    def add_waypoint(self, cell: CellLike) -> None:
        """Let the planned path of the selected unit lead over a tile, after those before it.

        Emits `refused` if it cannot, as where a unit stands or where every path has to end. The
        next order and another selection drop all. Raises as `aim_at`.
        """
        aim = self.board.tilemap.cell(cell)
        self.aim_at(aim)
        plan, via, there = self.plan, (*self._waypoints, aim), self.unit_seen_at(aim)
        if there is not None and self._squad:
            self.refused.emit(Reason("stands_on", unit=there.name, cell=aim))
        elif plan is not None and aim not in self._waypoints[-1:]:
            over = self.board.plan(plan.unit, aim, partial=True, via=via)
            if over.path:
                self._waypoints = via
                self.changed.emit()
            else:
                self.refused.emit(over.path.reason)

    def back(self) -> None:
        """Drop the last waypoint; without one, deselect."""
        if self._waypoints:
            self._waypoints = self._waypoints[:-1]
            self.changed.emit()
        else:
            self.select(None)

    @property
    def reach(self) -> Reach | CommonReach | None:
        """All cells that one order can take each selected unit to."""
        if not self._squad or not self._is_open:
            return None
        reaches = [self.board.reach(unit, seen_by=self.team) for unit in self._squad]
        return reaches[0] if len(reaches) == 1 else CommonReach(reaches)

    @property
    def plan(self) -> Plan | None:
        """The order to the tile aimed at; None for squads and tiles of units."""
        unit, cell = self.selected, self._aim
        if unit is None or cell is None or self.unit_seen_at(cell) or not self._is_open:
            return None
        if len(self._squad) > 1 or self.is_foe_selected or not self.is_players_turn:
            return None
        return self._planned(unit, cell, self._waypoints)

    @property
    def part(self) -> Plan | None:
        """The plan for a part of the way that a click has shown, and the next one carries out."""
        plan = self.plan
        return plan if plan is self._shown_part else None

    def select(self, unit: Unit | str | None) -> None:
        """Select the unit that takes the next order, also by its name, or none.

        Raises
        ------
        KeyError, ValueError
            The unit is not on the board.
        """
        self.select_all(() if unit is None else (unit,))

    def select_all(self, units: Iterable[Unit | str]) -> None:
        """Select several units of a team to take the next order together.

        Parameters
        ----------
        units : iterable of Unit or str
            Those that the player does not see are left out. Of several teams only the one with the
            most units is selected; ties go to the first.

        Raises
        ------
        KeyError, ValueError
            A unit is not on the board.
        """
        states = [self.board.state_of(unit) for unit in listed("units", units)]
        chosen = list(dict.fromkeys(filter(self.sees, map(self.board.unit, states))))
        teams = [unit.team for unit in chosen]
        team = max(teams, key=teams.count, default="")
        self._set_squad(tuple(unit for unit in chosen if unit.team == team))

    def select_next(self, step: int = 1) -> Cell | None:
        """Select the unit `step` after the selected one in the board's order; -1 goes back.

        With a team of the player only its units are selected; on a board with turns those that act.
        Returns the cell to aim at next, if there is one.
        """
        whole_number("step", step)
        units = self._units_to_select()
        if not units:
            return None
        if self.selected not in units:
            place = 0 if step > 0 else -1
        else:
            place = units.index(self.selected) + step
        unit = units[place % len(units)]
        self.select(unit)
        return unit.cell

    def _units_to_select(self) -> list[Unit]:
        """Return the units that `select_next` goes through."""
        turn = self.board.turn
        if turn is not None and self.is_players_turn:
            return list(turn.units)
        return [unit for unit in self.board.units if self.team in (None, unit.team)]

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a tile, or at none.

        Raises
        ------
        IndexError, TypeError
            It is outside the map or is not a cell; the aim stays as it was.
        """
        wanted = None if cell is None else self.board.tilemap.cell(cell)
        if wanted != self._aim:
            self._aim = wanted
            self.tile_aimed.emit(wanted)
            self.changed.emit()

    def act_on(self, cell: CellLike) -> None:
        """Handle a click on a tile: select the unit there, or send the selected units there.

        If its points last only for a part of the way, the first click aims there, and the second
        one lets the unit go.

        Raises
        ------
        IndexError, TypeError
            It is outside the map or is not a cell.
        """
        unit = self.unit_seen_at(cell)
        if unit is not None:
            self.select(unit)
        elif self.selected is not None and not self.refuse_foe() and self._is_open:
            if len(self._squad) > 1:
                self._order_squad(self._squad, self.board.tilemap.cell(cell))
            else:
                self._order(self.selected, self.board.tilemap.cell(cell))

    def unit_seen_at(self, cell: CellLike) -> Unit | None:
        """Return the unit on a cell, if there is one that the player's side sees."""
        unit = self.board.unit_at(cell)
        return None if unit is None or not self.sees(unit) else unit

    def sees(self, unit: Unit) -> bool:
        """Return whether the player's side sees a unit of the board."""
        self.board.state_of(unit)
        return self.team is None or self.board.is_seen(unit, self.team)

    def face_aim(self) -> None:
        """Turn the selected unit toward the tile aimed at, where it stands."""
        unit, aim = self.selected, self._aim
        if unit is None or aim is None:
            self.refused.emit(Reason("nothing_to_face"))
        elif not self.refuse_foe():
            self._call_board(self.board.face, unit, aim)

    def refuse_foe(self) -> bool:
        """Emit `refused` if a unit of another team is selected; return whether it is."""
        if why := self.why_no_orders:
            self.refused.emit(why)
        return bool(why)

    @property
    def why_no_orders(self) -> str:
        """Why the selected unit takes no orders from the player; "" if it does."""
        unit = self.selected
        if unit is None or not self.is_foe_selected:
            return ""
        return Reason("not_yours", unit=unit.name, team=unit.team)

    @property
    def has_undo(self) -> bool:
        """Whether there is an order to undo."""
        return self.board.has_undo

    @property
    def why_no_undo(self) -> str:
        """Why the last order is not undone; "" if it can be."""
        return "" if self.has_undo else Reason("no_order_to_undo")

    @property
    def has_redo(self) -> bool:
        """Whether there is an undone order."""
        return self.board.has_redo

    def undo(self) -> None:
        """Undo the last order."""
        self._call_history(self.has_undo, self.board.undo, self.order_undone)

    def redo(self) -> None:
        """Give the last undone order again."""
        self._call_history(self.has_redo, self.board.redo, self.order_redone)

    @property
    def threat(self) -> Threat | None:
        """Where enemies of the player's team could go; without one, of the selected unit's."""
        side = self._side
        if side is None or not self._is_open:
            return None
        return self.board.threat(side, self._weapons())

    def _weapons(self) -> Mapping[Unit, Sequence[Weapon]]:
        """Return the weapons of units that are seen; none, unless there is a battle."""
        return {}

    @property
    def first_threatened(self) -> int | None:
        """The number of the first cell of the planned path that enemies could reach, if any."""
        plan = None if self.board.turn is None else self.plan
        threat = None if plan is None else self.threat
        if plan is None or threat is None:
            return None
        for number, cell in enumerate(plan.path):
            if number and any(map(threat.by, tiles_of(cell, plan.unit.profile))):
                return number
        return None

    def end_turn(self) -> None:
        """End the player's turn."""
        if why := self.why_no_end:
            self.refused.emit(why)
        else:
            self._pass_turn()

    @property
    def why_no_end(self) -> str:
        """Why the player cannot end a turn now; "" if that is possible."""
        turn = self.board.turn
        if turn is None:
            return Reason("no_turns")
        if not self.is_players_turn:
            return Reason("other_turn", whose=turn.team)
        return ""

    def _pass_turn(self) -> None:
        """End the turn; for subclasses."""
        self.board.end_turn()

    @property
    def _side(self) -> str | None:
        """The player's team; without one that of the selected unit."""
        selected = self.selected
        return selected.team if self.team is None and selected is not None else self.team

    def _planned(self, unit: Unit, cell: Cell, via: tuple[Cell, ...]) -> Plan:
        """Return the plan that is shown, or another one if it does not hold any more."""
        state = self.board.state
        wanted = unit, cell, via, state, state.revision
        if self._plan is None or self._planned_for != wanted:
            self._planned_for = wanted
            self._plan = self.board.plan(unit, cell, partial=True, via=via)
        return self._plan

    def _order(self, unit: Unit, cell: Cell) -> None:
        wanted = self._planned(unit, cell, self._waypoints)
        if wanted and wanted.partial and wanted is not self._shown_part:
            self._shown_part = wanted
            self.aim_at(cell)
            self.changed.emit()
        elif (plan := self._call_board(self.board.move, wanted)) is not None:
            self._waypoints = ()
            self.order_given.emit(unit, plan)

    def _order_squad(self, units: tuple[Unit, ...], cell: Cell) -> None:
        order = self._squad_orders.plan(units, cell)
        try:
            self.board.move_together(order.paths)
        except MoveRefused as refusal:
            self.refused.emit(str(refusal))
            return
        if order.stays:
            self.refused.emit(order.reason)
        if order.units:
            self.squad_ordered.emit(order)

    def _set_squad(self, units: tuple[Unit, ...]) -> None:
        selected, is_other = self.selected, units != self._squad
        self._squad = units
        if is_other:
            self._waypoints = ()
        if self.selected is not selected:
            self.unit_selected.emit(self.selected)
        if is_other:
            self.changed.emit()

    def _call_history(self, is_able: bool, call: Callable[[], bool], signal: Signal) -> None:
        is_done = self._call_board(call) if is_able else False
        if is_done is not None:
            signal.emit(is_done)

    def _call_board(self, call: Callable[..., Any], *values: object) -> Any:  # noqa: ANN401
        """Return what a method of the board does; None if it refuses, and the reason is emitted."""
        try:
            return call(*values)
        except MoveRefused as refusal:
            self.refused.emit(str(refusal))
            return None

    def _follow(self, entry: Entry) -> None:
        """Listen to units that have arrived, and deselect those that have left or are not seen."""
        for change in entry.changes:
            unit = self.board.unit(change.unit)
            if change.before is None:
                unit.move_finished.connect(self._emit_changed, weak=True)
            elif change.after is None:
                unit.move_finished.disconnect(self._emit_changed)
        there = [unit for unit in self._squad if unit in self.board.units]
        self._set_squad(tuple(filter(self.sees, there)))
        self.changed.emit()

    def _check_aim(self, _rect: object) -> None:
        """Drop the aim and the waypoints if an edit has removed a deck."""
        if not all(map(self.board.tilemap.has_cell, self._waypoints)):
            self._waypoints = ()
        if self._aim is not None and not self.board.tilemap.has_cell(self._aim):
            self._aim = None
            self.tile_aimed.emit(None)
        self.changed.emit()

    def _emit_changed(self, *_values: object) -> None:
        self.changed.emit()
