"""A way that is followed cell by cell, and searched anew only when it no longer serves."""

import math
from collections.abc import Iterable

from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.grid.grid import CellLike, as_cell


class PlannedPath:
    """Cells to go along, wherever on them the mover is.

    Parameters
    ----------
    cells : iterable of Cell
        A way that comes to no cell twice, both ends included; none to stay.
    """

    def __init__(self, cells: Iterable[Cell] = ()) -> None:
        self.take(cells)
        self._state: tuple[object, ...] | None = None  # in which these goals had no way, and why
        self._refused: dict[tuple[Cell, float], str] = {}

    def take(self, cells: Iterable[Cell]) -> None:
        """Follow another way from now on."""
        self._cells = tuple(cells)
        self._place = {cell: number for number, cell in enumerate(self._cells)}

    @property
    def goal(self) -> Cell | None:
        """Where it leads; None without one."""
        return self._cells[-1] if self._cells else None

    def next_cell(self, situation: Situation) -> Cell | None:
        """Give the next cell on which the mover may stop, if every step up to there is legal now.

        Returns
        -------
        Cell or None
            None at the goal, beside the way, or if it is cut.
        """
        number = self._place.get(situation.here)
        if number is None:
            return None
        for start, end in zip(self._cells[number:], self._cells[number + 1 :], strict=False):
            if end not in situation.steps_from(start):
                return None
            if situation.can_stop(end):
                return end
        return None

    def towards(
        self, situation: Situation, goal: CellLike, max_cost: float = math.inf
    ) -> Cell | str:
        """Give the next cell on a way to a goal, or why there is none.

        The way is searched if the way leads elsewhere, is cut, or the mover is not on it; so it
        was a cheapest one when it was found. As long as nothing has changed, nothing that had no
        way is searched again.

        Parameters
        ----------
        goal : cell
        max_cost : number
            A way that costs more is none.
        """
        cell = self.next_cell(situation) if self.goal == as_cell(goal) else None
        if cell is not None:
            return cell
        if self._state != situation.state:
            self._state, self._refused = situation.state, {}
        question = as_cell(goal), max_cost
        if question not in self._refused:
            path = situation.find_path(goal, max_cost=max_cost)
            self.take(path)
            cell = self.next_cell(situation)
            if cell is not None:
                return cell
            self._refused[question] = path.reason or f"is at {as_cell(goal)}"
        return self._refused[question]
