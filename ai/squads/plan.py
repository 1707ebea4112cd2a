"""The answer of a squad planner: one timed path per unit, or the reason why there is none."""

import math
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import plain_number
from ai.rules.profile import MoveProfile
from ai.squads.request import Reservation
from terrain3d import Cell, TileMap
from terrain3d.core.checks import whole_number
from terrain3d.picture import Drawable, Line, Picture


class SquadPlan(Drawable):
    """Collision-free paths of several units; false if there are none.

    Each tick every unit takes one step or waits. A path costs the sum of its steps, plus 1 for each
    tick of waiting before the unit's final arrival at its goal.

    Parameters
    ----------
    paths : sequence of sequences of Cell
        For each unit its cell at tick 0, 1, ... up to its final arrival at the goal.
    profiles : sequence of MoveProfile
        One per unit.
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
        profiles: Sequence[MoveProfile],
        costs: Sequence[float],
        lower_bound: float,
        reason: str = "",
        tilemap: TileMap | None = None,
    ) -> None:
        self.paths = tuple(tuple(path) for path in paths)
        self.costs = tuple(plain_number(cost) for cost in costs)
        self.cost = math.inf if reason else plain_number(sum(costs))
        self.lower_bound = plain_number(lower_bound) if lower_bound < math.inf else math.inf
        self.reason = reason
        self._profiles = tuple(profiles)
        self._tilemap = tilemap

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle: all but the map."""
        return {**vars(self), "_tilemap": None}

    @classmethod
    def none(cls, reason: str, lower_bound: float = math.inf) -> Self:
        """Return the answer that there is no plan, with its reason."""
        return cls((), (), (), lower_bound, reason)

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
        return bool(self) and self.cost <= self.lower_bound * (1 + 1e-9)

    def at(self, tick: int) -> list[Cell]:
        """Return the cell of each unit at a tick >= 0; after the last tick, the goals."""
        if whole_number("tick", tick) < 0:
            raise ValueError(f"tick must be >= 0, got {tick}")
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

    def reservations(self, tick: int = 0) -> list[Reservation]:
        """Return the rest of each path from a tick on, for other units to plan around."""
        return [
            Reservation(path[tick:] or [cell], profile)
            for path, cell, profile in zip(self.paths, self.at(tick), self._profiles, strict=False)
        ]
