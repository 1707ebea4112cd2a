"""What ways to the goals of a squad cost from everywhere, kept from plan to plan."""

from collections.abc import Callable, Sequence

import numpy as np

from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.squads.steps import Ints
from terrain3d import Cell

MAX_NUMBERS = 2**27
"""The most numbers that the fields of all goals may have: tiles times goals."""

Aim = tuple[Cell, MoveProfile]
"""Where a unit wants to go, and who it is."""


class Fields:
    """Cost fields, a row for each aim; equal aims share one.

    Memory: 8 bytes an aim and tile.

    Parameters
    ----------
    navigation : Navigation
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._row_of: dict[Aim, int] = {}
        self._state_of: dict[Aim, object] = {}  # the one that was worked out longest ago first
        self.table = np.zeros((1, 0))
        """(n_aims + 1, n_nodes) costs; the last row is all zeros."""

    def rows(
        self, aims: Sequence[Aim], walls: Sequence[Cell], may_go_on: Callable[[], bool]
    ) -> Ints:
        """(n_units,) in which row of the table each aim stands.

        Parameters
        ----------
        aims : sequence of Aim
            One a unit.
        walls : sequence of Cell
            Where others stand and stay.
        may_go_on : callable
            Asked before each field that has to be worked out. Of those that are left the table has
            what was so before; what was never worked out stands in the last row, as zeros.

        Raises
        ------
        ValueError
            They would have more than `MAX_NUMBERS` numbers.
        """
        navigation = self._navigation
        n_nodes = navigation.profile_graph().forward.n_nodes
        wanted = dict.fromkeys(aims)
        if len(wanted) * n_nodes > MAX_NUMBERS:
            raise ValueError(
                f"{len(wanted)} goals on {n_nodes} tiles make more than {MAX_NUMBERS} numbers"
            )
        if wanted.keys() != self._row_of.keys() or self.table.shape[1] != n_nodes:
            self._lay_out(list(wanted), n_nodes)
        state = navigation.tilemap.version, tuple(walls)
        unknown = [aim for aim in wanted if aim not in self._state_of]
        stale = [aim for aim, known in self._state_of.items() if known != state]
        for aim in [*unknown, *stale]:
            if not may_go_on():
                break
            goal, profile = aim
            field = navigation.cost_field(goal, profile, blocked=walls)
            self.table[self._row_of[aim]] = field.by_node
            self._state_of.pop(aim, None)
            self._state_of[aim] = state
        blank = len(self._row_of)
        rows = [self._row_of[aim] if aim in self._state_of else blank for aim in aims]
        return np.array(rows, dtype=np.int64)

    def _lay_out(self, aims: list[Aim], n_nodes: int) -> None:
        """Give every aim a row, with what is known of it."""
        if self.table.shape[1] != n_nodes:
            self._state_of = {}
        table = np.zeros((len(aims) + 1, n_nodes))
        for row, aim in enumerate(aims):
            if aim in self._state_of:
                table[row] = self.table[self._row_of[aim]]
        self._row_of = {aim: row for row, aim in enumerate(aims)}
        self._state_of = {aim: at for aim, at in self._state_of.items() if aim in self._row_of}
        self.table = table
