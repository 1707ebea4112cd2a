"""A path as points of the world to go to one after the other, and what edits make of it."""

import itertools
import math
from dataclasses import dataclass

from ai.behaviors.situation import Situation
from ai.motion.motion import Point
from ai.motion.placement import Target, point_on
from ai.navigation.path import Path
from ai.rules.nodes import is_on
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Rect, TileMap

_SCOUTED = 8  # cells to go by a way that is not planned to its end yet


@dataclass(frozen=True)
class _Leg:
    """The straight line to a point that is next, over the ground as it was at a version."""

    version: int
    start: Point
    end: Point

    def distance(self, here: Point) -> float:
        along = [b - a for a, b in zip(self.start, self.end, strict=True)]
        length = sum(part * part for part in along)
        done = sum((h - a) * part for h, a, part in zip(here, self.start, along, strict=True))
        share = max(0.0, min(1.0, done / length)) if length else 0.0
        foot = [a + share * part for a, part in zip(self.start, along, strict=True)]
        return math.dist(here, foot)


class PathFollower:
    """Leads a body along a path, from cell to cell.

    Parameters
    ----------
    tilemap : TileMap
    profile : MoveProfile
        Who walks.
    path : Path
        Whole, partial or none.
    begin : Point
        Where the body is, near the first cell.
    target : Target
        What the path was searched for, whether it leads there or not.
    """

    def __init__(
        self, tilemap: TileMap, profile: MoveProfile, path: Path, begin: Point, target: Target
    ) -> None:
        self.path = path
        self.is_whole = bool(path) and not path.partial
        """Whether it leads to its target."""
        self._target = target
        self._tilemap, self._profile, self._begin = tilemap, profile, begin
        self._cells = tuple(path)
        self._first = self._next = min(1, len(self._cells) - 1) if path else 0
        self._leg: _Leg | None = None

    def leads_to(self, target: Target | None) -> bool:
        """Tell whether it was searched for a target; from now on it leads to its place."""
        if target is self._target:
            return True
        if target is None or target.cell != self._target.cell:
            return False
        self._target, self._leg = target, None
        return True

    @property
    def is_over(self) -> bool:
        """Whether it has led to its last cell."""
        return self._next >= len(self._cells)

    @property
    def is_last(self) -> bool:
        """Whether the last cell is next."""
        return self._next == len(self._cells) - 1

    @property
    def index(self) -> int:
        """Which of `points` is next; at the end the last one."""
        return min(self._next, max(0, len(self._cells) - 1))

    @property
    def next_cell(self) -> Cell | None:
        """Which cell is next; None if it is over."""
        return None if self.is_over else self._cells[self._next]

    @property
    def leg_cells(self) -> tuple[Cell, ...]:
        """The cell that the body comes from, and the next one."""
        return self._cells[max(0, self._next - 1) : self._next + 1]

    @property
    def cells_ahead(self) -> tuple[Cell, ...]:
        """The cell that the body comes from, the next one, and all that follow."""
        return self._cells[max(0, self._next - 1) :]

    @property
    def cells_left(self) -> tuple[Cell, ...]:
        """The next cell, and all that follow."""
        return self._cells[self._next :]

    @property
    def last_cell(self) -> Cell | None:
        """Where the path ends; None if there is none."""
        return self._cells[-1] if self._cells else None

    def skip_to(self, cell: Cell, *, is_on_it: bool = True) -> bool:
        """Leave out what comes before the cell that the body is on or near; False without it."""
        if cell not in self._cells:
            return False
        place = self._cells.index(cell) + is_on_it
        self._first = self._next = min(place, len(self._cells) - 1)
        self._leg = None
        return True

    def catch_up(self, cell: Cell) -> bool:
        """Leave out what a quick body has passed unseen; False if it is not on the way ahead."""
        return cell in self.cells_left and self.skip_to(cell, is_on_it=False)

    def go_on(self) -> Cell:
        """Take it that the next cell was come to, and give that."""
        self._next += 1
        self._leg = None
        return self._cells[self._next - 1]

    @property
    def points(self) -> list[Point]:
        """Where the body stands on each cell, over the ground as it is now."""
        return [self._point(number) for number in range(len(self._cells))]

    def next_point(self) -> Point:
        """Give where to go: to the next cell, or to the last if it is over; there must be one."""
        return self._leg_now().end

    def is_near(self, here: Point, distance: float) -> bool:
        """Tell whether a body is within a distance of the straight line to the next point.

        A body that hops is above that line by no more than the step rises or falls, which is no
        distance.
        """
        leg = self._leg_now()
        distance += abs(leg.end[2] - leg.start[2])
        # Near its end is near the line, and mostly a body is.
        return math.dist(here, leg.end) <= distance or leg.distance(here) <= distance

    def _leg_now(self) -> _Leg:
        leg, version = self._leg, self._tilemap.version
        if leg is None or leg.version != version:
            number = self.index
            start = self._begin if number <= self._first else self._point(number - 1)
            leg = self._leg = _Leg(version, start, self._point(number))
        return leg

    def _point(self, number: int) -> Point:
        if self.is_whole and number == len(self._cells) - 1:
            return self._target.point
        return point_on(self._tilemap, self._cells[number], self._profile)

    def next_stop(self, situation: Situation, *, is_old: bool) -> Cell | None:
        """Give the next cell where its body may stop; None if there is none, or an old way is cut.

        Parameters
        ----------
        is_old : bool
            Whether the map or others may have changed since the path was found.
        """
        for start, end in itertools.pairwise(() if self.is_over else self.cells_ahead):
            if is_old and is_cut(situation, start, end):
                return None
            if situation.can_stop(end):
                return end
        return None

    def is_touched(self, rect: Rect) -> bool:
        """Tell whether an edit within a rectangle may matter to a step that is still ahead."""
        aside, leap = self._profile.size - 1, self._profile.leap
        margin = leap + 1 if leap or self._profile.diagonal != "never" else 0
        top, left = rect.row - margin - aside, rect.col - margin - aside
        bottom, right = rect.row + rect.rows + margin, rect.col + rect.cols + margin
        cells = self.cells_ahead
        return any(top <= row < bottom and left <= col < right for row, col, _ in cells)


def is_firm(tilemap: TileMap, cell: Cell) -> bool:
    """Tell whether there is ground or a deck at a cell."""
    return is_on(tilemap, cell) and not tilemap.is_void(cell)


def is_cut(situation: Situation, start: Cell, end: Cell) -> bool:
    """Tell whether a step of an old way is legal no more."""
    if is_firm(situation.navigation.tilemap, start):
        return end not in situation.steps_from(start)
    # Who is there flies, or what it stood on is gone.
    return not situation.has(end) or situation.is_taken(end)


def safe_part(situation: Situation, path: Path) -> Path:
    """Give the first steps of a path from which one can come back, should it be a dead end."""
    cells = path.cells[:_SCOUTED]
    for number, (start, end) in enumerate(itertools.pairwise(cells)):
        if start not in situation.steps_from(end):
            return path.head(number + 1)
    return path.head(len(cells))
