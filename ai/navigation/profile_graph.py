"""The graph of a map for one profile, which follows the map's edits.

A step table holds the price of every step; an edit re-bakes only the steps around what changed.
"""

import itertools
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.cost_field import CostField, start_on_blocked
from ai.navigation.path_cache import PathCache
from ai.rules.extra_edges import ExtraEdges, extra_edges_of, keep_admissible
from ai.rules.heuristics import heuristic_of
from ai.rules.nodes import Nodes
from ai.rules.profile import MoveProfile
from ai.rules.reasons import stop_reason
from ai.rules.step_rule import StepRule
from ai.search import (
    MAX_HOP_NODES,
    Components,
    Graph,
    GuidedGraph,
    Index,
    NextHops,
    NodeLayout,
    Workspace,
    default_index_size,
    reverse_slots,
    reversed_graph,
)
from terrain3d import Rect, TileMap

_MAX_WHOLE_START = 2**20


class ProfileGraph:
    """The graph of a map for a profile, forwards and backwards, with what is known about it.

    Parameters
    ----------
    tilemap : TileMap
    profile : MoveProfile
    """

    def __init__(self, tilemap: TileMap, profile: MoveProfile) -> None:
        self.tilemap = tilemap
        self.profile = profile
        self.rule = StepRule.of(tilemap, profile)
        self.version = tilemap.version
        self.index: Index | None = None
        self.wants_index = False
        self.n_landmarks: int | None = None  # of the index that is wanted; None: as suits the graph
        self.is_building = False
        self.n_outdated = 0
        """How often an edit has made what an index would know wrong."""
        self._edges = extra_edges_of(self.rule)
        is_whole = self.rule.is_whole(self._edges.cost)
        self._table = self.rule.table(is_whole=is_whole)
        self.rule.price_steps(Rect(0, 0, tilemap.rows, tilemap.cols), self._table)
        self._opposite = self.rule.moves.opposite()[:, : self._table.shape[3]]
        footprint = self.rule.footprint
        # Views, which follow every edit of the map.
        self.is_void = footprint.is_void.reshape(-1)
        self.level = footprint.level.reshape(-1)
        self.kind = footprint.kind.reshape(-1)
        self._layout = self._make_layout()
        self.forward = self._make_graph()
        self._backward: Graph | None = None
        self._lock = threading.Lock()
        self._guided_graphs: dict[tuple[str, bool], GuidedGraph] = {}
        self.path_cache = PathCache(tilemap.rows, tilemap.cols, tilemap.n_decks + 1)
        self.components: Components | None = None
        self.nodes = Nodes(tilemap)
        kinds_stop = bool((self.rule.kind_stop | ~np.isfinite(self.rule.kind_entry)).all())
        self.idle: list[Workspace] = []
        """Working arrays of this size that nobody uses, together with other profiles."""
        self.stops_everywhere = kinds_stop and profile.size == 1 and not profile.can_fly
        """Whether a way may end wherever it may lead."""

    def _make_layout(self) -> NodeLayout:
        tilemap, n_layers = self.tilemap, self.tilemap.n_decks + 1
        place = None
        if tilemap.grid.norm != "lattice":
            place = np.tile(tilemap.grid.plane().reshape(-1, 2), (n_layers, 1))
        layout = NodeLayout(tilemap.cols, self.level, n_layers, place)
        # Estimates over edges need all places again and again.
        return layout.with_places() if len(self._edges) else layout

    def _make_graph(self) -> Graph:
        tilemap, table, slots = self.tilemap, self._table, self.rule.moves
        n_nodes, n_slots = self.level.size, table.shape[3]
        return Graph(
            table.reshape(n_nodes, n_slots),
            slots.offset(tilemap.rows, tilemap.cols)[:, :n_slots],
            slots.node_class(tilemap.grid.cell_class()),
            self._edges.as_links(n_nodes, table.dtype.type),
            self._layout,
        )

    @property
    def index_size(self) -> int:
        """Of the index that is wanted; see `make_index`."""
        return (
            default_index_size(self.forward.n_nodes)
            if self.n_landmarks is None
            else self.n_landmarks
        )

    @property
    def least_step(self) -> float:
        """The least that a step costs if it costs anything."""
        return self.rule.least_step

    @property
    def backward(self) -> Graph:
        """The graph with every step turned around; made when it is first needed."""
        with self._lock:  # two of them would not both follow the edits
            if self._backward is None:
                self._backward = reversed_graph(self.forward, self._opposite)
            return self._backward

    def guided(
        self,
        heuristic: str = "auto",
        *,
        is_backward: bool = False,
        blockers: Blockers = NO_BLOCKERS,
    ) -> GuidedGraph:
        """Give the graph with an estimate, ready to be searched.

        Parameters
        ----------
        heuristic : str
        is_backward : bool
            For searching from goals back.
        blockers : Blockers
            Diagonal steps may not pass corners of blocked nodes; no step leaves a halting node.

        Raises
        ------
        ValueError
            The heuristic is unknown or could exceed the true cost.
        """
        key = heuristic, is_backward
        known = self._guided_graphs.get(key)
        if known is None:
            estimate = heuristic_of(self.rule, self.tilemap.grid, heuristic)
            estimate = keep_admissible(estimate, self._edges, self._layout)
            least = self.least_step
            if is_backward:
                known = GuidedGraph(self.backward, estimate.reversed(), least)
            else:
                known = GuidedGraph(self.forward, estimate, least)
            self._guided_graphs[key] = known
        if len(blockers.halting) or (len(blockers.blocked) and self.rule.has_corners):
            graph = self._graph_with(blockers)
            if is_backward:
                graph = reversed_graph(graph, self._opposite)
            return GuidedGraph(graph, known.heuristic, self.least_step)
        return known

    def _graph_with(self, blockers: Blockers) -> Graph:
        """Return a copy of the graph without steps past blocked corners or off halting nodes."""
        walls, halts = blockers.blocked, blockers.halting
        tilemap, table, graph = self.tilemap, self._table.copy(), self.forward
        if len(walls) and self.rule.has_corners:
            blocked = np.zeros(table.shape[:3], dtype=np.bool_)
            blocked.reshape(-1)[walls] = True
            for node in (walls % self._layout.n_cells).tolist():
                row, col = divmod(node, tilemap.cols)
                near = Rect(row, col, 1, 1).grown(1, tilemap.rows, tilemap.cols)
                self.rule.price_steps(near, table, blocked)
        steps = table.reshape(graph.step_cost.shape)
        edges = self._edges
        if len(halts):
            steps[halts] = np.where(steps[halts] < graph.broken, graph.broken, steps[halts])
            is_left = ~np.isin(edges.source, halts)
            edges = ExtraEdges(edges.source[is_left], edges.target[is_left], edges.cost[is_left])
        links = edges.as_links(graph.n_nodes, table.dtype.type)
        return replace(graph, step_cost=steps, links=links)

    def add_to_entries(
        self, toll: NDArray[np.float64], nodes: NDArray[np.int64], cost: float
    ) -> None:
        """Make every step of `toll`, laid out as the graph, that ends on a node dearer."""
        graph = self.forward
        for node in nodes:
            kind = 0 if graph.node_class is None else int(graph.node_class[node])
            for slot in range(toll.shape[1]):
                if graph.step_cost[node, slot] <= graph.broken:  # somebody is there
                    there = node + graph.offset[kind, slot]
                    toll[there, self._opposite[kind, slot]] += cost

    def refresh(self) -> bool:
        """Follow the map: re-bake what its edits touched and forget what they may have changed.

        Returns
        -------
        bool
            False if the map has changed so much that all of this has to be made anew.
        """
        dirty = self.tilemap.changed_since(self.version)
        if dirty is not None and not self._follow(dirty):
            return False
        # Last of all: from now on other threads use this as it is, without asking for the lock.
        self.version = self.tilemap.version
        return True

    def _follow(self, dirty: Rect) -> bool:
        """Re-bake the steps around a rectangle in which the map changed."""
        tilemap = self.tilemap
        if self.rule.footprint.is_outdated or self.profile.warp:
            return False
        self.rule.footprint.update(dirty)
        if not self._follow_edges():
            return False
        # Steps that start beside a changed tile end on it or pass its corner.
        touched = dirty.grown(self.rule.margin, tilemap.rows, tilemap.cols)
        bottom, right = touched.row + touched.rows, touched.col + touched.cols
        part = np.s_[:, touched.row : bottom, touched.col : right]
        before = self._table[part].copy()
        self.rule.price_steps(touched, self._table)
        self.path_cache.forget(touched)  # what it remembers tells levels too
        after = self._table[part]
        if before.tobytes() == after.tobytes():
            return True
        if self._backward is not None:
            around = touched.grown(self.rule.margin, tilemap.rows, tilemap.cols)
            arguments: tuple[Any, ...] = (
                *self.forward.arrays[:4],
                self._opposite,
                self._nodes(around),
                self._backward.step_cost,
            )
            reverse_slots(*arguments)
        self._heed_change(is_cheaper=bool(np.count_nonzero(after < before)))
        self.components = None
        return True

    def _follow_edges(self) -> bool:
        """Take the map's links as they are now; False if their costs need another kind of graph."""
        if not (len(self._edges) or self.tilemap.links):
            return True
        # Levels at the ends of edges decide how good the estimates are, and so which way is found.
        self._guided_graphs.clear()
        self.path_cache.forget_all()
        before, self._edges = self._edges, extra_edges_of(self.rule)
        if self.rule.is_whole(self._edges.cost) != self.forward.is_whole:
            return False
        if self._edges.rows() != before.rows():
            self._layout = self._make_layout()
            self.forward = self._make_graph()
            self._backward = self.components = None
            self._heed_change(is_cheaper=not self._edges.is_nowhere_cheaper(before))
        return True

    def _heed_change(self, *, is_cheaper: bool) -> None:
        """Do without the index if it is wrong now: bounds are too high after a step got cheaper."""
        if is_cheaper or isinstance(self.index, NextHops):
            self.index = None
        if is_cheaper or self.forward.n_nodes <= MAX_HOP_NODES:  # one of all pairs may be under way
            self.n_outdated += 1

    def want_index(self, n_landmarks: int | None) -> None:
        """Wish for an index of another size, also where one is being built; see `index_size`."""
        if self.wants_index and n_landmarks != self.n_landmarks:
            self.n_outdated += 1
        self.wants_index, self.n_landmarks = True, n_landmarks

    def _nodes(self, rect: Rect) -> NDArray[np.int64]:
        """(n,) nodes of all surfaces in a rectangle."""
        rows = np.arange(rect.row, rect.row + rect.rows)[:, None]
        inside = rows * self.tilemap.cols + np.arange(rect.col, rect.col + rect.cols)
        decks = np.arange(self._layout.n_layers)[:, None] * self._layout.n_cells
        nodes: NDArray[np.int64] = (decks + inside.ravel()).ravel()
        return nodes

    def end_fault(self, start: int, goal: int, blockers: Blockers) -> str:
        """Say why no way can begin or end there, whatever lies between; "" if one may."""
        if not self.is_void[start]:
            if start == goal:
                return ""
            if not self.is_void[goal] and self._stops_at(goal):
                if blockers is not NO_BLOCKERS and (
                    goal in blockers.blocked or goal in blockers.passable
                ):
                    return f"{self.nodes.cell(goal)} is occupied"
                return ""
            return stop_reason(self.rule, self.nodes.cell(goal))
        cell = self.nodes.cell(start)
        why = stop_reason(self.rule, cell)
        return f"the start {why}" if why.startswith(str(cell)) else f"the start: {why}"

    def can_stop(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(n,) whether a way may end on nodes, whoever stands there."""
        footprint = self.rule.footprint
        stops: NDArray[np.bool_] = self.rule.kind_stop[self.kind[nodes]]
        stops &= ~footprint.is_barred.reshape(-1)[nodes]
        if len(footprint.is_no_stop):
            stops &= ~footprint.is_no_stop.reshape(-1)[nodes]
        return stops

    def _stops_at(self, node: int) -> bool:
        """As `can_stop`, quickly for the usual mover of one tile."""
        if self.profile.size == 1:
            return bool(self.rule.kind_stop[self.kind[node]])
        return bool(self.can_stop(np.array([node]))[0])

    def price_between(self, start: int, end: int) -> float:
        """Give what the cheapest edge from a node to another costs; infinity without one."""
        prices = [price for there, price in self.forward.edges_from(start) if there == end]
        return min(prices, default=np.inf)

    def slot_between(self, start: int, end: int) -> int | None:
        """Give the slot through which a node sees its neighbor; None if it is none."""
        graph = self.forward
        kind = 0 if graph.node_class is None else int(graph.node_class[start])
        for slot, offset in enumerate(graph.offset[kind].tolist()):
            price = graph.step_cost[start, slot]
            is_single = slot % len(self.rule.moves.length) < self.rule.moves.n_single
            # Who cannot leap there is no neighbor.
            is_there = price < graph.broken or (is_single and price == graph.broken)
            if start + offset == end and is_there:
                return slot
        return None

    def cost_along(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n,) what walking along neighboring nodes has cost up to each."""
        pairs = itertools.pairwise(nodes.tolist())
        return np.cumsum([0.0, *(self.price_between(*pair) for pair in pairs)])

    def distance(self, nodes: NDArray[np.int64], goals: Sequence[int]) -> NDArray[np.int64]:
        """(n,) steps on open ground from nodes to the nearest of some goals."""
        grid, n_cells = self.tilemap.grid, self._layout.n_cells
        place = grid.plane().reshape(-1, 2).astype(np.int64)
        here = place[nodes % n_cells]
        nearest = np.full(len(nodes), np.iinfo(np.int64).max)
        for goal in goals:
            away = here - place[goal % n_cells]
            steps = np.abs(away).max(axis=1) if self.rule.has_diagonals else grid.lengths(away)
            np.minimum(nearest, steps, out=nearest)
        return nearest

    def label_components(self) -> Components:
        """Find the strongly connected parts of the graph as it is now."""
        self.components = Components.of(self.forward)
        return self.components

    def field(
        self,
        workspace: Workspace,
        goals: NDArray[np.int32],
        costs: NDArray[np.float64],
        walls: NDArray[np.int64],
    ) -> CostField:
        """Search from goals back over the whole map."""
        guided = self.guided("zero", is_backward=True, blockers=Blockers(walls))
        if guided.graph.is_whole and np.count_nonzero(costs) and not _fits_whole(costs):
            guided = GuidedGraph(guided.graph.with_any_costs(), least_step=self.least_step)
            workspace = Workspace.of(guided.graph.n_nodes, is_whole=False)
        is_end = self.can_stop(goals.astype(np.int64))
        ends, prices = goals[is_end], costs[is_end].astype(workspace.no_cost.dtype)
        if len(ends):
            guided.dijkstra(workspace, ends, prices, blocked=walls)
        else:
            workspace.begin()
        _, cost, towards = workspace.decode()
        if len(walls):
            start_on_blocked(
                self.guided("zero", blockers=Blockers(walls)).graph, walls, cost, towards
            )
        passing = cost
        # Who is on a goal is there, even where none can stop; a flyer passes where nobody can be.
        if not self.stops_everywhere or np.count_nonzero(costs < cost[goals]):
            cost = np.where(self.is_void, np.inf, cost)
            on_ground = ~self.is_void[goals]
            np.minimum.at(cost, goals[on_ground], costs[on_ground])
        shape = self.rule.footprint.level.shape
        shape = shape[1:] if shape[0] == 1 else shape
        return CostField(self.nodes, cost.reshape(shape), towards, self.level.copy(), passing)

    def adopt(self, index: Index | None) -> None:
        """Use an index from now on, which may choose other ways of the same cost."""
        self.index = index
        self.path_cache.forget_all()

    def snapshot(self) -> tuple[Graph, Graph]:
        """Copy the graph, forwards and backwards, for work that runs aside."""
        graph = replace(self.forward, step_cost=self.forward.step_cost.copy())
        return graph, reversed_graph(graph, self._opposite)


def _fits_whole(costs: NDArray[np.float64]) -> bool:
    return bool(np.all((costs <= _MAX_WHOLE_START) & (costs == np.floor(costs))))
