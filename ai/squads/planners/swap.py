"""The swap operation of PIBT: two units exchange their order in a passage.

One of the two backs off to where the passage branches and pulls the other unit after it.

References
----------
Okumura (2023), "Improving LaCAM for scalable eventually optimal multi-agent pathfinding",
https://doi.org/10.24963/ijcai.2023/28
"""

from ai.compilation.jit import Array, Number, embedded
from ai.squads.planners.pibt_arrays import SquadArrays
from ai.squads.squad_graph import StepTable

_MAX_LENGTH = 1 << 16  # nodes of a passage that are examined


@embedded
def _exits(
    node: Number,
    previous: Number,
    occupied: Array,
    squad: SquadArrays,
    steps: StepTable,
    profile: Number,
) -> Number:
    """Return the number of exits of a node in a passage, and one of them.

    The node that the passage comes from does not count, nor do dead ends with a unit at its goal.
    """
    first, target, goal = steps.first, steps.target, squad.goal
    count, node_ahead = 0, -1
    for step in range(first[profile, node], first[profile, node + 1]):
        end = target[step]
        if end == previous:
            continue
        holder = occupied[end]
        is_dead_end = first[profile, end + 1] - first[profile, end] <= 1
        if is_dead_end and holder >= 0 and goal[holder] == end:
            continue
        count, node_ahead = count + 1, end
    return count, node_ahead


@embedded
def _is_swap_required(
    pusher: Number,
    puller: Number,
    pusher_node: Number,
    puller_node: Number,
    occupied: Array,
    squad: SquadArrays,
    steps: StepTable,
    profile: Number,
) -> Number:
    """Return whether two units that face each other cannot pass each other without a swap."""
    pusher_cost = squad.goal_costs[squad.row_of[pusher]]
    puller_cost = squad.goal_costs[squad.row_of[puller]]
    for _ in range(_MAX_LENGTH):
        if not pusher_cost[puller_node] < pusher_cost[pusher_node]:
            break
        count, node_ahead = _exits(puller_node, pusher_node, occupied, squad, steps, profile)
        if count >= 2:
            return False
        if count == 0:
            break
        pusher_node, puller_node = puller_node, node_ahead
    return puller_cost[pusher_node] < puller_cost[puller_node] and (
        pusher_cost[pusher_node] == 0 or pusher_cost[puller_node] < pusher_cost[pusher_node]
    )


@embedded
def _is_swap_possible(
    pusher_node: Number,
    puller_node: Number,
    occupied: Array,
    squad: SquadArrays,
    steps: StepTable,
    profile: Number,
) -> Number:
    """Return whether the passage branches behind the unit that backs off."""
    origin = pusher_node
    for _ in range(_MAX_LENGTH):
        if puller_node == origin:
            return False
        count, node_ahead = _exits(puller_node, pusher_node, occupied, squad, steps, profile)
        if count != 1:
            return count >= 2
        pusher_node, puller_node = puller_node, node_ahead
    return False


@embedded
def swap_unit(
    unit: Number,
    best: Number,
    now: Array,
    after: Array,
    occupied: Array,
    squad: SquadArrays,
    steps: StepTable,
) -> Number:
    """Return the unit with which a unit must and can swap by backing off; -1 if there is none.

    `best` is the unit's best next node; undecided units are `UNDECIDED` in `after`.
    """
    here, profile = now[unit], squad.profile_of[unit]
    if best == here:
        return -1
    other = occupied[best]
    if (
        other >= 0
        and after[other] < 0
        and _is_swap_required(unit, other, here, best, occupied, squad, steps, profile)
        and _is_swap_possible(best, here, occupied, squad, steps, profile)
    ):
        return other
    for step in range(steps.first[profile, here], steps.first[profile, here + 1]):
        other = occupied[steps.target[step]]
        if (
            other >= 0
            and steps.target[step] != best
            and _is_swap_required(other, unit, here, best, occupied, squad, steps, profile)
            and _is_swap_possible(best, here, occupied, squad, steps, profile)
        ):
            return other
    return -1
