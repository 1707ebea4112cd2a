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
    """Goals and profiles of the units.

    Parameters
    ----------
    start, goal : (n_units,) int64
        Nodes.
    profile_of : (n_units,) int64
        Profile of each unit, as numbered in the step table.
    row_of : (n_units,) int64
        Row of `goal_costs` for each unit.
    goal_costs : (n_rows, n_nodes) float64
        Cost from each node to a goal without other units.
    """

    start: Ints
    goal: Ints
    profile_of: Ints
    row_of: Ints
    goal_costs: NDArray[np.float64]


class Workspace(NamedTuple):
    """Arrays that are reused from tick to tick.

    Parameters
    ----------
    occupied_now, occupied_next : (n_nodes,) int64
        Unit on each node before and after the tick; -1 if there is none.
    n_cleared : (n_nodes,) int64
        Number of chosen steps whose clearance includes the node.
    candidates : (n_units, n) int64
        Steps of each unit, the best first.
    keys : (n, 2) float64
        Their sort keys.
    state : (n_units, 4) int64
        Per unit: number of candidates, number of candidates tried, chosen step, unit to pull.
    chain : (n_units,) int64
        Units in the current chain of priority inheritance.
    """

    occupied_now: Ints
    occupied_next: Ints
    n_cleared: Ints
    candidates: Ints
    keys: NDArray[np.float64]
    state: Ints
    chain: Ints

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
