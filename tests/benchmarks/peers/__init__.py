"""Other libraries, each asked the same questions with the fastest calls of its public interface.

They are imported when they are first used, so that a missing one is merely absent. What a library
cannot do it has no method for.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.maps import MAX_CLIMB, MAX_DROP, MOVES, Cell

NO_CELLS = np.zeros((0, 2), dtype=np.int64)


class Library(Protocol):
    """Answers questions; `cells` then reads a path out of its answer, which is not timed.

    It may also have `reach(start, budget)` with `reached(answer)` (how many cells, their costs
    summed up), `cost_field(goal)` with `costs(answer)`, and `set_level(cell, level)`.
    """

    source: Callable[[NDArray[np.int16]], Any]
    """Makes of levels what it builds its graph from."""

    def __init__(self, source: Any) -> None: ...

    def find_path(self, start: Cell, goal: Cell) -> Any: ...

    def cells(self, answer: Any) -> NDArray[np.int64]: ...


class OnNodes:
    """What those have in common that number the cells row by row."""

    source = staticmethod(np.array)  # a copy, as edits change it

    def __init__(self, level):
        self.level, self.size = level, len(level)

    def node(self, cell):
        return cell[0] * self.size + cell[1]

    def cells(self, answer):
        return np.stack(np.divmod(np.array(answer, dtype=np.int64), self.size), axis=1)

    def reached(self, answer):
        """Count the nodes and sum up the costs of a mapping of nodes to costs."""
        return len(answer), sum(answer.values())

    def costs(self, answer):
        cost = np.full(self.size * self.size, np.inf)
        cost[np.array(list(answer.keys()))] = np.array(list(answer.values()))
        return cost.reshape(self.size, self.size)

    def steps_at(self, cell):
        """Give (source, target, cost) of all steps out of and into a cell; None for a wall."""
        row, col = cell
        for move_row, move_col in MOVES:
            there = row + move_row, col + move_col
            if not (0 <= there[0] < self.size and 0 <= there[1] < self.size):
                continue
            for start, end in ((cell, there), (there, cell)):
                rise = int(self.level[end]) - int(self.level[start])
                cost = 1 + max(0, rise) if -MAX_DROP <= rise <= MAX_CLIMB else None
                yield self.node(start), self.node(end), cost
