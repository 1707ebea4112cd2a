"""The squad planner: collision-free paths of several units.

One step takes one tick, whatever it costs: costs are points of a game, not seconds. Two units are
in conflict if they are on the same cell at a tick or swap cells during a tick. They are also in
conflict if one stands in the clearance of the other's diagonal step.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_CELLS
from ai.navigation.navigation import Navigation
from ai.navigation.path import plain_number
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.search.graph import number_of
from ai.squads.formation import profiles_of
from ai.squads.lacam import Lacam, Outcome
from ai.squads.pibt import NEVER, Crowd, trimmed
from ai.squads.steps import step_tables
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import instance_of, listed, quoted, whole_number, whole_within
from terrain3d.grid.grid import CellLike
from terrain3d.picture import Drawable, Line, Picture

MAX_ENTRIES = 2**27
"""Limit on the size of the table of costs: units times tiles."""

_MAX_STEPS, _MAX_STEPS_PER_UNIT = 100_000, 1_000


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

    Memory: 8 bytes per unit and tile while it plans.

    Parameters
    ----------
    navigation : Navigation
        Provides the steps and their costs.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = instance_of("navigation", navigation, Navigation)

    def plan(
        self,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile] = DEFAULT_PROFILE,
        *,
        blocked: Iterable[CellLike] = NO_CELLS,
        max_steps: int | None = None,
        seed: int = 0,
    ) -> SquadPlan:
        """Plan a path for each unit from its start to its goal.

        The plan is improved until its steps are used up or it is a cheapest one.

        Parameters
        ----------
        starts, goals : sequences of cells
            One per unit.
        profile : MoveProfile, or sequence of MoveProfile
            One for all units, or one per unit. Each unit covers one tile.
        blocked : cells
            Cells of other units that do not move. Starts are ignored.
        max_steps : int, optional
            Limit on how often the next step of a unit is chosen, > 0; by default 100,000, or 1,000
            for each unit if that is more.
        seed : int
            Of random priorities and ties, >= 0.

        Returns
        -------
        SquadPlan
            False, with a reason, if there is no plan or none was found.

        Raises
        ------
        ValueError
            Units times tiles exceed `ai.squads.planner.MAX_ENTRIES`.
        """
        as_cell = self._navigation.tilemap.cell
        begin = [as_cell(cell) for cell in listed("starts", starts)]
        end = [as_cell(cell) for cell in listed("goals", goals)]
        profiles = profiles_of(profile, len(begin))
        if not len(begin) == len(end) == len(profiles):
            raise ValueError(
                f"got {len(begin)} starts, {len(end)} goals and {len(profiles)} profiles"
            )
        others = sorted({as_cell(cell) for cell in listed("blocked", blocked)} - {*begin})
        limit = max(_MAX_STEPS, _MAX_STEPS_PER_UNIT * len(begin))
        limit = limit if max_steps is None else whole_within("max_steps", max_steps, 1)
        seed = whole_within("seed", seed, 0)
        why = _shared_cell_reason(begin, end)
        if why or not begin:
            return SquadPlan.none(why) if why else SquadPlan((), (), 0)
        for ends in zip(begin, end, profiles, strict=True):
            alone = self._navigation.find_path(*ends, blocked=others)
            if not alone:
                return SquadPlan.none(alone.reason)
        # Of the module `random` only this method is the same in all versions of Python.
        crowd = self._crowd(begin, end, profiles, others, Random(seed).random)
        lower_bound = number_of(crowd.cost_left(crowd.starts), 1)
        outcome = Lacam(crowd, limit).run()
        if outcome.plan is None:
            return SquadPlan.none(_no_plan_reason(outcome, begin), lower_bound)
        cell_of = self._navigation.profile_graph().nodes.cell
        paths = [list(map(cell_of, trimmed(path))) for path in zip(*outcome.plan, strict=True)]
        costs = [number_of(cost, 1) for cost in crowd.costs_of(outcome.plan)]
        return SquadPlan(paths, costs, lower_bound, tilemap=self._navigation.tilemap)

    def _crowd(
        self,
        starts: list[Cell],
        goals: list[Cell],
        profiles: list[MoveProfile],
        blocked: list[Cell],
        random: Callable[[], float],
    ) -> Crowd:
        """Return the units with their steps, and the costs to their goals around blocked cells."""
        navigation = self._navigation
        graph = navigation.profile_graph()
        node_of, size = graph.nodes.of, len(graph.level)
        if len(goals) * size > MAX_ENTRIES:
            asked = f"{len(goals)} x {size}"
            raise ValueError(f"units times tiles must be <= {MAX_ENTRIES}, got {asked}")
        costs = []
        for goal, profile in zip(goals, profiles, strict=True):
            row = navigation.costs_to(goal, profile, blocked)
            unit = navigation.profile_graph(profile).unit
            costs.append(np.where(row < 0, NEVER, row * unit).data)
        return Crowd(
            step_tables(navigation, profiles, frozenset(map(node_of, blocked))),
            tuple(map(node_of, starts)),
            tuple(map(node_of, goals)),
            costs,
            random,
        )


def _shared_cell_reason(starts: list[Cell], goals: list[Cell]) -> str:
    """Return which cell two units share at the start or at the end; "" if there is none."""
    for cells, code in ((starts, "two_start"), (goals, "two_end")):
        twice = sorted(cell for cell, count in Counter(cells).items() if count > 1)
        if twice:
            return Reason(code, cell=twice[0])
    return ""


def _no_plan_reason(outcome: Outcome, starts: list[Cell]) -> Reason:
    """Return why a search has found no plan."""
    if outcome.pair:
        first, second = (starts[unit] for unit in outcome.pair)
        return Reason("cannot_pass", first=first, second=second)
    if outcome.n_searched:
        return Reason("all_searched", n_configurations=outcome.n_searched)
    return Reason("units_stuck", n_stuck=len(outcome.stuck), n_units=len(starts))
