"""Who stands in the way of a query: where nobody enters, nobody stops, nobody goes on."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.rules.nodes import NOBODY, Nodes
from terrain3d.grid.grid import CellLike


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

NO_CELLS: tuple[CellLike, ...] = ()
"""What a query is given if nobody is in the way, told from an empty sequence by its identity."""


def crowd_of(
    nodes: Nodes,
    size: int,
    start: int,
    blocked: Iterable[CellLike],
    passable: Iterable[CellLike],
    halting: Iterable[CellLike],
) -> Crowd:
    """Give the nodes at which a mover of so many tiles would be on one of the cells."""
    if blocked is NO_CELLS and passable is NO_CELLS and halting is NO_CELLS:
        return ALONE
    return Crowd(*(nodes.around(cells, size, start) for cells in (blocked, passable, halting)))
