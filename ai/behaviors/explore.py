"""Seeing all of a map: every cell that can be reached, or every room."""

import math
from collections.abc import Sequence

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.navigation.path import Path
from terrain3d import Cell
from terrain3d.grid.grid import CellLike, as_cell

_BUDGETS = (8.0, 64.0, math.inf)  # mostly something near the mover has not been visited yet


class Explore(Behavior):
    """Visit whatever has not been visited, the cheapest to reach first.

    As long as there is something from which a way leads back to where it is, it goes there first,
    so that a drop it cannot climb again is taken last. Beyond that it does not look ahead: of
    several such drops it takes the cheapest to reach.

    Parameters
    ----------
    rooms : sequence of sequences of cells, optional
        To visit one cell of each, instead of all cells.

    Raises
    ------
    TypeError
        A room holds what is no cell.
    """

    def __init__(self, rooms: Sequence[Sequence[CellLike]] | None = None) -> None:
        self._rooms = None
        if rooms is not None:
            self._rooms = [frozenset(as_cell(cell) for cell in room) for room in rooms]
        self._visited: set[Cell] = set()
        self._walk = PlannedPath()
        self._done: tuple[object, ...] | None = None  # the state in which nothing was left

    @property
    def visited(self) -> frozenset[Cell]:
        """Where it has been."""
        return frozenset(self._visited)

    def _choose(self, situation: Situation) -> Cell | str:
        self._visit(situation.here)
        goal = self._walk.goal
        cell = None
        if goal is not None and self._wants(goal):
            cell = self._walk.next_cell(situation)
        if cell is None and self._done != situation.state:
            self._walk.take(self._way_on(situation))
            cell = self._walk.next_cell(situation)
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

    def _way_on(self, situation: Situation) -> Path:
        """Find the way to the nearest cell to visit, of those with a way back if there is one."""
        leads_back = situation.navigation.is_reachable
        for budget in _BUDGETS:
            reach = situation.reach(budget)
            wanted = [cell for cell in reach if self._wants(cell)]
            for cell in wanted:
                if leads_back(cell, situation.here, situation.profile):
                    return reach.path_to(cell)
        return reach.path_to(wanted[0]) if wanted else Path.none("")
