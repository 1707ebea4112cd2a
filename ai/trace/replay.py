"""Show a recorded search at one of its steps; a seek updates only what changed in between."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.resumable_search import FRONTIER, UNSEEN
from ai.rules.nodes import checked_nodes
from ai.search.distance_heuristic import read_only
from ai.search.search_state import NO_NODE
from ai.trace.recording import Recording
from terrain3d import Cell
from terrain3d.core.checks import instance_of, whole_number
from terrain3d.core.wording import counted, plain
from terrain3d.grid.reason import plain_reason


class Replay:
    """A position in a recording, and the state of the search there.

    Any number of replays can share one recording.

    Parameters
    ----------
    recording : Recording
    title : str
        The heading; algorithm and heuristic if not given.

    Attributes
    ----------
    title : str
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
            return f"no path: {plain_reason(path.reason)}"
        return f"cost {plain(path.cost)}, {counted(len(path) - 1, 'step')}"

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

        Raises
        ------
        IndexError
            There is no such step.
        """
        if not 0 <= whole_number("step", step) <= self.n_steps:
            raise IndexError(f"step must be in 0..{self.n_steps}, got {step}")
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
