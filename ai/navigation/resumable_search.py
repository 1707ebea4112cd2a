"""A search that runs bit by bit and can be watched: what is open, what is closed, at which cost."""

import math
import time
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.navigation.algorithms import estimate_name, guided_graph_of
from ai.navigation.blockers import Blockers
from ai.navigation.diagnosis import Obstacle
from ai.navigation.goals import nearest_end
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph
from ai.search import (
    CLOSED,
    GOAL_FOUND,
    NO_NODE,
    PAUSED,
    Graph,
    GuidedGraph,
    Workspace,
)
from terrain3d.core.checks import number_within, whole_number

UNSEEN, FRONTIER, DONE = 0, 1, 2
"""States of a node: not yet met, met and waiting for its turn, closed."""

_Kind = TypeVar("_Kind", bound=np.generic)
_BETWEEN_LOOKS_AT_THE_CLOCK = 256


class Search:
    """One query under way; got from `Navigation.begin_search`.

    It belongs to the map as it was when it began. It can be dropped at any time.

    Parameters
    ----------
    graph : ProfileGraph
        The map and the profile.
    start, goal : int
        Nodes.
    algorithm : str
        "astar", "dijkstra" (no estimate), "bfs" (breadth-first: fewest steps, whatever they cost)
        or "greedy" (best-first by the estimate alone: quick, but not always the cheapest way).
    heuristic : str
        As in `Navigation.find_path`.
    blockers : Blockers
        Who is in the way.
    partial : bool
        If there is no way to the goal, the answer is that to the reachable cell nearest to it.

    Raises
    ------
    ValueError
        The algorithm or heuristic is unknown, or the heuristic could exceed the true cost.
    """

    def __init__(
        self,
        graph: ProfileGraph,
        start: int,
        goal: int,
        algorithm: str,
        heuristic: str,
        blockers: Blockers,
        *,
        partial: bool = False,
    ) -> None:
        self.algorithm = algorithm
        self.heuristic = estimate_name(algorithm, heuristic)
        self._graph, self._start, self._goal, self._blockers = graph, start, goal, blockers
        self._version = graph.version
        self._partial = partial
        guided = self._guided = guided_graph_of(algorithm, self.heuristic, graph, blockers)
        self._idle, self._workspace = _workspace_for(guided.graph, graph)
        self._workspace.one_source[0] = start
        self._estimate = guided.heuristic
        self._fault = graph.end_fault(start, goal, blockers)
        self._aim = goal
        self._has_begun = False
        self._path: Path | None = None
        if self._fault and partial and not graph.is_void[start]:
            # To tell how near it can come it looks at all that it can reach.
            self._aim = NO_NODE
            self._guided = GuidedGraph(guided.graph, least_step=graph.least_step)
        elif self._fault:
            self._path = Path.none(self._fault)

    @property
    def done(self) -> bool:
        """Whether it has come to an answer."""
        return self._path is not None

    @property
    def path(self) -> Path | None:
        """The answer; None as long as there is none."""
        return self._path

    @property
    def expansions(self) -> int:
        """How many tiles it has closed so far; one that is closed twice counts twice."""
        return self._workspace.n_expanded

    def run(self, max_expansions: int | None = None, seconds: float | None = None) -> bool:
        """Go on until it is done, has closed so many more tiles, or so much time has passed.

        Returns
        -------
        bool
            Whether it is done.

        Raises
        ------
        TypeError, ValueError
            `max_expansions` is no whole number, `seconds` no number, or one is negative or NaN.
        RuntimeError
            The map was edited since the search began.
        """
        if max_expansions is not None and whole_number("max_expansions", max_expansions) < 0:
            raise ValueError(f"max_expansions must be >= 0, got {max_expansions}")
        if seconds is not None:
            number_within("seconds", seconds, 0)
        if self._graph.tilemap.version != self._version:
            raise RuntimeError("the map was edited since this search began; begin another")
        end = self.expansions + (math.inf if max_expansions is None else max_expansions)
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        while not self.done and self.expansions < end and time.monotonic() < deadline:
            portion = _BETWEEN_LOOKS_AT_THE_CLOCK if seconds is not None else math.inf
            until = min(end, self.expansions + portion)
            self._advance(2**62 if until == math.inf else int(until))
        return self.done

    def _advance(self, max_expansions: int) -> None:
        workspace = self._workspace
        status = self._guided.search(
            workspace,
            workspace.one_source,
            workspace.no_cost,
            self._aim,
            max_expansions=max_expansions,
            is_greedy=self.algorithm == "greedy",
            blocked=self._blockers.blocked,
            is_begin=not self._has_begun,
        )
        self._has_begun = True
        if status == GOAL_FOUND:
            record = workspace.found_path()
            if self.algorithm == "bfs":  # it counted steps
                nodes = [self._graph.nodes.of(cell) for cell in Path(record).cells]
                record = self._record(np.array(nodes))
            self._path = Path(record)
        elif status != PAUSED:
            reason = self._fault or Obstacle(self._graph, self._start, self._goal, self._blockers)
            self._path = self._path_towards(reason) if self._partial else Path.none(reason)

    def path_so_far(self) -> Path:
        """Give the way to the closed tile that is nearest to the goal, to set out on meanwhile.

        Where it leads may prove to be a dead end.
        """
        if self._path is not None:
            return self._path
        return self._path_towards("the search goes on")

    def _path_towards(self, reason: object) -> Path:
        """Give the way to what is nearest to the goal among all that was closed."""
        nodes = self._workspace.settled_nodes().astype(np.int64)
        if not len(nodes):
            return Path.none(reason)
        _, cost, _ = self._workspace.decode(nodes)
        ends = self._start, [self._goal]
        node = int(nodes[nearest_end(self._graph, nodes, cost, *ends, self._blockers)])
        way = []
        while node != NO_NODE:
            way.append(node)
            node = int(self._workspace.decode(np.array([node]))[2][0])
        return Path(self._record(np.array(way[::-1])), reason, partial=True)

    def _record(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n, 5) row, column, deck, cost so far and level along nodes; see `Path`."""
        graph = self._graph
        is_counting = self.algorithm == "bfs"
        cost = graph.cost_along(nodes) if is_counting else self._workspace.decode(nodes)[1]
        cells = np.array([graph.nodes.cell(node) for node in nodes.tolist()])
        return np.column_stack([cells, cost, graph.level[nodes]])

    def release(self) -> None:
        """Give its working arrays back, for the next search, once its answer is all one wants.

        It does not go on then, and has no state to show. Without this they last as long as it.
        """
        self._idle.append(self._workspace)
        self._idle = []
        self._path = self._path or Path.none("the search was given up")

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes of start and goal."""
        return self._start, self._goal

    def leads_to(self, node: int) -> list[int]:
        """Give the nodes that are one step away from a node."""
        return [there for there, _ in self._guided.graph.edges_from(node)]

    def known_of(
        self, nodes: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.int32]]:
        """(n,) state, g and parent of nodes, of all if none are given; of a few it is quicker."""
        if not self._has_begun:
            self._workspace.begin()
        phase, cost, parent = self._workspace.decode(nodes)
        state = np.where(phase < 0, UNSEEN, np.where(phase == CLOSED, DONE, FRONTIER))
        return state.astype(np.uint8), cost, parent

    @property
    def state(self) -> NDArray[np.uint8]:
        """(rows, cols) UNSEEN, FRONTIER or DONE."""
        return self._as_map(self.known_of()[0])

    @property
    def g(self) -> NDArray[np.float64]:
        """(rows, cols) cost of the best way known so far; infinity where none is known.

        For breadth-first search the number of steps.
        """
        return self._as_map(self.known_of()[1])

    @property
    def h(self) -> NDArray[np.float64]:
        """(rows, cols) estimate of the cost that is left; zeros for what uses none."""
        graph = self._guided.graph
        if graph.layout is None:
            return self._as_map(np.zeros(graph.n_nodes))
        return self._as_map(self._estimate.to(graph.layout, self._goal))

    @property
    def f(self) -> NDArray[np.float64]:
        """(rows, cols) what decides who is closed next; infinity where it is not known."""
        g = self.g
        if self.algorithm == "greedy":
            return np.where(np.isfinite(g), self.h, np.inf)
        return g + self.h

    @property
    def parent(self) -> NDArray[np.int32]:
        """(rows, cols) node, row * cols + col, before each on its way; -1 without one."""
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


def _workspace_for(searched: Graph, graph: ProfileGraph) -> tuple[list[Workspace], Workspace]:
    """Give working arrays for a graph, and where to put them when they are not needed any more."""
    idle = graph.idle if searched.is_whole == graph.forward.is_whole else []
    try:
        workspace = idle.pop()
    except IndexError:
        workspace = Workspace.of(searched.n_nodes, is_whole=searched.is_whole)
    workspace.register[:] = 0  # what the search before told of itself
    return idle, workspace
