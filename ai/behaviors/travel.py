"""Travel: go far by waypoints, onto their graph, along it, and off it again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ai.behaviors.behavior import (
    Behavior,
    Located,
    PlannedPath,
    Replanning,
    Situation,
    Stay,
    Target,
    target_of,
)
from ai.behaviors.waypoints import Waypoints
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, number_within
from terrain3d.grid.grid import CellLike, as_cell

_ROUNDING = 1e-9  # sums of equal costs differ by less, relative to the costs


class Travel(Behavior):
    """Go to a goal by waypoints, from point to point on cheapest paths.

    It takes the points for which the whole journey costs least: the walk to the first one, the
    edges, and the walk from the last one. On the way:

    - It plans again when points or edges change. If the goal has moved, it also plans again at each
      point, after `replan_s`, and when the goal is more than `replan_tiles` from where it was.
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
    eye : float, in levels, optional
        If given, of the points that near only those in sight count, from this height above the
        ground to the same height above the point, >= 0.
    direct_within : number
        Up to which cost it goes to the goal without points, >= 0.
    replan_tiles : number
        >= 0.
    replan_s : float, in seconds
        >= 0.
    """

    def __init__(
        self,
        waypoints: Waypoints,
        goal: CellLike | Target | Located,
        *,
        join_within: float = math.inf,
        eye: float | None = None,
        direct_within: float = 0,
        replan_tiles: float = 3,
        replan_s: float = 2,
    ) -> None:
        self.waypoints = instance_of("waypoints", waypoints, Waypoints)
        """The graph that it travels by."""
        self._goal = target_of("goal", goal)
        self._join_within = number_within("join_within", join_within, 0)
        self._eye = None if eye is None else number_within("eye", eye, 0)
        self._direct_within = number_within("direct_within", direct_within, 0)
        self._replanning = Replanning(replan_tiles, replan_s)
        self._parts = (self._replanning,)
        self._ahead: list[str] = []
        # Cap the cost of the walk to the next point at its edge's cost. Otherwise turning back
        # seems cheaper in the middle of a cheap edge over expensive ground.
        self._edge_cost = math.inf
        self._path = PlannedPath()
        self._ends: list[Cell] = []  # where the plan ends: on the goal or beside the unit there
        self._is_stuck = False

    @property
    def stops(self) -> tuple[Cell, ...]:
        """The cells of the points ahead, the next one first, and the goal; empty without a plan."""
        stops = self._stops
        return (*(cell for cell in stops[:-1] if cell != stops[-1]), *stops[-1:])

    @property
    def _stops(self) -> list[Cell]:
        """As `stops`, with all points ahead."""
        points = self.waypoints.points
        return [*(points[name] for name in self._ahead if name in points), *self._replanning.goals]

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._goal()
        if target is None:
            return Reason("no_goal")
        goal = as_cell(target)
        if situation.reason or not situation.has(goal):
            return situation.reason or Reason("off_the_map", cell=goal)
        body, has_arrived = situation.body_at(goal), goal in situation.tiles
        is_taken = goal in {*situation.blocked, *situation.passable}
        if has_arrived or (is_taken and situation.is_beside(body)):
            self._ahead, self._replanning.goals = [], [goal]
            return Stay("has_arrived" if has_arrived else "arrived_beside", cell=goal)
        is_choice = not {*self._stops[:1]}.isdisjoint(situation.tiles)
        is_due, version = self._replanning.is_due, self.waypoints.version
        if is_due(situation, [goal], version, has_changed=self._is_stuck, is_choice=is_choice):
            ends = situation.path_beside(body).cells[-1:] if is_taken else []
            self._ends = ends or situation.covering([goal])
            self._plan(self._around(situation, body), goal)
        self._pass_points(situation)
        choice = self._next_on_path(self._around(situation, body))
        if isinstance(choice, Cell):
            # A plan may leave the unit on the goal out, but the mover cannot stop on its tiles.
            choice = self._path.next_cell(situation) or Reason("as_near_as_can", goal=goal)
        self._is_stuck = not isinstance(choice, Cell)
        return choice

    def _around(self, situation: Situation, body: Sequence[Cell]) -> Situation:
        """Return the situation for a plan: without a unit on the goal if the plan ends there."""
        return situation.without(body) if any(map(situation.is_taken, self._ends)) else situation

    def _plan(self, situation: Situation, goal: Cell) -> None:
        """Choose the points of the cheapest journey, by the point ahead if that costs no more."""
        before, after, direct = self._walks(situation)
        entries = self._near(situation, situation.tiles, before)
        exits = self._near(situation, [goal], after)
        cost, route = self.waypoints.journey(entries, exits)
        kept_cost, kept = math.inf, list[str]()
        if self._ahead and before.get(self._ahead[0], math.inf) < math.inf:
            entry = min(before[self._ahead[0]], self._edge_cost)
            kept_cost, kept = self.waypoints.journey({self._ahead[0]: entry}, exits)
        elif self._replanning.goals:
            # It is on the last walk already, or its point is gone: it need not turn back for one.
            limit = max(self._join_within, min(after.values(), default=math.inf))
            kept_cost = direct if direct <= limit else math.inf
        if direct <= self._direct_within:
            route = []
        elif cost == direct == math.inf:  # for the moment, if it is shut in
            route = [name for name in self._ahead if name in before]
        elif kept_cost <= cost * (1 + _ROUNDING):
            route = kept
        if route[:1] != self._ahead[:1]:
            self._edge_cost = math.inf
        self._ahead = route
        self._replanning.record(situation, [goal], self.waypoints.version)

    def _walks(self, situation: Situation) -> tuple[dict[str, float], dict[str, float], float]:
        """Return the costs of walking to each point, from each to an end, and straight to one."""
        navigation, has = situation.navigation, situation.has
        points = {
            name: [each for each in situation.covering([cell]) if has(each)]
            for name, cell in self.waypoints.points.items()
            if has(cell)
        }
        reached = situation.reach(math.inf).as_costs(decks=True)
        before = {
            name: min(float(reached[deck, row, col]) for row, col, deck in cells)
            for name, cells in points.items()
        }
        goals = [end for end in self._ends if has(end)]
        field = navigation.cost_field(goals, situation.profile, blocked=situation.blocked)
        after = {name: min(map(field.cost_from, cells)) for name, cells in points.items()}
        return before, after, field.cost_from(situation.here)

    def _near(
        self, situation: Situation, tiles: Sequence[Cell], costs: Mapping[str, float]
    ) -> Mapping[str, float]:
        """Return the points that connect to an end of the journey, of points with walking costs."""
        sight, eye, points = situation.navigation.line_of_sight, self._eye, self.waypoints.points
        near = {
            name: cost
            for name, cost in costs.items()
            if cost <= self._join_within
            and (eye is None or any(sight(t, points[name], eye=eye, target=eye) for t in tiles))
        }
        nearest = min(costs.values(), default=math.inf)
        return near or {name: cost for name, cost in costs.items() if cost == nearest}

    def _pass_points(self, situation: Situation) -> None:
        """Remove the points that the mover has come to."""
        points = self.waypoints.points
        while self._ahead and points[self._ahead[0]] in situation.tiles:
            passed = self._ahead.pop(0)
            self._edge_cost = (
                self.waypoints.cost(passed, self._ahead[0]) if self._ahead else math.inf
            )

    def _next_on_path(self, situation: Situation) -> Cell | str:
        """Return the next cell toward the first stop that has a path, or why there is none."""
        choice: Cell | str = ""
        stops = self._stops
        for n_before, stop in enumerate(stops):
            is_last = n_before == len(stops) - 1
            choice = self._path.towards(situation, stop, self._ends if is_last else None)
            if isinstance(choice, Cell):
                if n_before:  # skipped; points that are blocked too stay ahead
                    del self._ahead[:n_before]
                    self._edge_cost = math.inf
                break
        return choice
