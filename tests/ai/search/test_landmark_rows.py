"""The rows of a landmark table that a search chooses are those with the highest bounds."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ai.search.grid_index import STRIPE_BITS, width_of
from ai.search.heuristics import choose_rows, landmark_bound

COLS, ROWS = 11, 5
WIDTH = 2**STRIPE_BITS


@numba.njit  # only compiled functions can call helpers
def chosen(coarse, table, start, goal, cols):
    return choose_rows(coarse, table, start, goal, width_of(cols), np.int64(0))


@numba.njit
def bound_of(table, rows, node, cols):
    return landmark_bound(table, rows, node, width_of(cols))


def striped(table):
    """Return a (rows, nodes) table in stripes of a few columns, each stored row by row."""
    places = [
        (col // WIDTH * ROWS + row) * WIDTH + col % WIDTH
        for row in range(ROWS)
        for col in range(COLS)
    ]
    moved = np.zeros((len(table), max(places) + 1), table.dtype)
    moved[:, places] = table
    return moved


@given(st.integers(0, 2**32), st.integers(1, 24), st.integers(0, 54), st.integers(0, 54))
def test_the_eight_rows_with_the_highest_coarse_bounds_are_chosen(seed, count, start, goal):
    rng = np.random.default_rng(seed)
    near = rng.integers(-60, 60, (count, ROWS * COLS))
    coarse = near.astype(np.uint8).T.copy()  # wraps around, as the table does
    table = striped(rng.integers(0, 999, near.shape).astype(np.int16))
    found = chosen(coarse, table, np.int64(start), np.int64(goal), COLS)
    bounds = near[:, goal] - near[:, start]
    best = [row for row in np.argsort(-bounds, kind="stable").tolist() if bounds[row] > 0][:8]
    place = ((goal % COLS) // WIDTH * ROWS + goal // COLS) * WIDTH + goal % COLS % WIDTH
    wanted = [(row, int(table[row, place])) for row in best]
    assert [(int(row), int(entry)) for row, entry in found[:8]] == wanted + [(0, 0)] * (
        8 - len(best)
    )
    assert found[8] == ROWS


@given(st.integers(0, 2**32), st.integers(0, 54), st.integers(0, 54))
def test_the_bound_of_a_node_is_the_highest_of_its_rows(seed, node, goal):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 999, (8, ROWS * COLS)).astype(np.int64)
    rows = (*((np.int64(row), table[row, goal]) for row in range(8)), np.int64(ROWS))
    bound = bound_of(striped(table), rows, np.int64(node), COLS)
    assert bound == (table[:, goal] - table[:, node]).max()
