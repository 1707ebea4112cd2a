"""A*, Dijkstra's algorithm and greedy best-first search for any costs, with buckets.

The frontier is a ring of buckets, each for a narrow range of the priority f = cost so far +
heuristic. A node that gets cheaper after it was closed is opened again, and the search ends only
when the goal's bucket is done, so costs are exact. A bucket is processed in rounds; what enters it
waits for the next round. Depth first would open nodes again thousands of times where many paths
cost nearly the same.

A node whose bucket lies beyond the ring is parked in the last bucket of the ring and examined again
there. If only parked nodes are left, the search jumps to the first of their buckets. A few
expensive steps among cheap ones do not cost a walk through millions of empty buckets.

The lowest bucket comes first; inside a round of it, the last node that was added. Steps are tried
in the order of the slots, then links in their own order. A node keeps the first parent that gave it
its lowest cost. The path does not depend on this order: `equal_paths` chooses it by the costs. A
cost is the lowest sum over all paths, each rounded step by step from the start, and paths have
equal costs if these sums are equal.

With a weight of the cost so far below 1, as in weighted A*, no node is opened again, and the search
ends at the goal; the bucket may go back. If a cheapest path has k steps, the path found costs at
most (cheapest cost + k widths of a bucket) / weight. With a weight of 0 a node also keeps its first
parent.

Searches reuse their arrays. A node counts as seen only if its mark has the generation of the
search, so nothing is cleared and the work does not grow with the graph. `state[node]` is (mark,
cost so far); mark = 4 * generation + phase.

References
----------
Goldberg (2001), "A simple shortest path algorithm with linear average time",
https://doi.org/10.1007/3-540-44676-1_19
Pohl (1970), "Heuristic search viewed as path finding in a graph",
https://doi.org/10.1016/0004-3702(70)90007-X
Likhachev, Gordon, Thrun (2003), "ARA*: anytime A* with provable bounds on sub-optimality"
"""

import numpy as np

from ai.compilation.bundle import line_at, table_at
from ai.compilation.jit import Array, Number, compiled, helper
from ai.search.equal_paths import (
    choose_parents,
    chosen_path,
    keep_parents,
    prefer_first_group,
    walk_back_float,
    write_path,
)
from ai.search.graph import edges_at
from ai.search.heuristics import (
    choose_rows,
    estimate,
    landmark_bound,
    layout_at,
    no_rows,
    place_of,
)
from ai.search.search_state import (
    AIM,
    BUCKET,
    CLOSED,
    EXHAUSTED,
    FREE,
    GOAL_FOUND,
    HAS_FREE,
    N_EXPANDED,
    N_LIVE,
    N_PARKED,
    N_SETTLED,
    NO_NODE,
    OPEN,
    OWN_PARENTS,
    PAUSED,
    POOL_FULL,
    REOPENED,
    ROUND,
    TOP,
    regions_of,
)

_PARKED = 1 << 30  # added to a node whose bucket lies beyond the ring
_ROUNDING = 1e-9  # far more than the sums of two paths of equal cost differ by
_LAST_BUCKET = 1 << 60  # shared by all higher priorities: still exact, and no overflow


@helper
def _bucket_of(node: Number, cost: Number, aim: Number) -> Number:
    """Return the bucket of a node at a cost so far.

    `aim` has the buckets per unit of cost, the arguments of `estimate` and of `landmark_bound`, and
    the rounding error of the latter.
    """
    scale, is_guided, end, width, place, level, weights, has_table, striped, rows, slack = aim
    if is_guided:
        bound = estimate(node, end, width, place, level, weights)
        if has_table:
            bound = max(bound, landmark_bound(striped, rows, node, width) - slack)
        cost += bound
    return np.int64(min(cost * scale, _LAST_BUCKET))


@compiled
def search_float(  # noqa: C901 - one loop: a call in it costs more than the loop itself
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

    `graph` and `work` are bundles, made by `GuidedGraph` and `FloatWorkspace`; `NodeLayout`,
    `Landmarks` and `GuidedGraph.search` describe the other arguments. Absent arrays are empty.
    Returns GOAL_FOUND, EXHAUSTED, PAUSED or POOL_FULL; 1; and the regions that the search looked
    at. The path is in `record`, its length in `lengths`, 0 without one.
    """
    edges = edges_at(graph, np.float64)
    step_cost, illegal, offset = edges.step_cost, edges.illegal[0], edges.offset
    node_class, link_first = edges.node_class, edges.link_first
    link_target, link_cost = edges.link_target, edges.link_cost
    level, n_cells, is_guided, numbers, width = layout_at(graph, np.float64)
    scales = line_at(graph, 14, np.float64)
    scale, slack = scales[0], scales[1]
    state, parent = table_at(work, 0, np.float64), line_at(work, 1, np.int32)
    settled, pool = line_at(work, 2, np.int32), table_at(work, 3, np.int32)
    ring, register = line_at(work, 4, np.int32), line_at(work, 5, np.int64)
    record, lengths = table_at(work, 6, np.float64), line_at(work, 7, np.int64)
    cost_weight = line_at(work, 8, np.float64)[0]
    goal = int(goals[0])
    n_slots = step_cost.shape[1]
    mask = np.int64(len(ring) - 1)
    first = 4.0 * generation
    may_reopen = cost_weight == 1
    has_links, has_classes = len(link_first) > 0, len(node_class) > 0
    has_table = goal >= 0 and len(striped) > 0
    has_aim = bool(is_guided and goal >= 0)
    end = np.int64(0), np.int64(0), np.int64(0)
    if has_aim:
        end = place_of(goal, width, place, level)
    rows = no_rows(0.0)
    if has_table:
        rows = choose_rows(coarse, striped, np.int64(sources[0]), np.int64(goal), width, 0.0)
    aim = scale, has_aim, end, width, place, level, numbers, has_table, striped, rows, slack

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
            if cost > limit or (state[node, 0] >= first and state[node, 1] <= cost):
                continue
            if top == len(pool):
                return POOL_FULL, 1, np.uint64(0)
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
    own_class = np.int64(0)
    # Without a goal the parents are chosen here, and again where numbers alone do not decide.
    is_flood = goal < 0 and choice != OWN_PARENTS
    has_free = (is_flood and len(link_first) > 0) or (not is_begin and register[HAS_FREE] != 0)
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
                    bucket = min(
                        bucket,
                        _bucket_of(node, cost, aim),
                    )
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
        n_edges = np.int64(n_slots)
        if not is_sure:
            target = _bucket_of(node, cost_weight * cost, aim)
            is_moved = target > bucket
        if is_moved:
            n_edges = np.int64(1)
        else:
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
            if has_classes:
                own_class = np.int64(node_class[node])
            if has_links:
                n_edges += link_first[node + 1] - link_first[node]
        for edge in range(n_edges):
            if is_moved:
                there = node
            else:
                if edge < n_slots:
                    step = step_cost[node, edge]
                    if not step < illegal:
                        continue
                    there = node + offset[own_class, edge]
                else:
                    link = link_first[node] + edge - n_slots
                    step = link_cost[link]
                    there = np.int64(link_target[link])
                there_cost = cost + step
                if there_cost > limit:
                    continue
                if is_flood and there_cost == cost:
                    has_free = True
                known = state[there, 0] - first
                is_final = cost_weight == 0 or (known == CLOSED and not may_reopen)
                if known >= 0 and (state[there, 1] <= there_cost or is_final):
                    if is_flood and state[there, 1] == there_cost and parent[there] >= 0:
                        parent[there] = max(parent[there], np.int32(node))
                    continue
                state[there, 0] = first + (OPEN if known < 0 or known == OPEN else REOPENED)
                state[there, 1] = there_cost
                parent[there] = node
                target = _bucket_of(there, cost_weight * there_cost, aim)
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
                return POOL_FULL, 1, np.uint64(0)
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
    lengths[0] = 0
    register[HAS_FREE] = has_free
    code = 0, 0, 0, first + CLOSED
    steps_back = edges.steps_back
    if has_free and status != PAUSED:
        choose_parents(edges, sources, source_costs, state, code, settled, n_settled, record)
        keep_parents(record, state, parent, code, settled, n_settled)
    elif is_flood and status != PAUSED and len(steps_back) > 0 and steps_back[-1, 3] > 0:
        prefer_first_group(edges, state, parent, first + CLOSED, settled, n_settled)
    if goal_bucket < 0 or status == PAUSED:
        return status, 1, np.uint64(0)
    length = 0
    if choice != OWN_PARENTS:
        length = walk_back_float(edges, goal, state, parent, first + CLOSED, record)
        if length == 0:
            choose_parents(edges, sources, source_costs, state, code, settled, n_settled, record)
            length = chosen_path(record, state, code, goal, pool)
    if length == 0:
        length = _trace(state, parent, goal, record)
    write_path(record, length, width, n_cells, level, is_backward)
    lengths[0] = length
    return GOAL_FOUND, 1, regions_of(settled, n_settled, region_of)


@helper
def _trace(state: Array, parent: Array, goal: Number, trail: Array) -> Number:
    """Write the nodes and costs back from the goal into `trail`; return how many."""
    length = 0
    node = np.int64(goal)
    while node >= 0:
        trail[length, 0], trail[length, 1] = node, state[node, 1]
        length += 1
        node = np.int64(parent[node])
    return length
