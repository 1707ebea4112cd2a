"""One tick of a crowd by priority inheritance with backtracking (PIBT).

Units choose in the order of their priorities. A unit that wants the node of an undecided unit lends
it its priority: that unit chooses next. If that unit finds no node, the first one backtracks to its
next option. If two units block each other in a passage, one backs off to where the passage branches
and pulls the other unit after it (the swap operation).

References
----------
Okumura, Machida, Defago, Tamura (2022), "Priority inheritance with backtracking for iterative
multi-agent path finding", https://doi.org/10.1016/j.artint.2022.103752
Okumura, Nagai (2025), "Lightweight and effective preference construction in PIBT for large-scale
multi-agent pathfinding" (hindrance), https://arxiv.org/abs/2505.12623
Okumura (2023), "Improving LaCAM for scalable eventually optimal multi-agent pathfinding" (swap),
https://doi.org/10.24963/ijcai.2023/28
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ai.search.graph import MILLION
from ai.squads.steps import Clearance, StepTable

NEVER = 1 << 62
"""The cost from a node from which there is no path."""

_TICKS_OF_TASTE = 8
_MAX_LENGTH = 1 << 16  # nodes of a passage that are examined

Configuration = tuple[int, ...]
"""The node of each unit at a tick."""

Option = tuple[int, int, Clearance]
"""Cost of the path to the goal by a step, the end of the step, and its clearance."""


class _Chooser(NamedTuple):
    """A unit that chooses, and its options from the best on."""

    unit: int
    options: Iterator[Option]
    pulled: int | None
    """The unit to pull if this one backs off."""
    retreat: int
    """To where it would back off."""


class Crowd:
    """The units of a squad, and how they choose their next nodes.

    Parameters
    ----------
    tables : sequence of StepTable
        The steps of each unit.
    starts, goals : configuration
    costs_to_goal : sequence
        For each unit its cost from each node to its goal without other units, or `NEVER`.
    random : callable
        Returns a random number, 0..1, for ties between equally good options. For some ticks a unit
        keeps to the directions that it prefers, so that its paths are different.
    """

    def __init__(
        self,
        tables: Sequence[StepTable],
        starts: Configuration,
        goals: Configuration,
        costs_to_goal: Sequence[Sequence[int]],
        random: Callable[[], float],
    ) -> None:
        self.starts, self.goals, self.random = starts, goals, random
        self._tables, self._costs = tables, costs_to_goal
        self._options: list[dict[int, list[Option]]] = [{} for _ in starts]
        self._n_ticks = 0
        self._taste: defaultdict[tuple[int, int], float] = defaultdict(random)
        self._now: Configuration = ()
        self._unit_on: dict[int, int] = {}
        self._after: dict[int, int] = {}  # those that have chosen
        self._taken: set[int] = set()
        self._clearance_of: dict[int, Clearance] = {}
        self._cleared: Counter[int] = Counter()

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.starts)

    def subset(self, units: Sequence[int]) -> "Crowd":
        """Return some of the units, without the rest of the squad."""
        tables, costs = zip(
            *((self._tables[unit], self._costs[unit]) for unit in units), strict=True
        )
        starts, goals = (tuple(each[unit] for unit in units) for each in (self.starts, self.goals))
        return Crowd(tables, starts, goals, costs, self.random)

    def cost_left(self, nodes: Configuration) -> int:
        """Return the sum of the units' costs to their goals without each other."""
        return sum(costs[node] for costs, node in zip(self._costs, nodes, strict=True))

    def costs_of(self, plan: Sequence[Configuration]) -> list[int]:
        """Return the cost of each unit's path: its steps, and waiting but for its end."""
        costs = []
        for table, path in zip(self._tables, zip(*plan, strict=True), strict=True):
            steps = itertools.pairwise(trimmed(path))
            costs.append(sum(MILLION if now == end else table[now][end][0] for now, end in steps))
        return costs

    def next_nodes(self, unit: int, node: int) -> list[int]:
        """Return the nodes on which a unit can be after a tick and still reach its goal."""
        return [end for _, end, _ in self._options_of(unit, node)]

    def advance(
        self, now: Configuration, order: Iterable[int], constraints: Mapping[int, int]
    ) -> tuple[Configuration | None, bool]:
        """Return the configuration one tick later; None if a unit would have no node.

        Also return whether the constraints are free of conflicts with each other.

        `order` has the unit of the highest priority first. `constraints` are units and the nodes on
        which they must be after the tick.
        """
        self._n_ticks += 1
        if self._n_ticks % _TICKS_OF_TASTE == 0:
            self._taste.clear()
        self._now, self._unit_on = now, {node: unit for unit, node in enumerate(now)}
        self._after, self._taken, self._clearance_of = {}, set(), {}
        self._cleared.clear()
        for unit, end in constraints.items():
            clearance = () if end == now[unit] else self._tables[unit][now[unit]][end][1]
            if not self._is_free(unit, end, clearance):
                return None, False
            self._take(unit, end, clearance)
        is_done = all(unit in self._after or self._decide(unit) for unit in order)
        return tuple(map(self._after.__getitem__, range(len(now)))) if is_done else None, True

    def _decide(self, root: int) -> bool:
        """Choose for a unit and those that inherit its priority; return False without a node."""
        chain = [self._chooser(root)]
        while True:
            unit, options = chain[-1][:2]
            if self._take_best(unit, options):
                other = self._unit_on.get(self._after[unit])
                if other is None or other in self._after:
                    break
                chain.append(self._chooser(other))
            elif len(chain) > 1 and self._may_wait(unit):
                # The unit waits, and the unit that wanted its node tries its next option.
                chain.pop()
                self._release(chain[-1].unit)
                self._take(unit, self._now[unit], ())
            else:
                return False
        for chooser in reversed(chain):
            self._pull(chooser)
        return True

    def _chooser(self, unit: int) -> _Chooser:
        """Sort the options of a unit; in the reverse order if it has to back off for a swap."""
        options, here = self._sorted_options(unit), self._now[unit]
        best = options[0][1] if options else here
        pulled = self._swap_partner(unit, best) if best != here else None
        if pulled is not None:
            options.reverse()
        return _Chooser(unit, iter(options), pulled, options[0][1] if options else here)

    def _sorted_options(self, unit: int) -> list[Option]:
        """Return the best options first; of equal ones those that hinder the fewest neighbors."""
        here, unit_on, costs, taste = self._now[unit], self._unit_on, self._costs, self._taste
        beside = [unit_on[end] for end in self._tables[unit][here] if end in unit_on]
        near = [(costs[other], costs[other][self._now[other]]) for other in beside]
        keyed = []
        for option in self._options_of(unit, here):
            cost, end, _ = option
            hindrance = sum(left[end] < least for left, least in near) if near else 0
            is_occupied = end in unit_on and end != here
            keyed.append((cost, hindrance, is_occupied, taste[unit, end - here], option))
        keyed.sort()
        return [option for *_, option in keyed]

    def _options_of(self, unit: int, node: int) -> list[Option]:
        """Return the steps of a unit from a node, and waiting if it may wait there."""
        known = self._options[unit].get(node)
        if known is None:
            left = self._costs[unit]
            steps = self._tables[unit][node].items()
            known = [
                (left[end] + cost, end, clearance)
                for end, (cost, clearance) in steps
                if left[end] < NEVER
            ]
            if node == self.starts[unit] or self._tables[unit].can_stop(node):
                known.append((left[node] + MILLION if node != self.goals[unit] else 0, node, ()))
            self._options[unit][node] = known
        return known

    def _may_wait(self, unit: int) -> bool:
        return self._now[unit] in self.next_nodes(unit, self._now[unit])

    def _is_free(self, unit: int, end: int, clearance: Clearance) -> bool:
        """Return whether a step is in conflict with none that is chosen."""
        if end in self._taken or self._cleared.get(end):
            return False
        other = self._unit_on.get(end, unit)
        if other != unit and self._after.get(other) == self._now[unit]:
            return False
        return not any(near in self._unit_on or near in self._taken for near in clearance)

    def _take_best(self, unit: int, options: Iterator[Option]) -> bool:
        """Take a unit's best option that is still free; return False if there is none."""
        for _, end, clearance in options:
            if self._is_free(unit, end, clearance):
                self._take(unit, end, clearance)
                return True
        return False

    def _take(self, unit: int, end: int, clearance: Clearance) -> None:
        self._after[unit], self._clearance_of[unit] = end, clearance
        self._taken.add(end)
        for near in clearance:
            self._cleared[near] += 1

    def _release(self, unit: int) -> None:
        """Give up the option of a unit."""
        self._taken.remove(self._after.pop(unit))
        for near in self._clearance_of.pop(unit):
            self._cleared[near] -= 1

    def _pull(self, chooser: _Chooser) -> None:
        """Move the swap partner of a unit to the node that the unit leaves."""
        unit, _, other, retreat = chooser
        if other is None or other in self._after or self._after[unit] != retreat:
            return
        here = self._now[unit]
        step = self._tables[other][self._now[other]].get(here)
        if step is not None and self._is_free(other, here, step[1]):
            self._take(other, here, step[1])

    def _swap_partner(self, unit: int, best: int) -> int | None:
        """Return the unit with which a unit must and can swap by backing off, if there is one.

        `best` is the unit's best next node.
        """
        here, unit_on = self._now[unit], self._unit_on
        beside = [unit_on[end] for end in self._tables[unit][here] if end in unit_on]
        for other in beside:
            is_ahead = self._now[other] == best
            if is_ahead and other in self._after:
                continue
            pusher, puller = (unit, other) if is_ahead else (other, unit)
            if self._must_swap(pusher, puller, here, best):
                return other if self._branches(here, best, unit) else None
        return None

    def _must_swap(self, pusher: int, puller: int, here: int, ahead: int) -> bool:
        """Return whether two units that face each other have to swap to pass, and can.

        The pusher would go from the node `here` on to `ahead`, the puller the other way.
        """
        pusher_cost, puller_cost = self._costs[pusher], self._costs[puller]
        behind, front = here, ahead
        for _ in range(_MAX_LENGTH):
            if not pusher_cost[front] < pusher_cost[behind]:
                break
            exits = self._exits(front, behind, pusher)
            if len(exits) > 1:
                return False
            if not exits:
                break
            behind, front = front, exits[0]
        is_ahead = pusher_cost[behind] == 0 or pusher_cost[front] < pusher_cost[behind]
        return is_ahead and puller_cost[behind] < puller_cost[front]

    def _branches(self, here: int, ahead: int, unit: int) -> bool:
        """Return whether a passage branches behind a unit that backs off."""
        node, previous = here, ahead
        for _ in range(_MAX_LENGTH):
            exits = self._exits(node, previous, unit)
            if len(exits) != 1 or exits[0] == ahead:
                return len(exits) > 1
            previous, node = node, exits[0]
        return False

    def _exits(self, node: int, previous: int, unit: int) -> list[int]:
        """Return the exits of a node in a passage that comes from another node.

        Dead ends with a unit at its goal do not count.
        """
        table, exits = self._tables[unit], []
        for end in table[node]:
            holder = self._unit_on.get(end)
            is_shut = holder is not None and self.goals[holder] == end and len(table[end]) <= 1
            if end != previous and not is_shut:
                exits.append(end)
        return exits


def trimmed(path: Sequence[int]) -> Sequence[int]:
    """Return a path without waiting at its end."""
    n_same = sum(1 for _ in itertools.takewhile(path[-1].__eq__, reversed(path)))
    return path[: len(path) - n_same + 1]
