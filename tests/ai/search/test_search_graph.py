"""Graphs of integer nodes: edges in both directions, units, extra costs, and components."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ai import MoveProfile
from ai.rules.profile import DIAGONAL_MODES
from ai.search.components import Components
from ai.search.graph import (
    MILLION,
    Layout,
    edge_into,
    edge_out,
    in_millionths,
    in_units,
    n_into,
    n_out,
    number_of,
    numbers_of,
    reversed_graph,
    unit_of,
)
from terrain3d import TileKind, TileMap, make_grid
from tests.long.edits import random_case
from tests.support import graphs
from tests.support.reference import tried
from tests.support.selection import table

SEEDS, DTYPES = st.integers(0, 2**32 - 1), pytest.mark.parametrize("dtype", [np.uint8, np.int32])


@DTYPES
@tried(160, SEEDS)
def test_edges_are_found_from_both_ends_in_the_order_of_preference(dtype, seed):
    rng = np.random.default_rng(seed)
    graph = graphs.random_graph(rng, [1, 2, 9], dtype=dtype, is_sparse=True)
    listed, arrays, into = graphs.without(graph), graph.edges, {}
    for source, target, cost, preference in listed:
        into.setdefault(target, []).append((preference, source, cost))
    out = [
        (node, *edge_out(node, number, arrays))
        for node in range(graph.n_nodes)
        for number in range(n_out(node, arrays))
    ]
    assert sorted(each for each in out if each[1] >= 0) == sorted(graphs.triples_of(graph))
    for node in range(graph.n_nodes):
        found = [edge_into(node, number, arrays) for number in range(n_into(node, arrays))]
        expected = [(source, cost) for _, source, cost in sorted(into.get(node, []))]
        assert [each for each in found if each[0] >= 0] == expected
        own = [(end, cost) for start, end, cost in graphs.triples_of(graph) if start == node]
        assert list(graph.edges_from(node)) == own
        end = int(rng.integers(graph.n_nodes))
        cheapest = graph.cheapest_edge(node, end)
        costs = [cost for there, cost in own if there == end]
        assert (cheapest is None) == (not costs)
        if cheapest is not None:
            assert edge_out(node, cheapest[1], arrays) == (end, min(costs))


@DTYPES
@tried(160, SEEDS)
def test_a_graph_turned_around_twice_is_the_same(dtype, seed):
    rng = np.random.default_rng(seed)
    graph = graphs.random_graph(rng, [1, 2, 9], dtype=dtype, is_sparse=True)
    back = reversed_graph(graph)
    turned = [(b, a, cost) for a, b, cost in graphs.triples_of(graph)]
    assert sorted(graphs.triples_of(back)) == sorted(turned)
    again = reversed_graph(back)
    np.testing.assert_array_equal(again.cost, graph.cost)
    assert again.bound == graph.bound
    assert sorted(graphs.triples_of(again)) == sorted(graphs.triples_of(graph))


def bounds_of(graph, nodes):
    """(n, n) bounds between nodes."""
    places, level = graph.layout.places(nodes), graph.layout.level[nodes].astype(np.int64)
    away = (places[None] - places[:, None]).reshape(-1, 2)
    rise = (level[None] - level[:, None]).ravel()
    return graph.bound.over(away, rise).reshape(len(nodes), -1)


def check_bounds(graph):
    """Check that no bound exceeds the cost of a path, nor that of an edge the difference of two."""
    costs = graphs.true_costs(graph.n_nodes, graphs.triples_of(graph))
    bounds = bounds_of(graph, np.arange(graph.n_nodes))
    assert (bounds <= np.where(costs < 0, np.iinfo(np.int64).max, costs)).all()
    assert all(cost >= graph.least for *_, cost in graphs.triples_of(graph))
    own_class = graph.node_class if len(graph.node_class) else np.zeros(graph.n_nodes, int)
    for node, slot in np.argwhere(graph.cost < graph.illegal).tolist():
        offset, *change, end = graph.slot[own_class[node], slot].tolist()
        there, here = graph.layout.places(np.array([node + offset, node]))
        assert (there - here).tolist() == change
        assert own_class[node + offset] == end


@tried(160, SEEDS)
def test_bounds_of_random_maps_never_exceed_costs(seed):
    check_bounds(graphs.graph_of(*random_case(random.Random(seed))))


COSTS = [1, 0.5, 1.25, 2**0.5, 1 / 3, 7, 300]


@tried(160, SEEDS)
def test_a_unit_holds_all_prices_of_a_map(seed):
    rng = np.random.default_rng(seed)
    kinds = tuple(TileKind(f"k{number}", cost=float(rng.choice(COSTS))) for number in range(3))
    shape = rng.integers(2, 7, 2)
    tilemap = TileMap(rng.integers(0, 3, shape), rng.integers(0, 3, shape), kinds)
    diagonal, factor = str(rng.choice(DIAGONAL_MODES)), float(rng.choice([1, 1.5, 2**0.5]))
    limits = {"max_climb": 2, "max_drop": 2, "climb_cost": 0, "drop_cost": 0}
    profile = MoveProfile(**limits, diagonal=diagonal, diagonal_cost=factor)
    graph = graphs.graph_of(tilemap, profile)
    check_bounds(graph)
    cols = tilemap.cols
    for start, end, cost in graphs.triples_of(graph):
        price = kinds[tilemap.kind[divmod(end, cols)]].cost
        is_diagonal = start % cols != end % cols and start // cols != end // cols
        price *= factor if is_diagonal else 1
        assert number_of(cost, graph.unit) == pytest.approx(price, abs=1e-6)
    assert graph.is_small == (graph.cost.dtype == np.uint8)


@tried(80, SEEDS)
def test_extra_costs_are_added_where_edges_end(seed):
    rng = np.random.default_rng(seed)
    graph = graphs.random_graph(rng, [1, 2, 9], is_sparse=True)
    extra = in_millionths(rng.choice([0, 0, 0.5, 1, 3, 1000], graph.n_nodes))
    made = graph.with_extra(extra)
    wanted = [(a, b, cost * graph.unit + int(extra[b])) for a, b, cost in graphs.triples_of(graph)]
    assert [(a, b, cost * made.unit) for a, b, cost in graphs.triples_of(made)] == wanted
    check_bounds(made)
    dearest = max((cost for *_, cost in graphs.triples_of(graph)), default=0)
    most = dearest * graph.unit + extra.max()
    assert made.is_small == (most // made.unit < 253)


@given(st.lists(st.floats(1e-6, 1e4), min_size=1), st.integers(1, 2000))
def test_costs_in_units_are_within_half_of_one(costs, n_nodes):
    amounts = in_millionths(np.array(costs))
    assert (abs(amounts / MILLION - costs) <= 0.5001e-6 * np.maximum(1, costs)).all()
    unit = unit_of(amounts, int(amounts.max()), n_nodes)
    units = in_units(amounts, unit)
    assert (units >= 1).all()
    assert (abs(units * unit - amounts) * 2 <= unit).all() or (units == 1).any()
    if (amounts % unit == 0).all():
        assert [number_of(each, unit) for each in units] == (amounts / MILLION).tolist()
    assert numbers_of(units, unit).tolist() == [number_of(each, unit) for each in units]


@table(
    "highest n_nodes unit",
    *((2147, 16, 1), (3000, 16, 2), (12_000, 16, 8), (10**6, 16, 500)),
    (10**10, 10**6, 1024 * MILLION),
)
def test_a_coarser_unit_divides_1_or_is_a_multiple_of_it(highest, n_nodes, unit):
    highest *= MILLION
    assert unit_of(np.array([1, highest]), highest, n_nodes) == unit
    assert highest // unit <= min(2**31 - 4, 2**44 // n_nodes)
    assert 0 in (MILLION % unit, unit % MILLION)


@pytest.mark.parametrize("topology", graphs.SHIFTS)
def test_coordinates_differ_as_those_of_the_grid(topology):
    grid = make_grid(topology, 5, 6)
    layout = Layout(5, 6, np.zeros(60, np.int16), graphs.SHIFTS[topology])
    places = layout.places(np.arange(30, 60))
    for a, b in itertools.combinations(range(30), 2):
        down, across = abs(places[a] - places[b]).tolist()
        is_opposite = ((places[a] - places[b]) < 0).tolist() in ([True, False], [False, True])
        steps = max(down, across) if is_opposite else down + across
        if topology == "square":
            steps = down + across
        assert steps == grid.distance(divmod(a, 6), divmod(b, 6))


@tried(160, SEEDS)
def test_parts_are_those_that_scipy_finds(seed):
    rng = np.random.default_rng(seed)
    graph = graphs.random_graph(rng, [1, 2], is_sparse=True)
    parts, triples = Components.of(graph), graphs.triples_of(graph)
    ends = np.array([each[:2] for each in triples], np.int64).reshape(-1, 2)
    shape = graph.n_nodes, graph.n_nodes
    matrix = csr_matrix((np.ones(len(ends)), ends.T), shape=shape)
    count, label = connected_components(matrix, connection="strong")
    assert len(set(zip(parts.label.tolist(), label.tolist(), strict=True))) == count
    assert len(set(parts.label.tolist())) == count
    assert all(parts.label[source] >= parts.label[target] for source, target, _ in triples)
    assert (parts.label == parts.largest).sum() == np.bincount(label).max()
    start = int(rng.integers(graph.n_nodes))
    for goal, cost in enumerate(graphs.true_costs(graph.n_nodes, triples, start).tolist()):
        assert parts.reaches(start, goal) in (None, cost >= 0)
