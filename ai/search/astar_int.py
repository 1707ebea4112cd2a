"""A* and Dijkstra's algorithm for whole costs, with Dial's buckets.

The frontier is a ring of buckets, one for each value of the priority f = cost so far + heuristic
(Dial's queue). The heuristic is consistent, so f never falls and a node is closed once, at its
lowest cost. Entries more than a ring ahead wait in an overflow list.

The lowest f comes first; ties go to the last node that was added. Steps are tried in the order of
the slots, then links in their own order. A node keeps the first parent that gave it its lowest
cost. The path does not depend on this order: `equal_paths` chooses it by the costs.

The state of a node is one 64-bit word, from the highest bits down: generation of the search, cost
so far, open bit, inverted parent. Generations count down, so a word of an older search is larger
than any of this search. Nothing has to be cleared between searches, the work does not grow with the
graph, and one comparison shows whether a step reaches a new node or a lower cost. A source is its
own parent. With inverted parents the lower of two words has the higher parent, which
`bounded_dijkstra` makes use of, with one bit more for a parent by a step of the first group.

References
----------
Dial (1969), "Algorithm 360: Shortest-path forest with topological ordering",
https://doi.org/10.1145/363269.363610
Hart, Nilsson, Raphael (1968), https://doi.org/10.1109/TSSC.1968.300136
"""

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import line_at, table_at
from ai.compilation.jit import Array, Number, compiled, helper, u64
from ai.search.equal_paths import (
    COST_BITS,
    MAX_COST,
    choose_parents,
    chosen_path,
    walk_back_int,
    write_path,
)
from ai.search.graph import edges_at
from ai.search.grid_index import cell_of
from ai.search.heuristics import choose_rows, layout_at, lower_bound, no_rows, place_of
from ai.search.search_state import (
    BUCKET,
    CLOSED,
    EXHAUSTED,
    GOAL_FOUND,
    N_EXPANDED,
    N_LIVE,
    N_SETTLED,
    NO_NODE,
    OPEN,
    OVERFLOW,
    OVERFLOW_BUCKET,
    OWN_PARENTS,
    PAUSED,
    POOL_FULL,
    SETTLED_PARENTS,
    TOP,
    UNSETTLED,
    regions_of,
)

_NEVER = 1 << 62

Decoded = tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.int32]]
"""Phase, cost and parent of nodes."""


@helper
def _refill_ring(
    bucket: Number,
    overflow: Number,
    pool: Array,
    priority: Array,
    ring: Array,
) -> Number:
    """Move the entries within a ring from the overflow list into their buckets.

    Returns the rest of the list, the lowest bucket in it, and how many were moved.
    """
    rest, rest_bucket, n_moved = np.int64(-1), np.int64(_NEVER), 0
    entry = overflow
    while entry >= 0:
        after = np.int64(pool[entry, 1])
        if priority[entry] - bucket < len(ring):
            slot = priority[entry] & (len(ring) - 1)
            pool[entry, 1] = ring[slot]
            ring[slot] = entry
            n_moved += 1
        else:
            rest_bucket = min(rest_bucket, np.int64(priority[entry]))
            pool[entry, 1] = rest
            rest = entry
        entry = after
    return rest, rest_bucket, n_moved


@helper
def workspace_at(work: Array) -> Number:
    """Return the arrays of `IntWorkspace.bundle`, and the bits of a node's number."""
    return (
        line_at(work, 0, np.int64), line_at(work, 1, np.int32), table_at(work, 2, np.int32),
        line_at(work, 3, np.int64), line_at(work, 4, np.int32), line_at(work, 5, np.int64),
        table_at(work, 6, np.int32), line_at(work, 7, np.int64), line_at(work, 8, np.int64)[0],
    )  # fmt: skip


@compiled
def search_int(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    graph: Array,
    place: Array,
    striped: Array,
    coarse: Array,
    work: Array,
    sources: Array,
    source_costs: Array,
    goals: Array,
    limit: Number,
    max_expansions: Number,
    generation: Number,
    is_backward: bool,
    region_of: Array,
    is_begin: bool,
    choice: Number,
) -> Number:
    """Search until the goal is closed, nothing is left, or `max_expansions` are done.

    Several goals are searched for one after the other, each from the source with the same index and
    in its own generation, while `record` has room. The paths follow each other in it.

    `graph` and `work` are bundles, made by `GuidedGraph` and `IntWorkspace`; `NodeLayout`,
    `Landmarks` and `GuidedGraph.search` describe the other arguments. Absent arrays are empty. For
    squares without links `place` is None, and without landmarks also `striped` and `coarse`: numba
    then compiles a faster search without them.

    Returns GOAL_FOUND, EXHAUSTED, PAUSED or POOL_FULL; how many searches are done, the lengths of
    whose paths are in `lengths`, 0 without one; and the regions that the last one looked at.
    """
    edges = edges_at(graph, np.uint8)
    step_cost, illegal, offset = edges.step_cost, edges.illegal[0], edges.offset
    node_class, link_first = edges.node_class, edges.link_first
    link_target, link_cost = edges.link_target, edges.link_cost
    level, n_cells, is_guided, numbers, width = layout_at(graph, np.int64)
    state, settled, pool, priority, ring, register, record, lengths, node_bits = workspace_at(work)
    n_slots = step_cost.shape[1]
    mask = np.int64(len(ring) - 1)
    shift = u64(node_bits + 1)
    one = u64(1) << u64(node_bits)  # the open bit; below it is the inverted parent
    parents = one - u64(1)
    has_links, has_classes = len(link_first) > 0, len(node_class) > 0
    rows = no_rows(np.int64(0))
    status, filled, regions = EXHAUSTED, 0, np.uint64(0)
    for turn in range(len(goals)):
        if turn > 0 and filled + len(state) > len(record):
            return status, turn, regions
        goal = np.int64(goals[turn])
        first, last = (turn, turn + 1) if len(goals) > 1 else (0, len(sources))
        highest = np.int64(limit)
        base = u64(generation - turn) << (shift + u64(COST_BITS))
        has_aim = is_guided and goal >= 0
        end = np.int64(0), np.int64(0), np.int64(0)
        if has_aim:
            end = place_of(goal, width, place, level)
        if striped is not None and len(striped) > 0:
            start = np.int64(sources[first])
            rows = choose_rows(coarse, striped, start, goal, width, np.int64(0))

        if is_begin:
            ring[:] = -1
            bucket = np.int64(_NEVER)
            overflow = np.int64(-1)
            overflow_bucket = np.int64(_NEVER)
            live = top = n_settled = np.int64(0)
            for look in range(2):  # first find the lowest bucket, then fill the buckets
                for i in range(first, last):
                    source = np.int64(sources[i])
                    cost = np.int64(source_costs[i])
                    first_key = np.int64(base + (u64(cost) << shift) + one)
                    above = np.int64(parents)
                    if cost > limit:
                        continue
                    if look == 0 and state[source] > first_key + above:
                        state[source] = first_key + above - source
                    if state[source] != first_key + above - source:
                        continue
                    f = cost
                    if has_aim:
                        f += lower_bound(source, end, width, place, level, numbers, striped, rows)
                    if look == 0:
                        bucket = min(bucket, f)
                        continue
                    if top == len(pool):
                        return POOL_FULL, turn, regions
                    pool[top, 0], pool[top, 1], priority[top] = source, overflow, f
                    overflow = top
                    top += 1
            overflow, overflow_bucket, live = _refill_ring(bucket, overflow, pool, priority, ring)
        else:
            bucket, live, top = register[BUCKET], register[N_LIVE], register[TOP]
            overflow, overflow_bucket = register[OVERFLOW], register[OVERFLOW_BUCKET]
            n_settled = register[N_SETTLED]

        status = EXHAUSTED
        own_class = np.int64(0)
        if not is_begin and choice == SETTLED_PARENTS and goal >= 0:
            # The goal may have been closed before a pause.
            known = (state[goal] - np.int64(base)) >> np.int64(shift)
            if 0 <= known <= MAX_COST and not u64(state[goal]) & one:
                status, highest = GOAL_FOUND, min(highest, known)
        while True:
            entry = np.int64(ring[u64(bucket & mask)])
            if entry < 0:
                if live > 0:
                    bucket += 1
                elif overflow >= 0:
                    bucket = overflow_bucket
                else:
                    break
                if bucket >= overflow_bucket:
                    overflow, overflow_bucket, n_moved = _refill_ring(
                        bucket, overflow, pool, priority, ring
                    )
                    live += n_moved
                continue
            if bucket > highest:
                break
            node = np.int64(pool[u64(entry), 0])
            key = u64(state[u64(node)])
            if key & one and n_settled >= max_expansions:
                status = PAUSED
                break
            ring[u64(bucket & mask)] = pool[u64(entry), 1]
            live -= 1
            if not key & one:  # closed since, at a lower cost
                continue
            state[u64(node)] = np.int64(key - one)
            settled[u64(n_settled)] = node
            n_settled += 1
            if node == goal:
                status = GOAL_FOUND
                if choice != SETTLED_PARENTS:
                    break
                highest = bucket
                continue
            key |= parents
            if place is not None and has_classes:
                own_class = np.int64(node_class[node])
            n_edges = np.int64(n_slots)
            if place is not None and has_links:
                n_edges += link_first[node + 1] - link_first[node]
            if top + n_edges > len(pool):
                return POOL_FULL, turn, regions
            for edge in range(n_edges):
                if place is None or edge < n_slots:
                    step = np.uint64(step_cost[u64(node), u64(edge)])
                    if step >= u64(illegal):
                        continue
                    there = node + offset[u64(own_class), u64(edge)]
                else:
                    link = link_first[node] + edge - n_slots
                    step = np.uint64(link_cost[link])
                    there = np.int64(link_target[link])
                there_key = key + (step << shift)
                if u64(state[u64(there)]) <= there_key:
                    continue
                state[u64(there)] = np.int64(there_key - u64(node))
                f = np.int64((there_key - base) >> shift)
                if has_aim:
                    f += lower_bound(there, end, width, place, level, numbers, striped, rows)
                pool[u64(top), 0] = there
                if f - bucket > mask:
                    pool[u64(top), 1] = overflow
                    priority[u64(top)] = f
                    overflow = top
                    overflow_bucket = min(overflow_bucket, f)
                else:
                    pool[u64(top), 1] = ring[u64(f & mask)]
                    ring[u64(f & mask)] = top
                    live += 1
                top += 1

        register[BUCKET], register[N_LIVE], register[TOP] = bucket, live, top
        register[OVERFLOW], register[OVERFLOW_BUCKET] = overflow, overflow_bucket
        register[N_SETTLED] = register[N_EXPANDED] = n_settled
        lengths[turn] = 0
        if status == GOAL_FOUND:
            ahead = record[filled:]
            code = np.int64(base), np.int64(shift), np.int64(one), 0
            length = 0
            if choice != OWN_PARENTS:
                aim = has_aim, end, width, level, numbers, rows
                length, regions = walk_back_int(
                    edges, place, striped, aim, sources[first:last], source_costs[first:last], goal,
                    state, code, choice == SETTLED_PARENTS, region_of, ahead, pool, priority,
                )  # fmt: skip
                if length == 0 and choice != SETTLED_PARENTS:
                    return UNSETTLED, turn, regions
            if length == 0 and choice == SETTLED_PARENTS:
                choose_parents(
                    edges, sources[first:last], source_costs[first:last], state, code, settled,
                    n_settled, ahead,
                )  # fmt: skip
                length = chosen_path(ahead, state, code, goal, pool)
            elif length == 0:
                length = _trace(state, goal, np.int64(parents), *code[:2], ahead)
            lengths[turn] = length
            write_path(ahead, length, width, n_cells, level, is_backward)
            filled += lengths[turn]
            regions |= regions_of(settled, n_settled, region_of)
    return status, len(goals), regions


@helper
def _trace(
    state: Array, goal: Number, parents: Number, base: Number, shift: Number, trail: Array
) -> Number:
    """Write the nodes and costs back from the goal into `trail`; return how many."""
    length = 0
    node = np.int64(goal)
    while True:
        trail[length, 0], trail[length, 1] = node, (state[node] - base) >> shift
        length += 1
        before = parents - (state[node] & parents)
        if before == node:
            return length
        node = before


@compiled
def decode(state: Array, nodes: Array, node_bits: Number, generation: Number) -> Decoded:
    """Return phase (-1: unseen), cost (infinity if unseen) and parent (-1: none) of nodes.

    `nodes` is None for all nodes.
    """
    shift = node_bits + 1
    parents = (np.int64(1) << node_bits) - 1
    base = np.int64(generation) << (shift + COST_BITS)
    end = base + ((np.int64(MAX_COST) + 1) << shift)
    count = len(state) if nodes is None else len(nodes)
    phase = np.empty(count, dtype=np.int8)
    cost = np.empty(count, dtype=np.float64)
    parent = np.empty(count, dtype=np.int32)
    for i in range(count):
        node = np.int64(i if nodes is None else nodes[i])
        word = state[node]
        phase[i], cost[i], parent[i] = -1, np.inf, NO_NODE
        if base <= word < end:
            phase[i] = OPEN if (word >> node_bits) & 1 else CLOSED
            cost[i] = (word - base) >> shift
            before = parents - (word & parents)
            if before != node:
                parent[i] = before
    return phase, cost, parent


@compiled
def gather(graph: Array, work: Array, generation: Number) -> NDArray[np.int32]:
    """(n, 7) row, column, deck, cost, level, parent's entry (-1: none) and number of settled nodes.

    Parents are settled before their children. The arguments are those of `search_int`.
    """
    level, n_cells, _, _, width = layout_at(graph, np.int64)
    state, settled, _, _, _, register, _, _, node_bits = workspace_at(work)
    entry_of, count = line_at(work, 9, np.int32), register[N_SETTLED]
    shift = node_bits + 1
    parents = (np.int64(1) << node_bits) - 1
    base = np.int64(generation) << (shift + COST_BITS)
    record = np.empty((count, 7), dtype=np.int32)
    for i in range(count):
        node = u64(settled[i])
        entry_of[node] = i
        word = state[node]
        row, col, deck = cell_of(np.int64(node), width, n_cells, len(state))
        record[i, 0], record[i, 1], record[i, 2] = row, col, deck
        record[i, 3], record[i, 4] = (word - base) >> shift, level[node]
        parent = u64(parents - (word & parents))
        record[i, 5] = NO_NODE if parent == node else entry_of[parent]
        record[i, 6] = node
    return record
