"""Explore: visit every cell that can be reached, or every room."""

import math
from collections.abc import Sequence

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.navigation.path import Path
from terrain3d import Cell
from terrain3d.core.checks import listed
from terrain3d.grid.grid import CellLike, as_cell

_BUDGETS = (8.0, 64.0, math.inf)  # mostly something near the mover has not been visited yet


class Explore(Behavior):
    """Visit all cells that have not been visited, the cheapest to reach first.

    Cells from which a path leads back come before all others, so that it takes a drop it cannot
    climb again last. It does not look further ahead: of several such drops it takes the cheapest
    to reach.

    Parameters
    ----------
    rooms : sequence of sequences of cells, optional
        One cell of each is visited, instead of all cells.

    Raises
    ------
    TypeError
        A room has an item that is not a cell.
    """

    def __init__(self, rooms: Sequence[Sequence[CellLike]] | None = None) -> None:
        self._rooms = None
        if rooms is not None:
            self._rooms = [
                frozenset(map(as_cell, listed("a room", room))) for room in listed("rooms", rooms)
            ]
        self._visited: set[Cell] = set()
        self._path = PlannedPath()
        self._done: tuple[object, ...] | None = None  # the state in which no cell was left

    @property
    def visited(self) -> frozenset[Cell]:
        """The cells it has been on."""
        return frozenset(self._visited)

    def _choose(self, situation: Situation) -> Cell | str:
        self._visit(situation.here)
        goal = self._path.goal
        cell = None
        if goal is not None and self._wants(goal):
            cell = self._path.next_cell(situation)
        if cell is None and self._done != situation.state:
            self._path.follow(self._next_path(situation))
            cell = self._path.next_cell(situation)
            self._done = situation.state if cell is None else None
        return cell or "all that can be reached has been visited"

    def _visit(self, cell: Cell) -> None:
        if cell not in self._visited:
            self._visited.add(cell)
            if self._rooms is not None:
                self._rooms = [room for room in self._rooms if cell not in room]

    def _wants(self, cell: Cell) -> bool:
        if self._rooms is None:
            return cell not in self._visited
        return any(cell in room for room in self._rooms)

    def _next_path(self, situation: Situation) -> Path:
        """Return the path to the cheapest cell to visit, if possible one with a path back."""
        leads_back = situation.navigation.is_reachable
        for budget in _BUDGETS:
            reach = situation.reach(budget)
            wanted = [cell for cell in reach if self._wants(cell)]
            for cell in wanted:
                if leads_back(cell, situation.here, situation.profile):
                    return reach.path_to(cell)
        return reach.path_to(wanted[0]) if wanted else Path.none("")
