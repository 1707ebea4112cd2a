"""Plans for passages without room: Push and Swap, which moves one unit at a time.

Units go to their goals one after the other. A unit pushes others ahead. Where that would move a
unit from its goal, or nothing is free ahead, it trades places with the next unit. The two go to a
junction and pass each other there with the help of two free neighbors; all others return. Then
detours that bring a unit back are removed, and moves run in parallel as far as the order of the
units on each node allows.

Only steps are used that all units can make in both directions and that need no clearance. No plan
is found where a trade needs more than two free neighbors of a junction.

References
----------
Luna, Bekris (2011), "Push and Swap: fast cooperative path-finding with completeness guarantees",
https://doi.org/10.5591/978-1-57735-516-8/IJCAI11-059
"""

import itertools
from collections import deque
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ai.squads.constraints import TimedPaths
from ai.squads.task import Budget, Task

_N_SIDES = 2  # free neighbors of a junction at which two units pass each other
_MIN_EXITS = _N_SIDES + 1

_Move = tuple[int, int, int]
"""Unit, node before and node after."""


def push_and_swap(task: Task, budget: Budget) -> TimedPaths:
    """Return a plan; no paths if none is found."""
    room = _Room(_common_neighbors(task), task.start.tolist(), budget)
    goals = task.goal.tolist()
    if not room.neighbors.keys() >= {*task.start.tolist(), *goals}:
        return ()
    root = max(room.neighbors, key=lambda node: len(room.neighbors[node]))
    place = {node: place for place, (node, _) in enumerate(room.breadth_first(root))}
    # From the far ends inward, so that units that are settled seldom separate others from goals.
    order = sorted(range(len(task)), key=lambda unit: -place.get(goals[unit], 0))
    settled: set[int] = set()
    for unit in order:
        if budget.is_spent or not room.settle(unit, goals[unit], settled):
            return ()
        settled.add(goals[unit])
    return _in_parallel(_without_detours(room.moves, task), task)


def _common_neighbors(task: Task) -> dict[int, list[int]]:
    """Return the nodes to which all units can step and back from each node where all can wait."""
    steps, n_nodes = task.graph, task.graph.n_nodes
    profiles = np.unique(task.profile_of)
    can_wait: NDArray[np.bool_] = np.logical_and.reduce(steps.can_wait[profiles])
    pairs = []
    for profile in profiles:
        first, last = steps.first[profile, [0, -1]]
        source, target = np.repeat(np.arange(n_nodes), np.diff(steps.first[profile])), steps.target
        target = target[first:last]
        is_free = np.diff(steps.clearance_first)[first:last] == 0
        is_free &= can_wait[source] & can_wait[target]
        source, target = source[is_free], target[is_free]
        pairs += [source * n_nodes + target, target * n_nodes + source]
    pair, count = np.unique(np.concatenate(pairs), return_counts=True)
    neighbors: dict[int, list[int]] = {node: [] for node in np.flatnonzero(can_wait).tolist()}
    for both in pair[count == len(pairs)].tolist():
        source, target = divmod(both, n_nodes)
        neighbors[source].append(target)
    return neighbors


class _Room:
    """Units on the nodes of an undirected graph, which move one at a time."""

    def __init__(self, neighbors: dict[int, list[int]], nodes: list[int], budget: Budget) -> None:
        self.neighbors = neighbors
        self.moves: list[_Move] = []
        self._budget = budget
        self._node_of = list(nodes)
        self._unit_on = {node: unit for unit, node in enumerate(nodes)}

    def breadth_first(
        self, start: int, closed: Collection[int] = ()
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield the nodes that are reached without closed ones, each with the parents of all."""
        parents, queue = {start: start}, deque([start])
        while queue:
            node = queue.popleft()
            self._budget.spend(1)
            yield node, parents
            for end in self.neighbors[node]:
                if end not in parents and end not in closed:
                    parents[end] = node
                    queue.append(end)

    def settle(self, unit: int, goal: int, settled: set[int]) -> bool:
        """Bring a unit to its goal; those on settled nodes are back at the end."""
        start = self._node_of[unit]
        path = self._path(start, goal, settled)
        if path:
            return all(
                self._push(unit, end, settled) or self._trade(self._node_of[unit], end)
                for end in path[1:]
            )
        path = self._path(start, goal)
        back = path[-2::-1]
        steps = [*itertools.pairwise(path), *itertools.pairwise(back)]
        return bool(path) and all(self._trade(here, end) for here, end in steps)

    def _path(self, start: int, goal: int, closed: Collection[int] = ()) -> list[int]:
        """Return the nodes of a shortest path; none if there is no path."""
        for node, parents in self.breadth_first(start, closed):
            if node == goal:
                return _unwound(parents, node)
        return []

    def _move(self, unit: int, end: int) -> None:
        start = self._node_of[unit]
        del self._unit_on[start]
        self._node_of[unit], self._unit_on[end] = end, unit
        self.moves.append((unit, start, end))

    def _clear(self, node: int, closed: Collection[int], reserved: Collection[int] = ()) -> bool:
        """Push the units from a node on to the nearest free node; reserved ones stay free."""
        for free, parents in self.breadth_first(node, closed):
            if free not in self._unit_on and free not in reserved:
                path = _unwound(parents, free)
                last = len(path) - 1
                for place in range(last - 1, -1, -1):
                    unit = self._unit_on.get(path[place])
                    if unit is not None:
                        for end in path[place + 1 : last + 1]:
                            self._move(unit, end)
                        last = place
                return True
        return False

    def _push(self, unit: int, end: int, closed: Collection[int]) -> bool:
        """Move a unit to a neighboring node from which the others can be pushed."""
        if not self._clear(end, {self._node_of[unit], *closed}):
            return False
        self._move(unit, end)
        return True

    def _trade(self, here: int, there: int) -> bool:
        """Exchange what is on two neighboring nodes; all others are back at the end."""
        first, second = self._unit_on.get(here), self._unit_on.get(there)
        if first is None or second is None:
            if first is not None:
                self._move(first, there)
            elif second is not None:
                self._move(second, here)
            return True
        for junction, _ in self.breadth_first(here):
            if len(self.neighbors[junction]) < _MIN_EXITS:
                continue
            for leader, follower in ((first, second), (second, first)):
                # The two may have to step back before others can pass the junction.
                for step_back in (None, *self.neighbors[self._node_of[follower]]):
                    if self._budget.is_spent:
                        return False
                    if self._trade_at(junction, leader, follower, step_back):
                        return True
        return False

    def _trade_at(self, junction: int, leader: int, follower: int, step_back: int | None) -> bool:
        """Exchange two units at a junction; all others are back at the end, on failure all."""
        begin = len(self.moves)
        sides: list[int] = []
        if step_back is None or self._follow(follower, step_back, leader):
            sides = self._prepare(junction, leader, follower)
        prepared = self.moves[begin:]
        name = {}
        if sides:
            behind = self._node_of[follower]
            self._move(leader, sides[0])
            self._move(follower, junction)
            self._move(follower, sides[1])
            self._move(leader, junction)
            self._move(leader, behind)
            self._move(follower, junction)
            name = {leader: follower, follower: leader}
        for unit, start, _ in reversed(prepared):
            self._move(name.get(unit, unit), start)
        if not sides:
            del self.moves[begin:]
        return bool(sides)

    def _follow(self, unit: int, end: int, other: int) -> bool:
        """Move a unit to a neighboring node, and another one beside it to where it was."""
        here = self._node_of[unit]
        if end == self._node_of[other] or not self._push(unit, end, {self._node_of[other]}):
            return False
        self._move(other, here)
        return True

    def _prepare(self, junction: int, leader: int, follower: int) -> list[int]:
        """Bring a unit to a junction and another behind it; return two free sides of the junction.

        None if that is not possible.
        """
        path = self._path(self._node_of[leader], junction, {self._node_of[follower]})
        if not path or not all(self._follow(leader, end, follower) for end in path[1:-1]):
            return []
        pair = self._node_of[leader], self._node_of[follower]
        if junction not in pair and not self._clear(junction, pair):
            return []
        sides: list[int] = []
        # Free ones first: they need nothing.
        for side in sorted(self.neighbors[junction], key=lambda node: node in self._unit_on):
            if side not in pair and len(sides) < _N_SIDES:
                sides += [side] if self._clear(side, pair, {junction, *sides}) else []
        if len(sides) < _N_SIDES:
            return []
        if junction not in pair:
            self._follow(leader, junction, follower)
        return sides


def _unwound(parents: dict[int, int], node: int) -> list[int]:
    """Return the nodes of the path to a node of a search."""
    path = [node]
    while parents[path[-1]] != path[-1]:
        path.append(parents[path[-1]])
    return path[::-1]


def _without_detours(moves: list[_Move], task: Task) -> list[_Move]:
    """Leave out moves by which a unit returns to a node that no other unit was on meanwhile."""
    while True:
        last_on = {node: (unit, -1) for unit, node in enumerate(task.start.tolist())}
        kept: dict[int, _Move] = {}
        own: list[list[int]] = [[] for _ in range(len(task))]  # numbers of the moves of each unit
        for number, (unit, start, end) in enumerate(moves):
            visitor, since = last_on.get(end, (-1, -1))
            if visitor == unit and (since in kept or since < 0):
                while own[unit] and own[unit][-1] > since:
                    del kept[own[unit].pop()]
                continue
            kept[number] = unit, start, end
            own[unit].append(number)
            last_on[end] = unit, number
        if len(kept) == len(moves):
            return moves
        moves = list(kept.values())


def _in_parallel(moves: list[_Move], task: Task) -> TimedPaths:
    """Return paths with the same visits in the same order on each node, as early as possible."""
    paths = [[node] for node in task.start.tolist()]
    left_at: dict[int, int] = {}
    for unit, start, end in moves:
        path = paths[unit]
        tick = max(len(path) - 1, left_at.get(end, 0))
        path += [start] * (tick + 1 - len(path)) + [end]
        left_at[start] = tick
    return tuple(np.array(path, dtype=np.int64) for path in paths)
