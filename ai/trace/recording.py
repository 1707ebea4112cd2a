"""Record every step of a search, so that it can be shown forward and backward.

A step closes one tile. At step 0 the start is open and nothing is closed. Tiles are nodes, numbered
as in `Search.parent`: (deck * rows + row) * cols + col. A replay shows the search at one of its
steps; a seek updates only what changed in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.path import Path
from ai.navigation.resumable_search import DONE, FRONTIER, ORDERS, UNSEEN, Search
from ai.rules.nodes import checked_nodes
from ai.search.heuristics import read_only
from ai.search.search_state import NO_NODE
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, plain, quoted, whole_number, whole_within
from terrain3d.core.translation import tr, tr_n
from terrain3d.grid.reason import Reason, plain_reason
from terrain3d.picture import Drawable, Line, Picture, flat_values

NAMES = {
    "astar": "A*",
    "dijkstra": "Dijkstra",
    "bfs": "Breadth first",
    "greedy": "Greedy best first",
}
"""The display names of the algorithms."""

MAX_STEPS = 20_000
"""The default limit of recorded steps, enough for a map of 140 x 140 tiles."""

_KNOWN = np.dtype(
    [("node", np.int32), ("state", np.uint8), ("g", np.float64), ("parent", np.int32)]
)
_Row = tuple[int, int, float, int]


@dataclass(frozen=True)
class Recording(Drawable):
    """The changes made by every step of one search; every array is read-only.

    Parameters
    ----------
    algorithm, heuristic, order : str
        As in `Navigation.begin_search`.
    start, goal : int
        Nodes.
    shape : (decks, rows, cols)
        The shape of the map's surfaces.
    closed : (n_steps,) int32
        The node that each step closed; a node that becomes cheaper later is closed again.
    n_open : (n_steps + 1,) int32
        The number of open nodes after each number of steps.
    first : (n_steps + 1,) int64
        Step i made the changes first[i] to first[i + 1]: first the node that it closed, then the
        nodes that it opened or made cheaper.
    before, after : (n_changes,) of node, state, g, parent
        The state of the changed nodes before and after.
    h : (n_nodes,) float64
        Estimated costs to the goal.
    path : Path
        The result.
    """

    algorithm: str
    heuristic: str
    order: str
    start: int
    goal: int
    shape: tuple[int, int, int]
    closed: NDArray[np.int32]
    n_open: NDArray[np.int32]
    first: NDArray[np.int64]
    before: NDArray[Any]
    after: NDArray[Any]
    h: NDArray[np.float64]
    path: Path
    tilemap: TileMap

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.closed, self.n_open, self.first, self.before, self.after, self.h):
            array.flags.writeable = False

    @classmethod
    def of(cls, search: Search, max_steps: int = MAX_STEPS) -> Self:
        """Run a search to its end and return the recording of every step.

        Parameters
        ----------
        search : Search
            A search that has begun but not run.

        Raises
        ------
        ValueError
            It has been run already, or takes more steps than `max_steps`.
        RuntimeError
            The map was edited since the search began.
        """
        instance_of("search", search, Search)
        whole_within("max_steps", max_steps, 1)
        if search.expansions:
            raise ValueError(
                f"a recording needs a search that has not been run, "
                f"this one has closed {search.expansions} tiles"
            )
        recorder = _Recorder(search)
        while not search.done:
            search.run(max_expansions=1)
            if search.expansions == len(recorder.closed):  # no open node was left
                break
            if len(recorder.closed) >= max_steps:
                raise ValueError(f"the search takes more than {max_steps} steps, see max_steps")
            recorder.record_step()
        h = search.h
        path = search.path
        assert path is not None
        return cls(
            algorithm=search.algorithm,
            heuristic=search.heuristic,
            order=search.order,
            start=search.ends[0],
            goal=search.ends[1],
            shape=h.shape if h.ndim == 3 else (1, *h.shape),
            closed=np.array(recorder.closed, dtype=np.int32),
            n_open=np.array(recorder.n_open, dtype=np.int32),
            first=np.array(recorder.first, dtype=np.int64),
            before=np.array(recorder.before, dtype=_KNOWN),
            after=np.array(recorder.after, dtype=_KNOWN),
            h=h.reshape(-1),
            path=path,
            tilemap=search.tilemap,
        )

    @property
    def n_steps(self) -> int:
        """The number of tiles that the search closed."""
        return len(self.closed)

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

    def picture(self) -> Picture:
        """Return the map with the step that closed each tile, and the path."""
        step = np.full(self.shape, np.inf)
        step.flat[self.closed[::-1]] = np.arange(self.n_steps, 0, -1)
        lines = (Line(tuple(self.path), f"path, cost {self.path.cost}"),) if self.path else ()
        title = f"{self.title}: {self.n_steps} tiles closed"
        return Picture(self.tilemap, title, flat_values(step), "closed in step", lines)


class _Recorder:
    """The growing lists of a recording."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._known: dict[int, _Row] = {}
        self._reopened: set[int] = set()
        self._n_met = 0
        self.closed: list[int] = []
        self.n_open: list[int] = [0]
        self.first: list[int] = [0]
        self.before: list[_Row] = []
        self.after: list[_Row] = []
        if not search.done:
            start = search.ends[0]
            self._known[start] = (start, FRONTIER, 0.0, NO_NODE)
            self.n_open[0] = 1

    def record_step(self) -> None:
        """Record the changes of the latest step: its node and neighbors may have changed."""
        search, node = self._search, self._latest_closed()
        self.closed.append(node)
        n_open = self.n_open[-1]
        for now in self._look(list(dict.fromkeys([node, *search.leads_to(node)]))):
            changed = now[0]
            before = self._known.get(changed, (changed, UNSEEN, np.inf, NO_NODE))
            if now == before:
                continue
            n_open += (now[1] == FRONTIER) - (before[1] == FRONTIER)
            if before[1] == DONE:
                self._reopened.add(changed)
            self._known[changed] = now
            self.before.append(before)
            self.after.append(now)
        self.n_open.append(n_open)
        self.first.append(len(self.after))

    def _look(self, nodes: list[int]) -> list[_Row]:
        known = self._search.known_of(np.array(nodes, dtype=np.int64))
        return list(zip(nodes, *(values.tolist() for values in known), strict=True))

    def _latest_closed(self) -> int:
        """Return the node that was closed last, for the first time or again."""
        order = self._search.closed_order
        if len(order) > self._n_met:
            self._n_met = len(order)
            return int(order[-1])
        node = next(row[0] for row in self._look(sorted(self._reopened)) if row[1] == DONE)
        self._reopened.discard(node)
        return node


class Replay:
    """A position in a recording, and the state of the search there.

    Any number of replays can share one recording.

    Parameters
    ----------
    title : str
        The heading; algorithm and heuristic if not given.

    Attributes
    ----------
    state : (n_nodes,) uint8
        `UNSEEN`, `FRONTIER` or `DONE`.
    g : (n_nodes,) float64
        Cost of the best path known so far, in steps for breadth-first search; infinity if none.
    h : (n_nodes,) float64
        Estimated cost to the goal.
    parent : (n_nodes,) int32
        The node before each on its best path; -1 if none.
    """

    def __init__(self, recording: Recording, title: str = "") -> None:
        self.recording = instance_of("recording", recording, Recording)
        self.title = instance_of("title", title, str) or recording.title
        self._step = 0
        n_nodes = len(recording.h)
        self._state = np.full(n_nodes, UNSEEN, dtype=np.uint8)
        self._g = np.full(n_nodes, np.inf)
        self._parent = np.full(n_nodes, NO_NODE, dtype=np.int32)
        if recording.n_open[0]:
            self._state[recording.start], self._g[recording.start] = FRONTIER, 0.0
        self.state, self.g, self.parent = map(read_only, (self._state, self._g, self._parent))
        self.h = recording.h

    @property
    def n_steps(self) -> int:
        """The number of steps."""
        return self.recording.n_steps

    @property
    def step(self) -> int:
        """The number of tiles closed so far, 0..n_steps."""
        return self._step

    @property
    def n_open(self) -> int:
        """The number of open tiles."""
        return int(self.recording.n_open[self._step])

    @property
    def closed(self) -> int:
        """The node that the latest step closed; -1 before the first."""
        return int(self.recording.closed[self._step - 1]) if self._step else NO_NODE

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes of start and goal."""
        return self.recording.start, self.recording.goal

    @property
    def met(self) -> NDArray[np.int32]:
        """(n,) all nodes that any step opens, and the start, without repetition."""
        nodes = self.recording.after["node"]
        return np.unique(np.append(nodes, np.int32(self.recording.start)))

    @property
    def path(self) -> list[Cell]:
        """The cells of the path that the search finds, both ends included; empty if none."""
        return self.recording.path.cells

    @property
    def outcome(self) -> str:
        """The result of the search: the cost of its path, or why there is none."""
        path = self.recording.path
        if not path:
            return tr("no path: {why}", why=plain_reason(path.reason))
        steps = len(path) - 1
        return tr_n("cost {cost}, {n} step", "cost {cost}, {n} steps", steps, cost=plain(path.cost))

    @property
    def opened(self) -> NDArray[np.int32]:
        """(n,) nodes that the latest step met for the first time."""
        return self._improved(is_new=True)

    @property
    def cheaper(self) -> NDArray[np.int32]:
        """(n,) nodes to which the latest step found a cheaper path than the one known before."""
        return self._improved(is_new=False)

    def f_of(self, nodes: ArrayLike) -> NDArray[np.float64]:
        """(n,) values that decide which node is closed next; infinity for unknown nodes."""
        known = checked_nodes("nodes", nodes, len(self.h))
        g, h = self.g[known], self.h[known]
        f: NDArray[np.float64] = h if self.recording.algorithm == "greedy" else g + h
        return np.where(np.isfinite(g), f, np.inf)

    def seek(self, step: int) -> NDArray[np.int32]:
        """Go to a step.

        Returns
        -------
        (n,) int32
            The nodes whose state has changed, without repetition.
        """
        if not 0 <= whole_number("step", step) <= self.n_steps:
            raise IndexError(f"step must be in 0..{self.n_steps}, got {quoted(step)}")
        if step >= self._step:
            rows = self._rows(self.recording.after, self._step, step)
        else:  # in reverse, so that the earliest state of a node wins
            rows = self._rows(self.recording.before, step, self._step)[::-1]
        nodes = rows["node"]
        self._state[nodes], self._g[nodes] = rows["state"], rows["g"]
        self._parent[nodes] = rows["parent"]
        self._step = step
        return np.unique(nodes)

    def _improved(self, *, is_new: bool) -> NDArray[np.int32]:
        before, after = (
            self._rows(changes, max(self._step - 1, 0), self._step)
            for changes in (self.recording.before, self.recording.after)
        )
        is_open = after["state"] == FRONTIER
        nodes: NDArray[np.int32] = after["node"][is_open & ((before["state"] == UNSEEN) == is_new)]
        return nodes

    def _rows(self, changes: NDArray[Any], start: int, end: int) -> NDArray[Any]:
        first = self.recording.first
        return changes[first[start] : first[end]]
