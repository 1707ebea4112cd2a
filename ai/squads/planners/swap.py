"""With whom a unit has to trade places in a passage, where one of them must back off.

References
----------
Okumura (2023), "Improving LaCAM for scalable eventually optimal multi-agent pathfinding",
https://doi.org/10.24963/ijcai.2023/28
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Array, Number, compiled
from ai.squads.steps import Ints, Steps

_LONGEST = 1 << 16  # nodes along a passage that are looked at


class Squad(NamedTuple):
    """Who is on the way: rows of `Steps`, and what ways cost.

    Parameters
    ----------
    start, goal : (n_units,) int64
        Nodes.
    profile_of : (n_units,) int64
    field_of : (n_units,) int64
        Rows of `fields`.
    fields : (n_fields, n_nodes) float64
        What it costs from each node to a goal with nobody in the way.
    """

    start: Ints
    goal: Ints
    profile_of: Ints
    field_of: Ints
    fields: NDArray[np.float64]


@compiled
def _ways_on(
    node: Number, comes_from: Number, before: Array, squad: Squad, steps: Steps, profile: Number
) -> Number:
    """Count the ways on from a node in a passage, and give one of them."""
    first, target, goal = steps.first, steps.target, squad.goal
    count, way = 0, -1
    for step in range(first[profile, node], first[profile, node + 1]):
        end = target[step]
        if end == comes_from:
            continue
        holder = before[end]
        is_dead_end = first[profile, end + 1] - first[profile, end] <= 1
        if is_dead_end and holder >= 0 and goal[holder] == end:
            continue
        count, way = count + 1, end
    return count, way


@compiled
def _must_trade(
    pusher: Number,
    puller: Number,
    pusher_node: Number,
    puller_node: Number,
    before: Array,
    squad: Squad,
    steps: Steps,
    profile: Number,
) -> Number:
    """Tell whether of two units that face each other none can go on by another way."""
    pushed = squad.fields[squad.field_of[pusher]]
    pulled = squad.fields[squad.field_of[puller]]
    for _ in range(_LONGEST):
        if not pushed[puller_node] < pushed[pusher_node]:
            break
        count, way = _ways_on(puller_node, pusher_node, before, squad, steps, profile)
        if count >= 2:
            return False
        if count == 0:
            break
        pusher_node, puller_node = puller_node, way
    return pulled[pusher_node] < pulled[puller_node] and (
        pushed[pusher_node] == 0 or pushed[puller_node] < pushed[pusher_node]
    )


@compiled
def _can_trade(
    pusher_node: Number,
    puller_node: Number,
    before: Array,
    squad: Squad,
    steps: Steps,
    profile: Number,
) -> Number:
    """Tell whether the passage branches behind the one that backs off."""
    origin = pusher_node
    for _ in range(_LONGEST):
        if puller_node == origin:
            return False
        count, way = _ways_on(puller_node, pusher_node, before, squad, steps, profile)
        if count != 1:
            return count >= 2
        pusher_node, puller_node = puller_node, way
    return False


@compiled
def partner_of(
    unit: Number,
    best: Number,
    now: Array,
    after: Array,
    before: Array,
    squad: Squad,
    steps: Steps,
) -> Number:
    """Find with whom a unit has to trade places, and can, by backing off; -1 if with nobody.

    Parameters
    ----------
    unit : int
    best : int
        The node it would like to go to.
    now, after : (n_units,) int64
        Where everybody is and goes to; -1 for who has not chosen yet.
    before : (n_nodes,) int64
        Who is on each node.
    """
    here, profile = now[unit], squad.profile_of[unit]
    if best == here:
        return -1
    other = before[best]
    if (
        other >= 0
        and after[other] < 0
        and _must_trade(unit, other, here, best, before, squad, steps, profile)
        and _can_trade(best, here, before, squad, steps, profile)
    ):
        return other
    for step in range(steps.first[profile, here], steps.first[profile, here + 1]):
        other = before[steps.target[step]]
        if (
            other >= 0
            and steps.target[step] != best
            and _must_trade(other, unit, here, best, before, squad, steps, profile)
            and _can_trade(best, here, before, squad, steps, profile)
        ):
            return other
    return -1
