"""The price of every step, worked out for all tiles of a rectangle at once.

A step from surface u to a surface v of a neighboring column rises by r = level(v) - level(u). It
is legal if -max_drop <= r <= max_climb, both exist, v's kind can be entered, no wall stands on the
edge and the free air above both is tall enough. It costs entry(v), on a diagonal times
diagonal_cost, plus the surcharge of r. A diagonal step may also need the two-step detours around
its corner, whose steps follow the same rule. A leap skips tiles on which everything lies lower than
both its ends.
"""

import numpy as np

from ai.search.compiled import Array, Number, compiled, inlined


@inlined
def _price(
    level: Array,
    kind: Array,
    is_void: Array,
    ceiling: Array,
    walls: Array,
    entry: Array,
    rise_cost: Array,
    max_drop: Number,
    body: Number,
    can_fly: bool,
    start: Number,
    end: Number,
    direction: Number,
    factor: Number,
) -> Number:
    """Price a step between (deck, row, col) surfaces; infinity: not legal."""
    if is_void[start] and not (can_fly and start[0] == 0):
        return np.inf
    if is_void[end] and not (can_fly and end[0] == 0):
        return np.inf
    if len(ceiling) > 0:
        low = max(level[start], level[end])
        if min(ceiling[start], ceiling[end]) - low < body:
            return np.inf
    if can_fly:
        return factor
    if direction >= 0 and len(walls) > 0 and (walls[start] >> direction) & 1:
        return np.inf
    place = np.int64(level[end]) - np.int64(level[start]) + max_drop
    if place < 0 or place >= len(rise_cost):
        return np.inf
    return entry[kind[end]] * factor + rise_cost[place]


@compiled
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
    can_fly: bool,
    start: Number,
    end: Number,
) -> Number:
    """Count the corners of a diagonal step around which two legal steps lead."""
    ways = 0
    down = 2 if end[1] > start[1] else 0  # directions: north, east, south, west
    across = 1 if end[2] > start[2] else 3
    for turn in range(2):
        row, col = (end[1], start[2]) if turn == 0 else (start[1], end[2])
        first, second = (down, across) if turn == 0 else (across, down)
        is_open = False
        for deck in range(len(level)):
            side = deck, row, col
            if len(blocked) > 0 and blocked[side]:
                continue
            price = _price(
                level, kind, is_void, ceiling, walls, entry, rise_cost, max_drop, body, can_fly,
                start, side, first, 1.0,
            )  # fmt: skip
            price += _price(
                level, kind, is_void, ceiling, walls, entry, rise_cost, max_drop, body, can_fly,
                side, end, second, 1.0,
            )  # fmt: skip
            is_open |= price < np.inf
        ways += is_open
    return ways


@compiled
def _leap_price(
    level: Array,
    kind: Array,
    is_void: Array,
    ceiling: Array,
    entry: Array,
    rise_cost: Array,
    max_drop: Number,
    body: Number,
    start: Number,
    end: Number,
    moves: Array,
    n_straight: Number,
    n_single: Number,
    way: Number,
    tiles: Number,
) -> Number:
    """Price a leap over so many tiles less one; infinity: not legal."""
    if is_void[start] or is_void[end]:
        return np.inf
    if len(ceiling) > 0 and ceiling[end] - level[end] < body:
        return np.inf
    place = np.int64(level[end]) - np.int64(level[start]) + max_drop
    if place < 0 or place >= len(rise_cost):
        return np.inf
    low = min(level[start], level[end])
    for tile in range(1, tiles):
        move = way if tile == 1 else n_single + (tile - 2) * n_straight + way
        row, col = start[1] + moves[move, 0], start[2] + moves[move, 1]
        for deck in range(len(level)):
            if not is_void[deck, row, col] and level[deck, row, col] >= low:
                return np.inf
    return entry[kind[end]] + rise_cost[place] + (tiles - 1)


@compiled
def bake(  # noqa: C901 - one loop over what a step can be
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
    can_fly: bool,
    moves: Array,
    length: Array,
    n_straight: Number,
    n_single: Number,
    parity: Array,
    factor: Number,
    corner_mode: Number,
    top: Number,
    left: Number,
    bottom: Number,
    right: Number,
    step_cost: Array,
    broken: Number,
    none: Number,
) -> None:
    """Write the price of every step that starts in a rectangle; see `StepRule` and `Footing`.

    `blocked` has the surfaces that no detour around a corner may use; empty if there are none.
    `step_cost` is (n_layers, rows, cols, n_slots), `broken` and `none` are the marks of `Graph`.
    """
    n_layers, rows, cols = level.shape
    n_moves = moves.shape[1]
    for deck in range(n_layers):
        for row in range(top, bottom):
            for col in range(left, right):
                ways = moves[np.int64(parity[row, col])]
                for move in range(n_moves):
                    end_row, end_col = row + ways[move, 0], col + ways[move, 1]
                    is_inside = 0 <= end_row < rows and 0 <= end_col < cols
                    for to in range(n_layers):
                        slot = to * n_moves + move
                        if not is_inside:
                            step_cost[deck, row, col, slot] = none
                            continue
                        start, end = (deck, row, col), (to, end_row, end_col)
                        # A deck that is not there is no neighbor, nor is where no leap leads.
                        is_there = not ((is_void[start] and deck > 0) or (is_void[end] and to > 0))
                        if move < n_single:
                            is_straight = move < n_straight
                            price = _price(
                                level, kind, is_void, ceiling, walls, entry, rise_cost, max_drop,
                                body, can_fly, start, end, move if is_straight else -1,
                                1.0 if is_straight else factor,
                            )  # fmt: skip
                            if not is_straight and corner_mode > 0 and price < np.inf:
                                around = _ways_around(
                                    level, kind, is_void, ceiling, walls, blocked, entry,
                                    rise_cost, max_drop, body, can_fly, start, end,
                                )  # fmt: skip
                                if around < corner_mode:
                                    price = np.inf
                        else:
                            price = _leap_price(
                                level, kind, is_void, ceiling, entry, rise_cost, max_drop, body,
                                start, end, ways, n_straight, n_single,
                                (move - n_single) % n_straight, length[move],
                            )  # fmt: skip
                        if price < np.inf:
                            step_cost[deck, row, col, slot] = price
                        else:
                            is_there &= move < n_single
                            step_cost[deck, row, col, slot] = broken if is_there else none
