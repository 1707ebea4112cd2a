"""Runs the searches of many requesters in portions, within a budget for each frame.

Requests are served in their order. A few searches run at a time and take turns, so that a long one
does not hold up the short ones behind it, and memory does not grow with the number of requests. An
edit of the map, or a new request by the same requester, restarts its search. A search that was
restarted several times runs to its end at once, so that every request gets an answer.
"""

import time
from dataclasses import dataclass
from typing import Protocol

from ai.navigation.path import Path
from ai.navigation.resumable_search import Search
from terrain3d import Rect, TileMap

_MAX_RUNNING = 4
_EXPANSIONS_PER_TURN = 1024
_MAX_INTERRUPTED_STARTS = 3
_MIN_TURN_S = 1e-4  # so that every turn makes progress


class PathRequester(Protocol):
    """An object that needs a path: a `NavigationAgent3D`."""

    def map_changed(self, rect: Rect) -> None:
        """Note that the map was edited within a rectangle."""

    def begin_search(self) -> Search:
        """Return the search for its path from where it is now."""

    def take_path(self, path: Path) -> bool:
        """Take the answer; False if it is of no use, as the requester has moved elsewhere."""

    def take_progress(self, search: Search) -> None:
        """Note that the search continues in the next frame."""


class FrameBudget:
    """Limits a frame to some expansions, seconds or both; one turn is always allowed."""

    def __init__(self, max_expansions: int | None, seconds: float | None) -> None:
        self.max_expansions, self.seconds = max_expansions, seconds
        self._left = 0
        self._until_s = 0.0

    def begin_frame(self) -> bool:
        """Renew the budget; False if an earlier frame has used up this one."""
        self._left = min(0, self._left) + (self.max_expansions or 0)
        self._until_s = time.monotonic() + (self.seconds or 0)
        return not self._is_out_of_expansions

    @property
    def is_spent(self) -> bool:
        """Whether the budget of this frame is used up."""
        is_late = self.seconds is not None and time.monotonic() >= self._until_s
        return is_late or self._is_out_of_expansions

    @property
    def _is_out_of_expansions(self) -> bool:
        return self.max_expansions is not None and self._left <= 0

    def run(self, search: Search, *, is_to_end: bool) -> None:
        """Run a search for one turn, or to its end, and count what it uses."""
        before = search.expansions
        if is_to_end:
            search.run()
        else:
            is_bounded = self.max_expansions is not None
            portion = min(_EXPANSIONS_PER_TURN, self._left) if is_bounded else _EXPANSIONS_PER_TURN
            left_s = max(_MIN_TURN_S, self._until_s - time.monotonic())
            search.run(portion, left_s if self.seconds is not None else None)
        self._left -= max(1, search.expansions - before)  # starting a search costs something too


@dataclass
class _Job:
    """The running search of one request, with its restarts."""

    search: Search | None = None
    version: int = -1
    n_starts: int = 0

    def drop_search(self) -> None:
        if self.search is not None:
            self.search.release()
            self.search = None

    def current_search(self, requester: PathRequester, version: int) -> Search:
        if self.version != version:
            self.drop_search()
        if self.search is None:
            self.search, self.version = requester.begin_search(), version
            self.n_starts += 1
        return self.search


class PlanScheduler:
    """A queue of path requests on a map."""

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = tilemap
        self._waiting: dict[PathRequester, None] = {}
        self._jobs: dict[PathRequester, _Job] = {}  # in the order of their turns

    def __len__(self) -> int:
        """Return the number of requests without an answer, running searches included."""
        return len(self._waiting) + len(self._jobs)

    def request(self, requester: PathRequester) -> None:
        """Add a request, or restart its search for a new target; it keeps its place."""
        if requester in self._jobs:
            self._jobs[requester].drop_search()
        else:
            self._waiting[requester] = None

    def cancel(self, requester: PathRequester) -> None:
        """Remove a request."""
        self._waiting.pop(requester, None)
        job = self._jobs.pop(requester, None)
        if job is not None:
            job.drop_search()

    def run_frame(self, budget: FrameBudget) -> None:
        """Search for as long as a frame allows; new requests wait for the next frame."""
        n_to_start = len(self._waiting)
        has_budget = budget.begin_frame()
        while has_budget:
            while self._waiting and n_to_start and len(self._jobs) < _MAX_RUNNING:
                requester = next(iter(self._waiting))
                del self._waiting[requester]
                self._jobs[requester] = _Job()
                n_to_start -= 1
            if not self._jobs:
                break
            self._run_turn(next(iter(self._jobs)), budget)
            has_budget = not budget.is_spent
        for requester, job in tuple(self._jobs.items()):
            if job.search is not None and job.version == self._tilemap.version:
                requester.take_progress(job.search)

    def _run_turn(self, requester: PathRequester, budget: FrameBudget) -> None:
        job = self._jobs.pop(requester)
        search = job.current_search(requester, self._tilemap.version)
        budget.run(search, is_to_end=job.n_starts > _MAX_INTERRUPTED_STARTS)
        path = search.path
        if path is None:
            self._jobs[requester] = job
            return
        job.drop_search()
        if not requester.take_path(path) and requester not in self._waiting:
            self._jobs[requester] = job
