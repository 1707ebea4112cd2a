"""Lower bounds of the cost that is left, as the compiled searches work them out node by node.

Numba compiles these into the searches and does not see when they change: after an edit here, delete
`ai/search/__pycache__`.
"""

from typing import Any

import numba
import numpy as np

Array = Any  # of whatever dtype: numba compiles for each that comes
Number = Any


@numba.njit(cache=True)
def unpacked(frame: Array) -> Number:
    """Give the numbers of a `Plane` as `place_of` takes them."""
    return frame[0], frame[1], frame[2], frame[3], 1.0 / frame[0]


@numba.njit(cache=True)
def listed(weights: Array) -> Number:
    """Give `Estimate.weights` as `estimate` takes them."""
    return weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]


@numba.njit(cache=True)
def place_of(node: Number, frame: Number, level: Array) -> Number:
    """Give two plane coordinates and the level of a node that is numbered row by row."""
    cols, shove, row_shift, col_shift, inverse = frame
    row = np.int64((node + 0.5) * inverse)  # exact for any node number below 2**50
    col = node - row * cols
    a = row - ((col + shove) >> col_shift)
    b = col - ((row + shove) >> row_shift)
    return a, b, np.int64(level[node])


@numba.njit(cache=True)
def estimate(place: Number, goal: Number, weights: Number) -> Number:
    """Bound the cost between two places; see `Estimate.weights`."""
    axis, same, opposite, climb, drop, straight = weights
    da, db = place[0] - goal[0], place[1] - goal[1]
    turn = same if (da < 0) == (db < 0) else opposite
    if straight > 0:
        return _rise(place, goal, climb, drop) + type(axis)(
            straight * np.sqrt(np.float64(da * da + db * db))
        )
    da, db = abs(da), abs(db)
    bound = axis * max(da, db) + turn * min(da, db)
    return bound + _rise(place, goal, climb, drop)


@numba.njit(cache=True)
def _rise(place: Number, goal: Number, climb: Number, drop: Number) -> Number:
    rise = goal[2] - place[2]
    return climb * rise if rise > 0 else -drop * rise


@numba.njit(cache=True)
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


@numba.njit(cache=True)
def landmark_bound(table: Array, columns: Array, node: Number) -> Number:
    """Give the best bound of four columns of the table; see `Landmarks`."""
    best = columns[0, 2] - columns[0, 1] * table[node, np.int64(columns[0, 0])]
    for rank in range(1, 4):
        column = np.int64(columns[rank, 0])
        best = max(best, columns[rank, 2] - columns[rank, 1] * table[node, column])
    return best


@numba.njit(cache=True)
def estimates(n_nodes: Number, goal: Number, frame: Array, level: Array, weights: Array) -> Array:
    """(n_nodes,) the estimate of each of the first nodes."""
    numbers = listed(weights)
    plane = unpacked(frame)
    end = place_of(goal, plane, level)
    bounds = np.empty(n_nodes, dtype=np.float64)
    for node in range(n_nodes):
        bounds[node] = estimate(place_of(node, plane, level), end, numbers)
    return bounds
