"""Cells and nodes that a query may not enter, stop on or leave."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.rules.nodes import NO_NODES, KnownCells, Nodes, converted
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike, as_cell

NO_CELLS: tuple[CellLike, ...] = ()
"""The default of a query's keyword; `BlockerNodes.of` recognizes it by identity."""


@dataclass(frozen=True)
class Blockers:
    """Cells that one query may not enter, stop on or leave, as those of other units.

    The cells that the mover covers at the start may be among them; there they have no effect. They
    do not close the corners of diagonal steps: the ground alone does.

    Parameters
    ----------
    blocked : cells
        Cells that cannot be entered, as those of enemies.
    passable : cells
        Cells that can be passed, but not stopped on, as those of allies.
    halting : cells
        Cells at which a path has to end, as beside an enemy.
    """

    blocked: Collection[CellLike] = NO_CELLS
    passable: Collection[CellLike] = NO_CELLS
    halting: Collection[CellLike] = NO_CELLS

    def __post_init__(self) -> None:
        """Keep the cells as such; `TypeError` for what is none."""
        for name, cells in vars(self).copy().items():
            if cells is not NO_CELLS and not isinstance(cells, KnownCells):
                object.__setattr__(self, name, tuple(converted(name, cells, as_cell)))


NO_BLOCKERS = Blockers()
"""The default of a query; recognized by identity."""


class BlockerNodes(NamedTuple):
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
        blockers: Blockers = NO_BLOCKERS,
    ) -> BlockerNodes:
        """Return the nodes of both for a mover that is `size` tiles wide and stands on `start`.

        `start` is -1 for movers anywhere. Without any node they are `FREE`.
        """
        if blocked is NO_CELLS and blockers is NO_BLOCKERS:
            return FREE
        instance_of("blockers", blockers, Blockers)
        more = nodes.around("blocked", blocked, size, start)
        around = nodes.around("blockers.blocked", blockers.blocked, size, start)
        made = cls(
            np.union1d(around, more) if len(more) else around,
            nodes.around("blockers.passable", blockers.passable, size, start),
            nodes.around("blockers.halting", blockers.halting, size, start),
        )
        return made if any(map(len, made)) else FREE

    def __repr__(self) -> str:
        """Show how many there are of each."""
        return f"<BlockerNodes {len(self.blocked)}, {len(self.passable)}, {len(self.halting)}>"


FREE = BlockerNodes()
"""A query without blockers."""
