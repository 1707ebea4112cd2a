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
from ai.search.compiled import Array, Number, at, compiled
from ai.search.result import EXHAUSTED, N_EXPANDED, N_SETTLED, POOL_FULL

_N_BUCKETS = 256  # more than any step costs
_NOWHERE = _N_BUCKETS  # the bucket of what is of no use


@compiled
def flood(  # noqa: C901 - one loop: a call in it costs more than the loop itself
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
    era: Number,
    state: Array,
    settled: Array,
    pool: Array,
    register: Array,
) -> int:
    """Settle everything that costs at most `limit`.

    What the arguments mean stands with those who own them: `Graph` and `WholeScratch`. Sources are
    in the order of their costs. A graph without links and with one class of nodes has None for all
    four of them, and is flooded by code that knows nothing of them.

    Returns
    -------
    int
        EXHAUSTED or POOL_FULL.
    """
    n_slots = step_cost.shape[1]
    shift = at(node_bits + 1)
    one = at(1) << at(node_bits)  # the bit that says open; below it is the parent
    parents = one - at(1)
    base = at(era) << (shift + at(COST_BITS))
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
            source = at(sources[due])
            word = base + (at(bucket) << shift) + one + source
            if at(state[source]) > word:
                slot = at(bucket) & at(_N_BUCKETS - 1)
                state[source] = np.int64(word)
                pool[at(top), 0], pool[at(top), 1] = source, ring[slot]
                ring[slot] = top
                top += 1
                live += 1
            due += 1
        slot = at(bucket) & at(_N_BUCKETS - 1)
        entry = np.int64(ring[slot])
        ring[slot] = -1
        if entry < 0:
            bucket += 1
        while entry >= 0:
            node = np.int64(pool[at(entry), 0])
            entry = np.int64(pool[at(entry), 1])
            live -= 1
            key = at(state[at(node)])
            if not key & one:  # closed since, at a lower cost
                continue
            n_edges = np.int64(n_slots)
            if node_class is not None and len(link_first) > 0:
                n_edges += link_first[node + 1] - link_first[node]
            if top + n_edges > len(pool):
                return POOL_FULL
            state[at(node)] = np.int64(key - one)
            settled[at(count)] = node
            count += 1
            if node_class is not None and len(node_class) > 0:
                kind = np.int64(node_class[node])
            key |= parents
            for edge in range(n_edges):
                if node_class is None or edge < n_slots:
                    step = at(step_cost[at(node), at(edge)])
                    # An illegal step leads back to its own node, which is cheaper.
                    there = node + (offset[at(kind), at(edge)] if step < at(illegal) else 0)
                else:
                    link = link_first[node] + edge - n_slots
                    step, there = at(link_cost[link]), np.int64(link_target[link])
                # The choices are written so that compilers make no branches of them.
                there_key = key + (step << shift)
                known = at(state[at(there)])
                is_better = known > there_key
                state[at(there)] = (
                    np.int64(there_key - parents + at(node)) if is_better else np.int64(known)
                )
                cost = (there_key - base) >> shift
                slot = cost & at(_N_BUCKETS - 1) if is_better else at(_NOWHERE)
                pool[at(top), 0] = there
                pool[at(top), 1] = ring[slot]
                ring[slot] = top
                top += np.int64(is_better)
                live += np.int64(is_better)
    register[N_SETTLED] = register[N_EXPANDED] = count
    return EXHAUSTED
