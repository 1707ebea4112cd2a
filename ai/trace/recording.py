"""Record every step of a search, so that it can be shown forward and backward.

A step closes one tile. At step 0 the start is open and nothing is closed. Tiles are nodes, numbered
as in `Search.parent`: (deck * rows + row) * cols + col.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path
from ai.navigation.resumable_search import DONE, FRONTIER, ORDERS, UNSEEN, Search
from ai.search.search_state import NO_NODE
from terrain3d import TileMap
from terrain3d.core.checks import instance_of, whole_within
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
    tilemap : TileMap
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
        max_steps : int

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
    def title(self) -> str:
        """The display name of the algorithm, the heuristic if it has one, and a chosen order."""
        heuristic = "" if self.heuristic == "zero" else f", heuristic {self.heuristic}"
        order = "" if self.order == ORDERS[0] else f", {self.order.replace('_', ' ')}"
        return NAMES[self.algorithm] + heuristic + order

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
