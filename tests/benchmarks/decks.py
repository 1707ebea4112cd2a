"""What decks cost: the questions of the other rows where a quarter of the columns has one."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d import TileMap
from terrain3d.generate.noise import fractal_noise
from tests.benchmarks.maps import MOVES, SEED, Cell, both_ends, price, questions, rugged_levels
from tests.benchmarks.oracle import Edges, Oracle
from tests.benchmarks.ours import Ours
from tests.benchmarks.registry import PLAIN
from tests.benchmarks.rounds import in_turns
from tests.benchmarks.rows import BUDGETS, N_PATHS, N_WARM, Row

SIZES = (64, 256)
_SHARE = 0.25
_RAISED, _THICKNESS, _BODY = 3, 1, 1  # in levels
_OPEN_SKY = 2**20
WORDS = (
    f"below decks: wooden roofs, {_THICKNESS} level thick, hang {_RAISED} levels above patches of "
    f"the same map, {_SHARE:.0%} of its tiles; units walk on them and below"
)


class Decked(Oracle):
    """The rugged map of a size with roofs over patches of it, and what is right there.

    Parameters
    ----------
    size : int
    """

    def __init__(self, size: int) -> None:
        ground = rugged_levels(size).astype(np.int64)
        noise = fractal_noise(size, size, SEED + 1, (8, 2), (0.7, 0.3))
        is_roofed = noise > np.quantile(noise, 1.0 - _SHARE)
        self._level = np.stack([ground, ground + _RAISED])
        self._exists = np.stack([np.ones_like(is_roofed), is_roofed])
        source, target, cost = steps = self._steps(is_roofed)
        order = np.lexsort((target, source))
        self._edge = source[order] * self._level.size + target[order]
        self._price = cost[order]
        self._learn(size, self._level.size, steps)

    def tilemap(self) -> TileMap:
        tilemap = TileMap(self._level[0])
        with tilemap.edit("roofs") as edit:
            for row, col in np.argwhere(self._exists[1]).tolist():
                edit.add_deck((row, col), int(self._level[1, row, col]), thickness=_THICKNESS)
        return tilemap

    def _steps(self, is_roofed: NDArray[np.bool_]) -> Edges:
        """(n,) sources, targets and costs of all legal steps between any two surfaces."""
        level, size = self._level, len(is_roofed)
        node = np.arange(level.size).reshape(level.shape)
        ceiling = np.full(level.shape, _OPEN_SKY)
        ceiling[0][is_roofed] = (level[1] - _THICKNESS)[is_roofed]
        found = []
        for move, low, high in product(MOVES, range(2), range(2)):
            (rows, cols), (rows_there, cols_there) = both_ends(size, move)
            here, there = (low, rows, cols), (high, rows_there, cols_there)
            room = np.minimum(ceiling[here], ceiling[there]) - np.maximum(level[here], level[there])
            cost = price(level[there] - level[here])
            is_step = self._exists[here] & self._exists[there] & (room >= _BODY) & np.isfinite(cost)
            found.append((node[here][is_step], node[there][is_step], cost[is_step]))
        source, target, cost = (np.concatenate(part) for part in zip(*found, strict=True))
        return source, target, cost

    def node(self, cell: Cell) -> int:
        row, col, deck = (*cell, 0)[:3]
        return int((deck * self._size + row) * self._size + col)

    def walked(self, cells: NDArray[np.int64]) -> float:
        nodes = np.array([self.node(cell) for cell in cells])
        edge = nodes[:-1] * self._level.size + nodes[1:]
        place = np.minimum(np.searchsorted(self._edge, edge), len(self._edge) - 1)
        return float(np.where(self._edge[place] == edge, self._price[place], np.inf).sum())


def rows(size: int, seconds: float, share: float) -> Iterator[Row]:
    """Measure what the rows of `Bench` measure, in the same order of the same questions."""
    decked = Decked(size)
    library = Ours(decked.tilemap())

    def measure(
        what: str,
        asked: list[Any],
        ask: Callable[[Ours, Any], Any],
        is_right: Callable[[Any, Any], bool],
    ) -> Row:
        for question in asked[:N_WARM]:
            ask(library, question)
        cells = in_turns(
            {PLAIN: library},
            asked,
            ask,
            lambda _, question, answer: is_right(question, answer),
            seconds,
        )
        return Row(f"{what} {size}x{size}, a quarter below decks", cells)

    count = max(N_WARM + 3, round(N_PATHS[size] * share))
    yield measure(
        "path",
        questions(size, count, seed=1),
        lambda ours, ends: ours.find_path(*ends),
        lambda ends, path: decked.is_cheapest(*ends, path),
    )
    starts = [start for start, _ in questions(size, max(N_WARM + 3, round(200 * share)), seed=3)]
    for budget in BUDGETS:
        yield measure(
            f"reach {budget},",
            starts,
            lambda ours, start, budget=budget: ours.reach(start, budget),
            lambda start, answer, budget=budget: decked.is_reach(
                start, budget, library.reached(answer)
            ),
        )
    yield measure(
        "cost field",
        [goal for goal, _ in questions(size, N_WARM + 3, seed=5)],
        lambda ours, goal: ours.cost_field(goal),
        lambda goal, answer: decked.is_field(goal, library.costs(answer)),
    )
