"""The node that plans for all agents of a map, frame by frame, within a shared budget.

Requests are served in their order. A few searches run at a time and take turns, so that a long one
does not hold up the short ones behind it, and memory does not grow with the number of requests. An
edit of the map, or a new request by the same agent, restarts its search. A search that was
restarted several times runs to its end at once, so that every request gets an answer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.navigation.navigation import Navigation
from ai.navigation.resumable_search import Search
from terrain3d import Node, Rect
from terrain3d.core.checks import instance_of, positive_number, whole_within

if TYPE_CHECKING:
    from ai.agents.navigation_agent import NavigationAgent3D

MAX_EXPANSIONS = 20_000
_MAX_RUNNING = 4
_EXPANSIONS_PER_TURN = 1024
_MAX_INTERRUPTED_STARTS = 3
_MIN_TURN_S = 1e-4  # so that every turn makes progress


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

    def current_search(self, agent: NavigationAgent3D, version: int) -> Search:
        if self.version != version:
            self.drop_search()
        if self.search is None:
            self.search, self.version = agent.begin_search(), version
            self.n_starts += 1
        return self.search


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
            max_expansions = whole_within("max_expansions", max_expansions, 1)
        if seconds is not None:
            seconds = positive_number("seconds", seconds)
        self._navigation = navigation
        self._max_expansions, self._seconds = max_expansions, seconds
        self._left = 0  # expansions of this frame
        self._until_s = 0.0
        self._waiting: dict[NavigationAgent3D, None] = {}
        self._jobs: dict[NavigationAgent3D, _Job] = {}  # in the order of their turns
        self._agents: dict[NavigationAgent3D, None] = {}
        self._version = navigation.tilemap.version

    @property
    def navigation(self) -> Navigation:
        """Queries on the map."""
        return self._navigation

    @property
    def n_waiting(self) -> int:
        """The number of agents that wait for a path."""
        return len(self._waiting) + len(self._jobs)

    def register(self, agent: NavigationAgent3D) -> None:
        """Notify an agent of edits from now on. Called by agents that enter a tree."""
        self._agents[agent] = None

    def leave(self, agent: NavigationAgent3D) -> None:
        """Stop planning for an agent. Called by agents that leave their tree."""
        self._agents.pop(agent, None)
        self.withdraw(agent)

    def request(self, agent: NavigationAgent3D) -> None:
        """Plan for an agent, or anew for another target; it keeps its turn. Called by agents."""
        if agent in self._jobs:
            self._jobs[agent].drop_search()
        else:
            self._waiting[agent] = None

    def withdraw(self, agent: NavigationAgent3D) -> None:
        """Forget an agent's request. Called by agents."""
        self._waiting.pop(agent, None)
        job = self._jobs.pop(agent, None)
        if job is not None:
            job.drop_search()

    def plan(self) -> None:
        """Search for as long as a frame allows; in a tree every frame calls it.

        New requests wait for the next frame. A frame has at least one turn, unless an earlier one
        has used up its expansions.
        """
        n_to_start = len(self._waiting)
        self._left = min(0, self._left) + (self._max_expansions or 0)
        self._until_s = time.monotonic() + (self._seconds or 0)
        is_late = False
        while not is_late and (self._max_expansions is None or self._left > 0):
            while self._waiting and n_to_start and len(self._jobs) < _MAX_RUNNING:
                agent = next(iter(self._waiting))
                del self._waiting[agent]
                self._jobs[agent] = _Job()
                n_to_start -= 1
            if not self._jobs:
                break
            self._run_turn(next(iter(self._jobs)))
            is_late = self._seconds is not None and time.monotonic() >= self._until_s
        for agent, job in tuple(self._jobs.items()):
            if job.search is not None and job.version == self._navigation.tilemap.version:
                agent.take_progress(job.search)

    def _run_turn(self, agent: NavigationAgent3D) -> None:
        job = self._jobs.pop(agent)
        search = job.current_search(agent, self._navigation.tilemap.version)
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
            self._jobs[agent] = job
            return
        job.drop_search()
        if not agent.take_path(path) and agent not in self._waiting:
            self._jobs[agent] = job

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
