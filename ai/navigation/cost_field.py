"""The cost from every cell to the cheapest of several goals, and the next cell on the path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import FREE, BlockerNodes
from ai.navigation.graph_cache import ProfileCache
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.nodes import Nodes, converted
from ai.search.graph import in_units, number_of, numbers_of, unit_of
from ai.search.workspace import NO_NODES, Guided, PathReader
from terrain3d import Cell, Reason
from terrain3d.core.checks import true_or_false
from terrain3d.grid.grid import CellLike
from terrain3d.picture import Drawable, Picture, flat_values


class CostField(Drawable):
    """The cost from every cell to the goal that is cheapest to reach, with the paths there.

    Like a `Path` it describes the map as it was when the field was made.

    Parameters
    ----------
    nodes : Nodes
        How cells are numbered.
    left : (n_nodes,) int64
        The cost from each node to its goal, in units; -1 without a path.
    passing : (n_nodes,) int64
        As `left`, for paths that pass the node: not -1 where a flyer cannot stand, but -1 at goals
        on which a path cannot end.
    level : (n_nodes,) int
        Level of each surface.
    unit : int
        The unit of costs, in millionths.
    reader : PathReader
        What reads paths off the costs of `passing`.
    """

    def __init__(
        self,
        nodes: Nodes,
        left: NDArray[np.int64],
        passing: NDArray[np.int64],
        level: NDArray[np.int16],
        unit: int,
        reader: PathReader,
    ) -> None:
        self._nodes, self._unit, self._reader = nodes, unit, reader
        self._left, self._passing, self._level = left, passing, level

    @cached_property
    def _towards(self) -> NDArray[np.int32]:
        """(n_nodes,) the next node on each node's path; -1 at goals, and without a path."""
        return self._reader.nodes_before(self._passing)

    def __repr__(self) -> str:
        """Show the number of cells with a path, and the highest cost."""
        highest = number_of(max(0, int(self._left.max())), self._unit)
        return f"<CostField of {np.count_nonzero(self._left >= 0)} cells, at most {highest}>"

    @property
    def cost(self) -> NDArray[np.float64]:
        """(rows, cols) the cost from each cell, from its cheapest deck; infinity without a path."""
        return self.as_costs()

    def as_costs(self, *, decks: bool = False) -> NDArray[np.float64]:
        """(rows, cols) the cost from each cell, from its cheapest deck; infinity without a path.

        With `decks` (n_decks + 1, rows, cols), also on maps without decks.
        """
        tilemap = self._nodes.tilemap
        costs = numbers_of(self._left, self._unit)
        costs[self._left < 0] = np.inf
        costs = costs.reshape(-1, tilemap.rows, tilemap.cols)
        if true_or_false("decks", decks):
            return costs
        return costs.min(axis=0) if len(costs) > 1 else costs.reshape(costs.shape[1:])

    def next_step(self, cell: CellLike) -> Cell | None:
        """Return the next cell on a cheapest path to a goal; None at a goal, or without a path.

        Of several it is the last in reading order: by deck, row and column.
        """
        node = self._node(cell)
        if not self._has(node) or self._left.item(node) != self._passing.item(node):
            return None
        after = self._towards.item(node)
        if after < 0:
            return None
        return self._nodes.cell(after)

    def next_steps(self, cells: Iterable[CellLike]) -> NDArray[np.int32]:
        """(n, 3) row, column and deck of the `next_step` from each of many cells; -1 for None.

        Fastest for an array of (n, 2) or (n, 3) whole numbers.
        """
        try:
            nodes = self._nodes.each("cells", cells)
        except IndexError:
            nodes = np.array(converted("cells", cells, self._node), dtype=np.int64)
        is_known = nodes < len(self._left)
        nodes = np.where(is_known, nodes, 0)
        after, left = self._towards[nodes], self._left[nodes]
        has_step = is_known & (after >= 0) & (left >= 0) & (left == self._passing[nodes])
        return np.where(has_step[:, None], self._nodes.cells_of(after), -1).astype(np.int32)

    def _node(self, cell: CellLike) -> int:
        """Return the node of a cell of the map, or of one with a path on a deck that is gone."""
        try:
            return self._nodes.of(cell)
        except IndexError:
            node = self._nodes.of_past(cell, len(self._left) // self._nodes.n_cells)
            if not self._has(node):
                raise
            return node

    def _has(self, node: int) -> bool:
        """Return whether a path leads from a node; none does from a deck that came later."""
        return 0 <= node < len(self._left) and self._left.item(node) >= 0

    def __contains__(self, cell: CellLike) -> bool:
        """Return whether a path leads from a cell to a goal; none does from beside the map."""
        try:
            return self._has(self._node(cell))
        except IndexError:
            return False

    def cost_from(self, cell: CellLike) -> float:
        """Return the cost from a cell to its goal; infinity if there is no path."""
        node = self._node(cell)
        return number_of(self._left.item(node), self._unit) if self._has(node) else math.inf

    def path_from(self, cell: CellLike) -> Path:
        """Return a cheapest path from a cell to a goal."""
        node = self._node(cell)
        if not self._has(node):
            return Path.none(Reason("no_goal_from", cell=self._nodes.cell(node)))
        along = [node]
        if self._left.item(node) == self._passing.item(node):
            while (node := self._towards.item(along[-1])) >= 0:
                along.append(node)
        spent = self._left[along[0]] - self._passing[along] if len(along) > 1 else [0]
        record = np.column_stack([self._nodes.cells_of(np.array(along)), spent, self._level[along]])
        return Path(record.astype(np.int64), self._unit, self._nodes.tilemap)

    def picture(self) -> Picture:
        """Return the map with the cost from each cell."""
        costs = flat_values(self.as_costs(decks=True))
        return Picture(self._nodes.tilemap, repr(self)[1:-1], costs, "cost")


def compute_cost_field(
    entry: ProfileCache,
    goals: NDArray[np.int64],
    starts: NDArray[np.int64],
    blockers: BlockerNodes,
) -> CostField:
    """Return the cost field of goals with start costs, in millionths.

    Blocked nodes cannot be entered, but paths may start on them.
    """
    graph, guided = entry.graph, entry.graph.guided(is_backward=True)
    if starts.any():
        guided = _with_unit_for(guided, graph, starts)
        starts = in_units(starts, guided.graph.unit)
    is_end = graph.can_stop(goals)
    if len(blockers.blocked):
        is_end &= ~np.isin(goals, blockers.blocked)
    ends = goals[is_end], starts[is_end]
    # On reversed edges a blocked node is one that is not left: a path may only start there.
    with entry.workspaces.lend() as workspace:
        left = passing = workspace.costs(guided, *ends, blockers.blocked)
    # A unit on a goal has arrived, even if it could not stop there; a flyer also passes voids.
    own = passing[goals]
    if not graph.stops_everywhere or bool(((own < 0) | (starts < own)).any()):
        left = np.where(graph.is_void, -1, passing)
        for goal, start in zip(goals.tolist(), starts.tolist(), strict=True):
            if not graph.is_void[goal] and not 0 <= left[goal] <= start:
                left[goal] = start
    level, unit = graph.level.copy(), guided.graph.unit
    reader = PathReader(guided.graph, *ends, blockers.blocked)
    return CostField(graph.nodes, left, passing, level, unit, reader)


def _with_unit_for(guided: Guided, graph: ProfileGraph, starts: NDArray[np.int64]) -> Guided:
    """Return the reversed graph in a unit that divides start costs, in millionths, too."""
    backward, highest = guided.graph, graph.rule.highest * graph.rule.unit
    if not (starts % backward.unit).any():
        return guided
    highest += int(graph.extra.max(initial=0))
    unit = unit_of(np.append(starts, backward.unit), highest, backward.n_nodes)
    return Guided(backward.with_unit(unit, -(-highest // unit)))


def compute_plain_field(entry: ProfileCache, goals: Sequence[int]) -> CostField:
    """Return the cost field of goals without costs to start with, around no blockers."""
    targets = np.array(goals, dtype=np.int64)
    return compute_cost_field(entry, targets, np.zeros_like(targets), FREE)


def compute_costs_to_node(
    entry: ProfileCache, goal: int, blockers: BlockerNodes
) -> NDArray[np.int64]:
    """(n_nodes,) the cost in units from each node to a goal, -1 without a path.

    A path may pass all of them.
    """
    goals = NO_NODES if goal in blockers.blocked else np.array([goal])
    guided = entry.graph.guided(is_backward=True)
    with entry.workspaces.lend() as workspace:
        return workspace.costs(guided, goals, np.zeros_like(goals), blockers.blocked)
