"""What is measured on a map of one size, row by row, each answer checked with SciPy.

Timing is fair to all: libraries take turns, round by round, on the same questions.
"""

import gc
import time
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from tests.benchmarks.maps import N_LEVELS, SEED, edges, price, questions, rugged_levels
from tests.benchmarks.registry import BY_NAME, INDEXED, NANO, PLAIN

BUDGETS = (6, 30)
BATCH_SIZES = (64, 256)
N_PATHS = {64: 800, 128: 400, 256: 240}
N_WARM = 5
N_UNITS = 200
PATHS_PER_DOOR = 10
_DOOR_LEVEL = 2 * N_LEVELS
_MOST_ROUNDS = 4
_PER_ROUND = 8
_LEADS = 8  # one in so many questions of a turn comes first and is not timed
_CLOCK_NS = min(-time.process_time_ns() + time.process_time_ns() for _ in range(1000))
"""What reading the clock adds, which for the fastest answers is a tenth."""


@dataclass
class Cell:
    """What was measured of one library: the times of each question, or a single number."""

    times: list[float] = field(default_factory=list)
    wrong: int = 0
    asked: int = 0
    spent_s: float = 0.0

    @property
    def median(self):
        return float(np.median(self.times))

    @property
    def p95(self):
        return float(np.percentile(self.times, 95))


def in_turns(libraries, questions, ask, is_right, seconds):
    """Ask every library every question, in rounds of several, each round in another order.

    A turn begins with questions that are not timed, so that nobody is charged for having been
    driven out of the processor's caches by the one before.

    Parameters
    ----------
    libraries : dict of name to library
    questions : sequence
    ask : callable of library and question
        What is timed.
    is_right : callable of library, question and answer
        Asked after each library's turn, beside the clock.
    seconds : float
        A library that has used up so much time is asked no more, but at least once on the clock.

    Returns
    -------
    dict of name to Cell
        Processor times of all threads in ms: other work on the machine hardly counts.
    """
    cells = {name: Cell() for name in libraries}
    n_rounds = min(max(1, len(questions) // _PER_ROUND), _MOST_ROUNDS)
    per_round = -(-len(questions) // n_rounds)
    names = list(libraries)
    for first in range(0, len(questions), per_round):
        names = names[1:] + names[:1]
        for name in names:
            asked = questions[first : first + per_round]
            _take_turn(cells[name], libraries[name], asked, ask, is_right, seconds)
    return cells


def _take_turn(cell, library, questions, ask, is_right, seconds):
    lead = 0 if len(questions) == 1 else -(-len(questions) // _LEADS)
    answers = []
    gc.disable()
    try:
        for place, question in enumerate(questions):
            if cell.spent_s > seconds and cell.times:
                break
            begin = time.process_time_ns()
            answer = ask(library, question)
            elapsed = max(0, time.process_time_ns() - begin - _CLOCK_NS)
            cell.spent_s += elapsed / 1e9
            if place >= lead:
                cell.times.append(elapsed / 1e6)
            answers.append(answer)
    finally:
        gc.enable()
    cell.asked += len(answers)
    for question, answer in zip(questions, answers, strict=False):
        cell.wrong += not is_right(library, question, answer)


class Oracle:
    """Costs of cheapest paths on one map.

    Parameters
    ----------
    level : (size, size) int
    """

    def __init__(self, level):
        self._level, self._size = level.astype(np.int64), len(level)
        (source, target, cost), shape = edges(level), (level.size, level.size)
        self._graph = csr_array((cost, (source, target)), shape=shape)
        self._back = csr_array((cost, (target, source)), shape=shape)
        self._known, self._fields = {}, {}

    def node(self, cell):
        return int(cell[0] * self._size + cell[1])

    def walked(self, cells):
        """Return the cost of a path of several cells; infinity if it is not legal."""
        if not np.all(np.abs(np.diff(cells, axis=0)).sum(axis=1) == 1):
            return np.inf
        return float(price(np.diff(self._level[cells[:, 0], cells[:, 1]])).sum())

    def cost(self, start, goal):
        if (start, goal) not in self._known:
            costs = dijkstra(self._graph, indices=self.node(start))
            self._known[start, goal] = float(costs[self.node(goal)])
        return self._known[start, goal]

    def is_cheapest(self, start, goal, cells):
        """Return whether cells are a cheapest path, or empty where there is no path."""
        # Some libraries return the goal alone, or the start alone, for "no path".
        cost = np.inf
        if len(cells) > 1:
            if self.node(cells[0]) != self.node(start) or self.node(cells[-1]) != self.node(goal):
                return False
            cost = self.walked(cells)
            if cost == np.inf:
                return False
        return cost == self.cost(start, goal)

    def is_reach(self, start, budget, answer):
        """Return whether the number of cells within the budget and the sum of their costs agree."""
        costs = dijkstra(self._graph, indices=self.node(start), limit=budget)
        within = costs[costs <= budget]
        return answer == (len(within), within.sum())

    def is_field(self, goal, costs):
        if goal not in self._fields:
            self._fields[goal] = dijkstra(self._back, indices=self.node(goal))
        return np.array_equal(costs.ravel(), self._fields[goal])


@dataclass
class Row:
    """One row of the table: cells by library."""

    name: str
    cells: dict[str, Cell]
    unit: str = "ms"


class Bench:
    """All libraries on one map.

    Parameters
    ----------
    size : int
    entries : list of Entry
        The libraries that are installed.
    seconds : float
        What one library may take for one row; slow ones answer fewer questions.
    share : float
        Share of the usual number of questions.
    """

    def __init__(self, size, entries, seconds, share):
        self._size, self._seconds, self._share = size, seconds, share
        self._level = rugged_levels(size)
        self._oracle = Oracle(self._level)
        self._classes = {entry.name: entry.load() for entry in entries if size <= entry.largest}
        self._sources = {name: each.source(self._level) for name, each in self._classes.items()}
        self._libraries = {}

    def rows(self):
        """Measure row by row; edits come last, as they change the maps."""
        yield self._build()
        yield self._paths()
        for budget in BUDGETS:
            yield self._reach(budget)
        yield self._field()
        if self._size in BATCH_SIZES:
            yield self._batch()
            yield self._many()
        if self._size > min(BATCH_SIZES):  # there the index needs no thread that repairs it
            yield self._between_edits()
        yield self._edits()

    def _count(self, usual):
        return max(N_WARM + 3, round(usual * self._share))

    def _build(self):
        """Build all graphs several times; the last ones are kept."""
        for library in self._classes.values():  # imports and compiles what there is to
            library(library.source(rugged_levels(8)))

        def ask(name, _):
            return self._classes[name](self._sources[name])

        def keep(name, _, library):
            self._libraries[name] = library
            return True

        names = {name: name for name in self._classes}
        cells = in_turns(names, range(5), ask, keep, self._seconds / 2)
        gc.collect()
        gc.freeze()  # else every collection looks through the graphs made of Python objects
        if INDEXED in cells:  # it includes building the plain graph
            cells[INDEXED].times = [
                max(0.0, time - cells[PLAIN].median) for time in cells[INDEXED].times
            ]
        return Row(f"graph {self._name}", cells)

    @property
    def _name(self):
        return f"{self._size}x{self._size}"

    def _measure(self, method, asked, warm, ask, is_right):
        able = {name: each for name, each in self._libraries.items() if hasattr(each, method)}
        for library in able.values():
            for question in warm:
                ask(library, question)
        return in_turns(able, asked, ask, is_right, self._seconds)

    def _paths(self):
        cells = self._measure(
            "find_path",
            questions(self._size, self._count(N_PATHS.get(self._size, 32)), seed=1),
            questions(self._size, N_WARM, seed=2),
            lambda library, ends: library.find_path(*ends),
            lambda library, ends, answer: self._oracle.is_cheapest(*ends, library.cells(answer)),
        )
        return Row(f"path {self._name}", cells)

    def _reach(self, budget):
        cells = self._measure(
            "reach",
            [start for start, _ in questions(self._size, self._count(400), seed=3)],
            [start for start, _ in questions(self._size, N_WARM, seed=4)],
            lambda library, start: library.reach(start, budget),
            lambda library, start, answer: self._oracle.is_reach(
                start, budget, library.reached(answer)
            ),
        )
        cells.pop(INDEXED, None)
        return Row(f"reach {budget}, {self._name}", cells)

    def _field(self):
        cells = self._measure(
            "cost_field",
            [goal for goal, _ in questions(self._size, 6, seed=5)],
            [goal for goal, _ in questions(self._size, 1, seed=6)],
            lambda library, goal: library.cost_field(goal),
            lambda library, goal, answer: self._oracle.is_field(goal, library.costs(answer)),
        )
        cells.pop(INDEXED, None)
        return Row(f"cost field {self._name}", cells)

    def _are_cheapest(self, library, asked, answers):
        return all(
            self._oracle.is_cheapest(*ends, library.cells(answer))
            for ends, answer in zip(asked, answers, strict=True)
        )

    def _batch(self):
        """Ask many questions in one call; a library without such a call gets them one by one."""
        from tests.benchmarks import ours

        count = self._count(600 if self._size == 64 else 100)
        asked = questions(self._size, 4 * count, seed=7)
        batches = [asked[first : first + count] for first in range(0, len(asked), count)]

        def ask(library, batch):
            if isinstance(library, ours.Ours):
                return ours.batch(library, batch)
            return [library.find_path(*ends) for ends in batch]

        def is_right(library, batch, answers):
            return self._are_cheapest(library, batch, answers)

        swift = {PLAIN, INDEXED, "tcod", "w9"} & set(self._libraries)
        libraries = {name: each for name, each in self._libraries.items() if name in swift}
        for library in libraries.values():
            ask(library, batches[0])
        cells = in_turns(libraries, batches[1:], ask, is_right, self._seconds)
        for cell in cells.values():
            cell.times = [time / count for time in cell.times]
        return Row(f"each of a batch of {count}, {self._name}", cells)

    def _many(self):
        """Ask for the reaches of many units in one call, which only we have."""
        rng, budget = np.random.default_rng(12), BUDGETS[0]
        asked = [rng.integers(0, self._size, (N_UNITS, 2)) for _ in range(self._count(40))]
        library = self._libraries[PLAIN]

        def are_reaches(_, starts, found):
            ends = zip(starts.tolist(), found.offsets, found.offsets[1:], strict=False)
            return all(
                self._oracle.is_reach(tuple(start), budget, (last - first, costs.sum()))
                for start, first, last in ends
                for costs in [found.costs[first:last]]
            )

        def ask(_, starts):
            return library.reaches(starts, budget)

        cells = in_turns({PLAIN: library}, asked, ask, are_reaches, self._seconds)
        cells[PLAIN].times = [time / N_UNITS for time in cells[PLAIN].times]
        return Row(f"each of {N_UNITS} reaches {budget}, {self._name}", cells)

    def _between_edits(self):
        """Close a door, ask for paths, open it, ask for more: the map is the same afterwards."""
        ends = questions(self._size, 40 * PATHS_PER_DOOR, seed=10)
        doors = np.random.default_rng(11).integers(0, self._size, (40, 2)).tolist()
        asked = [
            ((row, col), ends[i * PATHS_PER_DOOR : (i + 1) * PATHS_PER_DOOR])
            for i, (row, col) in enumerate(doors)
        ]
        half = PATHS_PER_DOOR // 2

        def ask(library, question):
            door, pairs = question
            library.set_level(door, _DOOR_LEVEL)
            for pair in pairs[:half]:
                library.find_path(*pair)
            library.set_level(door, int(self._level[door]))
            return [library.find_path(*pair) for pair in pairs[half:]]

        def is_right(library, question, answers):
            return self._are_cheapest(library, question[1][half:], answers)

        cells = self._measure("set_level", asked[: self._count(40)], asked[:1], ask, is_right)
        for cell in cells.values():
            cell.times = [time / PATHS_PER_DOOR for time in cell.times]
        return Row(f"path between edits, {self._name}", cells)

    def _edits(self):
        """Change single tiles; every library gets the same edits, as many as it can in the time."""
        rng, highest = np.random.default_rng(8), (self._size, self._size, N_LEVELS)
        drawn = rng.integers(0, highest, (self._count(200), 3)).tolist()
        edits = [((row, col), level) for row, col, level in drawn]
        warm, asked = edits[:N_WARM], edits[N_WARM:]
        # At 64 x 64 its index is built again in the background, which would slow down the others.
        self._libraries.pop(INDEXED, None)

        cells = self._measure(
            "set_level", asked, warm, lambda each, edit: each.set_level(*edit), lambda *_: True
        )
        for name, cell in cells.items():
            cell.wrong = self._wrong_after(name, edits[: len(warm) + cell.asked])
        return Row(f"edit of a tile, {self._name}", cells)

    def _wrong_after(self, name, edits):
        """Ask a library for paths from its edited tiles, on the edited map."""
        level = self._level.copy()
        for place, height in edits:
            level[place] = height
        oracle, library = Oracle(level), self._libraries[name]
        goal = (self._size - 1, self._size // 2)
        starts = [place for place, _ in edits[-3:] if place != goal]
        return sum(
            not oracle.is_cheapest(start, goal, library.cells(library.find_path(start, goal)))
            for start in starts
        )


_UNIFORM_SIZES = (64, 256)
_SHARE, _CLIFF = 0.1, 9  # of the cells, and how many levels high these are
_NAMES = PLAIN, INDEXED, "tcod", NANO


def uniform_rows(size, seconds, share):
    """Measure paths around blocked cells where every step costs 1, on maps of two sizes.

    Some libraries know only free and blocked cells.
    """
    if size not in _UNIFORM_SIZES:
        return
    is_blocked = np.random.default_rng(SEED).random((size, size)) < _SHARE
    level = np.where(is_blocked, _CLIFF, 0).astype(np.int16)
    oracle, libraries = Oracle(level), {}
    for entry in (BY_NAME[name] for name in _NAMES if BY_NAME[name].is_there):
        library = entry.load()
        libraries[entry.name] = library(library.source(level))
    asked = questions(size, round(N_PATHS[size] * share) + N_WARM, seed=1)
    asked = [ends for ends in asked if not any(is_blocked[cell] for cell in ends)]
    for library in libraries.values():
        for ends in asked[:N_WARM]:
            library.find_path(*ends)
    cells = in_turns(
        libraries,
        asked[N_WARM:],
        lambda library, ends: library.find_path(*ends),
        lambda library, ends, answer: oracle.is_cheapest(*ends, library.cells(answer)),
        seconds,
    )
    yield Row(f"path on uniform ground, {size}x{size}", cells)
