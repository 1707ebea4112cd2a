"""A*, Dijkstra's algorithm and greedy best-first search: one loop for whole costs, one for any.

The heuristic is consistent. The lowest f = cost so far + heuristic comes first; ties go to the last
node that was added. Steps are tried in the order of the slots, then links in their own order. A
node keeps the first parent that gave it its lowest cost. The path does not depend on this order:
`equal_paths` chooses it by the costs. Searches reuse their arrays: a node counts as seen only if
its mark has the generation of the search, so nothing is cleared and the work does not grow with the
graph.

Whole costs: the frontier is a ring of buckets, one for each f (Dial's queue). f never falls, and a
node is closed once, at its lowest cost. Entries more than a ring ahead wait in an overflow list.
The state of a node is one 64-bit word, from the highest bits down: generation of the search, cost
so far, open bit, inverted parent. Generations count down, so a word of an older search is larger
than any of this search, and one comparison shows whether a step reaches a new node or a lower cost.
A source is its own parent. With inverted parents the lower of two words has the higher parent.
`dijkstra_int` makes use of that, with one bit more for a parent by a step of the first group.

Any costs: each bucket is for a narrow range of f. A node that gets cheaper after it was closed is
opened again, and the search ends only when the goal's bucket is done, so costs are exact. A bucket
is processed in rounds; what enters it waits for the next round. Depth first would open nodes again
thousands of times where many paths cost nearly the same. A node whose bucket lies beyond the ring
is parked in the last bucket of the ring and examined again there. If only parked nodes are left,
the search jumps to the first of their buckets. So a few expensive steps among cheap ones do not
cost a walk through millions of empty buckets. A cost is the lowest sum over all paths, each rounded
step by step from the start, and paths have equal costs if these sums are equal. `state[node]` is
(mark, cost so far); mark = 4 * generation + phase, and generations count down here too.

With a weight of the cost so far other than 1 no node is opened again, and the search ends at the
goal; the bucket may go back. With a weight of 0 a node also keeps its first parent.

References
----------
Dial (1969), "Algorithm 360: Shortest-path forest with topological ordering",
https://doi.org/10.1145/363269.363610
Goldberg (2001), "A simple shortest path algorithm with linear average time",
https://doi.org/10.1007/3-540-44676-1_19
Hart, Nilsson, Raphael (1968), https://doi.org/10.1109/TSSC.1968.300136
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import line_at, table_at
from ai.compilation.jit import Array, Number, compiled, embedded, helper, u64
from ai.search.equal_paths import (
    MAX_COST,
    choose_parents,
    chosen_path,
    code_at,
    keep_parents,
    prefer_first_group,
    walk_back_float,
    walk_back_int,
    write_path,
)
from ai.search.graph import EdgeArrays, edge_out, edges_at, n_out
from ai.search.grid_index import cell_of
from ai.search.heuristics import (
    choose_rows,
    estimate,
    landmark_bound,
    layout_at,
    lower_bound,
    no_rows,
    place_of,
)
from ai.search.search_state import (
    AIM,
    BUCKET,
    CLOSED,
    EXHAUSTED,
    FIRST_PARENTS,
    FREE,
    GOAL_FOUND,
    HAS_FREE,
    N_EXPANDED,
    N_LIVE,
    N_PARKED,
    N_PHASES,
    N_SETTLED,
    NO_NODE,
    OPEN,
    OVERFLOW,
    OVERFLOW_BUCKET,
    OWN_PARENTS,
    PAUSED,
    POOL_FULL,
    REOPENED,
    ROUND,
    SETTLED_PARENTS,
    TOP,
    UNSETTLED,
)

_NEVER = 1 << 62
_PARKED = 1 << 30  # added to a node whose bucket lies beyond the ring
_ROUNDING = 1e-9  # far more than the sums of two paths of equal cost differ by
_N_BUCKETS = 256  # of Dijkstra's algorithm: more than any step costs
_NOWHERE = _N_BUCKETS  # the bucket of useless entries
_LAST_BUCKET = 1 << 60  # shared by all higher priorities: still exact, and no overflow

Decoded = tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.int32]]
"""Phase, cost and parent of nodes."""


@helper
def _whole_at(work: Array) -> Number:
    """Return the arrays of `IntWorkspace.bundle` for searches, and the bits of a node's number."""
    return (
        line_at(work, 0, np.int64), line_at(work, 1, np.int32), table_at(work, 2, np.int32),
        line_at(work, 3, np.int32), line_at(work, 4, np.int64), table_at(work, 5, np.int32),
        line_at(work, 7, np.int64), line_at(work, 8, np.int64)[0],
    )  # fmt: skip


@helper
def _any_at(work: Array) -> Number:
    """Return the arrays of `FloatWorkspace.bundle` for searches."""
    return (
        table_at(work, 0, np.float64), line_at(work, 1, np.int32), table_at(work, 2, np.int32),
        line_at(work, 3, np.int32), line_at(work, 4, np.int64), table_at(work, 5, np.float64),
        line_at(work, 7, np.int32),
    )  # fmt: skip


@compiled
def search(  # noqa: C901 - what both kinds of costs have in common
    graph: Array,
    place: Array,
    striped: Array,
    coarse: Array,
    work: Array,
    sources: Array,
    source_costs: Array,
    goal: Number,
    limit: Number,
    max_expansions: Number,
    generation: Number,
    cost_weight: Number,
    is_backward: bool,
    is_begin: bool,
    choice: Number,
) -> tuple[int, int]:
    """Search until the goal is closed, nothing is left, or `max_expansions` are done.

    `graph` and `work` are bundles, made by `GuidedGraph` and `Workspace`; `NodeLayout`, `Landmarks`
    and `GuidedGraph.search` describe the other arguments. `cost_weight` is a (1, 1) array, for
    whole costs one of one axis: numba compiles each loop for its own kind. Absent arrays are empty.
    For whole costs on squares without links `place` is None, and without landmarks also `striped`
    and `coarse`: numba then compiles a faster search without them.

    Returns GOAL_FOUND, EXHAUSTED, PAUSED, POOL_FULL or UNSETTLED; and the length of the path, which
    is in the workspace's record, 0 without one.
    """
    zero: Number
    if cost_weight.ndim == 1:
        zero, edges, layout = np.int64(0), edges_at(graph, np.uint8), layout_at(graph, np.int64)
        arrays = _whole_at(work)
    else:
        zero, edges, layout = 0.0, edges_at(graph, np.float64), layout_at(graph, np.float64)
        arrays, scales = _any_at(work), line_at(graph, 14, np.float64)
    level, n_cells, is_guided, numbers, width = layout
    state, settled, pool, _, register, record, own = arrays[:7]
    goal = np.int64(goal)
    has_aim = bool(is_guided and goal >= 0)
    end, rows = (np.int64(0), np.int64(0), np.int64(0)), no_rows(zero)
    if has_aim:
        end = place_of(goal, width, place, level)
    if striped is not None and len(striped) > 0 and goal >= 0:
        rows = choose_rows(coarse, striped, np.int64(sources[0]), goal, width, zero)
    aim = has_aim, end, width, level, numbers, rows
    question = sources, source_costs, goal, limit, max_expansions, is_begin, choice
    if cost_weight.ndim == 1:
        code = code_at(arrays[7], generation)
        status = _expand_whole(edges, place, striped, aim, arrays, question, code)
    else:
        code = 0, 0, 0, np.float64(N_PHASES * generation + CLOSED)
        weights = scales[0], scales[1], cost_weight[0, 0]
        status = _expand_any(edges, place, striped, aim, arrays, question, code, weights)
    n_settled = register[N_SETTLED]
    is_flood = goal < 0 and choice != OWN_PARENTS and status in (GOAL_FOUND, EXHAUSTED)
    if cost_weight.ndim == 2 and is_flood:
        # The parents are chosen by the loop, and again where numbers alone do not decide.
        if register[HAS_FREE] != 0:
            choose_parents(edges, question, arrays, code, record)
            keep_parents(record, state, own, code, settled, n_settled)
        elif len(edges.steps_back) > 0 and edges.steps_back[-1, 3] > 0:
            prefer_first_group(edges, state, own, code[3], settled, n_settled)
    if status != GOAL_FOUND:
        return status, 0
    if choice == OWN_PARENTS:
        length = _trace(state, own, goal, code, record)
    else:
        if cost_weight.ndim == 1:
            given = question, arrays, code, record
            length = walk_back_int(edges, place, striped, aim, *given)
        else:
            length = walk_back_float(edges, goal, state, own, code[3], record)
        if cost_weight.ndim == 1 and length == 0 and choice == FIRST_PARENTS:
            return UNSETTLED, 0
        if length == 0:
            choose_parents(edges, question, arrays, code, record)
            length = chosen_path(record, state, code, goal, pool)
    write_path(record, length, width, n_cells, level, is_backward)
    return status, length


@embedded
def _expand_whole(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    edges: EdgeArrays,
    place: Array,
    striped: Array,
    aim: Number,
    arrays: Number,
    question: Number,
    code: Number,
) -> Number:
    """Close nodes by whole costs; return the status of the search."""
    step_cost, illegal, offset = edges.step_cost, edges.illegal[0], edges.offset
    node_class, link_first = edges.node_class, edges.link_first
    link_target, link_cost = edges.link_target, edges.link_cost
    sources, source_costs, goal, limit, max_expansions, is_begin, choice = question
    state, settled, pool, ring, register, _, priority, _ = arrays
    n_slots, mask, has_aim = step_cost.shape[1], np.int64(len(ring) - 1), aim[0]
    base, shift, one = u64(code[0]), u64(code[1]), u64(code[2])
    parents = one - u64(1)
    has_links, has_classes = len(link_first) > 0, len(node_class) > 0
    highest = np.int64(limit)
    if is_begin:
        ring[:] = -1
        bucket = np.int64(_NEVER)
        overflow = np.int64(-1)
        overflow_bucket = np.int64(_NEVER)
        live = top = n_settled = np.int64(0)
        for look in range(2):  # first find the lowest bucket, then fill the buckets
            for i in range(len(sources)):
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
                    f += lower_bound(source, aim, place, striped)
                if look == 0:
                    bucket = min(bucket, f)
                    continue
                if top == len(pool):
                    return POOL_FULL
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
            return POOL_FULL
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
                f += lower_bound(there, aim, place, striped)
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
    return status


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


@embedded
def _expand_any(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    edges: EdgeArrays,
    place: Array,
    striped: Array,
    aim: Number,
    arrays: Number,
    question: Number,
    code: Number,
    weights: Number,
) -> Number:
    """Close nodes by any costs; return the status of the search.

    `weights` are the buckets per unit of cost, the rounding error of the bounds from a table, and
    the weight of the cost so far.
    """
    sources, source_costs, goal, limit, max_expansions, is_begin, choice = question
    state, settled, pool, ring, register, _, parent = arrays
    scale, slack, cost_weight = weights
    mask, first, may_reopen = np.int64(len(ring) - 1), code[3] - CLOSED, cost_weight == 1
    guide = scale, aim, place, goal >= 0 and len(striped) > 0, striped, slack
    if is_begin:
        ring[:] = -1
        # All sources are parked in the lowest bucket; the search moves them up to their own.
        bucket = np.int64(_LAST_BUCKET)
        for cost in source_costs:
            bucket = min(bucket, np.int64(min(cost_weight * cost * scale, _LAST_BUCKET)))
        near = far = top = n_settled = n_expanded = np.int64(0)
        free = round_ = goal_bucket = np.int64(-1)
        for i in range(len(sources)):
            node, cost = np.int64(sources[i]), source_costs[i]
            if cost > limit or (state[node, 0] < first + N_PHASES and state[node, 1] <= cost):
                continue
            if top == len(pool):
                return POOL_FULL
            state[node, 0], state[node, 1] = first + OPEN, cost
            parent[node] = NO_NODE
            pool[top, 0], pool[top, 1] = node | _PARKED, ring[bucket & mask]
            ring[bucket & mask] = top
            top += 1
            far += 1
    else:
        bucket, near, far = register[BUCKET], register[N_LIVE], register[N_PARKED]
        top, free, round_ = register[TOP], register[FREE], register[ROUND]
        n_settled, n_expanded = register[N_SETTLED], register[N_EXPANDED]
        goal_bucket = register[AIM]

    status = EXHAUSTED
    # Without a goal the parents are chosen here, and again where numbers alone do not decide.
    is_flood = goal < 0 and choice != OWN_PARENTS
    has_free = (is_flood and len(edges.link_first) > 0) or (
        not is_begin and register[HAS_FREE] != 0
    )
    while near + far > 0:
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
            # Only parked nodes are left: gather them in the first of their buckets.
            bucket = np.int64(_LAST_BUCKET)
            gathered = np.int64(-1)
            for slot in range(len(ring)):
                entry = np.int64(ring[slot])
                ring[slot] = -1
                while entry >= 0:
                    node = np.int64(pool[entry, 0]) & (_PARKED - 1)
                    cost = cost_weight * state[node, 1]
                    bucket = min(bucket, _bucket_of(node, cost, guide))
                    after = np.int64(pool[entry, 1])
                    pool[entry, 1] = gathered
                    gathered = entry
                    entry = after
            ring[bucket & mask] = gathered
            continue
        if n_expanded >= max_expansions:
            status = PAUSED
            break
        node = np.int64(pool[entry, 0])
        round_ = np.int64(pool[entry, 1])
        pool[entry, 1] = free
        free = entry
        # Greedy search may have gone back, so that later buckets come up early in the ring.
        is_sure = may_reopen
        if node >= _PARKED:
            far -= 1
            node &= _PARKED - 1
            is_sure = False
        else:
            near -= 1
        phase = state[node, 0] - first
        if phase == CLOSED:
            continue
        cost = state[node, 1]
        # An unsure node may belong to a later bucket and is then moved there.
        is_moved = False
        n_edges = np.int64(1)
        if not is_sure:
            target = _bucket_of(node, cost_weight * cost, guide)
            is_moved = target > bucket
        if not is_moved:
            state[node, 0] = first + CLOSED
            n_expanded += 1
            if phase == OPEN:
                settled[n_settled] = node
                n_settled += 1
            if node == goal:
                # Rounding may put another path of the same cost into the next bucket.
                margin = np.int64(min(cost * (1 + _ROUNDING) * scale, _LAST_BUCKET))
                goal_bucket = max(bucket, margin)
                if not may_reopen:
                    break
                continue
            n_edges = n_out(node, edges)
        for edge in range(n_edges):
            if is_moved:
                there = node
            else:
                there, step = edge_out(node, edge, edges)
                there_cost = cost + step
                if there < 0 or there_cost > limit:
                    continue
                if is_flood and there_cost == cost:
                    has_free = True
                known = state[there, 0] - first
                is_final = cost_weight == 0 or (known == CLOSED and not may_reopen)
                if known < N_PHASES and (state[there, 1] <= there_cost or is_final):
                    if is_flood and state[there, 1] == there_cost and parent[there] >= 0:
                        parent[there] = max(parent[there], np.int32(node))
                    continue
                state[there, 0] = first + (REOPENED if OPEN < known < N_PHASES else OPEN)
                state[there, 1] = there_cost
                parent[there] = node
                target = _bucket_of(there, cost_weight * there_cost, guide)
                if target < bucket:
                    if may_reopen:
                        target = bucket
                    else:
                        bucket = target
            if free >= 0:
                entry = free
                free = np.int64(pool[entry, 1])
            elif top < len(pool):
                entry = top
                top += 1
            else:
                return POOL_FULL
            if target - bucket > mask:
                target = bucket + mask
                there |= _PARKED
                far += 1
            else:
                near += 1
            pool[entry, 0], pool[entry, 1] = there, ring[target & mask]
            ring[target & mask] = entry

    register[BUCKET], register[N_LIVE], register[N_PARKED] = bucket, near, far
    register[TOP], register[FREE], register[ROUND] = top, free, round_
    register[N_SETTLED], register[N_EXPANDED] = n_settled, n_expanded
    register[AIM] = goal_bucket
    register[HAS_FREE] = has_free
    return GOAL_FOUND if goal_bucket >= 0 and status != PAUSED else status


@helper
def _bucket_of(node: Number, cost: Number, guide: Number) -> Number:
    """Return the bucket of a node at a cost so far; `guide` is made by `_expand_any`."""
    scale, (is_guided, end, width, level, weights, rows), place, has_table, striped, slack = guide
    if is_guided:
        bound = estimate(node, end, width, place, level, weights)
        if has_table:
            bound = max(bound, landmark_bound(striped, rows, node, width) - slack)
        cost += bound
    return np.int64(min(cost * scale, _LAST_BUCKET))


@helper
def _look(state: Array, parent: Array, node: Number, code: Number) -> Number:
    """Return the cost so far of a node and its parent; a source is its own."""
    if state.ndim == 1:
        base, shift, one, _ = code
        word = state[u64(node)]
        return (word - base) >> shift, one - 1 - (word & (one - 1))
    before = np.int64(parent[node])
    return state[node, 1], node if before == NO_NODE else before


@helper
def _trace(state: Array, parent: Array, goal: Number, code: Number, trail: Array) -> Number:
    """Write the nodes and costs back from the goal into `trail`; return how many."""
    length, node = 0, np.int64(goal)
    while True:
        cost, before = _look(state, parent, node, code)
        trail[length, 0], trail[length, 1] = node, cost
        length += 1
        if before == node:
            return length
        node = before


@compiled
def decode(state: Array, nodes: Array, node_bits: Number, generation: Number) -> Decoded:
    """Return phase (-1: unseen), cost (infinity if unseen) and parent (-1: none) of nodes.

    `nodes` is None for all nodes.
    """
    code = base, shift, one, _ = code_at(node_bits, generation)
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
            phase[i] = OPEN if word & one else CLOSED
            cost[i], before = _look(state, None, node, code)
            if before != node:
                parent[i] = before
    return phase, cost, parent


@compiled
def gather(graph: Array, work: Array, nodes: Array, generation: Number) -> NDArray[Any]:
    """(n, 7) row, column, deck, cost, level, parent's entry (-1: none) and number of closed nodes.

    `nodes` are these, as many as are settled; for any costs of shape (n, 1). Parents come before
    their children, or their entries are known. `graph` and `work` are those of `search`.
    """
    if nodes.ndim == 1:
        arrays, layout = _whole_at(work), layout_at(graph, np.int64)
        code = code_at(arrays[7], generation)
    else:
        arrays, layout, code = _any_at(work), layout_at(graph, np.float64), (0, 0, 0, 0)
    level, n_cells, _, _, width = layout
    state, own, entry_of = arrays[0], arrays[6], line_at(work, 6, np.int32)
    closed, record = nodes.reshape(-1), np.empty((arrays[4][N_SETTLED], 7), dtype=arrays[5].dtype)
    for i in range(len(record)):
        node = np.int64(closed[i])
        entry_of[u64(node)] = i
        row, col, deck = cell_of(node, width, n_cells, len(state))
        cost, before = _look(state, own, node, code)
        record[i, 0], record[i, 1], record[i, 2] = row, col, deck
        record[i, 3], record[i, 4] = cost, level[u64(node)]
        record[i, 5] = NO_NODE if before == node else entry_of[u64(before)]
        record[i, 6] = node
    return record


@compiled
def reach_int(
    graph: Array, place: Array, work: Array, source: Array, limit: Number, generation: Number
) -> NDArray[np.int32] | None:
    """Return what `gather` finds after `dijkstra_int`; None if the pool is too small."""
    costs = np.zeros(1, np.int64)
    if dijkstra_int(graph, place, work, source, costs, limit, generation) == POOL_FULL:
        return None
    return gather(graph, work, line_at(work, 1, np.int32), generation)


@compiled
def reach_many(
    graph: Array, place: Array, work: Array, sources: Array, limit: Number, generation: Number
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Return how many nodes each of many sources reaches, their cells (n, 3) and their costs (n,).

    One source comes after another, and its cheapest nodes first. Searches run in generations from
    this one down, as far as the pool serves.
    """
    arrays, layout = _whole_at(work), layout_at(graph, np.int64)
    state, settled, register = arrays[0], arrays[1], arrays[4]
    counts, cells = np.zeros(len(sources), np.int64), np.empty((64 * len(sources), 3), np.int32)
    costs, no_cost, filled = np.empty(len(cells)), np.zeros(1, np.int64), 0
    for turn in range(len(sources)):
        source, now = sources[turn : turn + 1], np.int64(generation - turn)
        if dijkstra_int(graph, place, work, source, no_cost, limit, now) == POOL_FULL:
            return counts[:turn], cells[:filled], costs[:filled]
        counts[turn], code = register[N_SETTLED], code_at(arrays[7], now)
        while filled + counts[turn] > len(cells):
            cells, costs = doubled(cells), doubled(costs)
        for i in range(counts[turn]):
            node = np.int64(settled[u64(i)])
            row, col, deck = cell_of(node, layout[4], layout[1], len(state))
            cells[filled, 0], cells[filled, 1], cells[filled, 2] = row, col, deck
            costs[filled] = _look(state, None, node, code)[0]
            filled += 1
    return counts, cells[:filled], costs[:filled]


@helper
def doubled(array: Array) -> Array:
    """Return an array with room for as many entries again."""
    return np.concatenate((array, np.empty_like(array)))


@compiled
def dijkstra_int(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    graph: Array,
    place: Array,
    work: Array,
    sources: Array,
    source_costs: Array,
    limit: Number,
    generation: Number,
) -> int:
    """Settle all nodes that cost at most `limit`; return EXHAUSTED or POOL_FULL.

    There is no goal. A bucket is processed in rounds: what enters it meanwhile waits for the next
    round, so that a processor can work on several nodes at once. For the same reason no branch
    depends on whether a step reaches a lower cost, which is unpredictable: every step writes its
    entry, and a useless one goes to a bucket that is never read. Of the parents that give a node
    its lowest cost, it keeps the highest, as `equal_paths` demands. On a graph with diagonals,
    links or free steps that does not decide, and it corrects the parents at the end.

    The arguments are those of `search`. Sources are sorted by their costs. For a graph without
    links and with one class of nodes `place` is None: numba then compiles a faster search.
    """
    edges = edges_at(graph, np.uint8)
    step_cost, illegal, offset = edges.step_cost, edges.illegal[0], edges.offset
    node_class, link_first = edges.node_class, edges.link_first
    link_target, link_cost, steps_back = edges.link_target, edges.link_cost, edges.steps_back
    arrays, n_slots = _whole_at(work), step_cost.shape[1]
    state, settled, pool, _, register, queue, _, node_bits = arrays
    code = code_at(node_bits, generation)
    base, shift, one = u64(code[0]), u64(code[1]), u64(code[2])
    parents = one - u64(1)
    # A step of group 0 has a parent that counts as higher than all others.
    has_groups = len(steps_back) > 0 and steps_back[-1, 3] > 0
    half = one >> u64(1)
    extra = np.zeros(n_slots, dtype=np.uint64)
    for i in range(len(steps_back) if has_groups else 0):
        extra[steps_back[i, 1]] = half if steps_back[i, 3] == 0 else u64(0)
    ring = np.full(_N_BUCKETS + 1, np.int32(-1))
    bucket = live = top = count = next_source = own_class = n_free = np.int64(0)
    while True:
        if live == 0:
            if next_source == len(sources):
                break
            bucket = np.int64(source_costs[next_source])
        if bucket > limit:
            break
        while next_source < len(sources) and source_costs[next_source] <= bucket:
            if top == len(pool):
                return POOL_FULL
            source = u64(sources[next_source])
            word = base + (u64(bucket) << shift) + one
            if u64(state[source]) >= word:
                word += parents - source
                slot = u64(bucket) & u64(_N_BUCKETS - 1)
                state[source] = np.int64(word)
                pool[u64(top), 0], pool[u64(top), 1] = source, ring[slot]
                ring[slot] = top
                top += 1
                live += 1
            next_source += 1
        slot = u64(bucket) & u64(_N_BUCKETS - 1)
        entry = np.int64(ring[slot])
        ring[slot] = -1
        if entry < 0:
            bucket += 1
        while entry >= 0:
            node = np.int64(pool[u64(entry), 0])
            entry = np.int64(pool[u64(entry), 1])
            live -= 1
            key = u64(state[u64(node)])
            if not key & one:  # closed since, at a lower cost
                continue
            n_edges = np.int64(n_slots)
            if place is not None and len(link_first) > 0:
                n_edges += link_first[node + 1] - link_first[node]
            if top + n_edges > len(pool):
                return POOL_FULL
            state[u64(node)] = np.int64(key - one)
            settled[u64(count)] = node
            count += 1
            if place is not None and len(node_class) > 0:
                own_class = np.int64(node_class[node])
            key |= parents
            for edge in range(n_edges):
                if place is None or edge < n_slots:
                    step, rank = u64(step_cost[u64(node), u64(edge)]), extra[u64(edge)]
                    # An illegal step leads back to its own node, which is cheaper.
                    there = node + (offset[u64(own_class), u64(edge)] if step < u64(illegal) else 0)
                else:
                    link = link_first[node] + edge - n_slots
                    step, there = u64(link_cost[link]), np.int64(link_target[link])
                    rank = u64(0)
                # Written as choices, which compilers turn into code without branches.
                there_key = key + (step << shift)
                known = u64(state[u64(there)])
                is_better = known > there_key
                with_parent = there_key - u64(node) - rank
                state[u64(there)] = np.int64(with_parent if known > with_parent else known)
                n_free += np.int64(step == u64(0))
                cost = (there_key - base) >> shift
                slot = cost & u64(_N_BUCKETS - 1) if is_better else u64(_NOWHERE)
                pool[u64(top), 0] = there
                pool[u64(top), 1] = ring[slot]
                ring[slot] = top
                top += np.int64(is_better)
                live += np.int64(is_better)
    register[N_SETTLED] = register[N_EXPANDED] = count
    has_links = len(link_first) > 0
    if n_free > 0 or has_links:
        choose_parents(edges, (sources, source_costs), arrays, code, queue)
        keep_parents(queue, state, None, code, settled, count)
    elif has_groups:
        for i in range(count):
            word = u64(state[u64(settled[i])])
            low_bits = word & parents
            state[u64(settled[i])] = np.int64(word + (u64(0) if low_bits & half else half))
    return EXHAUSTED
