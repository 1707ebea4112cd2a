"""The node that plans for all agents of a map, frame by frame, within a shared budget.

Runs the searches of many requesters in portions, within a budget for each frame.

Requests are served in their order. A few searches run at a time and take turns, so that a long one
does not hold up the short ones behind it, and memory does not grow with the number of requests. An
edit of the map, or a new request by the same requester, restarts its search. A search that was
restarted several times runs to its end at once, so that every request gets an answer.
"""

import time
from dataclasses import dataclass
from typing import Protocol

from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.resumable_search import Search
from terrain3d import Node, Rect, TileMap
from terrain3d.core.checks import instance_of, positive_number, whole_within

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
    """A queue of path requests on a map, with some expansions, seconds or both for each frame."""

    def __init__(self, tilemap: TileMap, max_expansions: int | None, seconds: float | None) -> None:
        self._tilemap = tilemap
        self._max_expansions, self._seconds = max_expansions, seconds
        self._left = 0  # expansions of this frame
        self._until_s = 0.0
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

    def run_frame(self) -> None:
        """Search for as long as a frame allows; new requests wait for the next frame.

        A frame has at least one turn, unless an earlier one has used up its expansions.
        """
        n_to_start = len(self._waiting)
        self._left = min(0, self._left) + (self._max_expansions or 0)
        self._until_s = time.monotonic() + (self._seconds or 0)
        is_late = False
        while not is_late and (self._max_expansions is None or self._left > 0):
            while self._waiting and n_to_start and len(self._jobs) < _MAX_RUNNING:
                requester = next(iter(self._waiting))
                del self._waiting[requester]
                self._jobs[requester] = _Job()
                n_to_start -= 1
            if not self._jobs:
                break
            self._run_turn(next(iter(self._jobs)))
            is_late = self._seconds is not None and time.monotonic() >= self._until_s
        for requester, job in tuple(self._jobs.items()):
            if job.search is not None and job.version == self._tilemap.version:
                requester.take_progress(job.search)

    def _run_turn(self, requester: PathRequester) -> None:
        job = self._jobs.pop(requester)
        search = job.current_search(requester, self._tilemap.version)
        before = search.expansions
        if job.n_starts > _MAX_INTERRUPTED_STARTS:
            search.run()
        else:
            left = _EXPANSIONS_PER_TURN if self._max_expansions is None else self._left
            left_s = max(_MIN_TURN_S, self._until_s - time.monotonic())
            portion = min(_EXPANSIONS_PER_TURN, left)
            search.run(portion, left_s if self._seconds is not None else None)
        self._left -= max(1, search.expansions - before)  # starting a search costs something too
        path = search.path
        if path is None:
            self._jobs[requester] = job
            return
        job.drop_search()
        if not requester.take_path(path) and requester not in self._waiting:
            self._jobs[requester] = job


MAX_EXPANSIONS = 20_000


class NavigationServer3D(Node):
    """Searches paths for the `NavigationAgent3D` nodes made with it, a portion in every frame.

    Requests are served in their order, and each gets an answer, however small the budget is and
    however often targets move or the map is edited. The paths are those that
    `Navigation.find_path` returns with `partial=True`.

    Parameters
    ----------
    navigation : Navigation
        Queries on the map.
    max_expansions : int, optional
        How many nodes its searches may close in a frame, > 0; None for no such limit. A frame may
        exceed it now and then; the next frames then get less.
    seconds : float, optional
        How long they may run in a frame, > 0; None for no such limit. With it, the frame in which
        a path is found is not reproducible.
    name : str
        Of the node.

    Raises
    ------
    TypeError, ValueError
        `navigation` is not a Navigation, or a limit is not a number or out of its limits.
    """

    def __init__(
        self,
        navigation: Navigation,
        *,
        max_expansions: int | None = MAX_EXPANSIONS,
        seconds: float | None = None,
        name: str = "",
    ) -> None:
        super().__init__(name)
        instance_of("navigation", navigation, Navigation)
        if max_expansions is not None:
            whole_within("max_expansions", max_expansions, 1)
        if seconds is not None:
            positive_number("seconds", seconds)
        self._navigation = navigation
        self._scheduler = PlanScheduler(navigation.tilemap, max_expansions, seconds)
        self._agents: dict[PathRequester, None] = {}
        self._version = navigation.tilemap.version

    @property
    def navigation(self) -> Navigation:
        """Queries on the map."""
        return self._navigation

    @property
    def n_waiting(self) -> int:
        """The number of agents that wait for a path."""
        return len(self._scheduler)

    def plan(self) -> None:
        """Run the searches of one frame; in a tree every frame calls it."""
        self._scheduler.run_frame()

    def register(self, agent: PathRequester) -> None:
        """Notify an agent of edits from now on. Called by agents that enter a tree."""
        self._agents[agent] = None

    def leave(self, agent: PathRequester) -> None:
        """Stop planning for an agent. Called by agents that leave their tree."""
        self._agents.pop(agent, None)
        self._scheduler.cancel(agent)

    def request(self, agent: PathRequester) -> None:
        """Plan for an agent when its turn comes. Called by agents."""
        self._scheduler.request(agent)

    def withdraw(self, agent: PathRequester) -> None:
        """Forget an agent's request. Called by agents."""
        self._scheduler.cancel(agent)

    def _enter_tree(self) -> None:
        tilemap = self._navigation.tilemap
        missed = tilemap.changed_since(self._version)
        tilemap.changed.connect(self._on_changed, weak=True)
        if missed is not None:
            self._on_changed(missed)

    def _exit_tree(self) -> None:
        tilemap = self._navigation.tilemap
        if tilemap.changed.is_connected(self._on_changed):
            tilemap.changed.disconnect(self._on_changed)

    def _process(self, _dt_s: float) -> None:
        self.plan()

    def _on_changed(self, rect: Rect) -> None:
        self._version = self._navigation.tilemap.version
        for agent in tuple(self._agents):
            agent.map_changed(rect)
