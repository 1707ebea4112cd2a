"""What a tick of a crowd is worked out in."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ai.squads.steps import Ints, Steps

COUNT, TRIED, TAKEN, PARTNER = range(4)
"""Columns of `Room.register`."""


class Room(NamedTuple):
    """Arrays that are used again from tick to tick.

    Parameters
    ----------
    before, taken : (n_nodes,) int64
        Who is there before the tick, and after it; -1: nobody.
    claims : (n_nodes,) int64
        How many steps brush it.
    choices : (n_units, n) int64
        The steps of each unit, the best one first.
    keys : (n, 2) float64
        What they are sorted by.
    register : (n_units, 4) int64
        How many choices it has and has tried, which step it takes, whom it pulls after it.
    waiting : (n_units,) int64
        Who waits for the next one.
    """

    before: Ints
    taken: Ints
    claims: Ints
    choices: Ints
    keys: NDArray[np.float64]
    register: Ints
    waiting: Ints

    @classmethod
    def of(cls, steps: Steps, n_units: int) -> Self:
        """Make room for units on a ground."""
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
