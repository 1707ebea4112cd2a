"""The steps of a squad's units as compiled planners take them, and how they are looked up."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Number, compiled

STAY = -1
"""In place of a step: to stay where one is."""

Ints = NDArray[np.int64]


class Steps(NamedTuple):
    """Steps between nodes, those of several profiles one behind the other.

    Parameters
    ----------
    first : (n_profiles, n_nodes + 1) int64
        The steps of profile p from node v are the entries first[p, v] to first[p, v + 1].
    target : (n_steps,) int64
        Where each step leads; no two of a profile join the same nodes.
    cost : (n_steps,) float64
    brush_first : (n_steps + 1,) int64
        The places that step e brushes are the entries brush_first[e] to brush_first[e + 1].
    brush : (n_brushed,) int64
        Nodes on which nobody else may be before or after the step.
    can_wait : (n_profiles, n_nodes) bool
        Where a unit may stop.
    """

    first: Ints
    target: Ints
    cost: NDArray[np.float64]
    brush_first: Ints
    brush: Ints
    can_wait: NDArray[np.bool_]


@compiled
def step_between(steps: Steps, profile: Number, start: Number, end: Number) -> Number:
    """Give the step of a profile from a node to another; STAY if there is none."""
    for step in range(steps.first[profile, start], steps.first[profile, start + 1]):
        if steps.target[step] == end:
            return step
    return STAY
