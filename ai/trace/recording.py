"""A search from its first step to its last, kept so that it can be shown forward and back.

A step closes one tile. Step 0 is the beginning: the start is open, nothing is closed. Tiles are
nodes, as `Search.parent` counts them: (deck * rows + row) * cols + col.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ai.navigation.path import Path
from ai.navigation.resumable_search import DONE, FRONTIER, UNSEEN, Search
from ai.search import NO_NODE

NAMES = {
    "astar": "A*",
    "dijkstra": "Dijkstra",
    "bfs": "Breadth first",
    "greedy": "Greedy best first",
}
"""What people call the algorithms."""

MAX_STEPS = 20_000
"""The most steps that are recorded unless more are asked for: a map of 140 x 140 tiles."""

_KNOWN = np.dtype(
    [("node", np.int32), ("state", np.uint8), ("g", np.float64), ("parent", np.int32)]
)
_Row = tuple[int, int, float, int]


@dataclass(frozen=True)
class Recording:
    """What every step of one search did; every array is read-only.

    Parameters
    ----------
    algorithm, heuristic : str
        As in `Navigation.begin_search`.
    start, goal : int
        Nodes.
    shape : (decks, rows, cols)
        Of the map's surfaces.
    closed : (n_steps,) int32
        The node that each step closed; one that became cheaper after that is closed again.
    n_open : (n_steps + 1,) int32
        How many nodes are open after so many steps.
    first : (n_steps + 1,) int64
        What step i changed are entries first[i] to first[i + 1]; the node that it closed first,
        then those that it opened or made cheaper.
    before, after : (n_changes,) of node, state, g, parent
        What was known of them, and what is known since.
    h : (n_nodes,) float64
        Estimates of the cost that is left.
    path : Path
        The answer.
    """

    algorithm: str
    heuristic: str
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

    def __post_init__(self) -> None:
        """Close the arrays to writing."""
        for array in (self.closed, self.n_open, self.first, self.before, self.after, self.h):
            array.flags.writeable = False

    @classmethod
    def of(cls, search: Search, max_steps: int = MAX_STEPS) -> Self:
        """Run a search to its end and record every step of it.

        Parameters
        ----------
        search : Search
            Begun, and not yet run.
        max_steps : int

        Raises
        ------
        ValueError
            It has been run already, or takes more steps than `max_steps`.
        RuntimeError
            The map was edited since the search began.
        """
        if search.expansions:
            raise ValueError(
                f"a recording needs a search that has not been run, "
                f"this one has closed {search.expansions} tiles"
            )
        tape = _Tape(search)
        while not search.done:
            search.run(max_expansions=1)
            if search.expansions == len(tape.closed):  # nothing was left to close
                break
            if len(tape.closed) >= max_steps:
                raise ValueError(f"the search takes more than {max_steps} steps, see max_steps")
            tape.note()
        h = search.h
        path = search.path
        assert path is not None
        return cls(
            algorithm=search.algorithm,
            heuristic=search.heuristic,
            start=search.ends[0],
            goal=search.ends[1],
            shape=h.shape if h.ndim == 3 else (1, *h.shape),
            closed=np.array(tape.closed, dtype=np.int32),
            n_open=np.array(tape.n_open, dtype=np.int32),
            first=np.array(tape.first, dtype=np.int64),
            before=np.array(tape.before, dtype=_KNOWN),
            after=np.array(tape.after, dtype=_KNOWN),
            h=h.reshape(-1),
            path=path,
        )

    @property
    def n_steps(self) -> int:
        """How many tiles the search closed."""
        return len(self.closed)

    @property
    def title(self) -> str:
        """The algorithm, and the estimate if it has one, as people write them."""
        name = NAMES[self.algorithm]
        return name if self.heuristic == "zero" else f"{name}, estimate {self.heuristic}"


class _Tape:
    """What is known after each step, as lists that grow."""

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

    def note(self) -> None:
        """Write down what the step just taken has changed: only what it led to can have."""
        search, node = self._search, self._closed_now()
        self.closed.append(node)
        n_open = self.n_open[-1]
        for now in self._look(list(dict.fromkeys([node, *search.leads_to(node)]))):
            there = now[0]
            before = self._known.get(there, (there, UNSEEN, np.inf, NO_NODE))
            if now == before:
                continue
            n_open += (now[1] == FRONTIER) - (before[1] == FRONTIER)
            if before[1] == DONE:
                self._reopened.add(there)
            self._known[there] = now
            self.before.append(before)
            self.after.append(now)
        self.n_open.append(n_open)
        self.first.append(len(self.after))

    def _look(self, nodes: list[int]) -> list[_Row]:
        known = self._search.known_of(np.array(nodes, dtype=np.int64))
        return list(zip(nodes, *(values.tolist() for values in known), strict=True))

    def _closed_now(self) -> int:
        """Find the node that was closed last, for the first time or again."""
        order = self._search.closed_order
        if len(order) > self._n_met:
            self._n_met = len(order)
            return int(order[-1])
        node = next(row[0] for row in self._look(sorted(self._reopened)) if row[1] == DONE)
        self._reopened.discard(node)
        return node
