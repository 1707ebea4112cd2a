"""The choice among paths of equal cost: the same path, whatever search found the costs.

Among the last steps of all cheapest paths to a node, steps across an edge come first, then diagonal
steps, then links and warps, the most expensive first. Ties go to the step from the highest-numbered
node. The path is read back from the goal. It depends on the costs from the start alone, not on
heuristic, index or order of a search.

Steps that add nothing to the cost could lead in circles. A node that a cheapest path enters by a
step that costs something is entered by such a step. From these nodes steps that cost nothing lead
on, as few as possible, and of those that are as few steps away one is chosen as above.
"""

import numpy as np

from ai.compilation.jit import Array, Number, embedded, helper, u64
from ai.search.graph import EdgeArrays, edge_into, edge_out, n_into, n_out
from ai.search.grid_index import cell_of, striped_index
from ai.search.heuristics import bound_between, place_of
from ai.search.search_state import N_SETTLED, NO_NODE, SETTLED_PARENTS

COST_BITS = 31
MAX_COST = 2**31 - 2**16
"""The highest cost of a path of whole costs."""
_NEVER = 1 << 62
_LINK_GROUP = 2
"""Links and warps come after the groups of `Graph.slot_group`."""


@helper
def code_at(node_bits: Number, generation: Number) -> Number:
    """Return the code of a search of whole costs: the base, shift and open bit of its words.

    Below the open bit, of `node_bits` bits, is the inverted parent; the cost is `(word - base) >>
    shift`. A fourth number is the mark of closed nodes of any costs.
    """
    shift = np.int64(node_bits) + 1
    base = np.int64(generation) << (shift + COST_BITS)
    return base, shift, np.int64(1) << np.int64(node_bits), 0


@embedded
def _may_cost(
    node: Number,
    cost: Number,
    left: Number,
    first: Number,
    aim: Number,
    place: Array,
    striped: Array,
) -> bool:
    """Return whether a node may have a true cost, if the heuristic has to be what is left.

    `first` has the place, the cost and the entry in the table of the only source.
    """
    _, end, width, level, weights, rows = aim
    start, first_cost, entry_of_first = first
    spot = place_of(node, width, place, level)
    bound = bound_between(spot, end, place, weights)
    if bound > left or first_cost + bound_between(start, spot, place, weights) > cost:
        return False
    if striped is not None and len(striped) > 0:
        here = u64(striped_index(node, width, rows[8]))
        for row, entry in rows[:8]:
            known = np.int64(striped[u64(row), here])
            if entry - known > left:
                return False
            if first_cost >= 0 and known - np.int64(striped[u64(row), entry_of_first]) > cost:
                return False
            bound = max(bound, entry - known)
    return bool(bound == left)


@helper
def walk_back_int(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    edges: EdgeArrays,
    place: Array,
    striped: Array,
    aim: Number,
    question: Number,
    arrays: Number,
    code: Number,
    trail: Array,
) -> Number:
    """Write the nodes and costs of the path back from the goal into `trail`.

    All nodes of a lower priority than the goal's are closed, at their true costs. Another node
    before one of the path would have the goal's priority, so that the heuristic fixes what its cost
    would be. It counts as closed at that cost if a search back from it, over other such nodes,
    finds a closed or open node at the needed cost. Each is looked at once; one that fails is
    blocked. At the end these nodes get back their former words. `question` and `arrays` are those
    of `astar.search`.

    Returns
    -------
    int
        The length of the path; 0 if a step costs nothing, unless all nodes of the goal's priority
        are closed.
    """
    sources, source_costs, goal, _, _, _, choice = question
    state, marked, words, is_settled = arrays[0], arrays[2], arrays[6], choice == SETTLED_PARENTS
    step_cost, steps_back, node_class = edges.step_cost, edges.steps_back, edges.node_class
    back_first, back_source, back_cost = edges.back_first, edges.back_source, edges.back_cost
    illegal = edges.illegal[0]
    is_guided, _, width, level, _, rows = aim
    base, shift, one, _ = code
    n_nodes = len(state)
    low_bits = one - 1
    total = (state[goal] - base) >> shift
    node, cost, next_edge = np.int64(goal), total, np.int64(0)
    depth, n_marked, is_stuck = 0, 0, False
    n_sure = 1  # entries of the trail that are on the path for certain
    trail[0, 0], trail[0, 1] = node, cost
    # Bounds from several sources would cost more than they save.
    is_single, entry_of_first = len(sources) == 1, u64(0)
    if striped is not None and len(striped) > 0:
        entry_of_first = u64(striped_index(np.int64(sources[0]), width, rows[8]))
    start = place_of(np.int64(sources[0]), width, place, level)
    first = start, np.int64(source_costs[0] if is_single else -_NEVER), entry_of_first
    while True:
        word = state[u64(node)] - base
        if word >> shift == cost and word & low_bits == low_bits - node:
            depth += 1
            break
        best, best_cost, is_sure = np.int64(-1), np.int64(0), False
        n_edges = np.int64(len(steps_back))
        if place is not None and len(back_first) > 0:
            n_edges += back_first[node + 1] - back_first[node]
        for edge in range(next_edge, n_edges):
            if place is None or edge < len(steps_back):
                there = node - steps_back[u64(edge), 0]
                if not 0 <= there < n_nodes:
                    continue
                own_part = steps_back[u64(edge), 2]
                if place is not None and len(node_class) > 0 and node_class[there] != own_part:
                    continue
                step = np.int64(step_cost[u64(there), u64(steps_back[u64(edge), 1])])
                if step >= np.int64(illegal):
                    continue
            else:
                link = back_first[node] + edge - len(steps_back)
                there, step = np.int64(back_source[link]), np.int64(back_cost[link])
            if step == 0:
                is_stuck = is_stuck or not is_settled
                continue
            there_cost = cost - step
            word = state[u64(there)] - base
            known = word >> shift  # -1 if blocked
            is_open = known > MAX_COST or word & one
            if there_cost < 0:
                continue
            if known != there_cost:
                if is_settled or not is_open or known < 0:
                    continue
                left = total - there_cost
                if is_guided:
                    if not _may_cost(there, there_cost, left, first, aim, place, striped):
                        continue
                elif left != 0:
                    continue
            best, best_cost, is_sure = there, there_cost, known == there_cost
            next_edge = np.int64(edge + 1)
            break
        if is_stuck:
            depth = 0
            break
        if best >= 0:
            if not is_sure:
                marked[n_marked, 0], words[n_marked] = best, state[u64(best)]
                n_marked += 1
                state[u64(best)] = base + (best_cost << shift) + low_bits - node
            trail[depth, 2] = next_edge  # to try if this one fails
            depth += 1
            if is_sure:
                n_sure = depth + 1
            node, cost, next_edge = best, best_cost, np.int64(0)
            trail[depth, 0], trail[depth, 1] = node, cost
        elif depth + 1 == n_sure:
            depth = 0
            break
        else:
            state[u64(node)] = base - 1
            depth -= 1
            node, cost = np.int64(trail[depth, 0]), np.int64(trail[depth, 1])
            next_edge = np.int64(trail[depth, 2])
    for i in range(n_marked):
        state[marked[i, 0]] = words[i]
    return depth


@helper
def walk_back_float(
    edges: EdgeArrays, goal: Number, state: Array, parent: Array, closed: Number, trail: Array
) -> int:
    """Write the nodes and costs of the path back from the goal into `trail`; return its length.

    All nodes on paths of the same cost are closed, with the mark `closed`. The length is 0 if no
    step onto one of them adds to the cost.
    """
    depth, node, cost = 0, np.int64(goal), state[goal, 1]
    while True:
        trail[depth, 0], trail[depth, 1] = node, cost
        depth += 1
        if parent[node] == NO_NODE:
            return depth
        best = np.int64(-1)
        for edge in range(n_into(node, edges)):
            there, step = edge_into(node, edge, edges)
            if there < 0:
                continue
            known = state[there, 1] if state[there, 0] == closed else -1.0
            if 0 <= known < cost and known + step == cost:
                best = there
                break
        if best < 0:
            return 0
        node, cost = best, state[best, 1]


@helper
def _closed_cost(state: Array, node: Number, code: Number) -> float:
    """Return the cost of a node; -1 if it is not closed."""
    base, shift, one, closed = code
    if state.ndim == 1:
        word = state[node] - base
        known = word >> shift
        return np.float64(known if 0 <= known <= MAX_COST and not word & one else -1)
    return state[node, 1] if state[node, 0] == closed else -1.0


@helper
def choose_parents(  # noqa: C901 - two passes over the same edges
    edges: EdgeArrays, question: Number, arrays: Number, code: Number, queue: Array
) -> None:
    """Write the parent of every closed node by the rule into column 3 of `queue`.

    All nodes that a cheapest path to one of them passes are closed. `queue` is a buffer with a row
    for each node. The columns are a queue of nodes, the group and cost of the step to the node, its
    parent (a source is its own, -1 is none), and how many free steps lead to it.
    """
    sources, source_costs, state, settled = question[0], question[1], arrays[0], arrays[1]
    count = arrays[4][N_SETTLED]
    none, n_slots, steps_back = np.int64(-1), edges.step_cost.shape[1], edges.steps_back
    group_of = np.zeros(n_slots, dtype=np.int64)
    for i in range(len(steps_back)):
        group_of[steps_back[i, 1]] = steps_back[i, 3]
    for i in range(count):
        queue[settled[i], 3], queue[settled[i], 4] = none, -1
    for i in range(len(sources)):
        if _closed_cost(state, sources[i], code) == source_costs[i]:
            queue[sources[i], 3], queue[sources[i], 4] = sources[i], 0
    tail = np.int64(0)
    for is_free in (False, True):
        if is_free:
            for i in range(count):
                if queue[settled[i], 4] == 0:
                    queue[tail, 0] = settled[i]
                    tail += 1
            if tail == count:
                break
        head = np.int64(0)
        while head < (tail if is_free else count):
            node = np.int64(queue[head, 0] if is_free else settled[head])
            head += 1
            cost = _closed_cost(state, node, code)
            if cost < 0:
                continue
            layer = queue[node, 4]
            for edge in range(n_out(node, edges)):
                there, step = edge_out(node, edge, edges)
                if there < 0:
                    continue
                group = group_of[edge] if edge < n_slots else np.int64(_LINK_GROUP)
                there_cost = _closed_cost(state, there, code)
                if there_cost < 0 or cost + step != there_cost or is_free != (cost == there_cost):
                    continue
                known = queue[there, 4]
                if known < 0:
                    queue[there, 4] = layer + 1 if is_free else 0
                    if is_free:
                        queue[tail, 0] = there
                        tail += 1
                elif known != (layer + 1 if is_free else 0) or queue[there, 3] == there:
                    continue
                elif group != queue[there, 1]:
                    if group > queue[there, 1]:
                        continue
                elif group == _LINK_GROUP and step != queue[there, 2]:
                    if step < queue[there, 2]:
                        continue
                elif node < queue[there, 3]:
                    continue
                queue[there, 3], queue[there, 1], queue[there, 2] = node, group, step


@helper
def keep_parents(
    queue: Array, state: Array, parent: Array, code: Number, settled: Array, count: Number
) -> None:
    """Store what `choose_parents` found: in the words of whole costs, else in `parent`."""
    for i in range(count):
        node = np.int64(settled[i])
        before = np.int64(queue[node, 3])
        if before >= 0:
            if state.ndim == 1:
                low_bits = code[2] - 1
                state[node] += low_bits - before - (state[node] & low_bits)
            else:
                parent[node] = NO_NODE if before == node else before


@helper
def chosen_path(queue: Array, state: Array, code: Number, goal: Number, nodes: Array) -> int:
    """Write the nodes and costs back from the goal into `queue`; return how many.

    `choose_parents` found them; `nodes` is a buffer.
    """
    node, length = np.int64(goal), 0
    while True:
        nodes[length, 0] = node
        length += 1
        before = np.int64(queue[node, 3])
        if before == node:
            break
        node = before
    for i in range(length):
        node = np.int64(nodes[i, 0])
        queue[i, 0], queue[i, 1] = node, _closed_cost(state, node, code)
    return length


@helper
def prefer_first_group(
    edges: EdgeArrays, state: Array, parent: Array, closed: Number, settled: Array, count: Number
) -> None:
    """Enter closed nodes by a step of group 0 where a cheapest path has one.

    The parents are the highest-numbered ones, no step is free, and there are no links. `closed` is
    the mark of closed nodes.
    """
    n_first = np.count_nonzero(edges.steps_back[:, 3] == 0)
    for i in range(count):
        node = np.int64(settled[i])
        if parent[node] == NO_NODE:
            continue
        for edge in range(n_first):
            there, step = edge_into(node, edge, edges)
            is_cheapest = there >= 0 and state[there, 1] + step == state[node, 1]
            if is_cheapest and state[there, 0] == closed:
                parent[node] = there
                break


@helper
def write_path(
    record: Array, length: Number, width: Number, n_cells: Number, level: Array, is_backward: bool
) -> None:
    """Turn the nodes and costs back from the goal into rows of a path from the start, in place.

    With `is_backward` the search ran from the goal, so that its order stays.
    """
    total = record[0, 1]
    if not is_backward:
        for i in range(length // 2):
            last = length - 1 - i
            for column in range(2):
                other = record[last, column]
                record[last, column], record[i, column] = record[i, column], other
    for i in range(length):
        node, cost = np.int64(record[i, 0]), record[i, 1]
        row, col, deck = cell_of(node, width, n_cells, len(level))
        record[i, 0], record[i, 1], record[i, 2] = row, col, deck
        record[i, 3], record[i, 4] = total - cost if is_backward else cost, level[node]
