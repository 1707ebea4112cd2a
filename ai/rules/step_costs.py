"""The price of every step, worked out for all tiles of a rectangle at once.

A step from surface u to a surface v of a neighboring column rises by r = level(v) - level(u). It
is legal if -max_drop <= r <= max_climb, both exist, v's kind can be entered, no wall stands on the
edge and the free air above both is tall enough. It costs entry(v), on a diagonal times
diagonal_cost, plus the surcharge of r. A diagonal step may also need the two-step detours around
its corner, whose steps follow the same rule. A leap skips tiles on which everything lies lower than
both its ends or hangs high enough above them, whatever walls stand on the edges; above both ends it
needs the same free air as a step.
"""

import numpy as np

from ai.rules.footprint import OPEN_SKY
from ai.search.graph import BROKEN_STEP, BROKEN_STEP_FLOAT, NO_STEP, NO_STEP_FLOAT
from ai.search.jit import Array, Number, compiled, helper, inlined


@inlined
def _price(
    is_there: bool,
    can_fly: bool,
    room: Number,
    body: Number,
    is_walled: bool,
    surcharge: Number,
    entry: Number,
    factor: Number,
) -> Number:
    """Price a step; infinity: not legal.

    It takes no arrays: handing them on costs more, in loops over all steps, than all the rest.
    """
    if not is_there or room < body:
        return np.inf
    if can_fly:
        return factor
    if is_walled:
        return np.inf
    return entry * factor + surcharge


@helper
def _price_between(
    level: Array,
    kind: Array,
    is_void: Array,
    ceiling: Array,
    walls: Array,
    entry: Array,
    rise_cost: Array,
    max_drop: Number,
    body: Number,
    flies_to: Number,
    start: Number,
    end: Number,
    direction: Number,
) -> Number:
    """Price the step across an edge between two nodes; infinity: not legal."""
    is_there = (not is_void[start] or start < flies_to) and (not is_void[end] or end < flies_to)
    here, there = np.int64(level[start]), np.int64(level[end])
    room = np.int64(OPEN_SKY)
    if len(ceiling) > 0:
        room = min(np.int64(ceiling[start]), np.int64(ceiling[end])) - max(here, there)
    is_walled = len(walls) > 0 and (walls[start] >> direction) & 1 > 0
    place = there - here + max_drop
    surcharge = rise_cost[place] if 0 <= place < len(rise_cost) else np.inf
    return _price(is_there, flies_to > 0, room, body, is_walled, surcharge, entry[kind[end]], 1.0)


@helper
def _ways_around(
    level: Array,
    kind: Array,
    is_void: Array,
    ceiling: Array,
    walls: Array,
    blocked: Array,
    entry: Array,
    rise_cost: Array,
    max_drop: Number,
    body: Number,
    flies_to: Number,
    start: Number,
    end: Number,
    n_cells: Number,
    cols: Number,
) -> Number:
    """Count the corners of a diagonal step around which two legal steps lead."""
    ways = 0
    row, col = start % n_cells // cols, start % cols
    end_row, end_col = end % n_cells // cols, end % cols
    down = 2 if end_row > row else 0  # directions: north, east, south, west
    across = 1 if end_col > col else 3
    for turn in range(2):
        corner = end_row * cols + col if turn == 0 else row * cols + end_col
        first, second = (down, across) if turn == 0 else (across, down)
        is_open = False
        for side in range(corner, len(level), n_cells):
            if len(blocked) > 0 and blocked[side]:
                continue
            price = _price_between(
                level, kind, is_void, ceiling, walls, entry, rise_cost, max_drop, body, flies_to,
                start, side, first,
            )  # fmt: skip
            price += _price_between(
                level, kind, is_void, ceiling, walls, entry, rise_cost, max_drop, body, flies_to,
                side, end, second,
            )  # fmt: skip
            is_open |= price < np.inf
        ways += is_open
    return ways


@helper
def _leap_price(
    level: Array,
    kind: Array,
    is_void: Array,
    under: Array,
    ceiling: Array,
    entry: Array,
    rise_cost: Array,
    max_drop: Number,
    body: Number,
    start: Number,
    end: Number,
    n_cells: Number,
    cols: Number,
    moves: Array,
    parity: Number,
    n_straight: Number,
    n_single: Number,
    way: Number,
    tiles: Number,
) -> Number:
    """Price a leap over so many tiles less one; infinity: not legal."""
    if is_void[start] or is_void[end]:
        return np.inf
    low, high = min(level[start], level[end]), max(level[start], level[end])
    if len(ceiling) > 0 and min(ceiling[start], ceiling[end]) - high < body:
        return np.inf
    place = np.int64(level[end]) - np.int64(level[start]) + max_drop
    if place < 0 or place >= len(rise_cost):
        return np.inf
    for tile in range(1, tiles):
        move = way if tile == 1 else n_single + (tile - 2) * n_straight + way
        skipped = start % n_cells + moves[parity, move, 0] * cols + moves[parity, move, 1]
        for node in range(skipped, len(level), n_cells):
            if is_void[node] or level[node] < low:
                continue
            if node < n_cells or under[node] < high + body:
                return np.inf
    return entry[kind[end]] + rise_cost[place] + (tiles - 1)


@inlined
def _write(
    price: Number, is_whole: bool, whole: Array, fractional: Array, start: Number, slot: Number
) -> None:
    if is_whole:
        whole[start, slot] = price if price < np.inf else BROKEN_STEP
    else:
        fractional[start, slot] = price if price < np.inf else BROKEN_STEP_FLOAT


@compiled
def price_steps(  # noqa: C901 - one loop over what a step can be
    level: Array,
    kind: Array,
    is_void: Array,
    is_barred: Array,
    under: Array,
    ceiling: Array,
    walls: Array,
    blocked: Array,
    entry: Array,
    rise_cost: Array,
    max_drop: Number,
    body: Number,
    can_fly: bool,
    moves: Array,
    length: Array,
    n_straight: Number,
    n_single: Number,
    parity: Array,
    size: Number,
    factor: Number,
    corner_mode: Number,
    top: Number,
    left: Number,
    bottom: Number,
    right: Number,
    is_whole: bool,
    whole: Array,
    fractional: Array,
) -> None:
    """Write the price of every step that starts in a rectangle; see `StepRule` and `Footprint`.

    The arrays of the footprint and `blocked` are (n_nodes,), empty where there are none;
    no detour around a corner may use what is blocked. The prices go to `whole` or to `fractional`,
    (n_nodes, n_slots), as `Graph` wants them; the other one is empty. They are two so that this is
    compiled but once.
    """
    rows, cols = parity.shape
    n_cells = rows * cols
    n_layers, n_moves = len(level) // n_cells, moves.shape[1]
    flies_to = n_cells if can_fly else 0
    n_parities, n_rises = len(moves), len(rise_cost)
    has_ceiling, has_walls = len(ceiling) > 0, len(walls) > 0
    room, is_walled = np.int64(OPEN_SKY), False
    # Nothing of a move has to be looked up again in the innermost loop, which is the longest.
    for deck in range(n_layers):
        for to in range(n_layers):
            for move in range(n_moves):
                slot = to * n_moves + move
                is_straight, is_leap = move < n_straight, move >= n_single
                direction, share = (move, 1.0) if is_straight else (0, factor)
                is_walled = False
                for shape in range(n_parities):
                    down, across = moves[shape, move, 0], moves[shape, move, 1]
                    for row in range(top, bottom):
                        first = (deck * rows + row) * cols
                        ahead = (to * rows + row + down) * cols + across - first
                        is_inside = 0 <= row + down <= rows - size
                        for col in range(left, right):
                            if n_parities > 1 and parity[row, col] != shape:
                                continue
                            start = first + col
                            end = start + ahead
                            # A deck that is not there is no neighbor.
                            if (
                                not is_inside
                                or not 0 <= col + across <= cols - size
                                or (to > 0 and is_void[end])
                                or (deck > 0 and is_void[start])
                            ):
                                if is_whole:
                                    whole[start, slot] = NO_STEP
                                else:
                                    fractional[start, slot] = NO_STEP_FLOAT
                                continue
                            if is_leap:
                                price = _leap_price(
                                    level, kind, is_void, under, ceiling, entry, rise_cost,
                                    max_drop, body, start, end, n_cells, cols, moves, shape,
                                    n_straight, n_single, (move - n_single) % n_straight,
                                    length[move],
                                )  # fmt: skip
                                _write(price, is_whole, whole, fractional, start, slot)
                                continue
                            is_there = (not is_void[start] or start < flies_to) and (
                                not is_barred[end] or end < flies_to
                            )
                            here, there = np.int64(level[start]), np.int64(level[end])
                            if has_ceiling:
                                room = min(np.int64(ceiling[start]), np.int64(ceiling[end]))
                                room -= max(here, there)
                            if has_walls and is_straight:
                                is_walled = (walls[start] >> direction) & 1 > 0
                            place = there - here + max_drop
                            surcharge = rise_cost[place] if 0 <= place < n_rises else np.inf
                            price = _price(
                                is_there, can_fly, room, body, is_walled, surcharge,
                                entry[kind[end]], share,
                            )  # fmt: skip
                            if not is_straight and corner_mode > 0 and price < np.inf:
                                around = _ways_around(
                                    level, kind, is_void, ceiling, walls, blocked, entry,
                                    rise_cost, max_drop, body, flies_to, start, end, n_cells, cols,
                                )  # fmt: skip
                                if around < corner_mode:
                                    price = np.inf
                            _write(price, is_whole, whole, fractional, start, slot)
