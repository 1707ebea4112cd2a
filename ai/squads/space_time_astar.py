"""A cheapest way for one unit in time: A* over places and ticks, around what is barred when.

Every tick the unit takes a step, which costs what it costs, or waits, which costs 1 until it is on
its goal for good. Of ways that cost the same, the one that meets the fewest others is taken, then
the one that is nearest to its end. After the last tick at which anything is barred, time makes no
difference any more, so that there are finitely many states and the search ends even without a way.

References
----------
Silver (2005), "Cooperative pathfinding", https://doi.org/10.1609/aiide.v1i1.18726
"""

from typing import NamedTuple

import numpy as np

from ai.search.jit import Array, Number, compiled
from ai.squads.hash_set import EMPTY, slot_of, table_size
from ai.squads.heap import pop, push
from ai.squads.steps import STAY, Ints, Steps

FOUND, NO_WAY, GAVE_UP = range(3)
NEVER = 1 << 40
"""A tick that does not come."""


class Barred(NamedTuple):
    """What must not be met, or whom to meet as seldom as possible.

    Parameters
    ----------
    table : table of int64
        For each tick, of which the `width` numbers from tick * width on are, it holds `node` if the
        node is barred then; n_nodes + node if somebody is there, whom no step may brush;
        2 * n_nodes + step if the step must not begin then. The width is 2 * n_nodes + n_steps.
    parked : (n_nodes,) int64
        The tick from which on a node is barred for good.
    """

    table: Ints
    parked: Ints


@compiled
def _is_brushing(
    step: Number, tick: Number, width: Number, n_nodes: Number, steps: Steps, barred: Barred
) -> Number:
    """Tell whether somebody is, before or after a tick, where a step brushes."""
    for entry in range(steps.brush_first[step], steps.brush_first[step + 1]):
        near = steps.brush[entry]
        before = tick * width + n_nodes + near
        if (
            barred.parked[near] <= tick + 1
            or barred.table[slot_of(barred.table, before)] == before
            or barred.table[slot_of(barred.table, before + width)] == before + width
        ):
            return True
    return False


@compiled
def _grown(table: Array, size: Number) -> Array:
    """Give a larger table with the same rows first."""
    grown = np.empty((size, table.shape[1]), dtype=table.dtype)
    for row in range(len(table)):  # a slice would cost seconds to compile, for its error text
        for column in range(table.shape[1]):
            grown[row, column] = table[row, column]
    return grown


@compiled
def _rehashed(keys: Array, entries: Array, size: Number) -> Number:
    """Give larger tables of keys and what belongs to them."""
    more_keys = np.full(size, np.int64(EMPTY))
    more_entries = np.empty(size, dtype=np.int64)
    for place in range(len(keys)):
        if keys[place] != EMPTY:
            slot = slot_of(more_keys, keys[place])
            more_keys[slot], more_entries[slot] = keys[place], entries[place]
    return more_keys, more_entries


@compiled
def find_timed(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    steps: Steps,
    profile: Number,
    left: Array,
    start: Number,
    goal: Number,
    goal_from: Number,
    horizon: Number,
    barred: Barred,
    others: Barred,
    max_expansions: Number,
) -> Number:
    """Search for a way from tick 0 on.

    Parameters
    ----------
    steps : Steps
    profile : int
    left : (n_nodes,) float64
        What it costs from each node to the goal with nobody in the way.
    start, goal : int
        Nodes.
    goal_from : int
        The tick from which on the goal is free for good.
    horizon : int
        The last tick at which anything is barred that is not barred for good.
    barred, others : Barred
        What must not be met, and whom to meet as seldom as possible.
    max_expansions : int

    Returns
    -------
    (int, (n_ticks + 1,) int64, float, int)
        FOUND, NO_WAY or GAVE_UP; the nodes by tick up to the goal, what they cost; expansions.
    """
    first, target, cost, brush_first = steps.first, steps.target, steps.cost, steps.brush_first
    table, parked = barred
    their_table, their_parked = others
    n_nodes = len(left)
    width = 2 * n_nodes + len(target)
    room = 1024
    states = np.empty((room, 5), dtype=np.int64)  # node, tick, entry before, others met, done
    prices = np.empty((room, 1))
    heap = np.empty((2 * room, 4))
    keys = np.full(table_size(2 * room), np.int64(EMPTY))
    entries = np.empty(len(keys), dtype=np.int64)
    nothing = np.empty(0, dtype=np.int64)
    if not left[start] < np.inf or table[slot_of(table, start)] == start:
        return NO_WAY, nothing, np.inf, 0
    states[0] = 0
    states[0, 0], states[0, 2], prices[0, 0] = start, -1, 0.0
    place = slot_of(keys, start)
    keys[place], entries[place] = start, 0
    push(heap, 0, left[start], 0, 0.0, 0)
    size, count, n_expanded = 1, 1, 0
    while size > 0:
        entry = pop(heap, size)
        size -= 1
        if states[entry, 4]:
            continue
        states[entry, 4] = 1
        node, tick, paid = states[entry, 0], states[entry, 1], prices[entry, 0]
        if node == goal and tick >= goal_from:
            way = np.empty(tick + 1, dtype=np.int64)
            while entry >= 0:
                way[states[entry, 1]] = states[entry, 0]
                entry = states[entry, 2]
            return FOUND, way, paid, n_expanded
        if n_expanded >= max_expansions:
            return GAVE_UP, nothing, np.inf, n_expanded
        n_expanded += 1
        begin = first[profile, node]
        degree = first[profile, node + 1] - begin + 1
        if count + degree > room:
            room = 2 * room + degree
            states, prices = _grown(states, room), _grown(prices, room)
            keys, entries = _rehashed(keys, entries, table_size(2 * room))
        if size + degree > len(heap):
            heap = _grown(heap, 2 * len(heap) + degree)
        for number in range(begin - 1, begin + degree - 1):
            step = number if number >= begin else STAY
            if step == STAY and not (steps.can_wait[profile, node] or node == start):
                continue
            end = node if step == STAY else target[step]
            arrival = (tick + 1) * width + end
            begun = tick * width + 2 * n_nodes + step
            is_long = step != STAY and brush_first[step] < brush_first[step + 1]
            if not left[end] < np.inf or parked[end] <= tick + 1:
                continue
            if table[slot_of(table, arrival)] == arrival:
                continue
            if step != STAY and table[slot_of(table, begun)] == begun:
                continue
            if is_long and _is_brushing(step, tick, width, n_nodes, steps, barred):
                continue
            is_met = their_parked[end] <= tick + 1
            is_met |= their_table[slot_of(their_table, arrival)] == arrival
            if step != STAY and not is_met:
                is_met = their_table[slot_of(their_table, begun)] == begun
            if is_long and not is_met:
                is_met = _is_brushing(step, tick, width, n_nodes, steps, others)
            price = paid + (1.0 if step == STAY else cost[step])
            n_met = states[entry, 3] + np.int64(is_met)
            key = min(tick + 1, horizon + 1) * n_nodes + end
            place = slot_of(keys, key)
            if keys[place] == key:
                known = entries[place]
                if states[known, 4] or prices[known, 0] < price:
                    continue
                if prices[known, 0] == price and states[known, 3] <= n_met:
                    continue
                states[known, 4] = 1  # what the heap has of it is out of date
            keys[place], entries[place] = key, count
            states[count, 0], states[count, 1], states[count, 2] = end, tick + 1, entry
            states[count, 3], states[count, 4], prices[count, 0] = n_met, 0, price
            push(heap, size, price + left[end], n_met, price, count)
            size += 1
            count += 1
    return NO_WAY, nothing, np.inf, n_expanded
