"""What it costs from every cell to the nearest of some goals, and where to step next."""

import math

import numpy as np
from numpy.typing import NDArray

from ai.path import Path, plain_number
from ai.search import NO_NODE, Graph
from terrain3d import Cell
from terrain3d.grid import CellLike, Grid


def leave_walls(
    backward: Graph,
    opposite: NDArray[np.int64],
    walls: NDArray[np.int64],
    cost: NDArray[np.float64],
    towards: NDArray[np.int32],
) -> None:
    """Let ways start on cells that cannot be entered.

    Parameters
    ----------
    backward : Graph
        Every step turned around.
    opposite : (n_slots,) int64
        The slot through which each slot's neighbor sees the node.
    walls : (n,) int64
        The cells.
    cost, towards : (n_nodes,)
        What the search from the goals found; rewritten at the walls.
    """
    cost[walls], towards[walls] = np.inf, NO_NODE
    best, after = cost[walls], towards[walls]
    for slot in range(len(opposite)):
        is_there = backward.step_cost[walls, slot] <= backward.broken
        there = backward.target_of(walls[is_there], slot)
        price = backward.step_cost[there, opposite[slot]]
        through = np.where(price < backward.broken, price + cost[there], np.inf)
        is_better = np.zeros(len(walls), dtype=np.bool_)
        is_better[is_there] = through < best[is_there]
        best[is_better] = through[is_better[is_there]]
        after[is_better] = there[is_better[is_there]]
    cost[walls], towards[walls] = best, after


class CostField:
    """The cost from every cell to the goal that is cheapest to reach, with the way there.

    Like a `Path` it is a record of when it was asked for.

    Parameters
    ----------
    grid : Grid
        The map's cells.
    cost : (rows, cols) float64
        Infinity where no goal can be reached from.
    towards : (rows * cols,) int32
        The node after each on its way; -1 at goals and where there is no way.
    level : (rows * cols,) int
        Level of each cell.
    """

    def __init__(
        self,
        grid: Grid,
        cost: NDArray[np.float64],
        towards: NDArray[np.int32],
        level: NDArray[np.int16],
    ) -> None:
        self._grid = grid
        cost.flags.writeable = False
        self.cost = cost
        self._towards = towards
        self._level = level

    def next_step(self, cell: CellLike) -> Cell | None:
        """Give the next cell on a cheapest way to a goal; None at a goal, or without a way."""
        row, col, _ = self._grid.cell(cell)
        node = int(self._towards[row * self._grid.cols + col])
        if node < 0 or math.isinf(self.cost[row, col]):
            return None
        return Cell(*divmod(node, self._grid.cols))

    def cost_from(self, cell: CellLike) -> float:
        """Give the cost from a cell to its goal; infinity if there is no way."""
        row, col, _ = self._grid.cell(cell)
        return plain_number(self.cost[row, col])

    def path_from(self, cell: CellLike) -> Path:
        """Give a cheapest way from a cell to a goal."""
        row, col, _ = self._grid.cell(cell)
        if math.isinf(self.cost[row, col]):
            return Path.none(f"no goal can be reached from ({row}, {col})")
        nodes = [row * self._grid.cols + col]
        while (node := int(self._towards[nodes[-1]])) >= 0:
            nodes.append(node)
        left = self.cost.ravel()[nodes]
        rows, cols = np.divmod(nodes, self._grid.cols)
        level = self._level[nodes]
        return Path(np.column_stack([rows, cols, 0 * rows, left[0] - left, level]))
