"""The compiled search: small graphs by hand, random ones against a plain heap, and pausing."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.search.graph import ILLEGAL_STEP_FLOAT, NO_STEP, NO_STEP_FLOAT, Graph
from ai.search.guided_graph import GuidedGraph
from ai.search.heuristics import Heuristic, NodeLayout
from ai.search.search_state import EXHAUSTED, GOAL_FOUND, NO_NODE, PAUSED
from ai.search.workspace import Workspace
from terrain3d import TOPOLOGIES, make_grid
from tests.support.graphs import (
    INF,
    by_plain_heap,
    edges,
    from_edges,
    random_graph,
    slots,
    triples_of,
)
from tests.support.reference import thoroughly

LAYOUTS = TOPOLOGIES[1:]


class Found:
    """What a search of a graph from some sources found."""

    def __init__(self, graph, sources=(0,), goal=NO_NODE, costs=None, heuristic=None, **more):
        least = more.pop("least_step", 1.0)
        self.guided = GuidedGraph(graph, heuristic, least)
        self.workspace = more.pop("workspace", None) or Workspace.of(
            graph.n_nodes, is_whole=graph.is_whole
        )
        dtype = self.workspace.no_cost.dtype
        self.start = (
            np.array(sources, dtype=np.int32),
            np.zeros(len(sources), dtype) if costs is None else np.array(costs, dtype),
        )
        self.goal, self.more = goal, more
        self.status = self._search(goal, **more)

    def _search(self, goal, **more):
        return self.guided.search(self.workspace, *self.start, goal, **more)

    def go_on(self, **more):
        self.status = self.guided.search(
            self.workspace, *self.start, self.goal, **(self.more | more), is_begin=False
        )
        return self.status

    @property
    def cost(self):
        return self.workspace.decode()[1].tolist()

    @property
    def settled(self):
        return self.workspace.settled_nodes().tolist()

    @property
    def found_path(self):
        record = self.workspace.found_path()
        cols = self.guided.layout.cols
        return (record[:, 0] * cols + record[:, 1]).astype(int).tolist(), float(record[-1, 3])


class Flooded(Found):
    """What flooding a graph from some sources found."""

    def _search(self, _goal, **more):
        self.guided.dijkstra(self.workspace, *self.start, **more)
        return EXHAUSTED


PRICES = {
    "few": [0, 1, 1, 2],
    "whole": list(range(40)),
    "dear": [0, 1, 253],
    "fractional": [0.0, 0.1, 0.3, 1.0, 1.05, 2.5],
    "far apart": [1e-3, 0.5, 1.0, 1e5],
    "very far apart": [1e-9, 3e-9, 1.0, 1e6],
    "nearly equal": [1.0, 1.0001, 1.001, 0.002],
    "above a byte": [1.0, 254.0, 255.0, 1000.0],
}


@pytest.mark.parametrize("prices", PRICES)
@thoroughly(120)
@given(st.integers(0, 2**32 - 1))
def test_costs_are_those_of_a_plain_heap(prices, seed):
    rng = np.random.default_rng(seed)
    is_whole = prices in ("few", "whole", "dear")
    graph = random_graph(rng, whole=is_whole, prices=PRICES[prices], with_links=rng.random() < 0.5)
    sources = rng.integers(0, graph.n_nodes, rng.integers(1, 4)).tolist()
    costs = rng.integers(0, 5, len(sources)).tolist()
    limit = float(rng.choice([2.0, 7.0, 1e300]))
    blocked = np.unique(rng.integers(0, graph.n_nodes, rng.integers(0, 3)))
    # Buckets of a sixteenth of 1 hold steps of 0.002 by the dozen.
    least = 1 if prices == "nearly equal" else min(price for price in PRICES[prices] if price > 0)
    more = {"limit": limit, "blocked": blocked, "least_step": least}
    expected = by_plain_heap(graph, sources, costs, set(blocked.tolist()))
    found = Found(graph, sources, costs=costs, **more)
    assert found.status == EXHAUSTED
    within = [cost if cost <= limit else INF for cost in expected]
    assert sorted(found.settled) == [n for n, cost in enumerate(within) if cost < INF]
    for node in found.settled:
        assert found.cost[node] == pytest.approx(within[node], rel=1e-12)
    flooded = Flooded(graph, sources, costs=costs, **more)
    assert sorted(flooded.settled) == sorted(found.settled)
    assert flooded.cost == pytest.approx(found.cost, rel=1e-12)
    assert [flooded.cost[node] for node in flooded.settled] == sorted(
        cost for cost in flooded.cost if cost <= limit
    ) or not graph.is_whole
    assert follows_its_parents(graph, flooded)
    goal = int(rng.integers(graph.n_nodes))
    aimed = Found(graph, sources, goal, costs=costs, **more)
    assert (aimed.status == GOAL_FOUND) == (within[goal] < INF)
    if aimed.status == GOAL_FOUND:
        nodes, price = aimed.found_path
        assert price == pytest.approx(within[goal], rel=1e-12)
        start = min(c for s, c in zip(sources, costs, strict=True) if s == nodes[0])
        assert nodes[-1] == goal
        assert start + length_of(graph, nodes) == pytest.approx(price, rel=1e-12)


def follows_its_parents(graph, found):
    """Tell whether each settled node costs what its parent costs and the step from there."""
    parent = found.workspace.decode()[2].tolist()
    cheapest = {}
    for source, target, cost in triples_of(graph):
        cheapest[source, target] = min(cost, cheapest.get((source, target), INF))
    return all(
        found.cost[node] == pytest.approx(found.cost[parent[node]] + cheapest[parent[node], node])
        for node in found.settled
        if parent[node] != NO_NODE
    )


def length_of(graph, nodes):
    cheapest = {}
    for source, target, cost in triples_of(graph):
        cheapest[source, target] = min(cost, cheapest.get((source, target), INF))
    return sum(cheapest[pair] for pair in itertools.pairwise(nodes))


@pytest.mark.parametrize("prices", ["few", "whole", "fractional", "far apart"])
@thoroughly(60)
@given(st.integers(0, 2**32 - 1))
def test_pausing_and_going_on_is_the_same_as_running_through(prices, seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, whole=prices in ("few", "whole"), prices=PRICES[prices])
    goal = int(rng.integers(-1, graph.n_nodes))
    through = Found(graph, goal=goal)
    bit = int(rng.integers(1, 5))
    paused = Found(graph, goal=goal, max_expansions=bit)
    done = bit
    while paused.status == PAUSED:
        assert paused.workspace.n_expanded == done
        done += bit
        paused.go_on(max_expansions=done)
    assert paused.status == through.status
    assert paused.settled == through.settled
    assert paused.cost == through.cost
    if through.status == GOAL_FOUND:
        assert paused.found_path == through.found_path


def test_a_longer_way_of_cheaper_steps_wins():
    found = Found(edges(3, (0, 2, 5), (0, 1, 2), (1, 2, 2)), goal=2)
    assert found.found_path == ([0, 1, 2], 4)


def test_slots_of_bytes_and_of_fractions_agree():
    rows = [[2, 5], [2, None], [None, None]]
    for dtype in (np.uint8, np.float64):
        assert Found(slots([1, 2], *rows, dtype=dtype), goal=2).found_path == ([0, 1, 2], 4)


def test_steps_for_nothing_are_taken_and_lead_round_in_no_circle():
    for dtype in (np.uint8, np.float64):
        found = Found(slots([1, -1], [0, None], [0, 0], [None, 0], dtype=dtype), [1])
        assert found.cost == [0, 0, 0]
        assert sorted(found.settled) == [0, 1, 2]


def test_each_class_of_nodes_has_its_own_offsets():
    table = np.array([[1], [1], [NO_STEP], [1]], dtype=np.uint8)
    graph = Graph(table, np.array([[3], [1], [-2]]), np.array([0, 1, 0, 2], dtype=np.uint8))
    assert Found(graph, goal=2).found_path == ([0, 3, 1, 2], 3)


def test_a_node_keeps_the_first_parent_that_gave_its_lowest_cost():
    diamond = edges(4, (0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1))
    # Inside a bucket the node that came in last is expanded first.
    assert Found(diamond, goal=3).found_path == ([0, 2, 3], 2)


def test_a_flood_takes_the_last_of_a_round_first_and_what_comes_meanwhile_in_the_next():
    steps = slots([1, 2, 3], [1, 1, None], [3, 0, 1], [3, 2, 0], *[[None] * 3] * 3, dtype=np.uint8)
    # 2 came after 1, so it goes first; 3 and 5 cost no more, but come while that round runs.
    assert Flooded(steps).settled == [0, 2, 1, 3, 5, 4]
    assert Flooded(steps).workspace.decode()[2].tolist() == [-1, 0, 0, 1, 1, 2]


def test_a_limit_is_kept_to_the_last_unit():
    line = slots([1], [1], [1], [1], [None])
    assert Found(line, limit=2).settled == [0, 1, 2]
    assert Found(line, limit=1.999).settled == [0, 1]
    assert Found(line, limit=0).settled == [0]
    assert Found(line, goal=3, limit=2).status == EXHAUSTED


def test_blocked_nodes_are_not_entered():
    line = slots([1], [1], [1], [None])
    assert Found(line, blocked=np.array([1])).cost == [0, INF, INF]
    assert Found(line, goal=2, blocked=np.array([1])).status == EXHAUSTED
    assert Found(line, blocked=np.array([0])).settled == []


def test_the_cheapest_of_several_sources_is_taken():
    line = slots([1, -1], [1, None], [1, 1], [1, 1], [None, 1], dtype=np.uint8)
    assert Found(line, [0, 3], costs=[0, 0]).cost == [0, 1, 1, 0]
    assert Found(line, [0, 3], costs=[0, 9]).cost == [0, 1, 2, 3]
    assert Found(line, [3, 3, 0], goal=1, costs=[9, 1, 300]).found_path == ([3, 2, 1], 3)


def test_the_search_stops_at_the_goal():
    line = slots([1], [1], [1], [1], [None], dtype=np.uint8)
    found = Found(line, goal=2)
    assert (found.status, found.settled) == (GOAL_FOUND, [0, 1, 2])
    assert Found(line, [2], goal=0).status == EXHAUSTED


@pytest.mark.parametrize("step", [1e-6, 1e-3, 0.1, 300.0, 1e5, 1e9])
def test_bucket_numbers_far_apart_take_no_time(step):
    # As many empty buckets as this would take hours to walk through.
    n_nodes = 2000
    nodes = np.arange(n_nodes - 1)
    chain = from_edges(n_nodes, nodes, nodes + 1, np.where(nodes % 2, step, 1e9))
    found = Found(chain, goal=n_nodes - 1, least_step=1e-9)
    assert found.status == GOAL_FOUND
    assert found.found_path[1] == pytest.approx((n_nodes // 2 - 1) * step + n_nodes // 2 * 1e9)


@pytest.mark.parametrize("spread", [1e-2, 1e-4, 1e-6, 1e-9])
def test_ways_of_nearly_the_same_cost_are_not_opened_again_and_again(spread):
    side = 60
    rng = np.random.default_rng(3)
    field = field_of(side, np.float64)
    is_step = field.step_cost < INF
    field.step_cost[is_step] += spread * rng.random(is_step.sum())
    found = Found(field, goal=side * side - 1, heuristic=Heuristic("lattice", 1, 2))
    assert found.workspace.n_expanded < 1.5 * side * side
    assert found.found_path[1] == pytest.approx(by_plain_heap(field, [0])[-1], rel=1e-12)


def test_a_goal_that_was_met_is_still_improved_from_its_own_bucket():
    graph = edges(3, (0, 1, 1.0), (0, 2, 1.01), (1, 2, 0.001))
    assert Found(graph, goal=2).found_path == ([0, 1, 2], pytest.approx(1.001))


def test_costs_beyond_all_buckets_are_still_compared():
    graph = edges(4, (0, 1, 1e200), (0, 2, 2e200), (1, 3, 3e200), (2, 3, 1e200))
    assert Found(graph, goal=3, least_step=1e-9).found_path == ([0, 2, 3], pytest.approx(3e200))


def with_pool_of_four(n_nodes, whole):
    workspace = Workspace.of(n_nodes, is_whole=whole)
    workspace.pool = workspace.pool[:2]
    workspace.grow_pool()
    return workspace


@pytest.mark.parametrize("whole", [True, False])
def test_a_frontier_of_thousands_outgrows_its_pool_and_stays_exact(whole):
    rng = np.random.default_rng(5)
    n_nodes = 3000
    source = np.repeat(np.arange(n_nodes), 8)
    target, price = rng.integers(0, n_nodes, len(source)), rng.integers(0, 400, len(source))
    graph = from_edges(n_nodes, source, target, price)
    if whole:
        graph = random_graph(rng, whole=True, prices=np.arange(254), n_nodes=n_nodes)
    workspace = with_pool_of_four(n_nodes, whole)
    found = Found(graph, workspace=workspace)
    assert len(workspace.pool) > 4
    assert found.cost == by_plain_heap(graph, [0])
    workspace = with_pool_of_four(n_nodes, whole)
    assert Flooded(graph, workspace=workspace).cost == found.cost
    assert len(workspace.pool) > 4


def test_more_sources_than_the_pool_holds_are_all_used():
    n_nodes = 40
    graph = edges(n_nodes, *[(node, (node + 1) % n_nodes, 1) for node in range(n_nodes)])
    workspace = with_pool_of_four(n_nodes, whole=False)
    assert Found(graph, range(0, n_nodes, 2), workspace=workspace).cost == [0, 1] * (n_nodes // 2)
    assert len(workspace.pool) >= n_nodes // 2


def test_working_arrays_remember_nothing_of_the_search_before():
    line = slots([1, -1], [1, None], [1, 1], [None, 1], dtype=np.uint8)
    workspace = Workspace.of(3, is_whole=True)
    assert Found(line, [0], workspace=workspace).cost == [0, 1, 2]
    assert Found(line, [2], workspace=workspace, limit=1).settled == [2, 1]
    assert Found(line, [2], workspace=workspace, blocked=np.array([1])).cost == [INF, INF, 0]
    workspace.generation = 1
    assert Found(line, [1], workspace=workspace, blocked=np.array([0])).cost == [INF, 0, 1]
    assert workspace.generation > 1


def test_stamps_begin_anew_when_they_are_used_up():
    line = slots([1, -1], [1, None], [1, 1], [None, 1])
    workspace = Workspace.of(3, is_whole=False)
    assert Found(line, [0], workspace=workspace).cost == [0, 1, 2]
    workspace.generation = 1
    assert Found(line, [1], workspace=workspace, limit=0).cost == [INF, 0, INF]
    assert workspace.generation > 1


def test_blocked_nodes_are_free_again_in_the_next_search():
    line = slots([1, -1], [1, None], [1, 1], [None, 1], dtype=np.uint8)
    workspace = Workspace.of(3, is_whole=True)
    for node in range(3):
        Found(line, [0], workspace=workspace, blocked=np.array([node]))
        assert Found(line, [0], workspace=workspace, limit=0).settled == [0]
        assert Found(line, [0], workspace=workspace).cost == [0, 1, 2]


def field_of(side, dtype=np.uint8, price=1):
    """Make an open field of side x side with places, for searches with an estimate."""
    offset = np.array([[-side, 1, side, -1]])
    table = np.full((side * side, 4), price, dtype=dtype)
    row, col = np.divmod(np.arange(side * side), side)
    none = NO_STEP if dtype == np.uint8 else NO_STEP_FLOAT
    outside = np.stack([row == 0, col == side - 1, row == side - 1, col == 0], axis=1)
    table[outside] = none
    return Graph(table, offset, layout=NodeLayout(side, np.zeros(side * side, np.int16)))


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_greedy_search_goes_straight_and_an_estimate_saves_work(dtype):
    graph, guess = field_of(40, dtype), Heuristic("lattice", 1, 2)
    start, goal = [10 * 40 + 2], 10 * 40 + 37
    greedy = Found(field_of(40, np.float64), start, goal, heuristic=guess, cost_weight=0.0)
    assert greedy.found_path == (list(range(402, 438)), 35)
    assert len(greedy.settled) == 36
    guided, blind = Found(graph, start, goal, heuristic=guess), Found(graph, start, goal)
    assert guided.found_path[1] == blind.found_path[1] == 35
    assert 10 * len(guided.settled) < len(blind.settled)


def test_of_many_paths_of_equal_cost_only_one_is_explored():
    side = 40  # every node is on a cheapest path between the corners
    found = Found(field_of(side), goal=side * side - 1, heuristic=Heuristic("lattice", 1, 2))
    assert found.found_path[1] == 2 * (side - 1)
    assert len(found.settled) < 4 * side


@thoroughly(60)
@given(st.integers(0, 2**32 - 1))
def test_greedy_search_expands_what_looks_nearest_of_all_it_knows(seed):
    rng = np.random.default_rng(seed)
    side = int(rng.integers(2, 10))
    graph = field_of(side, np.float64)
    graph.step_cost[rng.random(graph.step_cost.shape) < 0.3] = ILLEGAL_STEP_FLOAT
    start, goal = rng.integers(0, side * side, 2).tolist()
    price = float(rng.choice([1, 100]))  # 100: many of its buckets lie beyond the ring
    guess = Heuristic("lattice", price, 2 * price)
    found = Found(graph, [start], goal, heuristic=guess, cost_weight=0.0)
    bound = guess.to(graph.layout, goal)
    leaving = {}
    for source, target, _ in triples_of(graph):
        leaving.setdefault(source, []).append(target)
    known = {start}
    for node in found.settled:
        assert node in known
        assert bound[node] == min(bound[n] for n in known)
        known.discard(node)
        done = found.settled[: found.settled.index(node) + 1]
        known.update(n for n in leaving.get(node, []) if n not in done)
    can_be_reached = by_plain_heap(graph, [start])[goal] < INF
    assert (found.status == GOAL_FOUND) == can_be_reached


@pytest.mark.parametrize("norm", ["lattice", "straight", *LAYOUTS])
@pytest.mark.parametrize("weights", [(1, 1, 0, 0), (2, 3, 1, 0), (0.5, 0.7, 0.25, 4), (0, 0, 1, 1)])
def test_an_estimate_for_all_is_the_one_for_each(norm, weights):
    rng = np.random.default_rng(2)
    rows, cols = 7, 9
    grid = make_grid(norm if norm in LAYOUTS else "square", rows, cols)
    level = rng.integers(-8, 9, rows * cols).astype(np.int16)
    places = grid.plane().reshape(-1, 2) if norm in LAYOUTS else None
    layout = NodeLayout(cols, level, 1, places)
    axis, diagonal, climb, drop = weights
    heuristic = Heuristic("hex" if norm in LAYOUTS else norm, *weights)
    for goal in range(0, rows * cols, 5):
        bound = heuristic.to(layout, goal)
        for node in range(rows * cols):
            here, there = divmod(node, cols), divmod(goal, cols)
            da, db = there[0] - here[0], there[1] - here[1]
            rise = int(level[goal]) - int(level[node])
            if norm in LAYOUTS:
                away = axis * grid.distance(here, there)
            elif norm == "straight":
                away = axis * math.hypot(da, db)
            else:
                low, high = sorted([abs(da), abs(db)])
                away = axis * (high - low) + diagonal * low
            up = climb * rise if rise > 0 else drop * -rise
            assert bound[node] == pytest.approx(away + up)
        back = heuristic.reversed().to(layout, goal)
        assert back[0] == pytest.approx(heuristic.to(layout, 0)[goal])


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("n_generations", [1, 7, 255])
def test_all_is_reached_however_few_searches_fit(n_generations, whole):
    count = 50
    steps = np.full((count, 2), 1, dtype=np.uint8 if whole else np.float64)
    steps[0, 0] = steps[-1, 1] = NO_STEP if whole else NO_STEP_FLOAT
    offset = np.array([[-1, 1]])
    layout = NodeLayout(count, np.zeros(count, dtype=np.int16))
    guided = GuidedGraph(Graph(steps, offset, None, None, layout))
    workspace = Workspace.of(count, is_whole=whole)
    workspace._n_generations, workspace.generation = n_generations, n_generations + 1
    rng = np.random.default_rng(3)
    starts = rng.integers(0, count, 600, dtype=np.int32)
    for _ in range(2):
        counts, cells, costs = guided.reach_many(workspace, starts, 5)
        assert (counts == 1 + np.minimum(starts, 5) + np.minimum(count - 1 - starts, 5)).all()
        assert (costs == abs(cells[:, 1] - np.repeat(starts, counts))).all()
        workspace.one_source[0] = 3
        guided.search(workspace, workspace.one_source, workspace.no_cost, 9)
        assert len(workspace.found_path()) == 7
