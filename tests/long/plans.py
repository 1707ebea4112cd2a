"""Plans of squads on generated boards, checked by plain code, and their costs.

The plans of 6 and 10 units may cost little more than their lower bounds on average, which SciPy
finds; squads that trade places in narrow passages have a plan.
"""

import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from ai import MoveProfile, Navigation, SquadPlan, SquadPlanner
from terrain3d import TileMap, landscape
from tests.long import Kind, by_seed
from tests.support import rulebook
from tests.support.joint_moves_reference import Referee, StepCache, check_paths
from tests.support.plain_map import all_surfaces

Cell = tuple[int, int, int]

WALKER = MoveProfile()
KING = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=1.5)


class Board(NamedTuple):
    """A map with units of one profile."""

    name: str
    tilemap: TileMap
    profile: MoveProfile
    starts: list[Cell]
    goals: list[Cell]

    def __str__(self) -> str:
        return f"{self.name}, {len(self.starts)} units"


class ScipyPaths:
    """Graph of all steps of a profile on a map; every step must cost more than 0."""

    def __init__(self, tilemap: TileMap, profile: MoveProfile) -> None:
        self.step_cache = StepCache(tilemap)
        self.cells = [tuple(cell) for cell in all_surfaces(tilemap)]
        self._stops = [rulebook.can_stop(tilemap, profile, cell) for cell in self.cells]
        self._number = {cell: number for number, cell in enumerate(self.cells)}
        steps = [
            (self._number[cell], self._number[end], step[0])
            for cell in self.cells
            for end, step in self.step_cache.steps(profile, cell).items()
        ]
        start, end, cost = np.array(steps, dtype=float).reshape(-1, 3).T
        assert (cost > 0).all()
        size = len(self.cells), len(self.cells)
        self._graph = csr_matrix((cost, (start.astype(int), end.astype(int))), shape=size)

    def largest_component(self) -> list[Cell]:
        """Return the cells to stop on in the largest strongly connected component."""
        _, component_of = connected_components(self._graph, connection="strong")
        largest = int(np.bincount(component_of[self._stops]).argmax())
        return [
            cell
            for cell, component, may_stop in zip(self.cells, component_of, self._stops, strict=True)
            if may_stop and component == largest
        ]

    def least_costs(self, starts: list[Cell], goals: list[Cell]) -> NDArray[np.float64]:
        """Return (n_units,) the costs of the cheapest paths without other units."""
        backward = self._graph.T.tocsr()
        ends = [(self._number[s], self._number[g]) for s, g in zip(starts, goals, strict=True)]
        return np.array([dijkstra(backward, indices=goal)[start] for start, goal in ends])


def scattered(name: str, tilemap: TileMap, n_units: int, seed: int, profile=WALKER) -> Board:
    """Return units that all can reach each other's random starts and goals."""
    cells = ScipyPaths(tilemap, profile).largest_component()
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(len(cells), n_units, replace=False) for _ in range(2)]
    starts, goals = ([cells[number] for number in each] for each in chosen)
    return Board(name, tilemap, profile, starts, goals)


def hills(n_units: int, seed: int) -> Board:
    return scattered("hills", TileMap.from_noise(20, 20, seed=seed), n_units, seed)


def generated(size: int, n_units: int, seed: int) -> Iterator[Board]:
    """Yield boards of stepped ground: hills, a landscape with bridges, hexagons, diagonal steps."""
    ground = TileMap.from_noise(size, size, seed=seed, levels=5)
    hexagons = TileMap.from_noise(size, size, seed=seed, levels=5, topology="hex_odd_r")
    careful = MoveProfile(max_climb=1, max_drop=2)
    yield scattered("hills", ground, n_units, seed)
    yield scattered("landscape", landscape(size, size, seed), n_units, seed)
    yield scattered("hexagons", hexagons, n_units, seed, careful)
    yield scattered("diagonals", ground, n_units, seed, KING)


def rooms(n_units: int) -> Board:
    """Return units in small rooms with doors."""
    rng = np.random.default_rng(0)
    is_wall = np.zeros((32, 32), dtype=bool)
    is_wall[::4] = is_wall[:, ::4] = True
    for begin in range(1, 32, 4):
        for wall in range(0, 32, 4):
            at = begin + rng.integers(3, size=2)
            is_wall[wall, at[0]] = is_wall[at[1], wall] = False
    text = "\n".join("".join("0#"[int(here)] for here in row) for row in is_wall)
    return scattered("rooms", TileMap.from_text(text), n_units, 0)


def field() -> Board:
    """Return 50 units against 50 that change sides of an open field."""
    tilemap = TileMap.from_text("\n".join(["0" * 30] * 30))
    left = [(row, col, 0) for col in (0, 1) for row in range(2, 27)]
    right = [(row, 29 - col, 0) for row, col, _ in left]
    return Board("field", tilemap, WALKER, left + right, right + left)


def packed(n_units: int) -> Board:
    return scattered("packed", TileMap.from_text("\n".join(["0" * 8] * 8)), n_units, 0)


def columns(n_units: int, n_left: int = 0, n_right: int = 0) -> Board:
    """Return two columns of n units that pass each other in a corridor with one bay.

    There are as many tiles on each side of the bay as the columns need, and a few more.
    """
    bay, last = 2 * n_units - 1 + n_left, 4 * n_units - 2 + n_left + n_right
    tilemap = TileMap.from_text("0" * (last + 1) + "\n" + "#" * bay + "0" + "#" * (last - bay))
    left = [(0, col, 0) for col in range(n_units)]
    right = [(0, last - col, 0) for col in range(n_units)]
    return Board("columns", tilemap, WALKER, left + right, right[::-1] + left[::-1])


TREES = {
    "star": "###0###\n###0###\n0000000\n###0###\n###0###",
    "comb": "000000000\n0#0#0#0#0\n0#0#0#0#0",
    "fork": "0#####0\n0#####0\n0000000\n###0###\n###0###\n0000000\n0#####0",
    "stairs": "0123456\n###3###\n###2###\n###1###",
}


def narrow(seed: int) -> Iterator[Board]:
    """Yield boards on which units have to trade places where there is hardly room."""
    yield columns(2 + seed % 2, *((0, 0), (0, 5), (5, 0), (1, 2), (8, 8))[seed % 5])
    name = [*TREES][seed % len(TREES)]
    tilemap = TileMap.from_text(TREES[name])
    yield scattered(name, tilemap, len(all_surfaces(tilemap)) // 2, seed)


class Planned(NamedTuple):
    """The plan of a squad, which is legal if there is one."""

    plan: SquadPlan
    excess: float
    """By how much it costs more than the cheapest paths of single units, as a share."""
    seconds: float
    """Processor time."""


def planned(board: Board) -> Planned:
    """Plan a squad with a new planner, and check the plan."""
    paths, navigation = ScipyPaths(board.tilemap, board.profile), Navigation(board.tilemap)
    navigation.find_path(board.starts[0], board.goals[0], board.profile)  # prices the steps
    begin = time.process_time()
    plan = SquadPlanner(navigation).plan(board.starts, board.goals, board.profile)
    seconds = time.process_time() - begin
    if not plan:
        return Planned(plan, 0.0, seconds)
    least = float(paths.least_costs(board.starts, board.goals).sum())
    referee = Referee(paths.step_cache, [board.profile] * len(board.starts))
    check_paths(referee, board.starts, board.goals, plan)
    assert plan.cost >= least * (1 - 1e-9), f"{plan.cost} < {least}, which is impossible"
    return Planned(plan, plan.cost / least - 1, seconds)


AIMS = {6: 1.0, 10: 2.5}
"""By how many percent the plans of so many units may cost more than their lower bounds."""
ABOVE = "% above the lower bounds of {}, summed up"


def check(seed: int) -> Counter[str]:
    """Plan a few units on hills, and squads in narrow passages; return costs and times."""
    counts = Counter({"maps": 1})
    for n_units in AIMS:
        plan, excess, seconds = planned(hills(n_units, seed))
        assert plan, plan.reason
        counts[ABOVE.format(n_units)] += 100 * excess
        counts[f"s for {n_units}, summed up"] += seconds
    for board in narrow(seed):
        assert planned(board).plan, board
    return counts


def faults(counts: Counter[str]) -> list[str]:
    means = {n_units: counts[ABOVE.format(n_units)] / counts["maps"] for n_units in AIMS}
    return [
        f"{n_units} units: on average {mean:.2f} % above the lower bound (aim {AIMS[n_units]} %)"
        for n_units, mean in means.items()
        if mean > AIMS[n_units]
    ]


KIND = Kind("maps", 25, by_seed(check), faults)
