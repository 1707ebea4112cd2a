"""Plan the order of one unit before it is given."""

from dataclasses import dataclass

from ai.behaviors.situation import Situation
from ai.board.board import Board
from ai.board.turn_ends import turn_ends
from ai.board.unit import Unit
from ai.navigation.path import Path
from terrain3d import Cell


@dataclass(frozen=True)
class Plan:
    """An order to a cell before it is given: its path, or why it would be refused.

    Parameters
    ----------
    unit : Unit
        The unit that would move.
    cell : Cell
    order : Path
        The path the order would take; no path, with a reason, if it would be refused.
    path : Path
        The cheapest path to the cell at any cost, if there is one: the order may be its first part.
    turn_ends : tuple of int
        The number of the cell of `path` on which each turn ends, as in `ai.board.turn_ends`;
        without turns only the first: how far the points last.
    """

    unit: Unit
    cell: Cell
    order: Path
    path: Path
    turn_ends: tuple[int, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """Whether the order would be carried out."""
        return bool(self.order)

    @property
    def reason(self) -> str:
        """Why the order would be refused; "" if it would not."""
        return "" if self.order else self.order.reason


class OrderPlanner:
    """Plans orders on a board; keeps the latest plan while the map and the units are unchanged."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._latest: tuple[Situation, tuple[object, ...], Plan] | None = None

    def plan(self, unit: Unit, cell: Cell) -> Plan:
        """Plan an order to a cell, or as far on the path there as the points last."""
        board = self._board
        situation = board.situation(unit)  # another object after any change of map and units
        key = cell, unit.points, board.turn
        if self._latest is not None and self._latest[0] is situation and self._latest[1] == key:
            return self._latest[2]
        order = board.plan(unit, cell)
        path = order or board.find_path(unit, cell)
        ends = turn_ends(path, board.reach(unit).budget, unit.move, situation.can_stop)
        ends = ends if board.turns else ends[:1]
        if ends and ends[0] and not order:
            order = board.plan(unit, path.cells[ends[0]])
        plan = Plan(unit, cell, order, path, ends)
        self._latest = situation, key, plan
        return plan
