"""Landmarks: where they lie, which rows a search chooses, and bounds while the edges change."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import MoveProfile
from ai.search.components import Components
from ai.search.graph import NO_BOUND
from ai.search.landmarks import choose_landmarks, repair_landmarks
from ai.search.workspace import Guided, Workspace
from terrain3d import TileMap
from tests.support import graphs
from tests.support.reference import tried

SIDE = 11
SEEDS = st.integers(0, 2**32 - 1)


def changed(rng, graph):
    """Return the graph with other costs of some steps, and nodes out of which one is cheaper."""
    table = graph.cost.copy()
    is_step = table <= graph.illegal  # legal or not, but there is a neighbor
    is_new = is_step & (rng.random(table.shape) < 0.2)
    highest = int(table[table < graph.illegal].max(initial=3))
    table[is_new] = rng.integers(1, highest + 1, int(is_new.sum()))
    table[is_step & (rng.random(table.shape) < 0.1)] = graph.illegal
    return replace(graph, cost=table), np.flatnonzero((table < graph.cost).any(axis=1))


PRICES = pytest.mark.parametrize("prices", [[1, 2, 9], [3, 200], [3000, 10**5, 2 * 10**7]], ids=str)


@PRICES
@tried(160, SEEDS)
def test_tables_bound_costs_before_and_after_changes(prices, seed):
    rng = np.random.default_rng(seed)
    dtype = np.uint8 if max(prices) < 250 else np.int32
    graph = graphs.random_graph(rng, prices, dtype=dtype, is_sparse=True)
    landmarks = choose_landmarks(graph, int(rng.integers(1, 9)))
    if landmarks is None:
        assert np.bincount(Components.of(graph).label).max() == 1
        return
    workspace = Workspace(graph.n_nodes)
    for _ in range(3):
        costs = graphs.true_costs(graph.n_nodes, graphs.triples_of(graph))
        bounds = graphs.bounds_of(landmarks)
        assert (bounds <= np.where(costs < 0, math.inf, costs)).all()
        unbounded = replace(graph, bound=NO_BOUND)
        plain, guided = Guided(unbounded), Guided(unbounded, landmarks)
        for start, goal in rng.integers(0, graph.n_nodes, (5, 2)).tolist():
            rows = workspace.find_path(guided, start, goal)
            assert rows.tolist() == workspace.find_path(plain, start, goal).tolist()
        before = graphs.table_of(landmarks)
        graph, cheaper = changed(rng, graph)
        is_changed = repair_landmarks(landmarks, graph, cheaper)
        assert is_changed == (graphs.table_of(landmarks) != before).any()
        assert not repair_landmarks(landmarks, graph, np.arange(graph.n_nodes))


def test_bounds_are_as_high_as_costs_from_and_to_a_landmark():
    level = np.random.default_rng(4).integers(0, 3, (SIDE, SIDE))
    graph = graphs.graph_of(TileMap(level), MoveProfile(max_climb=2, max_drop=2, climb_cost=2))
    landmarks = choose_landmarks(graph, 16)
    costs = graphs.true_costs(graph.n_nodes, graphs.triples_of(graph))
    is_tight = graphs.bounds_of(landmarks) == costs
    assert (is_tight.all(axis=0) & is_tight.all(axis=1)).sum() >= 16
    assert is_tight.mean() > 0.5


def test_a_scaled_table_bounds_costs_in_a_smaller_unit():
    graph = graphs.random_graph(np.random.default_rng(8), [1, 2], n_links=0)
    landmarks = choose_landmarks(graph, 4)
    finer = graph.with_unit(graph.unit // 10, 10**4)
    workspace = Workspace(graph.n_nodes)
    for start, goal in np.ndindex(graph.n_nodes, graph.n_nodes):
        rows = workspace.find_path(Guided(finer, landmarks.scaled(10)), start, goal)
        assert rows.tolist() == workspace.find_path(Guided(finer), start, goal).tolist()


def test_where_no_edge_leads_there_and_back_there_are_no_landmarks():
    assert choose_landmarks(graphs.edges(3, (0, 1, 1)), 2) is None


@pytest.mark.parametrize("cost", [1, 7])
def test_a_new_edge_to_where_no_path_led_gets_a_bound(cost):
    known = [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1), (3, 4, 2)]
    landmarks = choose_landmarks(graphs.edges(6, *known), 1)
    after = graphs.edges(6, *known, (0, 2, cost), (2, 0, cost))
    assert repair_landmarks(landmarks, after, np.array([0, 2]))
    assert not repair_landmarks(landmarks, after, np.arange(6))
