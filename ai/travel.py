"""Going far by waypoints: onto their graph, along it, and off it again."""

import math
from collections import deque
from collections.abc import Sequence

from ai.behavior import Behavior
from ai.situation import Situation
from ai.walk import Walk
from ai.waypoints import Waypoints
from terrain3d import Cell
from terrain3d.grid import CellLike, as_cell


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
    goes straight to the goal.

    Parameters
    ----------
    waypoints : Waypoints
    goal : cell

    Raises
    ------
    TypeError
        The goal is no cell.
    """

    def __init__(self, waypoints: Waypoints, goal: CellLike) -> None:
        self.waypoints = waypoints
        """What it travels by."""
        self._goal = as_cell(goal)
        self._stops: deque[Cell] | None = None
        self._walk = Walk()

    @property
    def stops(self) -> tuple[Cell, ...]:
        """The points that it still goes to, the next one first, and last the goal."""
        return (self._goal,) if self._stops is None else tuple(self._stops)

    def _choose(self, situation: Situation) -> Cell | str:
        if situation.here == self._goal:
            return f"has arrived at {self._goal}"
        if self._stops is None:
            points = self.waypoints.points
            route = route_over(self.waypoints, situation, self._goal)
            stops = [points[name] for name in route if points[name] != self._goal]
            self._stops = deque([*stops, self._goal])
        choice: Cell | str = ""
        while self._stops:
            if self._stops[0] != situation.here:
                choice = self._walk.towards(situation, self._stops[0])
                if isinstance(choice, Cell):
                    return choice
            if len(self._stops) == 1:
                break
            self._stops.popleft()
        return choice
