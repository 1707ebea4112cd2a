"""One graph per profile, kept current with the map, and what is derived from it.

Everything that is derived from a graph registers itself with it and says what it does on a change.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.decision_points import DecisionPoints
from ai.navigation.path import Path
from ai.navigation.profile_graph import GraphChange, ProfileGraph
from ai.navigation.profile_index import ProfileIndex
from ai.rules.entry_rules import EntryRule, surface_values
from ai.rules.profile import MoveProfile, checked_profile
from ai.rules.step_rule import StepRule
from ai.search.components import Components
from ai.search.workspace import Workspace
from terrain3d import TileMap

P = TypeVar("P", int, NDArray[np.int64])

_MAX_PATHS, _MAX_PROFILES = 4096, 32
_REGIONS_PER_SIDE = 8
BOUNDS = 1 << _REGIONS_PER_SIDE**2
"""Beside the bits of the regions: the search relied on bounds of the costs on the whole map."""


class PathCache:
    """The found paths of one graph, kept for equal queries until an edit may have changed them."""

    def __init__(self, graph: ProfileGraph) -> None:
        tilemap = graph.tilemap
        self._rows, self._cols = tilemap.rows, tilemap.cols
        self.region_of = np.tile(_regions(self._rows, self._cols), tilemap.n_decks + 1)
        """(n_nodes,) which of 64 regions of the map each node lies in."""
        self.paths: OrderedDict[tuple[int, int], tuple[Path, int]] = OrderedDict()
        """By first and last node, each with the regions that its search visited, one bit each."""
        graph.add_follower(self)

    def keep(self, ends: tuple[int, int], path: Path, regions: int) -> None:
        """Add a path."""
        if len(self.paths) >= _MAX_PATHS:
            self.paths.popitem(last=False)  # a plain dict searches for its first entry
        self.paths[ends] = path, regions

    def follow(self, change: GraphChange) -> None:
        """Drop the paths whose searches visited a region in which levels or steps may differ."""
        if change.has_new_links:
            self.paths.clear()
        if not self.paths:
            return
        mask = 0
        for rect in change.touched:
            left = _region(rect.col, self._cols)
            right = _region(rect.col + rect.cols - 1, self._cols)
            bottom = _region(rect.row + rect.rows - 1, self._rows)
            line = (2 << right) - (1 << left)  # the bits from left to right
            for down in range(_region(rect.row, self._rows), bottom + 1):
                mask |= line << down * _REGIONS_PER_SIDE
        self._forget(mask)

    def forget_bounded(self) -> None:
        """Drop the paths whose searches relied on bounds, which are replaced or lowered now."""
        self._forget(BOUNDS)

    def _forget(self, mask: int) -> None:
        for ends in [ends for ends, (_, regions) in self.paths.items() if regions & mask]:
            del self.paths[ends]


def _regions(rows: int, cols: int) -> NDArray[np.uint8]:
    """(n_cells,) which of 8 x 8 regions of the map each cell lies in."""
    down, across = _region(np.arange(rows), rows), _region(np.arange(cols), cols)
    return (down[:, None] * _REGIONS_PER_SIDE + across).astype(np.uint8).ravel()


def _region(position: P, length: int) -> P:
    """Return the row or column of regions that a row or column of cells lies in."""
    return position * _REGIONS_PER_SIDE // length


class GraphComponents:
    """The strongly connected components of a graph, labeled when they are asked for."""

    def __init__(self, graph: ProfileGraph) -> None:
        self._graph = graph
        self._known: Components | None = None
        graph.add_follower(self)

    def follow(self, change: GraphChange) -> None:
        """Forget the components if an edge is new or gone."""
        if change.has_new_costs:
            self._known = None

    def label(self) -> Components:
        """Return the components of the graph as it is now."""
        if self._known is None:
            self._known = Components.of(self._graph.forward)
        return self._known

    def rules_out(self, start: int, goal: int) -> bool:
        """Return whether the components are known and prove that no path leads to the goal."""
        return self._known is not None and self._known.reaches(start, goal) is False


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
    """The graph of one profile, its workspaces, and what is derived from it.

    All profiles whose graphs have the same size and type of costs share their workspaces.
    """

    def __init__(
        self, graph: ProfileGraph, workspaces: WorkspacePool, building: threading.Lock
    ) -> None:
        self.graph = graph
        self.path_cache = PathCache(graph)
        self.index = ProfileIndex(graph, self.path_cache.forget_bounded, building)
        self.components = GraphComponents(graph)
        self.workspaces = workspaces
        self.any_workspaces = WorkspacePool(graph.forward.n_nodes, is_whole=False)
        """Those for searches of any costs, whatever those of the graph."""
        self.with_extra: tuple[NDArray[np.float64], ProfileCache] | None = None
        """The latest extra costs of a query, and the entry with them, until an edit."""
        graph.add_follower(self)

    def follow(self, _change: GraphChange) -> None:
        """Forget the graph with extra costs."""
        self.with_extra = None

    @cached_property
    def decision_points(self) -> DecisionPoints:
        """The nodes of which it is known whether they are decision points."""
        return DecisionPoints(self.graph)


class GraphCache:
    """Keeps graphs by profile; the caller holds the map's lock."""

    def __init__(self, tilemap: TileMap, rules: tuple[EntryRule, ...]) -> None:
        self._tilemap, self.rules = tilemap, rules
        self._building = threading.Lock()
        self._entries: dict[MoveProfile, ProfileCache] = {}
        self._pools: dict[tuple[int, bool], WorkspacePool] = {}

    def of(self, profile: MoveProfile) -> ProfileCache:
        """Return the entry of a profile as the map is now; `TypeError` if it is no profile."""
        if not isinstance(profile, MoveProfile):
            checked_profile(profile)
        entry = self._entries.get(profile)
        if entry is None:
            self._make_room()
            entry = self._entries[profile] = self._make_new(profile)
        elif entry.graph.version != self._tilemap.version:
            if not entry.graph.update():
                before, entry = entry, self._make_new(profile)
                entry.index.request_same(before.index)
                self._entries[profile] = entry
            if entry.index.is_due:
                entry.index.build_in_background()
        elif entry.index.n_queries_left:
            entry.index.count_query()
        return entry

    def rule_of(self, profile: MoveProfile) -> StepRule:
        """Return the rule of a profile as the map is now, without making its graph."""
        entry = self._entries.get(checked_profile(profile))
        if entry is not None and entry.graph.version == self._tilemap.version:
            return entry.graph.rule
        return StepRule.of(self._tilemap, profile, self.rules)

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
            known[1].components = entry.components  # the same edges
        priced = known[1]
        if priced.graph.forward.is_whole == entry.graph.forward.is_whole:
            priced.index.landmarks = entry.index.landmarks
        return priced

    def _make_room(self) -> None:
        """Drop a profile if there are too many: the oldest one, if possible without an index."""
        if len(self._entries) >= _MAX_PROFILES:
            plain = (key for key, entry in self._entries.items() if not entry.index.is_requested)
            self._entries.pop(next(plain, next(iter(self._entries)))).index.is_dropped = True

    def _make_new(self, profile: MoveProfile) -> ProfileCache:
        return self._make_entry(ProfileGraph(self._tilemap, profile, self.rules))

    def _make_entry(self, graph: ProfileGraph) -> ProfileCache:
        size = graph.forward.n_nodes, graph.forward.is_whole
        pool = self._pools.setdefault(size, WorkspacePool(size[0], is_whole=size[1]))
        return ProfileCache(graph, pool, self._building)
