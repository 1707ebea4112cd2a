"""The price of every step that starts in a rectangle, in one compiled loop."""

import numpy as np

from ai.compilation.jit import Array, Number, compiled, helper, inlined
from ai.rules.footprint import OPEN_SKY
from ai.rules.step_conditions import (
    LEGAL,
    is_leap_clear,
    is_walled,
    open_corners,
    step_status,
)
from ai.search.graph import ILLEGAL_STEP, ILLEGAL_STEP_FLOAT, NO_STEP, NO_STEP_FLOAT

SAME, CHANGED, CHEAPER = 0, 1, 3
"""How new prices differ from those before: not at all, not downward, or some are lower. As flags,
so that the loop over steps adds them up without a branch, which would make it five times slower."""


@helper
def _is_clear(
    level: Array,
    no_start: Array,
    under: Array,
    headroom: Number,
    delta: Array,
    n_straight: Number,
    n_single: Number,
    start: Number,
    end: Number,
    shape: Number,
    direction: Number,
    tiles: Number,
    cols: Number,
    n_cells: Number,
) -> Number:
    """Return whether a leap of a length in tiles is clear of every tile that it skips.

    No flyer leaps, so no step starts on what is void.
    """
    for tile in range(1, tiles):
        move = direction if tile == 1 else n_single + (tile - 2) * n_straight + direction
        skipped = start % n_cells + delta[shape, move, 0] * cols + delta[shape, move, 1]
        if not is_leap_clear(level, no_start, under, headroom, start, end, skipped, n_cells):
            return False
    return True


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
    under: Array,
    entry: Array,
    max_climb: Number,
    max_drop: Number,
    headroom: Number,
    can_fly: bool,
    rise_cost: Array,
    delta: Array,
    length: Array,
    n_straight: Number,
    n_single: Number,
    parity: Array,
    size: Number,
    diagonal_cost: Number,
    n_detours: Number,
    blocked: Array,
    top: Number,
    left: Number,
    bottom: Number,
    right: Number,
    is_whole: bool,
    whole: Array,
    fractional: Array,
) -> int:
    """Write the price of every step that starts in a rectangle; return SAME, CHANGED or CHEAPER.

    `blocked` is (n_nodes,) or empty: no detour around a corner may use these nodes. The prices go
    to `whole` or to `fractional`, (n_nodes, n_slots), in the form of `Graph`; the other one is
    empty. Two arguments keep it at one compilation for both.
    """
    rows, cols = parity.shape
    n_cells = rows * cols
    n_layers, n_moves = len(level) // n_cells, delta.shape[1]
    n_parities = len(delta)
    has_ceiling, has_walls = len(ceiling) > 0, len(walls) > 0
    room, is_wall, change = np.int64(OPEN_SKY), False, SAME
    ground = level, kind, no_start, no_end, ceiling, walls
    mover = entry, max_climb, max_drop, headroom, can_fly
    # The innermost loop takes the most time, so what depends on the move is looked up before it.
    for deck in range(n_layers):
        for to in range(n_layers):
            for move in range(n_moves):
                slot = to * n_moves + move
                is_straight, is_leap = move < n_straight, move >= n_single
                direction = move if is_straight else 0
                factor = diagonal_cost if not is_straight and not is_leap else 1.0
                surcharge = length[move] - 1.0  # for the tiles that a leap skips
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
                            if is_legal and is_leap:
                                is_legal = _is_clear(
                                    level, no_start, under, headroom, delta, n_straight, n_single,
                                    start, end, shape, (move - n_single) % n_straight, length[move],
                                    cols, n_cells,
                                )  # fmt: skip
                            elif is_legal and not is_straight and n_detours > 0:
                                corners = open_corners(
                                    ground, mover, blocked, start, end, cols, n_cells
                                )
                                is_legal = (corners & 1) + (corners >> 1) >= n_detours
                            price = np.inf
                            if is_legal and can_fly:
                                price = factor
                            elif is_legal:
                                price = enter * factor + rise_cost[there - here + max_drop]
                                price += surcharge
                            found = _write(
                                price, ILLEGAL_STEP, ILLEGAL_STEP_FLOAT, is_whole, whole,
                                fractional, start, slot,
                            )  # fmt: skip
                            change |= found
    return change
