"""The node that leads its parent to a target, with the members of Godot's NavigationAgent3D.

Its follower knows where on a path the body is, and which steps edits have made illegal.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ai.agents import string_pulling
from ai.agents.navigation_server import NavigationServer3D
from ai.behaviors.behavior import Situation
from ai.motion.motion import Point, Target, cell_of, checked_point, point_on
from ai.navigation.path import Path
from ai.navigation.resumable_search import Search
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Node, Rect, Signal, TileMap, export
from terrain3d.core.checks import instance_of, listed, one_of, optional, quoted
from terrain3d.grid import grid
from terrain3d.grid.grid import CellLike, as_cell

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
    def segment_cells(self) -> tuple[Cell, ...]:
        """The cell that the body comes from, and the next cell."""
        return self._cells[max(0, self._next - 1) : self._next + 1]

    @property
    def cells_ahead(self) -> tuple[Cell, ...]:
        """The cell that the body comes from, the next cell, and all that follow."""
        return self._cells[max(0, self._next - 1) :]

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
        extent, margin = self._profile.size - 1, int(self._profile.diagonal != "never")
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


PATH_POSTPROCESSING = "corridor_funnel", "none"
"""What an agent does with a path that was found; Godot's names."""

_LARGEST = 1e6


class NavigationAgent3D(Node):
    """Leads the node it hangs under to a target, over a map that may change at any time.

    Its parent has a `position` or `point`, (x, y, z) in world units, between its feet. In every
    frame, move that toward `get_next_path_position()` while not `is_navigation_finished()`. As in
    Godot, these calls find out what was reached since the last frame and emit the signals.

    The server plans the path when the agent's turn comes. Until then the agent follows its current
    path up to the first illegal step; an agent without a path follows what its search has found so
    far, as long as the steps can be taken back.
    It plans again for a new target, if its parent was moved off the path, and if an edit touches a
    step ahead. An edit that only makes a better path possible changes nothing; but while the
    target cannot be reached, every edit starts a new search.

    If the target cannot be reached it leads as near as possible; `reason` says why.

    Parameters
    ----------
    server : NavigationServer3D
        Plans its paths.
    profile : MoveProfile, optional
        How its parent moves.
    name : str
        Of the node.

    Raises
    ------
    TypeError
        `server` or `profile` has another type; or, when it enters a tree, its parent has no
        position.
    """

    path_changed = Signal()
    """It has a new path."""
    waypoint_reached = Signal("cell")
    """Its parent has come to a cell of the path."""
    target_reached = Signal()
    """Its parent has come to the target. Emitted once for each target and path."""
    navigation_finished = Signal()
    """The path is at its end, at the target or as near to it as possible. Emitted once for each
    target and path, and not if a listener of `target_reached` set another target."""

    path_desired_distance = export(
        0.1, range=(1e-6, _LARGEST), doc="how near its parent comes to each cell's point"
    )
    target_desired_distance = export(
        0.1, range=(1e-6, _LARGEST), doc="how near it comes to the target"
    )
    path_max_distance = export(
        0.75, range=(0.1, _LARGEST), doc="how far off its path it may be before it plans again"
    )

    def __init__(
        self, server: NavigationServer3D, profile: MoveProfile | None = None, name: str = ""
    ) -> None:
        super().__init__(name)
        self._server = instance_of("server", server, NavigationServer3D)
        self._tilemap = server.navigation.tilemap
        self._profile = optional("profile", profile, MoveProfile) or MoveProfile()
        self._target: Target | None = None
        self._blocked: tuple[Cell, ...] = ()
        self._follower: PathFollower | None = None
        self._is_planning = False
        self._is_finished = True
        self._is_reached = False
        self._path_postprocessing = PATH_POSTPROCESSING[0]
        self._checked_step: tuple[object, ...] = ()
        self._is_checked_step_illegal = False

    @property
    def profile(self) -> MoveProfile:
        """How its parent moves."""
        return self._profile

    @property
    def position(self) -> Point:
        """Its parent's position, in world units; `TypeError` if that has none."""
        body = self.parent
        point = getattr(body, "position", None)
        if point is None:
            point = getattr(body, "point", None)
        if point is None:
            raise TypeError(f"{self!r} needs a parent with a position or point, has {quoted(body)}")
        return checked_point(point)

    @property
    def target_cell(self) -> Cell | None:
        """The cell to lead to; set it to None to stop."""
        return self._target.cell if self._target else None

    @target_cell.setter
    def target_cell(self, cell: CellLike | None) -> None:
        if cell is not None:
            self._set_target(Target(self._tilemap, self._profile, self._tilemap.cell(cell)))
            return
        self._target = self._follower = None
        self._is_finished, self._is_reached = True, False
        self._set_planning(False)

    @property
    def target_position(self) -> Point | None:
        """The point to lead to, in world units: on the surface nearest to the point that was set.

        For a point beside the map it is on the nearest cell.
        """
        return self._target.point if self._target else None

    @target_position.setter
    def target_position(self, point: Sequence[float]) -> None:
        self._set_target(Target.near(self._tilemap, self._profile, checked_point(point)))

    @property
    def path_postprocessing(self) -> str:
        """How paths are walked that are planned from now on.

        "corridor_funnel", the default: straight over open ground, at no higher cost, see
        `ai.agents.string_pulling`. "none": from the center of each cell to that of the next.
        """
        return self._path_postprocessing

    @path_postprocessing.setter
    def path_postprocessing(self, name: str) -> None:
        self._path_postprocessing = one_of("path_postprocessing", name, PATH_POSTPROCESSING)

    @property
    def blocked(self) -> tuple[Cell, ...]:
        """Cells that other units hold; the path leads around them."""
        return self._blocked

    @blocked.setter
    def blocked(self, cells: Iterable[CellLike]) -> None:
        before, self._blocked = self._blocked, tuple(map(as_cell, listed("blocked", cells)))
        for row, col, _ in set(before) ^ set(self._blocked):
            self.map_changed(Rect(row, col, 1, 1))

    @property
    def cell(self) -> Cell:
        """The cell its parent is on.

        During a step it is a cell of the path, even if another surface of the column is nearer.
        Where there is no ground, as after an edit or below a flyer, it is the path's next cell.
        """
        follower, here = self._follower, self.position
        cell = cell_of(self._tilemap, here, self._profile)
        is_void = not self._tilemap.has_surface(cell)
        if follower is None or (cell in follower.segment_cells and not is_void):
            return cell
        cells = follower.cells_ahead if is_void else follower.segment_cells
        on_path = (each for each in cells if is_void or each[:2] == cell[:2])
        best = next((each for each in on_path if self._tilemap.has_surface(each)), None)
        if best is None or not follower.is_near(here, self.path_max_distance):
            return cell
        away = math.dist(here, point_on(self._tilemap, cell, self._profile))
        return cell if away <= self.path_desired_distance and not is_void else best

    @property
    def is_planning(self) -> bool:
        """Whether it waits for the server to plan its path."""
        return self._is_planning

    @property
    def reason(self) -> str:
        """Why its path does not lead to the target; "" if it does, and until it is planned."""
        return self._follower.path.reason if self._follower and not self._is_planning else ""

    def get_next_path_position(self) -> Point:
        """Return the point to move to in a straight line; its parent's position if it cannot go on.

        Call it once a frame.
        """
        self._update()
        follower = self._follower
        can_go_on = follower and follower.path and not self._is_stopped(follower)
        return follower.next_point() if follower and can_go_on else self.position

    def get_next_path_cell(self) -> Cell:
        """Return the next cell where its parent may stop; its own cell if it cannot go on."""
        self._update()
        if self._follower and self._follower.catch_up(self.cell):  # it may have skipped cells
            self._update()
        if self._follower is None:
            return self.cell
        stop = self._follower.next_stop(self._situation(), is_outdated=self._is_planning)
        return stop or self.cell

    def get_current_navigation_path(self) -> list[Point]:
        """Return the points of its path from the first cell on, also of cells behind."""
        return self._follower.points if self._follower else []

    def get_current_navigation_path_index(self) -> int:
        """Return the index of the next point of the path."""
        return self._follower.index if self._follower else 0

    def get_final_position(self) -> Point:
        """Return the last point of its path; its parent's position without one."""
        points = self.get_current_navigation_path()
        return points[-1] if points else self.position

    def is_target_reachable(self) -> bool:
        """Return whether its path leads to the target; False until it is planned."""
        follower, target = self._follower, self.target_position
        if follower is None or target is None or self._is_planning:
            return False
        if follower.is_whole:
            return True
        return math.dist(self.get_final_position(), target) <= self.target_desired_distance

    def is_target_reached(self) -> bool:
        """Return whether its parent has come to the target; see `target_reached`."""
        self._update()
        return self._is_reached

    def is_navigation_finished(self) -> bool:
        """Return whether the path is at its end, at the target or as near to it as possible."""
        self._update()
        return self._is_finished

    def distance_to_target(self) -> float:
        """Return the straight distance to the target in world units; 0 without one."""
        return 0.0 if self._target is None else self._target.distance(self.position)

    def begin_search(self) -> Search:
        """Return the search for its path. Called by its server."""
        goal = self._target.cell if self._target else self.cell
        if not self._tilemap.has_cell(goal):  # an edit removed its deck
            goal = goal._replace(deck=0)
        situation = self._situation()
        return situation.navigation.begin_search(
            situation.here, goal, self._profile, **situation.blockers, partial=True
        )

    def take_path(self, path: Path) -> bool:
        """Follow a path from now on; False if its parent is off the path. Called by its server."""
        is_pulled = self._path_postprocessing == "corridor_funnel"
        follower = self._follower_of(path, is_pulled=is_pulled)
        if follower is None:
            return False
        self._is_planning = False
        before, self._follower = self._follower, follower
        is_stuck = self._is_finished and before is not None and not follower.is_whole
        if is_stuck and before and before.path.cells[-1:] == follower.path.cells[-1:]:
            return True  # it planned again and found the same
        self._is_finished = self._is_reached = False
        self.path_changed.emit()
        return True

    def take_progress(self, search: Search) -> None:
        """Follow what a search has found so far if it has no path. Called by its server."""
        if self._follower is not None and not self._follower.is_over:
            return
        path = reversible_part(self._situation(), search.path_so_far())
        # What is pulled straight might not be reversible.
        follower = self._follower_of(path, is_pulled=False)
        if (
            follower is not None
            and not follower.is_over
            and follower.segment_cells[-1] != self.cell
        ):
            self._follower = follower
            self.path_changed.emit()

    def map_changed(self, rect: Rect) -> None:
        """Plan again if an edit may affect its path. Called by its server."""
        follower = self._follower
        if self._target is None or self._is_reached:
            return
        is_complete = follower and follower.is_whole and follower.leads_to(self._target)
        if follower is None or not is_complete or follower.is_touched(rect):
            self._set_planning(True)

    def _is_stopped(self, follower: PathFollower) -> bool:
        """Return whether an edit made the step ahead illegal while it waits for another path."""
        if not self._is_planning or len(follower.segment_cells) < 2:
            return False
        step = self._tilemap.version, follower.segment_cells, self._blocked
        if step != self._checked_step:
            self._checked_step = step
            self._is_checked_step_illegal = is_illegal(self._situation(), *follower.segment_cells)
        return self._is_checked_step_illegal

    def _enter_tree(self) -> None:
        _ = self.position  # raises if its parent has none
        self._server.register(self)
        if self._target is not None and not self._is_reached:
            self._set_planning(True)  # there may have been edits

    def _exit_tree(self) -> None:
        self._server.leave(self)

    def _freed(self) -> None:
        self.target_cell = None  # its parent may still ask whether it is finished

    def _set_target(self, target: Target) -> None:
        before, self._target = self._target, target
        is_same = before is not None and before.cell == target.cell
        if is_same and self._follower is not None and self._follower.leads_to(target):
            is_at_target = self.distance_to_target() <= self.target_desired_distance
            if not self._is_reached or is_at_target:
                return
        if not is_same or self._is_reached:
            self._is_finished = self._is_reached = False
            self._set_planning(True)

    def _set_planning(self, is_planning: bool) -> None:
        self._is_planning = is_planning
        if is_planning and self.is_inside_tree:
            self._server.request(self)
        elif not is_planning:
            self._server.withdraw(self)

    def _situation(self) -> Situation:
        return Situation(self._server.navigation, self.cell, self._profile, self._blocked)

    def _follower_of(self, path: Path, *, is_pulled: bool) -> PathFollower | None:
        """Return a follower of a path from its parent's position; None if that is off the path."""
        here, target = self.position, self._target
        if target is None:
            return None
        follower = PathFollower(self._tilemap, self._profile, path, here, target)
        cell = self.cell
        is_on_it = cell[:2] == cell_of(self._tilemap, here, self._profile)[:2]
        if path and not follower.skip_to(cell, is_on_it=is_on_it):
            return None
        if path and is_pulled:
            follower.pull_straight(self._situation(), cell, is_on_it=is_on_it)
        return follower

    def _update(self) -> None:
        """Emit the signals of cells that its parent has reached; listeners may change the agent."""
        follower = self._follower
        while follower is not None and follower is self._follower and not self._is_finished:
            here = self.position
            distance = self._desired_distance(follower)
            if follower.is_over or not follower.is_at_next(here, distance):
                self._check_end(follower, here)
                return
            self.waypoint_reached.emit(follower.advance())

    def _desired_distance(self, follower: PathFollower) -> float:
        is_target = follower.is_last and follower.is_whole and follower.leads_to(self._target)
        return self.target_desired_distance if is_target else self.path_desired_distance

    def _check_end(self, follower: PathFollower, here: Point) -> None:
        """Finish at the end of the path; plan again if its parent was moved off the path."""
        target = self._target
        away = target.distance(here) if target else math.inf
        if away <= self.target_desired_distance and follower.leads_to(target):
            self._finish(follower, is_reached=True)
        elif self._is_planning:
            return
        elif not follower.is_over:
            is_near = follower.is_near(here, self.path_max_distance)
            if not is_near and not follower.catch_up(self.cell):
                self._set_planning(True)
        elif follower.is_whole:
            self._set_planning(True)  # it was moved away from the last cell
        else:
            self._finish(follower, is_reached=False)

    def _finish(self, follower: PathFollower, *, is_reached: bool) -> None:
        self._is_finished, self._is_reached = True, is_reached
        self._set_planning(False)
        try:
            if is_reached:
                self.target_reached.emit()
        finally:  # also if a listener raises
            if self._is_finished and self._follower is follower and not self.is_freed:
                self.navigation_finished.emit()
