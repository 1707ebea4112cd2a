"""Dijkstra's algorithm for whole costs: the costs of all nodes within a limit, without a goal.

It uses Dial's buckets. A bucket is processed in rounds: what enters it meanwhile waits for the next
round, so that a processor can work on several nodes at once. For the same reason no branch depends
on whether a step reaches a lower cost, which is unpredictable: every step writes its entry, and a
useless one goes to a bucket that is never read.

The lowest cost comes first; inside a round, the last node that was added. Of the parents that give
a node its lowest cost, it keeps the highest, as `equal_paths` demands. On a graph with diagonals,
leaps, links or free steps that does not decide, and it corrects the parents at the end.
`astar_int` describes the word of a node.

References
----------
Dial (1969), "Algorithm 360: Shortest-path forest with topological ordering",
https://doi.org/10.1145/363269.363610
"""

import numpy as np

from ai.compilation.jit import Array, Number, compiled, u64
from ai.search.astar_int import workspace_at
from ai.search.equal_paths import COST_BITS, choose_parents, keep_parents
from ai.search.graph import edges_at
from ai.search.search_state import EXHAUSTED, N_EXPANDED, N_SETTLED, POOL_FULL

_N_BUCKETS = 256  # more than any step costs
_NOWHERE = _N_BUCKETS  # the bucket of useless entries


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

    The arguments are those of `search_int`. Sources are sorted by their costs. For a graph without
    links and with one class of nodes `place` is None: numba then compiles a faster search.
    """
    edges = edges_at(graph, np.uint8)
    step_cost, illegal, offset = edges.step_cost, edges.illegal[0], edges.offset
    node_class, link_first = edges.node_class, edges.link_first
    link_target, link_cost, steps_back = edges.link_target, edges.link_cost, edges.steps_back
    state, settled, pool, _, _, register, queue, _, node_bits = workspace_at(work)
    n_slots = step_cost.shape[1]
    shift = u64(node_bits + 1)
    one = u64(1) << u64(node_bits)  # the open bit; below it is the inverted parent
    parents = one - u64(1)
    base = u64(generation) << (shift + u64(COST_BITS))
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
    code = np.int64(base), np.int64(shift), np.int64(one), 0
    if n_free > 0 or has_links:
        choose_parents(edges, sources, source_costs, state, code, settled, count, queue)
        keep_parents(queue, state, None, code, settled, count)
    elif has_groups:
        for i in range(count):
            word = u64(state[u64(settled[i])])
            low_bits = word & parents
            state[u64(settled[i])] = np.int64(word + (u64(0) if low_bits & half else half))
    return EXHAUSTED
