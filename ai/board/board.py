"""Orders to units on a map: they are checked here, refused with a reason, done and undone."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Self

from ai.behaviors.behavior import Behavior
from ai.behaviors.situation import Situation
from ai.board.digest import digest_of
from ai.board.joint_moves import Ways, joint_move_reason, path_along
from ai.board.log_replay import replay_log
from ai.board.obstacles import occupied_reason
from ai.board.occupancy import Lineup
from ai.board.order import Order
from ai.board.order_history import ExecutedOrder, History
from ai.board.unit import Unit, is_there
from ai.motion.motion import STEP_S
from ai.navigation.path import Path
from ai.rules.footprint import tiles_of
from terrain3d import Cell, Signal, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike


class MoveRefused(ValueError):
    """An order that the rules do not allow; the text says why."""


class Board(Lineup):
    """Units on the cells of a map.

    Nobody passes or ends where an enemy stands; who is of the same team may be passed, but two
    units never stand on one tile. Who steps into an enemy's zone of control ends there.

    Parameters
    ----------
    tilemap : TileMap
        The ground.
    """

    unit_moved = Signal("unit", "path")
    """An order was done or redone: the unit now holds the end of the path."""
    unit_returned = Signal("unit", "cell")
    """An order was undone: the unit stands where it set out from."""

    def __init__(self, tilemap: TileMap) -> None:
        super().__init__(tilemap)
        self._history = History()

    @classmethod
    def replay(cls, tilemap: TileMap, units: Sequence[Unit], log: Sequence[Order]) -> Self:
        """Make a board on which the orders of a log have been carried out, ready to be undone.

        On an equal map, with equal units on the cells that they were added on, it has the digest
        of the board that the log is from.

        Parameters
        ----------
        units : sequence of Unit
            In the order of `units` of that board; on no board yet.
        log : sequence of Order

        Raises
        ------
        IndexError
            A cell is outside the map, or an order is for a unit that is not there.
        ValueError
            A unit is on a board already, a way does not begin where its unit stands, or two units
            would end on one tile. No unit has been put on the map then.
        """
        board = cls(tilemap)
        board._history.done = replay_log(tilemap, units, log)
        board._units = list(units)
        return board

    def remove(self, unit: Unit) -> None:
        """Take a unit off the board; its orders can no longer be undone.

        Raises
        ------
        ValueError
            It is not on this board.
        """
        self._refuse_stranger(unit)
        self._history.forget(unit)
        super().remove(unit)

    def move(self, unit: Unit, cell: CellLike) -> Path:
        """Order a unit to a cell: it holds the cell from now on and its pose walks there.

        Raises
        ------
        MoveRefused
            The rules do not allow it; nothing has changed.
        IndexError, TypeError
            The cell is outside the map or is no cell.
        """
        path = self._allowed(unit, cell)
        if len(path) > 1:
            self._history.undone.clear()
            self._carry_out({unit: path.cells}, {unit: path})
        return path

    def move_together(
        self, ways: Mapping[Unit, Sequence[CellLike]], step_s: float = STEP_S
    ) -> None:
        """Order several units at once along ways that a squad's planner has found.

        Each holds its last cell from now on; their poses keep step. To undo it is one order.

        Parameters
        ----------
        ways : mapping from Unit to cells
            Where each is at tick 0, 1, ...: it takes one step a tick or waits on its cell.
        step_s : float
            How long a tick takes, > 0.

        Raises
        ------
        MoveRefused
            A way is not legal, costs too much, or meets another one; nothing has changed.
        IndexError, TypeError, ValueError
            A cell is outside the map or is no cell, a unit is not on this board, or the time is out
            of its limits.
        """
        instance_of("ways", ways, Mapping)
        if not (math.isfinite(step_s) and step_s > 0):
            raise ValueError(f"step_s must be finite and > 0, got {step_s!r}")
        cell = self.tilemap.cell
        placed = {unit: tuple(cell(each) for each in way) for unit, way in ways.items()}
        paths = self._paths_together(placed)
        going = {unit: path for unit, path in paths.items() if len(path) > 1}
        if going:
            self._history.undone.clear()
            self._carry_out(placed, going, step_s)

    def act(self, unit: Unit, behavior: Behavior, *, is_automatic: bool = False) -> Path:
        """Order a unit to where its behavior wants it next.

        Parameters
        ----------
        unit : Unit
        behavior : Behavior
        is_automatic : bool
            Nobody gave this order: it is undone with the last one that somebody gave, and does not
            keep what was undone from being done again.

        Returns
        -------
        Path
            The way it goes; none, with the reason, if it stays or the order was refused.
        """
        cell = instance_of("behavior", behavior, Behavior).next_cell(self.situation(unit))
        if cell is None:
            return Path.none(behavior.reason)
        path = self.plan(unit, cell)
        if len(path) > 1:
            if not is_automatic:
                self._history.undone.clear()
            self._carry_out({unit: path.cells}, {unit: path}, is_automatic=is_automatic)
        return path

    def undo(self) -> bool:
        """Put the latest mover back to where it set out from; False if nothing was done.

        Raises
        ------
        MoveRefused
            That cell was taken or lost its ground since; nothing has changed.
        """
        history = self._history
        orders = history.latest(history.done)
        if not orders:
            return False
        before = {order.unit: order for order in reversed(orders)}  # the first of each unit
        for unit, order in before.items():
            self._refuse_to_stand(unit, order.cells[0], [*before])
        del history.done[-len(orders) :]
        history.undone += [order for order in orders if not order.is_automatic]
        for unit, order in before.items():
            unit.place(self.tilemap, order.cells[0], order.heading_deg)
        for unit, order in before.items():
            self.unit_returned.emit(unit, order.cells[0])
        return True

    def redo(self) -> bool:
        """Give the latest undone order again; False if there is none.

        Raises
        ------
        MoveRefused
            By the map and the units as they are now the order is not allowed; nothing has changed.
        """
        undone = self._history.undone
        orders = self._history.latest(undone)
        if not orders:
            return False
        ways = {order.unit: order.cells for order in orders}
        for unit, way in ways.items():
            if not is_there(self.tilemap, way[-1]):
                raise MoveRefused(f"{unit.name} cannot go there: {way[-1]} is gone")
        step_s = orders[0].step_s
        if step_s is None:
            paths = {unit: self._allowed(unit, way[-1]) for unit, way in ways.items()}
            ways = {unit: tuple(path.cells) for unit, path in paths.items()}
        else:
            paths = self._paths_together(ways)
        del undone[-len(orders) :]
        going = {unit: path for unit, path in paths.items() if len(path) > 1}
        if not going:  # the unit has come there by itself: the next order counts
            return self.redo()
        self._carry_out(ways, going, step_s)
        return True

    @property
    def log(self) -> tuple[Order, ...]:
        """The orders that were done and not undone, in their order, as plain data.

        What a unit did by itself since the last order that somebody gave is one way, without the
        rounds in it: a patrol that goes on for days makes it no longer.
        """
        return self._history.log(self._units)

    def digest(self) -> str:
        """Give 32 hexadecimal digits that are equal for equal states of the map and the units.

        What counts is the map and each unit's name, team, cell, heading, profile, move points and
        zone of control; how it came about and how far poses are on their ways does not.
        """
        return digest_of(self.tilemap, self._units)

    def _allowed(self, unit: Unit, cell: CellLike) -> Path:
        path = self.plan(unit, cell)
        if not path:
            raise MoveRefused(f"{unit.name} cannot go there: {path.reason}")
        return path

    def _paths_together(self, ways: Ways) -> dict[Unit, Path]:
        """Give the paths of units that go at the same time; `MoveRefused` if they cannot."""
        situations = {unit: self._among(unit, ways) for unit in ways}
        why = joint_move_reason(ways, situations)
        if why:
            raise MoveRefused(why)
        return {unit: path_along(way, situations[unit]) for unit, way in ways.items()}

    def _carry_out(
        self,
        ways: Ways,
        paths: dict[Unit, Path],
        step_s: float | None = None,
        *,
        is_automatic: bool = False,
    ) -> None:
        """Let units go, all of them whatever a listener makes of it, and then tell."""
        group = object()
        for unit in paths:
            before_deg = unit.heading_deg
            order = ExecutedOrder(unit, tuple(ways[unit]), before_deg, step_s, group, is_automatic)
            self._history.add(order)
        with ExitStack() as calls:  # of the last one first, and the others though one raises
            for unit, path in reversed(paths.items()):
                calls.callback(self.unit_moved.emit, unit, path)
            for unit in reversed(paths):
                calls.callback(unit.follow, ways[unit], step_s)

    def _among(self, unit: Unit, comrades: Iterable[Unit]) -> Situation:
        """Tell how things are for a unit if those who go along with it were not there."""
        self._refuse_stranger(unit)
        return self.situation(unit).without(tile for each in comrades for tile in each.cells)

    def _refuse_to_stand(self, unit: Unit, cell: Cell, comrades: Sequence[Unit]) -> None:
        for tile in tiles_of(cell, unit.profile):
            if not is_there(self.tilemap, tile) or self.tilemap.is_void(tile):
                raise MoveRefused(f"{tile} is void now")
        why = occupied_reason((other for other in self._units if other not in comrades), unit, cell)
        if why:
            raise MoveRefused(why)
