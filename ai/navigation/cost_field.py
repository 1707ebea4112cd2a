"""The cost from every cell to the cheapest of several goals, and the next cell on the path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.graph_cache import ProfileCache
from ai.navigation.path import Path, plain_number
from ai.rules.nodes import Nodes
from ai.search.graph import Graph
from ai.search.search_state import NO_NODE
from terrain3d import Cell, Reason
from terrain3d.grid.grid import CellLike
from terrain3d.picture import Drawable, Picture, flat_values

_MAX_INTEGER_START = 2**20


class CostField(Drawable):
    """The cost from every cell to the goal that is cheapest to reach, with the paths there.

    Like a `Path` it describes the map as it was when the field was made.

    Parameters
    ----------
    nodes : Nodes
        How cells are numbered.
    cost : (rows, cols) float64
        Infinity where no goal can be reached from; (n_decks + 1, rows, cols) on maps with decks.
    towards : (n_nodes,) int32
        The next node on each node's path; -1 at goals and where there is no path.
    level : (n_nodes,) int
        Level of each surface.
    passing : (n_nodes,) float64
        As `cost`, but from the middle of a path: finite also where a flyer cannot stand, and
        infinite at goals on which a path cannot end.
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it is made of, so that its costs are read-only again."""
        own = self._nodes, self.cost, self._towards, self._level, self._passing
        return type(self), own

    def __repr__(self) -> str:
        """Show the number of cells with a path, and the highest cost."""
        costs = self.cost[np.isfinite(self.cost)]
        highest = plain_number(costs.max()) if costs.size else 0
        return f"<CostField of {costs.size} cells, at most {highest}>"

    def next_step(self, cell: CellLike) -> Cell | None:
        """Return the next cell on a cheapest path to a goal; None at a goal, or without a path.

        Of several it is the last in reading order: by deck, row and column.
        """
        node = self._nodes.of(cell)
        after = self._towards.item(node)
        if after < 0 or not self.cost.item(node) == self._passing.item(node) < math.inf:
            return None
        return self._nodes.cell(after)

    def next_steps(self, cells: Iterable[CellLike]) -> NDArray[np.int32]:
        """(n, 3) row, column and deck of the `next_step` from each of many cells; -1 for None.

        Fastest for an array of (n, 2) or (n, 3) whole numbers.
        """
        nodes = self._nodes.each("cells", cells)
        after, left = self._towards[nodes], self._passing[nodes]
        has_step = (after >= 0) & (self.cost.ravel()[nodes] == left) & (left < math.inf)
        return np.where(has_step[:, None], self._nodes.cells_of(after), -1).astype(np.int32)

    def cost_from(self, cell: CellLike) -> float:
        """Return the cost from a cell to its goal; infinity if there is no path."""
        return plain_number(self.cost.flat[self._nodes.of(cell)])

    def path_from(self, cell: CellLike) -> Path:
        """Return a cheapest path from a cell to a goal."""
        node = self._nodes.of(cell)
        if math.isinf(self.cost.flat[node]):
            return Path.none(Reason("no_goal_from", cell=self._nodes.cell(node)))
        along = [node]
        while not self._is_at_goal(along[0]) and (node := int(self._towards[along[-1]])) >= 0:
            along.append(node)
        left = self._passing[along] if len(along) > 1 else np.zeros(1)
        cells = np.array([self._nodes.cell(node) for node in along])
        record = np.column_stack([cells, left[0] - left, self._level[along]])
        return Path(record, self._nodes.tilemap)

    def picture(self) -> Picture:
        """Return the map with the cost from each cell."""
        return Picture(self._nodes.tilemap, repr(self)[1:-1], flat_values(self.cost), "cost")

    def _is_at_goal(self, node: int) -> bool:
        """Return whether a node is a goal on which paths from other cells cannot end."""
        return bool(self.cost.flat[node] < self._passing[node])


def compute_cost_field(
    entry: ProfileCache,
    goals: NDArray[np.int32],
    start_costs: NDArray[np.float64],
    blockers: Blockers,
) -> CostField:
    """Return the cost field of goals, each with a cost to start with.

    Blocked nodes cannot be entered, but paths may start on them.
    """
    graph, blocked = entry.graph, blockers.blocked
    is_fit = (start_costs <= _MAX_INTEGER_START) & (start_costs == np.floor(start_costs))
    has_any = graph.forward.is_whole and not is_fit.all()
    can_stop = graph.can_stop(goals.astype(np.int64))
    starts = goals[can_stop], start_costs[can_stop]
    cost, towards = _search_back(entry, *starts, blockers, has_any_costs=has_any)
    if len(blocked):
        around_blocked = graph.guided("zero", blockers=blockers).graph
        _start_on_blocked(around_blocked, blocked, cost, towards)
    passing = cost
    # A unit on a goal has arrived, even if it could not stop there; a flyer also passes voids.
    if not graph.stops_everywhere or np.count_nonzero(start_costs < cost[goals]):
        cost = np.where(graph.is_void, np.inf, cost)
        on_ground = ~graph.is_void[goals]
        np.minimum.at(cost, goals[on_ground], start_costs[on_ground])
    shape = graph.rule.footprint.level.shape
    shape = shape[1:] if shape[0] == 1 else shape
    return CostField(graph.nodes, cost.reshape(shape), towards, graph.level.copy(), passing)


def compute_plain_field(entry: ProfileCache, goals: Sequence[int]) -> CostField:
    """Return the cost field of goals without costs to start with, around no blockers."""
    targets, costs = np.array(goals, dtype=np.int32), np.zeros(len(goals))
    return compute_cost_field(entry, targets, costs, NO_BLOCKERS)


def compute_costs_to_node(
    entry: ProfileCache, goal: int, blockers: Blockers
) -> NDArray[np.float64]:
    """Return (n_nodes,) the cost from each node to a goal; a path may pass all of them."""
    return _search_back(entry, np.array([goal], dtype=np.int32), np.zeros(1), blockers)[0]


def _search_back(
    entry: ProfileCache,
    goals: NDArray[np.int32],
    start_costs: NDArray[np.float64],
    blockers: Blockers,
    *,
    has_any_costs: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the cost from each node to the cheapest goal, and the next node on that path."""
    guided = entry.graph.guided(
        "zero", is_backward=True, has_any_costs=has_any_costs, blockers=blockers
    )
    workspaces = entry.any_workspaces if has_any_costs else entry.workspaces
    with workspaces.lend() as workspace:
        if len(goals):
            costs = start_costs.astype(workspace.no_cost.dtype)
            guided.dijkstra(workspace, goals, costs, blocked=blockers.blocked)
        else:
            workspace.begin()
        return workspace.decode()[1:]


def _start_on_blocked(
    graph: Graph,
    blocked: NDArray[np.int64],
    cost: NDArray[np.float64],
    towards: NDArray[np.int32],
) -> None:
    """Let paths start on blocked nodes: set `cost` and `towards` there by their cheapest step."""
    cost[blocked], towards[blocked] = np.inf, NO_NODE
    best, after = cost[blocked], towards[blocked]
    for entry, node in enumerate(blocked.tolist()):
        for neighbor, step_cost in graph.edges_from(node):
            total = step_cost + cost[neighbor]
            if total < best[entry] or (total == best[entry] < np.inf and neighbor > after[entry]):
                best[entry], after[entry] = total, neighbor
    cost[blocked], towards[blocked] = best, after
