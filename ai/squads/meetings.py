"""Where ways of units meet that were worked out one by one."""

import numpy as np

from ai.search.compiled import Array, Number, compiled
from ai.squads.steps import Steps, step_between


@compiled
def _at_places(now: Array, tick: Number, before: Array, told: Array) -> Number:
    """Count who are on one node, and note who is on each."""
    count = 0
    for unit in range(len(now)):
        other = before[now[unit]]
        if other >= 0:
            count += 1
            if told[0, 0] < 0:
                told[0] = other, tick, now[unit], -1
                told[1] = unit, tick, now[unit], -1
        before[now[unit]] = unit
    return count


@compiled
def _in_steps(
    unit: Number,
    now: Array,
    then: Array,
    tick: Number,
    profile_of: Array,
    steps: Steps,
    before: Array,
    after: Array,
    told: Array,
) -> Number:
    """Count with whom a unit trades places, and whom it brushes."""
    step = step_between(steps, profile_of[unit], now[unit], then[unit])
    count, other = 0, before[then[unit]]
    if other > unit and then[other] == now[unit]:
        count += 1
        if told[0, 0] < 0:
            back = step_between(steps, profile_of[other], now[other], then[other])
            told[0] = unit, tick, -1, step
            told[1] = other, tick, -1, back
    for entry in range(steps.brush_first[step], steps.brush_first[step + 1]):
        near = steps.brush[entry]
        for late in range(2):
            other = after[near] if late else before[near]
            if other >= 0:
                count += 1
                if told[0, 0] < 0:
                    told[0] = unit, tick, -1, step
                    told[1] = other, tick + late, near, -1
    return count


@compiled
def meetings(nodes: Array, profile_of: Array, steps: Steps, before: Array, after: Array) -> Number:
    """Count where units meet, and tell the first time.

    Parameters
    ----------
    nodes : (n_ticks + 1, n_units) int64
        Where everybody is.
    profile_of : (n_units,) int64
    steps : Steps
    before, after : (n_nodes,) int64
        Room to work in, filled with -1 and left so.

    Returns
    -------
    (int, (2, 4) int64)
        How many; and twice a unit, a tick, a node and a step: the first or the second of the units
        must not be on the node at the tick, or, if the node is -1, not begin the step at it.
    """
    count, told = 0, np.full((2, 4), np.int64(-1))
    n_ticks, n_units = nodes.shape
    for tick in range(n_ticks):
        now = nodes[tick]
        then = nodes[min(tick + 1, n_ticks - 1)]
        count += _at_places(now, tick, before, told)
        for unit in range(n_units):
            after[then[unit]] = unit
        for unit in range(n_units):
            if now[unit] != then[unit]:
                count += _in_steps(unit, now, then, tick, profile_of, steps, before, after, told)
        for unit in range(n_units):
            before[now[unit]] = after[then[unit]] = -1
    return count, told
