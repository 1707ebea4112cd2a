"""Who stands in the way of a query: where nobody enters, nobody stops, nobody goes on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.nodes import NOBODY


class Crowd(NamedTuple):
    """Nodes of others that matter to one mover, none of them its own.

    Parameters
    ----------
    walls : (n,) int64
        Cannot be entered.
    passable : (n,) int64
        May be passed, not stopped on.
    halts : (n,) int64
        Whoever enters has to end there.
    """

    walls: NDArray[np.int64] = NOBODY
    passable: NDArray[np.int64] = NOBODY
    halts: NDArray[np.int64] = NOBODY


ALONE = Crowd()
"""Nobody is in the way."""
