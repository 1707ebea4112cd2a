"""Record every step of a search, so that it can be shown forward and backward.

A step closes one tile. At step 0 the start is open and nothing is closed. Tiles are nodes, numbered
as in `Search.parent`: (deck * rows + row) * cols + col. A replay shows the search at one of its
steps; a seek updates only what changed in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.path import Path
from ai.navigation.search import FRONTIER, ORDERS, UNSEEN, Expansion, Known, Search
from ai.rules.nodes import checked_nodes
from ai.search.astar import NO_NODE
from ai.search.graph import MILLION, read_only
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


@dataclass(frozen=True)
class Recording(Drawable):
    """The changes made by every step of one search.

    Parameters
    ----------
    algorithm, heuristic, order : str
        As in `Navigation.begin_search`.
    ends : (start, goal)
        Nodes.
    steps : tuple of Expansion
        What each step closed, opened and made cheaper.
    unit : int
        The unit of g in the steps, in millionths.
    h : (decks, rows, cols) float64
        Estimated costs to the goal; read-only.
    path : Path
        The result.
    """

    algorithm: str
    heuristic: str
    order: str
    ends: tuple[int, int]
    steps: tuple[Expansion, ...]
    unit: int
    h: NDArray[np.float64]
    path: Path
    tilemap: TileMap

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
        steps: list[Expansion] = []
        while not search.done:
            if (step := search.expand()) is not None:
                steps.append(step)
            if len(steps) > max_steps:
                raise ValueError(f"the search takes more than {max_steps} steps, see max_steps")
        h, path = search.h, search.path
        assert path is not None
        return cls(
            algorithm=search.algorithm,
            heuristic=search.heuristic,
            order=search.order,
            ends=search.ends,
            steps=tuple(steps),
            unit=search.unit,
            h=read_only(h if h.ndim == 3 else h[None]),
            path=path,
            tilemap=search.tilemap,
        )

    @property
    def n_steps(self) -> int:
        """The number of tiles that the search closed."""
        return len(self.steps)

    @property
    def closed(self) -> NDArray[np.int32]:
        """(n_steps,) the node that each step closed."""
        return np.array([step.closed for step in self.steps], dtype=np.int32)

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
        step = np.full(self.h.shape, np.inf)
        step.flat[self.closed] = np.arange(1, self.n_steps + 1)
        lines = (Line(tuple(self.path), f"path, cost {self.path.cost}"),) if self.path else ()
        title = f"{self.title}: {self.n_steps} tiles closed"
        return Picture(self.tilemap, title, flat_values(step), "closed in step", lines)


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
        n_nodes = recording.h.size
        self._state = np.full(n_nodes, UNSEEN, dtype=np.uint8)
        self._g = np.full(n_nodes, np.inf)
        self._parent = np.full(n_nodes, NO_NODE, dtype=np.int32)
        for step in recording.steps[:1]:
            self._show(step.before)
        self.state, self.g, self.parent = map(read_only, (self._state, self._g, self._parent))
        self.h = recording.h.reshape(-1)

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
        return int((self._state == FRONTIER).sum())

    @property
    def closed(self) -> int:
        """The node that the latest step closed; -1 before the first."""
        return self.recording.steps[self._step - 1].closed if self._step else NO_NODE

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes of start and goal."""
        return self.recording.ends

    @property
    def met(self) -> NDArray[np.int32]:
        """(n,) all nodes that any step opens, and the start, without repetition."""
        nodes = {self.ends[0]}.union(*(step.after for step in self.recording.steps))
        return np.array(sorted(nodes), dtype=np.int32)

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
        steps, changed = self.recording.steps, dict[int, Known]()
        for each in steps[self._step : step]:
            changed |= each.after
        for each in steps[step : self._step][::-1]:  # the earliest state of a node wins
            changed |= each.before
        self._show(changed)
        self._step = step
        return np.array(sorted(changed), dtype=np.int32)

    def _show(self, known: dict[int, Known]) -> None:
        nodes = list(known)
        if nodes:
            self._state[nodes], g, self._parent[nodes] = zip(*known.values(), strict=True)
            self._g[nodes] = np.array(g) * self.recording.unit / MILLION

    def _improved(self, *, is_new: bool) -> NDArray[np.int32]:
        """Return the nodes that the latest step opened, or that it made cheaper."""
        nodes: list[int] = []
        for step in self.recording.steps[max(self._step - 1, 0) : self._step]:
            is_unseen = [(each, step.before[each].state == UNSEEN) for each in step.after]
            nodes = [each for each, unseen in is_unseen[1:] if unseen == is_new]
        return np.array(nodes, dtype=np.int32)
