"""Compiled heuristics: lower bounds of the remaining cost, node by node."""

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, compiled, helper, inlined, u64
from ai.search.grid_index import row_and_col, striped_index, width_of

_ROW_BITS = 10
"""Bits for the number of a row; at most 128 landmarks have two rows each."""


@helper
def unpacked(weights: Array, cols: Number) -> Number:
    """Return `Heuristic.weights` and the width as plain numbers, which are read only once."""
    numbers = weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]
    return numbers, width_of(cols)


@inlined
def place_of(node: Number, width: Number, place: Array, level: Array) -> Number:
    """Return two coordinates and the level of a node; see `NodeLayout`."""
    if place is None:
        a, b = row_and_col(node, width)
    else:
        a, b = np.int64(place[node, 0]), np.int64(place[node, 1])
    return a, b, np.int64(level[u64(node)])


@inlined
def estimate(
    node: Number, goal: Number, width: Number, place: Array, level: Array, weights: Number
) -> Number:
    """Return a lower bound of the cost from a node to a goal; see `Heuristic.weights`."""
    return bound_between(place_of(node, width, place, level), goal, place, weights)


@inlined
def bound_between(start: Number, goal: Number, place: Array, weights: Number) -> Number:
    """Return a lower bound of the cost between two nodes, each a result of `place_of`."""
    axis, turn, opposite, climb, drop, straight = weights
    da, db, rise = goal[0] - start[0], goal[1] - start[1], goal[2] - start[2]
    if place is not None and (da < 0) != (db < 0):
        turn = opposite
    away = axis * max(abs(da), abs(db)) + turn * min(abs(da), abs(db))
    if place is not None and straight > 0:
        away = type(away)(straight * np.sqrt(np.float64(da * da + db * db)))
    return away + (climb * rise if rise > 0 else -drop * rise)


@helper
def no_rows(zero: Number) -> Number:
    """Return the `rows` of `landmark_bound` without landmarks; `zero` sets their type."""
    nothing = np.int64(0), zero
    return (
        nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, np.int64(1)
    )  # fmt: skip


@helper
def choose_rows(
    coarse: Array, striped: Array, start: Number, goal: Number, width: Number, zero: Number
) -> Number:
    """Choose the eight rows of a table with the highest bounds of the cost from start to goal.

    Each is its number and the goal's entry in it, the best first; a row with no bound is row 0 with
    an entry of 0. The number of map rows follows. All are plain numbers: entries of an array would
    be read again at every node.
    """
    n_rows = len(coarse) // width[0]
    end = striped_index(goal, width, n_rows)
    best = np.zeros(8, dtype=np.int64)  # the bound, and in the bits below it the row
    for row in range(coarse.shape[1]):
        bound = np.int64(coarse[u64(goal), u64(row)]) - np.int64(coarse[u64(start), u64(row)])
        bound = ((bound + 128) & 255) - 128  # as int8, but numpy warns where that wraps around
        key = (bound << _ROW_BITS) - row
        for place in range(8):
            if key <= best[7]:
                break
            if key > best[place]:
                best[place], key = key, best[place]
    return (
        _with_entry(best[0], striped, end, zero),
        _with_entry(best[1], striped, end, zero),
        _with_entry(best[2], striped, end, zero),
        _with_entry(best[3], striped, end, zero),
        _with_entry(best[4], striped, end, zero),
        _with_entry(best[5], striped, end, zero),
        _with_entry(best[6], striped, end, zero),
        _with_entry(best[7], striped, end, zero),
        n_rows,
    )


@helper
def _with_entry(key: Number, striped: Array, end: Number, zero: Number) -> Number:
    row = np.int64(-key & ((1 << _ROW_BITS) - 1))
    return (row, type(zero)(striped[row, end])) if key > 0 else (np.int64(0), zero)


@inlined
def landmark_bound(striped: Array, rows: Number, node: Number, width: Number) -> Number:
    """Return the highest bound of eight rows of the table; see `Landmarks`."""
    a, b, c, d, e, f, g, h, n_rows = rows
    here = u64(striped_index(node, width, n_rows))
    return max(
        max(
            max(a[1] - striped[u64(a[0]), here], b[1] - striped[u64(b[0]), here]),
            max(c[1] - striped[u64(c[0]), here], d[1] - striped[u64(d[0]), here]),
        ),
        max(
            max(e[1] - striped[u64(e[0]), here], f[1] - striped[u64(f[0]), here]),
            max(g[1] - striped[u64(g[0]), here], h[1] - striped[u64(h[0]), here]),
        ),
    )


@inlined
def lower_bound(
    node: Number,
    end: Number,
    width: Number,
    place: Array,
    level: Array,
    weights: Number,
    striped: Array,
    rows: Number,
) -> Number:
    """Return the higher one of `estimate` and, if there is a table, `landmark_bound`."""
    bound = estimate(node, end, width, place, level, weights)
    if striped is not None and len(striped) > 0:
        bound = max(bound, landmark_bound(striped, rows, node, width))
    return bound


@compiled
def estimates(
    goal: Number, cols: Number, place: Array, level: Array, weights: Array
) -> NDArray[np.float64]:
    """(n_nodes,) the bound of each node."""
    numbers, width = unpacked(weights, cols)
    end = place_of(goal, width, place, level)
    bounds = np.empty(len(level), dtype=np.float64)
    for node in range(len(level)):
        bounds[node] = estimate(node, end, width, place, level, numbers)
    return bounds
