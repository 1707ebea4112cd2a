"""What a search theatre plays: one query, how it is searched, and what that is compared with."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol, Self

from ai.navigation.algorithms import ALGORITHMS
from ai.navigation.path import plain_number
from ai.navigation.resumable_search import Search
from ai.rules.heuristics import HEURISTICS
from ai.rules.profile import MoveProfile
from ai.trace.recording import Recording
from ai.trace.replay import Replay

GENTLE_UPHILL, STEEP_UPHILL = 1, 10
"""What a level up costs in the two rules that are compared."""


@dataclass(frozen=True)
class Choice:
    """One way to search.

    Parameters
    ----------
    profile : MoveProfile
    algorithm, heuristic : str
        As in `Navigation.begin_search`.
    """

    profile: MoveProfile
    algorithm: str = "astar"
    heuristic: str = "auto"

    def against(self, text: str) -> "Choice":
        """Give the choice that differs in what a text names.

        Parameters
        ----------
        text : str
            An algorithm or an estimate by its name, or another cost of climbing: "uphill=10".

        Raises
        ------
        ValueError
            It is none of these.
        """
        if text in ALGORITHMS:
            return replace(self, algorithm=text)
        if text in HEURISTICS:
            return replace(self, heuristic=text)
        name, _, cost = text.partition("=")
        try:
            uphill = float(cost) if name == "uphill" else None
        except ValueError:
            uphill = None
        if uphill is None:
            names = ", ".join((*ALGORITHMS, *HEURISTICS))
            raise ValueError(f"against must be one of {names} or uphill=COST, got {text!r}")
        return replace(self, profile=replace(self.profile, climb_cost=plain_number(uphill)))


class Begin(Protocol):
    """Begins a search from a certain start to a certain goal."""

    def __call__(self, profile: MoveProfile, *, algorithm: str, heuristic: str) -> Search:
        """Begin it; `ValueError` if the profile has no such search."""


class SearchShow:
    """One query, searched in one way or in two of them side by side.

    Parameters
    ----------
    begin : callable
        Such as `functools.partial(navigation.begin_search, start, goal)`.
    choice : Choice
    rival : Choice, optional
        What it is compared with.

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
    >>> show = SearchShow(partial(navigation.begin_search, (0, 1), (0, 3)), Choice(MoveProfile()))
    >>> show.next_rival()
    >>> [(replay.title, replay.n_steps) for replay in show.replays()]
    [('A*, estimate auto', 3), ('Dijkstra', 4)]
    """

    def __init__(self, begin: Begin, choice: Choice, rival: Choice | None = None) -> None:
        self._begin = begin
        self._choice, self._rival = choice, rival
        self.searches()

    @staticmethod
    def add_arguments(parser: ArgumentParser) -> None:
        """Let a command line choose how to search, and what to compare that with."""
        parser.add_argument("--algorithm", choices=ALGORITHMS, default="astar", help="by which")
        parser.add_argument("--heuristic", choices=HEURISTICS, default="auto", help="guided so")
        what = "an algorithm, a heuristic or uphill=N to compare with"
        parser.add_argument("--against", metavar="OTHER", help=what)

    @classmethod
    def asked(cls, begin: Begin, profile: MoveProfile, options: Namespace) -> Self:
        """Make the show that a command line chose; errors as in the constructor."""
        choice = Choice(profile, options.algorithm, options.heuristic)
        return cls(begin, choice, choice.against(options.against) if options.against else None)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The one or two ways in which it is searched."""
        return (self._choice,) if self._rival is None else (self._choice, self._rival)

    def searches(self) -> tuple[Search, ...]:
        """Begin the searches."""
        return tuple(self._search(choice) for choice in self.choices)

    def replays(self) -> tuple[Replay, ...]:
        """Search, and give the recordings at their beginnings.

        Raises
        ------
        ValueError
            A search takes more steps than are recorded.
        """
        return self.prepared()()

    def prepared(self) -> Callable[[], tuple[Replay, ...]]:
        """Begin the searches, and give what is left to do for `replays`, in any thread."""
        choices, searches = self.choices, self.searches()
        has_rules = len({choice.profile for choice in choices}) > 1
        uphills = [f", uphill {choice.profile.climb_cost}" * has_rules for choice in choices]

        def record() -> tuple[Replay, ...]:
            recordings = [Recording.of(search) for search in searches]
            return tuple(
                Replay(recording, recording.title + uphill)
                for recording, uphill in zip(recordings, uphills, strict=True)
            )

        return record

    def next_algorithm(self) -> None:
        """Take the next algorithm that the rules allow."""
        names = _after(ALGORITHMS, self._choice.algorithm)
        self._take(replace(self._choice, algorithm=name) for name in names)

    def next_heuristic(self) -> None:
        """Take the next estimate that never exceeds the true cost."""
        names = _after(HEURISTICS, self._choice.heuristic)
        self._take(replace(self._choice, heuristic=name) for name in names)

    def next_rival(self) -> None:
        """Compare with another algorithm, then with another cost of climbing, then with nothing."""
        choice, rival = self._choice, self._rival
        if rival is not None and _is_other_rule(choice, rival):
            self._rival = None
        else:
            self._rival = _other_algorithm(choice) if rival is None else _other_uphill(choice)

    def _take(self, choices: Iterable[Choice]) -> None:
        """Take the first choice that is not refused; the rival keeps being what it is."""
        for choice in choices:
            rival = self._rival
            if rival is not None and _is_other_rule(self._choice, rival):
                rival = replace(choice, profile=rival.profile)
            elif rival is not None:
                rival = _other_algorithm(choice)
            try:
                for each in (choice, rival):
                    if each is not None:
                        self._search(each)
            except ValueError:
                continue
            self._choice, self._rival = choice, rival
            return

    def _search(self, choice: Choice) -> Search:
        return self._begin(choice.profile, algorithm=choice.algorithm, heuristic=choice.heuristic)


def _after(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Give all names in their order, from the one after a name up to itself."""
    place = names.index(name) + 1
    return names[place:] + names[:place]


def _other_algorithm(choice: Choice) -> Choice:
    return replace(choice, algorithm="astar" if choice.algorithm == "dijkstra" else "dijkstra")


def _other_uphill(choice: Choice) -> Choice:
    is_steep = choice.profile.climb_cost == STEEP_UPHILL
    uphill = GENTLE_UPHILL if is_steep else STEEP_UPHILL
    return replace(choice, profile=replace(choice.profile, climb_cost=uphill))


def _is_other_rule(choice: Choice, rival: Choice) -> bool:
    return choice.profile != rival.profile
