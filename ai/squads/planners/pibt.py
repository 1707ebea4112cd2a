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

from ai.compilation.jit import Array, Number, compiled, embedded
from ai.squads.squad_graph import WAIT, Ints, StepTable, step_between
from ai.squads.task import Task

UNDECIDED = -1
"""In an array of next nodes: the unit has not chosen yet."""

COUNT, TRIED, STEP, PULLED = range(4)
"""Columns of `Workspace.state`."""


class SquadArrays(NamedTuple):
    """Goals and profiles of the units."""

    start: Ints
    """(n_units,) nodes."""
    goal: Ints
    """(n_units,) nodes."""
    profile_of: Ints
    """(n_units,) profile of each unit, as numbered in the step table."""
    row_of: Ints
    """(n_units,) row of `goal_costs` for each unit."""
    goal_costs: NDArray[np.float64]
    """(n_rows, n_nodes) cost from each node to a goal without other units; last a row of zeros."""


class Workspace(NamedTuple):
    """Arrays that are reused from tick to tick."""

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
    def of(cls, steps: StepTable, n_units: int) -> Self:
        """Return a workspace for a number of units."""
        n_nodes = steps.can_wait.shape[1]
        width = int(np.diff(steps.first, axis=1).max(initial=0)) + 1
        return cls(
            np.full(n_nodes, -1, dtype=np.int64),
            np.full(n_nodes, -1, dtype=np.int64),
            np.zeros(n_nodes, dtype=np.int64),
            np.empty((n_units, width), dtype=np.int64),
            np.empty((width, 2)),
            np.zeros((n_units, 4), dtype=np.int64),
            np.empty(n_units, dtype=np.int64),
        )


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


ADVANCED, STUCK, CONFLICT = range(3)

# Added to the tie-breaker of equal nodes. `_HINDERED` counts once for each neighboring unit that
# the node would bring nearer to its goal; of nodes that hinder equally many, free ones come first.
_OCCUPIED, _HINDERED = 1 << 40, 1 << 43


@embedded
def _hashed(number: Number) -> Number:
    """Return a pseudo-random number for an integer, by the finalizer of SplitMix64."""
    word = np.uint64(number)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.float64((word ^ (word >> np.uint64(31))) >> np.uint64(32))


@embedded
def _is_clearance_taken(step: Number, n_units: Number, steps: StepTable, work: Workspace) -> Number:
    """Return whether one of the first n units is in a step's clearance, before or after it."""
    if step != WAIT:
        for entry in range(steps.clearance_first[step], steps.clearance_first[step + 1]):
            near = steps.clearance[entry]
            if 0 <= work.occupied_now[near] < n_units or 0 <= work.occupied_next[near] < n_units:
                return True
    return False


@embedded
def _add_clearance(step: Number, change: Number, steps: StepTable, work: Workspace) -> None:
    """Reserve the clearance of a step, or with a change of -1 release it."""
    if step != WAIT:
        for entry in range(steps.clearance_first[step], steps.clearance_first[step + 1]):
            work.n_cleared[steps.clearance[entry]] += change


@embedded
def _sort_candidates(
    unit: Number, here: Number, salt: Number, squad: SquadArrays, steps: StepTable, work: Workspace
) -> Number:
    """Sort the steps of a unit by the cost of its path through them; return their number."""
    profile, goal, row = squad.profile_of[unit], squad.goal[unit], squad.row_of[unit]
    may_wait = steps.can_wait[profile, here] or here == squad.start[unit]
    goal_costs, occupied = squad.goal_costs, work.occupied_now
    keys, candidates = work.keys, work.candidates
    target, cost = steps.target, steps.cost
    first = steps.first[profile, here]
    count = 0
    for entry in range(first - 1, steps.first[profile, here + 1]):
        step = entry if entry >= first else WAIT
        if step == WAIT and not may_wait:
            continue
        end = here if step == WAIT else target[step]
        step_cost = 1.0 if step == WAIT else cost[step]
        is_at_goal = step == WAIT and here == goal
        f = 0.0 if is_at_goal else goal_costs[row, end] + step_cost
        if not f < np.inf:
            continue
        tie = _hashed(salt + unit * 0x9E3779B9 + end * 0x85EBCA6B)
        if occupied[end] >= 0 and occupied[end] != unit:
            tie += _OCCUPIED
        for near in target[first : steps.first[profile, here + 1]]:
            other_row = squad.row_of[occupied[near]]
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


@embedded
def _prepare(
    unit: Number,
    now: Array,
    after: Array,
    salt: Number,
    squad: SquadArrays,
    steps: StepTable,
    work: Workspace,
) -> None:
    """Sort the candidates of a unit; in the reverse order if it has to back off for a swap."""
    state, candidates, here = work.state, work.candidates, now[unit]
    count = _sort_candidates(unit, here, salt, squad, steps, work)
    state[unit, COUNT], state[unit, TRIED] = count, 0
    state[unit, STEP], state[unit, PULLED] = WAIT, -1
    if count == 0 or candidates[unit, 0] == WAIT:
        return
    best = steps.target[candidates[unit, 0]]
    other = swap_unit(unit, best, now, after, work.occupied_now, squad, steps)
    if other >= 0:
        state[unit, PULLED] = other
        for at in range(count // 2):
            last = count - 1 - at
            step = candidates[unit, at]
            candidates[unit, at], candidates[unit, last] = candidates[unit, last], step


@embedded
def _take(
    unit: Number, step: Number, end: Number, after: Array, steps: StepTable, work: Workspace
) -> None:
    _add_clearance(step, 1, steps, work)
    work.occupied_next[end], after[unit], work.state[unit, STEP] = unit, end, step


@embedded
def _pull(
    unit: Number, now: Array, after: Array, squad: SquadArrays, steps: StepTable, work: Workspace
) -> None:
    """Move the swap partner of a unit to the node that the unit leaves."""
    other, here = work.state[unit, PULLED], now[unit]
    if other < 0 or work.state[unit, TRIED] != 1 or after[other] != UNDECIDED:
        return
    if work.occupied_next[here] >= 0 or work.n_cleared[here] > 0:
        return
    if after[unit] == now[other]:
        return
    step = step_between(steps, squad.profile_of[other], now[other], here)
    if step != WAIT and not _is_clearance_taken(step, len(now), steps, work):
        _take(other, step, here, after, steps, work)


@embedded
def _try_next(unit: Number, now: Array, after: Array, steps: StepTable, work: Workspace) -> Number:
    """Take a unit's best candidate that is still free; return False if there is none."""
    here, state = now[unit], work.state
    while state[unit, TRIED] < state[unit, COUNT]:
        step = work.candidates[unit, state[unit, TRIED]]
        state[unit, TRIED] += 1
        end = here if step == WAIT else steps.target[step]
        other = work.occupied_now[end]
        is_swap = other >= 0 and other != unit and after[other] == here
        is_free = work.occupied_next[end] < 0 and work.n_cleared[end] == 0 and not is_swap
        if is_free and not _is_clearance_taken(step, len(now), steps, work):
            _take(unit, step, end, after, steps, work)
            return True
    return False


@embedded
def _decide(
    root: Number,
    now: Array,
    after: Array,
    salt: Number,
    squad: SquadArrays,
    steps: StepTable,
    work: Workspace,
) -> Number:
    """Choose for a unit and the units that inherit its priority; return False without a node."""
    chain, depth = work.chain, 0
    chain[0] = root
    _prepare(root, now, after, salt, squad, steps, work)
    while True:
        unit = chain[depth]
        here = now[unit]
        if _try_next(unit, now, after, steps, work):
            other = work.occupied_now[after[unit]]
            if other < 0 or other == unit or after[other] != UNDECIDED:
                break
            depth += 1
            chain[depth] = other
            _prepare(other, now, after, salt, squad, steps, work)
        elif depth > 0 and (
            steps.can_wait[squad.profile_of[unit], here] or here == squad.start[unit]
        ):
            # The unit waits, and the unit that wanted its node tries its next candidate.
            depth -= 1
            _add_clearance(work.state[chain[depth], STEP], -1, steps, work)
            _take(unit, WAIT, here, after, steps, work)
        else:
            return False
    for level in range(depth, -1, -1):
        _pull(chain[level], now, after, squad, steps, work)
    return True


@embedded
def _take_decided(
    now: Array, after: Array, n_own: Number, squad: SquadArrays, steps: StepTable, work: Workspace
) -> Number:
    """Take the steps that are already decided; return False if an own unit is in a conflict."""
    for unit in range(len(now) - 1, -1, -1):
        work.occupied_now[now[unit]] = unit
    for unit in range(len(now)):
        end = after[unit]
        if end == UNDECIDED:
            continue
        other, holder = work.occupied_now[end], work.occupied_next[end]
        is_swap = other >= 0 and other != unit and after[other] == now[unit]
        if (holder >= 0 and min(unit, holder) < n_own) or (is_swap and min(unit, other) < n_own):
            return False
        step = step_between(steps, squad.profile_of[unit], now[unit], end)
        _take(unit, step, end, after, steps, work)
    for unit in range(len(now)):
        n_near = len(now) if unit < n_own else n_own
        if after[unit] != UNDECIDED and _is_clearance_taken(
            work.state[unit, STEP], n_near, steps, work
        ):
            return False
    return True


@compiled
def advance(
    now: Array,
    after: Array,
    order: Array,
    n_own: Number,
    salt: Number,
    squad: SquadArrays,
    steps: StepTable,
    work: Workspace,
) -> Number:
    """Choose the node of each unit after a tick.

    Return `ADVANCED`, or else `STUCK` if a unit has no node, `CONFLICT` if units conflict whose
    nodes are already decided. `now` is (n_units,) nodes, all different; `after` those that are
    already decided, else `UNDECIDED`. It is filled in, but only valid for `ADVANCED`. `order` is
    (n,) the units that choose, the highest priority first. The units from `n_own` on may be in
    conflict with each other. `salt` breaks ties between equally good steps.
    """
    status = ADVANCED if _take_decided(now, after, n_own, squad, steps, work) else CONFLICT
    for unit in order:
        if (
            status == ADVANCED
            and after[unit] == UNDECIDED
            and not _decide(unit, now, after, salt, squad, steps, work)
        ):
            status = STUCK
    for unit in range(len(now)):
        work.occupied_now[now[unit]] = work.occupied_next[now[unit]] = -1
        if after[unit] != UNDECIDED:
            work.occupied_next[after[unit]] = -1
        step = work.state[unit, STEP]
        work.state[unit, STEP] = WAIT
        if step != WAIT:
            for entry in range(steps.clearance_first[step], steps.clearance_first[step + 1]):
                work.n_cleared[steps.clearance[entry]] = 0
    return status


class ConfigurationGenerator:
    """Generates configurations of a task's units, among the other units' fixed paths.

    A configuration is the node of every unit at one tick.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        ends = [(int(path[0]), int(path[-1])) for path in task.queued]
        queued = np.array(ends, dtype=np.int64).reshape(-1, 2)
        self._squad = SquadArrays(
            np.concatenate([task.start, queued[:, 0]]),
            np.concatenate([task.goal, queued[:, 1]]),
            np.array([*task.profile_of, *task.queued_profiles], dtype=np.int64),
            np.array([*task.row_of, *(len(task.goal_costs) - 1 for _ in ends)], dtype=np.int64),
            task.goal_costs,
        )
        self._workspace = Workspace.of(task.graph.steps, len(self._squad.start))

    def successor(
        self,
        nodes: Ints,
        tick: int,
        order: Ints,
        salt: int,
        constraints: Iterable[tuple[int, int]] = (),
    ) -> tuple[Ints | None, bool]:
        """Return the configuration one tick later; None if a unit would have no node.

        Also return whether the constraints are free of conflicts with each other.

        `nodes` is (n_units,) the configuration at a tick, `order` (n_units,) units with the highest
        priority first. `salt` breaks ties between equally good steps. `constraints` are units and
        the nodes on which they must be after the tick.
        """
        task, n_units = self._task, len(self._task)
        now, after = np.empty((2, len(self._squad.start)), dtype=np.int64)
        now[:n_units], after[:] = nodes, UNDECIDED
        for number, path in enumerate(task.queued, start=n_units):
            now[number] = path[min(tick, len(path) - 1)]
            after[number] = path[min(tick + 1, len(path) - 1)]
        for unit, node in constraints:
            after[unit] = node
        steps = task.graph.steps
        status = advance(now, after, order, n_units, salt, self._squad, steps, self._workspace)
        return after[:n_units] if status == ADVANCED else None, status != CONFLICT
