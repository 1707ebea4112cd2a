"""Arrays that the compiled functions of PIBT share."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ai.squads.squad_graph import Ints, StepTable

UNDECIDED = -1
"""In an array of next nodes: the unit has not chosen yet."""

COUNT, TRIED, STEP, PULLED = range(4)
"""Columns of `Workspace.state`."""


class SquadArrays(NamedTuple):
    """Goals and profiles of the units."""

    start: Ints
    """(n_units,) nodes."""
    goal: Ints
    """(n_units,) nodes."""
    profile_of: Ints
    """(n_units,) profile of each unit, as numbered in the step table."""
    row_of: Ints
    """(n_units,) row of `goal_costs` for each unit."""
    goal_costs: NDArray[np.float64]
    """(n_rows, n_nodes) cost from each node to a goal without other units; last a row of zeros."""


class Workspace(NamedTuple):
    """Arrays that are reused from tick to tick."""

    occupied_now: Ints
    occupied_next: Ints
    """(n_nodes,) unit on each node before and after the tick; -1 if there is none."""
    n_cleared: Ints
    """(n_nodes,) number of chosen steps whose clearance includes the node."""
    candidates: Ints
    """(n_units, n) steps of each unit, the best first."""
    keys: NDArray[np.float64]
    """(n, 2) their sort keys."""
    state: Ints
    """(n_units, 4) number of candidates, number of them tried, chosen step, unit to pull."""
    chain: Ints
    """(n_units,) units in the current chain of priority inheritance."""

    @classmethod
    def of(cls, steps: StepTable, n_units: int) -> Self:
        """Return a workspace for a number of units."""
        n_nodes = steps.can_wait.shape[1]
        width = int(np.diff(steps.first, axis=1).max(initial=0)) + 1
        return cls(
            np.full(n_nodes, -1, dtype=np.int64),
            np.full(n_nodes, -1, dtype=np.int64),
            np.zeros(n_nodes, dtype=np.int64),
            np.empty((n_units, width), dtype=np.int64),
            np.empty((width, 2)),
            np.zeros((n_units, 4), dtype=np.int64),
            np.empty(n_units, dtype=np.int64),
        )
