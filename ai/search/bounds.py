"""Lower bounds of the cost that is left, as the compiled searches work them out node by node.

Numba compiles these into the searches and does not see when they change: after an edit here, delete
`ai/search/__pycache__`.
"""

from typing import Any

import numba
import numpy as np

Array = Any  # of whatever dtype: numba compiles for each that comes
Number = Any

LATTICE, HEX, STRAIGHT = 0, 1, 2
"""Norms of the estimate: steps along axes and diagonals, steps on hexagons, as the crow flies."""

N_ACTIVE = 4
"""How many columns of a landmark table a search looks at: those that told most at its start."""


@numba.njit(cache=True)
def unpacked(frame: Array) -> Number:
    """Give the numbers of a `Plane` as `place_of` takes them."""
    return frame[0], frame[1], frame[2], frame[3], 1.0 / frame[0]


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
def estimate(place: Number, goal: Number, norm: Number, weights: Number) -> Number:
    """Bound the cost between two places; `weights` are (axis, diagonal, climb, drop)."""
    axis, diagonal, climb, drop = weights
    da, db = abs(place[0] - goal[0]), abs(place[1] - goal[1])
    if norm == LATTICE:
        bound = axis * (max(da, db) - min(da, db)) + diagonal * min(da, db)
    elif norm == HEX:
        sums = place[0] + place[1] - goal[0] - goal[1]
        bound = axis * max(max(da, db), abs(sums))
    else:
        bound = type(axis)(axis * np.sqrt(np.float64(da * da + db * db)))
    rise = goal[2] - place[2]
    return bound + (climb * rise if rise > 0 else -drop * rise)


@numba.njit(cache=True)
def choose_columns(table: Array, zero: Number, start: Number, goal: Number, active: Array) -> None:
    """Fill `active`, (3, n), with the columns that bound start to goal best, their sign and goal.

    A column of costs from a landmark bounds by goal - node, one of costs to it by node - goal.
    """
    n_columns = table.shape[1]
    for choice in range(active.shape[1]):
        best, best_bound = np.int64(-1), type(zero)(0)
        for column in range(n_columns):
            sign = 1 if column < n_columns // 2 else -1
            bound = sign * (type(zero)(table[goal, column]) - type(zero)(table[start, column]))
            is_new = True
            for before in range(choice):
                is_new &= active[0, before] != column
            if is_new and (best < 0 or bound > best_bound):
                best, best_bound = column, bound
        sign = 1 if best < n_columns // 2 else -1
        active[0, choice], active[1, choice] = best, sign
        active[2, choice] = sign * type(zero)(table[goal, best])


@numba.njit(cache=True)
def landmark_bound(table: Array, active: Array, node: Number, least: Number) -> Number:
    """Give the best bound of the active columns, at least `least`; see `Landmarks`."""
    for choice in range(active.shape[1]):
        known = type(least)(table[node, np.int64(active[0, choice])])
        least = max(least, type(least)(active[2, choice]) - type(least)(active[1, choice]) * known)
    return least


@numba.njit(cache=True)
def estimates(
    n_nodes: Number, goal: Number, frame: Array, level: Array, norm: Number, weights: Array
) -> Array:
    """(n_nodes,) the estimate of each of the first nodes."""
    four = weights[0], weights[1], weights[2], weights[3]
    plane = unpacked(frame)
    end = place_of(goal, plane, level)
    bounds = np.empty(n_nodes, dtype=np.float64)
    for node in range(n_nodes):
        bounds[node] = estimate(place_of(node, plane, level), end, norm, four)
    return bounds
