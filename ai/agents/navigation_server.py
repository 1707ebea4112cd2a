"""The node that plans for all agents of a map, frame by frame, within a shared budget."""

from ai.agents.scheduler import PathRequester, PlanScheduler
from ai.navigation.navigation import Navigation
from terrain3d import Node, Rect
from terrain3d.core.checks import instance_of, positive_number, whole_within

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
