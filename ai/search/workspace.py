"""Workspaces: the reusable arrays of searches, one workspace per thread."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import Bundle
from ai.search.astar import Decoded, decode, gather
from ai.search.equal_paths import COST_BITS
from ai.search.search_state import CLOSED, N_EXPANDED, N_PHASES, N_REGISTERS, N_SETTLED, NO_NODE

_RING_SIZE = 256
_N_GENERATIONS = 2**28


class Workspace(ABC):
    """Arrays for searches over graphs of one size and one kind of costs.

    They take up to 80 bytes per node. Most searches touch few of them; on most systems untouched
    pages take no memory.
    """

    is_whole: bool
    _cost_dtype: type[np.generic]
    _record_dtype: type[np.generic]
    _unseen: float

    def __init__(self, n_nodes: int, n_generations: int) -> None:
        shape = n_nodes if self.is_whole else (n_nodes, 2)
        self.state: NDArray[Any] = np.full(shape, self._unseen)
        self._n_generations = n_generations
        self.generation = n_generations + 1
        self.settled = np.empty(n_nodes, dtype=np.int32)
        self.register = np.zeros(N_REGISTERS, dtype=np.int64)
        self._ring = np.empty(_RING_SIZE, dtype=np.int32)
        self._record: NDArray[Any] = np.empty((n_nodes, 5), dtype=self._record_dtype)
        self.one_source = np.zeros(1, dtype=np.int32)
        self.no_cost: NDArray[Any] = np.zeros(1, dtype=self._cost_dtype)
        self.path_length = 0
        """Of the path that the last search found."""
        self._entry_of = np.empty(n_nodes, dtype=np.int32)
        self.cost_weight = np.ones(1 if self.is_whole else (1, 1))
        self._make_pool(3 * n_nodes // 2 + 1024)

    @staticmethod
    def of(n_nodes: int, *, is_whole: bool) -> "Workspace":
        """Return a workspace for graphs with small whole costs, or with any costs."""
        return IntWorkspace(n_nodes) if is_whole else FloatWorkspace(n_nodes)

    def begin(self, count: int = 1, blocked: NDArray[np.int64] | None = None) -> int:
        """Begin up to `count` searches in the generations from this one down; return how many.

        The first one cannot enter `blocked` nodes.
        The marks of older ones no longer count: they are of higher generations. The state is
        cleared when too few are left. On the largest graphs there are fewer than `count`.
        """
        if self.generation <= count:
            count = min(count, self._n_generations)
            self.state[:] = self._unseen
            self.generation = self._n_generations + 1
        self.generation -= 1
        if blocked is not None and len(blocked):
            self._block(blocked)
        return count

    @abstractmethod
    def _block(self, nodes: NDArray[np.int64]) -> None:
        """Block nodes for the search that began last."""

    @abstractmethod
    def _make_pool(self, size: int) -> None:
        """Allocate `size` entries of the frontier."""

    def _make_bundle(self, size: int, *own: NDArray[Any]) -> None:
        """Bundle the arrays for the compiled searches, with those of one kind of costs last."""
        self.pool = np.empty((size, 2), dtype=np.int32)
        self.bundle = Bundle(
            self.state, self.settled, self.pool, self._ring, self.register, self._record,
            self._entry_of, *own,
        )  # fmt: skip

    @abstractmethod
    def decode(self, nodes: NDArray[np.int64] | None = None) -> Decoded:
        """(n,) phase (-1: unseen), cost (infinity if unseen), parent (-1: none), of all or some."""

    def grow_pool(self) -> None:
        """Double the frontier entries, after a search ran out of them."""
        self._make_pool(2 * len(self.pool))

    def found_path(self) -> NDArray[Any]:
        """(n, 5) row, column, deck, cost so far and level along the path of the last search."""
        return self._record[: self.path_length].copy()

    @property
    def n_expanded(self) -> int:
        """How many nodes the search closed; a node closed twice counts twice."""
        return int(self.register[N_EXPANDED])

    def settled_nodes(self) -> NDArray[np.int32]:
        """(n,) nodes in the order the search first closed them; a view until the next search."""
        return self.settled[: self.register[N_SETTLED]]

    bundle: Bundle
    """The arrays for the compiled searches."""
    generation: int
    """The number of the search, by which it knows its own marks."""
    pool: NDArray[np.int32]


class IntWorkspace(Workspace):
    """A workspace for small whole costs; `astar` describes the words of its state."""

    is_whole = True
    _cost_dtype = np.int64
    _record_dtype = np.int32
    _unseen = np.iinfo(np.int64).max

    def __init__(self, n_nodes: int) -> None:
        self.node_bits = 1 + max(1, (n_nodes - 1).bit_length())  # `dijkstra_int` needs one more
        n_generations = 2 ** (62 - self.node_bits - COST_BITS) - 1
        super().__init__(n_nodes, n_generations)

    def _block(self, nodes: NDArray[np.int64]) -> None:
        """Mark nodes with a word below that of any step."""
        self.state[nodes] = (self.generation << (self.node_bits + 1 + COST_BITS)) - 1

    def _make_pool(self, size: int) -> None:
        self._make_bundle(size, np.empty(size, dtype=np.int64), np.array([self.node_bits]))

    def decode(self, nodes: NDArray[np.int64] | None = None) -> Decoded:
        """Decode the words of the state."""
        return decode(self.state, nodes, self.node_bits, self.generation)


class FloatWorkspace(Workspace):
    """A workspace for any costs; `state[node]` is (mark, cost so far), see `astar`."""

    is_whole = False
    _cost_dtype = np.float64
    _record_dtype = np.float64
    _unseen = np.inf

    def __init__(self, n_nodes: int) -> None:
        self.parent = np.empty(n_nodes, dtype=np.int32)
        super().__init__(n_nodes, _N_GENERATIONS)

    def _block(self, nodes: NDArray[np.int64]) -> None:
        """Mark nodes as closed at a cost from which no step adds up to that of another node."""
        self.state[nodes] = N_PHASES * self.generation + CLOSED, -np.inf

    def _make_pool(self, size: int) -> None:
        self._make_bundle(size, self.parent)

    def decode(self, nodes: NDArray[np.int64] | None = None) -> Decoded:
        """Decode the marks of the state."""
        which = slice(None) if nodes is None else nodes
        mark, cost = self.state[which, 0] - N_PHASES * self.generation, self.state[which, 1]
        seen = (mark < N_PHASES) & (cost >= 0)  # blocked nodes are not
        phase = np.where(seen, mark, -1).astype(np.int8)
        parent = np.where(seen, self.parent[which], np.int32(NO_NODE))
        return phase, np.where(seen, cost, np.inf), parent

    def found_nodes(self, graph: Bundle) -> NDArray[Any]:
        """Gather the settled nodes and sort them; the order inside a bucket is arbitrary."""
        nodes = self.settled_nodes()
        nodes = nodes[np.argsort(self.state[nodes, 1], kind="stable")]
        self._entry_of[nodes] = np.arange(len(nodes))
        return gather(graph.words, self.bundle.words, nodes[:, None], self.generation)
