"""Travel: go far by waypoints, onto their graph, along it, and off it again."""

import math
from collections import deque
from collections.abc import Sequence

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.behaviors.waypoints import Waypoints
from terrain3d import Cell
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike, as_cell


def route_over(waypoints: Waypoints, situation: Situation, goal: CellLike) -> list[str]:
    """Return the names of the points by which a mover travels to a goal.

    The mover joins the graph at the point that is cheapest for it to reach, and leaves it at the
    point from which the goal is cheapest to reach. Where edges do not connect two such points, the
    next cheapest count. Empty if both are the same point, or no points lead to the goal.
    """
    if not (situation.has(goal) and situation.has(situation.here)):
        return []
    navigation = situation.navigation
    shape = navigation.tilemap.surface_level.shape
    from_mover = situation.reach(math.inf).as_costs().reshape(shape)
    field = navigation.cost_field(as_cell(goal), situation.profile, blocked=situation.blocked)
    to_goal = field.cost.reshape(shape)
    known = {name: cell for name, cell in waypoints.points.items() if situation.has(cell)}
    before = {name: from_mover[deck, row, col] for name, (row, col, deck) in known.items()}
    after = {name: to_goal[deck, row, col] for name, (row, col, deck) in known.items()}
    entries = sorted((name for name in before if before[name] < math.inf), key=before.__getitem__)
    exits = sorted((name for name in after if after[name] < math.inf), key=after.__getitem__)
    if entries[:1] == exits[:1]:
        return []
    sources = _sources(waypoints, entries)
    for last in exits:
        for first in sources[last]:
            if first != last:
                return waypoints.route(first, last)
    return []


def _sources(waypoints: Waypoints, entries: Sequence[str]) -> dict[str, list[str]]:
    """Return for each point the first two entries, itself included, with a route to it."""
    successors: dict[str, list[str]] = {name: [] for name in waypoints.points}
    found: dict[str, list[str]] = {name: [] for name in successors}
    for start, end, _ in waypoints.edges:
        successors[start].append(end)
    for entry in entries:
        front = [entry]
        while front:
            name = front.pop()
            if len(found[name]) < 2 and entry not in found[name]:
                found[name].append(entry)
                front += successors[name]
    return found


class Travel(Behavior):
    """Go to a goal by waypoints, from point to point on cheapest paths.

    A point that cannot be reached at the moment is skipped; without points the mover goes straight
    to the goal. When points or edges change, it plans a new route from the point ahead; a mover
    that already goes straight to the goal keeps doing so.

    Parameters
    ----------
    waypoints : Waypoints
    goal : cell

    Raises
    ------
    TypeError
        `waypoints` are not Waypoints, or the goal is not a cell.
    """

    def __init__(self, waypoints: Waypoints, goal: CellLike) -> None:
        self.waypoints = instance_of("waypoints", waypoints, Waypoints)
        """The graph that it travels by."""
        self._goal = as_cell(goal)
        self._ahead: deque[str] = deque()
        self._version: int | None = None  # of the waypoints at the last planned route
        self._path = PlannedPath()

    @property
    def stops(self) -> tuple[Cell, ...]:
        """The cells of the points ahead, the next one first, and the goal."""
        points = self.waypoints.points
        ahead = (points[name] for name in self._ahead if name in points)
        return (*(cell for cell in ahead if cell != self._goal), self._goal)

    def _choose(self, situation: Situation) -> Cell | str:
        if situation.here == self._goal:
            self._ahead.clear()
            return f"has arrived at {self._goal}"
        points = self.waypoints.points
        if self._version != self.waypoints.version:
            self._ahead, self._version = deque(self._next_route(situation)), self.waypoints.version
        if self._ahead and points[self._ahead[0]] == situation.here:
            self._ahead.popleft()
        choice: Cell | str = ""
        for n_before, stop in enumerate((*(points[name] for name in self._ahead), self._goal)):
            if stop == situation.here:
                continue
            choice = self._path.towards(situation, stop)
            if isinstance(choice, Cell):
                for _ in range(n_before):  # skipped; points that are blocked too stay ahead
                    self._ahead.popleft()
                break
        return choice

    def _next_route(self, situation: Situation) -> list[str]:
        """Return the points of a route from the point ahead, so the mover need not turn back."""
        points = self.waypoints.points
        if self._version is not None and not self._ahead:
            return []  # it has passed the last point
        if self._ahead and self._ahead[0] in points and self._ahead[-1] in points:
            route = self.waypoints.route(self._ahead[0], self._ahead[-1])
            if route:
                return route
        return route_over(self.waypoints, situation, self._goal)
