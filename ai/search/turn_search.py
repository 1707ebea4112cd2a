"""Cheapest paths over turns: as few turns as possible, then the least cost.

A turn has a budget, and what is left of it at the end of the turn is lost. So a dear way to a node
may be the better one, if less of the last turn is spent there. The search keeps a label for each
way to a node that no other one replaces: by its turn, its cost so far and what it has spent of its
turn. Turn by turn, the label with the lowest cost comes first, then the one that has spent least.

References
----------
Martins (1984), "On a multicriteria shortest path problem",
https://doi.org/10.1016/0377-2217(84)90077-8
"""

from heapq import heappop, heappush

import numpy as np

from ai.compilation.jit import Array, Number, compiled, helper
from ai.search.astar import doubled
from ai.search.graph import EdgeArrays, edge_out, n_out

STOP, HALTING, BLOCKED = 1, 2, 4
"""Marks of nodes: a turn may end there; a tile where a mover that enters it halts; not entered."""

NODE, PARENT, TURN, _NEXT, _ORIGIN, _KEEPS, STATE = range(7)
"""Columns of labels: node, label before it, turn from 0, next label of the node, node where the
turn began, whether that decides where it halts, and its state."""

_OPEN, _HALTED, REPLACED = range(3)

NOWHERE = -1
"""A goal: find all labels."""

_SLACK = 1 + 1e-12  # so that three steps of 0.1 fit a budget of 0.3


@helper
def _covers_halting(
    node: Number, origin: Number, marks: Array, size: Number, cols: Number
) -> Number:
    """Return whether a mover on a node covers a halting tile that it did not at its origin."""
    for tile in range(size * size):
        down, right = tile // size, tile % size
        if marks[node + down * cols + right] & HALTING == 0:
            continue
        down += node // cols - origin // cols
        right += node % cols - origin % cols
        if not (origin >= 0 and 0 <= down < size and 0 <= right < size):
            return True
    return False


@compiled
def search_turns(  # noqa: C901 - one loop over labels
    edges: EdgeArrays,
    marks: Array,
    shape: Array,
    source: Number,
    goal: Number,
    budgets: Array,
    may_overdraw: Number,
) -> tuple[Array, Array, int]:
    """Return labels, their costs and what they spent, and the best label of the goal; -1: none.

    Parameters
    ----------
    edges : EdgeArrays
    marks : (n_nodes,) uint8
    shape : (2,) int64
        Columns of the map, and the tiles that the mover is wide.
    source, goal : int
    budgets : (2,) float64
        Of the first turn and of each later one; negative: there is no later one.
    may_overdraw : bool
        Whether a step may cost more than what is left, if anything is left.
    """
    cols, size = shape[0], shape[1]
    first_label: Array = np.full(len(marks), np.int64(-1))
    seed_cost = np.full(len(marks), np.inf)
    labels, values = np.empty((1024, 7), np.int64), np.empty((1024, 2))
    labels[0] = source, -1, 0, -1, source, 0, _OPEN
    labels[0, _KEEPS] = size > 1 and _covers_halting(source, -1, marks, size, cols)
    values[0] = 0.0, 0.0
    first_label[source] = 0
    count, turn, budget = 1, 0, budgets[0]
    heap = [(0.0, 0.0, 0)]
    seeds = [(0.0, 0)]
    seeds.clear()
    while True:
        if len(heap) == 0:
            if len(seeds) == 0 or budgets[1] < 0:
                return labels[:count], values[:count], -1
            turn, budget = turn + 1, budgets[1]
            for cost, label in seeds:
                if count == len(labels):
                    labels, values = doubled(labels), doubled(values)
                node = labels[label, NODE]
                labels[count] = node, label, turn, first_label[node], node, 0, _OPEN
                labels[count, _KEEPS] = size > 1 and _covers_halting(node, -1, marks, size, cols)
                values[count] = cost, 0.0
                first_label[node] = count
                heappush(heap, (cost, 0.0, count))
                count += 1
            seeds.clear()
        cost, spent, label = heappop(heap)
        node, state = labels[label, NODE], labels[label, STATE]
        if state == REPLACED:
            continue
        if node == goal:
            return labels[:count], values[:count], label
        if (marks[node] & STOP or node == source) and cost < seed_cost[node]:
            seed_cost[node] = cost
            seeds.append((cost, label))
        if state == _HALTED:
            continue
        origin, keeps = labels[label, _ORIGIN], labels[label, _KEEPS]
        for edge in range(n_out(node, edges)):
            end, step = edge_out(node, edge, edges)
            if end < 0 or marks[end] & BLOCKED:
                continue
            end_cost, end_spent = cost + step, spent + step
            if end_spent > budget * _SLACK:
                if not (may_overdraw and spent * _SLACK < budget):
                    continue
                end_spent = budget
            state = _HALTED if _covers_halting(end, origin, marks, size, cols) else _OPEN
            # A label that another one replaces is not made; those that it replaces are dropped.
            known, before, is_needed = first_label[end], np.int64(-1), True
            while known >= 0:
                known_cost, known_spent = values[known, 0], values[known, 1]
                has_same_origin = labels[known, _KEEPS] == keeps and (
                    keeps == 0 or labels[known, _ORIGIN] == origin
                )
                if labels[known, TURN] < turn:
                    can_wait = marks[end] & STOP or end == source
                    is_better = keeps == 0 and can_wait and known_cost <= end_cost
                else:
                    is_better = (keeps == 0 or has_same_origin) and (
                        known_cost <= end_cost
                        and known_spent <= end_spent
                        and labels[known, STATE] <= state
                    )
                if is_better:
                    is_equal = labels[known, TURN] == turn and (
                        known_cost == end_cost and known_spent == end_spent and has_same_origin
                    )
                    # As in other searches the highest parent counts; a seed keeps its own.
                    parent = labels[known, PARENT]
                    is_late = is_equal and step > 0 and labels[parent, TURN] == turn
                    if is_late and node > labels[parent, NODE]:
                        labels[known, PARENT], labels[known, _ORIGIN] = label, origin
                    is_needed = False
                    break
                after = labels[known, _NEXT]
                is_worse = labels[known, TURN] == turn and state <= labels[known, STATE]
                is_worse = is_worse and (labels[known, _KEEPS] == 0 or has_same_origin)
                if is_worse and end_cost <= known_cost and end_spent <= known_spent:
                    labels[known, STATE] = REPLACED
                    if before < 0:
                        first_label[end] = after
                    else:
                        labels[before, _NEXT] = after
                else:
                    before = known
                known = after
            if not is_needed:
                continue
            if count == len(labels):
                labels, values = doubled(labels), doubled(values)
            labels[count] = end, label, turn, first_label[end], origin, keeps, state
            values[count] = end_cost, end_spent
            first_label[end] = count
            heappush(heap, (end_cost, end_spent, count))
            count += 1
