"""One graph per profile, kept current with the map, with its index, found paths and components.

Paths that were found, kept for equal queries until an edit may have changed them.
"""

import copy
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.analysis.region_graph import RegionGraph
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph, checked_surface_values
from ai.navigation.profile_index import ProfileIndex
from ai.rules.profile import MoveProfile, checked_profile
from ai.rules.step_rule import StepRule
from ai.search.components import Components
from ai.search.landmark_selection import Progress
from ai.search.workspace import Workspace
from terrain3d import Rect, TileMap

P = TypeVar("P", int, NDArray[np.int64])

_MAX_PATHS = 4096
_REGIONS_PER_SIDE = 8
BOUNDS = 1 << _REGIONS_PER_SIDE**2
"""Beside the bits of the regions: the search relied on bounds of the costs on the whole map."""

Paths = OrderedDict[tuple[int, int], tuple[Path, int]]
"""Paths by first and last node, each with the regions that its search visited, one bit a region."""


class PathCache:
    """The found paths of one profile on one map."""

    def __init__(self, rows: int, cols: int, n_layers: int) -> None:
        self._lock = threading.Lock()
        self._rows, self._cols = rows, cols
        self.region_of = np.tile(_regions(rows, cols), n_layers)
        """(n_nodes,) which of 64 regions of the map each node lies in."""
        self.paths: Paths = OrderedDict()
        """Replaced when paths are dropped, never emptied: a search that began before an edit adds
        its path to the old dictionary."""

    def keep(self, paths: Paths, ends: tuple[int, int], path: Path, regions: int) -> None:
        """Add a path to the dictionary that `paths` was before its search."""
        with self._lock:
            if len(paths) >= _MAX_PATHS:
                paths.popitem(last=False)  # a plain dict searches for its first entry
            paths[ends] = path, regions

    def forget(self, rects: Iterable[Rect], *, has_new_bounds: bool = False) -> None:
        """Drop the paths whose searches visited a region that overlaps one of some rectangles.

        With `has_new_bounds` also drop those whose searches relied on bounds, wherever they ran.
        """
        if not self.paths:
            self.forget_all()  # a search that runs now may hold this dictionary
            return
        mask = BOUNDS if has_new_bounds else 0
        for rect in rects:
            left = _region(rect.col, self._cols)
            right = _region(rect.col + rect.cols - 1, self._cols)
            bottom = _region(rect.row + rect.rows - 1, self._rows)
            line = (2 << right) - (1 << left)  # the bits from left to right
            for down in range(_region(rect.row, self._rows), bottom + 1):
                mask |= line << down * _REGIONS_PER_SIDE
        self._forget(mask)

    def _forget(self, mask: int) -> None:
        with self._lock:  # another thread may add a path at this moment
            kept = [entry for entry in self.paths.items() if not entry[1][1] & mask]
            self.paths = OrderedDict(kept)

    def forget_bounded(self) -> None:
        """Drop the paths whose searches relied on bounds, which are replaced now."""
        self._forget(BOUNDS)

    def forget_all(self) -> None:
        """Drop all paths."""
        self.paths = OrderedDict()


def _regions(rows: int, cols: int) -> NDArray[np.uint8]:
    """(n_cells,) which of 8 x 8 regions of the map each cell lies in."""
    down, across = _region(np.arange(rows), rows), _region(np.arange(cols), cols)
    return (down[:, None] * _REGIONS_PER_SIDE + across).astype(np.uint8).ravel()


def _region(position: P, length: int) -> P:
    """Return the row or column of regions that a row or column of cells lies in."""
    return position * _REGIONS_PER_SIDE // length


_MAX_PROFILES = 32
_MOST_TOUCHED = 256  # rectangles of edits after which all regions are found again


class WorkspacePool:
    """Idle workspaces for graphs of one size and type of costs; threads may share it."""

    def __init__(self, n_nodes: int, *, is_whole: bool) -> None:
        self._n_nodes, self._is_whole = n_nodes, is_whole
        self._idle: list[Workspace] = []

    def borrow(self) -> Workspace:
        """Return a workspace that no other search uses until it is given back."""
        try:
            return self._idle.pop()
        except IndexError:
            return Workspace.of(self._n_nodes, is_whole=self._is_whole)

    def give_back(self, workspace: Workspace) -> None:
        """Let other searches use a borrowed workspace."""
        self._idle.append(workspace)

    @contextmanager
    def lend(self) -> Iterator[Workspace]:
        """Borrow a workspace for as long as a `with` block lasts."""
        workspace = self.borrow()
        try:
            yield workspace
        finally:
            self.give_back(workspace)


class ProfileCache:
    """The graph of one profile, with its index, found paths, components and workspaces.

    All profiles whose graphs have the same size and type of costs share their workspaces.
    """

    def __init__(self, graph: ProfileGraph, workspaces: WorkspacePool) -> None:
        tilemap = graph.tilemap
        self.graph = graph
        self.index = ProfileIndex(graph)
        self.path_cache = PathCache(tilemap.rows, tilemap.cols, tilemap.n_decks + 1)
        self.workspaces = workspaces
        self.any_workspaces = WorkspacePool(graph.forward.n_nodes, is_whole=False)
        """Those for searches of any costs, whatever those of the graph."""
        self.components: Components | None = None
        """Strongly connected components, None until `label_components`."""
        self._regions: RegionGraph | None = None
        """The regions as they were when last asked for."""
        self._touched: set[Rect] = set()
        """What edits touched since; regions that nobody asks for are forgotten in the end."""
        self.decision_points: dict[int, bool] = {}
        """Whether nodes are decision points, as far as that was asked."""
        self.with_extra: tuple[NDArray[np.float64], ProfileCache] | None = None
        """The latest extra costs of a query, and the entry with them."""

    def update(self) -> bool:
        """Follow the map's edits; False if a new entry is needed."""
        change = self.graph.update(finds_cheaper=self.index.is_requested)
        if change is None:
            return False
        if change.has_new_links:
            self.path_cache.forget_all()
            self.decision_points.clear()
        if self._regions is not None:
            self._touched.update(change.touched)
        if change.has_new_links or len(self._touched) > _MOST_TOUCHED:
            self._regions, self._touched = None, set()
        if self.decision_points:
            n_layers = self.graph.tilemap.n_decks + 1
            for rect in change.touched:
                for node in self.graph.nodes.in_rect(rect, n_layers).tolist():
                    self.decision_points.pop(node, None)
        has_new_bounds = self.index.update(change)
        if change.touched:
            # Also where only levels changed.
            self.path_cache.forget(change.touched, has_new_bounds=has_new_bounds)
        if change.has_new_costs:
            self.components = None
        self.graph.mark_current()
        return True

    def label_components(self) -> Components:
        """Find the components of the graph as it is now."""
        self.components = Components.of(self.graph.forward)
        return self.components

    def find_regions(self) -> RegionGraph:
        """Return the regions of the graph as it is now."""
        if self._regions is None or self._touched:
            now, before = copy.copy(self.graph.forward), self._regions
            self._regions = RegionGraph.of(now, self.graph.rule, before, sorted(self._touched))
            self._touched = set()
        return self._regions

    def rules_out(self, start: int, goal: int) -> bool:
        """Return whether the components are known and prove that no path leads to the goal."""
        return self.components is not None and self.components.reaches(start, goal) is False


class GraphCache:
    """Graphs by profile, and the threads that build their indexes."""

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        self._lock = threading.RLock()
        self._building = threading.Lock()
        self._entries: dict[MoveProfile, ProfileCache] = {}
        self._pools: dict[tuple[int, bool], WorkspacePool] = {}

    def of(self, profile: MoveProfile) -> ProfileCache:
        """Return the entry of a profile as the map is now; `TypeError` if it is no profile."""
        if not isinstance(profile, MoveProfile):
            checked_profile(profile)
        entry = self._entries.get(profile)
        if entry is not None and entry.graph.version == self._tilemap.version:
            if entry.index.n_queries_left:
                self._count_query(entry)
            return entry
        with self._tilemap.lock, self._lock:
            entry = self._entries.get(profile)
            if entry is None:
                self._make_room()
                entry = self._entries[profile] = self._make_entry(profile)
            elif entry.graph.version != self._tilemap.version:
                if not entry.update():
                    before, entry = entry, self._make_entry(profile)
                    entry.index.request_same(before.index)
                    self._entries[profile] = entry
                if entry.index.is_due:
                    self._build_in_background(entry)
        return entry

    def rule_of(self, profile: MoveProfile) -> StepRule:
        """Return the rule of a profile as the map is now, without making its graph."""
        entry = self._entries.get(checked_profile(profile))
        if entry is not None and entry.graph.version == self._tilemap.version:
            return entry.graph.rule
        return StepRule.of(self._tilemap, profile)

    def _count_query(self, entry: ProfileCache) -> None:
        """Count down the queries until all pairs of nodes are worth a search from each node."""
        with self._lock:
            entry.index.n_queries_left = max(0, entry.index.n_queries_left - 1)
            is_due = not entry.index.n_queries_left
        if is_due:
            self._build_in_background(entry)

    def with_extra_cost(self, entry: ProfileCache, extra_cost: ArrayLike | None) -> ProfileCache:
        """Return an entry for one query with extra costs; without any the same entry.

        It has the landmarks of the entry, which stay bounds, but no paths between all pairs. The
        latest is kept, for units that ask with the same costs.
        """
        if extra_cost is None:
            return entry
        hint = "; to keep paths off a cell, name it in blocked"
        extra = checked_surface_values("extra_cost", extra_cost, self._tilemap, hint)
        known, graph = entry.with_extra, entry.graph
        is_current = known is not None and known[1].graph.version == graph.version
        if known is None or not is_current or not np.array_equal(known[0], extra):
            graph = graph.with_extra_cost(extra)
            known = entry.with_extra = extra, ProfileCache(graph, self._pool_of(graph))
            known[1].components = entry.components
        priced = known[1]
        if priced.graph.forward.is_whole == entry.graph.forward.is_whole:
            priced.index.landmarks = entry.index.landmarks
        return priced

    def _make_room(self) -> None:
        """Drop a profile if there are too many: the oldest one, if possible without an index."""
        if len(self._entries) >= _MAX_PROFILES:
            plain = (key for key, entry in self._entries.items() if not entry.index.is_requested)
            del self._entries[next(plain, next(iter(self._entries)))]

    def _make_entry(self, profile: MoveProfile) -> ProfileCache:
        graph = ProfileGraph(self._tilemap, profile)
        return ProfileCache(graph, self._pool_of(graph))

    def _pool_of(self, graph: ProfileGraph) -> WorkspacePool:
        size = graph.forward.n_nodes, graph.forward.is_whole
        return self._pools.setdefault(size, WorkspacePool(size[0], is_whole=size[1]))

    def components(self, entry: ProfileCache) -> Components:
        """Return the components of an entry's graph; labeled by one thread only."""
        with self._lock:
            return entry.components or entry.label_components()

    def regions(self, entry: ProfileCache) -> RegionGraph:
        """Return the regions of an entry's graph as it is now."""
        with self._lock:
            return entry.find_regions()

    def build_index(
        self,
        entry: ProfileCache,
        n_landmarks: int | None,
        progress: Progress | None,
        *,
        is_background: bool,
    ) -> None:
        """Build an entry's index, and again if the map changes; see `Navigation.build_index`.

        With `is_background` another thread builds it, and this call returns at once.
        """
        with self._lock:
            entry.index.request(n_landmarks)
        if is_background:
            self._build_in_background(entry, progress)
        else:
            self._build(entry, progress)

    def _build_in_background(self, entry: ProfileCache, progress: Progress | None = None) -> None:
        def build() -> None:
            try:
                with self._building:  # one at a time, or quick edits would pile up threads
                    self._build(entry, progress)
            except BaseException:
                entry.index.end_build()
                raise

        with self._lock:
            if entry.index.begin_build():
                threading.Thread(target=build, daemon=True).start()

    def _build(self, entry: ProfileCache, progress: Progress | None) -> None:
        """Build an index until one fits the map, or the entry is no longer in use."""
        while True:
            with self._lock:
                if self._entries.get(entry.graph.profile) is not entry:
                    return
                task = entry.index.open_task()
            try:
                built = task.run(progress)
                with self._lock:
                    is_done = entry.index.adopt(task, *built)
                    entry.path_cache.forget_bounded()
                    if is_done:
                        entry.index.end_build()
                        return
            finally:
                with self._lock:
                    entry.index.close_task(task)
