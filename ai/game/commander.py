"""What a person at a board has in hand: who is selected, what is aimed at, what would come of it.

It needs no window: whatever shows a board listens here, and passes clicks and keys on.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ai.board.board import Board, MoveRefused
from ai.board.unit import Unit, is_there
from ai.game.squad_orders import SquadOrders
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from terrain3d import Cell, Signal
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike


@dataclass(frozen=True)
class Plan:
    """What an order to a cell would come to.

    Parameters
    ----------
    unit : Unit
        Who would go.
    cell : Cell
    order : Path
        The way the order would take; none, with its reason, if it would be refused.
    path : Path
        The same, or for a refused order the cheapest way there, however dear; it may be none too.
    """

    unit: Unit
    cell: Cell
    order: Path
    path: Path

    @property
    def is_allowed(self) -> bool:
        """Whether the order would be carried out."""
        return bool(self.order)

    @property
    def reason(self) -> str:
        """Why the order would be refused; "" if it would not."""
        return self.order.reason


class Commander:
    """Gives orders to the units of a board, one selected unit at a time.

    Parameters
    ----------
    board : Board
    """

    unit_selected = Signal("unit")
    """Another unit takes the next order, or nobody: None."""
    tile_aimed = Signal("cell")
    """Another tile is aimed at, or none: None."""
    order_given = Signal("unit", "path")
    squad_ordered = Signal("order")
    """Several units go together: a `SquadOrder`."""
    order_undone = Signal("is_done")
    """The latest order was taken back; False: there was none."""
    order_redone = Signal("is_done")
    """The latest order that was taken back was given again; False: there was none."""
    refused = Signal("reason")
    """An order was not carried out, taken back or given again."""
    changed = Signal()
    """Something that is told here may differ: selection, aim, reach or plan."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._squad_orders = SquadOrders(board)
        self._selected: Unit | None = None
        self._squad: tuple[Unit, ...] = ()
        self._aim: Cell | None = None
        self._reach: Reach | None = None
        self._plan: Plan | None = None
        self._is_open = True
        self.is_squad_ready = True
        """Whether squads are given orders; it may be cleared while `warm_up_squads` runs."""
        for unit in board.units:
            unit.move_finished.connect(self._forget)
        board.unit_added.connect(self._welcome)
        board.unit_removed.connect(self._dismiss)
        board.unit_moved.connect(self._forget)
        board.unit_returned.connect(self._forget)
        board.tilemap.changed.connect(self._heed_edit)

    @property
    def board(self) -> Board:
        """Whose units it commands."""
        return self._board

    @property
    def is_open(self) -> bool:
        """Whether it asks for reach and plan and gives orders; else it selects and aims only.

        It may be closed while `warm_up` runs, so that nobody waits for it.
        """
        return self._is_open

    @is_open.setter
    def is_open(self, value: bool) -> None:
        if value != self._is_open:
            self._is_open = value
            self._forget()

    @property
    def selected(self) -> Unit | None:
        """Who takes the next order."""
        return self._selected

    @property
    def squad(self) -> tuple[Unit, ...]:
        """All who take the next order together, the selected unit among them."""
        return self._squad

    @property
    def aim(self) -> Cell | None:
        """The tile aimed at."""
        return self._aim

    @property
    def reach(self) -> Reach | None:
        """All that one order can take the selected unit to; None while it walks."""
        unit = self._selected
        if unit is None or unit.is_moving or len(self._squad) > 1 or not self._is_open:
            return None
        if self._reach is None:
            self._reach = self._board.reach(unit)
        return self._reach

    @property
    def plan(self) -> Plan | None:
        """What an order to the tile aimed at would come to; None if it is the unit's own."""
        unit, cell = self._selected, self._aim
        if unit is None or cell is None or cell == unit.cell or not self._is_open:
            return None
        if len(self._squad) > 1:  # what it comes to only its plan tells, which takes longer
            return None
        if self._plan is None:
            order = self._board.plan(unit, cell)
            path = order or self._board.find_path(unit, cell)
            self._plan = Plan(unit, cell, order, path)
        return self._plan

    def select(self, unit: Unit | None) -> None:
        """Choose who takes the next order, or nobody.

        Raises
        ------
        ValueError
            The unit is not on the board.
        """
        self.select_all(() if unit is None else (unit,))

    def select_all(self, units: Iterable[Unit]) -> None:
        """Choose several units of a team to take the next order together.

        Parameters
        ----------
        units : iterable of Unit
            Of several teams only the one that has most of them, of equal ones the first; nobody if
            there are none.

        Raises
        ------
        ValueError
            A unit is not on the board.
        """
        chosen = list(dict.fromkeys(units))
        for unit in chosen:
            if instance_of("a unit", unit, Unit) not in self._board.units:
                raise ValueError(f"{unit.name} is not on this board")
        teams = [unit.team for unit in chosen]
        team = max(teams, key=teams.count, default="")
        self._choose(tuple(unit for unit in chosen if unit.team == team))

    def select_next(self, step: int = 1) -> None:
        """Choose the unit `step` after the selected one in the board's order; -1 goes back."""
        units = self._board.units
        if not units:
            return
        if self._selected is None:
            place = 0 if step > 0 else -1
        else:
            place = units.index(self._selected) + step
        self.select(units[place % len(units)])

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a tile, or at none.

        Raises
        ------
        IndexError, TypeError
            It is outside the map or is no cell; the aim stays as it was.
        """
        wanted = None if cell is None else self._board.tilemap.cell(cell)
        if wanted != self._aim:
            self._aim, self._plan = wanted, None
            self.tile_aimed.emit(wanted)
            self.changed.emit()

    def act_on(self, cell: CellLike) -> None:
        """Do what a click on a tile means: select who stands there, else send the selected unit.

        Raises
        ------
        IndexError, TypeError
            It is outside the map or is no cell.
        """
        unit = self._board.unit_at(cell)
        if unit is not None:
            self.select(unit)
        elif len(self._squad) > 1 and self._is_open:
            self._order_all(self._squad, self._board.tilemap.cell(cell))
        elif self._selected is not None and self._is_open:
            self._order(self._selected, self._board.tilemap.cell(cell))

    def undo(self) -> None:
        """Take the latest order back."""
        self._retake(self._board.undo, self.order_undone)

    def redo(self) -> None:
        """Give the latest order that was taken back again."""
        self._retake(self._board.redo, self.order_redone)

    def _order(self, unit: Unit, cell: Cell) -> None:
        try:
            path = self._board.move(unit, cell)
        except MoveRefused as refusal:
            self.refused.emit(str(refusal))
        else:
            self.order_given.emit(unit, path)

    def _order_all(self, units: tuple[Unit, ...], cell: Cell) -> None:
        if not self.is_squad_ready:
            self.refused.emit("orders to several units are being got ready; try again in a moment")
            return
        walking = [unit.name for unit in units if unit.is_moving]
        if walking:
            self.refused.emit(f"{walking[0]} is on the way")
            return
        order = self._squad_orders.plan(units, cell)
        if not order.plan:
            self.refused.emit(order.plan.reason)
            return
        try:
            self._board.move_together(order.paths)
        except MoveRefused as refusal:
            self.refused.emit(str(refusal))
        else:
            self.squad_ordered.emit(order)

    def _choose(self, units: tuple[Unit, ...]) -> None:
        unit = units[0] if units else None
        is_other, self._squad = units != self._squad, units
        if unit is not self._selected:
            self._selected = unit
            self.unit_selected.emit(unit)
        if is_other:
            self._forget()

    def _retake(self, call: Callable[[], bool], signal: Signal) -> None:
        try:
            is_done = call()
        except MoveRefused as refusal:
            self.refused.emit(str(refusal))
        else:
            signal.emit(is_done)

    def _welcome(self, unit: Unit) -> None:
        unit.move_finished.connect(self._forget)
        self._forget()

    def _dismiss(self, unit: Unit) -> None:
        unit.move_finished.disconnect(self._forget)
        self._choose(tuple(other for other in self._squad if other is not unit))
        self._forget()

    def _heed_edit(self, _rect: object) -> None:
        if self._aim is not None and not is_there(self._board.tilemap, self._aim):
            self._aim = None
            self.tile_aimed.emit(None)
        self._forget()

    def _forget(self, *_what: object) -> None:
        """Work reach and plan out anew when somebody asks for them."""
        self._reach = self._plan = None
        self.changed.emit()
