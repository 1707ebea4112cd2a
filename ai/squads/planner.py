"""Collision-free plans for several units.

One step takes one tick, whatever it costs: costs are points of a game, not seconds. Two units are
in conflict if they are on the same cell at a tick or swap cells during a tick. They are also in
conflict if one stands in the clearance of the other's diagonal step or leap.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ai.navigation.blockers import NO_CELLS, Blockers
from ai.navigation.navigation import Navigation
from ai.navigation.path_ends import end_reason
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.squads.goal_costs import GoalCosts
from ai.squads.plan import SquadPlan
from ai.squads.planners.methods import METHODS, solve
from ai.squads.planners.pibt import ConfigurationGenerator
from ai.squads.request import Request, Reservation
from ai.squads.squad_graph import Ints, SquadGraph
from ai.squads.task import GAVE_UP, Budget, Task
from terrain3d import Cell, Reason
from terrain3d.core.checks import finite_number, instance_of, number_within, one_of, whole_within
from terrain3d.grid.grid import CellLike

_MAX_EXPANSIONS, _MAX_EXPANSIONS_PER_UNIT = 1_000_000, 5_000
_NO_PLAN = "not all of them find a path"  # what a player reads of any search for all units
_MAX_ROWS_PER_STEP = 32  # limits the time that one call of `step` takes


class SquadPlanner:
    """Plans the paths of several units on a map and follows edits of the map.

    The planner caches the costs to the goals of the last call, so repeated calls with the same
    goals are fast.

    Memory: 8 bytes per goal and tile.

    Parameters
    ----------
    navigation : Navigation
        Provides the steps and their costs.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = instance_of("navigation", navigation, Navigation)
        self._goal_costs = GoalCosts(navigation)
        self._graph: tuple[object, SquadGraph] | None = None
        self._priority: Ints = np.zeros(0, dtype=np.int64)
        self._n_steps = 0

    def plan(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile] = DEFAULT_PROFILE,
        *,
        method: str = "auto",
        bound: float = 1.0,
        blocked: Iterable[CellLike] = NO_CELLS,
        queued: Sequence[Reservation] = (),
        max_expansions: int | None = None,
        max_seconds: float = math.inf,
        seed: int = 0,
    ) -> SquadPlan:
        """Plan a path for each unit from its start to its goal.

        Parameters
        ----------
        starts, goals : sequences of cells
            One per unit.
        profile : MoveProfile, or sequence of MoveProfile
            One for all units, or one per unit. Each unit covers one tile.
        method : str
            "crowd" finds some plan fast, and given enough work proves when there is none.
            "prioritized" finds good plans and improves them until the limits are reached.
            "cheapest" finds a plan that costs at most `bound` times the least, for small groups; if
            it reaches a limit, it returns the best plan of the other methods. "auto" is "cheapest"
            for up to 12 units, else "crowd".
        bound : number
            For "cheapest", >= 1.
        blocked : cells
            Cells of other units that do not move. Starts are ignored.
        queued : sequence of Reservation
            Fixed paths of other units.
        max_expansions : int, optional
            Limit on how often the next step of a unit is searched, > 0; by default a million, or
            5,000 for each unit if that is more.
        max_seconds : number
            Time limit, > 0; infinity: none. A plan that reaches it is not reproducible.
        seed : int
            Breaks ties between equally good steps, >= 0.

        Returns
        -------
        SquadPlan
            False, with a reason, if there is no plan or none was found.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is not a cell; another argument is of the wrong type.
        ValueError
            The numbers of starts, goals and profiles differ, a unit covers several tiles, the
            method is unknown, a number is out of its limits, or goals times tiles exceed
            `ai.squads.goal_costs.MAX_ENTRIES`.
        """
        one_of("method", method, METHODS)
        finite_number("bound", bound, 1)
        if number_within("max_seconds", max_seconds, 0) == 0:
            raise ValueError(f"max_seconds must be > 0, got {max_seconds!r}")
        if max_expansions is not None:
            whole_within("max_expansions", max_expansions, 1)
        seed = whole_within("seed", seed, 0)
        request = Request.of(self._navigation, starts, goals, profile, blocked, queued)
        scaled = max(_MAX_EXPANSIONS, _MAX_EXPANSIONS_PER_UNIT * len(request.starts))
        budget = Budget(scaled if max_expansions is None else int(max_expansions), max_seconds)
        why = request.conflict_reason(self._navigation)
        if why:
            return SquadPlan.none(why)
        if not request.starts:
            return SquadPlan((), (), (), 0)
        rows = self._goal_costs.rows(
            request.goal_keys, request.blocked, lambda: not budget.is_spent
        )
        if budget.is_spent:
            return SquadPlan.none(Reason(GAVE_UP, plain=_NO_PLAN), 0)
        task = self._task(request, rows)
        for unit in range(len(task)):
            why = self._unreachable_reason(request, unit, task.least_cost_of(unit))
            if why:
                return SquadPlan.none(why)
        outcome = solve(task, method, bound, budget, seed)
        lower_bound = max(outcome.lower_bound, task.least_cost)
        if outcome.reason:
            why = Reason(outcome.reason, plain=_NO_PLAN)
            if outcome.is_unsolvable and len(outcome.stuck) == 2:
                stuck = (request.starts[unit] for unit in outcome.stuck)
                why = Reason("the units on {} and {} cannot get past each other", *stuck)
            return SquadPlan.none(why, lower_bound)
        cell_of = self._navigation.profile_graph().nodes.cell
        paths = [[cell_of(node) for node in path.tolist()] for path in outcome.paths]
        costs = task.costs_of(outcome.paths).tolist()
        tilemap = self._navigation.tilemap
        return SquadPlan(paths, request.profiles, costs, lower_bound, tilemap=tilemap)

    def step(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile] = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        queued: Sequence[Reservation] = (),
    ) -> list[Cell]:
        """Return the next cell of each unit, without looking further ahead.

        For crowds whose goals, map and units change all the time. Called once per tick, it moves
        units past each other to their goals where there is room, but it does not detect deadlocks.
        A unit may have to wait on a cell where it could not stop. A unit that cannot reach its
        goal, or whose goal costs are not computed yet, makes room for the others. The longer a
        unit, identified by its index in `starts`, has not been at its goal, the higher is its
        priority.

        Parameters
        ----------
        starts, goals, profile, blocked, queued
            As in `plan`, but several units may share a goal.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is not a cell; another argument is of the wrong type.
        ValueError
            As in `plan`, or two units are on the same cell.
        """
        request = Request.of(self._navigation, starts, goals, profile, blocked, queued)
        if len(set(request.starts)) < len(request.starts):
            raise ValueError("two units are on the same cell")
        if not request.starts:
            return []
        count = itertools.count()
        rows = self._goal_costs.rows(
            request.goal_keys, request.blocked, lambda: next(count) < _MAX_ROWS_PER_STEP
        )
        task = self._task(request, rows)
        blank = len(task.goal_costs) - 1
        can_stop = task.graph.steps.can_wait[task.profile_of, task.goal]
        has_path = (rows < blank) & np.isfinite(task.goal_costs[rows, task.start])
        has_path &= can_stop | (task.start == task.goal)
        task = replace(
            task,
            goal=np.where(has_path, task.goal, task.start),
            row_of=np.where(has_path, rows, blank),
        )
        if len(self._priority) != len(task):
            self._priority = np.zeros(len(task), dtype=np.int64)
        self._priority = np.where(task.start == task.goal, 0, self._priority + 1)
        self._n_steps += 1
        order = np.argsort(-self._priority, kind="stable")
        after, _ = ConfigurationGenerator(task).successor(task.start, 0, order, self._n_steps)
        if after is None:
            return list(request.starts)
        cell_of = self._navigation.profile_graph().nodes.cell
        return [cell_of(node) for node in after.tolist()]

    def _task(self, request: Request, rows: Ints) -> Task:
        nodes, profiles = self._navigation.profile_graph().nodes, request.distinct_profiles
        number_of = {profile: number for number, profile in enumerate(profiles)}
        return Task(
            self._graph_of(profiles, request.blocked),
            nodes.of_record(np.array(request.starts)),
            nodes.of_record(np.array(request.goals)),
            np.array([number_of[each] for each in request.profiles], dtype=np.int64),
            rows,
            self._goal_costs.table,
            request.queued,
            tuple(number_of[each] for each in request.queued_profiles),
        )

    def _graph_of(self, profiles: list[MoveProfile], blocked: tuple[Cell, ...]) -> SquadGraph:
        navigation = self._navigation
        key = navigation.tilemap.version, blocked, tuple(profiles)
        if self._graph is None or self._graph[0] != key:
            nodes = navigation.profile_graph().nodes.of_record(np.array(blocked).reshape(-1, 3))
            movers = [navigation.profile_graph(profile) for profile in profiles]
            self._graph = key, SquadGraph.of(movers, nodes)
        return self._graph[1]

    def _unreachable_reason(self, request: Request, unit: int, cost: float) -> str:
        """Return why a unit has no path even without the rest of the squad; "" if it has one."""
        start, goal, blocked = request.starts[unit], request.goals[unit], request.blocked
        profile = request.profiles[unit]
        graph = self._navigation.profile_graph(profile)
        nodes = [graph.nodes.of(cell) for cell in blocked]
        blockers = Blockers(np.array(nodes, dtype=np.int64))
        why = end_reason(graph, graph.nodes.of(start), graph.nodes.of(goal), blockers)
        if why or cost < math.inf:
            return why
        return self._navigation.find_path(start, goal, profile, blocked=blocked).reason
