"""One tick of a crowd by priority inheritance with backtracking (PIBT).

Units choose in the order of their priorities. A unit that wants the node of an undecided unit lends
it its priority: that unit chooses next. If that unit finds no node, the first one backtracks to its
next candidate. If two units block each other in a passage, one backs off to where the passage
branches and pulls the other unit after it (the swap operation).

References
----------
Okumura, Machida, Defago, Tamura (2022), "Priority inheritance with backtracking for iterative
multi-agent path finding", https://doi.org/10.1016/j.artint.2022.103752
Okumura, Nagai (2025), "Lightweight and effective preference construction in PIBT for large-scale
multi-agent pathfinding" (hindrance), https://arxiv.org/abs/2505.12623
Okumura (2023), "Improving LaCAM for scalable eventually optimal multi-agent pathfinding" (swap),
https://doi.org/10.24963/ijcai.2023/28
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ai.search.jit import Int, compiled, inlined
from ai.squads.squad_graph import WAIT, Costs, Ints, SquadGraph, step_between
from ai.squads.task import Task

UNDECIDED = -1
"""In an array of next nodes: the unit has not chosen yet."""

COUNT, TRIED, STEP, PULLED = range(4)
"""Columns of `Crowd.state`."""


class Crowd(NamedTuple):
    """The units of a task, their steps, and arrays that are reused from tick to tick."""

    start: Ints
    goal: Ints
    profile_of: Ints
    row_of: Ints
    goal_costs: Costs
    """As in `Task`."""
    steps: SquadGraph
    now: Ints
    after: Ints
    """(n_units,) node of each unit before and after the tick."""
    occupied_now: Ints
    occupied_next: Ints
    """(n_nodes,) unit on each node before and after the tick; -1 if there is none."""
    n_cleared: Ints
    """(n_nodes,) number of chosen steps whose clearance includes the node."""
    candidates: Ints
    """(n_units, n) steps of each unit, the best first."""
    keys: NDArray[np.float64]
    """(n, 2) their sort keys."""
    state: Ints
    """(n_units, 4) number of candidates, number of them tried, chosen step, unit to pull."""
    chain: Ints
    """(n_units,) units in the current chain of priority inheritance."""

    @classmethod
    def of(cls, task: Task) -> Self:
        """Return the units of a task."""
        steps, n_units, n_nodes = task.graph, len(task), task.graph.n_nodes
        width = int(np.diff(steps.first, axis=1).max(initial=0)) + 1
        return cls(
            task.start,
            task.goal,
            task.profile_of,
            task.row_of,
            task.goal_costs,
            steps,
            np.empty(n_units, dtype=np.int64),
            np.empty(n_units, dtype=np.int64),
            np.full(n_nodes, -1, dtype=np.int64),
            np.full(n_nodes, -1, dtype=np.int64),
            np.zeros(n_nodes, dtype=np.int64),
            np.empty((n_units, width), dtype=np.int64),
            np.empty((width, 2)),
            np.zeros((n_units, 4), dtype=np.int64),
            np.empty(n_units, dtype=np.int64),
        )


_MAX_LENGTH = 1 << 16  # nodes of a passage that are examined


@inlined
def _exits(node: Int, previous: Int, crowd: Crowd, profile: Int) -> tuple[Int, Int]:
    """Return the number of exits of a node in a passage, and one of them.

    The node that the passage comes from does not count, nor do dead ends with a unit at its goal.
    """
    first, target = crowd.steps.first, crowd.steps.target
    count, node_ahead = 0, -1
    for step in range(first[profile, node], first[profile, node + 1]):
        end = target[step]
        if end == previous:
            continue
        holder = crowd.occupied_now[end]
        is_dead_end = first[profile, end + 1] - first[profile, end] <= 1
        if is_dead_end and holder >= 0 and crowd.goal[holder] == end:
            continue
        count, node_ahead = count + 1, end
    return count, node_ahead


@inlined
def _can_swap(pusher: Int, puller: Int, here: Int, ahead: Int, crowd: Crowd, profile: Int) -> bool:
    """Return whether two units that face each other have to swap to pass, and can.

    The pusher would go from the node `here` on to `ahead`, the puller the other way.
    """
    pusher_cost = crowd.goal_costs[crowd.row_of[pusher]]
    puller_cost = crowd.goal_costs[crowd.row_of[puller]]
    behind, front = here, ahead
    for _ in range(_MAX_LENGTH):
        if not pusher_cost[front] < pusher_cost[behind]:
            break
        count, node_ahead = _exits(front, behind, crowd, profile)
        if count >= 2:
            return False
        if count == 0:
            break
        behind, front = front, node_ahead
    is_ahead = pusher_cost[behind] == 0 or pusher_cost[front] < pusher_cost[behind]
    return bool(is_ahead and puller_cost[behind] < puller_cost[front])


@inlined
def _branches(node: Int, previous: Int, crowd: Crowd, profile: Int) -> bool:
    """Return whether a passage that comes from a node branches, behind the unit that backs off."""
    origin = previous
    for _ in range(_MAX_LENGTH):
        if node == origin:
            return False
        count, node_ahead = _exits(node, previous, crowd, profile)
        if count != 1:
            return bool(count >= 2)
        previous, node = node, node_ahead
    return False


@inlined
def _swap_unit(unit: Int, best: Int, crowd: Crowd) -> Int:
    """Return the unit with which a unit must and can swap by backing off; -1 if there is none.

    `best` is the unit's best next node.
    """
    here, profile, steps = crowd.now[unit], crowd.profile_of[unit], crowd.steps
    if best == here:
        return -1
    other = crowd.occupied_now[best]
    if (
        other >= 0
        and crowd.after[other] < 0
        and _can_swap(unit, other, here, best, crowd, profile)
        and _branches(here, best, crowd, profile)
    ):
        return other
    for step in range(steps.first[profile, here], steps.first[profile, here + 1]):
        other = crowd.occupied_now[steps.target[step]]
        if (
            other >= 0
            and steps.target[step] != best
            and _can_swap(other, unit, here, best, crowd, profile)
            and _branches(here, best, crowd, profile)
        ):
            return other
    return -1


ADVANCED, STUCK, CONFLICT = range(3)

# Added to the tie-breaker of equal nodes. `_HINDERED` counts once for each neighboring unit that
# the node would bring nearer to its goal; of nodes that hinder equally many, free ones come first.
_OCCUPIED, _HINDERED = 1 << 40, 1 << 43


@inlined
def _hashed(number: Int) -> float:
    """Return a pseudo-random number for an integer, by the finalizer of SplitMix64."""
    word = np.uint64(number)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.float64((word ^ (word >> np.uint64(31))) >> np.uint64(32))


@inlined
def _is_clearance_taken(step: Int, crowd: Crowd) -> bool:
    """Return whether a unit is in a step's clearance, before or after it."""
    if step == WAIT:
        return False
    first = crowd.steps.clearance_first
    for entry in range(first[step], first[step + 1]):
        near = crowd.steps.clearance[entry]
        if crowd.occupied_now[near] >= 0 or crowd.occupied_next[near] >= 0:
            return True
    return False


@inlined
def _add_clearance(step: Int, change: Int, crowd: Crowd) -> None:
    """Reserve the clearance of a step, or with a change of -1 release it."""
    if step == WAIT:
        return
    first = crowd.steps.clearance_first
    for entry in range(first[step], first[step + 1]):
        crowd.n_cleared[crowd.steps.clearance[entry]] += change


@inlined
def _may_wait(unit: Int, crowd: Crowd) -> bool:
    """Return whether a unit may stay where it is: it can stop there, or has not moved yet."""
    here = crowd.now[unit]
    return bool(crowd.steps.can_wait[crowd.profile_of[unit], here] or here == crowd.start[unit])


@inlined
def _sort_candidates(unit: Int, salt: Int, crowd: Crowd) -> Int:
    """Sort the steps of a unit by the cost of its path through them; return their number."""
    here, profile, row = crowd.now[unit], crowd.profile_of[unit], crowd.row_of[unit]
    goal_costs, occupied = crowd.goal_costs, crowd.occupied_now
    keys, candidates = crowd.keys, crowd.candidates
    target, cost = crowd.steps.target, crowd.steps.cost
    first, last = crowd.steps.first[profile, here], crowd.steps.first[profile, here + 1]
    count = 0
    for entry in range(first - 1, last):
        step = entry if entry >= first else WAIT
        if step == WAIT and not _may_wait(unit, crowd):
            continue
        end = here if step == WAIT else target[step]
        step_cost = crowd.steps.wait_cost if step == WAIT else cost[step]
        is_at_goal = step == WAIT and here == crowd.goal[unit]
        f = 0.0 if is_at_goal else goal_costs[row, end] + step_cost
        if not f < np.inf:
            continue
        tie = _hashed(salt + unit * 0x9E3779B9 + end * 0x85EBCA6B)
        if occupied[end] >= 0 and occupied[end] != unit:
            tie += _OCCUPIED
        for near in target[first:last]:
            other_row = crowd.row_of[occupied[near]]
            if occupied[near] >= 0 and goal_costs[other_row, end] < goal_costs[other_row, near]:
                tie += _HINDERED
        at = count
        while at > 0 and (keys[at - 1, 0] > f or (keys[at - 1, 0] == f and keys[at - 1, 1] > tie)):
            keys[at, 0], keys[at, 1] = keys[at - 1, 0], keys[at - 1, 1]
            candidates[unit, at] = candidates[unit, at - 1]
            at -= 1
        keys[at, 0], keys[at, 1], candidates[unit, at] = f, tie, step
        count += 1
    return count


@inlined
def _prepare(unit: Int, salt: Int, crowd: Crowd) -> None:
    """Sort the candidates of a unit; in the reverse order if it has to back off for a swap."""
    state, candidates = crowd.state, crowd.candidates
    count = _sort_candidates(unit, salt, crowd)
    state[unit, COUNT], state[unit, TRIED] = count, 0
    state[unit, STEP], state[unit, PULLED] = WAIT, -1
    if count == 0 or candidates[unit, 0] == WAIT:
        return
    other = _swap_unit(unit, crowd.steps.target[candidates[unit, 0]], crowd)
    if other >= 0:
        state[unit, PULLED] = other
        for at in range(count // 2):
            last = count - 1 - at
            step = candidates[unit, at]
            candidates[unit, at], candidates[unit, last] = candidates[unit, last], step


@inlined
def _take(unit: Int, step: Int, end: Int, crowd: Crowd) -> None:
    _add_clearance(step, 1, crowd)
    crowd.occupied_next[end], crowd.after[unit], crowd.state[unit, STEP] = unit, end, step


@inlined
def _pull(unit: Int, crowd: Crowd) -> None:
    """Move the swap partner of a unit to the node that the unit leaves."""
    now, after = crowd.now, crowd.after
    other, here = crowd.state[unit, PULLED], now[unit]
    if other < 0 or crowd.state[unit, TRIED] != 1 or after[other] != UNDECIDED:
        return
    if crowd.occupied_next[here] >= 0 or crowd.n_cleared[here] > 0:
        return
    if after[unit] == now[other]:
        return
    step = step_between(crowd.steps, crowd.profile_of[other], now[other], here)
    if step != WAIT and not _is_clearance_taken(step, crowd):
        _take(other, step, here, crowd)


@inlined
def _try_next(unit: Int, crowd: Crowd) -> bool:
    """Take a unit's best candidate that is still free; return False if there is none."""
    here, state = crowd.now[unit], crowd.state
    while state[unit, TRIED] < state[unit, COUNT]:
        step = crowd.candidates[unit, state[unit, TRIED]]
        state[unit, TRIED] += 1
        end = here if step == WAIT else crowd.steps.target[step]
        other = crowd.occupied_now[end]
        is_swap = other >= 0 and other != unit and crowd.after[other] == here
        is_free = crowd.occupied_next[end] < 0 and crowd.n_cleared[end] == 0 and not is_swap
        if is_free and not _is_clearance_taken(step, crowd):
            _take(unit, step, end, crowd)
            return True
    return False


@inlined
def _decide(root: Int, salt: Int, crowd: Crowd) -> bool:
    """Choose for a unit and the units that inherit its priority; return False without a node."""
    chain, depth = crowd.chain, 0
    chain[0] = root
    _prepare(root, salt, crowd)
    while True:
        unit = chain[depth]
        if _try_next(unit, crowd):
            other = crowd.occupied_now[crowd.after[unit]]
            if other < 0 or other == unit or crowd.after[other] != UNDECIDED:
                break
            depth += 1
            chain[depth] = other
            _prepare(other, salt, crowd)
        elif depth > 0 and _may_wait(unit, crowd):
            # The unit waits, and the unit that wanted its node tries its next candidate.
            depth -= 1
            _add_clearance(crowd.state[chain[depth], STEP], -1, crowd)
            _take(unit, WAIT, crowd.now[unit], crowd)
        else:
            return False
    for level in range(depth, -1, -1):
        _pull(chain[level], crowd)
    return True


@inlined
def _take_decided(crowd: Crowd) -> bool:
    """Take the steps that are already decided; return False if two of them are in conflict."""
    now, after = crowd.now, crowd.after
    for unit in range(len(now) - 1, -1, -1):
        crowd.occupied_now[now[unit]] = unit
    for unit in range(len(now)):
        end = after[unit]
        if end == UNDECIDED:
            continue
        other, holder = crowd.occupied_now[end], crowd.occupied_next[end]
        is_swap = other >= 0 and other != unit and after[other] == now[unit]
        if holder >= 0 or is_swap:
            return False
        step = step_between(crowd.steps, crowd.profile_of[unit], now[unit], end)
        _take(unit, step, end, crowd)
    for unit in range(len(now)):
        if after[unit] != UNDECIDED and _is_clearance_taken(crowd.state[unit, STEP], crowd):
            return False
    return True


@compiled
def _advance(order: Ints, salt: Int, crowd: Crowd) -> Int:
    """Choose the node of each unit after a tick.

    Return `ADVANCED`, or else `STUCK` if a unit has no node, `CONFLICT` if units conflict whose
    nodes are already decided. In `crowd`, the nodes of `now` are all different; `after` holds those
    that are already decided, else `UNDECIDED`. It is filled in, but only valid for `ADVANCED`.
    `order` is (n,) units, the highest priority first. `salt` breaks ties between equally good
    steps.
    """
    status = ADVANCED if _take_decided(crowd) else CONFLICT
    for unit in order:
        if status == ADVANCED and crowd.after[unit] == UNDECIDED and not _decide(unit, salt, crowd):
            status = STUCK
    first = crowd.steps.clearance_first
    for unit in range(len(crowd.now)):
        crowd.occupied_now[crowd.now[unit]] = crowd.occupied_next[crowd.now[unit]] = -1
        if crowd.after[unit] != UNDECIDED:
            crowd.occupied_next[crowd.after[unit]] = -1
        step = crowd.state[unit, STEP]
        crowd.state[unit, STEP] = WAIT
        if step != WAIT:
            for entry in range(first[step], first[step + 1]):
                crowd.n_cleared[crowd.steps.clearance[entry]] = 0
    return status


class ConfigurationGenerator:
    """Generates configurations of a task's units: the node of every unit at one tick."""

    def __init__(self, task: Task) -> None:
        self._crowd = Crowd.of(task)

    def successor(
        self,
        nodes: Ints,
        order: Ints,
        salt: int,
        constraints: Iterable[tuple[int, int]] = (),
    ) -> tuple[Ints | None, bool]:
        """Return the configuration one tick later; None if a unit would have no node.

        Also return whether the constraints are free of conflicts with each other.

        `nodes` is (n_units,) the configuration, `order` (n_units,) units with the highest priority
        first. `salt` breaks ties between equally good steps. `constraints` are units and
        the nodes on which they must be after the tick.
        """
        now, after = self._crowd.now, self._crowd.after
        now[:], after[:] = nodes, UNDECIDED
        for unit, node in constraints:
            after[unit] = node
        status = _advance(order, salt, self._crowd)
        return after.copy() if status == ADVANCED else None, status != CONFLICT
