"""Going far by waypoints: onto their graph, along it, and off it again."""

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
    """List the points by which a mover travels to a goal.

    It leaves the graph at the point from which the goal is nearest, and joins it at the point that
    is nearest to the mover, both by walking costs; of points that no way over edges joins, the next
    nearest count. If it is the same point, none is needed.

    Returns
    -------
    list of str
        None if the goal is better walked to, or cannot be reached by any point.
    """
    if not (situation.has(goal) and situation.has(situation.here)):
        return []
    navigation = situation.navigation
    shape = navigation.tilemap.surface_level.shape
    to_point = situation.reach(math.inf).as_costs().reshape(shape)
    to_goal = navigation.cost_field(as_cell(goal), situation.profile, blocked=situation.blocked)
    from_point = to_goal.cost.reshape(shape)
    known = {name: cell for name, cell in waypoints.points.items() if situation.has(cell)}
    paid = {name: to_point[deck, row, col] for name, (row, col, deck) in known.items()}
    left = {name: from_point[deck, row, col] for name, (row, col, deck) in known.items()}
    joins = sorted((name for name in paid if paid[name] < math.inf), key=paid.__getitem__)
    leaves = sorted((name for name in left if left[name] < math.inf), key=left.__getitem__)
    if joins[:1] == leaves[:1]:
        return []
    joined = _joined(waypoints, joins)
    for leave in leaves:
        for join in joined[leave]:
            if join != leave:
                return waypoints.route(join, leave)
    return []


def _joined(waypoints: Waypoints, joins: Sequence[str]) -> dict[str, list[str]]:
    """Give for each point the first two of some, perhaps itself, from which edges lead to it."""
    after: dict[str, list[str]] = {name: [] for name in waypoints.points}
    found: dict[str, list[str]] = {name: [] for name in after}
    for start, end, _ in waypoints.edges:
        after[start].append(end)
    for join in joins:
        front = [join]
        while front:
            name = front.pop()
            if len(found[name]) < 2 and join not in found[name]:
                found[name].append(join)
                front += after[name]
    return found


class Travel(Behavior):
    """Go to a goal by waypoints, from point to point by cheapest ways.

    A point that cannot be reached as things are is left out, and where there are none the mover
    goes straight to the goal. When points or edges change, it goes on from the point ahead by what
    is cheapest then; who goes straight already goes on straight.

    Parameters
    ----------
    waypoints : Waypoints
    goal : cell

    Raises
    ------
    TypeError
        They are no Waypoints, or the goal is no cell.
    """

    def __init__(self, waypoints: Waypoints, goal: CellLike) -> None:
        self.waypoints = instance_of("waypoints", waypoints, Waypoints)
        """What it travels by."""
        self._goal = as_cell(goal)
        self._ahead: deque[str] = deque()
        self._version: int | None = None  # of the waypoints, when its way over them was chosen
        self._walk = PlannedPath()

    @property
    def stops(self) -> tuple[Cell, ...]:
        """The points that it still goes to, the next one first, and last the goal."""
        points = self.waypoints.points
        ahead = (points[name] for name in self._ahead if name in points)
        return (*(cell for cell in ahead if cell != self._goal), self._goal)

    def _choose(self, situation: Situation) -> Cell | str:
        if situation.here == self._goal:
            self._ahead.clear()
            return f"has arrived at {self._goal}"
        points = self.waypoints.points
        if self._version != self.waypoints.version:
            self._ahead, self._version = deque(self._way_on(situation)), self.waypoints.version
        if self._ahead and points[self._ahead[0]] == situation.here:
            self._ahead.popleft()
        choice: Cell | str = ""
        for n_before, stop in enumerate((*(points[name] for name in self._ahead), self._goal)):
            if stop == situation.here:
                continue
            choice = self._walk.towards(situation, stop)
            if isinstance(choice, Cell):
                for _ in range(n_before):  # they are left behind, not those that are barred too
                    self._ahead.popleft()
                break
        return choice

    def _way_on(self, situation: Situation) -> list[str]:
        """List the points to go by: from the one ahead, so that it need not turn back for it."""
        points = self.waypoints.points
        if self._version is not None and not self._ahead:
            return []  # it has left them
        if self._ahead and self._ahead[0] in points and self._ahead[-1] in points:
            route = self.waypoints.route(self._ahead[0], self._ahead[-1])
            if route:
                return route
        return route_over(self.waypoints, situation, self._goal)
