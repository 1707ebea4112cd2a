"""The node that plans for all agents of a map, frame by frame, within a budget that they share."""

import math
from typing import Protocol

from ai.agents.scheduler import Allowance, Asker, PlanScheduler
from ai.navigation.navigation import Navigation
from terrain3d import Node, Rect
from terrain3d.core.checks import instance_of, number_within, whole_number

MAX_EXPANSIONS = 20_000


class Agent(Asker, Protocol):
    """Whom it plans for: a `NavigationAgent3D`."""

    def map_changed(self, rect: Rect) -> None:
        """Take note that the map was edited within a rectangle."""


class NavigationServer3D(Node):
    """Searches ways for the `NavigationAgent3D` nodes made with it, so much in every frame.

    Those who ask first get a turn first, and everybody gets an answer, however small the budget
    is, and however often targets move or the map is edited. Ways are those that
    `Navigation.find_path` finds with `partial=True`.

    Parameters
    ----------
    navigation : Navigation
        The ways over the map.
    max_expansions : int, optional
        How many tiles its searches may close in a frame, > 0; None for no such limit. One search
        in a while may take more; the next frames then do with less.
    seconds : float, optional
        How long they may run in a frame, > 0; None for no such limit.
    name : str
        Of the node.

    Raises
    ------
    TypeError, ValueError
        It is no Navigation, or a limit is no number or out of its limits.
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
        if max_expansions is not None and whole_number("max_expansions", max_expansions) <= 0:
            raise ValueError(f"max_expansions must be > 0, got {max_expansions}")
        if seconds is not None:
            number_within("seconds", seconds, 0)
            if not 0 < seconds < math.inf:
                raise ValueError(f"seconds must be finite and > 0, got {seconds}")
        self._navigation = navigation
        self._allowance = Allowance(max_expansions, seconds)
        self._queue = PlanScheduler(navigation.tilemap)
        self._agents: dict[Agent, None] = {}
        self._version = navigation.tilemap.version

    @property
    def navigation(self) -> Navigation:
        """The ways over the map."""
        return self._navigation

    @property
    def n_waiting(self) -> int:
        """How many agents wait for a way."""
        return len(self._queue)

    def plan(self) -> None:
        """Do a frame's share of the searches; in a tree every frame does it by itself."""
        self._queue.work(self._allowance)

    def register(self, agent: Agent) -> None:
        """Tell an agent of edits from now on. Called by agents that enter a tree."""
        self._agents[agent] = None

    def leave(self, agent: Agent) -> None:
        """Plan for an agent no more. Called by agents that leave their tree."""
        self._agents.pop(agent, None)
        self._queue.forget(agent)

    def request(self, agent: Agent) -> None:
        """Plan for an agent when its turn comes. Called by agents."""
        self._queue.ask(agent)

    def withdraw(self, agent: Agent) -> None:
        """Forget an agent's request. Called by agents."""
        self._queue.forget(agent)

    def _enter_tree(self) -> None:
        tilemap = self._navigation.tilemap
        missed = tilemap.changed_since(self._version)
        tilemap.changed.connect(self._on_changed)
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
