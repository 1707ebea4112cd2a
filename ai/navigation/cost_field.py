"""What it costs from every cell to the nearest of some goals, and where to step next."""

import math

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path, plain_number
from ai.rules.nodes import Nodes
from ai.search import NO_NODE, Graph
from terrain3d import Cell
from terrain3d.grid.grid import CellLike


def start_on_blocked(
    graph: Graph,
    walls: NDArray[np.int64],
    cost: NDArray[np.float64],
    towards: NDArray[np.int32],
) -> None:
    """Let ways start on surfaces that cannot be entered.

    Parameters
    ----------
    graph : Graph
    walls : (n,) int64
        The surfaces.
    cost, towards : (n_nodes,)
        What the search from the goals found; rewritten at the walls.
    """
    cost[walls], towards[walls] = np.inf, NO_NODE
    best, after = cost[walls], towards[walls]
    for entry, node in enumerate(walls.tolist()):
        for there, price in graph.edges_from(node):
            if price + cost[there] < best[entry]:
                best[entry], after[entry] = price + cost[there], there
    cost[walls], towards[walls] = best, after


class CostField:
    """The cost from every cell to the goal that is cheapest to reach, with the way there.

    Like a `Path` it is a record of when it was asked for.

    Parameters
    ----------
    nodes : Nodes
        How cells are numbered.
    cost : (rows, cols) float64
        Infinity where no goal can be reached from; (n_decks + 1, rows, cols) on maps with decks.
    towards : (n_nodes,) int32
        The node after each on its way; -1 at goals and where there is no way.
    level : (n_nodes,) int
        Level of each surface.
    passing : (n_nodes,) float64
        As `cost`, but also for places that are only flown over, and without goals on which one
        cannot stop: ways lead on from them.
    """

    def __init__(
        self,
        nodes: Nodes,
        cost: NDArray[np.float64],
        towards: NDArray[np.int32],
        level: NDArray[np.int16],
        passing: NDArray[np.float64],
    ) -> None:
        self._nodes = nodes
        cost.flags.writeable = False
        self.cost = cost
        self._towards = towards
        self._level = level
        self._passing = passing

    def __repr__(self) -> str:
        """Show from how many cells a goal is reached, and at which cost at most."""
        costs = self.cost[np.isfinite(self.cost)]
        dearest = plain_number(costs.max()) if costs.size else 0
        return f"<CostField of {costs.size} cells, at most {dearest}>"

    @property
    def by_node(self) -> NDArray[np.float64]:
        """(n_nodes,) the cost from each node, also from those that are only flown over."""
        lowest: NDArray[np.float64] = np.minimum(self.cost.ravel(), self._passing)
        return lowest

    def next_step(self, cell: CellLike) -> Cell | None:
        """Give the next cell on a cheapest way to a goal; None at a goal, or without a way."""
        node = self._nodes.of(cell)
        after = int(self._towards[node])
        if after < 0 or self._is_there(node) or math.isinf(self.cost.flat[node]):
            return None
        return self._nodes.cell(after)

    def cost_from(self, cell: CellLike) -> float:
        """Give the cost from a cell to its goal; infinity if there is no way."""
        return plain_number(self.cost.flat[self._nodes.of(cell)])

    def path_from(self, cell: CellLike) -> Path:
        """Give a cheapest way from a cell to a goal."""
        node = self._nodes.of(cell)
        if math.isinf(self.cost.flat[node]):
            return Path.none(f"no goal can be reached from {self._nodes.cell(node)}")
        along = [node]
        while not self._is_there(along[0]) and (node := int(self._towards[along[-1]])) >= 0:
            along.append(node)
        left = self._passing[along] if len(along) > 1 else np.zeros(1)
        cells = np.array([self._nodes.cell(node) for node in along])
        return Path(np.column_stack([cells, left[0] - left, self._level[along]]))

    def _is_there(self, node: int) -> bool:
        """Tell whether a node is a goal at which ways of others could not end."""
        return bool(self.cost.flat[node] < self._passing[node])
