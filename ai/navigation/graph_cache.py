"""One graph per profile, kept current with the map, and what is derived from it."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph
from ai.navigation.profile_index import ProfileIndex
from ai.rules.entry_rules import EntryRule, surface_values
from ai.rules.profile import MoveProfile, checked_profile
from ai.rules.step_rule import StepRule
from ai.search.components import Components
from ai.search.workspace import Guided, Workspace
from terrain3d import Cell, Rect, TileMap

_MAX_PATHS, _MAX_PROFILES = 4096, 32


class WorkspacePool:
    """Idle workspaces for graphs of one size; threads may share it."""

    def __init__(self, n_nodes: int) -> None:
        self._n_nodes = n_nodes
        self._idle: list[Workspace] = []

    def borrow(self) -> Workspace:
        """Return a workspace that no other search uses until it is given back."""
        try:
            return self._idle.pop()
        except IndexError:
            return Workspace(self._n_nodes)

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
    """The graph of one profile, its workspaces, and what is derived from it.

    All profiles whose graphs have the same size share their workspaces.
    """

    def __init__(
        self, graph: ProfileGraph, workspaces: WorkspacePool, building: threading.Lock
    ) -> None:
        self.graph = graph
        self.paths: OrderedDict[tuple[int, int], Path] = OrderedDict()
        """The paths found by first and last node, for equal queries until an edit."""
        self.index = ProfileIndex(graph, building)
        self.workspaces = workspaces
        self._guided = Guided(graph.forward), self.index.landmarks
        self.with_extra: tuple[NDArray[np.float64], ProfileCache] | None = None
        """The latest extra costs of a query, and the entry with them, until an edit."""
        self.components: Components | None = None
        """The strongly connected components, if they have been labeled since an edit."""
        self.decision_points: dict[int, bool] = {}
        """Whether nodes are decision points, as far as that was asked, until an edit near them."""

    @property
    def guided(self) -> Guided:
        """The graph with the bounds that serve now, ready to be searched."""
        guided, landmarks = self._guided
        if guided.graph is not self.graph.forward or landmarks is not self.index.landmarks:
            landmarks = self.index.landmarks
            guided = Guided(self.graph.forward, landmarks)
            self._guided = guided, landmarks
        return guided

    def keep(self, ends: tuple[int, int], path: Path) -> None:
        """Keep a path in place of the oldest one."""
        if len(self.paths) >= _MAX_PATHS:
            self.paths.popitem(last=False)  # a plain dict searches for its first entry
        self.paths[ends] = path

    def update(self) -> bool:
        """Follow the map's edits; False if a new graph is needed."""
        change = self.graph.update()
        if change is None:
            return False
        self.paths.clear()
        self.with_extra = None
        points = self.decision_points
        if change.has_new_links:
            points.clear()
        for rect in change.touched if points else ():
            for node in self.graph.nodes_in(rect).tolist():
                points.pop(node, None)
        if change.has_new_costs:
            self.components = None
        self.index.follow(change)
        return True

    def label(self) -> Components:
        """Return the components of the graph as it is now."""
        if self.components is None:
            self.components = Components.of(self.graph.forward)
        return self.components

    def rules_out(self, start: int, goal: int) -> bool:
        """Return whether the components are known and prove that no path leads to the goal."""
        return self.components is not None and self.components.reaches(start, goal) is False


class GraphCache:
    """Keeps graphs by profile; the caller holds the map's lock."""

    def __init__(self, tilemap: TileMap, rules: tuple[EntryRule, ...]) -> None:
        self._tilemap, self.rules = tilemap, rules
        self._building = threading.Lock()
        self._entries: dict[MoveProfile, ProfileCache] = {}
        self._pools: dict[int, WorkspacePool] = {}

    def of(self, profile: MoveProfile) -> ProfileCache:
        """Return the entry of a profile as the map is now; `TypeError` if it is no profile."""
        if not isinstance(profile, MoveProfile):
            checked_profile(profile)
        entry = self._entries.get(profile)
        if entry is None:
            self._make_room()
            entry = self._entries[profile] = self._make_new(profile)
        elif entry.graph.version != self._tilemap.version:
            if not entry.update():
                before, entry = entry, self._make_new(profile)
                entry.index.request_same(before.index)
                self._entries[profile] = entry
            if entry.index.is_due:
                entry.index.build_in_background()
        elif entry.index.n_queries_left:
            entry.index.count_query()
        return entry

    def rule_at(self, cell: Cell, profile: MoveProfile) -> StepRule:
        """Return the rule of a profile at a cell as the map is now, without making its graph."""
        entry = self._entries.get(checked_profile(profile))
        if entry is not None and entry.graph.version == self._tilemap.version:
            return entry.graph.rule
        return StepRule.of(self._tilemap, profile, self.rules, Rect(*cell[:2], 1, 1))

    def with_extra_cost(self, entry: ProfileCache, extra_cost: ArrayLike | None) -> ProfileCache:
        """Return an entry for one query with extra costs; without any the same entry.

        It has the landmarks of the entry, which stay bounds, but no labels. The latest is kept, for
        units that ask with the same costs.
        """
        if extra_cost is None:
            return entry
        hint = "; to keep paths off a cell, name it in blocked"
        extra = surface_values("extra_cost", extra_cost, self._tilemap, hint)
        known = entry.with_extra
        if known is None or not np.array_equal(known[0], extra):
            known = entry.with_extra = extra, self._make_entry(entry.graph.with_extra_cost(extra))
        priced = known[1]
        priced.components = entry.components or priced.components  # the same edges
        factor, rest = divmod(entry.graph.unit, priced.graph.unit)
        if entry.index.landmarks is not None and not rest:
            priced.index.landmarks = entry.index.landmarks.scaled(factor)
        return priced

    def _make_room(self) -> None:
        """Drop a profile if there are too many: the oldest one, if possible without an index."""
        if len(self._entries) >= _MAX_PROFILES:
            plain = (key for key, entry in self._entries.items() if not entry.index.is_requested)
            self._entries.pop(next(plain, next(iter(self._entries)))).index.is_dropped = True

    def _make_new(self, profile: MoveProfile) -> ProfileCache:
        return self._make_entry(ProfileGraph(self._tilemap, profile, self.rules))

    def _make_entry(self, graph: ProfileGraph) -> ProfileCache:
        n_nodes = graph.forward.n_nodes
        pool = self._pools.setdefault(n_nodes, WorkspacePool(n_nodes))
        return ProfileCache(graph, pool, self._building)
