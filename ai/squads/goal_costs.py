"""Cache of the costs from every node to the goals of a squad, kept from plan to plan."""

from collections.abc import Callable, Sequence

import numpy as np

from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.squads.squad_graph import Ints
from terrain3d import Cell

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
        self.table = np.zeros((1, 0))
        """(n_goals + 1, n_nodes) costs; the last row is all zeros."""

    def rows(
        self, goals: Sequence[GoalKey], blocked: Sequence[Cell], may_continue: Callable[[], bool]
    ) -> Ints:
        """Bring the table up to date and return (n_units,) the row of each unit's goal.

        Units on blocked cells do not move. `may_continue` is called before each row is computed.
        Once it returns False, the remaining rows keep their old costs; goals that were never
        computed get the last row, all zeros. Raises `ValueError` above `MAX_ENTRIES` entries.
        """
        navigation = self._navigation
        n_nodes = navigation.profile_graph().forward.n_nodes
        wanted = dict.fromkeys(goals)
        if len(wanted) * n_nodes > MAX_ENTRIES:
            raise ValueError(
                f"goals times tiles must be <= {MAX_ENTRIES}, got {len(wanted)} x {n_nodes}"
            )
        if wanted.keys() != self._row_of.keys() or self.table.shape[1] != n_nodes:
            self._resize(list(wanted), n_nodes)
        state = navigation.tilemap.version, tuple(blocked)
        unknown = [goal for goal in wanted if goal not in self._state_of]
        stale = [goal for goal, known in self._state_of.items() if known != state]
        for goal in [*unknown, *stale]:
            if not may_continue():
                break
            cell, profile = goal
            self.table[self._row_of[goal]] = navigation.costs_to(cell, profile, blocked)
            self._state_of.pop(goal, None)
            self._state_of[goal] = state
        blank = len(self._row_of)
        rows = [self._row_of[goal] if goal in self._state_of else blank for goal in goals]
        return np.array(rows, dtype=np.int64)

    def _resize(self, goals: list[GoalKey], n_nodes: int) -> None:
        """Make a table with a row for each goal and copy the rows that are known."""
        if self.table.shape[1] != n_nodes:
            self._state_of = {}
        table = np.zeros((len(goals) + 1, n_nodes))
        for row, goal in enumerate(goals):
            if goal in self._state_of:
                table[row] = self.table[self._row_of[goal]]
        self._row_of = {goal: row for row, goal in enumerate(goals)}
        self._state_of = {goal: at for goal, at in self._state_of.items() if goal in self._row_of}
        self.table = table
