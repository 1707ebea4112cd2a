"""Lower bounds of the cost that is left, as the compiled searches work them out node by node."""

import numpy as np

from ai.search.compiled import Array, Number, compiled


@compiled
def unpacked(weights: Array, cols: Number) -> Number:
    """Give `Estimate.weights` and the columns as `estimate` takes them: read but once."""
    return (weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]), (
        np.int64(cols),
        1.0 / cols,
    )


@compiled
def place_of(node: Number, width: Number, place: Array, level: Array) -> Number:
    """Give two plane coordinates and the level of a node; see `Plane`."""
    cols, inverse = width
    if place is None:
        row = np.int64((node + 0.5) * inverse)  # exact for any node number below 2**50
        a, b = row, node - row * cols
    else:
        a, b = np.int64(place[node, 0]), np.int64(place[node, 1])
    return a, b, np.int64(level[node])


@compiled
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


@compiled
def choose_columns(table: Array, start: Number, goal: Number, columns: Array) -> None:
    """Fill (4, 3) `columns` with those of a table that bound the cost from start to goal best.

    A column of costs from a landmark bounds by goal - node, one of costs to it by node - goal. Each
    is given as its number, its sign, and its sign times the goal's entry; the best comes first, and
    those that bound by nothing are left out, as column 0 with the sign 0.
    """
    n_columns = table.shape[1]
    columns[:] = 0
    bounds = np.zeros(4)
    for column in range(n_columns):
        sign = 1 if column < n_columns // 2 else -1
        far = sign * np.float64(table[goal, column])
        bound = far - sign * np.float64(table[start, column])
        rank = 4
        while rank > 0 and bound > bounds[rank - 1]:
            rank -= 1
            if rank < 3:
                bounds[rank + 1] = bounds[rank]
                for part in range(3):
                    columns[rank + 1, part] = columns[rank, part]
        if rank < 4:
            bounds[rank] = bound
            columns[rank, 0], columns[rank, 1], columns[rank, 2] = column, sign, far


@compiled
def landmark_bound(table: Array, columns: Array, node: Number) -> Number:
    """Give the best bound of four columns of the table; see `Landmarks`."""
    best = columns[0, 2] - columns[0, 1] * table[node, np.int64(columns[0, 0])]
    for rank in range(1, 4):
        column = np.int64(columns[rank, 0])
        best = max(best, columns[rank, 2] - columns[rank, 1] * table[node, column])
    return best


@compiled
def estimates(goal: Number, cols: Number, place: Array, level: Array, weights: Array) -> Array:
    """(n_nodes,) the estimate of each node."""
    numbers, width = unpacked(weights, cols)
    end = place_of(goal, width, place, level)
    bounds = np.empty(len(level), dtype=np.float64)
    for node in range(len(level)):
        bounds[node] = estimate(node, end, width, place, level, numbers)
    return bounds
