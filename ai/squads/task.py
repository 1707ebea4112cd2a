"""A planning task for a squad in terms of nodes, the work budget, and a planner's outcome.

All costs are whole numbers of the graph's unit.
"""

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ai.squads.constraints import NEVER, PathConstraints, TimedPath, TimedPaths, position_table
from ai.squads.space_time_astar import FOUND, NO_PATH, find_timed_path
from ai.squads.squad_graph import Costs, Ints, SquadGraph, path_costs
from terrain3d import Reason

_CALL = 100  # work of one search besides its expansions, in expansions
_EXPANSIONS_PER_SECOND = 500_000  # on a slow machine

MAX_COST = sys.float_info.max
"""Limit on costs that is never reached; infinity is the cost of what cannot be reached."""


@dataclass(frozen=True)
class Task:
    """Units with starts and goals."""

    graph: SquadGraph
    start: Ints
    """(n_units,) nodes."""
    goal: Ints
    """(n_units,) nodes."""
    profile_of: Ints
    """(n_units,) profile of each unit, as numbered in the graph."""
    row_of: Ints
    """(n_units,) row of `goal_costs` for each unit."""
    goal_costs: Costs
    """(n_rows, n_nodes) cost from each node to a goal without other units; last a row of zeros."""

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.start)

    def subset(self, units: Sequence[int]) -> "Task":
        """Return the task of some of the units, without the rest of the squad."""
        some = list(units)
        return replace(
            self,
            start=self.start[some],
            goal=self.goal[some],
            profile_of=self.profile_of[some],
            row_of=self.row_of[some],
        )

    def cost_to_goal(self, unit: int) -> Costs:
        """Return (n_nodes,) a unit's cost from each node to its goal without other units."""
        row: Costs = self.goal_costs[self.row_of[unit]]
        return row

    def least_cost_of(self, unit: int) -> float:
        """Return the cost of a unit's cheapest path without other units."""
        return float(self.cost_to_goal(unit)[self.start[unit]])

    @property
    def least_cost(self) -> float:
        """Sum of the units' cheapest paths, a lower bound on the sum of costs."""
        return float(sum(self.least_cost_of(unit) for unit in range(len(self))))

    def costs_of(self, paths: Sequence[TimedPath]) -> Costs:
        """Return the cost of each unit's path: its steps, and each tick of waiting."""
        return path_costs(self.graph, self.profile_of, position_table(paths))

    def find_path(
        self,
        unit: int,
        constraints: PathConstraints,
        avoid: PathConstraints,
        budget: "Budget",
        max_cost: float = MAX_COST,
    ) -> tuple[TimedPath, float] | None:
        """Return a cheapest constrained path of a unit and its cost; None if there is none.

        If the search stops early, the budget is exhausted.
        """
        status, path, cost, n_expanded = find_timed_path(
            self.graph,
            int(self.profile_of[unit]),
            self.cost_to_goal(unit),
            int(self.start[unit]),
            int(self.goal[unit]),
            constraints.horizon,
            constraints.table,
            avoid.table,
            max_cost,
            budget.max_expansions,
        )
        budget.spend(int(n_expanded) + _CALL)
        if status not in (FOUND, NO_PATH):
            budget.exhaust()
        return (path, float(cost)) if status == FOUND else None


class Budget:
    """Remaining work of a plan, in expansions and seconds."""

    def __init__(self, expansions: int, seconds: float) -> None:
        self.left = expansions
        self._deadline_s = time.monotonic() + seconds
        self._whole: Budget | None = None

    def part(self, share: float, max_expansions: float = math.inf) -> "Budget":
        """Return a share, 0..1, of what is left, limited to a number of expansions.

        Work spent from the part is also spent from this budget.
        """
        seconds = self._deadline_s - time.monotonic()
        part = Budget(int(min(self.left * share, max_expansions)), seconds * share)
        part._whole = self
        return part

    def spend(self, expansions: int) -> None:
        """Subtract expansions that were made."""
        self.left -= expansions
        if self._whole is not None:
            self._whole.spend(expansions)

    def exhaust(self) -> None:
        """Spend the rest, because a search was cut short, perhaps before the deadline."""
        self.left = min(self.left, 0)

    @property
    def max_expansions(self) -> int:
        """Number of expansions that are left and for which there is roughly time."""
        seconds = self._deadline_s - time.monotonic()
        return max(0, int(min(self.left, NEVER, seconds * _EXPANSIONS_PER_SECOND)))

    @property
    def is_spent(self) -> bool:
        """Whether no work is left."""
        return self.left <= 0 or time.monotonic() > self._deadline_s


@dataclass(frozen=True)
class Outcome:
    """The result of a planner."""

    paths: TimedPaths = ()
    """One per unit; empty if no plan was found."""
    reason: Reason | None = None
    """Why no plan was found."""
    is_unsolvable: bool = False
    """Whether it is proven that there is no plan."""
    stuck: tuple[int, ...] = ()
    """Units that did not reach their goals; if unsolvable, they have no plan even alone."""
    lower_bound: float = 0.0
    """No plan costs less."""
