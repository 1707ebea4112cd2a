"""Follow a path from point to point, and check which of its steps edits have made illegal."""

import itertools
import math
from dataclasses import dataclass

from ai.agents import string_pulling
from ai.behaviors.situation import Situation
from ai.motion.motion import Point
from ai.motion.placement import Target, point_on
from ai.navigation.path import Path
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Rect, TileMap
from terrain3d.grid import grid

_MAX_EARLY_CELLS = 8  # of an unfinished path, for an agent to start on


@dataclass(frozen=True)
class _Segment:
    """The straight line to the next point, over the ground as it was at a version of the map."""

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

    `begin` is where the body is, near the first cell. `target` is the target of the search, whether
    the path leads there or not.
    """

    def __init__(
        self, tilemap: TileMap, profile: MoveProfile, path: Path, begin: Point, target: Target
    ) -> None:
        self.path = path
        self.is_whole = bool(path) and not path.partial
        """Whether the path leads to its target."""
        self._target = target
        self._tilemap, self._profile, self._begin = tilemap, profile, begin
        self._cells = tuple(path)
        self._places: list[grid.Point | None] = [None] * len(self._cells)
        self._first = self._next = min(1, len(self._cells) - 1) if path else 0
        self._segment: _Segment | None = None

    def leads_to(self, target: Target | None) -> bool:
        """Return whether the path was searched for a target's cell; if so, lead to that target."""
        if target is self._target:
            return True
        if target is None or target.cell != self._target.cell:
            return False
        self._target, self._segment = target, None
        if len(self._places) > 1:  # from the center a line leads to any place on the next cell
            self._places[-2] = None
        return True

    @property
    def is_over(self) -> bool:
        """Whether the body has come to the last cell."""
        return self._next >= len(self._cells)

    @property
    def is_last(self) -> bool:
        """Whether the last cell is next."""
        return self._next == len(self._cells) - 1

    @property
    def index(self) -> int:
        """The index of the next of `points`; at the end of the last."""
        return min(self._next, max(0, len(self._cells) - 1))

    @property
    def next_cell(self) -> Cell | None:
        """The next cell; None at the end."""
        return None if self.is_over else self._cells[self._next]

    @property
    def segment_cells(self) -> tuple[Cell, ...]:
        """The cell that the body comes from, and the next cell."""
        return self._cells[max(0, self._next - 1) : self._next + 1]

    @property
    def cells_ahead(self) -> tuple[Cell, ...]:
        """The cell that the body comes from, the next cell, and all that follow."""
        return self._cells[max(0, self._next - 1) :]

    @property
    def last_cell(self) -> Cell | None:
        """The last cell of the path; None if there is no path."""
        return self._cells[-1] if self._cells else None

    def skip_to(self, cell: Cell, *, is_on_it: bool = True) -> bool:
        """Skip to the cell that the body is on or near; False if it is not on the path."""
        if cell not in self._cells:
            return False
        self._skip(self._cells.index(cell) + is_on_it)
        return True

    def catch_up(self, cell: Cell) -> bool:
        """Skip cells that a fast body has passed; False if its cell is not ahead on the path."""
        if cell not in self._cells[self._next :]:
            return False
        self._skip(self._cells.index(cell, self._next))
        return True

    def _skip(self, number: int) -> None:
        self._first = self._next = min(number, len(self._cells) - 1)
        self._segment = None

    def pull_straight(self, situation: Situation, cell: Cell, *, is_on_it: bool) -> None:
        """Pull the path straight from one of its cells on; see `string_pulling`.

        `is_on_it`: whether the body is on that cell; if not, it goes to its center first.
        """
        first = self._cells.index(cell)
        begin = self._begin if is_on_it else self._point(first)
        ends = begin[:2], self._point(len(self._cells) - 1)[:2]
        cells, places = string_pulling.pull_straight(situation, self._cells[first:], *ends)
        self._cells = *self._cells[:first], *cells
        self._places[first:] = places
        self._places[first] = self._places[-1] = None

    def advance(self) -> Cell:
        """Note that the body has come to the next cell, and return that cell."""
        self._next += 1
        self._segment = None
        return self._cells[self._next - 1]

    @property
    def points(self) -> list[Point]:
        """The position of the body on each cell, over the ground as it is now."""
        return [self._point(number) for number in range(len(self._cells))]

    def next_point(self) -> Point:
        """Return the position on the next cell, at the end on the last; there must be a path."""
        return self._current_segment().end

    def is_at_next(self, here: Point, distance: float) -> bool:
        """Return whether a body is within a distance of the next point, or of its cell's center.

        The latter is for a body that goes from cell to cell.
        """
        if math.dist(here, self.next_point()) <= distance:
            return True
        is_middle = self._places[self._next] is None
        return not is_middle and math.dist(here, self._middle(self._next)) <= distance

    def is_near(self, here: Point, distance: float) -> bool:
        """Return whether a body is within a distance of the straight line to the next point.

        A body that hops is above that line by at most the rise of the step, which does not count.
        """
        segment = self._current_segment()
        distance += abs(segment.end[2] - segment.start[2])
        # The cheap test first: a body is mostly near the end.
        return math.dist(here, segment.end) <= distance or segment.distance(here) <= distance

    def _current_segment(self) -> _Segment:
        segment, version = self._segment, self._tilemap.version
        if segment is None or segment.version != version:
            number = self.index
            start = self._begin if number <= self._first else self._point(number - 1)
            segment = self._segment = _Segment(version, start, self._point(number))
        return segment

    def _point(self, number: int) -> Point:
        if self.is_whole and number == len(self._cells) - 1:
            return self._target.point
        point, place = self._middle(number), self._places[number]
        return point if place is None else (*place, point[2])

    def _middle(self, number: int) -> Point:
        return point_on(self._tilemap, self._cells[number], self._profile)

    def next_stop(self, situation: Situation, *, is_outdated: bool) -> Cell | None:
        """Return the next cell where the body may stop; None without one, or if a step is illegal.

        `is_outdated`: whether the map or blockers may have changed since the path was found.
        """
        for start, end in itertools.pairwise(() if self.is_over else self.cells_ahead):
            if is_outdated and is_illegal(situation, start, end):
                return None
            if situation.can_stop(end):
                return end
        return None

    def is_touched(self, rect: Rect) -> bool:
        """Return whether an edit within a rectangle may affect a step that is still ahead."""
        extent, leap = self._profile.size - 1, self._profile.leap
        margin = leap + 1 if leap or self._profile.diagonal != "never" else 0
        top, left = rect.row - extent, rect.col - extent
        bottom, right = rect.row + rect.rows, rect.col + rect.cols
        ahead = slice(max(0, self._next - 1), None)
        for (row, col, _), place in zip(self._cells[ahead], self._places[ahead], strict=True):
            near = margin if place is None else max(1, margin)  # the body may touch cells beside it
            if top - near <= row < bottom + near and left - near <= col < right + near:
                return True
        return False


def is_illegal(situation: Situation, start: Cell, end: Cell) -> bool:
    """Return whether a step of an outdated path is no longer legal."""
    if situation.navigation.tilemap.has_surface(start):
        return end not in situation.steps_from(start)
    # The body flies, or the surface below it was removed.
    return not situation.has(end) or situation.is_taken(end)


def reversible_part(situation: Situation, path: Path) -> Path:
    """Return the first steps of a path that can be taken back if it leads into a dead end."""
    cells = path.cells[:_MAX_EARLY_CELLS]
    for number, (start, end) in enumerate(itertools.pairwise(cells)):
        if start not in situation.steps_from(end):
            return path.head(number + 1)
    return path.head(len(cells))
