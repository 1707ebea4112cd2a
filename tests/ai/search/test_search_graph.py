"""Graphs of integer nodes: reversed, with any costs, their components, and bad arguments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ai.search.components import Components
from ai.search.graph import (
    ILLEGAL_STEP,
    ILLEGAL_STEP_FLOAT,
    NO_STEP,
    NO_STEP_FLOAT,
    Graph,
    Links,
    reversed_graph,
)
from ai.search.heuristics import NodeLayout
from tests.support.graphs import INF, by_plain_heap, random_graph, triples_of
from tests.support.reference import thoroughly


@thoroughly(200)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_a_graph_turned_around_twice_is_the_same(seed, whole):
    rng = np.random.default_rng(seed)
    rows, cols = rng.integers(1, 6, 2)
    table = rng.choice(np.arange(1, 50), (rows, cols, 4)).astype(np.uint8 if whole else float)
    table[rng.random(table.shape) < 0.2] = ILLEGAL_STEP if whole else ILLEGAL_STEP_FLOAT
    none = NO_STEP if whole else NO_STEP_FLOAT
    table[0, :, 0] = table[:, -1, 1] = table[-1, :, 2] = table[:, 0, 3] = none
    n_nodes = int(rows * cols)
    counts = rng.integers(0, 3, n_nodes)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    target = rng.integers(0, n_nodes, first[-1]).astype(np.int32)
    links = Links(first, target, rng.integers(0, 9, first[-1]).astype(table.dtype))
    offset = np.array([[-cols, 1, cols, -1]])
    graph = Graph(table.reshape(-1, 4), offset, links=links)
    opposite = np.array([[2, 3, 0, 1]])
    back = reversed_graph(graph, opposite)
    assert sorted(triples_of(back)) == sorted((b, a, c) for a, b, c in triples_of(graph))
    again = reversed_graph(back, opposite)
    np.testing.assert_array_equal(again.step_cost, graph.step_cost)
    assert sorted(triples_of(again)) == sorted(triples_of(graph))


@thoroughly(200)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_parts_are_those_that_scipy_finds(seed, whole):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, whole=whole, prices=[1, 2], with_links=rng.random() < 0.5)
    parts = Components.of(graph)
    pairs = [(source, target) for source, target, _ in triples_of(graph)]
    matrix = csr_matrix(
        (np.ones(len(pairs)), ([a for a, _ in pairs], [b for _, b in pairs])),
        shape=(graph.n_nodes, graph.n_nodes),
    )
    count, label = connected_components(matrix, connection="strong")
    assert len(set(zip(parts.label.tolist(), label.tolist(), strict=True))) == count
    assert len(set(parts.label.tolist())) == count
    assert all(parts.label[source] >= parts.label[target] for source, target in pairs)
    assert (parts.label == parts.largest).sum() == np.bincount(label).max()
    start = int(rng.integers(graph.n_nodes))
    for goal, cost in enumerate(by_plain_heap(graph, [start])):
        assert parts.reaches(start, goal) in (None, cost < INF)
        assert parts.reaches(start, goal) is not False or cost == INF


def test_a_graph_may_hold_any_costs_instead_of_bytes():
    rng = np.random.default_rng(1)
    graph = random_graph(rng, whole=True, prices=[0, 1, 253], n_nodes=20)
    other = graph.with_any_costs()
    assert not other.is_whole
    assert triples_of(other) == triples_of(graph)


@pytest.mark.parametrize(
    ("offsets", "rows", "message"),
    [
        ([[1]], [[-1.0], [INF]], "must be >= 0 and not NaN"),
        ([[1]], [[math.nan], [INF]], "must be >= 0 and not NaN"),
        ([[1]], [[1.0], [1.0]], "slot 0 leads outside the 2 nodes"),
        ([[0, -1]], [[1.0, 1.0], [1.0, 1.0]], "slot 1 leads outside the 2 nodes"),
        ([[1, 2]], [[1.0], [INF]], r"offset must be \(n_classes, 1\)"),
        ([1], [[1.0], [INF]], r"offset must be \(n_classes, 1\)"),
        ([[1]], [1.0, INF], r"step costs of shape \(2,\)"),
    ],
)
def test_a_graph_that_would_lead_astray_is_refused(offsets, rows, message):
    with pytest.raises(ValueError, match=message):
        Graph(np.array(rows), np.array(offsets))


def test_only_bytes_and_doubles_are_step_costs():
    with pytest.raises(TypeError, match="uint8 or float64, got int64"):
        Graph(np.array([[1]]), np.array([[0]]))


def whole_links(first, target, cost):
    return Links(np.array(first, np.int32), np.array(target, np.int32), np.array(cost, float))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"node_class": np.array([0, 1], np.uint8)}, "nodes are of 2 classes, offsets of 1"),
        ({"node_class": np.array([0], np.uint8)}, "a class for each of the 2 nodes"),
        ({"layout": NodeLayout(1, np.zeros(1, np.int16))}, "a level for each of the 2 nodes"),
        ({"links": whole_links([0, 1], [1], [1])}, "links need a first entry per node"),
        ({"links": whole_links([0, 1, 1], [1], [])}, "and a cost per target"),
        ({"links": whole_links([0, 2, 1], [1], [1])}, "links must be counted from 0 up to 1"),
        ({"links": whole_links([0, 1, 2], [1], [1])}, "links must be counted from 0 up to 1"),
        ({"links": whole_links([0, 1, 1], [2], [1])}, "a link leads outside the 2 nodes"),
        ({"links": whole_links([0, 1, 1], [-1], [1])}, "a link leads outside the 2 nodes"),
        ({"links": whole_links([0, 1, 1], [1], [-1])}, "link costs must be >= 0 and not NaN"),
        ({"links": whole_links([0, 1, 1], [1], [math.nan])}, "link costs must be >= 0"),
    ],
)
def test_parts_of_a_graph_that_do_not_fit_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        Graph(np.array([[1.0], [INF]]), np.array([[1]]), **more)


def test_links_cost_what_steps_do_in_kind():
    links = whole_links([0, 1, 1], [1], [0.5])
    with pytest.raises(TypeError, match="link costs must be uint8 like the steps, got float64"):
        Graph(np.array([[1], [NO_STEP]], np.uint8), np.array([[1]]), links=links)
