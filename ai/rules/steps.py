"""The compiled step rule: which steps are legal, and the price of every step of a map.

A step from surface u to surface v of a neighboring column rises by r = level(v) - level(u). It is
legal if both surfaces exist, v's kind can be entered, the free air above both is tall enough, no
wall parts the two and -max_drop <= r <= max_climb. It costs entry(v), on a diagonal times
diagonal_cost, plus the surcharge of r. A flyer ignores kinds, walls and rises; each of its steps
costs 1, a diagonal one diagonal_cost. A diagonal step may also need legal detours around its
corner.

Each condition stands once, in `step_status` or `open_corners`, and its reason in
`ai.rules.reasons`. `price_steps` calls them for every step of a map, `explained_statuses` for some.

To add a condition: add a status, return it in `step_status`, give it a reason in `step_reason` and
words beside it, and test it in `tests/support/rulebook.py`. A new field of `MoveProfile` that a
condition needs goes into `Mover`, a new array of the map into `Footprint.arrays`. The functions
here get them as `mover` and `ground`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.rules.footprint import OPEN_SKY, Ground
from ai.search.graph import illegal_mark
from ai.search.jit import Int, compiled, inlined

LEGAL, NO_START, NO_END, KIND, HEADROOM, WALL, CLIMB, DROP, CORNER = range(9)
"""Statuses of a step, in the order in which they are tested."""

NO_EDGE = -1
"""The direction of a step that crosses no edge."""

SAME, CHANGED, CHEAPER = 0, 1, 3
"""How new prices differ from those before: not at all, not downward, or some are lower. As flags,
so that the loop over steps adds them up without a branch, which would make it five times slower."""


CANNOT_ENTER = 2**62
"""The price to enter a kind that cannot be entered."""


class Mover(NamedTuple):
    """The numbers of a profile on a map; limits are in levels, prices in units of the graph."""

    entry: NDArray[np.int64]
    """(n_kinds,) price to enter each kind over an edge, or `CANNOT_ENTER`."""
    max_climb: int
    max_drop: int
    headroom: int
    can_fly: bool
    diagonal: NDArray[np.int64]
    """(n_kinds,) price to enter each kind by a diagonal step, or `CANNOT_ENTER`."""
    rise: NDArray[np.int64]
    """(max_drop + max_climb + 1,) surcharge of each legal rise, from the deepest drop up."""


@inlined
def step_status(
    has_start: bool,
    has_end: bool,
    entry: Int,
    can_fly: bool,
    room: Int,
    headroom: Int,
    is_walled: bool,
    rise: Int,
    max_climb: Int,
    max_drop: Int,
) -> Int:
    """Return LEGAL, or the first condition that a step fails.

    It takes no arrays: in a loop over all steps, passing them costs more than everything else.
    """
    if not has_start:
        return NO_START
    if not has_end:
        return NO_END
    if not (can_fly or entry < CANNOT_ENTER):
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
def is_walled(walls: NDArray[np.uint8], towards: Int, start: Int, direction: Int) -> bool:
    """Return whether a wall blocks a step from a node.

    `walls` are those of a `Footprint`; `towards` is where the walls of the end's deck begin.
    """
    return len(walls) > 0 and (walls[towards + start] >> direction) & 1 > 0


@compiled
def status_between(ground: Ground, mover: Mover, start: Int, end: Int, is_wall: bool) -> Int:
    """Return the status of a step between two nodes; see `step_status`."""
    level, kind, no_start, no_end, ceiling, _ = ground
    here, there = np.int64(level[start]), np.int64(level[end])
    room = np.int64(OPEN_SKY)
    if len(ceiling) > 0:
        room = min(np.int64(ceiling[start]), np.int64(ceiling[end])) - max(here, there)
    return step_status(
        not no_start[start],
        not no_end[end],
        mover.entry[kind[end]],
        mover.can_fly,
        room,
        mover.headroom,
        is_wall,
        there - here,
        mover.max_climb,
        mover.max_drop,
    )


@compiled
def open_corners(
    ground: Ground, mover: Mover, start: Int, end: Int, cols: Int, n_cells: Int
) -> Int:
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
    ground: Ground,
    mover: Mover,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    direction: Int,
    n_detours: Int,
    cols: Int,
    n_cells: Int,
) -> NDArray[np.int64]:
    """Return (n, 2) the status of each step and, if it needs detours, its `open_corners`.

    `mover` is a plain tuple of its fields.
    """
    mover, found = Mover(*mover), np.zeros((len(starts), 2), dtype=np.int64)
    n_nodes, walls = len(ground[0]), ground[5]
    for step in range(len(starts)):
        start, end = starts[step], ends[step]
        towards = end // n_cells * n_nodes
        is_wall = direction >= 0 and is_walled(walls, towards, start, direction)
        status = status_between(ground, mover, start, end, is_wall)
        if status == LEGAL and n_detours > 0:
            corners = open_corners(ground, mover, start, end, cols, n_cells)
            if (corners & 1) + (corners >> 1) < n_detours:
                status = CORNER
            found[step, 1] = corners
        found[step, 0] = status
    return found


class StepTable(NamedTuple):
    """What `price_steps` reads of a rule, which never changes."""

    moves: NDArray[np.int64]
    """(n_parities, n_moves, 2) change of row and column: over edges, then over corners."""
    n_straight: int
    """Number of moves over an edge; these come first, in the order of the grid's directions."""
    parity: NDArray[np.uint8]
    """(rows, cols) which set of moves each column of surfaces has."""
    size: int
    n_detours: int
    """How many legal detours a diagonal step needs."""


@compiled
def price_steps(  # noqa: C901 - one loop over what a step can be
    ground: Ground,
    mover: Mover,
    table: StepTable,
    rect: tuple[Int, Int, Int, Int],
    cost: NDArray[Any],
) -> Int:
    """Write the price of every step that starts in a rectangle; return SAME, CHANGED or CHEAPER.

    `mover` and `table` are plain tuples of their fields, which take less time to pass. `rect` is
    top, left, bottom and right. The prices go to `cost`, in the form of `Graph`.
    """
    mover, table = Mover(*mover), StepTable(*table)
    level, kind, no_start, no_end, ceiling, walls = ground
    n_straight, size, n_detours = table.n_straight, table.size, table.n_detours
    max_climb, max_drop, can_fly = mover.max_climb, mover.max_drop, mover.can_fly
    top, left, bottom, right = rect
    rows, cols = table.parity.shape
    n_cells, illegal = rows * cols, illegal_mark(cost)
    n_layers, (n_parities, n_moves, _) = len(level) // n_cells, table.moves.shape
    has_ceiling, has_walls = len(ceiling) > 0, len(walls) > 0
    room, is_wall, change = np.int64(OPEN_SKY), False, np.int64(SAME)
    # The innermost loop takes the most time, so what depends on the move is looked up before it.
    for deck in range(n_layers):
        for to in range(n_layers):
            for move in range(n_moves):
                slot = to * n_moves + move
                is_straight = move < n_straight
                direction = move if is_straight else 0
                entry = mover.entry if is_straight else mover.diagonal
                is_wall, towards = False, to * len(level)
                for shape in range(n_parities):
                    down, across = table.moves[shape, move, 0], table.moves[shape, move, 1]
                    for row in range(top, bottom):
                        first = (deck * rows + row) * cols
                        ahead = (to * rows + row + down) * cols + across - first
                        is_inside = 0 <= row + down <= rows - size
                        for col in range(left, right):
                            if n_parities > 1 and table.parity[row, col] != shape:
                                continue
                            start = first + col
                            end = start + ahead
                            price = illegal
                            # A tile without this deck has no neighbor there.
                            if (
                                not is_inside
                                or not 0 <= col + across <= cols - size
                                or (to > 0 and no_start[end])
                                or (deck > 0 and no_start[start])
                            ):
                                price = illegal + 1
                            else:
                                here, there = np.int64(level[start]), np.int64(level[end])
                                if has_ceiling:
                                    room = min(np.int64(ceiling[start]), np.int64(ceiling[end]))
                                    room -= max(here, there)
                                if has_walls and is_straight:
                                    is_wall = is_walled(walls, towards, start, direction)
                                enter, rise = entry[kind[end]], there - here
                                status = step_status(
                                    not no_start[start], not no_end[end], enter, can_fly, room,
                                    mover.headroom, is_wall, rise, max_climb, max_drop,
                                )  # fmt: skip
                                is_legal = status == LEGAL
                                if is_legal and not is_straight and n_detours > 0:
                                    corners = open_corners(ground, mover, start, end, cols, n_cells)
                                    is_legal = (corners & 1) + (corners >> 1) >= n_detours
                                if is_legal:
                                    price = (
                                        enter if can_fly else enter + mover.rise[rise + max_drop]
                                    )
                            before = np.int64(cost[start, slot])
                            cost[start, slot] = price
                            change |= np.int64(before != price) | np.int64(price < before) << 1
    return change
