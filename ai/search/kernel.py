"""The one compiled search: A*, Dijkstra, greedy and breadth-first over any graph, in buckets.

The frontier is a ring of buckets of nodes with nearly equal priority f = cost so far + estimate
(Dial's queue). With whole costs a bucket holds exactly one value of f. With fractional costs a
bucket holds a narrow span of f; a node that turns out cheaper after it was closed is opened again,
and the search ends only when the goal's bucket is done, so that costs are exact either way. Such a
bucket is worked off in rounds, what comes into it waits for the next one: deeper first would open
nodes again thousands of times where many ways cost nearly the same.

A node whose bucket lies beyond the ring is parked in its last bucket and looked at again there; if
only parked ones are left, the search leaps to the first of their buckets, so that a few dear steps
among cheap ones do not make it walk through millions of empty buckets.

Order, which makes every answer definite: the lowest bucket first; inside a bucket, or a round of
it, the node that came in last; a node keeps the first parent that gave it its lowest cost; steps
are tried in the order of the slots, then links in the order they were given.

Everything a search remembers lies in arrays that are used again: a node counts as seen only if its
mark carries the stamp of this search, so nothing is cleared and the work does not grow with the
graph. `state[node]` is (mark, cost so far); mark = 4 * stamp + phase.

References
----------
Dial (1969), "Algorithm 360: Shortest-path forest with topological ordering",
https://doi.org/10.1145/363269.363610
Hart, Nilsson, Raphael (1968), https://doi.org/10.1109/TSSC.1968.300136
Goldberg, Harrelson (2005), "Computing the shortest path: A* search meets graph theory"
"""

from typing import Any

import numba
import numpy as np

Array = Any  # of whatever dtype: numba compiles for each that comes
Number = Any

OPEN, CLOSED, REOPENED = 0, 1, 2
"""Phases of a node: in the frontier, expanded, in the frontier again."""

GOAL_FOUND, EXHAUSTED, PAUSED, POOL_FULL = 0, 1, 2, 3
"""How a run ended."""

LATTICE, HEX, STRAIGHT = 0, 1, 2
"""Norms of the estimate: steps along axes and diagonals, steps on hexagons, as the crow flies."""

BUCKET, NEAR, FAR, TOP, FREE, N_SETTLED, GOAL_BUCKET, N_EXPANDED, N_PATH, ROUND = range(10)
"""Registers: what a paused search keeps and a finished one reports."""

NO_NODE = -1
_PARKED = 1 << 30  # added to a node whose bucket lies beyond the ring
_LAST_BUCKET = 1 << 60  # whatever costs more shares it: still exact, and no overflow


@numba.njit(cache=True)
def _grid_bound(
    place: Array,
    goal_place: Number,
    norm: Number,
    axis: Number,
    diagonal: Number,
    climb: Number,
    drop: Number,
    node: Number,
) -> Number:
    da = abs(np.int64(place[node, 0]) - goal_place[0])
    db = abs(np.int64(place[node, 1]) - goal_place[1])
    rise = goal_place[2] - np.int64(place[node, 2])
    if norm == LATTICE:
        bound = axis * (max(da, db) - min(da, db)) + diagonal * min(da, db)
    elif norm == HEX:
        sum_ = np.int64(place[node, 0]) + np.int64(place[node, 1])
        bound = axis * max(max(da, db), abs(sum_ - goal_place[0] - goal_place[1]))
    else:
        bound = type(axis)(axis * np.sqrt(np.float64(da * da + db * db)))
    if rise > 0:
        return bound + climb * rise
    return bound - drop * rise


@numba.njit(cache=True)
def _landmark_bound(table: Array, zero: Number, goal: Number, node: Number) -> Number:
    """Give the best bound that the landmarks know; see `Landmarks`.

    Two plain loops over neighboring entries, which the compiler turns into vector instructions.
    """
    half = table.shape[1] // 2
    best = zero
    for column in range(half):
        best = max(best, type(zero)(table[goal, column]) - type(zero)(table[node, column]))
    for column in range(half, 2 * half):
        best = max(best, type(zero)(table[node, column]) - type(zero)(table[goal, column]))
    return best


@numba.njit(cache=True)
def _due(priority: Number, scale: Number) -> Number:
    """Give the bucket in which a priority belongs."""
    return np.int64(min(priority * scale, _LAST_BUCKET))


@numba.njit(cache=True)
def _leap(
    place: Array,
    goal_place: Number,
    norm: Number,
    axis: Number,
    diagonal: Number,
    climb: Number,
    drop: Number,
    table: Array,
    table_zero: Number,
    slack: Number,
    goal: Number,
    has_bound: Number,
    cost_weight: Number,
    scale: Number,
    state: Array,
    pool: Array,
    ring: Array,
) -> Number:
    """Gather all nodes, every one of them parked, in the first of their buckets and give it."""
    first_due = np.int64(_LAST_BUCKET)
    gathered = np.int64(-1)
    for slot in range(len(ring)):
        entry = np.int64(ring[slot])
        ring[slot] = -1
        while entry >= 0:
            node = np.int64(pool[entry, 0]) & (_PARKED - 1)
            bound = axis * 0
            if place is not None and has_bound:
                bound = _grid_bound(place, goal_place, norm, axis, diagonal, climb, drop, node)
            if table is not None:
                known = _landmark_bound(table, table_zero, goal, node)
                bound = max(bound, type(axis)(known) - slack)
            first_due = min(first_due, _due(cost_weight * state[node, 1] + bound, scale))
            after = np.int64(pool[entry, 1])
            pool[entry, 1] = gathered
            gathered = entry
            entry = after
    ring[first_due & (len(ring) - 1)] = gathered
    return first_due


@numba.njit(cache=True)
def _begin(
    sources: Array,
    source_costs: Array,
    scale: Number,
    first: Number,
    state: Array,
    parent: Array,
    pool: Array,
    ring: Array,
    register: Array,
) -> Number:
    """Put the sources into the frontier; False if the pool is too small for them."""
    ring[:] = -1
    register[:] = 0
    register[FREE] = -1
    register[GOAL_BUCKET] = -1
    register[ROUND] = -1
    # All lie in the lowest bucket, parked: the search looks itself how far they belong up.
    register[BUCKET] = _due(source_costs.min(), scale)
    slot = register[BUCKET] & (len(ring) - 1)
    for i in range(len(sources)):
        node, cost = np.int64(sources[i]), source_costs[i]
        if state[node, 0] >= first and state[node, 1] <= cost:
            continue
        top = register[TOP]
        if top == len(pool):
            return False
        state[node, 0], state[node, 1] = first + OPEN, cost
        parent[node] = NO_NODE
        pool[top, 0], pool[top, 1] = node | _PARKED, ring[slot]
        ring[slot] = top
        register[TOP] += 1
        register[FAR] += 1
    return True


@numba.njit(cache=True)
def _trace(
    parent: Array,
    node: Number,
    path: Array,
) -> Number:
    """Write the way back from `node` to its source and give its length."""
    length = 0
    while node >= 0:
        path[length] = node
        length += 1
        node = np.int64(parent[node])
    return length


@numba.njit(cache=True, nogil=True)
def run(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    link_first: Array,
    link_target: Array,
    link_cost: Array,
    place: Array,
    norm: Number,
    axis: Number,
    diagonal: Number,
    climb: Number,
    drop: Number,
    table: Array,
    table_zero: Number,
    slack: Number,
    sources: Array,
    source_costs: Array,
    goal: Number,
    cost_weight: Number,
    scale: Number,
    limit: Number,
    max_expansions: Number,
    may_reopen: bool,
    stamp: Number,
    state: Array,
    parent: Array,
    settled: Array,
    path: Array,
    pool: Array,
    ring: Array,
    register: Array,
    is_begin: bool,
) -> Number:
    """Search until the goal is closed, nothing is left, or `max_expansions` are done.

    What the arguments mean stands with those who own them: `Graph`, `Estimate`, `Landmarks`,
    `Scratch` and `Course.search`. Absent parts are None, for which their code is left out.

    Returns
    -------
    int
        GOAL_FOUND, EXHAUSTED, PAUSED or POOL_FULL.
    """
    mask = len(ring) - 1
    first = type(limit)(4 * stamp)
    has_bound = goal >= 0 and (axis > 0 or climb > 0 or drop > 0)
    n_slots = step_cost.shape[1]
    is_whole = type(limit)(0.5) == 0  # whole costs: a bucket is one value of f
    ga = gb = gl = np.int64(0)
    if place is not None and has_bound:
        ga, gb = np.int64(place[goal, 0]), np.int64(place[goal, 1])
        gl = np.int64(place[goal, 2])
    goal_place = (ga, gb, gl)
    zero = type(limit)(0)

    if is_begin and not _begin(
        sources,
        source_costs,
        cost_weight * scale,
        first,
        state,
        parent,
        pool,
        ring,
        register,
    ):
        return POOL_FULL
    bucket, near, far = register[BUCKET], register[NEAR], register[FAR]
    top, free, round_ = register[TOP], register[FREE], register[ROUND]
    n_settled, goal_bucket, n_expanded = (
        register[N_SETTLED],
        register[GOAL_BUCKET],
        register[N_EXPANDED],
    )
    status = EXHAUSTED
    kind = np.int64(0)
    while near + far > 0:
        if is_whole:
            entry = np.int64(ring[bucket & mask])
        else:
            if round_ < 0:
                round_ = np.int64(ring[bucket & mask])
                ring[bucket & mask] = -1
            entry = round_
        if entry < 0:
            if goal_bucket >= 0 and bucket >= goal_bucket:
                break
            if near > 0:
                bucket += 1
                continue
            bucket = _leap(
                place,
                goal_place,
                norm,
                axis,
                diagonal,
                climb,
                drop,
                table,
                table_zero,
                slack,
                goal,
                has_bound,
                cost_weight,
                scale,
                state,
                pool,
                ring,
            )
            continue
        if n_expanded >= max_expansions:
            status = PAUSED
            break
        node = np.int64(pool[entry, 0])
        if is_whole:
            ring[bucket & mask] = pool[entry, 1]
        else:
            round_ = np.int64(pool[entry, 1])
        pool[entry, 1] = free
        free = entry
        if node >= _PARKED:
            far -= 1
            node &= _PARKED - 1
            is_sure = False
        else:
            near -= 1
            # Greedy search may have stepped back, so that the ring shows later buckets early.
            is_sure = may_reopen
        phase = state[node, 0] - first
        if phase == CLOSED:
            continue
        cost = state[node, 1]
        if not is_sure:
            # It may belong further up: look again.
            bound = zero
            if place is not None and has_bound:
                bound = _grid_bound(place, goal_place, norm, axis, diagonal, climb, drop, node)
            if table is not None:
                bound = max(
                    bound, type(limit)(_landmark_bound(table, table_zero, goal, node)) - slack
                )
            due = _due(cost_weight * cost + bound, scale)
            if due > bucket:
                if due - bucket > mask:
                    due = bucket + mask
                    node |= _PARKED
                    far += 1
                else:
                    near += 1
                entry = free
                free = pool[entry, 1]
                pool[entry, 0] = node
                pool[entry, 1] = ring[due & mask]
                ring[due & mask] = entry
                continue
        state[node, 0] = first + CLOSED
        n_expanded += 1
        if phase == OPEN:
            settled[n_settled] = node
            n_settled += 1
        if node == goal:
            goal_bucket = bucket
            if is_whole or not may_reopen:
                break
            continue
        if node_class is not None:
            kind = np.int64(node_class[node])
        links = 0
        if link_first is not None:
            links = link_first[node + 1] - link_first[node]
        for slot in range(n_slots + links):
            if link_first is None or slot < n_slots:
                step = step_cost[node, slot]
                if not step < illegal:
                    continue
                there = node + offset[kind, slot]
                there_cost = cost + type(limit)(step)
            else:
                link = link_first[node] + slot - n_slots
                there = np.int64(link_target[link])
                there_cost = cost + type(limit)(link_cost[link])
            if there_cost > limit:
                continue
            known = state[there, 0] - first
            if known >= 0 and (state[there, 1] <= there_cost or not may_reopen):
                continue
            bound = zero
            if place is not None and has_bound:
                bound = _grid_bound(place, goal_place, norm, axis, diagonal, climb, drop, there)
            if table is not None:
                bound = max(
                    bound, type(limit)(_landmark_bound(table, table_zero, goal, there)) - slack
                )
            state[there, 0] = first + (OPEN if known < 0 or known == OPEN else REOPENED)
            state[there, 1] = there_cost
            parent[there] = node
            due = _due(cost_weight * there_cost + bound, scale)
            if due < bucket:
                if may_reopen:
                    due = bucket
                else:
                    bucket = due
            if due - bucket > mask:
                due = bucket + mask
                there |= _PARKED
                far += 1
            else:
                near += 1
            if free >= 0:
                entry = free
                free = pool[entry, 1]
            elif top < len(pool):
                entry = top
                top += 1
            else:
                return POOL_FULL
            pool[entry, 0] = there
            pool[entry, 1] = ring[due & mask]
            ring[due & mask] = entry
    if goal_bucket >= 0 and status != PAUSED:
        status = GOAL_FOUND
        register[N_PATH] = _trace(parent, goal, path)
    register[BUCKET], register[NEAR], register[FAR] = bucket, near, far
    register[TOP], register[FREE], register[ROUND] = top, free, round_
    register[N_SETTLED], register[GOAL_BUCKET] = n_settled, goal_bucket
    register[N_EXPANDED] = n_expanded
    return status


@numba.njit(cache=True)
def gather(
    nodes: Array,
    length: Number,
    is_reversed: bool,
    state: Array,
    parent: Array,
    level: Array,
) -> Array:
    """(4, length) node, cost so far, parent and level of the first of `nodes`, as one record."""
    record = np.empty((4, length), dtype=state.dtype)
    for i in range(length):
        node = np.int64(nodes[length - 1 - i if is_reversed else i])
        record[0, i] = node
        record[1, i] = state[node, 1]
        record[2, i] = parent[node]
        record[3, i] = level[node]
    return record


@numba.njit(cache=True)
def places(nodes: Array, cols: Number) -> Array:
    """(n, 3) int32 row, column and 0 of nodes that are numbered row by row."""
    found = np.zeros((len(nodes), 3), dtype=np.int32)
    for i in range(len(nodes)):
        node = np.int64(nodes[i])
        found[i, 0] = node // cols
        found[i, 1] = node % cols
    return found
