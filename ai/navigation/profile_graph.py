"""The graph of a map for one profile: a cost for every step, kept current with the map's edits.

An edit prices only the steps around what it changed.

Where paths may begin and end: reasons, blockers, and the reached node nearest to a goal.
"""

import copy
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import FREE, BlockerNodes
from ai.rules.entry_rules import EntryRule
from ai.rules.heuristics import bound_of
from ai.rules.nodes import NO_NODES, Nodes
from ai.rules.profile import MoveProfile
from ai.rules.reasons import start_reason, stop_reason
from ai.rules.step_rule import StepRule, link_amounts, links_of
from ai.rules.steps import CHEAPER, SAME
from ai.search.graph import Graph, Layout, in_millionths, reverse_slots, reversed_graph
from ai.search.workspace import Guided
from terrain3d import Reason, Rect, TileMap

_SHIFTS = {
    "square": (0, 0, 0, 0),
    "hex_odd_r": (1, 0, 0, 0),
    "hex_even_r": (1, 1, 0, 0),
    "hex_odd_q": (0, 0, 1, 0),
    "hex_even_q": (0, 0, 1, 1),
}
"""`Layout.shift` of each topology, which makes coordinates axial on hexagons."""


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
        self.links = links_of(self.rule)
        """The edges beside steps, at the costs of the rule."""
        self._table = self.rule.empty_table()
        self.rule.price_steps(Rect(0, 0, tilemap.rows, tilemap.cols), self._table)
        footprint = self.rule.footprint
        # Views, which follow every edit of the map.
        self.is_void = footprint.is_void.reshape(-1)
        self.level = footprint.level.reshape(-1)
        self.kind = footprint.kind.reshape(-1)
        self.forward = self._make_graph()
        """Every step as the mover takes it."""
        self.extra = np.zeros(0, np.int64)
        """(n_nodes,) millionths that entering each node costs more in this query, or empty."""
        self._backward: Graph | None = None
        self._guided: dict[bool, Guided] = {}
        self._lock = threading.Lock()
        kinds_stop = bool((footprint.kind_stop | ~np.isfinite(footprint.entry)).all())
        self.stops_everywhere = kinds_stop and profile.size == 1 and not profile.can_fly
        """Whether a path may end wherever it may lead."""

    def _make_graph(self) -> Graph:
        tilemap, table, rule = self.tilemap, self._table, self.rule
        layout = Layout(tilemap.rows, tilemap.cols, self.level, _SHIFTS[tilemap.topology])
        n_slots = table.shape[1]
        return Graph(
            table,
            rule.moves.slot(layout)[:, :n_slots],
            layout,
            rule.moves.node_class(tilemap.grid.cell_class()),
            self.links,
            rule.moves.slot_group()[:n_slots],
            bound_of(rule, self.links, layout),
            rule.least,
            rule.unit,
        )

    @property
    def unit(self) -> int:
        """The unit of all costs, in millionths."""
        return self.forward.unit

    def with_extra_cost(self, extra: NDArray[np.float64]) -> "ProfileGraph":
        """Return the graph with a cost added to each step and link, that of the surface it enters.

        It holds until the next edit. `extra` is (n_layers, rows, cols), each >= 0.
        """
        made = copy.copy(self)
        made.extra = in_millionths(self.rule.footprint.highest(extra).ravel())
        made.forward = self.forward.with_extra(made.extra)
        made._backward, made._guided, made._lock = None, {}, threading.Lock()
        return made

    def extra_at(self, node: int) -> int:
        """Return the extra cost, in millionths, that entering a node has in this query."""
        return self.extra.item(node) if len(self.extra) else 0

    @property
    def backward(self) -> Graph:
        """Every step reversed; built on first use."""
        with self._lock:  # two of them would not both follow the edits
            if self._backward is None:
                self._backward = reversed_graph(self.forward)
            return self._backward

    def guided(self, *, is_backward: bool = False) -> Guided:
        """Return the graph, or with `is_backward` the reversed one, ready to be searched."""
        graph, known = self.backward if is_backward else self.forward, self._guided.get(is_backward)
        if known is None or known.graph is not graph:
            known = self._guided[is_backward] = Guided(graph)
        return known

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
        """Read the map's links again; None if their costs need a graph of another unit."""
        if not (len(self.links) or self.tilemap.links):
            return GraphChange()
        if not self.rule.fits(link_amounts(self.profile, self.tilemap)):
            return None
        before, self.links = self.links, links_of(self.rule)
        # Levels at the ends of links decide how high the bound is.
        bound = bound_of(self.rule, self.links, self.forward.layout)
        is_new = not self.links.is_same(before)
        if is_new or bound != self.forward.bound:
            self.forward = replace(self.forward, links=self.links, bound=bound)
            self._backward = None
        if not is_new:
            return GraphChange()
        cheaper = self.links.cheaper_sources(before)
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
            nodes = self.nodes_in(around)
            reverse_slots(self.forward.edges, self.forward.opposite, nodes, self._backward.cost)
        cheaper = (*change.cheaper, touched) if difference == CHEAPER else change.cheaper
        return change._replace(has_new_costs=True, cheaper=cheaper)

    def nodes_in(self, rect: Rect) -> NDArray[np.int64]:
        """(n,) nodes of all surfaces in a rectangle."""
        return self.nodes.in_rect(rect, self.tilemap.n_decks + 1)

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

    def joins(self, start: int, end: int) -> bool:
        """Return whether an edge leads from a node to another."""
        return self.forward.cheapest_edge(start, end) is not None


def end_reason(graph: ProfileGraph, start: int, goal: int, blockers: BlockerNodes) -> str:
    """Return why no path can begin at start or end at goal, whatever lies between; "" if it can."""
    if graph.is_void[start]:
        return start_reason(graph.rule, graph.nodes.cell(start))
    if start == goal:
        return ""
    if graph.is_void[goal] or not graph.can_stop_at(goal):
        return stop_reason(graph.rule, graph.nodes.cell(goal))
    taken = [] if blockers is FREE else np.concatenate(blockers[:2]).tolist()
    if goal in taken:
        return Reason("is_occupied", cell=graph.nodes.cell(goal))
    return ""


def can_end(
    graph: ProfileGraph, nodes: NDArray[np.int64], blockers: BlockerNodes
) -> NDArray[np.bool_]:
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
    costs: NDArray[np.int64],
    source: int,
    targets: Sequence[int],
    blockers: BlockerNodes,
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
