"""Landmarks: where they lie, which rows a search chooses, and bounds while the edges change."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai import MoveProfile
from ai.navigation.profile_graph import ProfileGraph
from ai.search.grid_index import STRIPE_BITS, width_of
from ai.search.heuristics import choose_rows, landmark_bound
from ai.search.landmarks import choose_landmarks, repair_landmarks
from terrain3d import TileMap
from tests.support.graphs import from_edges
from tests.support.landmark_tables import table_of
from tests.support.reference import thoroughly

SIDE = 11


def landmarks_of(level, count):
    """(count, 2) row and column of each landmark: nothing costs less than to get there from it."""
    graph = ProfileGraph(TileMap(level), MoveProfile(max_climb=1, max_drop=1))
    table = table_of(choose_landmarks(*graph.snapshot(), count, 1.0))
    return np.stack(np.divmod(table[:count].argmin(axis=1), SIDE), axis=1)


@pytest.mark.parametrize("margin", [0, 2])
def test_landmarks_lie_on_the_border_of_the_ground_that_can_be_walked_on(margin):
    level = 9 * np.arange(SIDE * SIDE).reshape(SIDE, SIDE)  # no step leads anywhere
    inside = slice(margin, SIDE - margin)
    level[inside, inside] = 0
    cells = landmarks_of(level, 16)
    assert len(np.unique(cells, axis=0)) == 16
    assert (np.abs(cells - SIDE // 2).max(axis=1) == SIDE // 2 - margin).all()


def test_a_part_of_the_map_within_another_gets_a_landmark():
    level = np.zeros((SIDE, SIDE), dtype=int)
    level[3:8, 3:8] = 9
    cells = landmarks_of(level, 4)
    assert (level[tuple(cells.T)] == 9).any()


def test_after_32_landmarks_on_a_short_border_the_middle_follows():
    cells = landmarks_of(np.zeros((SIDE, SIDE), dtype=int), 33)
    is_outer = np.abs(cells - SIDE // 2).max(axis=1) == SIDE // 2
    assert is_outer[:32].all()
    assert not is_outer[32]


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


COSTS = (st.integers(1, 9).map(float), st.floats(0.25, 9.0))


@st.composite
def edges(draw):
    """Draw a number of nodes, and edges between them by their ends."""
    n_nodes = draw(st.integers(2, 12))
    node, cost = st.integers(0, n_nodes - 1), draw(st.sampled_from(COSTS))
    known = draw(st.dictionaries(st.tuples(node, node), cost, min_size=n_nodes, max_size=40))
    changed = draw(st.dictionaries(st.tuples(node, node), cost, min_size=1, max_size=6))
    return n_nodes, known, changed, draw(st.sets(st.sampled_from(sorted(known)), max_size=3))


def graph_of(n_nodes, known):
    ends = np.array(list(known), dtype=int).reshape(-1, 2)
    return from_edges(n_nodes, ends[:, 0], ends[:, 1], list(known.values()))


def reverse(known):
    return {(end, start): cost for (start, end), cost in known.items()}


def true_costs(n_nodes, known):
    """(n_nodes, n_nodes) costs of cheapest paths, by SciPy."""
    ends = np.array(list(known), dtype=int)
    weights = csr_matrix((list(known.values()), ends.T), shape=(n_nodes, n_nodes))
    return dijkstra(weights)


@thoroughly(300)
@given(edges())
def test_repaired_tables_bound_the_costs_of_the_changed_graph(case):
    n_nodes, known, changed, removed = case
    landmarks = choose_landmarks(
        graph_of(n_nodes, known), graph_of(n_nodes, reverse(known)), 3, min(known.values())
    )
    if landmarks is None:
        return
    after = {ends: cost for ends, cost in known.items() if ends not in removed} | changed
    graph = graph_of(n_nodes, after)
    cheaper = {start for (start, end), cost in after.items() if cost < known.get((start, end), 1e9)}
    repair_landmarks(landmarks, graph, np.array(sorted(cheaper), dtype=np.int64))
    table = table_of(landmarks)
    bounds = (table[:, None, :] - table[:, :, None]).max(axis=0)  # from row to column
    true = true_costs(n_nodes, after)
    assert (bounds <= true + 1e-9).all()
    assert not repair_landmarks(landmarks, graph, np.arange(n_nodes))


@thoroughly(100)
@given(edges())
def test_a_cheaper_edge_that_matters_is_repaired(case):
    n_nodes, known, changed, _ = case
    landmarks = choose_landmarks(
        graph_of(n_nodes, known), graph_of(n_nodes, reverse(known)), 3, min(known.values())
    )
    if landmarks is None:
        return
    graph = graph_of(n_nodes, known | changed)
    table = table_of(landmarks)
    is_too_high = any(
        (table[:, end] - table[:, start]).max() > cost + 1e-9
        for (start, end), cost in changed.items()
    )
    nodes = np.array(sorted({start for start, _ in changed}))
    assert repair_landmarks(landmarks, graph, nodes) >= is_too_high


@pytest.mark.parametrize("cost", [7, 7.5])
def test_a_new_edge_to_where_no_path_led_gets_a_bound(cost):
    n_nodes, known = 6, {(0, 1): 1.0, (1, 0): 1.0, (2, 3): 1.0, (3, 2): 1.0, (3, 4): 2.0}
    before = graph_of(n_nodes, known), graph_of(n_nodes, reverse(known))
    landmarks = choose_landmarks(*before, 1, 1.0)
    after = graph_of(n_nodes, known | {(0, 2): float(cost), (2, 0): float(cost)})
    assert repair_landmarks(landmarks, after, np.array([0, 2]))
    assert not repair_landmarks(landmarks, after, np.arange(n_nodes))
