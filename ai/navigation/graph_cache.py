"""Keep one graph per profile current with the map, and lend out workspaces for searches."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ai.navigation.profile_graph import ProfileGraph
from ai.rules.profile import MoveProfile
from ai.search import Progress, Workspace, make_index
from terrain3d import TileMap

_MAX_PROFILES = 32


class GraphCache:
    """Profile graphs by profile, and workspaces for searches over them.

    Parameters
    ----------
    tilemap : TileMap
    """

    def __init__(self, tilemap: TileMap) -> None:
        self.tilemap = tilemap
        self.lock = threading.RLock()
        self._surveying = threading.Lock()
        self._graph: dict[MoveProfile, ProfileGraph] = {}
        self._idle: dict[tuple[int, bool], list[Workspace]] = {}

    def of(self, profile: MoveProfile) -> ProfileGraph:
        """Return the graph of a profile as the map is now; `TypeError` if it is no profile."""
        if not isinstance(profile, MoveProfile):
            raise TypeError(f"profile must be a MoveProfile, got {profile!r}")
        graph = self._graph.get(profile)
        if graph is not None and graph.version == self.tilemap.version:
            return graph
        with self.lock:
            graph = self._graph.get(profile)
            if graph is None:
                self._make_room()
                graph = self._graph[profile] = self._bake(profile)
            elif graph.version != self.tilemap.version:
                if not graph.refresh():
                    before, graph = graph, self._bake(profile)
                    graph.wants_index = before.wants_index
                    graph.n_landmarks = before.n_landmarks
                    self._graph[profile] = graph
                if graph.wants_index and graph.index is None:
                    self.build_aside(graph)
        return graph

    def _make_room(self) -> None:
        """If there are many profiles forget the oldest, rather one that has no index."""
        if len(self._graph) >= _MAX_PROFILES:
            plain = (profile for profile, graph in self._graph.items() if not graph.wants_index)
            del self._graph[next(plain, next(iter(self._graph)))]

    def _bake(self, profile: MoveProfile) -> ProfileGraph:
        graph = ProfileGraph(self.tilemap, profile)
        kind = graph.forward.n_nodes, graph.forward.is_whole
        graph.idle = self._idle.setdefault(kind, graph.idle)
        return graph

    def borrow(self, graph: ProfileGraph) -> Workspace:
        """Give working arrays that nobody else uses until they are given back."""
        try:
            return graph.idle.pop()
        except IndexError:
            forward = graph.forward
            return Workspace.of(forward.n_nodes, is_whole=forward.is_whole)

    def give_back(self, graph: ProfileGraph, workspace: Workspace) -> None:
        """Let others use what was borrowed."""
        graph.idle.append(workspace)

    @contextmanager
    def workspace(self, graph: ProfileGraph) -> Iterator[Workspace]:
        """Borrow working arrays for as long as a `with` lasts."""
        workspace = self.borrow(graph)
        try:
            yield workspace
        finally:
            self.give_back(graph, workspace)

    def build(self, graph: ProfileGraph, progress: Progress | None) -> None:
        """Build the index of a profile now, and again if the map changes meanwhile."""
        while not self._is_settled(graph, progress):
            pass

    def build_aside(self, graph: ProfileGraph, progress: Progress | None = None) -> None:
        """Build an index in a thread of its own, and again if the map changes meanwhile."""

        def build() -> None:
            try:
                with self._surveying:  # one at a time, or edits in quick succession would pile up
                    while not self._is_settled(graph, progress):
                        pass
            except BaseException:
                graph.is_building = False
                raise

        with self.lock:
            if not graph.is_building:
                graph.is_building = True
                threading.Thread(target=build, daemon=True).start()

    def _is_settled(self, graph: ProfileGraph, progress: Progress | None) -> bool:
        """Build an index, and tell whether it fits the map still or nobody needs it any more."""
        with self.lock:
            outdated = graph.n_outdated
            is_needed = self._graph.get(graph.profile) is graph
            graphs = graph.snapshot() if is_needed else None
        if graphs is None:
            return True
        index = make_index(*graphs, graph.index_size, graph.least_step, progress)
        with self.lock:
            if graph.n_outdated != outdated:
                return False
            graph.adopt(index)
            graph.is_building = False
            return True
