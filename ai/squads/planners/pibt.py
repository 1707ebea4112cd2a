"""One tick of a crowd: priority inheritance with backtracking (PIBT), over nodes.

Units choose in the order of their priorities. Who wants a place where somebody stands who has not
chosen yet lets that one choose first, with the own priority; if that one finds no place, the next
best place is tried. Of two that block each other in a passage one backs off to where it branches,
and pulls the other after it; see `trading`.

References
----------
Okumura, Machida, Defago, Tamura (2022), "Priority inheritance with backtracking for iterative
multi-agent path finding", https://doi.org/10.1016/j.artint.2022.103752
"""

import numpy as np

from ai.search.jit import Array, Number, compiled
from ai.squads.planners.pibt_workspace import COUNT, PARTNER, TAKEN, TRIED, Room
from ai.squads.planners.swap import Squad, partner_of
from ai.squads.steps import STAY, Steps, step_between

NOT_YET = -1
_OCCUPIED = 1 << 40  # among places equally good, free ones come first


@compiled
def _scattered(number: Number) -> Number:
    """Make any other number of one, by the finalizer of SplitMix64."""
    word = np.uint64(number)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.float64((word ^ (word >> np.uint64(31))) >> np.uint64(32))


@compiled
def _is_brushing(step: Number, n_units: Number, steps: Steps, room: Room) -> Number:
    """Tell whether one of the first n units is, before or after, where a step brushes."""
    if step != STAY:
        for entry in range(steps.brush_first[step], steps.brush_first[step + 1]):
            near = steps.brush[entry]
            if 0 <= room.before[near] < n_units or 0 <= room.taken[near] < n_units:
                return True
    return False


@compiled
def _claim(step: Number, change: Number, steps: Steps, room: Room) -> None:
    """Keep others off what a step brushes, or no longer."""
    if step != STAY:
        for entry in range(steps.brush_first[step], steps.brush_first[step + 1]):
            room.claims[steps.brush[entry]] += change


@compiled
def _sort_choices(
    unit: Number, here: Number, salt: Number, squad: Squad, steps: Steps, room: Room
) -> Number:
    """List the steps of a unit by what its way costs if it takes them; give how many there are."""
    profile, goal, field = squad.profile_of[unit], squad.goal[unit], squad.field_of[unit]
    may_wait = steps.can_wait[profile, here] or here == squad.start[unit]
    fields, before, keys, choices = squad.fields, room.before, room.keys, room.choices
    target, cost = steps.target, steps.cost
    first = steps.first[profile, here]
    count = 0
    for entry in range(first - 1, steps.first[profile, here + 1]):
        step = entry if entry >= first else STAY
        if step == STAY and not may_wait:
            continue
        end = here if step == STAY else target[step]
        toll = 1.0 if step == STAY else cost[step]
        is_there = step == STAY and here == goal
        price = 0.0 if is_there else fields[field, end] + toll
        if not price < np.inf:
            continue
        tie = _scattered(salt + unit * 0x9E3779B9 + end * 0x85EBCA6B)
        if before[end] >= 0 and before[end] != unit:
            tie += _OCCUPIED
        place = count
        while place > 0 and (
            keys[place - 1, 0] > price or (keys[place - 1, 0] == price and keys[place - 1, 1] > tie)
        ):
            keys[place, 0], keys[place, 1] = keys[place - 1, 0], keys[place - 1, 1]
            choices[unit, place] = choices[unit, place - 1]
            place -= 1
        keys[place, 0], keys[place, 1], choices[unit, place] = price, tie, step
        count += 1
    return count


@compiled
def _prepare(
    unit: Number, now: Array, after: Array, salt: Number, squad: Squad, steps: Steps, room: Room
) -> None:
    """Work out in which order a unit tries its steps."""
    register, choices, here = room.register, room.choices, now[unit]
    count = _sort_choices(unit, here, salt, squad, steps, room)
    register[unit, COUNT], register[unit, TRIED] = count, 0
    register[unit, TAKEN], register[unit, PARTNER] = STAY, -1
    if count == 0 or choices[unit, 0] == STAY:
        return
    best = steps.target[choices[unit, 0]]
    partner = partner_of(unit, best, now, after, room.before, squad, steps)
    if partner >= 0:
        register[unit, PARTNER] = partner
        for place in range(count // 2):
            last = count - 1 - place
            step = choices[unit, place]
            choices[unit, place], choices[unit, last] = choices[unit, last], step


@compiled
def _take(unit: Number, step: Number, end: Number, after: Array, steps: Steps, room: Room) -> None:
    _claim(step, 1, steps, room)
    room.taken[end], after[unit], room.register[unit, TAKEN] = unit, end, step


@compiled
def _pull(unit: Number, now: Array, after: Array, squad: Squad, steps: Steps, room: Room) -> None:
    """Let the one that a unit trades places with follow to where the unit was."""
    partner, here = room.register[unit, PARTNER], now[unit]
    if partner < 0 or room.register[unit, TRIED] != 1 or after[partner] != NOT_YET:
        return
    if room.taken[here] >= 0 or room.claims[here] > 0 or after[unit] == now[partner]:
        return
    step = step_between(steps, squad.profile_of[partner], now[partner], here)
    if step != STAY and not _is_brushing(step, len(now), steps, room):
        _take(partner, step, here, after, steps, room)


@compiled
def _try_next(unit: Number, now: Array, after: Array, steps: Steps, room: Room) -> Number:
    """Let a unit take the best step that is still free; false if there is none."""
    here, register = now[unit], room.register
    while register[unit, TRIED] < register[unit, COUNT]:
        step = room.choices[unit, register[unit, TRIED]]
        register[unit, TRIED] += 1
        end = here if step == STAY else steps.target[step]
        other = room.before[end]
        is_trade = other >= 0 and other != unit and after[other] == here
        is_free = room.taken[end] < 0 and room.claims[end] == 0 and not is_trade
        if is_free and not _is_brushing(step, len(now), steps, room):
            _take(unit, step, end, after, steps, room)
            return True
    return False


@compiled
def _decide(
    root: Number, now: Array, after: Array, salt: Number, squad: Squad, steps: Steps, room: Room
) -> Number:
    """Let a unit choose, and before it whoever is in its way; false if there is no place for it."""
    waiting, depth = room.waiting, 0
    waiting[0] = root
    _prepare(root, now, after, salt, squad, steps, room)
    while True:
        unit = waiting[depth]
        here = now[unit]
        if _try_next(unit, now, after, steps, room):
            other = room.before[after[unit]]
            if other < 0 or other == unit or after[other] != NOT_YET:
                break
            depth += 1
            waiting[depth] = other
            _prepare(other, now, after, salt, squad, steps, room)
        elif depth > 0 and (
            steps.can_wait[squad.profile_of[unit], here] or here == squad.start[unit]
        ):
            # It stays, and who wanted its place tries another.
            depth -= 1
            _claim(room.register[waiting[depth], TAKEN], -1, steps, room)
            _take(unit, STAY, here, after, steps, room)
        else:
            return False
    for level in range(depth, -1, -1):
        _pull(waiting[level], now, after, squad, steps, room)
    return True


@compiled
def _settle(
    now: Array, after: Array, n_own: Number, squad: Squad, steps: Steps, room: Room
) -> Number:
    """Take the steps that were chosen before; false if one of the own units collides."""
    for unit in range(len(now) - 1, -1, -1):
        room.before[now[unit]] = unit
    for unit in range(len(now)):
        end = after[unit]
        if end == NOT_YET:
            continue
        other, holder = room.before[end], room.taken[end]
        is_trade = other >= 0 and other != unit and after[other] == now[unit]
        if (holder >= 0 and min(unit, holder) < n_own) or (is_trade and min(unit, other) < n_own):
            return False
        step = step_between(steps, squad.profile_of[unit], now[unit], end)
        _take(unit, step, end, after, steps, room)
    for unit in range(len(now)):
        near = len(now) if unit < n_own else n_own
        if after[unit] != NOT_YET and _is_brushing(room.register[unit, TAKEN], near, steps, room):
            return False
    return True


@compiled
def advance(
    now: Array,
    after: Array,
    order: Array,
    n_own: Number,
    salt: Number,
    squad: Squad,
    steps: Steps,
    room: Room,
) -> Number:
    """Work out where everybody is after a tick.

    Parameters
    ----------
    now : (n_units,) int64
        Nodes, all different.
    after : (n_units,) int64
        Where those will be who have chosen already, `NOT_YET` for the others; filled in.
    order : (n,) int64
        Who has to choose, the highest priority first.
    n_own : int
        The units behind the first n may collide with each other.
    salt : int
        Tells which of several equally good steps are taken.
    squad, steps, room

    Returns
    -------
    bool
        False if what was chosen before leaves somebody no place; `after` is of no use then.
    """
    is_legal = _settle(now, after, n_own, squad, steps, room)
    for unit in order:
        if is_legal and after[unit] == NOT_YET:
            is_legal = _decide(unit, now, after, salt, squad, steps, room)
    for unit in range(len(now)):
        room.before[now[unit]] = room.taken[now[unit]] = -1
        if after[unit] != NOT_YET:
            room.taken[after[unit]] = -1
        step = room.register[unit, TAKEN]
        room.register[unit, TAKEN] = STAY
        if step != STAY:
            for entry in range(steps.brush_first[step], steps.brush_first[step + 1]):
                room.claims[steps.brush[entry]] = 0
    return is_legal
