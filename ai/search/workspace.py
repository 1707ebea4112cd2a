"""Working arrays of searches, used again from query to query; every thread needs its own."""

import itertools
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search import astar_int
from ai.search.distance_heuristic import NodeLayout
from ai.search.search_state import CLOSED, N_EXPANDED, N_REGISTERS, N_SETTLED, NO_NODE

_RING_SIZE = 256
_LAST_STAMP = 2**28
_ROOM_FOR_WAYS = 2**15  # beside the longest one; in cells, for many searches in one call


class Workspace(ABC):
    """Arrays for searches over graphs of one size and one kind of costs.

    Up to 80 bytes a node, of which most searches touch a few; pages that none has touched cost
    nothing on most systems.

    Parameters
    ----------
    n_nodes : int
    """

    is_whole: bool
    _cost_dtype: type[np.generic]
    _record_dtype: type[np.generic]

    def __init__(self, n_nodes: int) -> None:
        self.settled = np.empty(n_nodes, dtype=np.int32)
        self.register = np.zeros(N_REGISTERS, dtype=np.int64)
        self._ring = np.empty(_RING_SIZE, dtype=np.int32)
        room = n_nodes + _ROOM_FOR_WAYS
        self._record: NDArray[Any] = np.empty((room, 5), dtype=self._record_dtype)
        self.one_source = np.zeros(1, dtype=np.int32)
        self.no_cost: NDArray[Any] = np.zeros(1, dtype=self._cost_dtype)
        self.one_goal = np.zeros(1, dtype=np.int32)
        self._one_length = np.zeros(1, dtype=np.int64)  # of the way that the last search found
        self.regions = 0  # which regions it looked at, a bit each
        self._make_pool(3 * n_nodes // 2 + 1024)

    @staticmethod
    def of(n_nodes: int, *, is_whole: bool) -> "Workspace":
        """Make the arrays for graphs with small whole costs, or with any."""
        return IntWorkspace(n_nodes) if is_whole else FloatWorkspace(n_nodes)

    @abstractmethod
    def begin(self) -> None:
        """Begin a new search: nothing that an older one marked counts any more."""

    @abstractmethod
    def block(self, nodes: NDArray[np.int64]) -> None:
        """Keep nodes from being entered by the search that was begun last."""

    @abstractmethod
    def arguments(self) -> tuple[Any, ...]:
        """Give what a search works in, as the compiled one takes it."""

    @abstractmethod
    def _make_pool(self, size: int) -> None:
        """Make room for so many entries of the frontier."""

    @abstractmethod
    def decode(
        self, nodes: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.int32]]:
        """(n,) phase (-1: unseen), cost (infinity if unseen), parent (-1: none), of all or some."""

    @abstractmethod
    def found_nodes(self, layout: NodeLayout) -> NDArray[Any]:
        """(n, 6) row, column, deck, cost, level and parent's entry of all settled nodes.

        By cost; a node without a parent has -1 as its entry.
        """

    def grow_pool(self) -> None:
        """Make room for more frontier entries, after a search ran out of them."""
        self._make_pool(2 * len(self.pool))

    def found_path(self) -> NDArray[Any]:
        """(n, 5) row, column, deck, cost so far and level along the way that a search found."""
        return self._record[: self._one_length.item()].copy()

    @property
    def has_path(self) -> bool:
        """Whether it found one."""
        return bool(self._one_length.item())

    def one_way(self) -> tuple[Any, ...]:
        """Give source, goal, and room for a way and its length, as compiled code takes them."""
        return self.one_source, self.one_goal, self._record, self._one_length

    def many_ways(self, count: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Give room for the lengths of so many ways, and for as many of them as fit in."""
        return np.zeros(count, dtype=np.int64), self._record

    def found_paths(self, lengths: NDArray[np.int64]) -> list[NDArray[Any]]:
        """Give the ways of many searches, as `found_path` gives one; empty where there is none."""
        ends = [0, *np.cumsum(lengths).tolist()]
        all_of_them = self._record[: ends[-1]].copy()
        return [all_of_them[first:last] for first, last in itertools.pairwise(ends)]

    @property
    def n_expanded(self) -> int:
        """How many nodes the search closed; one that was closed twice counts twice."""
        return int(self.register[N_EXPANDED])

    def settled_nodes(self) -> NDArray[np.int32]:
        """(n,) nodes in the order the search first closed them; a view until the next search."""
        return self.settled[: self.register[N_SETTLED]]

    arrays: tuple[Any, ...]
    """In the order in which the compiled search takes them."""
    pool: NDArray[np.int32]


class IntWorkspace(Workspace):
    """For small whole costs; see `whole` for what the words of its state mean."""

    is_whole = True
    _cost_dtype = np.int64
    _record_dtype = np.int32

    def __init__(self, n_nodes: int) -> None:
        self.node_bits = max(1, (n_nodes - 1).bit_length())
        self._first_generation = 2 ** (62 - self.node_bits - astar_int.COST_BITS) - 1
        self.generation = self._first_generation + 1
        self.state = np.full(n_nodes, np.iinfo(np.int64).max)
        self._entry_of = np.empty(n_nodes, dtype=np.int32)
        super().__init__(n_nodes)

    def begin(self) -> None:
        """Count the generation down; at its end forget everything."""
        self.generation -= 1
        if self.generation == 0:
            self.state[:] = np.iinfo(np.int64).max
            self.generation = self._first_generation

    def arguments(self) -> tuple[Any, ...]:
        """Give the generation and all arrays."""
        return (self.node_bits, self.generation, *self.arrays, self._one_length)

    def dijkstra_arguments(self) -> tuple[Any, ...]:
        """Give the generation and those arrays that a flood needs."""
        return (self.node_bits, self.generation, self.state, self.settled, self.pool, self.register)

    def begin_many(self, count: int) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
        """Begin up to so many searches at once; give room for their lengths, and the arguments.

        On the largest graphs there are few eras, and so they are fewer.
        """
        count = min(count, self._first_generation)
        if self.generation <= count:
            self.generation = 1
        self.begin()
        lengths = np.zeros(count, dtype=np.int64)
        arguments = (self.node_bits, self.generation, *self.arrays, lengths)
        self.generation -= count - 1
        return lengths, arguments

    def block(self, nodes: NDArray[np.int64]) -> None:
        """Mark nodes with a word that no step undercuts."""
        self.state[nodes] = (self.generation << (self.node_bits + 1 + astar_int.COST_BITS)) - 1

    def _make_pool(self, size: int) -> None:
        self.pool = np.empty((size, 2), dtype=np.int32)
        due = np.empty(size, dtype=np.int64)
        self.arrays = (
            self.state, self.settled, self.pool, due, self._ring, self.register, self._record,
        )  # fmt: skip

    def decode(
        self, nodes: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.int32]]:
        """Take words apart."""
        decoded: tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.int32]] = astar_int.decode(
            self.state, nodes, self.node_bits, self.generation
        )
        return decoded

    def found_nodes(self, layout: NodeLayout) -> NDArray[Any]:
        """Gather what was settled, which was by cost."""
        record: NDArray[np.int32] = astar_int.gather(
            self.settled,
            int(self.register[N_SETTLED]),
            self.state,
            self.node_bits,
            self.generation,
            layout.cols,
            layout.n_cells,
            layout.level,
            self._entry_of,
        )
        return record


class FloatWorkspace(Workspace):
    """For any costs; `state[node]` is (mark, cost so far), see `fractional`."""

    is_whole = False
    _cost_dtype = np.float64
    _record_dtype = np.float64

    def __init__(self, n_nodes: int) -> None:
        self.state = np.zeros((n_nodes, 2))
        self.parent = np.empty(n_nodes, dtype=np.int32)
        self.stamp = 0
        super().__init__(n_nodes)

    def begin(self) -> None:
        """Count the stamp up; at its end forget everything."""
        self.stamp += 1
        if self.stamp > _LAST_STAMP:
            self.state[:] = 0
            self.stamp = 1

    def arguments(self) -> tuple[Any, ...]:
        """Give the stamp and all arrays."""
        return (self.stamp, *self.arrays, self._one_length)

    def block(self, nodes: NDArray[np.int64]) -> None:
        """Mark nodes as closed at a cost that nothing undercuts."""
        self.state[nodes] = 4 * self.stamp + CLOSED, -1

    def _make_pool(self, size: int) -> None:
        self.pool = np.empty((size, 2), dtype=np.int32)
        self.arrays = (
            self.state, self.parent, self.settled, self.pool, self._ring, self.register,
            self._record,
        )  # fmt: skip

    def decode(
        self, nodes: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.int32]]:
        """Tell what marks mean."""
        which = slice(None) if nodes is None else nodes
        mark, cost = self.state[which, 0] - 4 * self.stamp, self.state[which, 1]
        seen = (mark >= 0) & (cost >= 0)  # blocked nodes are not
        phase = np.where(seen, mark, -1).astype(np.int8)
        parent = np.where(seen, self.parent[which], np.int32(NO_NODE))
        return phase, np.where(seen, cost, np.inf), parent

    def found_nodes(self, layout: NodeLayout) -> NDArray[Any]:
        """Gather what was settled, sorted, as a bucket is settled in no order."""
        nodes = self.settled_nodes()
        nodes = nodes[np.argsort(self.state[nodes, 1], kind="stable")]
        entry_of = np.empty(len(self.settled) + 1, dtype=np.int64)
        entry_of[nodes], entry_of[NO_NODE] = np.arange(len(nodes)), NO_NODE
        deck, inside = np.divmod(nodes, layout.n_cells)
        row, col = np.divmod(inside, layout.cols)
        parts = row, col, deck, self.state[nodes, 1], layout.level[nodes]
        return np.column_stack([*parts, entry_of[self.parent[nodes]]])
