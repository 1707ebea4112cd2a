"""Who stands where: orders are checked here, refused with a reason, done and undone."""

from dataclasses import dataclass

from ai.navigation import Navigation
from ai.path import Path, plain_number
from ai.reach import Reach
from ai.unit import Unit
from terrain3d import Cell, Signal, TileMap
from terrain3d.grid import CellLike


class MoveRefused(ValueError):
    """An order that the rules do not allow; the text says why."""


@dataclass(frozen=True)
class _Move:
    """A finished order, as undo and redo need it."""

    unit: Unit
    start: Cell
    goal: Cell
    heading_deg: float


class Board:
    """Units on the cells of a map. Nobody passes or ends where another unit stands.

    Parameters
    ----------
    tilemap : TileMap
        The ground.
    """

    unit_added = Signal("unit")
    unit_removed = Signal("unit")
    unit_moved = Signal("unit", "path")
    """An order was done or redone: the unit now holds the end of the path."""
    unit_returned = Signal("unit", "cell")
    """An order was undone: the unit stands where it set out from."""

    def __init__(self, tilemap: TileMap) -> None:
        self._navigation = Navigation(tilemap)
        self._units: list[Unit] = []
        self._done: list[_Move] = []
        self._undone: list[_Move] = []

    @property
    def tilemap(self) -> TileMap:
        """The ground."""
        return self._navigation.tilemap

    @property
    def navigation(self) -> Navigation:
        """The ways over the ground, with nobody in the way."""
        return self._navigation

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units, in the order they were added."""
        return tuple(self._units)

    def add(self, unit: Unit) -> Unit:
        """Put a unit on its cell and return it.

        Raises
        ------
        IndexError
            Its cell is outside the map.
        ValueError
            It is on a board already, or its cell is void or taken.
        """
        cell = self.tilemap.grid.cell(unit.cell)
        if unit.is_placed:
            where = "this" if unit in self._units else "another"
            raise ValueError(f"{unit.name} is on {where} board already")
        if self.tilemap.is_void(cell):
            raise ValueError(f"{unit.name} cannot stand on ({cell.row}, {cell.col}): it is void")
        other = self.unit_at(cell)
        if other is not None:
            raise ValueError(f"{other.name} stands on ({cell.row}, {cell.col}) already")
        unit.place(self.tilemap, cell)
        self._units.append(unit)
        self.unit_added.emit(unit)
        return unit

    def remove(self, unit: Unit) -> None:
        """Take a unit off the board; its orders can no longer be undone.

        Raises
        ------
        ValueError
            It is not on this board.
        """
        self._others(unit)
        self._units.remove(unit)
        self._done = [move for move in self._done if move.unit is not unit]
        self._undone = [move for move in self._undone if move.unit is not unit]
        unit.leave()
        self.unit_removed.emit(unit)

    def unit_at(self, cell: CellLike) -> Unit | None:
        """Give the unit that holds a cell, or None."""
        cell = self.tilemap.grid.cell(cell)
        return next((unit for unit in self._units if unit.cell == cell), None)

    def reach(self, unit: Unit) -> Reach:
        """Find all cells that one order can take a unit to."""
        others = self._others(unit)
        return self._navigation.reach(unit.cell, unit.move, unit.profile, blocked=others)

    def find_path(self, unit: Unit, cell: CellLike) -> Path:
        """Find a cheapest way around the others, however dear; no way has its reason."""
        goal = self.tilemap.grid.cell(cell)
        others = self._others(unit)
        other = self.unit_at(goal)
        if other is not None and other is not unit:
            return Path.none(f"{other.name} stands on ({goal.row}, {goal.col})")
        return self._navigation.find_path(unit.cell, goal, unit.profile, blocked=others)

    def plan(self, unit: Unit, cell: CellLike) -> Path:
        """Find the way an order would take; no way, with its reason, if it would be refused."""
        reach = self.reach(unit)
        if cell in reach:
            return reach.path_to(cell)
        path = self.find_path(unit, cell)
        if not path:
            return path
        points = plain_number(unit.move)
        return Path.none(f"costs {path.cost}, {unit.name} has {points} move points")

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
            self._undone.clear()
            self._carry_out(unit, path)
        return path

    def undo(self) -> bool:
        """Put the latest mover back to where it set out from; False if nothing was done.

        Raises
        ------
        MoveRefused
            That cell was taken or lost its ground since; nothing has changed.
        """
        if not self._done:
            return False
        move = self._done[-1]
        self._refuse_to_stand(move.unit, move.start)
        self._undone.append(self._done.pop())
        move.unit.place(self.tilemap, move.start, move.heading_deg)
        self.unit_returned.emit(move.unit, move.start)
        return True

    def redo(self) -> bool:
        """Give the latest undone order again; False if there is none.

        Raises
        ------
        MoveRefused
            By the map and the units as they are now the order is not allowed; nothing has changed.
        """
        if not self._undone:
            return False
        unit = self._undone[-1].unit
        path = self._allowed(unit, self._undone[-1].goal)
        self._undone.pop()
        self._carry_out(unit, path)
        return True

    def _allowed(self, unit: Unit, cell: CellLike) -> Path:
        path = self.plan(unit, cell)
        if not path:
            raise MoveRefused(f"{unit.name} cannot go there: {path.reason}")
        return path

    def _carry_out(self, unit: Unit, path: Path) -> None:
        cells = path.cells
        self._done.append(_Move(unit, cells[0], cells[-1], unit.heading_deg))
        try:
            unit.follow(cells)
        finally:  # the order is done, whatever a listener of the unit makes of it
            self.unit_moved.emit(unit, path)

    def _others(self, unit: Unit) -> list[Cell]:
        if unit not in self._units:
            raise ValueError(f"{unit.name} is not on this board")
        return [other.cell for other in self._units if other is not unit]

    def _refuse_to_stand(self, unit: Unit, cell: Cell) -> None:
        if self.tilemap.is_void(cell):
            raise MoveRefused(f"({cell.row}, {cell.col}) is void now")
        other = self.unit_at(cell)
        if other is not None and other is not unit:
            raise MoveRefused(f"{other.name} stands on ({cell.row}, {cell.col})")
