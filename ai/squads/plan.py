"""The answer of a squad's planner: where everybody is at each tick, or why there is no plan."""

import math
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import plain_number
from ai.rules.profile import MoveProfile
from ai.squads.request import Reservation
from terrain3d import Cell
from terrain3d.core.checks import whole_number


class SquadPlan:
    """Ways of several units that do not collide; false if there are none.

    Every tick each unit takes one step or waits. It costs what its steps cost, and 1 for each tick
    of waiting before it is on its goal for good.

    Parameters
    ----------
    ways : sequence of sequences of Cell
        For each unit where it is at tick 0, 1, ... up to when it is on its goal for good.
    profiles : sequence of MoveProfile
        One a unit.
    costs : sequence of number
        What each way costs.
    lower_bound : number
        No plan costs less.
    reason : str
        Why there is no plan.
    """

    def __init__(
        self,
        ways: Sequence[Sequence[Cell]],
        profiles: Sequence[MoveProfile],
        costs: Sequence[float],
        lower_bound: float,
        reason: str = "",
    ) -> None:
        self.ways = tuple(tuple(way) for way in ways)
        self.costs = tuple(plain_number(cost) for cost in costs)
        self.cost = math.inf if reason else plain_number(sum(costs))
        self.lower_bound = plain_number(lower_bound) if lower_bound < math.inf else math.inf
        self.reason = reason
        self._profiles = tuple(profiles)

    @classmethod
    def none(cls, reason: str, lower_bound: float = math.inf) -> Self:
        """Make the answer that there is no plan, with its reason."""
        return cls((), (), (), lower_bound, reason)

    def __bool__(self) -> bool:
        """Tell whether there is a plan."""
        return not self.reason

    def __len__(self) -> int:
        """Count the units."""
        return len(self.ways)

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """Give the ways, one a unit."""
        return iter(self.ways)

    def __repr__(self) -> str:
        """Show how many units and ticks there are and what it costs, or the reason."""
        if not self:
            return f"<no SquadPlan: {self.reason}>"
        return f"<SquadPlan of {len(self)} units in {self.ticks} ticks, cost {self.cost}>"

    @property
    def ticks(self) -> int:
        """How many ticks pass until all are on their goals."""
        return max(map(len, self.ways), default=1) - 1

    @property
    def is_cheapest(self) -> bool:
        """Whether it is known that no plan costs less."""
        return bool(self) and self.cost <= self.lower_bound * (1 + 1e-9)

    def at(self, tick: int) -> list[Cell]:
        """List where everybody is at a tick >= 0; after the last one on the goals."""
        if whole_number("tick", tick) < 0:
            raise ValueError(f"tick must be >= 0, got {tick}")
        return [way[min(tick, len(way) - 1)] for way in self.ways]

    def as_array(self) -> NDArray[np.int32]:
        """(ticks + 1, n_units, 3) int32 of row, column and deck."""
        table = [self.at(tick) for tick in range(self.ticks + 1)]
        return np.array(table, dtype=np.int32).reshape(len(table), len(self), 3)

    def reservations(self, tick: int = 0) -> list[Reservation]:
        """Give what is left of the ways from a tick on, for others to plan around."""
        where = self.at(tick)
        return [
            Reservation(way[tick:] or [cell], profile)
            for way, cell, profile in zip(self.ways, where, self._profiles, strict=False)
        ]
