"""The life cycle of a profile's index: requested, being built, in use, outdated."""

from typing import NamedTuple

from ai.navigation.profile_graph import GraphChange, ProfileGraph
from ai.search import (
    MAX_HOP_NODES,
    Graph,
    Index,
    Landmarks,
    Predecessors,
    Progress,
    default_index_size,
    make_index,
)


class IndexTask(NamedTuple):
    """All that is needed to build an index in another thread, and the state it was made for."""

    forward: Graph
    backward: Graph
    size: int
    least_step: float
    n_outdated: int

    def run(self, progress: Progress | None) -> Index | None:
        """Build the index; None if no edge leads anywhere."""
        return make_index(self.forward, self.backward, self.size, self.least_step, progress)


class ProfileIndex:
    """The index of one profile's graph: which one is requested and which one is in use.

    Only `GraphCache` calls its methods, under its lock; `current` may be read without one.
    """

    def __init__(self, graph: ProfileGraph) -> None:
        self.current: Index | None = None
        """The index in use."""
        self.is_requested = False
        self._graph = graph
        self._n_landmarks: int | None = None  # None: as many as suit the graph
        self._is_building = False
        self._n_outdated = 0  # how often an index that is being built has become wrong

    @property
    def is_missing(self) -> bool:
        """Whether an index is requested and no index is in use."""
        return self.is_requested and self.current is None

    def request(self, n_landmarks: int | None) -> None:
        """Request an index of a size, also in place of one that is being built."""
        if self.is_requested and n_landmarks != self._n_landmarks:
            self._n_outdated += 1
        self.is_requested, self._n_landmarks = True, n_landmarks

    def request_same(self, other: "ProfileIndex") -> None:
        """Request the index that was requested for an earlier graph."""
        self.is_requested, self._n_landmarks = other.is_requested, other._n_landmarks

    def adopt(self, index: Index | None) -> None:
        """Use an index from now on."""
        self.current = index

    def load(self, index: Index) -> None:
        """Use an index from a file, and request one of its size from now on."""
        self.request(len(index.striped_costs) // 2 if isinstance(index, Landmarks) else None)
        self.adopt(index)

    def update(self, change: GraphChange) -> None:
        """Drop the index if a change makes it wrong.

        Landmarks bound costs from below: that holds until an edge gets cheaper.
        """
        if not change.has_new_costs:
            return
        if change.is_cheaper or isinstance(self.current, Predecessors):
            self.current = None
        # On a small graph an index of all pairs may be in the making.
        if change.is_cheaper or self._graph.forward.n_nodes <= MAX_HOP_NODES:
            self._n_outdated += 1

    def begin_build(self) -> bool:
        """Note that a thread builds the index; False if another thread already does."""
        is_first = not self._is_building
        self._is_building = True
        return is_first

    def end_build(self) -> None:
        """Note that no thread builds the index any more."""
        self._is_building = False

    def task(self) -> IndexTask:
        """Return a task that builds the index that is requested now."""
        n_nodes = self._graph.forward.n_nodes
        size = default_index_size(n_nodes) if self._n_landmarks is None else self._n_landmarks
        return IndexTask(*self._graph.snapshot(), size, self._graph.least_step, self._n_outdated)

    def is_outdated(self, task: IndexTask) -> bool:
        """Return whether an index built by a task would be wrong or not the requested one."""
        return task.n_outdated != self._n_outdated
