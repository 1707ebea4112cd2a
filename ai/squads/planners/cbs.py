"""Cheapest plans for small groups: conflict-based search (CBS).

Everybody takes a cheapest way of its own. Where two of them meet, the plan branches: one of the two
must not be there, or the other. Branches are taken up by their cost, which never falls, so that the
first one without a meeting is cheapest. With a bound above 1 a dearer branch with fewer meetings
may be taken up first, if it costs at most so many times what the cheapest open branch does.

References
----------
Sharon, Stern, Felner, Sturtevant (2015), "Conflict-based search for optimal multi-agent
pathfinding", https://doi.org/10.1016/j.artint.2014.11.006
Barer, Sharon, Stern, Felner (2014), "Suboptimal variants of the conflict-based search algorithm"
(the bound), https://doi.org/10.1609/socs.v5i1.18315
"""

import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ai.squads.conflicts import Meeting, meetings
from ai.squads.constraints import Bar, Way, as_table
from ai.squads.task import GAVE_UP, Budget, Outcome, Task, Ways


@dataclass
class _Branch:
    """A plan, perhaps with meetings, and what is barred in it: the latest, and what came before."""

    ways: Ways
    costs: tuple[float, ...]
    barred: Bar | None = None
    before: "_Branch | None" = None
    meetings: Sequence[Meeting] = ()

    @property
    def cost(self) -> float:
        return sum(self.costs)

    def bars(self, unit: int) -> list[Bar]:
        """List what is barred for a unit."""
        bars = []
        at: _Branch | None = self
        while at is not None:
            if at.barred is not None and at.barred.unit == unit:
                bars.append(at.barred)
            at = at.before
        return bars


class _Frontier:
    """Open branches: those that cost at most so many times the least, and the others."""

    def __init__(self, bound: float) -> None:
        self._bound = bound * (1 + 1e-12)
        self._number = itertools.count()
        self._by_cost: list[tuple[float, int]] = []
        self._near: list[tuple[int, float, int, _Branch]] = []
        self._far: list[tuple[float, int, _Branch]] = []
        self._taken: set[int] = set()

    def add(self, branch: _Branch) -> None:
        """Let a branch wait for its turn."""
        number = next(self._number)
        heapq.heappush(self._by_cost, (branch.cost, number))
        heapq.heappush(self._far, (branch.cost, number, branch))

    def take(self) -> tuple[_Branch, float] | None:
        """Give the branch to take up next, with the least cost of all; None if there is none."""
        while self._by_cost and self._by_cost[0][1] in self._taken:
            self._taken.remove(heapq.heappop(self._by_cost)[1])
        if not self._by_cost:
            return None
        least = self._by_cost[0][0]
        while self._far and self._far[0][0] <= least * self._bound:
            cost, number, branch = heapq.heappop(self._far)
            # Among equal ones the latest, which has most barred.
            heapq.heappush(self._near, (len(branch.meetings), cost, -number, branch))
        _, _, number, branch = heapq.heappop(self._near)
        self._taken.add(-number)
        return branch, least


class ConflictSearch:
    """The search for one task.

    Parameters
    ----------
    task : Task
    bound : float
        A plan may cost so many times what the cheapest one does, >= 1.
    """

    def __init__(self, task: Task, bound: float) -> None:
        self._task = task
        self._bound = bound

    def run(self, budget: Budget) -> Outcome:
        """Search until there is a plan, there is none, or the budget is spent."""
        root = self._root(budget)
        if root is None:
            why = "a unit has no way around those whose ways are settled"
            return Outcome(reason=GAVE_UP if budget.is_spent else why)
        frontier = _Frontier(self._bound)
        frontier.add(root)
        lower_bound = root.cost
        while (taken := frontier.take()) is not None:
            branch, lower_bound = taken
            if not branch.meetings:
                return Outcome(branch.ways, lower_bound=lower_bound)
            children = [self._without(branch, bar, budget) for bar in branch.meetings[0]]
            if budget.is_spent:
                return Outcome(reason=GAVE_UP, lower_bound=lower_bound)
            for child in self._worth_adding(branch, children):
                frontier.add(child)
        return Outcome(reason="however units avoid each other, one has no way")

    @staticmethod
    def _worth_adding(branch: _Branch, children: list[_Branch | None]) -> list[_Branch]:
        """Give the children; or the branch itself, if a child shows it other ways as cheap.

        Those have fewer meetings, so that the branch need not be split for the one at hand.
        """
        found = [child for child in children if child is not None]
        for child in found:
            if child.cost <= branch.cost and len(child.meetings) < len(branch.meetings):
                child.barred, child.before = branch.barred, branch.before
                return [child]
        return found

    def _root(self, budget: Budget) -> _Branch | None:
        ways: dict[int, Way] = {}
        costs = []
        for unit in range(len(self._task)):
            found = self._find(unit, ways, (), budget)
            if found is None:
                return None
            ways[unit] = found[0]
            costs.append(found[1])
        return self._judged(_Branch(tuple(ways.values()), tuple(costs)), budget)

    def _without(self, branch: _Branch, bar: Bar, budget: Budget) -> _Branch | None:
        """Give a branch in which something more is barred; None if that leaves a unit no way."""
        unit = bar.unit
        others = {other: way for other, way in enumerate(branch.ways) if other != unit}
        found = self._find(unit, others, [bar, *branch.bars(unit)], budget)
        if found is None:
            return None
        ways = (*branch.ways[:unit], found[0], *branch.ways[unit + 1 :])
        costs = (*branch.costs[:unit], found[1], *branch.costs[unit + 1 :])
        return self._judged(_Branch(ways, costs, bar, branch), budget)

    def _find(
        self, unit: int, others: Mapping[int, Way], bars: Sequence[Bar], budget: Budget
    ) -> tuple[Way, float] | None:
        barred = self._task.barriers(unit, {}, bars)
        seldom = self._task.barriers(unit, others, is_strict=False)
        return self._task.find(unit, barred, seldom, budget)

    def _judged(self, branch: _Branch, budget: Budget) -> _Branch:
        """Find the meetings of a branch."""
        ground, table = self._task.ground, as_table(branch.ways)
        branch.meetings = meetings(table, self._task.profile_of, ground)
        # As much work as about so many expansions; whom steps brush is looked up one by one.
        budget.spend(table.size if ground.is_brushing else table.size // 4)
        return branch
