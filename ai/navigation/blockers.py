"""Cells and nodes that a query may not enter, stop on or leave."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from ai.rules.nodes import NO_NODES, Nodes
from terrain3d.grid.grid import CellLike

NO_CELLS: tuple[CellLike, ...] = ()
"""The default of a query's keywords; `Blockers.of` recognizes it by identity."""


class BlockerCells(TypedDict):
    """The keywords of a query that describe other units, passed on as one value by `**`.

    `blocked`: cells that cannot be entered. `passable`: cells that may be passed, but not stopped
    on. `halting`: cells at which a path has to end.
    """

    blocked: Collection[CellLike]
    passable: Collection[CellLike]
    halting: Collection[CellLike]


class Blockers(NamedTuple):
    """Nodes that one query may not enter, stop on or leave; the mover's own are not among them."""

    blocked: NDArray[np.int64] = NO_NODES
    """(n,) nodes that cannot be entered."""
    passable: NDArray[np.int64] = NO_NODES
    """(n,) nodes, ascending, that may be passed, but not stopped on."""
    halting: NDArray[np.int64] = NO_NODES
    """(n,) nodes on which a path that enters them has to end."""

    @classmethod
    def of(
        cls,
        nodes: Nodes,
        size: int,
        start: int,
        blocked: Iterable[CellLike] = NO_CELLS,
        passable: Iterable[CellLike] = NO_CELLS,
        halting: Iterable[CellLike] = NO_CELLS,
    ) -> Blockers:
        """Return the blockers of a mover that is `size` tiles wide and stands on node `start`.

        `start` is -1 for movers anywhere. Without any node they are `NO_BLOCKERS`.
        """
        if blocked is NO_CELLS and passable is NO_CELLS and halting is NO_CELLS:
            return NO_BLOCKERS
        around = nodes.around
        made = cls(
            around("blocked", blocked, size, start),
            around("passable", passable, size, start),
            around("halting", halting, size, start),
        )
        return made if any(map(len, made)) else NO_BLOCKERS


NO_BLOCKERS = Blockers()
"""A query without blockers."""
