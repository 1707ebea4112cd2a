"""Plans for crowds: a depth-first search over arrangements of all units (LaCAM).

An arrangement is where everybody is at a tick. The next one is asked from PIBT, which mostly leads
straight to the goals. When it has led in a circle, the search goes on from an arrangement seen
before and settles where single units have to go, one more unit each time that is needed. In the end
it has tried everything: if there is a plan it finds one, if it ends without one there is none.

Which of equally good steps are tried first makes the difference between a moment and an age. So a
search that takes long is begun anew with other ones, and may take twice as long each time.

References
----------
Okumura (2023), "LaCAM: search-based algorithm for quick multi-agent pathfinding",
https://doi.org/10.1609/aaai.v37i10.26377
"""

from collections import deque
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ai.squads.planners.configurations import Ticks
from ai.squads.task import Budget, Outcome, Task, Ways

_FIRST_TRY = 1024  # arrangements
_MAX_SALT = 1 << 60

_Settled = tuple[tuple[int, int], ...]
"""Units and where each has to be after the next tick."""


class _Arrangement:
    """Where everybody is at a tick, how it came about, and what of it is still to be tried."""

    __slots__ = ("before", "nodes", "order", "rank", "tick", "untried")

    def __init__(
        self, nodes: NDArray[np.int64], rank: NDArray[np.float64], before: Self | None, tick: int
    ) -> None:
        self.nodes = nodes
        self.rank = rank
        self.order = np.argsort(-rank, kind="stable")
        self.before = before
        self.tick = tick
        self.untried: deque[_Settled] = deque([()])


def plan_crowd(task: Task, budget: Budget, seed: int) -> Outcome:
    """Search until there is a plan, there is none, or the budget is spent."""
    salts = np.random.default_rng(seed)
    most = _FIRST_TRY * len(task)
    while True:
        search = Lacam(task, int(salts.integers(_MAX_SALT)))
        outcome = search.run(budget.part(1, most))
        if outcome.ways or outcome.is_none or budget.is_spent:
            return outcome
        most *= 2


class Lacam:
    """One search for a task.

    Parameters
    ----------
    task : Task
    salt : int
        Tells which of several equally good steps are tried first.
    """

    def __init__(self, task: Task, salt: int) -> None:
        self._task = task
        self._salt = salt
        self._ticks = Ticks(task)

    def run(self, budget: Budget) -> Outcome:
        """Search until there is a plan, there is none, or the budget is spent."""
        task = self._task
        far = np.array([task.alone(unit) for unit in range(len(task))])
        first = _Arrangement(task.start.copy(), far / (1 + far.max(initial=0)), None, 0)
        known = {self._key(first.nodes, 0): first}
        stack = [first]
        best, nearest = first, self._left(first.nodes)
        while stack:
            at = stack[-1]
            if at.tick >= task.n_queued_ticks and np.array_equal(at.nodes, task.goal):
                return Outcome(_ways_to(at))
            if budget.is_spent:
                return Outcome(reason=self._gave_up(best))
            if not at.untried:
                stack.pop()
                continue
            budget.spend(len(task))
            nodes = self._next(at)
            if nodes is None:
                continue
            key = self._key(nodes, at.tick + 1)
            found = known.get(key)
            if found is None:
                is_there = nodes == task.goal
                rank = np.where(is_there, at.rank - np.floor(at.rank), at.rank + 1)
                found = known[key] = _Arrangement(nodes, rank, at, at.tick + 1)
                left = self._left(nodes)
                if left < nearest:
                    best, nearest = found, left
            stack.append(found)
        why = (
            f"no order of steps leads all to their goals: all {len(known)} arrangements were tried"
        )
        return Outcome(reason=why, is_none=True)

    def _key(self, nodes: NDArray[np.int64], tick: int) -> bytes:
        """Name an arrangement; while others are on their ways, the tick matters too."""
        name = nodes.tobytes()
        return name + tick.to_bytes(8) if tick < self._task.n_queued_ticks else name

    def _left(self, nodes: NDArray[np.int64]) -> float:
        return float(self._task.fields[self._task.field_of, nodes].sum())

    def _next(self, at: _Arrangement) -> NDArray[np.int64] | None:
        """Ask for the next arrangement after one; None if there is none as settled."""
        task, settled = self._task, at.untried.popleft()
        if len(settled) < len(task):
            unit = int(at.order[len(settled)])
            for node in self._places(unit, int(at.nodes[unit])):
                at.untried.append((*settled, (unit, node)))
        self._salt += 1
        return self._ticks.after(at.nodes, at.tick, at.order, self._salt, settled)

    def _places(self, unit: int, node: int) -> list[int]:
        """List where a unit can be after a tick, so that it still reaches its goal."""
        task, profile = self._task, int(self._task.profile_of[unit])
        left = task.left(unit)
        places = [end for end in task.ground.steps_from(profile, node) if left[end] < np.inf]
        if task.ground.steps.can_wait[profile, node] or node == task.start[unit]:
            places.append(node)
        return places

    def _gave_up(self, best: _Arrangement) -> str:
        astray = int((best.nodes != self._task.goal).sum())
        return f"gave up: {astray} of {len(self._task)} units were not on their goals yet"


def _ways_to(last: _Arrangement) -> Ways:
    """Give everybody's way up to an arrangement, without waiting at its end."""
    along = []
    at: _Arrangement | None = last
    while at is not None:
        along.append(at.nodes)
        at = at.before
    table = np.array(along[::-1])
    ways = []
    for column in table.T:
        moves = np.flatnonzero(column != column[-1])
        ways.append(column[: moves[-1] + 2 if len(moves) else 1].copy())
    return tuple(ways)
