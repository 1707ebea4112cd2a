"""Landmark tables stay lower bounds while the edges of a graph change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai.search.graph import Graph
from ai.search.landmark_repair import repair_landmarks
from ai.search.landmark_selection import choose_landmarks
from tests.support.landmark_tables import table_of
from tests.support.reference import thoroughly

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
    return Graph.from_edges(n_nodes, ends[:, 0], ends[:, 1], list(known.values()))


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
