"""Show a search forward and backward, at any of its steps.

A step closes one tile. At step 0 the start is open and nothing is closed. Tiles are nodes, numbered
as in `Search.parent`: (deck * rows + row) * cols + col. A seek updates only what changed in
between.
"""

import numpy as np
from numpy.typing import NDArray

from ai.navigation.search import FRONTIER, UNSEEN, Known, Search
from ai.search.astar import NO_NODE
from ai.search.graph import MILLION, read_only
from terrain3d import Cell
from terrain3d.core.checks import instance_of, plain, quoted, whole_number
from terrain3d.core.translation import tr, tr_n
from terrain3d.grid.reason import plain_reason

MAX_STEPS = 20_000
"""The most steps of a search that is shown, enough for a map of 140 x 140 tiles."""


class Replay:
    """A search that is run to its end, and its state at one of the steps.

    Parameters
    ----------
    search : Search
        One that has begun. Any number of replays can show it.
    title : str
        The heading; algorithm and heuristic if not given.

    Raises
    ------
    ValueError
        It takes more than `MAX_STEPS` steps.
    RuntimeError
        The map was edited since the search began.

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

    def __init__(self, search: Search, title: str = "") -> None:
        self.search = instance_of("search", search, Search)
        self.title = instance_of("title", title, str) or search.title
        if not search.run(MAX_STEPS + 1) or search.expansions > MAX_STEPS:
            raise ValueError(f"the search takes more than {MAX_STEPS} steps")
        self._step = 0
        self.h = read_only(search.h.reshape(-1))
        n_nodes = len(self.h)
        self._state = np.full(n_nodes, UNSEEN, dtype=np.uint8)
        self._g = np.full(n_nodes, np.inf)
        self._parent = np.full(n_nodes, NO_NODE, dtype=np.int32)
        for step in search.steps[:1]:
            self._show(step.before)
        self.state, self.g, self.parent = map(read_only, (self._state, self._g, self._parent))

    @property
    def n_steps(self) -> int:
        """The number of steps."""
        return self.search.expansions

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
        return self.search.steps[self._step - 1].closed if self._step else NO_NODE

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes of start and goal."""
        return self.search.ends

    @property
    def met(self) -> NDArray[np.int32]:
        """(n,) all nodes that any step opens, and the start, without repetition."""
        nodes = {self.ends[0]}.union(*(step.after for step in self.search.steps))
        return np.array(sorted(nodes), dtype=np.int32)

    @property
    def path(self) -> list[Cell]:
        """The cells of the path that the search finds, both ends included; empty if none."""
        path = self.search.path
        return path.cells if path else []

    @property
    def outcome(self) -> str:
        """The result of the search: the cost of its path, or why there is none."""
        path = self.search.path
        assert path is not None
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

    @property
    def f(self) -> NDArray[np.float64]:
        """(n,) values that decide which node is closed next; infinity for unknown nodes."""
        f: NDArray[np.float64] = self.h if self.search.algorithm == "greedy" else self.g + self.h
        return np.where(np.isfinite(self.g), f, np.inf)

    def seek(self, step: int) -> NDArray[np.int32]:
        """Go to a step.

        Returns
        -------
        (n,) int32
            The nodes whose state has changed, without repetition.
        """
        if not 0 <= whole_number("step", step) <= self.n_steps:
            raise IndexError(f"step must be in 0..{self.n_steps}, got {quoted(step)}")
        steps, changed = self.search.steps, dict[int, Known]()
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
            self._g[nodes] = np.array(g) * self.search.unit / MILLION

    def _improved(self, *, is_new: bool) -> NDArray[np.int32]:
        """Return the nodes that the latest step opened, or that it made cheaper."""
        nodes: list[int] = []
        for step in self.search.steps[max(self._step - 1, 0) : self._step]:
            is_unseen = [(each, step.before[each].state == UNSEEN) for each in step.after]
            nodes = [each for each, unseen in is_unseen[1:] if unseen == is_new]
        return np.array(nodes, dtype=np.int32)
