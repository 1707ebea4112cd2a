"""The graph of a map for one profile: a cost for every step, kept current with the map's edits.

An edit prices only the steps around what it changed.

Where paths may begin and end: reasons, blockers, and the reached node nearest to a goal.
"""

import copy
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.rules.entry_rules import EntryRule
from ai.rules.heuristics import heuristic_of, keep_admissible
from ai.rules.nodes import NO_NODES, Nodes
from ai.rules.profile import MoveProfile
from ai.rules.reasons import start_reason, stop_reason
from ai.rules.step_rule import StepRule, extra_edges_of
from ai.rules.steps import CHEAPER, SAME
from ai.search.graph import Graph, Links, close_nodes, reverse_slots, reversed_graph
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import NodeLayout
from terrain3d import Reason, Rect, TileMap


class GraphChange(NamedTuple):
    """What an update changed in a `ProfileGraph`."""

    touched: tuple[Rect, ...] = ()
    """Where levels or steps may have changed."""
    has_new_links: bool = False
    """Whether edges beside the steps have changed, which may lie outside of `touched`."""
    has_new_costs: bool = False
    """Whether an edge is new, gone, or has another cost."""
    cheaper: tuple[Rect, ...] = ()
    """Those of `touched` in which a step is new or costs less."""
    cheaper_links: NDArray[np.int64] = NO_NODES
    """The nodes out of which another edge is new or costs less."""


class ProfileGraph:
    """The graph of a map for a profile, forward and backward."""

    def __init__(
        self, tilemap: TileMap, profile: MoveProfile, rules: tuple[EntryRule, ...] = ()
    ) -> None:
        self.tilemap = tilemap
        self.profile = profile
        self.nodes = Nodes(tilemap)
        self.rule = StepRule.of(tilemap, profile, rules)
        self.version = tilemap.version
        """The version of the map that the graph describes."""
        self._edges = extra_edges_of(self.rule)
        is_whole = self.rule.is_whole(self._edges.cost)
        self._table = self.rule.table(is_whole=is_whole)
        self.rule.price_steps(Rect(0, 0, tilemap.rows, tilemap.cols), self._table)
        self.opposite = self.rule.moves.opposite()[:, : self._table.shape[3]]
        """(n_classes, n_slots) the slot that leads back from the end of each slot."""
        footprint = self.rule.footprint
        # Views, which follow every edit of the map.
        self.is_void = footprint.is_void.reshape(-1)
        self.level = footprint.level.reshape(-1)
        self.kind = footprint.kind.reshape(-1)
        self._layout = self._make_layout()
        self.forward = self._make_graph()
        """Every step as the mover takes it."""
        self._backward: Graph | None = None
        self._lock = threading.Lock()
        self._extra: tuple[Graph, NDArray[np.float64], bool] | None = None
        self._guided_graphs: dict[tuple[str, bool], GuidedGraph] = {}
        self._forget_blockers()
        kinds_stop = bool((footprint.kind_stop | ~np.isfinite(footprint.entry)).all())
        self.stops_everywhere = kinds_stop and profile.size == 1 and not profile.can_fly
        """Whether a path may end wherever it may lead."""

    def _make_layout(self) -> NodeLayout:
        tilemap, n_layers = self.tilemap, self.tilemap.n_decks + 1
        place = None
        if tilemap.grid.norm != "lattice":
            place = np.tile(tilemap.grid.plane().reshape(-1, 2), (n_layers, 1))
        layout = NodeLayout(tilemap.cols, self.level, n_layers, place)
        # Estimates over extra edges read all places again and again.
        return layout.with_places() if len(self._edges) else layout

    def _make_graph(self) -> Graph:
        tilemap, table, moves = self.tilemap, self._table, self.rule.moves
        n_nodes, n_slots = self.level.size, table.shape[3]
        group = moves.slot_group()
        return Graph(
            table.reshape(n_nodes, n_slots),
            moves.offset(tilemap.rows, tilemap.cols)[:, :n_slots],
            moves.node_class(tilemap.grid.cell_class()),
            self._edges.as_links(n_nodes, table.dtype.type),
            self._layout,
            group if group is None else group[:n_slots],
        )

    def with_extra_cost(self, extra: NDArray[np.float64]) -> "ProfileGraph":
        """Return the graph with a cost added to each step and link, that of the surface it enters.

        It holds until the next edit. `extra` is (n_layers, rows, cols), each >= 0.
        """
        made = copy.copy(self)
        costs = self.rule.footprint.highest(extra).ravel()
        is_whole = self.rule.is_whole(self._edges.cost, costs)
        made._extra = self.forward, costs, is_whole
        made.forward = self.forward.with_entry_costs(costs, is_whole=is_whole)
        made._backward, made._lock = None, threading.Lock()
        made._guided_graphs = {}
        made._forget_blockers()
        return made

    def extra_cost_at(self, node: int) -> float:
        """Return the extra cost that entering a node has in this query."""
        return 0.0 if self._extra is None else float(self._extra[1][node])

    @property
    def backward(self) -> Graph:
        """Every step reversed; built on first use."""
        with self._lock:  # two of them would not both follow the edits
            if self._backward is None:
                self._backward = reversed_graph(self.forward, self.opposite)
            return self._backward

    def snapshot(self) -> tuple[Graph, Graph]:
        """Return copies of both graphs, for work in another thread."""
        forward = copy.copy(self.forward)
        return forward, reversed_graph(forward, self.opposite)

    def guided(
        self,
        heuristic: str = "auto",
        *,
        is_backward: bool = False,
        has_any_costs: bool = False,
        blockers: Blockers = NO_BLOCKERS,
    ) -> GuidedGraph:
        """Return the graph with an estimate, ready to be searched.

        `heuristic` is one of `ai.rules.heuristics.HEURISTICS`; with `is_backward` the search runs
        from the goals to the start, and with `has_any_costs` costs need not be whole. Diagonal
        steps may not pass corners of blocked nodes, and no step leaves a halting node. With
        blockers it is the caller's until the next call, which may change it. Raises `ValueError` if
        the heuristic is unknown or could exceed the true cost.
        """
        key = heuristic, is_backward
        known = self._guided_graphs.get(key)
        if known is None:
            estimate = heuristic_of(self.rule, self.tilemap.grid, heuristic)
            estimate = keep_admissible(estimate, self._edges, self._layout)
            if is_backward:
                known = GuidedGraph(self.backward, estimate.reversed(), self.rule.least_step)
            else:
                known = GuidedGraph(self.forward, estimate, self.rule.least_step)
            self._guided_graphs[key] = known
        if blockers is NO_BLOCKERS and not has_any_costs:
            return known
        has_any_costs = has_any_costs and known.graph.is_whole
        blocked = blockers.blocked if self.rule.has_corners else NO_NODES
        if not (has_any_costs or len(blocked) or len(blockers.halting)):
            return known
        graph = self._graph_around(blocked, blockers.halting)
        if (*key, has_any_costs) not in self._around:
            graph = reversed_graph(graph, self.opposite) if is_backward else graph
            graph = graph.with_any_costs() if has_any_costs else graph
            made = GuidedGraph(graph, known.heuristic, self.rule.least_step)
            self._around[*key, has_any_costs] = made
        return self._around[*key, has_any_costs]

    def _forget_blockers(self) -> None:
        self._blockers: tuple[object, ...] | None = None
        self._scratch = self._open = self.forward
        """A copy of the graph, and that without what the latest blockers forbid: mostly itself."""
        self._written, self._has_closed_corners = NO_NODES, False
        """The nodes out of which steps in `_scratch` are closed, beside those around corners."""
        self._around: dict[tuple[str, bool, bool], GuidedGraph] = {}

    def _graph_around(self, blocked: NDArray[np.int64], halting: NDArray[np.int64]) -> Graph:
        """Return the graph without the steps that blockers forbid, until the next call.

        It is one graph in which each call writes a few steps: a new one takes much longer.
        """
        wanted = self.version, blocked.tobytes(), halting.tobytes()
        if self._blockers == wanted:
            return self._open
        if self._blockers is None or self._blockers[0] != self.version:
            self._forget_blockers()
            self._scratch = copy.copy(self.forward)
        plain, illegal, graph = self.forward.step_cost, self.forward.illegal, self._scratch
        steps, links = graph.step_cost, graph.links
        if len(blocked) or self._has_closed_corners:
            steps[:], self._written = plain, NO_NODES
            table = steps.reshape(self._table.shape) if self._extra is None else self._table.copy()
            self._close_corners(table, blocked)
            if self._extra is not None:
                is_closed = (table != self._table).reshape(steps.shape)
                steps[is_closed] = illegal
        close_nodes(steps, plain, illegal, self._written, halting)
        self._written, self._has_closed_corners = halting, len(blocked) > 0
        if links is not None and not (is_left := ~np.isin(links.source, halting)).all():
            ends = links.source[is_left], links.target[is_left], links.cost[is_left]
            graph = replace(graph, links=Links.of(graph.n_nodes, *ends))
        self._around = {key: each for key, each in self._around.items() if each.graph is graph}
        self._blockers, self._open = wanted, graph
        return graph

    def _close_corners(self, table: NDArray[Any], blocked: NDArray[np.int64]) -> None:
        """Price the steps beside blocked nodes again."""
        tilemap, is_blocked = self.tilemap, np.zeros(table.shape[:3], dtype=np.bool_)
        is_blocked.reshape(-1)[blocked] = True
        for node in blocked.tolist():
            row, col, _ = self.nodes.cell(node)
            near = Rect(row, col, 1, 1).grown(1, tilemap.rows, tilemap.cols)
            self.rule.price_steps(near, table, is_blocked)

    def update(self) -> GraphChange | None:
        """Follow the map's edits and return what has changed; None if a new graph is needed."""
        if self.rule.footprint.is_outdated or self.profile.warp:
            return None
        answered = self.rule.footprint.ask_again()
        if answered is None:
            return None
        dirty = [*answered, *self.tilemap.changed_rects(self.version)]
        for rect in dirty:
            self.rule.footprint.update(rect)
        change = self._update_links()
        if change is None:
            return None
        for rect in dirty:
            change = self._update_steps(rect, change)
        self.version = self.tilemap.version
        return change

    def _update_links(self) -> GraphChange | None:
        """Read the map's links again; None if their costs need a graph of another type."""
        if not (len(self._edges) or self.tilemap.links):
            return GraphChange()
        self._guided_graphs.clear()  # levels at the ends of links decide how good the estimates are
        before, self._edges = self._edges, extra_edges_of(self.rule)
        if self.rule.is_whole(self._edges.cost) != self.forward.is_whole:
            return None
        if self._edges.rows() == before.rows():
            return GraphChange()
        self._layout = self._make_layout()
        self.forward = self._make_graph()
        self._backward = None
        cheaper = self._edges.cheaper_sources(before)
        return GraphChange(has_new_links=True, has_new_costs=True, cheaper_links=cheaper)

    def _update_steps(self, dirty: Rect, change: GraphChange) -> GraphChange:
        """Price the steps around a rectangle again and add what changed to `change`."""
        tilemap = self.tilemap
        # Steps that start beside a changed tile end on it or pass its corner.
        touched = dirty.grown(self.profile.size, tilemap.rows, tilemap.cols)
        difference = self.rule.price_steps(touched, self._table)
        change = change._replace(touched=(*change.touched, touched))
        if difference == SAME:
            return change
        if self._backward is not None:
            around = touched.grown(self.profile.size, tilemap.rows, tilemap.cols)
            others = self.opposite, self.nodes_in(around), self._backward.step_cost
            reverse_slots(self.forward.edge_arrays, *others)
        cheaper = (*change.cheaper, touched) if difference == CHEAPER else change.cheaper
        return change._replace(has_new_costs=True, cheaper=cheaper)

    def record(self, nodes: NDArray[np.int64], costs: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 5) row, column, deck, cost so far and level along nodes, as a `Path` takes it."""
        return np.column_stack([self.nodes.cells_of(nodes), costs, self.level[nodes]])

    def nodes_in(self, rect: Rect) -> NDArray[np.int64]:
        """(n,) nodes of all surfaces in a rectangle."""
        return self.nodes.in_rect(rect, self._layout.n_layers)

    def cheaper_nodes(self, change: GraphChange) -> NDArray[np.int64]:
        """(n,) nodes out of which an edge is new or costs less, and others beside them."""
        return np.concatenate([change.cheaper_links, *map(self.nodes_in, change.cheaper)])

    def can_stop(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(n,) whether a path may end on nodes, blockers aside."""
        footprint = self.rule.footprint
        stops: NDArray[np.bool_] = footprint.kind_stop[self.kind[nodes]]
        stops &= ~footprint.is_barred.reshape(-1)[nodes]
        if len(footprint.is_no_stop):
            stops &= ~footprint.is_no_stop.reshape(-1)[nodes]
        return stops

    def can_stop_at(self, node: int) -> bool:
        """Return what `can_stop` does for one node; fast for movers of one tile."""
        if self.profile.size == 1:
            is_barred = self.rule.footprint.is_barred.item(node)
            return not is_barred and bool(self.rule.footprint.kind_stop[self.kind[node]])
        return bool(self.can_stop(np.array([node]))[0])

    def cost_between(self, start: int, end: int) -> float:
        """Return the cost of the cheapest edge between two nodes; infinity without one."""
        return self.forward.cheapest_edge(start, end)[0]

    def is_neighbor(self, start: int, end: int) -> bool:
        """Return whether a single step would lead between two nodes if it were legal."""
        graph = self.forward
        own_class = 0 if graph.node_class is None else int(graph.node_class[start])
        leads_there = start + graph.offset[own_class] == end
        return bool((graph.step_cost[start, leads_there] <= graph.illegal).any())


def end_reason(graph: ProfileGraph, start: int, goal: int, blockers: Blockers) -> str:
    """Return why no path can begin at start or end at goal, whatever lies between; "" if it can."""
    if graph.is_void[start]:
        return start_reason(graph.rule, graph.nodes.cell(start))
    if start == goal:
        return ""
    if graph.is_void[goal] or not graph.can_stop_at(goal):
        return stop_reason(graph.rule, graph.nodes.cell(goal))
    taken = [] if blockers is NO_BLOCKERS else np.concatenate(blockers[:2]).tolist()
    if goal in taken:
        return Reason("is_occupied", cell=graph.nodes.cell(goal))
    return ""


def can_end(graph: ProfileGraph, nodes: NDArray[np.int64], blockers: Blockers) -> NDArray[np.bool_]:
    """(n,) whether a path may end on nodes that it can reach."""
    if not len(blockers.passable):
        return np.ones(len(nodes), np.bool_) if graph.stops_everywhere else graph.can_stop(nodes)
    is_free = np.ones(graph.level.size, np.bool_)
    is_free[blockers.passable] = False  # many times as fast as `np.isin`
    is_end: NDArray[np.bool_] = is_free[nodes]
    return is_end if graph.stops_everywhere else is_end & graph.can_stop(nodes)


def nearest_end(
    graph: ProfileGraph,
    nodes: NDArray[np.int64],
    costs: NDArray[Any],
    source: int,
    targets: Sequence[int],
    blockers: Blockers,
) -> int:
    """Return the entry of the node with the fewest open steps to a target, then cheapest.

    `nodes` were reached at `costs`; the source is among them, and a path may always end there.
    """
    is_end = can_end(graph, nodes, blockers) | (nodes == source)
    distance = np.where(is_end, _distance(graph, nodes, targets), np.iinfo(np.int64).max)
    return int(np.lexsort((nodes, costs, distance))[0])


def _distance(
    graph: ProfileGraph, nodes: NDArray[np.int64], targets: Sequence[int]
) -> NDArray[np.int64]:
    """(n,) steps on open ground from nodes to the nearest target."""
    tilemap = graph.tilemap
    grid, n_cells = tilemap.grid, tilemap.rows * tilemap.cols
    places = grid.plane().reshape(-1, 2).astype(np.int64)
    nearest = np.full(len(nodes), np.iinfo(np.int64).max)
    for target in targets:
        away = places[nodes % n_cells] - places[target % n_cells]
        steps = np.abs(away).max(axis=1) if graph.rule.has_diagonals else grid.lengths(away)
        np.minimum(nearest, steps, out=nearest)
    return nearest
