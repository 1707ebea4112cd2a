"""The squad planner: collision-free paths of several units, by the planner that suits the task.

One step takes one tick, whatever it costs: costs are points of a game, not seconds. Two units are
in conflict if they are on the same cell at a tick or swap cells during a tick. They are also in
conflict if one stands in the clearance of the other's diagonal step.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_CELLS, BlockerNodes
from ai.navigation.navigation import Navigation
from ai.navigation.path import plain_number
from ai.navigation.profile_graph import end_reason
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.search.graph import number_of
from ai.squads.planners.cbs import ConflictBasedSearch
from ai.squads.planners.lacam import improve_plan, plan_lacam
from ai.squads.planners.pibt import ConfigurationGenerator
from ai.squads.request import GoalCosts, Request
from ai.squads.squad_graph import Ints, SquadGraph
from ai.squads.task import Budget, Outcome, Task
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import (
    finite_number,
    instance_of,
    number_within,
    one_of,
    quoted,
    whole_number,
    whole_within,
)
from terrain3d.grid.grid import CellLike
from terrain3d.picture import Drawable, Line, Picture

METHODS = ("auto", "crowd", "prioritized", "cheapest")

_MAX_CHEAPEST = 12  # units up to which "auto" looks for a cheapest plan
_SHARE_PER_PAIR = 0.1
_MAX_EXPANSIONS, _MAX_EXPANSIONS_PER_UNIT = 1_000_000, 5_000
_MAX_ROWS_PER_STEP = 32  # limits the time that one call of `step` takes


class SquadPlan(Drawable):
    """Collision-free paths of several units; false if there are none.

    Each tick every unit takes one step or waits. A path costs the sum of its steps, plus 1 for each
    tick of waiting before the unit's final arrival at its goal.

    Parameters
    ----------
    paths : sequence of sequences of Cell
        For each unit its cell at tick 0, 1, ... up to its final arrival at the goal.
    costs : sequence of number
        Cost of each path.
    lower_bound : number
        No plan costs less.
    reason : str
        Why there is no plan; "" if there is one.
    tilemap : TileMap, optional
        The map for its picture. It is not pickled.
    """

    def __init__(
        self,
        paths: Sequence[Sequence[Cell]],
        costs: Sequence[float],
        lower_bound: float,
        reason: str = "",
        tilemap: TileMap | None = None,
    ) -> None:
        self.paths = tuple(tuple(path) for path in paths)
        self.costs = tuple(plain_number(cost) for cost in costs)
        # Costs are whole millionths, so this is the nearest float to their exact sum.
        self.cost = math.inf if reason else plain_number(round(math.fsum(costs), 6))
        self.lower_bound = plain_number(lower_bound) if lower_bound < math.inf else math.inf
        self.reason = reason
        self._tilemap = tilemap

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle: all but the map."""
        return {**vars(self), "_tilemap": None}

    @classmethod
    def none(cls, reason: str, lower_bound: float = math.inf) -> Self:
        """Return the answer that there is no plan, with its reason."""
        return cls((), (), lower_bound, reason)

    def __bool__(self) -> bool:
        """Return whether there is a plan."""
        return not self.reason

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.paths)

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """Iterate over the paths, one per unit."""
        return iter(self.paths)

    def __repr__(self) -> str:
        """Show the number of units and ticks and the cost, or the reason."""
        if not self:
            return f"<no SquadPlan: {self.reason}>"
        return f"<SquadPlan of {len(self)} units in {self.ticks} ticks, cost {self.cost}>"

    @property
    def ticks(self) -> int:
        """Number of ticks until every unit is on its goal (the makespan)."""
        return max(map(len, self.paths), default=1) - 1

    @property
    def is_cheapest(self) -> bool:
        """Whether the plan is proven to have the least cost."""
        return bool(self) and self.cost <= self.lower_bound

    def at(self, tick: int) -> list[Cell]:
        """Return the cell of each unit at a tick >= 0; after the last tick, the goals."""
        if whole_number("tick", tick) < 0:
            raise ValueError(f"tick must be >= 0, got {quoted(tick)}")
        return [path[min(tick, len(path) - 1)] for path in self.paths]

    def as_array(self) -> NDArray[np.int32]:
        """Return (ticks + 1, n_units, 3) int32: row, column and deck per tick and unit."""
        table = [self.at(tick) for tick in range(self.ticks + 1)]
        return np.array(table, dtype=np.int32).reshape(len(table), len(self), 3)

    def picture(self) -> Picture | None:
        """Return the map with the path of each unit; None without a plan, or if unpickled."""
        if not self.paths or self._tilemap is None:
            return None
        ticks = f"{len(self)} units, {self.ticks} ticks, cost {self.cost}"
        labels = (ticks, *[""] * (len(self) - 1))
        lines = tuple(map(Line, self.paths, labels))
        return Picture(self._tilemap, repr(self)[1:-1], lines=lines)


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
        ValueError
            Goals times tiles exceed `ai.squads.request.MAX_ENTRIES`.
        """
        one_of("method", method, METHODS)
        bound = finite_number("bound", bound, 1)
        if number_within("max_seconds", max_seconds, 0) == 0:
            raise ValueError(f"max_seconds must be > 0, got {quoted(max_seconds)}")
        if max_expansions is not None:
            whole_within("max_expansions", max_expansions, 1)
        seed = whole_within("seed", seed, 0)
        request = Request.of(self._navigation, starts, goals, profile, blocked)
        scaled = max(_MAX_EXPANSIONS, _MAX_EXPANSIONS_PER_UNIT * len(request.starts))
        budget = Budget(scaled if max_expansions is None else int(max_expansions), max_seconds)
        if request.conflict_reason:
            return SquadPlan.none(request.conflict_reason)
        if not request.starts:
            return SquadPlan((), (), 0)
        task = self._task(request, lambda: not budget.is_spent)
        if budget.is_spent:
            return SquadPlan.none(Reason("gave_up"), 0)
        for unit in range(len(task)):
            why = self._unreachable_reason(request, unit, task.least_cost_of(unit))
            if why:
                return SquadPlan.none(why)
        outcome = solve(task, method, bound, budget, seed)
        unit = task.graph.unit
        lower_bound = number_of(int(max(outcome.lower_bound, task.least_cost)), unit)
        if outcome.reason:
            why = outcome.reason
            if outcome.is_unsolvable and len(outcome.stuck) == 2:
                first, second = (request.starts[unit] for unit in outcome.stuck)
                why = Reason("cannot_pass", first=first, second=second)
            return SquadPlan.none(why, lower_bound)
        cell_of = self._navigation.profile_graph().nodes.cell
        paths = [[cell_of(node) for node in path.tolist()] for path in outcome.paths]
        costs = [number_of(cost, unit) for cost in task.costs_of(outcome.paths).tolist()]
        tilemap = self._navigation.tilemap
        return SquadPlan(paths, costs, lower_bound, tilemap=tilemap)

    def step(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile] = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
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
        starts, goals, profile, blocked
            As in `plan`, but several units may share a goal.

        Raises
        ------
        ValueError
            Two units are on the same cell; and as `plan`.
        """
        request = Request.of(self._navigation, starts, goals, profile, blocked)
        if len(set(request.starts)) < len(request.starts):
            raise ValueError("two units are on the same cell")
        if not request.starts:
            return []
        count = itertools.count()
        task = self._task(request, lambda: next(count) < _MAX_ROWS_PER_STEP)
        rows, blank = task.row_of, len(task.goal_costs) - 1
        can_stop = task.graph.can_wait[task.profile_of, task.goal]
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
        after, _ = ConfigurationGenerator(task).successor(task.start, order, self._n_steps)
        if after is None:
            return list(request.starts)
        cell_of = self._navigation.profile_graph().nodes.cell
        return [cell_of(node) for node in after.tolist()]

    def _task(self, request: Request, may_continue: Callable[[], bool]) -> Task:
        """Return the task of a request; `may_continue` is that of `GoalCosts.rows`."""
        nodes, profiles = self._navigation.profile_graph().nodes, request.distinct_profiles
        index = {profile: number for number, profile in enumerate(profiles)}
        graph = self._graph_of(profiles, request.blocked)
        return Task(
            graph,
            nodes.of_record(np.array(request.starts)),
            nodes.of_record(np.array(request.goals)),
            np.array([index[each] for each in request.profiles], dtype=np.int64),
            self._goal_costs.rows(request.goal_keys, request.blocked, graph.unit, may_continue),
            self._goal_costs.table,
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
        blockers = BlockerNodes(np.array(nodes, dtype=np.int64))
        why = end_reason(graph, graph.nodes.of(start), graph.nodes.of(goal), blockers)
        if why or cost < math.inf:
            return why
        return self._navigation.find_path(start, goal, profile, blocked=blocked).reason


def solve(task: Task, method: str, bound: float, budget: Budget, seed: int) -> Outcome:
    """Plan a task by a method; see `SquadPlanner.plan`."""
    if method == "auto":
        method = "cheapest" if len(task) <= _MAX_CHEAPEST else "crowd"
    crowd = _plan_crowd(task, budget.part(0.25 if method == "cheapest" else 1), seed)
    if crowd.is_unsolvable or method == "crowd":
        return crowd
    lower_bound = 0.0
    if method == "cheapest":
        cheapest = ConflictBasedSearch(task, bound).run(budget.part(0.75 if crowd.paths else 0.25))
        if cheapest.reason is None or cheapest.reason.code != "gave_up":
            return cheapest
        lower_bound = cheapest.lower_bound
        if not crowd.paths:
            crowd = _plan_crowd(task, budget, seed + 1)
    paths = improve_plan(task, crowd.paths, budget, seed) if crowd.paths else ()
    return replace(crowd, paths=paths, lower_bound=lower_bound)


def _plan_crowd(task: Task, budget: Budget, seed: int) -> Outcome:
    """Return the crowd's plan, or the proof that there is none, if possible for two units alone.

    The other planners prove nothing: they would not end.
    """
    outcome = plan_lacam(task, budget, seed)
    if outcome.is_unsolvable:
        for pair in itertools.combinations(outcome.stuck, 2):
            if budget.is_spent:
                break
            if plan_lacam(task.subset(pair), budget.part(_SHARE_PER_PAIR), seed).is_unsolvable:
                return replace(outcome, stuck=pair)
    return outcome
