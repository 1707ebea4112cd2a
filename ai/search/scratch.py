"""Working arrays of searches, used again from query to query; every thread needs its own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.kernel import N_PATH, N_SETTLED, gather

_RING_SIZE = 256
_LAST_STAMP = 2**28


class Scratch:
    """Arrays for searches over graphs of one size and one kind of costs.

    About 24 bytes a node for whole costs and 32 for others; pages that no search has touched cost
    nothing on most systems.

    Parameters
    ----------
    n_nodes : int
    is_whole : bool
        Whether costs are small whole numbers.
    """

    def __init__(self, n_nodes: int, *, is_whole: bool) -> None:
        dtype = np.int32 if is_whole else np.float64
        self.state: NDArray[Any] = np.zeros((n_nodes, 2), dtype=dtype)
        self.parent = np.empty(n_nodes, dtype=np.int32)
        self.settled = np.empty(n_nodes, dtype=np.int32)
        self.path = np.empty(n_nodes, dtype=np.int32)
        self.register = np.zeros(10, dtype=np.int64)
        self._ring = np.empty(_RING_SIZE, dtype=np.int32)
        self._make_pool(n_nodes // 2 + 1024)
        self.one_source = np.zeros(1, dtype=np.int32)
        self.no_cost = np.zeros(1, dtype=np.int64 if is_whole else np.float64)
        self.stamp = 0

    def next_stamp(self) -> int:
        """Begin a new search: nothing that an older one marked counts any more."""
        self.stamp += 1
        if self.stamp > _LAST_STAMP:
            self.state[:] = 0
            self.stamp = 1
        return self.stamp

    def grow_pool(self) -> None:
        """Make room for more frontier entries, after a search ran out of them."""
        self._make_pool(2 * len(self.pool))

    def _make_pool(self, size: int) -> None:
        self.pool = np.empty((size, 2), dtype=np.int32)
        self.arrays = (
            self.state,
            self.parent,
            self.settled,
            self.path,
            self.pool,
            self._ring,
            self.register,
        )
        """All of it, in the order in which the compiled search takes it."""

    def block(self, nodes: NDArray[np.int64]) -> None:
        """Keep nodes from being entered by the search whose stamp was taken last."""
        self.state[nodes] = 4 * self.stamp + 1, -1  # closed at a cost that nothing undercuts

    def found_path(self, level: NDArray[Any], *, is_backward: bool = False) -> NDArray[Any]:
        """(4, n) node, cost so far, parent and level along the way that a search has found.

        It leads from a source to the goal, or the other way with `is_backward`.
        """
        length = int(self.register[N_PATH])
        record: NDArray[Any] = gather(
            self.path, length, not is_backward, self.state, self.parent, level
        )
        return record

    def found_nodes(self, level: NDArray[Any]) -> NDArray[Any]:
        """(4, n) node, cost so far, parent and level of all that was settled, in that order."""
        length = int(self.register[N_SETTLED])
        record: NDArray[Any] = gather(self.settled, length, False, self.state, self.parent, level)
        return record

    def settled_nodes(self) -> NDArray[np.int32]:
        """(n,) nodes in the order the search first closed them; a view until the next search."""
        return self.settled[: self.register[N_SETTLED]]
