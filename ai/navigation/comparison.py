"""Compare two searches for one query, or for others between random ends."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from ai.navigation.navigation import Navigation
from ai.navigation.replay import Replay
from ai.navigation.search import ALGORITHMS, ORDERS, Search
from ai.rules.heuristics import HEURISTICS
from ai.rules.profile import MoveProfile, checked_profile
from terrain3d.core.checks import checked_function, instance_of, one_of, optional
from terrain3d.grid.reason import Reason

GENTLE_UPHILL, STEEP_UPHILL = 1, 10
"""Costs of a level up in the two rules that are compared."""

FARTHEST = 40
"""The most that a path between random ends costs."""
_TRIES = 100


@dataclass(frozen=True)
class SearchOptions:
    """The rules, algorithm, heuristic and expansion order of a search.

    Parameters
    ----------
    algorithm, heuristic, order : str
        As in `Navigation.begin_search`.
    """

    profile: MoveProfile
    algorithm: str = "astar"
    heuristic: str = "auto"
    order: str = "lifo"

    def __post_init__(self) -> None:
        """Check the fields."""
        checked_profile(self.profile)
        one_of("algorithm", self.algorithm, ALGORITHMS)
        one_of("heuristic", self.heuristic, HEURISTICS)
        one_of("order", self.order, ORDERS)


class Begin(Protocol):
    """A callable that begins a search between a fixed start and a fixed goal."""

    def __call__(
        self, profile: MoveProfile, *, algorithm: str, heuristic: str, order: str
    ) -> Search:
        """Begin the search; `ValueError` if the profile has no such search."""


class SearchComparison:
    """One query, searched with one set of options or with two, side by side.

    Parameters
    ----------
    begin : callable
        Begins a search, such as `functools.partial(navigation.begin_search, start, goal)`.
    rival : SearchOptions, optional
        The options to compare with.
    draw : callable, optional
        Returns what begins a search between other ends, for `next_ends`; None: there are none.

    Raises
    ------
    ValueError
        There is no such search.

    Examples
    --------
    >>> from functools import partial
    >>> from ai import MoveProfile, Navigation
    >>> from terrain3d import TileMap
    >>> navigation = Navigation(TileMap.from_text("0000"))
    >>> begin = partial(navigation.begin_search, (0, 1), (0, 3))
    >>> comparison = SearchComparison(begin, SearchOptions(MoveProfile()))
    >>> comparison.next_rival()
    >>> [(replay.title, replay.n_steps) for replay in comparison.replays()]
    [('A*, heuristic auto', 3), ('Dijkstra', 4)]
    """

    def __init__(
        self,
        begin: Begin,
        options: SearchOptions,
        rival: SearchOptions | None = None,
        draw: Callable[[], Begin | None] | None = None,
    ) -> None:
        self._begin = checked_function("begin", begin, 1, "algorithm", "heuristic", "order")
        self._options = instance_of("options", options, SearchOptions)
        self._rival = optional("rival", rival, SearchOptions)
        self._draw = None if draw is None else checked_function("draw", draw, 0)
        self.searches()

    @property
    def options(self) -> tuple[SearchOptions, ...]:
        """The options of the one or two searches."""
        return (self._options,) if self._rival is None else (self._options, self._rival)

    def searches(self) -> tuple[Search, ...]:
        """Begin the searches and return them."""
        return tuple(self._search(each) for each in self.options)

    def replays(self) -> tuple[Replay, ...]:
        """Run the searches and return them to be shown, each at step 0.

        Raises
        ------
        ValueError
            A search takes more steps than are shown.
        """
        return self.begin_replays()()

    def begin_replays(self) -> Callable[[], tuple[Replay, ...]]:
        """Begin the searches and return the rest of `replays`, to be called in any thread."""
        searches, profiles = self.searches(), [each.profile for each in self.options]
        has_rules = len(set(profiles)) > 1

        def title(search: Search, uphill: object) -> str:
            if not has_rules:
                return search.title
            return Reason("searched_uphill", search=search.title, cost=uphill)

        def show() -> tuple[Replay, ...]:
            return tuple(
                Replay(search, title(search, profile.climb_cost))
                for search, profile in zip(searches, profiles, strict=True)
            )

        return show

    def next_ends(self) -> None:
        """Search between other ends, as drawn; the same ones if there are no others."""
        begin = None if self._draw is None else self._draw()
        self._begin = begin or self._begin

    def next_algorithm(self) -> None:
        """Select the next algorithm that the rules allow."""
        self._select("algorithm", ALGORITHMS)

    def next_heuristic(self) -> None:
        """Select the next heuristic that never exceeds the true cost."""
        self._select("heuristic", HEURISTICS)

    def next_order(self) -> None:
        """Select the next order in which A* expands nodes of equal scores."""
        self._select("order", ORDERS)

    def next_rival(self) -> None:
        """Compare with another algorithm, then with another climb cost, then with nothing."""
        options, rival = self._options, self._rival
        if rival is not None and rival.profile != options.profile:
            self._rival = None
        else:
            self._rival = _other_algorithm(options) if rival is None else _other_uphill(options)

    def _select(self, field: str, names: tuple[str, ...]) -> None:
        """Select the next name that is not refused; the rival keeps its difference."""
        place = names.index(getattr(self._options, field)) + 1
        for name in names[place:] + names[:place]:
            changed: dict[str, Any] = {field: name}
            options, rival = replace(self._options, **changed), self._rival
            if rival is not None and rival.profile != self._options.profile:
                rival = replace(options, profile=rival.profile)
            elif rival is not None:
                rival = _other_algorithm(options)
            try:
                for each in (options, rival):
                    if each is not None:
                        self._search(each)
            except ValueError:
                continue
            self._options, self._rival = options, rival
            return

    def _search(self, options: SearchOptions) -> Search:
        names = {name: getattr(options, name) for name in ("algorithm", "heuristic", "order")}
        return self._begin(options.profile, **names)


def _other_algorithm(options: SearchOptions) -> SearchOptions:
    return replace(options, algorithm="astar" if options.algorithm == "dijkstra" else "dijkstra")


def _other_uphill(options: SearchOptions) -> SearchOptions:
    is_steep = options.profile.climb_cost == STEEP_UPHILL
    uphill = GENTLE_UPHILL if is_steep else STEEP_UPHILL
    return replace(options, profile=replace(options.profile, climb_cost=uphill))


class RandomSearches:
    """Draws a start where a mover may stand, and a goal that it can reach from there."""

    def __init__(self, navigation: Navigation, seed: int) -> None:
        self._navigation, self._random = navigation, np.random.default_rng(seed)

    def draw(self, profile: MoveProfile) -> Begin | None:
        """Return what begins the next search; None if no drawn start leads anywhere."""
        navigation, tilemap = self._navigation, self._navigation.tilemap
        for _ in range(_TRIES):
            start = tuple(self._random.integers((tilemap.rows, tilemap.cols)).tolist())
            if navigation.explain_stop(start, profile):
                continue
            reach = navigation.reach(start, FARTHEST, profile)
            if len(reach) > 1:
                least = reach.cost_to(reach.cells[-1]) / 2
                far = [cell for cell in reach if reach.cost_to(cell) >= least]
                goal = far[int(self._random.integers(len(far)))]
                return partial(navigation.begin_search, reach.cells[0], goal)
        return None
