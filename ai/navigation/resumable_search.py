"""A path query that runs in portions and shows its state between them."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.diagnosis import Diagnosis
from ai.navigation.graph_cache import ProfileCache, WorkspacePool
from ai.navigation.path import Path, as_partial
from ai.navigation.pathfinder import PathOptions, path_to
from ai.navigation.profile_graph import ProfileGraph, end_reason, nearest_end
from ai.rules.heuristics import HEURISTICS
from ai.rules.nodes import checked_nodes
from ai.search.graph import Graph
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import Heuristic
from ai.search.search_state import CLOSED, GOAL_FOUND, NO_NODE, OWN_PARENTS, PAUSED
from terrain3d import TileMap
from terrain3d.core.checks import one_of, whole_within

ALGORITHMS = ("astar", "dijkstra", "bfs", "greedy")
"""A*, Dijkstra's, breadth-first, and best-first by the heuristic alone."""

ORDERS = ("lifo", "high_g_first", "low_g_first")
"""Which node A* expands first among equal f: the one added last, or by the cost so far."""

UNSEEN, FRONTIER, DONE = 0, 1, 2
"""States of a node: not yet discovered, discovered and open, closed."""

_Kind = TypeVar("_Kind", bound=np.generic)
_NO_LIMIT = 2**62
_TINY = 2.0**-24
_COST_WEIGHTS = dict(zip(ORDERS, (1.0, 1 - _TINY, 1 + _TINY), strict=True))
"""Weights of g that order equal f; other f keep their order while g is below 1 / _TINY."""


class Search:
    """One path query that can be paused; `Navigation.begin_search` returns it.

    It searches the map as it was when the search began. It can be dropped at any time. With "astar"
    and "dijkstra" the path is the one of `Navigation.find_path`; `parent` may lead to the goal by
    another one of equal cost.
    """

    def __init__(
        self,
        entry: ProfileCache,
        start: int,
        goal: int,
        algorithm: str,
        heuristic: str,
        blockers: Blockers,
        *,
        partial: bool,
        order: str = "lifo",
    ) -> None:
        self.algorithm = algorithm
        self.heuristic = _heuristic_name(algorithm, heuristic)
        one_of("order", order, ORDERS)
        self.order = order if algorithm == "astar" else ORDERS[0]
        self._has_own_order = self.order != ORDERS[0]
        graph, self._entry = entry.graph, entry
        self._graph = graph
        self._start, self._goal, self._blockers = start, goal, blockers
        self._version = graph.version
        self._partial = partial
        guided = _guided_graph_of(algorithm, self.heuristic, graph, blockers)
        self._cost_weight = 0.0 if algorithm == "greedy" else _COST_WEIGHTS[self.order]
        if self._has_own_order:  # buckets narrow enough to separate nodes of equal f by g
            any_costs = guided.graph.with_any_costs()
            guided = GuidedGraph(any_costs, guided.heuristic, graph.rule.least_step * _TINY)
        self._guided = guided
        pool = entry.workspaces
        if guided.graph.is_whole != graph.forward.is_whole:
            pool = WorkspacePool(guided.graph.n_nodes, is_whole=guided.graph.is_whole)
        self._workspace = pool.borrow()
        self._workspace.register[:] = 0  # the counts of an earlier search
        self._workspace.one_source[0] = start
        self._estimate = guided.heuristic
        self._end_reason = end_reason(graph, start, goal, blockers)
        self._target = goal
        self._has_begun = False
        self._path: Path | None = None
        self._nearest: Search | None = None  # looks for the path that ends nearest to the goal
        self._has_own_parents = algorithm not in {"astar", "dijkstra"}
        if self._end_reason and partial and not graph.is_void[start]:
            # Explore all reachable nodes to find the one nearest to the goal.
            self._target = NO_NODE
            self._guided = GuidedGraph(guided.graph, least_step=graph.rule.least_step)
            self._cost_weight = 1.0
        elif self._end_reason:
            self._path = Path.none(self._end_reason)

    @property
    def tilemap(self) -> TileMap:
        """The map that it searches."""
        return self._graph.tilemap

    @property
    def done(self) -> bool:
        """Whether it has an answer."""
        return self._path is not None

    @property
    def path(self) -> Path | None:
        """The answer; None until it is done."""
        return self._path

    @property
    def expansions(self) -> int:
        """The number of nodes closed so far; a node that is closed twice counts twice."""
        return self._workspace.n_expanded + (self._nearest.expansions if self._nearest else 0)

    def run(self, max_expansions: int | None = None) -> bool:
        """Continue until it is done, or has closed `max_expansions` more nodes.

        Parameters
        ----------
        max_expansions : int, optional
            How many more nodes it may close, >= 0.

        Returns
        -------
        bool
            Whether it is done.

        Raises
        ------
        TypeError, ValueError
            `max_expansions` is not an integer, or negative.
        RuntimeError
            The map was edited since the search began.
        """
        end = _NO_LIMIT
        if max_expansions is not None:
            end = min(self.expansions + whole_within("max_expansions", max_expansions, 0), end)
        with self._graph.tilemap.lock:
            if self._graph.tilemap.version != self._version:
                raise RuntimeError("the map was edited since this search began; begin another")
            while not self.done and self.expansions < end:
                self._advance(end)
        return self.done

    def _advance(self, max_expansions: int) -> None:
        """Continue until `max_expansions` nodes are closed since the search began."""
        workspace = self._workspace
        if self._nearest:
            self._nearest.run(max_expansions - self.expansions)
            if self._nearest.path:
                self._path = as_partial(self._nearest.path, self._reason)
            return
        is_own = self._has_own_parents or self._has_own_order
        status = self._guided.search(
            workspace,
            workspace.one_source,
            workspace.no_cost,
            self._target,
            max_expansions=max_expansions,
            cost_weight=self._cost_weight,
            blocked=self._blockers.blocked,
            is_begin=not self._has_begun,
            choice=OWN_PARENTS if is_own or self._target == NO_NODE else None,
        )
        self._has_begun = True
        if status == GOAL_FOUND and self._has_own_order:
            # The rule of ties needs all nodes of the goal's f.
            options = PathOptions(self.heuristic, self._blockers)
            self._path = path_to(self._entry, self._start, self._goal, options)
        elif status == GOAL_FOUND:
            record = workspace.found_path()
            if self.algorithm == "bfs":  # the record has numbers of steps in place of costs
                record = self._record(self._graph.nodes.of_record(record))
            self._path = Path(record, self._graph.tilemap)
        elif status != PAUSED:
            self._end_without_path()

    def _end_without_path(self) -> None:
        graph, ends, blockers = self._graph, (self._start, self._goal), self._blockers
        self._reason = self._end_reason or Diagnosis(graph, *ends, blockers)
        if not self._partial:
            self._path = Path.none(self._reason)
        elif self._has_own_parents or self._nearest_node() in (NO_NODE, self._start):
            self._path = self._path_to_nearest()
        else:
            query = self._start, self._nearest_node(), self.algorithm, self.heuristic, blockers
            self._nearest = Search(self._entry, *query, partial=False)

    def _path_to_nearest(self) -> Path:
        """Return the path to the closed node nearest to the goal."""
        node = self._nearest_node()
        if node == NO_NODE:
            return Path.none(self._reason)
        backward = []
        while node != NO_NODE:
            backward.append(node)
            node = int(self._workspace.decode(np.array([node]))[2][0])
        record = self._record(np.array(backward[::-1]))
        return Path(record, self._graph.tilemap, self._reason, partial=True)

    def _nearest_node(self) -> int:
        """Return the closed node nearest to the goal where the unit can stop; -1 without one."""
        nodes = self._workspace.settled_nodes().astype(np.int64)
        if not len(nodes):
            return NO_NODE
        _, cost, _ = self._workspace.decode(nodes)
        ends = self._start, [self._goal]
        return int(nodes[nearest_end(self._graph, nodes, cost, *ends, self._blockers)])

    def _record(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n, 5) row, column, deck, cost so far and level along nodes; see `Path`."""
        if self.algorithm == "bfs":
            pairs = pairwise(nodes.tolist())
            cost = np.cumsum([0.0, *(self._graph.cost_between(*pair) for pair in pairs)])
        else:
            cost = self._workspace.decode(nodes)[1]
        return self._graph.record(nodes, cost)

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes of start and goal."""
        return self._start, self._goal

    def leads_to(self, node: int) -> list[int]:
        """Return the nodes that are one step away from a node."""
        (node,) = checked_nodes("node", [node], self._graph.level.size).tolist()
        return [neighbor for neighbor, _ in self._guided.graph.edges_from(node)]

    def known_of(
        self, nodes: ArrayLike | None = None
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.int32]]:
        """(n,) state, g and parent of some nodes, or of all; faster for a few nodes."""
        known = None if nodes is None else checked_nodes("nodes", nodes, self._graph.level.size)
        if not self._has_begun:
            self._workspace.begin()
        phase, cost, parent = self._workspace.decode(known)
        state = np.where(phase < 0, UNSEEN, np.where(phase == CLOSED, DONE, FRONTIER))
        return state.astype(np.uint8), cost, parent

    @property
    def state(self) -> NDArray[np.uint8]:
        """(rows, cols) UNSEEN, FRONTIER or DONE."""
        return self._as_map(self.known_of()[0])

    @property
    def g(self) -> NDArray[np.float64]:
        """(rows, cols) cost of the best path known so far; infinity where none is known.

        For breadth-first search the number of steps.
        """
        return self._as_map(self.known_of()[1])

    @property
    def h(self) -> NDArray[np.float64]:
        """(rows, cols) estimate of the remaining cost; zeros for algorithms without a heuristic."""
        return self._as_map(self._estimate.to(self._guided.layout, self._goal))

    @property
    def f(self) -> NDArray[np.float64]:
        """(rows, cols) priority: the lowest is closed next; infinity where it is not known."""
        g = self.g
        if self.algorithm == "greedy":
            return np.where(np.isfinite(g), self.h, np.inf)
        return g + self.h

    @property
    def parent(self) -> NDArray[np.int32]:
        """(rows, cols) the node, row * cols + col, before each on its path; -1 without one."""
        return self._as_map(self.known_of()[2])

    @property
    def closed_order(self) -> NDArray[np.int32]:
        """(n,) nodes in the order in which they were first closed; read-only."""
        order = self._workspace.settled_nodes()
        order.flags.writeable = False  # of this view alone
        return order

    def _as_map(self, values: NDArray[_Kind]) -> NDArray[_Kind]:
        shape = self._graph.rule.footprint.level.shape
        return values.reshape(shape[1:] if shape[0] == 1 else shape)


def _heuristic_name(algorithm: str, heuristic: str) -> str:
    """Return the heuristic that an algorithm uses when a caller asks for one.

    Raises `ValueError` if the algorithm is unknown, or does not work with that heuristic.
    """
    one_of("algorithm", algorithm, ALGORITHMS)
    one_of("heuristic", heuristic, HEURISTICS)
    if algorithm == "greedy" and heuristic == "zero":
        raise ValueError("greedy search needs a heuristic other than 'zero'")
    return heuristic if algorithm in {"astar", "greedy"} else "zero"


def _guided_graph_of(
    algorithm: str, heuristic: str, graph: ProfileGraph, blockers: Blockers
) -> GuidedGraph:
    """Return the graph and the estimate that an algorithm searches with.

    Raises `ValueError` if the heuristic is unknown or could exceed the true cost.
    """
    guided = graph.guided(heuristic, blockers=blockers)
    if algorithm == "bfs":
        return GuidedGraph(_with_unit_costs(guided.graph))
    if algorithm == "greedy":
        estimate = guided.heuristic
        if not any(estimate.weights):  # where steps are free an exact bound leads nowhere
            estimate = Heuristic(graph.tilemap.grid.norm, 1, 2)
        return GuidedGraph(guided.graph.with_any_costs(), estimate, graph.rule.least_step)
    if blockers is not NO_BLOCKERS:  # other queries may change the graph meanwhile
        return GuidedGraph(copy.copy(guided.graph), guided.heuristic, graph.rule.least_step)
    return guided


def _with_unit_costs(graph: Graph) -> Graph:
    """Return the same graph with every step at cost 1."""
    steps = np.where(graph.step_cost < graph.illegal, np.uint8(1), np.uint8(255))
    links = graph.links
    if links is not None:
        links = replace(links, cost=np.ones(len(links.cost), dtype=np.uint8))
    return replace(graph, step_cost=steps, links=links)
