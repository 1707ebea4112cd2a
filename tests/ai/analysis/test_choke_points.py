"""Choke points of graphs against closing every node, one by one."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ai.analysis.choke_points import cut_off_sizes
from tests.support.graphs import edges, random_graph, triples_of


def closed_one_by_one(graph, counts):
    """Return the size of the second largest part that is left of each node's component."""
    arcs = {(start, end) for start, end, _ in triples_of(graph) if start != end}
    both = np.array([arc for arc in arcs if arc[::-1] in arcs], dtype=int).reshape(-1, 2)

    def labels_of(pairs):
        ones = np.ones(len(pairs))
        matrix = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(graph.n_nodes,) * 2)
        return connected_components(matrix, directed=False)[1]

    whole, sizes = labels_of(both), []
    for node in range(graph.n_nodes):
        label = labels_of(both[(both != node).all(axis=1)])
        left = (whole == whole[node]) & (np.arange(graph.n_nodes) != node)
        parts = sorted(int(counts[left & (label == part)].sum()) for part in set(label[left]))
        sizes.append(parts[-2] if len(parts) > 1 else 0)
    return sizes


def two_way(*pairs):
    return [arc for a, b in pairs for arc in ((a, b, 1), (b, a, 1))]


def test_the_middle_of_a_line_cuts_off_the_shorter_end():
    graph = edges(5, *two_way((0, 1), (1, 2), (2, 3), (3, 4)))
    assert cut_off_sizes(graph, np.ones(5, bool)).tolist() == [0, 1, 2, 1, 0]


def test_a_ring_has_no_choke_point():
    graph = edges(4, *two_way((0, 1), (1, 2), (2, 3), (3, 0)))
    assert not cut_off_sizes(graph, np.ones(4, bool)).any()


def test_an_edge_of_one_direction_joins_nothing():
    graph = edges(4, *two_way((0, 1), (1, 2), (2, 3)), (3, 0, 1))
    assert cut_off_sizes(graph, np.ones(4, bool)).tolist() == [0, 1, 1, 0]


def test_only_nodes_that_count_have_a_size():
    graph = edges(5, *two_way((0, 1), (1, 2), (2, 3), (3, 4)))
    counts = np.array([False, True, True, True, True])
    assert cut_off_sizes(graph, counts).tolist() == [0, 0, 1, 1, 0]


def sparse_graph(rng):
    """Make a graph of few two-way edges, with many choke points, and some of one direction."""
    n_nodes = int(rng.integers(2, 20))
    pairs = rng.integers(0, n_nodes, (int(n_nodes * rng.uniform(0.7, 1.4)), 2)).tolist()
    return edges(n_nodes, *two_way(*pairs[2:]), *((a, b, 1) for a, b in pairs[:2]))


@pytest.mark.parametrize("seed", range(200))
def test_sizes_are_those_of_closing_every_node(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, [1, 2, 3]) if seed % 4 == 0 else sparse_graph(rng)
    counts = rng.random(graph.n_nodes) < 0.8
    assert cut_off_sizes(graph, counts).tolist() == closed_one_by_one(graph, counts)
