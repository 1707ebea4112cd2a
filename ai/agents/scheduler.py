"""Searches of many that want ways, run bit by bit within what a frame allows, in fair turns.

Who asks first gets a turn first. A few searches are under way at a time and take turns, so that a
long one does not hold up the short ones behind it, and working memory does not grow with the
number of those who wait. An edit of the map, or its asker, makes a search begin anew; one that had
to do so again and again is run to its end at once, so that everybody gets an answer.
"""

import time
from dataclasses import dataclass
from typing import Protocol

from ai.navigation.path import Path
from ai.navigation.resumable_search import Search
from terrain3d import TileMap

_AT_ONCE = 4
_PORTION = 1024  # tiles closed in a turn
_PATIENCE = 3  # beginnings
_LEAST_S = 1e-4  # so that a turn gets a search on


class Asker(Protocol):
    """Who wants a way."""

    def begin_search(self) -> Search:
        """Give the search for its way from where it is now."""

    def take_path(self, path: Path) -> bool:
        """Take the answer; False if it does not serve any more, as the asker is elsewhere."""

    def take_progress(self, search: Search) -> None:
        """Take note that the search goes on in the next frame."""


class Allowance:
    """What searches may take in a frame; they get one turn at least.

    Parameters
    ----------
    max_expansions : int, optional
        How many tiles they may close, > 0; what they close too many the next frames do without.
    seconds : float, optional
        How long they may run, > 0.
    """

    def __init__(self, max_expansions: int | None, seconds: float | None) -> None:
        self.max_expansions, self.seconds = max_expansions, seconds
        self._left = 0
        self._until_s = 0.0

    def begin_frame(self) -> bool:
        """Allow what a frame may take; False if that is nothing."""
        self._left = min(0, self._left) + (self.max_expansions or 0)
        self._until_s = time.monotonic() + (self.seconds or 0)
        return not self._has_closed_all

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        is_late = self.seconds is not None and time.monotonic() >= self._until_s
        return is_late or self._has_closed_all

    @property
    def _has_closed_all(self) -> bool:
        return self.max_expansions is not None and self._left <= 0

    def run(self, search: Search, *, is_to_end: bool) -> None:
        """Let a search close some tiles, or all that it needs, which are counted."""
        before = search.expansions
        if is_to_end:
            search.run()
        else:
            is_bounded = self.max_expansions is not None
            portion = min(_PORTION, self._left) if is_bounded else _PORTION
            left_s = max(_LEAST_S, self._until_s - time.monotonic())
            search.run(portion, left_s if self.seconds is not None else None)
        self._left -= max(1, search.expansions - before)  # to begin one costs something too


@dataclass
class _Job:
    """A search under way, from its first beginning on."""

    search: Search | None = None
    version: int = -1
    n_begun: int = 0

    def give_up_search(self) -> None:
        if self.search is not None:
            self.search.release()
            self.search = None

    def search_now(self, asker: Asker, version: int) -> Search:
        if self.version != version:
            self.give_up_search()
        if self.search is None:
            self.search, self.version = asker.begin_search(), version
            self.n_begun += 1
        return self.search


class PlanScheduler:
    """Whoever waits for a way over a map.

    Parameters
    ----------
    tilemap : TileMap
    """

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        self._waiting: dict[Asker, None] = {}
        self._jobs: dict[Asker, _Job] = {}  # in the order of their turns

    def __len__(self) -> int:
        """Count those who wait, also those whose searches are under way."""
        return len(self._waiting) + len(self._jobs)

    def ask(self, asker: Asker) -> None:
        """Let somebody wait, or wait for something else than before without losing its place."""
        if asker in self._jobs:
            self._jobs[asker].give_up_search()
        else:
            self._waiting[asker] = None

    def forget(self, asker: Asker) -> None:
        """Let somebody wait no more."""
        self._waiting.pop(asker, None)
        job = self._jobs.pop(asker, None)
        if job is not None:
            job.give_up_search()

    def work(self, allowance: Allowance) -> None:
        """Search for as long as a frame allows; who asks meanwhile waits for the next frame."""
        n_to_begin = len(self._waiting)
        is_going_on = allowance.begin_frame()
        while is_going_on:
            while self._waiting and n_to_begin and len(self._jobs) < _AT_ONCE:
                asker = next(iter(self._waiting))
                del self._waiting[asker]
                self._jobs[asker] = _Job()
                n_to_begin -= 1
            if not self._jobs:
                break
            self._take_turn(next(iter(self._jobs)), allowance)
            is_going_on = not allowance.is_spent
        for asker, job in tuple(self._jobs.items()):
            if job.search is not None and job.version == self._tilemap.version:
                asker.take_progress(job.search)

    def _take_turn(self, asker: Asker, allowance: Allowance) -> None:
        job = self._jobs.pop(asker)
        search = job.search_now(asker, self._tilemap.version)
        allowance.run(search, is_to_end=job.n_begun > _PATIENCE)
        path = search.path
        if path is None:
            self._jobs[asker] = job
            return
        job.give_up_search()
        if not asker.take_path(path) and asker not in self._waiting:
            self._jobs[asker] = job
