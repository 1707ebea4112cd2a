"""What a squad is asked to do, in nodes, and ways that do it; planners hand these to each other."""

import itertools
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import Bar, Barriers, Way
from ai.squads.space_time_astar import FOUND, NEVER, NO_WAY, find_timed
from ai.squads.squad_graph import Ground

_CALL = 100  # about what a search takes beside its expansions
_EXPANSIONS_A_SECOND = 500_000  # on a slow machine

GAVE_UP = "gave up: the work it may do is spent"

Ways = tuple[Way, ...]


@dataclass(frozen=True)
class Task:
    """Units that want to go from starts to goals, among others whose ways are settled.

    Parameters
    ----------
    ground : Ground
    start, goal : (n_units,) int64
        Nodes.
    profile_of : (n_units,) int64
        Rows of the ground.
    field_of : (n_units,) int64
        Rows of `fields`.
    fields : (n_fields, n_nodes) float64
        What it costs from each node to a goal with nobody in the way.
    queued : tuple of Way
        Others' ways.
    queued_profiles : tuple of int
        Their rows of the ground.
    """

    ground: Ground
    start: NDArray[np.int64]
    goal: NDArray[np.int64]
    profile_of: NDArray[np.int64]
    field_of: NDArray[np.int64]
    fields: NDArray[np.float64]
    queued: Ways = ()
    queued_profiles: tuple[int, ...] = ()

    def __len__(self) -> int:
        """Count the units."""
        return len(self.start)

    @property
    def n_queued_ticks(self) -> int:
        """The tick from which on the others stand still."""
        return max((len(way) - 1 for way in self.queued), default=0)

    def of_few(self, units: Sequence[int]) -> "Task":
        """Give the task of some of the units, as if the others were not there."""
        some = list(units)
        return replace(
            self,
            start=self.start[some],
            goal=self.goal[some],
            profile_of=self.profile_of[some],
            field_of=self.field_of[some],
        )

    def left(self, unit: int) -> NDArray[np.float64]:
        """(n_nodes,) what it costs a unit from each node with nobody in the way."""
        row: NDArray[np.float64] = self.fields[self.field_of[unit]]
        return row

    def alone(self, unit: int) -> float:
        """Give what a unit's way costs with nobody in the way."""
        return float(self.left(unit)[self.start[unit]])

    @property
    def least_cost(self) -> float:
        """What all ways cost at the least."""
        return float(sum(self.alone(unit) for unit in range(len(self))))

    def cost_of(self, unit: int, way: Way) -> float:
        """Price a way: its steps, and 1 for each tick of waiting before it is there for good."""
        ground, profile = self.ground, int(self.profile_of[unit])
        pairs = itertools.pairwise(way.tolist())
        return sum(1.0 if a == b else ground.price(profile, a, b) for a, b in pairs)

    def barriers(
        self,
        unit: int,
        ways: Mapping[int, Way],
        bars: Sequence[Bar] = (),
        *,
        is_strict: bool = True,
    ) -> Barriers:
        """Bar for a unit what others' ways hold, by unit, and what is barred beside them.

        With `is_strict` also what the queued ways hold.
        """
        profiles = [int(self.profile_of[other]) for other in ways]
        settled = list(ways.values())
        if is_strict:
            settled += self.queued
            profiles += self.queued_profiles
        profile, goal = int(self.profile_of[unit]), int(self.goal[unit])
        return Barriers.of(self.ground, profile, goal, settled, profiles, bars)

    def find(
        self, unit: int, barred: Barriers, others: Barriers, budget: "Budget"
    ) -> tuple[Way, float] | None:
        """Search a way in time for a unit, and its cost; None if there is none.

        If the budget was too small to tell, it is spent.
        """
        if barred.goal_from >= NEVER:
            return None
        status, way, cost, n_expanded = find_timed(
            self.ground.steps,
            int(self.profile_of[unit]),
            self.left(unit),
            int(self.start[unit]),
            int(self.goal[unit]),
            barred.goal_from,
            barred.horizon,
            barred.barred,
            others.barred,
            budget.most_expansions,
        )
        budget.spend(int(n_expanded) + _CALL)
        if status not in (FOUND, NO_WAY):
            budget.end()
        return (way, float(cost)) if status == FOUND else None


class Budget:
    """How much work may still be done.

    Parameters
    ----------
    expansions : int
        How often a unit's next step may be looked for.
    seconds : float
    """

    def __init__(self, expansions: int, seconds: float) -> None:
        self.left = expansions
        self._deadline_s = time.monotonic() + seconds
        self._whole: Budget | None = None

    def part(self, share: float, most: float = math.inf) -> "Budget":
        """Give a share of what is left, 0..1, and at most so many expansions.

        What is not spent of it stays here.
        """
        seconds = max(0.0, self._deadline_s - time.monotonic())
        part = Budget(int(min(self.left * share, most)), seconds * share)
        part._whole = self
        return part

    def spend(self, expansions: int) -> None:
        """Take off what was done."""
        self.left -= expansions
        if self._whole is not None:
            self._whole.spend(expansions)

    def end(self) -> None:
        """Leave nothing: a search was cut short, perhaps by the clock with some time to spare."""
        self.left = min(self.left, 0)

    @property
    def most_expansions(self) -> int:
        """How many expansions there is still time for, about, if that many are left."""
        seconds = self._deadline_s - time.monotonic()
        return max(0, int(min(self.left, NEVER, seconds * _EXPANSIONS_A_SECOND)))

    @property
    def is_spent(self) -> bool:
        """Whether the work has to end."""
        return self.left <= 0 or time.monotonic() > self._deadline_s


@dataclass(frozen=True)
class Outcome:
    """What a planner came to.

    Parameters
    ----------
    ways : tuple of Way
        One a unit; empty if it found none.
    reason : str
        Why it found none.
    is_none : bool
        Whether it is known that there is none.
    stuck : tuple of int
        Two units that alone are why there is none.
    lower_bound : float
        No plan costs less.
    """

    ways: Ways = ()
    reason: str = ""
    is_none: bool = False
    stuck: tuple[int, ...] = ()
    lower_bound: float = 0.0
