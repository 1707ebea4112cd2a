"""What is prepared for each profile on a map, kept as the map is now, and lent to one at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ai.navigation.profile_graph import Baked
from ai.rules.profile import MoveProfile
from ai.search import Progress, Scratch, make_index
from terrain3d import TileMap

_MAX_PROFILES = 32


class Prepared:
    """Baked graphs by profile, and working arrays for searches over them.

    Parameters
    ----------
    tilemap : TileMap
    """

    def __init__(self, tilemap: TileMap) -> None:
        self.tilemap = tilemap
        self.lock = threading.RLock()
        self._surveying = threading.Lock()
        self._baked: dict[MoveProfile, Baked] = {}
        self._idle: dict[tuple[int, bool], list[Scratch]] = {}

    def of(self, profile: MoveProfile) -> Baked:
        """Give what is prepared for a profile, as the map is now; `TypeError` if it is none."""
        if not isinstance(profile, MoveProfile):
            raise TypeError(f"profile must be a MoveProfile, got {profile!r}")
        baked = self._baked.get(profile)
        if baked is not None and baked.version == self.tilemap.version:
            return baked
        with self.lock:
            baked = self._baked.get(profile)
            if baked is None:
                self._make_room()
                baked = self._baked[profile] = self._bake(profile)
            elif baked.version != self.tilemap.version:
                if not baked.refresh():
                    before, baked = baked, self._bake(profile)
                    baked.wants_index = before.wants_index
                    baked.n_landmarks = before.n_landmarks
                    self._baked[profile] = baked
                if baked.wants_index and baked.index is None:
                    self.build_aside(baked)
        return baked

    def _make_room(self) -> None:
        """If there are many profiles forget the oldest, rather one that has no index."""
        if len(self._baked) >= _MAX_PROFILES:
            plain = (profile for profile, baked in self._baked.items() if not baked.wants_index)
            del self._baked[next(plain, next(iter(self._baked)))]

    def _bake(self, profile: MoveProfile) -> Baked:
        baked = Baked(self.tilemap, profile)
        kind = baked.graph.n_nodes, baked.graph.is_whole
        baked.idle = self._idle.setdefault(kind, baked.idle)
        return baked

    def borrow(self, baked: Baked) -> Scratch:
        """Give working arrays that nobody else uses until they are given back."""
        try:
            return baked.idle.pop()
        except IndexError:
            graph = baked.graph
            return Scratch.of(graph.n_nodes, is_whole=graph.is_whole)

    def give_back(self, baked: Baked, scratch: Scratch) -> None:
        """Let others use what was borrowed."""
        baked.idle.append(scratch)

    @contextmanager
    def scratch(self, baked: Baked) -> Iterator[Scratch]:
        """Borrow working arrays for as long as a `with` lasts."""
        scratch = self.borrow(baked)
        try:
            yield scratch
        finally:
            self.give_back(baked, scratch)

    def build(self, baked: Baked, progress: Progress | None) -> None:
        """Build the index of a profile now, and again if the map changes meanwhile."""
        while not self._is_settled(baked, progress):
            pass

    def build_aside(self, baked: Baked, progress: Progress | None = None) -> None:
        """Build an index in a thread of its own, and again if the map changes meanwhile."""

        def build() -> None:
            try:
                with self._surveying:  # one at a time, or edits in quick succession would pile up
                    while not self._is_settled(baked, progress):
                        pass
            except BaseException:
                baked.is_building = False
                raise

        with self.lock:
            if not baked.is_building:
                baked.is_building = True
                threading.Thread(target=build, daemon=True).start()

    def _is_settled(self, baked: Baked, progress: Progress | None) -> bool:
        """Build an index, and tell whether it fits the map still or nobody needs it any more."""
        with self.lock:
            outdated = baked.n_outdated
            is_needed = self._baked.get(baked.profile) is baked
            graphs = baked.snapshot() if is_needed else None
        if graphs is None:
            return True
        index = make_index(*graphs, baked.index_size, baked.least_step, progress)
        with self.lock:
            if baked.n_outdated != outdated:
                return False
            baked.adopt(index)
            baked.is_building = False
            return True
