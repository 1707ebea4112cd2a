"""The node that leads its parent to a target, in the words of Godot's NavigationAgent3D."""

import math
from collections.abc import Iterable, Sequence

from ai.agents.agent_base import AgentBase, finite
from ai.agents.navigation_server import NavigationServer3D
from ai.agents.path_follower import PathFollower, is_cut, is_firm, safe_part
from ai.behaviors.situation import Situation
from ai.motion.motion import Point
from ai.motion.placement import Target, point_on
from ai.navigation.path import Path
from ai.navigation.resumable_search import Search
from ai.rules.nodes import is_on
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Rect, Signal, export
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike, as_cell

_LARGEST = 1e6


class NavigationAgent3D(AgentBase):
    """Leads the node it hangs under to a target, over a map that may change and at any time.

    Its parent has a `position` or `point`, (x, y, z) in the world's units, between its feet. Every
    frame move that towards `get_next_path_position()` while not `is_navigation_finished()`; these
    calls, as in Godot, find out what was reached meanwhile and emit the signals.

    The server plans the way when its turn comes; until then the agent goes on along the way it has,
    as long as that is not cut, and one without a way along what its search has found so far, if it
    could come back from there.
    It plans anew for a new target, if its parent was carried off, and if an edit touches a step
    that is ahead. An edit that only makes a better way possible changes nothing, but where there
    was no way every edit has it look again.

    Where the target cannot be reached it goes as near as it can; `reason` says why.

    Parameters
    ----------
    server : NavigationServer3D
        Who plans for it.
    profile : MoveProfile, optional
        How its parent moves.
    name : str
        Of the node.

    Raises
    ------
    TypeError
        The server or the profile is none; or, as it enters a tree, its parent has no position.
    """

    path_changed = Signal()
    """It has another way."""
    waypoint_reached = Signal("cell")
    """Its parent has come to a cell of its way."""
    target_reached = Signal()
    """Its parent has come to the target. Once for each target and way."""
    navigation_finished = Signal()
    """Its way is over, whether it reached the target or cannot. Once for each target and way, and
    not if a listener of `target_reached` gave another target."""

    path_desired_distance = export(
        0.1, range=(1e-6, _LARGEST), doc="how near its parent comes to each cell's point"
    )
    target_desired_distance = export(
        0.1, range=(1e-6, _LARGEST), doc="how near it comes to the target"
    )
    path_max_distance = export(
        0.75, range=(0.1, _LARGEST), doc="how far off its way it may be before it plans anew"
    )

    def __init__(
        self, server: NavigationServer3D, profile: MoveProfile | None = None, name: str = ""
    ) -> None:
        instance_of("server", server, NavigationServer3D)
        super().__init__(server.navigation.tilemap, profile, name)
        self._server = server
        self._target: Target | None = None
        self._blocked: tuple[Cell, ...] = ()
        self._way: PathFollower | None = None
        self._is_planning = False
        self._is_finished = True
        self._is_reached = False
        self._asked: tuple[object, ...] = ()
        self._answer = False

    @property
    def target_cell(self) -> Cell | None:
        """Where it is to lead; set to None it leads nowhere any more."""
        return self._target.cell if self._target else None

    @target_cell.setter
    def target_cell(self, cell: CellLike | None) -> None:
        if cell is not None:
            self._aim(Target(self._tilemap, self._profile, self._tilemap.cell(cell)))
            return
        self._target = self._way = None
        self._is_finished, self._is_reached = True, False
        self._wait(False)

    @property
    def target_position(self) -> Point | None:
        """Where it is to lead, in world units: to the surface nearest to the point that is set.

        Beside the map the nearest cell is meant.
        """
        return self._target.point if self._target else None

    @target_position.setter
    def target_position(self, point: Sequence[float]) -> None:
        self._aim(Target.near(self._tilemap, self._profile, finite(point)))

    @property
    def blocked(self) -> tuple[Cell, ...]:
        """Cells that others hold; its way leads around them."""
        return self._blocked

    @blocked.setter
    def blocked(self, cells: Iterable[CellLike]) -> None:
        before, self._blocked = self._blocked, tuple(as_cell(cell) for cell in cells)
        for row, col, _ in set(before) ^ set(self._blocked):
            self.map_changed(Rect(row, col, 1, 1))

    @property
    def cell(self) -> Cell:
        """The cell its parent is on.

        In a step it is one of its way, whatever else is above; where there is no ground, since it
        was taken away or one flies, the cell of the way that comes next.
        """
        cell, way, here = super().cell, self._way, self.position
        is_void = not is_firm(self._tilemap, cell)
        if way is None or (cell in way.leg_cells and not is_void):
            return cell
        cells = way.cells_ahead if is_void else way.leg_cells
        on_way = (each for each in cells if is_void or each[:2] == cell[:2])
        best = next((each for each in on_way if is_firm(self._tilemap, each)), None)
        if best is None or not way.is_near(here, self.path_max_distance):
            return cell
        away = math.dist(here, point_on(self._tilemap, cell, self._profile))
        return cell if away <= self.path_desired_distance and not is_void else best

    @property
    def is_planning(self) -> bool:
        """Whether it waits for the server to plan its way."""
        return self._is_planning

    @property
    def reason(self) -> str:
        """Why its way does not lead to the target; "" if it does, and until it is planned."""
        return self._way.path.reason if self._way and not self._is_planning else ""

    def get_next_path_position(self) -> Point:
        """Give where its parent should go next, straight on; where it is if it cannot go on.

        To be called once a frame.
        """
        self._update()
        way = self._way
        return way.next_point() if way and way.path and not self._is_held(way) else self.position

    def get_next_path_cell(self) -> Cell:
        """Give the next cell of its way where its parent may stop; its own if it cannot go on."""
        self._update()
        if self._way and self._way.catch_up(self.cell):  # it may have jumped over cells
            self._update()
        stop = (
            self._way.next_stop(self._situation(), is_old=self._is_planning) if self._way else None
        )
        return stop or self.cell

    def get_current_navigation_path(self) -> list[Point]:
        """Give the points of its way from the first cell on, also of those behind."""
        return self._way.points if self._way else []

    def get_current_navigation_path_index(self) -> int:
        """Give which of these points is next."""
        return self._way.index if self._way else 0

    def get_final_position(self) -> Point:
        """Give where its way ends; where its parent is without one."""
        path = self.get_current_navigation_path()
        return path[-1] if path else self.position

    def is_target_reachable(self) -> bool:
        """Tell whether its way leads to the target; False until it is planned."""
        way, target = self._way, self.target_position
        if way is None or target is None or self._is_planning:
            return False
        if way.is_whole:
            return True
        return math.dist(self.get_final_position(), target) <= self.target_desired_distance

    def is_target_reached(self) -> bool:
        """Tell whether its parent came to the target; see `target_reached`."""
        self._update()
        return self._is_reached

    def is_navigation_finished(self) -> bool:
        """Tell whether its way is over, at the target or as near to it as it can come."""
        self._update()
        return self._is_finished

    def distance_to_target(self) -> float:
        """Give the straight distance to the target in world units; 0 without one."""
        return 0.0 if self._target is None else self._target.distance(self.position)

    def begin_search(self) -> Search:
        """Begin to search its way. Called by its server."""
        goal = self._target.cell if self._target else self.cell
        if not is_on(self._tilemap, goal):  # an edit took its deck away
            goal = goal._replace(deck=0)
        situation = self._situation()
        return situation.navigation.begin_search(
            situation.here, goal, self._profile, **situation.blockers, partial=True
        )

    def take_path(self, path: Path) -> bool:
        """Go by a way from now on; False if its parent is beside it. Called by its server."""
        way = self._guidance(path)
        if way is None:
            return False
        self._is_planning = False
        before, self._way = self._way, way
        is_stuck = self._is_finished and before is not None and not way.is_whole
        if is_stuck and before and before.last_cell == way.last_cell:
            return True  # it looked again, for nothing
        self._is_finished = self._is_reached = False
        self.path_changed.emit()
        return True

    def take_progress(self, search: Search) -> None:
        """Go by what a search found so far if it has no way. Called by its server."""
        if self._way is not None and not self._way.is_over:
            return
        way = self._guidance(safe_part(self._situation(), search.path_so_far()))
        if way is not None and not way.is_over and way.next_cell != self.cell:
            self._way = way
            self.path_changed.emit()

    def _is_held(self, way: PathFollower) -> bool:
        """Tell whether an edit cut the step ahead while it waits for another way."""
        if not self._is_planning or len(way.leg_cells) < 2:
            return False
        question = self._tilemap.version, way.leg_cells, self._blocked
        if question != self._asked:
            self._asked, self._answer = question, is_cut(self._situation(), *way.leg_cells)
        return self._answer

    def map_changed(self, rect: Rect) -> None:
        """Plan anew if an edit may matter to its way. Called by its server."""
        way = self._way
        if self._target is None or self._is_reached:
            return
        if way is None or not (way.is_whole and way.leads_to(self._target)) or way.is_touched(rect):
            self._wait(True)

    def _enter_tree(self) -> None:
        _ = self.position  # or else it has none
        self._server.register(self)
        if self._target is not None and not self._is_reached:
            self._wait(True)  # there may have been edits

    def _exit_tree(self) -> None:
        self._server.leave(self)

    def _freed(self) -> None:
        self.target_cell = None  # its parent may live on, and ask whether it is finished

    def _aim(self, target: Target) -> None:
        before, self._target = self._target, target
        is_same = before is not None and before.cell == target.cell
        if is_same and self._way is not None and self._way.leads_to(target):
            is_there = self.distance_to_target() <= self.target_desired_distance
            if not self._is_reached or is_there:
                return
        if not is_same or self._is_reached:
            self._is_finished = self._is_reached = False
            self._wait(True)

    def _wait(self, is_planning: bool) -> None:
        self._is_planning = is_planning
        if is_planning and self.is_inside_tree:
            self._server.request(self)
        elif not is_planning:
            self._server.withdraw(self)

    def _situation(self) -> Situation:
        return Situation(self._server.navigation, self.cell, self._profile, self._blocked)

    def _guidance(self, path: Path) -> PathFollower | None:
        """Give the guidance along a path from where its parent is; None if that is beside it."""
        here, target = self.position, self._target
        if target is None:
            return None
        way = PathFollower(self._tilemap, self._profile, path, here, target)
        cell = self.cell
        is_on_it = cell[:2] == super().cell[:2]
        return way if not path or way.skip_to(cell, is_on_it=is_on_it) else None

    def _update(self) -> None:
        """Find out what its parent has reached; a listener may change anything meanwhile."""
        way = self._way
        while way is not None and way is self._way and not self._is_finished:
            here = self.position
            if way.is_over or math.dist(here, way.next_point()) > self._desired_distance(way):
                self._conclude(way, here)
                return
            self.waypoint_reached.emit(way.go_on())

    def _desired_distance(self, way: PathFollower) -> float:
        is_target = way.is_last and way.is_whole and way.leads_to(self._target)
        return self.target_desired_distance if is_target else self.path_desired_distance

    def _conclude(self, way: PathFollower, here: Point) -> None:
        """See whether the way is over or left."""
        target = self._target
        away = target.distance(here) if target else math.inf
        if away <= self.target_desired_distance and way.leads_to(target):
            self._finish(way, is_reached=True)
        elif self._is_planning:
            return
        elif not way.is_over:
            if not way.is_near(here, self.path_max_distance) and not way.catch_up(self.cell):
                self._wait(True)
        elif way.is_whole:
            self._wait(True)  # it was carried off from the very end
        else:
            self._finish(way, is_reached=False)

    def _finish(self, way: PathFollower, *, is_reached: bool) -> None:
        self._is_finished, self._is_reached = True, is_reached
        self._wait(False)
        try:
            if is_reached:
                self.target_reached.emit()
        finally:  # whatever a listener raises, the others are told
            if self._is_finished and self._way is way and not self.is_freed:
                self.navigation_finished.emit()
