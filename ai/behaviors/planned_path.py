"""Follow a planned path cell by cell, and search again only when the plan no longer holds."""

from collections.abc import Iterable

from ai.behaviors.behavior import Situation
from terrain3d import Cell, Reason


class PlannedPath:
    """The path that a behavior follows from any of its cells, of which none is repeated."""

    def __init__(self, cells: Iterable[Cell] = ()) -> None:
        self.follow(cells)
        # The reasons why goals could not be reached, in this state of the situation.
        self._state: tuple[object, ...] | None = None
        self._reasons: dict[Cell, str] = {}

    def follow(self, cells: Iterable[Cell]) -> None:
        """Follow another path from now on."""
        self._cells = tuple(cells)
        self._place = {cell: number for number, cell in enumerate(self._cells)}
        self._version: int | None = None  # of the map when `towards` used it last

    @property
    def goal(self) -> Cell | None:
        """The last cell; None without a path."""
        return self._cells[-1] if self._cells else None

    def next_cell(self, situation: Situation) -> Cell | None:
        """Return the next cell where it may stop; None at the goal, off the path, or if blocked."""
        number = self._place.get(situation.here)
        if number is None:
            return None
        for start, end in zip(self._cells[number:], self._cells[number + 1 :], strict=False):
            if end not in situation.steps_from(start):
                return None
            if situation.can_stop(end):
                return end
        return None

    def towards(self, situation: Situation, goal: Cell) -> Cell | str:
        """Return the next cell on a path to a goal, or why there is none.

        A cheapest path is searched if the current one leads elsewhere, is blocked, the map has
        changed, or the mover is not on it. A goal without a path is searched again only after
        something has changed.
        """
        version = situation.navigation.tilemap.version
        if self._version not in (None, version):
            self.follow(())
        self._version = version
        cell = self.next_cell(situation) if self.goal == goal else None
        if cell is not None:
            return cell
        if self._state != situation.state:
            self._state, self._reasons = situation.state, {}
        if goal not in self._reasons:
            path = situation.find_path(goal)
            self.follow(path)
            self._version = version
            cell = self.next_cell(situation)
            if cell is not None:
                return cell
            self._reasons[goal] = path.reason or Reason("is at {}", goal)
        return self._reasons[goal]
