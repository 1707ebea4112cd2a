"""What a squad planner is asked for: the checked arguments, and the costs to the goals."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.search.graph import MILLION
from ai.squads.squad_graph import Costs, Ints
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike

MAX_ENTRIES = 2**27
"""Limit on the size of the table: goals times tiles."""

GoalKey = tuple[Cell, MoveProfile]
"""A goal and the profile of the unit that is sent there."""


class GoalCosts:
    """Table of costs to goals, one row per distinct goal.

    Memory: 8 bytes per goal and tile.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._row_of: dict[GoalKey, int] = {}
        self._state_of: dict[GoalKey, object] = {}  # oldest row first
        self._unit = MILLION
        self.table: Costs = np.zeros((1, 0))
        """(n_goals + 1, n_nodes) costs in a unit; the last row is all zeros."""

    def rows(
        self,
        goals: Sequence[GoalKey],
        blocked: Sequence[Cell],
        unit: int,
        may_continue: Callable[[], bool],
    ) -> Ints:
        """Bring the table up to date and return (n_units,) the row of each unit's goal.

        Units on blocked cells do not move. `unit` is that of the costs, in millionths.
        `may_continue` is called before each row is computed. Once it returns False, the remaining
        rows keep their old costs; goals that were never computed get the last row, all zeros.
        Raises `ValueError` above `MAX_ENTRIES` entries.
        """
        navigation = self._navigation
        n_nodes = navigation.profile_graph().forward.n_nodes
        wanted = dict.fromkeys(goals)
        if len(wanted) * n_nodes > MAX_ENTRIES:
            raise ValueError(
                f"goals times tiles must be <= {MAX_ENTRIES}, got {len(wanted)} x {n_nodes}"
            )
        if unit != self._unit or self.table.shape[1] != n_nodes:
            self._unit, self._state_of = unit, {}
        if wanted.keys() != self._row_of.keys() or self.table.shape[1] != n_nodes:
            self._resize(list(wanted), n_nodes)
        state = navigation.tilemap.version, tuple(blocked)
        unknown = [goal for goal in wanted if goal not in self._state_of]
        stale = [goal for goal, known in self._state_of.items() if known != state]
        for goal in [*unknown, *stale]:
            if not may_continue():
                break
            cell, profile = goal
            costs = navigation.costs_to(cell, profile, blocked)
            factor = navigation.profile_graph(profile).unit // unit
            self.table[self._row_of[goal]] = np.where(costs < 0, np.inf, costs * float(factor))
            self._state_of.pop(goal, None)
            self._state_of[goal] = state
        blank = len(self._row_of)
        rows = [self._row_of[goal] if goal in self._state_of else blank for goal in goals]
        return np.array(rows, dtype=np.int64)

    def _resize(self, goals: list[GoalKey], n_nodes: int) -> None:
        """Make a table with a row for each goal and copy the rows that are known."""
        table = np.zeros((len(goals) + 1, n_nodes))
        for row, goal in enumerate(goals):
            if goal in self._state_of:
                table[row] = self.table[self._row_of[goal]]
        self._row_of = {goal: row for row, goal in enumerate(goals)}
        self._state_of = {goal: at for goal, at in self._state_of.items() if goal in self._row_of}
        self.table = table


def profiles_of(profile: MoveProfile | Sequence[MoveProfile], n_units: int) -> list[MoveProfile]:
    """Return one profile per unit.

    Raises `TypeError` for what is not a MoveProfile, `ValueError` if its units cover several tiles.
    """
    profiles = listed("profile", profile) if isinstance(profile, Iterable) else [profile] * n_units
    for each in profiles:
        if instance_of("a profile", each, MoveProfile).size > 1:
            raise ValueError(f"units of a squad cover 1 tile, got one of size {each.size}")
    return profiles


@dataclass(frozen=True)
class Request:
    """The units of a squad, one profile each, and the other units on the map."""

    starts: tuple[Cell, ...]
    goals: tuple[Cell, ...]
    profiles: tuple[MoveProfile, ...]
    blocked: tuple[Cell, ...]
    """Cells of units that do not move."""

    @classmethod
    def of(
        cls,
        navigation: Navigation,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile],
        blocked: Iterable[CellLike],
    ) -> "Request":
        """Check the arguments of `SquadPlanner.plan` and return them as a request."""
        starts, goals = listed("starts", starts), listed("goals", goals)
        profiles = profiles_of(profile, len(starts))
        if not len(starts) == len(goals) == len(profiles):
            raise ValueError(
                f"got {len(starts)} starts, {len(goals)} goals and {len(profiles)} profiles"
            )
        as_cell = navigation.tilemap.cell
        start_cells = tuple(as_cell(cell) for cell in starts)
        return cls(
            start_cells,
            tuple(as_cell(cell) for cell in goals),
            tuple(profiles),
            tuple(sorted({as_cell(cell) for cell in listed("blocked", blocked)} - {*start_cells})),
        )

    @property
    def distinct_profiles(self) -> list[MoveProfile]:
        """All profiles without repetitions."""
        return list(dict.fromkeys(self.profiles))

    @property
    def goal_keys(self) -> list[GoalKey]:
        """Goal and profile of each unit, the keys of its goal costs."""
        return list(zip(self.goals, self.profiles, strict=True))

    @property
    def conflict_reason(self) -> str:
        """Which cell two units share at the start or at the end; "" if there is none."""
        for cells, code in ((self.starts, "two_start"), (self.goals, "two_end")):
            twice = sorted(cell for cell, count in Counter(cells).items() if count > 1)
            if twice:
                return Reason(code, cell=twice[0])
        return ""
