"""The compiled step rule: which steps are legal, and the price of every step of a map.

A step from surface u to surface v of a neighboring column rises by r = level(v) - level(u). It is
legal if both surfaces exist, v's kind can be entered, the free air above both is tall enough, no
wall parts the two and -max_drop <= r <= max_climb. It costs entry(v), on a diagonal times
diagonal_cost, plus the surcharge of r. A flyer ignores kinds, walls and rises; each of its steps
costs 1, a diagonal one diagonal_cost. A diagonal step may also need legal detours around its
corner.

Each condition stands once, in `step_status` or `open_corners`, and its reason in
`ai.rules.reasons`. `price_steps` calls them for every step of a map, `explained_statuses` for some.

To add a condition: add a status, return it in `step_status`, give it a reason in `step_reason` with
wordings in `terrain3d.grid.reason`, and test it in `tests/support/rulebook.py`. A new field of
`MoveProfile` that a condition needs goes into `Mover`, before `rise_cost`; a new array of the map
into `Footprint.arrays`. `price_steps` reads the former from the bundle that `StepRule` makes, and
gets the latter as arguments. The functions here get both as `ground` and `mover`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compilation.bundle import line_at, table_at
from ai.compilation.jit import Array, Number, compiled, helper, inlined
from ai.rules.footprint import OPEN_SKY
from ai.rules.profile import MoveProfile
from ai.search.graph import ILLEGAL_STEP, ILLEGAL_STEP_FLOAT, NO_STEP, NO_STEP_FLOAT

LEGAL, NO_START, NO_END, KIND, HEADROOM, WALL, CLIMB, DROP, CORNER = range(9)
"""Statuses of a step, in the order in which they are tested."""

NO_EDGE = -1
"""The direction of a step that crosses no edge."""

SAME, CHANGED, CHEAPER = 0, 1, 3
"""How new prices differ from those before: not at all, not downward, or some are lower. As flags,
so that the loop over steps adds them up without a branch, which would make it five times slower."""


class Mover(NamedTuple):
    """The numbers of a profile on a map; limits are in levels."""

    entry: NDArray[np.float64]
    """(n_kinds,) cost to enter each kind; infinity: it cannot be entered."""
    max_climb: int
    max_drop: int
    headroom: int
    can_fly: bool
    rise_cost: NDArray[np.float64]
    """(max_drop + max_climb + 1,) surcharge of each legal rise, from the deepest drop up."""

    @classmethod
    def of(cls, profile: MoveProfile, entry: NDArray[np.float64]) -> "Mover":
        """Return the numbers of a profile with the costs to enter of its footprint on a map."""
        return cls(
            entry,
            profile.max_climb,
            profile.max_drop,
            profile.headroom,
            profile.can_fly,
            profile.rise_cost(),
        )


@inlined
def step_status(
    has_start: bool,
    has_end: bool,
    entry: Number,
    can_fly: bool,
    room: Number,
    headroom: Number,
    is_walled: bool,
    rise: Number,
    max_climb: Number,
    max_drop: Number,
) -> Number:
    """Return LEGAL, or the first condition that a step fails.

    It takes no arrays: in a loop over all steps, passing them costs more than everything else.
    """
    if not has_start:
        return NO_START
    if not has_end:
        return NO_END
    if not (can_fly or entry < np.inf):
        return KIND
    if room < headroom:
        return HEADROOM
    if can_fly:
        return LEGAL
    if is_walled:
        return WALL
    if (rise > max_climb) | (rise < -max_drop):  # one branch is quicker than two
        return CLIMB if rise > 0 else DROP
    return LEGAL


@inlined
def is_walled(walls: Array, towards: Number, start: Number, direction: Number) -> bool:
    """Return whether a wall blocks a step from a node.

    `walls` are those of a `Footprint`; `towards` is where the walls of the end's deck begin.
    """
    return len(walls) > 0 and (walls[towards + start] >> direction) & 1 > 0


@helper
def status_between(
    ground: Array, mover: Number, start: Number, end: Number, is_wall: bool
) -> Number:
    """Return the status of a step between two nodes; see `step_status`.

    `ground` has the arrays of a `Footprint`, `mover` the fields of a `Mover` up to `can_fly`.
    """
    level, kind, no_start, no_end, ceiling, _ = ground
    entry, max_climb, max_drop, headroom, can_fly = mover
    here, there = np.int64(level[start]), np.int64(level[end])
    room = np.int64(OPEN_SKY)
    if len(ceiling) > 0:
        room = min(np.int64(ceiling[start]), np.int64(ceiling[end])) - max(here, there)
    return step_status(
        not no_start[start],
        not no_end[end],
        entry[kind[end]],
        can_fly,
        room,
        headroom,
        is_wall,
        there - here,
        max_climb,
        max_drop,
    )


@helper
def open_corners(
    ground: Array,
    mover: Number,
    blocked: Array,
    start: Number,
    end: Number,
    cols: Number,
    n_cells: Number,
) -> Number:
    """Return around which corners of a diagonal step two legal steps lead, a bit each.

    Bit 0: first up or down, then across. Bit 1: first across.
    """
    row, col = start % n_cells // cols, start % cols
    end_row, end_col = end % n_cells // cols, end % cols
    down = 2 if end_row > row else 0  # directions: north, east, south, west
    across = 1 if end_col > col else 3
    n_nodes, walls, corners = len(ground[0]), ground[5], 0
    for turn in range(2):
        corner = end_row * cols + col if turn == 0 else row * cols + end_col
        first, second = (down, across) if turn == 0 else (across, down)
        for side in range(corner, n_nodes, n_cells):
            if len(blocked) > 0 and blocked[side]:
                continue
            is_wall = is_walled(walls, side // n_cells * n_nodes, start, first)
            status = status_between(ground, mover, start, side, is_wall)
            if status == LEGAL:
                is_wall = is_walled(walls, end // n_cells * n_nodes, side, second)
                status = status_between(ground, mover, side, end, is_wall)
            if status == LEGAL:
                corners |= 1 << turn
                break
    return corners


@compiled
def explained_statuses(
    ground: Array,
    mover: Number,
    starts: Array,
    ends: Array,
    direction: Number,
    n_detours: Number,
    cols: Number,
    n_cells: Number,
) -> NDArray[np.int64]:
    """Return (n, 2) the status of each step and, if it needs detours, its `open_corners`."""
    found = np.zeros((len(starts), 2), dtype=np.int64)
    n_nodes, no_start, walls = len(ground[0]), ground[2], ground[5]
    for step in range(len(starts)):
        start, end = starts[step], ends[step]
        towards = end // n_cells * n_nodes
        is_wall = direction >= 0 and is_walled(walls, towards, start, direction)
        status = status_between(ground, mover, start, end, is_wall)
        if status == LEGAL and n_detours > 0:
            corners = open_corners(ground, mover, no_start[:0], start, end, cols, n_cells)
            if (corners & 1) + (corners >> 1) < n_detours:
                status = CORNER
            found[step, 1] = corners
        found[step, 0] = status
    return found


@inlined
def _write(
    price: Number,
    whole_mark: Number,
    mark: Number,
    is_whole: bool,
    whole: Array,
    fractional: Array,
    start: Number,
    slot: Number,
) -> Number:
    """Write a price, or a mark if it is infinite; return how it differs from the one before."""
    if is_whole:
        before, after = whole[start, slot], np.uint8(price if price < np.inf else whole_mark)
        whole[start, slot] = after
        return (before != after) | (after < before) << 1
    was, now = fractional[start, slot], np.float64(price if price < np.inf else mark)
    fractional[start, slot] = now
    return (was != now) | (now < was) << 1


@compiled
def price_steps(  # noqa: C901 - one loop over what a step can be
    level: Array,
    kind: Array,
    no_start: Array,
    no_end: Array,
    ceiling: Array,
    walls: Array,
    rule: Array,
    blocked: Array,
    top: Number,
    left: Number,
    bottom: Number,
    right: Number,
    whole: Array,
    fractional: Array,
) -> int:
    """Write the price of every step that starts in a rectangle; return SAME, CHANGED or CHEAPER.

    The first arguments are those of `Footprint.arrays`, and `rule` is a bundle of `StepRule`.
    `blocked` is (n_nodes,) or empty: no detour around a corner may use these nodes. The prices go
    to `whole` or to `fractional`, (n_nodes, n_slots), in the form of `Graph`; the other one is
    empty. Two arguments keep it at one compilation for both.
    """
    entry, rise_cost = line_at(rule, 0, np.float64), line_at(rule, 1, np.float64)
    moves, parity = table_at(rule, 2, np.int64), table_at(rule, 3, np.uint8)
    numbers, diagonal_cost = line_at(rule, 4, np.int64), line_at(rule, 5, np.float64)[0]
    max_climb, max_drop, headroom, can_fly = numbers[0], numbers[1], numbers[2], numbers[3] != 0
    n_straight, size, n_detours = numbers[4], numbers[5], numbers[6]
    is_whole = len(whole) > 0
    rows, cols = parity.shape
    n_cells = rows * cols
    n_layers, n_parities, n_moves = len(level) // n_cells, len(moves), moves.shape[1] // 2
    delta = moves.reshape((n_parities, n_moves, 2))
    has_ceiling, has_walls = len(ceiling) > 0, len(walls) > 0
    room, is_wall, change = np.int64(OPEN_SKY), False, SAME
    ground = level, kind, no_start, no_end, ceiling, walls
    mover = entry, max_climb, max_drop, headroom, can_fly
    # The innermost loop takes the most time, so what depends on the move is looked up before it.
    for deck in range(n_layers):
        for to in range(n_layers):
            for move in range(n_moves):
                slot = to * n_moves + move
                is_straight = move < n_straight
                direction = move if is_straight else 0
                factor = 1.0 if is_straight else diagonal_cost
                is_wall, towards = False, to * len(level)
                for shape in range(n_parities):
                    down, across = delta[shape, move, 0], delta[shape, move, 1]
                    for row in range(top, bottom):
                        first = (deck * rows + row) * cols
                        ahead = (to * rows + row + down) * cols + across - first
                        is_inside = 0 <= row + down <= rows - size
                        for col in range(left, right):
                            if n_parities > 1 and parity[row, col] != shape:
                                continue
                            start = first + col
                            end = start + ahead
                            # A tile without this deck has no neighbor there.
                            if (
                                not is_inside
                                or not 0 <= col + across <= cols - size
                                or (to > 0 and no_start[end])
                                or (deck > 0 and no_start[start])
                            ):
                                found = _write(
                                    np.inf, NO_STEP, NO_STEP_FLOAT, is_whole, whole, fractional,
                                    start, slot,
                                )  # fmt: skip
                                change |= found
                                continue
                            here, there = np.int64(level[start]), np.int64(level[end])
                            if has_ceiling:
                                room = min(np.int64(ceiling[start]), np.int64(ceiling[end]))
                                room -= max(here, there)
                            if has_walls and is_straight:
                                is_wall = is_walled(walls, towards, start, direction)
                            enter = entry[kind[end]]
                            status = step_status(
                                not no_start[start], not no_end[end], enter, can_fly, room,
                                headroom, is_wall, there - here, max_climb, max_drop,
                            )  # fmt: skip
                            is_legal = status == LEGAL
                            if is_legal and not is_straight and n_detours > 0:
                                corners = open_corners(
                                    ground, mover, blocked, start, end, cols, n_cells
                                )
                                is_legal = (corners & 1) + (corners >> 1) >= n_detours
                            price = np.inf
                            if is_legal and can_fly:
                                price = factor
                            elif is_legal:
                                price = enter * factor + rise_cost[there - here + max_drop]
                            found = _write(
                                price, ILLEGAL_STEP, ILLEGAL_STEP_FLOAT, is_whole, whole,
                                fractional, start, slot,
                            )  # fmt: skip
                            change |= found
    return change
