"""Regions of a profile and the gates between them: a coarse graph, kept current with edits.

The map is cut into clusters of tiles. A region is a set of surfaces of one cluster that all reach
each other inside it, and a gate is a few edges from one region to another. The costs from gate to
gate are known, so that a search goes from gate to gate instead of from surface to surface.

References
----------
Botea, Müller and Schaeffer (2004), "Near Optimal Hierarchical Path-Finding", Journal of Game
Development 1(1), 7-28. Here edges have directions, and costs between gates a lower bound too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.analysis.clusters import (
    NO_GATES,
    NO_REGION,
    GateTable,
    RegionSearch,
    find_gates,
    label_regions,
    ranges,
)
from ai.rules.nodes import Nodes
from ai.rules.step_rule import StepRule
from ai.search.graph import Graph
from ai.search.guided_graph import GuidedGraph
from ai.search.workspace import Workspace
from terrain3d import Cell, Reason, Rect
from terrain3d.core.checks import instance_of, quoted, whole_number
from terrain3d.grid.grid import CellLike

CLUSTER_TILES = 16
"""Rows and columns of a cluster; more than a step or leap is long."""


_ONE = np.zeros(1), np.array([0, 1])
"""The costs and groups of one seed, for `RegionSearch.costs`."""


class Gate(NamedTuple):
    """Up to four neighboring steps, or links or warps, from one region to another.

    `start`, `end` and `cost` are those of the one that stands for all: of the cheapest ones the
    middle one.
    """

    region: int
    next_region: int
    start: Cell
    end: Cell
    cost: float


@dataclass(frozen=True)
class RegionPath:
    """A path from region to region; false, with a reason, if there is none.

    Parameters
    ----------
    start, goal : Cell
    gates : sequence of Gate
        Those that it passes; none if it stays in one region.
    lower : number
        No path from start to goal costs less; infinity if there is none.
    upper : number
        The cost of the path through the starts and ends of these gates, see `RegionGraph.refine`;
        infinity if none is known.
    reason : str
        Why there is no path; "" if there is one.
    """

    start: Cell
    goal: Cell
    gates: tuple[Gate, ...] = ()
    lower: float = 0.0
    upper: float = np.inf
    reason: str = ""

    def __bool__(self) -> bool:
        """Return whether there is a path."""
        return not self.reason


class _Clusters:
    """The division of a map into clusters."""

    def __init__(self, nodes: Nodes, shape: tuple[int, ...]) -> None:
        self._nodes = nodes
        self._n_layers, self._rows, self._cols = shape
        self._across = -(-self._cols // CLUSTER_TILES)
        self.all = set(range(-(-self._rows // CLUSTER_TILES) * self._across))

    def of(self, nodes: NDArray[np.integer]) -> NDArray[np.int64]:
        """(n,) the cluster of each node."""
        row, col = np.divmod(nodes.astype(np.int64) % (self._rows * self._cols), self._cols)
        clusters: NDArray[np.int64] = row // CLUSTER_TILES * self._across + col // CLUSTER_TILES
        return clusters

    def nodes_in(self, cluster: int) -> NDArray[np.int64]:
        """(n,) the nodes of a cluster, ascending."""
        row, col = (place * CLUSTER_TILES for place in divmod(cluster, self._across))
        rows, cols = min(CLUSTER_TILES, self._rows - row), min(CLUSTER_TILES, self._cols - col)
        return self._nodes.in_rect(Rect(row, col, rows, cols), self._n_layers)

    def touched(self, rects: Iterable[Rect]) -> set[int]:
        """Return the clusters that meet rectangles."""
        found = (self.of(self._nodes.in_rect(rect, 1)).tolist() for rect in rects)
        return set().union(*found)

    def beside(self, clusters: set[int], graph: Graph) -> set[int]:
        """Return clusters with all those that an edge may join to them."""
        found = set[int]()
        for cluster in clusters:
            row, col = divmod(cluster, self._across)
            cols = range(max(0, col - 1), min(self._across, col + 2))
            found |= {r * self._across + c for r in (row - 1, row, row + 1) for c in cols}
        if graph.links is not None:
            source = graph.links.source
            ends = np.stack([self.of(source), self.of(graph.links.target)])
            found |= set(ends[:, np.isin(ends, list(clusters)).any(axis=0)].ravel().tolist())
        return found & self.all


class _Groups:
    """The gates at each region."""

    def __init__(self, region: NDArray[np.int32]) -> None:
        self.order = np.argsort(region, kind="stable")
        self._sorted = region[self.order]

    def span(self, region: NDArray[np.int32] | int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where the gates of regions begin in `order`, and how many each has."""
        begin = np.searchsorted(self._sorted, region, side="left")
        return begin, np.searchsorted(self._sorted, region, side="right") - begin

    def of(self, region: int) -> NDArray[np.int64]:
        """(n,) the gates of a region."""
        begin, count = self.span(region)
        gates: NDArray[np.int64] = self.order[begin : begin + count]
        return gates


class RegionGraph:
    """The regions of a map for one profile, and the gates between them.

    Like a `Reach` it describes the map as it was at the time of the query. Surfaces that a mover
    can pass count, also if it cannot stop there. The number of a region is the place of its first
    surface in the flattened `label`, so that edits elsewhere on the map leave it as it is.
    """

    def __init__(
        self,
        graph: Graph,
        rule: StepRule,
        label: NDArray[np.int32],
        tables: Sequence[GateTable],
        bounds: Mapping[int, tuple[NDArray[np.float64], NDArray[np.float64]]],
    ) -> None:
        label.flags.writeable = False
        self._graph, self._nodes, self._shape = graph, rule.nodes, rule.footprint.level.shape
        self._clusters = _Clusters(self._nodes, self._shape)
        self._label, self._tables, self._bounds = label, tables, bounds
        self._gates = gates = GateTable.joined(tables)
        self._next = label[gates.target[gates.best]]
        """(n_gates,) the region that each gate leads to."""
        self._leaving = _Groups(label[gates.source[gates.best]])
        self._entering = _Groups(self._next)

    def __repr__(self) -> str:
        """Show the numbers of regions and gates."""
        return f"<RegionGraph of {len(self.numbers)}, with {len(self._next)} gates>"

    @classmethod
    def of(
        cls,
        graph: Graph,
        rule: StepRule,
        before: RegionGraph | None = None,
        touched: Iterable[Rect] = (),
    ) -> RegionGraph:
        """Find the regions of a graph, which must not change later, for `Navigation.regions`.

        If `before` are its regions before an edit of steps in some rectangles, links unchanged,
        only clusters there, and those beside them whose gates change, are recomputed.
        """
        clusters = _Clusters(rule.nodes, rule.footprint.level.shape)
        if before is None:
            label = np.empty(graph.n_nodes, dtype=np.int32)
            tables = [NO_GATES] * len(clusters.all)
            bounds, changed = {}, clusters.all
        else:
            label, tables, bounds = before._label.copy(), [*before._tables], {**before._bounds}
            changed = clusters.touched(touched)
        for cluster in changed:
            nodes = clusters.nodes_in(cluster)
            label[nodes] = label_regions(graph, nodes, rule.can_arrive(nodes))
        for cluster in clusters.beside(changed, graph):
            table = find_gates(graph, clusters.nodes_in(cluster), label)
            if before and not table.is_same(tables[cluster], label, before._label):
                changed.add(cluster)
            tables[cluster] = table
        far = clusters.beside(changed, graph)
        far_nodes = np.concatenate([clusters.nodes_in(each) for each in far])
        for region in before._label[far_nodes].tolist() if before else ():
            bounds.pop(region, None)
        made = cls(graph, rule, label, tables, bounds)
        search = made._new_search()
        for region in np.unique(label[far_nodes]).tolist():
            if region != NO_REGION:
                bounds[region] = made._find_bounds(region, search)
        return made

    def _find_bounds(
        self, region: int, search: RegionSearch
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lower and upper costs from behind each gate into a region to behind each exit.

        Both are (n_entering, n_leaving). The lower ones are from any edge of a gate to any edge of
        the next, the upper ones from the best edge to the best.
        """
        entered, found = self._entering.of(region), []
        for is_best in (False, True):
            edges, first = self._gates.edges(entered, is_best=is_best)
            seeds = self._gates.target[edges], np.zeros(len(edges)), first
            found.append(self._behind(region, search, *seeds, is_best=is_best))
        return found[0], found[1]

    def _behind(
        self,
        region: int,
        search: RegionSearch,
        seeds: NDArray[np.int64],
        costs: NDArray[np.float64],
        first: NDArray[np.int64],
        *,
        is_best: bool,
    ) -> NDArray[np.float64]:
        """(n_groups, n_exits) lowest costs from groups of seeds to behind each exit of a region."""
        exits, gates = self._leaving.of(region), self._gates
        if not len(exits):
            return np.zeros((len(first) - 1, 0))
        edges, begins = gates.edges(exits, is_best=is_best)
        given = self._members(region), seeds, costs, first, gates.source[edges]
        behind = search.costs(*given) + gates.cost[edges]
        costs_behind: NDArray[np.float64] = np.minimum.reduceat(behind, begins[:-1], axis=1)
        return costs_behind

    def _new_search(self) -> RegionSearch:
        return RegionSearch(self._graph, self._label)

    @cached_property
    def _coarse(self) -> tuple[Graph, Graph]:
        """The graphs of gates with their lower and upper costs."""
        order = self._entering.order
        begin, count = self._leaving.span(self._next[order])
        source, (entries, _) = np.repeat(order, count), ranges(begin, count)
        ends = len(order), source, self._leaving.order[entries]
        regions = [self._bounds[region] for region in sorted(self._bounds)]
        lower, upper = (
            np.concatenate([each.ravel() for each in some]) for some in zip(*regions, strict=True)
        )
        return Graph.from_edges(*ends, lower), Graph.from_edges(*ends, upper)

    def _members(self, region: int) -> NDArray[np.int64]:
        """(n,) the nodes of a region, ascending."""
        nodes = self._clusters.nodes_in(int(self._clusters.of(np.array([region]))[0]))
        members: NDArray[np.int64] = nodes[self._label[nodes] == region]
        return members

    @property
    def label(self) -> NDArray[np.int32]:
        """(rows, cols) the number of each surface's region, -1 where the mover cannot enter.

        (n_decks + 1, rows, cols) on maps with decks; read-only.
        """
        return self._label.reshape(self._shape if self._shape[0] > 1 else self._shape[1:])

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of all regions, ascending."""
        return tuple(sorted(self._bounds))

    def region_of(self, cell: CellLike) -> int:
        """Return the number of a cell's region; -1 where the mover cannot enter.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        return int(self._label[self._nodes.of(cell)])

    def cells(self, region: int) -> list[Cell]:
        """Return the cells of a region in reading order.

        Raises
        ------
        TypeError, ValueError
            `region` is not a whole number, or not one of `numbers`.
        """
        return [self._nodes.cell(node) for node in self._members(self._checked(region)).tolist()]

    def gates_from(self, region: int) -> tuple[Gate, ...]:
        """Return the gates out of a region; errors as in `cells`."""
        return tuple(map(self._gate, self._leaving.of(self._checked(region)).tolist()))

    def neighbors(self, region: int) -> tuple[int, ...]:
        """Return the regions that the gates of a region lead to; errors as in `cells`."""
        return tuple(sorted({gate.next_region for gate in self.gates_from(region)}))

    def _checked(self, region: int) -> int:
        if whole_number("region", region) not in self._bounds:
            raise ValueError(f"region must be one of `numbers`, got {quoted(region)}")
        return region

    def _gate(self, number: int) -> Gate:
        best = self._gates.best[number]
        start, end = int(self._gates.source[best]), int(self._gates.target[best])
        regions = int(self._label[start]), int(self._next[number])
        cells = self._nodes.cell(start), self._nodes.cell(end)
        return Gate(*regions, *cells, float(self._gates.cost[best]))

    def find_path(self, start: CellLike, goal: CellLike) -> RegionPath:
        """Return a path from gate to gate, with bounds of the cost of a cheapest path.

        The bounds hold for paths that enter the goal, also if the mover cannot stop there. A start
        that the mover cannot enter is in no region; paths from there have no bounds.

        Raises
        ------
        IndexError, TypeError
            A cell is outside the map or is not a cell.
        """
        nodes = self._nodes.of(start), self._nodes.of(goal)
        ends = self._nodes.cell(nodes[0]), self._nodes.cell(nodes[1])
        if nodes[0] == nodes[1]:
            return RegionPath(*ends, upper=0.0)
        for node, cell in zip(nodes, ends, strict=True):
            if self._label[node] == NO_REGION:
                return RegionPath(*ends, reason=Reason("in_no_region", cell=cell))
        lower, _ = self._cheapest(*nodes, is_best=False)
        upper, gates = self._cheapest(*nodes, is_best=True)
        reason = Reason("no_path", goal=ends[1]) if np.isinf(upper) else ""
        return RegionPath(*ends, tuple(map(self._gate, gates)), lower, upper, reason)

    def _cheapest(self, start: int, goal: int, *, is_best: bool) -> tuple[float, list[int]]:
        """Return the lowest cost between nodes, a lower or an upper bound, and its gates."""
        first_region, region = int(self._label[start]), int(self._label[goal])
        search, members, end = self._new_search(), self._members(region), np.array([goal])
        inside, cost = np.inf, np.full(len(self._next), np.inf)
        if region == first_region:
            inside = float(search.costs(members, np.array([start]), *_ONE, end)[0, 0])
        exits = self._leaving.of(first_region)
        if len(exits):
            behind = self._behind(first_region, search, np.array([start]), *_ONE, is_best=is_best)
            workspace = Workspace.of(len(cost), is_whole=False)
            graph = GuidedGraph(self._coarse[is_best])
            graph.dijkstra(workspace, exits.astype(np.int32), behind[0])
            _, cost, parent = workspace.decode()
        entered = self._entering.of(region)
        entered = entered[np.isfinite(cost[entered])]
        edges, first = self._gates.edges(entered, is_best=is_best)
        owner, seeds = np.repeat(entered, np.diff(first)), self._gates.target[edges]
        found = search.costs(members, seeds, cost[owner], np.array([0, len(seeds)]), end)[0, 0]
        if inside <= found:
            return inside, []
        owners = owner[seeds == search.path_to(goal)[0]]
        gates = [int(owners[np.argmin(cost[owners])])]
        while parent[gates[-1]] >= 0:
            gates.append(int(parent[gates[-1]]))
        return float(found), gates[::-1]

    def refine(self, path: RegionPath) -> Iterator[Cell]:
        """Yield the cells of a path through its gates, from start to goal; it costs `upper`.

        Each region is searched when the path comes to it, so that an agent can start at once.

        Raises
        ------
        TypeError
            `path` is not a RegionPath.
        """
        return self._cells_along(instance_of("path", path, RegionPath))

    def _cells_along(self, path: RegionPath) -> Iterator[Cell]:
        search = self._new_search()
        begins = [path.start, *(gate.end for gate in path.gates)]
        ends = [*(gate.start for gate in path.gates), path.goal]
        for begin, end in zip(begins, ends, strict=True) if path else ():
            start, goal = self._nodes.of(begin), self._nodes.of(end)
            members = self._members(int(self._label[start]))
            search.costs(members, np.array([start]), *_ONE, np.array([goal]))
            yield from map(self._nodes.cell, search.path_to(goal))
