"""The flood for whole costs: what everything within a limit costs, from some sources, without aim.

It is Dijkstra's algorithm in Dial's buckets. A bucket is worked off in rounds: what comes into it
meanwhile waits for the next one, so that a processor can look at several nodes at once. For the
same reason nothing branches on whether a step leads to something cheaper, which can hardly be
foreseen: every step writes, one that is of no use into what nobody reads.

Order, which makes every answer definite: the lowest cost first; inside a round the node that came
in last; a node keeps the first parent that gave it its lowest cost; steps are tried in the order of
the slots, then links in the order they were given. What is known of a node stands in one word; see
`whole`.

References
----------
Dial (1969), "Algorithm 360: Shortest-path forest with topological ordering",
https://doi.org/10.1145/363269.363610
"""

import numpy as np

from ai.search.astar_int import COST_BITS
from ai.search.jit import Array, Number, compiled, u64
from ai.search.search_state import EXHAUSTED, N_EXPANDED, N_SETTLED, POOL_FULL

_N_BUCKETS = 256  # more than any step costs
_NOWHERE = _N_BUCKETS  # the bucket of what is of no use


@compiled
def dijkstra_int(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    link_first: Array,
    link_target: Array,
    link_cost: Array,
    sources: Array,
    source_costs: Array,
    limit: Number,
    node_bits: Number,
    generation: Number,
    state: Array,
    settled: Array,
    pool: Array,
    register: Array,
) -> int:
    """Settle everything that costs at most `limit`.

    What the arguments mean stands with those who own them: `Graph` and `IntWorkspace`. Sources are
    in the order of their costs. A graph without links and with one class of nodes has None for all
    four of them, and is flooded by code that knows nothing of them.

    Returns
    -------
    int
        EXHAUSTED or POOL_FULL.
    """
    n_slots = step_cost.shape[1]
    shift = u64(node_bits + 1)
    one = u64(1) << u64(node_bits)  # the bit that says open; below it is the parent
    parents = one - u64(1)
    base = u64(generation) << (shift + u64(COST_BITS))
    ring = np.full(_N_BUCKETS + 1, np.int32(-1))
    bucket = live = top = count = due = kind = np.int64(0)
    while True:
        if live == 0:
            if due == len(sources):
                break
            bucket = np.int64(source_costs[due])
        if bucket > limit:
            break
        while due < len(sources) and source_costs[due] <= bucket:
            if top == len(pool):
                return POOL_FULL
            source = u64(sources[due])
            word = base + (u64(bucket) << shift) + one + source
            if u64(state[source]) > word:
                slot = u64(bucket) & u64(_N_BUCKETS - 1)
                state[source] = np.int64(word)
                pool[u64(top), 0], pool[u64(top), 1] = source, ring[slot]
                ring[slot] = top
                top += 1
                live += 1
            due += 1
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
            if node_class is not None and len(link_first) > 0:
                n_edges += link_first[node + 1] - link_first[node]
            if top + n_edges > len(pool):
                return POOL_FULL
            state[u64(node)] = np.int64(key - one)
            settled[u64(count)] = node
            count += 1
            if node_class is not None and len(node_class) > 0:
                kind = np.int64(node_class[node])
            key |= parents
            for edge in range(n_edges):
                if node_class is None or edge < n_slots:
                    step = u64(step_cost[u64(node), u64(edge)])
                    # An illegal step leads back to its own node, which is cheaper.
                    there = node + (offset[u64(kind), u64(edge)] if step < u64(illegal) else 0)
                else:
                    link = link_first[node] + edge - n_slots
                    step, there = u64(link_cost[link]), np.int64(link_target[link])
                # The choices are written so that compilers make no branches of them.
                there_key = key + (step << shift)
                known = u64(state[u64(there)])
                is_better = known > there_key
                state[u64(there)] = (
                    np.int64(there_key - parents + u64(node)) if is_better else np.int64(known)
                )
                cost = (there_key - base) >> shift
                slot = cost & u64(_N_BUCKETS - 1) if is_better else u64(_NOWHERE)
                pool[u64(top), 0] = there
                pool[u64(top), 1] = ring[slot]
                ring[slot] = top
                top += np.int64(is_better)
                live += np.int64(is_better)
    register[N_SETTLED] = register[N_EXPANDED] = count
    return EXHAUSTED
