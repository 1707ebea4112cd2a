"""Lower bounds of the cost that is left, as the compiled searches work them out node by node."""

import numpy as np

from ai.search.compiled import Array, Number, compiled, inlined, part

at = np.uint64  # of an index that might be negative compiled code asks at every use
_ROW_BITS = 10


@part
def unpacked(weights: Array, cols: Number) -> Number:
    """Give `Estimate.weights` and the columns as `estimate` takes them: read but once."""
    return (weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]), (
        np.int64(cols),
        1.0 / cols,
    )


@inlined
def place_of(node: Number, width: Number, place: Array, level: Array) -> Number:
    """Give two plane coordinates and the level of a node; see `Plane`."""
    cols, inverse = width
    if place is None:
        row = np.int64((node + 0.5) * inverse)  # exact for any node number below 2**50
        a, b = row, node - row * cols
    else:
        a, b = np.int64(place[node, 0]), np.int64(place[node, 1])
    return a, b, np.int64(level[np.uint64(node)])


@inlined
def estimate(
    node: Number, goal: Number, width: Number, place: Array, level: Array, weights: Number
) -> Number:
    """Bound the cost from a node to the place of a goal; see `Estimate.weights`."""
    axis, turn, opposite, climb, drop, straight = weights
    a, b, height = place_of(node, width, place, level)
    da, db, rise = goal[0] - a, goal[1] - b, goal[2] - height
    if place is not None and (da < 0) != (db < 0):
        turn = opposite
    away = axis * max(abs(da), abs(db)) + turn * min(abs(da), abs(db))
    if place is not None and straight > 0:
        away = type(away)(straight * np.sqrt(np.float64(da * da + db * db)))
    return away + (climb * rise if rise > 0 else -drop * rise)


@part
def choose_rows(rough: Array, table: Array, start: Number, goal: Number, rows: Array) -> None:
    """Fill (4, 2) `rows` with those of a table that bound the cost from start to goal best.

    Each is given as its number and the goal's entry in it; the best comes first, and those that
    bound by nothing are left out, as row 0 with an entry of 0.
    """
    a = b = c = d = np.int64(0)  # the best, each as its bound and, from the bits below it, its row
    for row in range(rough.shape[1]):
        bound = np.int64(np.int8(rough[at(goal), at(row)] - rough[at(start), at(row)]))
        key = (bound << _ROW_BITS) - row
        a, key = max(a, key), min(a, key)
        b, key = max(b, key), min(b, key)
        c, key = max(c, key), min(c, key)
        d = max(d, key)
    rows[:] = 0
    for rank, best in enumerate((a, b, c, d)):
        if best > 0:
            which = -best & ((1 << _ROW_BITS) - 1)
            rows[rank, 0], rows[rank, 1] = which, table[which, goal]


@inlined
def landmark_bound(table: Array, rows: Array, node: Number) -> Number:
    """Give the best bound of four rows of the table; see `Landmarks`."""
    return max(
        max(
            rows[0, 1] - table[np.uint64(rows[0, 0]), np.uint64(node)],
            rows[1, 1] - table[np.uint64(rows[1, 0]), np.uint64(node)],
        ),
        max(
            rows[2, 1] - table[np.uint64(rows[2, 0]), np.uint64(node)],
            rows[3, 1] - table[np.uint64(rows[3, 0]), np.uint64(node)],
        ),
    )


@compiled
def estimates(goal: Number, cols: Number, place: Array, level: Array, weights: Array) -> Array:
    """(n_nodes,) the estimate of each node."""
    numbers, width = unpacked(weights, cols)
    end = place_of(goal, width, place, level)
    bounds = np.empty(len(level), dtype=np.float64)
    for node in range(len(level)):
        bounds[node] = estimate(node, end, width, place, level, numbers)
    return bounds
