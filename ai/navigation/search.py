"""The search that can be watched: plain Python, one step at a time, with all that it knows.

The compiled search of `Navigation.find_path` cannot be paused. Costs inside are whole numbers of
the graph's unit; what a caller sees are costs.
"""

from heapq import heappop, heappush
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import FREE, BlockerNodes
from ai.navigation.diagnosis import Diagnosis
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph, end_reason
from ai.rules.heuristics import HEURISTICS, estimates
from ai.rules.profile import MoveProfile
from ai.search.astar import NO_NODE
from ai.search.graph import MILLION
from ai.search.workspace import Workspace
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import one_of, whole_within
from terrain3d.picture import Drawable, Line, Picture, flat_values

if TYPE_CHECKING:
    from ai.navigation.navigation import Navigation

ALGORITHMS = ("astar", "dijkstra", "bfs", "greedy")
"""A*, Dijkstra's, breadth-first, and best-first by the heuristic alone."""

NAMES = {
    "astar": "A*",
    "dijkstra": "Dijkstra",
    "bfs": "Breadth first",
    "greedy": "Greedy best first",
}
"""The display names of the algorithms."""

ORDERS = ("lifo", "high_g_first", "low_g_first")
"""Which node A* expands first among equal f: the one added last, or by the cost so far."""

UNSEEN, FRONTIER, DONE = 0, 1, 2
"""States of a node: not yet discovered, discovered and open, closed."""

FARTHEST = 40
"""The most that a path between random ends costs."""
_TRIES = 100

_SIGN = dict(zip(ORDERS, (0, -1, 1), strict=True))
"""What g is multiplied by to order equal f, the lowest first."""


class Known(NamedTuple):
    """What a search knows of a node: its state, the cost so far, and the node before it."""

    state: int = UNSEEN
    g: float = inf
    parent: int = NO_NODE


_NOTHING = Known()


class Expansion(NamedTuple):
    """One step of a search: the node that it closed, and all that changed.

    g is in units of `Search.unit`.
    """

    closed: int
    before: dict[int, Known]
    after: dict[int, Known]
    """First the node that was closed, then those that it opened or made cheaper."""


class Search(Drawable):
    """One path query that can be paused; `Navigation.begin_search` returns it.

    It searches the map as it was when the search began. It can be dropped at any time. With "astar"
    and "dijkstra" the path is the one of `Navigation.find_path`; `parent` may lead to the goal by
    another one of equal cost.

    Parameters
    ----------
    ends : (start, goal)
        Nodes.
    algorithm, heuristic, order
        As in `Navigation.begin_search`.
    """

    def __init__(
        self,
        graph: ProfileGraph,
        ends: tuple[int, int],
        algorithm: str = "astar",
        heuristic: str = "auto",
        order: str = ORDERS[0],
        blockers: BlockerNodes = FREE,
    ) -> None:
        self.algorithm = one_of("algorithm", algorithm, ALGORITHMS)
        is_guided = algorithm in {"astar", "greedy"}
        self.heuristic = one_of("heuristic", heuristic, HEURISTICS) if is_guided else "zero"
        self.order = one_of("order", order, ORDERS) if algorithm == "astar" else ORDERS[0]
        if algorithm == "greedy" and heuristic == "zero":
            raise ValueError("greedy search needs a heuristic other than 'zero'")
        self.ends = ends
        """The nodes of start and goal."""
        self.unit = MILLION if algorithm == "bfs" else graph.unit
        """What 1 of g is in an `Expansion`, in millionths; breadth-first search counts steps."""
        self._graph, self._blockers, self._version = graph, blockers, graph.version
        self._blocked = set(blockers.blocked.tolist())
        self._halting = set(blockers.halting.tolist())
        h = estimates(graph.rule, graph.forward, graph.links, ends[1], self.heuristic)
        self._h = np.floor(h * 1024) / 1024  # so that sums with whole numbers are exact
        self._known: dict[int, Known] = {}
        self._waiting: list[tuple[float, float, int, int]] = []
        """A heap of score, place among equal scores, number and node."""
        self._n_added = 0
        self.steps: list[Expansion] = []
        """What each step so far closed, opened and made cheaper."""
        self._path: Path | None = None
        if reason := end_reason(graph, *ends, blockers):
            self._path = Path.none(reason)
        else:
            self._known[ends[0]] = self._open(ends[0], 0, NO_NODE)

    def _open(self, node: int, g: float, parent: int) -> Known:
        """Let a node wait, again if it does already; return what is known of it."""
        self._n_added += 1
        h = float(self._h[node])
        score = h if self.algorithm == "greedy" else g + h
        heappush(self._waiting, (score, _SIGN[self.order] * g, -self._n_added, node))
        return Known(FRONTIER, g, parent)

    def _expand(self) -> Expansion | None:
        """Close the waiting node that comes first; without one the search is done."""
        while self._waiting:
            node = heappop(self._waiting)[-1]
            if self._known[node].state == FRONTIER:  # else it was closed since, at a lower cost
                break
        else:
            self._path = Path.none(Diagnosis(self._graph, *self.ends, self._blockers))
            return None
        here = self._known[node]
        after = {node: here._replace(state=DONE)}
        if node != self.ends[1] and node not in self._halting:
            for end, cost in self._graph.forward.edges_from(node):
                known = after.get(end) or self._known.get(end, _NOTHING)
                g = here.g + (1 if self.algorithm == "bfs" else cost)
                # Greedy search keeps the first parent of a node.
                is_kept = self.algorithm == "greedy" and known.parent not in {NO_NODE, node}
                if g < known.g and not is_kept and end not in self._blocked:
                    after[end] = self._open(end, g, node)
        before = {each: self._known.get(each, _NOTHING) for each in after}
        self._known |= after
        self.steps.append(Expansion(node, before, after))
        if node == self.ends[1]:
            self._path = self._path_to_goal()
        return self.steps[-1]

    def _path_to_goal(self) -> Path:
        """Return the path to the closed goal.

        Where its cost is the least, it is the one of several cheapest paths that every query
        returns, whatever was closed first; otherwise that along the parents.
        """
        graph, (start, goal) = self._graph, self.ends
        if self.algorithm in {"astar", "dijkstra"}:
            workspace, limit = Workspace(graph.forward.n_nodes), int(self._known[goal].g)
            marks = self._blockers.blocked, self._blockers.halting
            record = workspace.find_path(graph.guided(), start, goal, limit, *marks)
            return Path(record, graph.unit, graph.tilemap)
        nodes = [goal]
        while (parent := self._known[nodes[-1]].parent) != NO_NODE:
            nodes.append(parent)
        nodes.reverse()
        edges = [graph.forward.cheapest_edge(*pair) or (0, 0) for pair in pairwise(nodes)]
        costs = np.cumsum([0, *(cost for cost, _ in edges)])
        numbers = np.array(nodes)
        record = np.column_stack([graph.nodes.cells_of(numbers), costs, graph.level[numbers]])
        return Path(record, graph.unit, graph.tilemap)

    def expand(self) -> Expansion | None:
        """Take one step and return it; None if no node is open, or the search is done.

        Raises
        ------
        RuntimeError
            The map was edited since the search began.
        """
        with self.tilemap.lock:
            self._check_version()
            return None if self.done else self._expand()

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
        end = inf
        if max_expansions is not None:
            end = self.expansions + whole_within("max_expansions", max_expansions, 0)
        with self.tilemap.lock:
            self._check_version()
            while not self.done and self.expansions < end:
                self._expand()
        return self.done

    def _check_version(self) -> None:
        if self.tilemap.version != self._version:
            raise RuntimeError("the map was edited since this search began; begin another")

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
        """The number of nodes closed so far."""
        return len(self.steps)

    @property
    def title(self) -> Reason:
        """The name of the algorithm, the heuristic if it has one, and a chosen order."""
        name = NAMES[self.algorithm]
        title = Reason("searched", algorithm=name)
        if self.heuristic != "zero":
            title = Reason("searched_by", algorithm=name, heuristic=self.heuristic)
        if self.order == ORDERS[0]:
            return title
        return Reason("searched_in_order", search=title, order=self.order.replace("_", " "))

    @property
    def state(self) -> NDArray[np.uint8]:
        """(rows, cols) UNSEEN, FRONTIER or DONE."""
        return self._as_map(0, np.uint8)

    @property
    def g(self) -> NDArray[np.float64]:
        """(rows, cols) cost of the best path known so far; infinity where none is known.

        For breadth-first search the number of steps.
        """
        return self._as_map(1, np.float64) * self.unit / MILLION

    @property
    def h(self) -> NDArray[np.float64]:
        """(rows, cols) estimate of the remaining cost; zeros for algorithms without a heuristic."""
        return self._shaped(self._h) * self._graph.unit / MILLION

    @property
    def f(self) -> NDArray[np.float64]:
        """(rows, cols) priority: the lowest is closed next; infinity where it is not known."""
        g = self.g
        return np.where(np.isfinite(g), self.h if self.algorithm == "greedy" else g + self.h, inf)

    @property
    def parent(self) -> NDArray[np.int32]:
        """(rows, cols) the node, row * cols + col, before each on its path; -1 without one."""
        return self._as_map(2, np.int32)

    @property
    def closed_order(self) -> NDArray[np.int32]:
        """(n,) nodes in the order in which they were closed."""
        return np.array([step.closed for step in self.steps], dtype=np.int32)

    def picture(self) -> Picture:
        """Return the map with the number of the step that closed each tile, and the path."""
        step, path = np.full(self._h.shape, inf), self._path
        step[self.closed_order] = np.arange(1, self.expansions + 1)
        lines = (Line(tuple(path), f"path, cost {path.cost}"),) if path else ()
        title, values = (
            f"{self.title}: {self.expansions} tiles closed",
            flat_values(step.reshape(self._graph.rule.footprint.level.shape)),
        )
        return Picture(self.tilemap, title, values, "closed in step", lines)

    def _as_map(self, part: int, dtype: Any) -> NDArray[Any]:  # noqa: ANN401 - a numpy type
        """(rows, cols) one part of what is known of all nodes."""
        values = np.full(self._graph.level.size, _NOTHING[part], dtype)
        values[list(self._known)] = [known[part] for known in self._known.values()]
        return self._shaped(values)

    def _shaped(self, values: NDArray[Any]) -> NDArray[Any]:
        shape = self._graph.rule.footprint.level.shape
        return values.reshape(shape[1:] if shape[0] == 1 else shape)


def random_ends(
    navigation: "Navigation", profile: MoveProfile, random: np.random.Generator
) -> tuple[Cell, Cell] | None:
    """Return a start and a goal with a path of some length; None if no drawn start leads on."""
    tilemap = navigation.tilemap
    for _ in range(_TRIES):
        row, col = random.integers((tilemap.rows, tilemap.cols)).tolist()
        if navigation.explain_stop((row, col), profile):
            continue
        reach = navigation.reach((row, col), FARTHEST, profile)
        if len(reach) > 1:
            least = reach.cost_to(reach.cells[-1]) / 2
            far = [cell for cell in reach if reach.cost_to(cell) >= least]
            return Cell(row, col), far[int(random.integers(len(far)))]
    return None
