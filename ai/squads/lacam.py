"""LaCAM: a depth-first search over the configurations of a squad, and the improvement of its plan.

A high-level node is a configuration: the node of every unit at one tick. PIBT generates the next
configuration and mostly leads straight to the goals. When it returns to a configuration that was
generated before, the search continues from there under low-level constraints that fix the next
nodes of single units, one more unit each time. The search is complete: it ends with a plan or with
the proof that there is none.

Run times and costs depend strongly on priorities and on ties between equally good steps, which are
random. A search that takes long is therefore restarted with twice the work. A plan is improved by
searches from a random tick of it on; a result that does not cost more is kept. Work is counted in
steps, one for each choice of a unit for a tick.

References
----------
Okumura (2023), "LaCAM: search-based algorithm for quick multi-agent pathfinding",
https://doi.org/10.1609/aaai.v37i10.26377
Okumura (2024), "Engineering LaCAM*: towards real-time, large-scale, and near-optimal multi-agent
pathfinding" (best of several searches), https://arxiv.org/abs/2308.04292
"""

import itertools
from collections import deque
from typing import NamedTuple, Self

from ai.squads.pibt import Configuration, Crowd

_FIRST_TICKS = 512  # for which the first search may generate configurations
_VARIED = 0.5  # share of the improving searches that begin with a random step

_LowLevelNode = tuple[int, ...]
"""The nodes on which the units of the highest priorities have to be after the next tick."""


class Outcome(NamedTuple):
    """A plan, or what is known about why there is none."""

    plan: list[Configuration] | None = None
    """The configuration at each tick."""
    n_searched: int = 0
    """Number of configurations, if all were searched: there is no plan."""
    stuck: tuple[int, ...] = ()
    """Units that did not reach their goals."""
    pair: tuple[int, ...] = ()
    """Two units for which there is no plan even without the others, if that is proven."""


class _HighLevelNode:
    """A configuration, its parent, and the low-level nodes that are still to be tried."""

    __slots__ = ("nodes", "order", "parent", "priority", "untried")

    def __init__(self, nodes: Configuration, priority: list[float], parent: Self | None) -> None:
        self.nodes = nodes
        self.priority = priority
        self.order = sorted(range(len(nodes)), key=priority.__getitem__, reverse=True)
        self.parent = parent
        self.untried: deque[_LowLevelNode] = deque([()])

    def plan(self) -> list[Configuration]:
        """Return the configurations up to this one."""
        found, parent = [self.nodes], self.parent
        while parent is not None:
            found.append(parent.nodes)
            parent = parent.parent
        return found[::-1]


class Lacam:
    """Searches for a plan of a crowd with limited work, in steps."""

    def __init__(self, crowd: Crowd, max_steps: int) -> None:
        self._crowd, self._left = crowd, max_steps

    def run(self) -> Outcome:
        """Search with restarts until there is a plan, then improve it until no work is left.

        After the first search and after a proof that there is none, the units that did not reach
        their goals are tried in pairs: perhaps two alone are in each other's way.
        """
        crowd, limit = self._crowd, _FIRST_TICKS * len(self._crowd)
        outcome, is_first = Outcome(), True
        while self._left > 0 and outcome.n_searched == 0:
            outcome = self._search(crowd, crowd.starts, limit)
            if outcome.plan is not None:
                return Outcome(self._improved(outcome.plan))
            if is_first or outcome.n_searched:
                pair = self._blocked_pair(outcome.stuck)
                if pair:
                    return outcome._replace(pair=pair)
            is_first, limit = False, 2 * limit
        return outcome

    def _blocked_pair(self, units: tuple[int, ...]) -> tuple[int, ...]:
        """Return two units for which half of the work proves that they have no plan alone."""
        half = self._left // 2
        for pair in itertools.combinations(units, 2):
            part, left = self._crowd.subset(pair), self._left - half
            if left > 0 and self._search(part, part.starts, left).n_searched:
                return pair
        return ()

    def _search(
        self, crowd: Crowd, start: Configuration, limit: int, *, is_varied: bool = False
    ) -> Outcome:
        """Search from a configuration until there is a plan, a proof, or no work left.

        With `is_varied` the first unit begins with a random step.
        """
        end = max(0, self._left - limit)
        top = _HighLevelNode(start, [crowd.random() for _ in start], None)
        if is_varied:
            ends = crowd.next_nodes(top.order[0], start[top.order[0]])
            top.untried = deque([(ends[int(crowd.random() * len(ends))],)])
        explored, stack = {start: top}, [top]
        best, least_left = start, crowd.cost_left(start)
        while stack:
            top = stack[-1]
            if top.nodes == crowd.goals:
                return Outcome(top.plan())
            if self._left <= end:
                is_there = map(int.__eq__, best, crowd.goals)
                return Outcome(stuck=tuple(unit for unit, yes in enumerate(is_there) if not yes))
            if not top.untried:
                stack.pop()
                continue
            self._left -= len(crowd)
            constraints = top.untried.popleft()
            after, is_legal = crowd.advance(
                top.nodes, top.order, dict(zip(top.order, constraints, strict=False))
            )
            if is_legal and len(constraints) < len(crowd):
                unit = top.order[len(constraints)]  # one more unit has to be on a node
                ends = crowd.next_nodes(unit, top.nodes[unit])
                top.untried += [(*constraints, end) for end in ends]
            if after is None:
                continue
            child = explored.get(after)
            if child is None:
                each = zip(top.priority, after, crowd.goals, strict=True)
                priority = [last % 1 if at == goal else last + 1 for last, at, goal in each]
                child = explored[after] = _HighLevelNode(after, priority, top)
                left = crowd.cost_left(after)
                if left < least_left:
                    best, least_left = after, left
            stack.append(child)
        return Outcome(n_searched=len(explored), stuck=tuple(range(len(crowd))))

    def _improved(self, plan: list[Configuration]) -> list[Configuration]:
        """Plan again from random ticks on; keep what does not cost more."""
        crowd = self._crowd
        least, cost = crowd.cost_left(crowd.starts), sum(crowd.costs_of(plan))
        while self._left > 0 and cost > least:
            tick = int(crowd.random() * (len(plan) - 1))
            self._left -= len(crowd)
            limit, is_varied = 2 * len(crowd) * (len(plan) - tick), crowd.random() < _VARIED
            rest = self._search(crowd, plan[tick], limit, is_varied=is_varied).plan
            if rest is not None:
                changed = plan[:tick] + rest
                cost_of_changed = sum(crowd.costs_of(changed))
                if cost_of_changed <= cost:
                    plan, cost = changed, cost_of_changed
        return plan
