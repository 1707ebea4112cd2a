"""Low-level search: space-time A* for one unit under constraints, with a binary heap.

Each tick the unit takes a step or waits. A step costs its price in the graph, waiting a fixed price
until the final arrival at the goal. Among paths of equal cost the search prefers the one with the
fewest conflicts to avoid, then the state nearest to the goal. After the last constrained tick all
ticks are the same state, so the number of states is finite and the search always ends.

References
----------
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Int, compiled, inlined
from ai.squads.constraints import (
    EMPTY,
    NEVER,
    ConstraintTable,
    TimedPath,
    hash_set_size,
    rehashed,
    slot_of,
)
from ai.squads.squad_graph import WAIT, Costs, SquadGraph

Heap = NDArray[np.float64]
T = TypeVar("T", bound=np.generic)

FOUND, NO_PATH, GAVE_UP = range(3)


@inlined
def _is_before(heap: Heap, row: Int, f: float, conflicts: float, g: float) -> bool:
    """Return whether a row of a heap comes before another one."""
    other_f, other_conflicts, other_g = heap[row, 0], heap[row, 1], heap[row, 2]
    if other_f != f:
        return bool(other_f < f)
    return bool(other_g > g if other_conflicts == conflicts else other_conflicts < conflicts)


@compiled
def push(heap: Heap, size: Int, f: float, conflicts: float, g: float, entry: Int) -> None:
    """Add an entry to a heap of `size` rows (f, conflicts, g, entry).

    The entry with the lowest f comes first, then the fewest conflicts, then the highest g.
    """
    row = size
    while row > 0:
        parent = (row - 1) // 2
        if _is_before(heap, parent, f, conflicts, g):
            break
        for column in range(4):  # a whole row at once is slower
            heap[row, column] = heap[parent, column]
        row = parent
    heap[row, 0], heap[row, 1], heap[row, 2], heap[row, 3] = f, conflicts, g, entry


@compiled
def pop(heap: Heap, size: Int) -> Int:
    """Remove the first entry of a heap of `size` rows and return it."""
    best, last, row = np.int64(heap[0, 3]), size - 1, 0
    f, conflicts, g = heap[last, 0], heap[last, 1], heap[last, 2]
    while True:
        child = 2 * row + 1
        if child >= last:
            break
        right = child + 1
        if right < last and _is_before(heap, right, heap[child, 0], heap[child, 1], heap[child, 2]):
            child = right
        if not _is_before(heap, child, f, conflicts, g):
            break
        for column in range(4):
            heap[row, column] = heap[child, column]
        row = child
    for column in range(4):
        heap[row, column] = heap[last, column]
    return best


@compiled
def _is_clearance_taken(
    step: Int,
    tick: Int,
    width: Int,
    n_nodes: Int,
    steps: SquadGraph,
    constraints: ConstraintTable,
) -> bool:
    """Return whether a unit is in the clearance of a step before or after the tick."""
    for entry in range(steps.clearance_first[step], steps.clearance_first[step + 1]):
        near = steps.clearance[entry]
        before = tick * width + n_nodes + near
        if (
            constraints.closed_from[near] <= tick + 1
            or _is_taken(constraints, before)
            or _is_taken(constraints, before + width)
        ):
            return True
    return False


@compiled
def _grown(table: NDArray[T], size: Int) -> NDArray[T]:
    """Return a larger table that begins with the same rows."""
    grown = np.empty((size, table.shape[1]), dtype=table.dtype)
    for row in range(len(table)):  # a slice would cost seconds to compile, for its error text
        for column in range(table.shape[1]):
            grown[row, column] = table[row, column]
    return grown


@compiled
def _is_taken(table: ConstraintTable, key: Int) -> bool:
    """Return whether there is a constraint of a key."""
    return bool(table.counts[slot_of(table.keys, key)] > 0)


@compiled
def find_timed_path(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    steps: SquadGraph,
    profile: Int,
    cost_to_goal: Costs,
    start: Int,
    goal: Int,
    horizon: Int,
    constraints: ConstraintTable,
    avoid: ConstraintTable,
    max_cost: float,
    max_expansions: Int,
) -> tuple[Int, TimedPath, float, Int]:
    """Find a cheapest path from tick 0 on that costs at most `max_cost`, which is finite.

    Return FOUND, NO_PATH or GAVE_UP; (n_ticks + 1,) the node at each tick; the cost; the number of
    expansions. `cost_to_goal` is (n_nodes,) the cost without other units, the heuristic. `horizon`
    and `constraints` are those of `PathConstraints`; all must be satisfied. The constraints in
    `avoid` are violated as seldom as possible among the cheapest paths.
    """
    first, target, cost = steps.first, steps.target, steps.cost
    clearance_first = steps.clearance_first
    closed_from, avoid_closed_from = constraints.closed_from, avoid.closed_from
    n_nodes = len(cost_to_goal)
    width = 2 * n_nodes + len(target)
    room = 1024
    states = np.empty((room, 5), dtype=np.int64)  # node, tick, parent, conflicts, is closed
    costs = np.empty((room, 1))
    heap = np.empty((2 * room, 4))
    keys = np.full(hash_set_size(2 * room), np.int64(EMPTY))
    entries = np.empty(len(keys), dtype=np.int64)
    nothing = np.empty(0, dtype=np.int64)
    if closed_from[goal] < NEVER or cost_to_goal[start] > max_cost or _is_taken(constraints, start):
        return NO_PATH, nothing, np.inf, 0
    goal_free_from = horizon
    while goal_free_from > 0 and not _is_taken(constraints, (goal_free_from - 1) * width + goal):
        goal_free_from -= 1
    states[0] = 0
    states[0, 0], states[0, 2], costs[0, 0] = start, -1, 0.0
    slot = slot_of(keys, start)
    keys[slot], entries[slot] = start, 0
    push(heap, 0, float(cost_to_goal[start]), 0, 0.0, 0)
    size, count, n_expanded = 1, 1, 0
    while size > 0:
        entry = pop(heap, size)
        size -= 1
        if states[entry, 4]:
            continue
        states[entry, 4] = 1
        node, tick, paid = states[entry, 0], states[entry, 1], costs[entry, 0]
        if node == goal and tick >= goal_free_from:
            path = np.empty(tick + 1, dtype=np.int64)
            while entry >= 0:
                path[states[entry, 1]] = states[entry, 0]
                entry = states[entry, 2]
            return FOUND, path, paid, n_expanded
        if n_expanded >= max_expansions:
            return GAVE_UP, nothing, np.inf, n_expanded
        n_expanded += 1
        begin = first[profile, node]
        degree = first[profile, node + 1] - begin + 1
        if count + degree > room:
            room = 2 * room + degree
            states, costs = _grown(states, room), _grown(costs, room)
            keys, entries = rehashed(keys, entries, hash_set_size(2 * room))
        if size + degree > len(heap):
            heap = _grown(heap, 2 * len(heap) + degree)
        for number in range(begin - 1, begin + degree - 1):
            step = number if number >= begin else WAIT
            if step == WAIT and not (steps.can_wait[profile, node] or node == start):
                continue
            end = node if step == WAIT else target[step]
            arrival = (tick + 1) * width + end
            departure = tick * width + 2 * n_nodes + step
            is_long = step != WAIT and clearance_first[step] < clearance_first[step + 1]
            g = paid + (steps.wait_cost if step == WAIT else cost[step])
            if not g + cost_to_goal[end] <= max_cost or closed_from[end] <= tick + 1:
                continue
            if _is_taken(constraints, arrival):
                continue
            if step != WAIT and _is_taken(constraints, departure):
                continue
            if is_long and _is_clearance_taken(step, tick, width, n_nodes, steps, constraints):
                continue
            is_conflict = avoid_closed_from[end] <= tick + 1
            is_conflict |= _is_taken(avoid, arrival)
            if step != WAIT and not is_conflict:
                is_conflict = _is_taken(avoid, departure)
            if is_long and not is_conflict:
                is_conflict = _is_clearance_taken(step, tick, width, n_nodes, steps, avoid)
            n_conflicts = states[entry, 3] + np.int64(is_conflict)
            key = min(tick + 1, horizon + 1) * n_nodes + end
            slot = slot_of(keys, key)
            if keys[slot] == key:
                known = entries[slot]
                if states[known, 4] or costs[known, 0] < g:
                    continue
                if costs[known, 0] == g and states[known, 3] <= n_conflicts:
                    continue
                states[known, 4] = 1  # its entry in the heap is out of date
            keys[slot], entries[slot] = key, count
            states[count, 0], states[count, 1], states[count, 2] = end, tick + 1, entry
            states[count, 3], states[count, 4], costs[count, 0] = n_conflicts, 0, g
            push(heap, size, g + cost_to_goal[end], n_conflicts, g, count)
            size += 1
            count += 1
    return NO_PATH, nothing, np.inf, n_expanded
