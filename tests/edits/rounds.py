"""Rounds of one edit and some queries, with an index and without."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai import Blockers, MoveProfile, Navigation
from terrain3d import TileMap
from tests.edits.maps import PROFILES, change, random_map
from tests.support import rulebook
from tests.support.plain_map import all_surfaces

SIDES = (12, 12, 12, 12, 13, 14, 16, 20, 30, 40)
LARGE_SIDE = 70
ROUNDS_PER_MAP = 40
N_QUERIES = 3
KEPT_QUESTIONS = 12
"""How many earlier queries can be asked again; their answers may be cached."""
ROUNDS_PER_SCIPY = 97


@dataclass
class Game:
    """One map through its rounds; a difference is an AssertionError."""

    seed: int
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        is_large = self.rng.random() < 0.04
        side = LARGE_SIDE if is_large else self.rng.choice(SIDES)
        self.tilemap = random_map(self.rng, side)
        square = self.tilemap.topology == "square"
        movers = [mover for mover in PROFILES if square or mover.size == 1]
        self.profile = self.rng.choice(movers)
        self.landmarks = self.rng.choice([None, None, 1, 6])
        self.navigation = Navigation(self.tilemap)
        self.asked = []

    def rounds(self) -> Iterator[int]:
        """Play the rounds one by one; yield the number of each."""
        self.index()
        for number in range(ROUNDS_PER_MAP):
            what = change(self.rng, self.tilemap)
            if self.rng.random() < 0.3:
                self.index()
            try:
                self.compare()
            except AssertionError as error:
                raise AssertionError(
                    f"round {number} after {what} on {self.tilemap.topology} "
                    f"{self.tilemap.rows} x {self.tilemap.cols}, {self.profile}: {error}"
                ) from None
            yield number

    def index(self) -> None:
        """Build the index now or in the background."""
        how = self.rng.choice(["now", "now", "background"])
        self.counts[f"index {how}"] += 1
        self.navigation.build_index(
            self.profile, landmarks=self.landmarks, background=how == "background"
        )

    def compare(self) -> None:
        """Ask some questions, and a Navigation without an index too."""
        plain = Navigation(self.tilemap)
        cells = all_surfaces(self.tilemap)
        if not cells:
            return
        for _ in range(N_QUERIES):
            ask, some = self.question(cells)
            self.counts["queries"] += 1
            self.counts["queries with an index"] += self.navigation.has_index(self.profile)
            got, expected = (ask(nav, self.profile, *some) for nav in (self.navigation, plain))
            assert_same(got, expected, f"{ask.__name__} {some}")
        if self.rng.randrange(ROUNDS_PER_SCIPY) == 0 and len(cells) < 300:
            self.counts["compared with SciPy"] += 1
            self.compare_with_scipy(some[:2])

    def question(self, cells):
        """Return a query and its cells: a new one, or one asked before."""
        if self.asked and self.rng.random() < 0.5:
            ask, some = self.rng.choice(self.asked[-KEPT_QUESTIONS:])
            if all(cell in cells for cell in some):
                return ask, some
        ask, some = self.rng.choice(QUESTIONS), [self.rng.choice(cells) for _ in range(4)]
        self.asked.append((ask, some))
        return ask, some

    def compare_with_scipy(self, ends: list[tuple[int, int, int]]) -> None:
        """Compare a cost with that of the cheapest path by the rulebook and SciPy."""
        start, goal = ends
        least = least_cost(self.tilemap, self.profile, start, goal)
        assert_same(self.navigation.distance(start, goal, self.profile), least, f"SciPy {ends}")


def find_path(navigation, profile, start, goal, *_):
    return described(navigation.find_path(start, goal, profile))


def find_path_to_several(navigation, profile, start, *goals):
    return described(navigation.find_path(start, goals, profile))


def find_path_around_others(navigation, profile, start, goal, *others):
    blockers = Blockers(blocked=others[:1], passable=others[1:])
    return described(navigation.find_path(start, goal, profile, blockers=blockers))


def find_part_of_a_path(navigation, profile, start, goal, *_):
    return described(navigation.find_path(start, goal, profile, partial=True, max_cost=30))


def find_paths(navigation, profile, *cells):
    return [
        each
        for path in navigation.find_paths(cells, cells[::-1], profile)
        for each in described(path)
    ]


def costs(navigation, profile, start, goal, *_):
    reach = navigation.reach(start, 5, profile)
    field = navigation.cost_field(goal, profile)
    return [
        navigation.distance(start, goal, profile),
        navigation.is_reachable(start, goal, profile),
        field.cost_from(start),
        [(*cell, reach.cost_to(cell)) for cell in reach],
    ]


QUESTIONS = (
    *[find_path] * 3,
    find_path_to_several,
    find_path_around_others,
    find_part_of_a_path,
    find_paths,
    costs,
)


def described(path):
    """Return what has to be equal of a path."""
    return [path.cost, bool(path), path.reason, path.partial, path.cells]


def assert_same(got, expected, about):
    """Fail if two answers differ by more than the last digits of a cost."""
    assert are_same(got, expected), f"{about}: {got}, not {expected}"


def are_same(got, expected):
    if isinstance(got, list | tuple):
        return len(got) == len(expected) and all(map(are_same, got, expected))
    if isinstance(got, float | int):
        return got == expected or math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
    return got == expected


def least_cost(tilemap: TileMap, profile: MoveProfile, start, goal) -> float:
    """Return the cost of the cheapest path by the rulebook's steps and SciPy."""
    if start == goal:
        return 0.0
    places = rulebook.whereabouts(tilemap, profile)
    number = {place: index for index, place in enumerate(places)}
    if start not in number or not rulebook.can_stop(tilemap, profile, goal):
        return math.inf
    if not rulebook.can_start(tilemap, profile, start):
        return math.inf
    steps = [rulebook.steps_from(tilemap, profile, place) for place in places]
    costs = np.zeros((len(places), len(places)))
    for here, row in enumerate(steps):
        for end, cost in sorted(row, key=lambda step: -step[1]):  # the cheapest comes last
            costs[here, number[end]] = cost
    return float(dijkstra(csr_matrix(costs), indices=number[start])[number[goal]])
