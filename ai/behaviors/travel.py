"""Travel: go far by waypoints, onto their graph, along it, and off it again."""

from __future__ import annotations

import math

from ai.behaviors.behavior import PathBehavior, Replan, Stay, TargetLike, target_of
from ai.behaviors.waypoints import Waypoints
from ai.board.situation import Situation
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, number_within, optional
from terrain3d.grid.grid import as_cell

_ROUNDING = 1e-9  # sums of equal costs differ by less, relative to the costs


class Travel(PathBehavior):
    """Go to a goal by waypoints, from point to point on cheapest paths.

    It joins both ends of the journey to all points in reach, and takes those for which the whole
    journey costs least: the walk to the first one, the edges, and the walk from the last one.
    On the way:

    - It plans again when points or edges change. If the goal has moved, it also plans again at each
      point, and when `replan` says so.
    - It then turns back from the point ahead only if the new journey costs less.
    - It skips a point that cannot be reached at the moment.
    - Without a journey over points it goes straight to the goal.
    - It ends beside a goal that a unit stands on.
    - A mover of several tiles is at a point or goal that it covers with any of them.

    Parameters
    ----------
    goal : cell, callable or Unit
        A function returns the cell of the goal now, or None if it is gone.
    join_within : number
        The highest cost of the walk to the first point, and from the last one, >= 0. If no point is
        as near as that, the nearest one counts.
    replan : Replan, optional
        When it plans again for a goal that has moved.
    """

    def __init__(
        self,
        waypoints: Waypoints,
        goal: TargetLike,
        *,
        join_within: float = math.inf,
        replan: Replan | None = None,
    ) -> None:
        self.waypoints = instance_of("waypoints", waypoints, Waypoints)
        """The graph that it travels by."""
        self._goal = target_of("goal", goal)
        self._join_within = number_within("join_within", join_within, 0)
        self._replan = optional("replan", replan, Replan) or self._replan
        self._graph_version = -1  # of the waypoints, at the last plan
        self._ahead: list[str] = []
        # Cap the cost of the walk to the next point at its edge's cost. Otherwise turning back
        # seems cheaper in the middle of a cheap edge over expensive ground.
        self._edge_cost = math.inf
        self._why = ""  # why there is no path to the goal

    @property
    def stops(self) -> tuple[Cell, ...]:
        """The cells of the points ahead, the next one first, and the goal; empty without a plan."""
        goals = self._goals[:1]
        return (*(cell for cell in self._points_ahead if cell not in goals), *goals)

    @property
    def _points_ahead(self) -> list[Cell]:
        points = self.waypoints.points
        return [points[name] for name in self._ahead if name in points]

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._goal()
        if target is None:
            return Reason("no_goal")
        goal = as_cell(target)
        if situation.reason or not situation.has(goal):
            return situation.reason or Reason("off_the_map", cell=goal)
        body, has_arrived = situation.body_at(goal), goal in situation.tiles
        around = situation.without(body)
        if has_arrived or (around is not situation and situation.is_beside(body)):
            self._ahead, self._goals = [], [goal]
            return Stay("has_arrived" if has_arrived else "arrived_beside", cell=goal)
        cell, is_at_point = None, not {*self._points_ahead[:1]}.isdisjoint(situation.tiles)
        is_due = is_at_point and self._goals != [goal]
        if not is_due and self._graph_version == self.waypoints.version:
            cell = self._next_on_path(situation)
            if is_at_point:
                self._pass_points(situation)
                cell = self._walk(situation, around, goal)
            is_due = self._is_due(situation, [goal], cell)
        if is_due or self._graph_version != self.waypoints.version:
            self._plan(around, goal)
            cell = self._walk(situation, around, goal)
        return cell or self._why or Reason("as_near_as_can", goal=goal)

    def _plan(self, around: Situation, goal: Cell) -> None:
        """Choose the points of the cheapest journey, by the point ahead if that costs no more."""
        before, after, direct = self._walks(around, goal)
        limits = [
            max(self._join_within, min(costs.values(), default=math.inf))
            for costs in (before, after)
        ]
        entries = {name: cost for name, cost in before.items() if cost <= limits[0]}
        exits = {name: cost for name, cost in after.items() if cost <= limits[1]}
        is_kept = bool(self._ahead) and before.get(self._ahead[0], math.inf) < math.inf
        if is_kept:
            walk = min(before[self._ahead[0]], self._edge_cost)
            entries[self._ahead[0]] = walk * (1 - _ROUNDING)
        cost, route = self.waypoints.journey(entries, exits)
        if self._goals and not is_kept and direct <= min(limits[1], cost):
            route = []  # on the last walk it need not turn back for a point
        elif cost == direct == math.inf:
            route = [name for name in self._ahead if name in before]  # it is shut in for the moment
        if route[:1] != self._ahead[:1]:
            self._edge_cost = math.inf
        self._ahead, self._graph_version = route, self.waypoints.version
        self._pass_points(around)

    def _walks(
        self, around: Situation, goal: Cell
    ) -> tuple[dict[str, float], dict[str, float], float]:
        """Return the costs of walking to each point, from each to the goal, and straight to it."""
        reached = around.reach(math.inf).as_costs(decks=True)
        ends = [*filter(around.has, around.covering([goal]))]
        field = around.navigation.cost_field(ends, around.profile, blocked=around.blocked)
        before, after = dict[str, float](), dict[str, float]()
        for name, cell in self.waypoints.points.items():
            cells = [*filter(around.has, around.covering([cell]))]
            if cells:
                before[name] = min(float(reached[deck, row, col]) for row, col, deck in cells)
                after[name] = min(map(field.cost_from, cells))
        return before, after, field.cost_from(around.here)

    def _pass_points(self, situation: Situation) -> None:
        """Remove the points that the mover has come to."""
        points, cost = self.waypoints.points, self.waypoints.cost
        while self._ahead and points[self._ahead[0]] in situation.tiles:
            passed = self._ahead.pop(0)
            self._edge_cost = cost(passed, self._ahead[0]) if self._ahead else math.inf

    def _walk(self, situation: Situation, around: Situation, goal: Cell) -> Cell | None:
        """Follow the path to the first stop that has one, and return the next cell on it.

        Points before that are skipped; points that are blocked too stay ahead.
        """
        points = self._points_ahead
        paths = enumerate(around.find_path(around.covering([cell])) for cell in points)
        n_skipped, path = next((each for each in paths if each[1]), (len(points), None))
        if path is None:
            path = situation.path_beside(situation.body_at(goal))
        self._why = path.reason
        if path and n_skipped:
            del self._ahead[:n_skipped]
            self._edge_cost = math.inf
        return self._follow(situation, path, [goal])
