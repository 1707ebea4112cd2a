"""The node that leads its parent to a target, with the members of Godot's NavigationAgent3D."""

import math
from collections.abc import Iterable, Sequence

from ai.agents.navigation_server import NavigationServer3D
from ai.agents.path_follower import PathFollower, is_illegal, reversible_part
from ai.behaviors.situation import Situation
from ai.motion.motion import Point, checked_point
from ai.motion.placement import Target, cell_of, point_on
from ai.navigation.path import Path
from ai.navigation.resumable_search import Search
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Node, Rect, Signal, export
from terrain3d.core.checks import instance_of, listed, one_of, optional
from terrain3d.grid.grid import CellLike, as_cell

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
            raise TypeError(f"{self!r} needs a parent with a position or point, has {body!r}")
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
        if is_stuck and before and before.last_cell == follower.last_cell:
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
        if follower is not None and not follower.is_over and follower.next_cell != self.cell:
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
