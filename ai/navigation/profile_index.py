"""The life cycle of a profile's index: requested, being built, in use, repaired after edits."""

import copy
import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.profile_graph import GraphChange, ProfileGraph
from ai.rules.nodes import NO_NODES
from ai.search.graph import Graph
from ai.search.hub_labels import HubLabels, LabelPlan
from ai.search.landmarks import Landmarks, Progress, choose_landmarks, repair_landmarks

AUTO, LABELS, LANDMARKS = KINDS = "auto", "labels", "landmarks"
"""Kinds of indexes: "auto" are labels if they serve and take little memory, else landmarks."""
_MAX_BYTES = {AUTO: 64 * 10**6, LABELS: 512 * 10**6, LANDMARKS: -1}
"""The most memory for labels."""
_LANDMARKS_BESIDE = 16
"""Landmarks beside labels, for the queries after an edit."""
_USUAL_LANDMARKS, _LEAST_LANDMARKS = 64, 16
_ENTRIES = 2**24  # of a larger graph's index: reading more costs as much as more landmarks save
_WORN_SHARE = 1 / 16
"""The share of nodes around edits after which landmarks are measured again."""


class IndexWish(NamedTuple):
    """Which index is requested."""

    kind: str = AUTO
    n_landmarks: int | None = None
    """None: as many as suit the graph, or beside labels."""

    @property
    def max_bytes(self) -> int:
        """The most memory that labels may take; -1 if none are wanted."""
        return _MAX_BYTES[self.kind] if self.n_landmarks is None else -1

    def check_size(self, graph: Graph) -> None:
        """Raise `ValueError` if labels are wanted that take too much memory."""
        plan = LabelPlan.of(graph) if self.kind == LABELS else None
        if plan is not None and plan.n_bytes > self.max_bytes:
            raise ValueError(
                f"labels of this map would take {plan.n_bytes / 1e6:,.0f} MB, more than "
                f'{self.max_bytes / 1e6:.0f} MB; use kind="{LANDMARKS}"'
            )

    def size_for(self, n_nodes: int, plan: LabelPlan | None) -> int:
        """Return the number of landmarks for a graph, alone or beside labels."""
        if self.n_landmarks is not None:
            return self.n_landmarks
        usual = min(_USUAL_LANDMARKS, max(_LEAST_LANDMARKS, _ENTRIES // n_nodes))
        return usual if plan is None else _LANDMARKS_BESIDE


class IndexTask(NamedTuple):
    """All that is needed to build an index in another thread, and the state it was made for."""

    graph: Graph
    wish: IndexWish
    has_labels: bool
    """Whether labels are built now, if they are wanted."""
    n_edits: int
    cheaper: list[NDArray[np.int64]]
    """For each edit since then, the nodes out of which an edge is new or cheaper."""

    def run(self, progress: Progress | None) -> tuple[Landmarks | None, HubLabels | None]:
        """Build landmarks, and labels if they are part of it; None if no edge leads anywhere."""
        plan = LabelPlan.of(self.graph, self.wish.max_bytes)
        builds, size = plan is not None and self.has_labels, self.graph.n_nodes
        count, report = self.wish.size_for(size, plan), None if builds else progress
        landmarks = choose_landmarks(self.graph, count, report)
        if landmarks is None:
            return None, None
        repair_landmarks(landmarks, self.graph, NO_NODES)  # compiles it before the first edit
        return landmarks, plan.build(progress) if plan is not None and builds else None


class ProfileIndex:
    """The index of one profile's graph: which one is requested and which one is in use.

    Landmarks are repaired at each edit. Labels are dropped by it, and are built again after as many
    queries as the graph has nodes: they would not pay off between frequent edits. All but `build`
    and `build_in_background`, which take the map's lock, is called with that lock.

    Parameters
    ----------
    building : threading.Lock
        Held by the one thread that builds in the background, or quick edits would pile up threads.
    """

    def __init__(self, graph: ProfileGraph, building: threading.Lock) -> None:
        self.is_requested = False
        self.is_dropped = False
        """Whether nobody asks for it any more."""
        self.landmarks: Landmarks | None = None
        """The bounds that are kept valid through edits."""
        self.labels: HubLabels | None = None
        """Labels, if there are some of the graph as it is."""
        self.n_queries_left = 0
        """Queries until labels are built again; 0 if nothing is counted."""
        self._graph, self._building = graph, building
        self._wish = IndexWish()
        self._is_building = False
        self._tasks: list[IndexTask] = []
        self._n_edits = 0
        self._n_changed = 0  # nodes around edits since the landmarks were measured

    @property
    def is_due(self) -> bool:
        """Whether a requested index is missing, or its bounds have become too low."""
        if not self.is_requested or self.labels is not None:
            return False
        return self.landmarks is None or self._n_changed > self._graph.forward.n_nodes * _WORN_SHARE

    @property
    def _wants_labels(self) -> bool:
        return self._wish.max_bytes >= 0 and self._graph.forward.is_small

    def request(self, wish: IndexWish) -> None:
        """Request an index, also in place of one that is being built.

        Raises `ValueError` for labels that would take too much memory.
        """
        wish.check_size(self._graph.forward)
        self.is_requested, self._wish = True, wish
        self.n_queries_left = 0
        if wish.max_bytes < 0:
            self.labels = None

    def request_same(self, other: "ProfileIndex") -> None:
        """Request the index that was requested for an earlier graph, in place of it."""
        other.is_dropped = True
        self.is_requested, self._wish = other.is_requested, other._wish
        self._count_again()

    def _count_again(self) -> None:
        """Begin to count the queries after which labels are built again, if they are wanted."""
        is_wanted = self.is_requested and self._wants_labels
        self.n_queries_left = self._graph.forward.n_nodes if is_wanted else 0

    def count_query(self) -> None:
        """Count down the queries until labels are worth the time to build them."""
        self.n_queries_left -= 1
        if not self.n_queries_left:
            self.build_in_background()

    def follow(self, change: GraphChange) -> None:
        """Lower the bounds that a change of the graph would make wrong."""
        if not change.has_new_costs:
            return
        self.labels = None
        self._count_again()
        self._n_edits += 1
        self._n_changed += sum(rect.rows * rect.cols for rect in change.touched)
        if not self.is_requested:
            return
        cheaper = self._graph.cheaper_nodes(change)
        for task in self._tasks:
            task.cheaper.append(cheaper)
        if self.landmarks is not None and len(cheaper):
            repair_landmarks(self.landmarks, self._graph.forward, cheaper)

    def build(self, progress: Progress | None = None) -> None:
        """Build the requested index, and again if the map changes meanwhile."""
        lock = self._graph.tilemap.lock
        is_done = False
        while not (is_done or self.is_dropped):
            with lock:
                task = self._open_task()
            try:
                built = task.run(progress)
                with lock:
                    is_done = self._adopt(task, *built)
            finally:
                with lock:
                    self._tasks = [each for each in self._tasks if each is not task]

    def build_in_background(self, progress: Progress | None = None) -> None:
        """Let another thread build the requested index, unless one does already."""

        def build() -> None:
            try:
                with self._building:
                    self.build(progress)
            except BaseException:
                self._is_building = False
                raise

        if not self._is_building:
            self._is_building = True
            threading.Thread(target=build, daemon=True).start()

    def _open_task(self) -> IndexTask:
        """Return a task that builds the index that is requested now."""
        graph = copy.copy(self._graph.forward)
        task = IndexTask(graph, self._wish, not self.n_queries_left, self._n_edits, [])
        self._tasks.append(task)
        return task

    def _adopt(
        self, task: IndexTask, landmarks: Landmarks | None, labels: HubLabels | None
    ) -> bool:
        """Use what a task has built; return False if the requested index has to be built again."""
        if task.wish != self._wish:
            return False
        if landmarks is not None and task.cheaper:
            repair_landmarks(landmarks, self._graph.forward, np.concatenate(task.cheaper))
        self.landmarks, self._n_changed = landmarks, 0
        is_current = task.n_edits == self._n_edits
        if is_current:  # else an edit has begun to count again
            self.labels = labels
        # The queries that labels wait for may have come in the meantime.
        is_due = self._wants_labels and not self.n_queries_left
        is_done = (task.has_labels and is_current) or not is_due
        self._is_building = self._is_building and not is_done
        return is_done
