"""The compiled search: costs are those of scipy, paths those of the rule read in plain Python."""

import numpy as np
import pytest
from hypothesis import strategies as st

from ai.search.graph import reversed_graph
from ai.search.workspace import NO_NODES, Guided, PathReader, Workspace
from tests.support import graphs
from tests.support.reference import tried

SMALL = [[1], [1, 1, 2], [1, 3, 40], [7, 7, 9, 200]]
PRICES = [(np.uint8, each) for each in SMALL] + [
    (np.int32, [1]),
    (np.int32, [5, 7]),
    (np.int32, [16, 17, 40]),  # buckets of one unit
    (np.int32, [32, 33, 64]),
    (np.int32, [100, 141, 300]),
    (np.int32, [10**6, 10**6 + 1, 1414213]),
    (np.int32, [50, 10**5, 2 * 10**9]),
]
CASES = pytest.mark.parametrize(("dtype", "prices"), PRICES, ids=str)
SEEDS = st.integers(0, 2**32 - 1)
NO_ENDS = NO_NODES, NO_NODES


def some(rng, n_nodes, most, *, but=()):
    """Choose up to so many nodes beside some."""
    nodes = np.unique(rng.integers(0, n_nodes, rng.integers(0, most + 1)))
    return np.setdiff1d(nodes, np.array(but, np.int64)).astype(np.int64)


def random_case(seed, dtype, prices):
    rng = np.random.default_rng(seed)
    is_sparse = bool(rng.random() < 0.5)
    return graphs.random_graph(rng, prices, dtype=dtype, is_sparse=is_sparse), rng


@CASES
@tried(160, SEEDS)
def test_paths_are_those_of_the_rule(dtype, prices, seed):
    graph, rng = random_case(seed, dtype, prices)
    guided, workspace = Guided(graph), Workspace(graph.n_nodes)
    for _ in range(12):
        source, goal = rng.integers(0, graph.n_nodes, 2).tolist()
        blocked = some(rng, graph.n_nodes, rng.integers(0, 6), but=[source])
        halting = some(rng, graph.n_nodes, rng.integers(0, 6), but=[source])
        left = graphs.without(graph, blocked.tolist(), halting.tolist())
        cost = graphs.costs_from(graph.n_nodes, left, {source: 0})
        expected = graphs.rows_of(graph, graphs.nodes_back(left, cost, goal, {source: 0}), cost)
        given_nodes = {"blocked": blocked, "halting": halting}
        assert workspace.find_path(guided, source, goal, **given_nodes).tolist() == expected
        limit = int(cost[goal])
        if limit >= 0:
            rows = workspace.find_path(guided, source, goal, limit, **given_nodes)
            assert rows.tolist() == expected
        if limit > 0:
            assert not len(workspace.find_path(guided, source, goal, limit - 1, **given_nodes))


@CASES
@tried(80, SEEDS)
def test_paths_back_lead_to_the_nearest_source(dtype, prices, seed):
    forward, rng = random_case(seed, dtype, prices)
    graph = reversed_graph(forward)
    guided, workspace = Guided(graph), Workspace(graph.n_nodes)
    for _ in range(12):
        goal = int(rng.integers(graph.n_nodes))
        sources = rng.integers(0, graph.n_nodes, rng.integers(1, 4))
        blocked = some(rng, graph.n_nodes, 5, but=[goal, *sources])
        left, starts = graphs.without(graph, blocked.tolist()), dict.fromkeys(sources.tolist(), 0)
        cost = graphs.costs_from(graph.n_nodes, left, starts)
        nodes = graphs.nodes_back(left, cost, goal, starts)[::-1]
        rows = workspace.find_path_back(guided, sources, goal, blocked=blocked)
        assert rows.tolist() == graphs.rows_of(graph, nodes, cost[goal] - cost)
        if cost[goal] > 0:
            limit = int(cost[goal]) - 1
            assert not len(workspace.find_path_back(guided, sources, goal, limit, blocked))


def before(left, cost, node, starts):
    """Return the node before another by the rule; -1 for none."""
    nodes = graphs.nodes_back(left, cost, node, starts)
    return nodes[-2] if len(nodes) > 1 else -1


@CASES
@tried(80, SEEDS)
def test_a_reach_holds_all_within_a_limit(dtype, prices, seed):
    graph, rng = random_case(seed, dtype, prices)
    guided, workspace = Guided(graph), Workspace(graph.n_nodes)
    for _ in range(3):
        source = int(rng.integers(graph.n_nodes))
        blocked = some(rng, graph.n_nodes, 4, but=[source])
        halting = some(rng, graph.n_nodes, 4, but=[source])
        left = graphs.without(graph, blocked.tolist(), halting.tolist())
        cost = graphs.costs_from(graph.n_nodes, left, {source: 0})
        limit = int(rng.choice(cost[cost >= 0])) + int(rng.integers(0, 2))
        record = workspace.reach(guided, source, limit, blocked, halting)
        nodes = record[:, -1].tolist()
        assert nodes[0] == source
        assert sorted(nodes) == np.flatnonzero((cost >= 0) & (cost <= limit)).tolist()
        rows, entries = np.array(graphs.rows_of(graph, nodes, cost)), record[:, 0]
        if record.shape[1] == 7:
            assert record[:, 1:4].tolist() == rows[:, :3].tolist()
        else:
            entries = PathReader(graph, *NO_ENDS, halting).entries_before(record)
        assert record[:, -3:-1].tolist() == rows[:, 3:].tolist()
        assert (np.diff(record[:, -3]) >= 0).all()
        found = [nodes[entry] if entry >= 0 else -1 for entry in entries.tolist()]
        assert found == [before(left, cost, node, {source: 0}) for node in nodes]
        assert workspace.n_closed == len(nodes)


@CASES
@tried(80, SEEDS)
def test_costs_are_those_of_scipy(dtype, prices, seed):
    graph, rng = random_case(seed, dtype, prices)
    guided, workspace = Guided(graph), Workspace(graph.n_nodes)
    for _ in range(4):
        sources = rng.integers(0, graph.n_nodes, rng.integers(1, 5))
        starts = rng.integers(0, 3 * min(prices) + 5, len(sources))
        starts[rng.random(len(starts)) < 0.3] += 20 * max(prices)
        halting = some(rng, graph.n_nodes, 4, but=sources)
        left, lowest = graphs.without(graph, [], halting.tolist()), {}
        for node, start in zip(sources.tolist(), starts.tolist(), strict=True):
            lowest[node] = min(start, lowest.get(node, start))
        expected = graphs.costs_from(graph.n_nodes, left, lowest)
        cost = workspace.costs(guided, sources, starts, halting)
        assert cost.tolist() == expected.tolist()
        others = PathReader(graph, sources, starts, halting).nodes_before(cost)
        wanted = [before(left, expected, node, lowest) for node in range(graph.n_nodes)]
        assert others.tolist() == wanted


@pytest.mark.parametrize("n_left", [0, 1, 2, 3, 5])
def test_searches_go_on_when_generations_are_used_up(n_left):
    graph, workspace = Guided(graphs.corridor(1, 1, 1, 1)), Workspace(5)
    workspace.costs_from(graph, 0)
    workspace._generation = n_left
    sources = np.array([0, 4, 2, 1])
    for _ in range(3):
        counts, found = workspace.reach_many(graph, sources, 1)
        assert counts.tolist() == [2, 2, 3, 3]
        assert sorted(found[:2].tolist()) == [[0, 0], [1, 1]]
        path = workspace.find_path(graph, 0, 4, halting=np.array([4]))
        assert path[:, 3].tolist() == [0, 1, 2, 3, 4]
        assert not len(workspace.find_path(graph, 0, 4, blocked=np.array([2])))
        assert not len(workspace.find_path(graph, 0, 4, halting=np.array([2])))
    assert workspace._generation > 5


def with_small_pool(n_nodes):
    """Return a workspace whose frontier has to grow at once."""
    workspace = Workspace(n_nodes)
    small = {"pool": np.empty((2, 2), np.int32), "wait": np.empty(2, np.int64)}
    workspace._work = workspace._work._replace(**small)
    workspace._grow()
    return workspace


@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
def test_a_frontier_outgrows_its_pool(dtype):
    rng, n_nodes = np.random.default_rng(5), 3000
    ends, costs = rng.integers(0, n_nodes, (2, 8 * n_nodes)), rng.integers(100, 400, 8 * n_nodes)
    triples = np.stack([*ends, costs], axis=1).tolist()
    graph = graphs.edges(n_nodes, *triples, dtype=dtype, least=100)
    workspace = with_small_pool(n_nodes)
    expected = graphs.costs_from(n_nodes, triples, {0: 0})
    assert workspace.costs_from(Guided(graph), 0).tolist() == expected.tolist()
    assert len(workspace._work.pool) > 4
    counts, _ = Workspace(n_nodes).reach_many(Guided(graph), np.arange(4), 10**6)
    assert counts[0] == (expected >= 0).sum()


def test_more_sources_than_the_pool_holds_are_all_used():
    graph, workspace = Guided(graphs.corridor(*[1] * 39)), with_small_pool(40)
    cost = workspace.costs(graph, np.arange(0, 40, 2), np.zeros(20, np.int64))
    assert cost.tolist() == [0, 1] * 20


@pytest.mark.parametrize("high", [300, 10**5, 2**31 - 4])
def test_costs_far_apart_take_no_time(high):
    # As many empty buckets as this would take hours to walk through.
    prices = np.where(np.arange(1999) % 2, 1, high).tolist()
    triples = [(node, node + 1, price) for node, price in enumerate(prices)]
    graph = Guided(graphs.edges(2000, *triples, dtype=np.int32))
    rows = Workspace(2000).find_path(graph, 0, 1999)
    assert rows[:, 3].tolist() == [0, *np.cumsum(prices).tolist()]


def test_a_search_goes_straight_over_open_ground():
    for dtype in (np.uint8, np.int32):
        workspace, graph = Workspace(1600), Guided(graphs.field(40, 32, dtype))
        assert workspace.find_path(graph, 0, 39)[:, 1].tolist() == list(range(40))
        assert workspace.n_closed == 40
    # With buckets of one unit that holds where all nodes are on cheapest paths, too.
    assert len(workspace.find_path(Guided(graphs.field(40, 32)), 0, 1599)) == 79
    assert workspace.n_closed < 3 * 79
