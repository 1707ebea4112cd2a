"""The compiled search: small graphs by hand, random ones against a plain heap, and pausing."""

import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ai.search import (
    EXHAUSTED,
    GOAL_FOUND,
    NO_NODE,
    PAUSED,
    Course,
    Estimate,
    Graph,
    Links,
    Parts,
    Plane,
    Scratch,
    reversed_graph,
)
from ai.search.graph import BROKEN_STEP, BROKEN_STEP_FLOAT, NO_STEP, NO_STEP_FLOAT
from terrain3d.hexgrid import LAYOUTS
from terrain3d.topology import make_grid
from tests.ai.reference import thoroughly

INF = math.inf


class Found:
    """What a search of a graph from some sources found."""

    def __init__(self, graph, sources=(0,), goal=NO_NODE, costs=None, estimate=None, **more):
        least = more.pop("least_step", 1.0)
        self.course = Course(graph, estimate, least)
        self.scratch = more.pop("scratch", None) or Scratch.of(
            graph.n_nodes, is_whole=graph.is_whole
        )
        dtype = self.scratch.no_cost.dtype
        self.start = (
            np.array(sources, dtype=np.int32),
            np.zeros(len(sources), dtype) if costs is None else np.array(costs, dtype),
        )
        self.goal, self.more = goal, more
        self.status = self._search(goal, **more)

    def _search(self, goal, **more):
        return self.course.search(self.scratch, *self.start, goal, **more)

    def go_on(self, **more):
        self.status = self.course.search(
            self.scratch, *self.start, self.goal, **(self.more | more), is_begin=False
        )
        return self.status

    @property
    def cost(self):
        return self.scratch.decode()[1].tolist()

    @property
    def settled(self):
        return self.scratch.settled_nodes().tolist()

    @property
    def way(self):
        record = self.scratch.found_path()
        cols = self.course.plane.cols
        return (record[:, 0] * cols + record[:, 1]).astype(int).tolist(), float(record[-1, 3])


class Flooded(Found):
    """What flooding a graph from some sources found."""

    def _search(self, _goal, **more):
        self.course.flood(self.scratch, *self.start, **more)
        return EXHAUSTED


def edges(n_nodes, *triples):
    source, target, cost = zip(*triples, strict=True) if triples else ((), (), ())
    return Graph.from_edges(n_nodes, source, target, cost)


def slots(offsets, *rows, dtype=np.float64):
    none = NO_STEP if dtype == np.uint8 else NO_STEP_FLOAT
    table = [[none if price is None else price for price in row] for row in rows]
    return Graph(np.array(table, dtype=dtype), np.atleast_2d(np.array(offsets, dtype=np.int64)))


def triples_of(graph):
    """List a graph's edges in plain Python."""
    told = []
    for node in range(graph.n_nodes):
        kind = 0 if graph.node_class is None else int(graph.node_class[node])
        for slot, offset in enumerate(graph.offset[kind].tolist()):
            if graph.step_cost[node, slot] < graph.broken:
                told.append((node, node + offset, float(graph.step_cost[node, slot])))
        if graph.links is not None:
            first, last = graph.links.first[node : node + 2].tolist()
            for link in range(first, last):
                told.append((node, int(graph.links.target[link]), float(graph.links.cost[link])))
    return told


def by_plain_heap(graph, sources, costs=None, limit=INF, blocked=()):
    leaving = {}
    for source, target, price in triples_of(graph):
        leaving.setdefault(source, []).append((target, price))
    cost = [INF] * graph.n_nodes
    frontier = []
    for source, start_cost in zip(sources, costs or [0] * len(sources), strict=True):
        if source not in blocked:
            heapq.heappush(frontier, (start_cost, source))
    while frontier:
        here_cost, here = heapq.heappop(frontier)
        if here_cost >= cost[here]:
            continue
        cost[here] = here_cost
        for there, price in leaving.get(here, []):
            if there not in blocked and here_cost + price <= limit:
                heapq.heappush(frontier, (here_cost + price, there))
    return cost


def random_graph(rng, *, whole, prices, n_nodes=None, with_links=True):
    """Make a graph with slots, classes and links all at once."""
    n_nodes = n_nodes or int(rng.integers(1, 30))
    n_classes, n_slots = rng.integers(1, 4, 2)
    offset = rng.integers(-6, 7, (n_classes, n_slots))
    node_class = rng.integers(0, n_classes, n_nodes).astype(np.uint8)
    table = rng.choice(prices, (n_nodes, n_slots)).astype(np.float64)
    none, broken = (NO_STEP, BROKEN_STEP) if whole else (NO_STEP_FLOAT, BROKEN_STEP_FLOAT)
    table[rng.random(table.shape) < 0.2] = broken
    ends = np.arange(n_nodes)[:, None] + offset[node_class]
    table[(ends < 0) | (ends >= n_nodes)] = none
    dtype = np.uint8 if whole else np.float64
    links = None
    if with_links:
        counts = rng.integers(0, 3, n_nodes)
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        target = rng.integers(0, n_nodes, first[-1]).astype(np.int32)
        links = Links(first, target, rng.choice(prices, first[-1]).astype(dtype))
    return Graph(table.astype(dtype), offset, node_class if n_classes > 1 else None, links)


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
    expected = by_plain_heap(graph, sources, costs, limit, set(blocked.tolist()))
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
        nodes, price = aimed.way
        assert price == pytest.approx(within[goal], rel=1e-12)
        start = min(c for s, c in zip(sources, costs, strict=True) if s == nodes[0])
        assert nodes[-1] == goal
        assert start + length_of(graph, nodes) == pytest.approx(price, rel=1e-12)


def follows_its_parents(graph, found):
    """Tell whether each settled node costs what its parent costs and the step from there."""
    parent = found.scratch.decode()[2].tolist()
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
        assert paused.scratch.n_expanded == done
        done += bit
        paused.go_on(max_expansions=done)
    assert paused.status == through.status
    assert paused.settled == through.settled
    assert paused.cost == through.cost
    if through.status == GOAL_FOUND:
        assert paused.way == through.way


def test_a_longer_way_of_cheaper_steps_wins():
    found = Found(edges(3, (0, 2, 5), (0, 1, 2), (1, 2, 2)), goal=2)
    assert found.way == ([0, 1, 2], 4)


def test_slots_of_bytes_and_of_fractions_agree():
    rows = [[2, 5], [2, None], [None, None]]
    for dtype in (np.uint8, np.float64):
        assert Found(slots([1, 2], *rows, dtype=dtype), goal=2).way == ([0, 1, 2], 4)


def test_steps_for_nothing_are_taken_and_lead_round_in_no_circle():
    for dtype in (np.uint8, np.float64):
        found = Found(slots([1, -1], [0, None], [0, 0], [None, 0], dtype=dtype), [1])
        assert found.cost == [0, 0, 0]
        assert sorted(found.settled) == [0, 1, 2]


def test_each_class_of_nodes_has_its_own_offsets():
    table = np.array([[1], [1], [NO_STEP], [1]], dtype=np.uint8)
    graph = Graph(table, np.array([[3], [1], [-2]]), np.array([0, 1, 0, 2], dtype=np.uint8))
    assert Found(graph, goal=2).way == ([0, 3, 1, 2], 3)


def test_a_node_keeps_the_first_parent_that_gave_its_lowest_cost():
    diamond = edges(4, (0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1))
    # Inside a bucket the node that came in last is expanded first.
    assert Found(diamond, goal=3).way == ([0, 2, 3], 2)


def test_a_flood_takes_the_last_of_a_round_first_and_what_comes_meanwhile_in_the_next():
    steps = slots([1, 2, 3], [1, 1, None], [3, 0, 1], [3, 2, 0], *[[None] * 3] * 3, dtype=np.uint8)
    # 2 came after 1, so it goes first; 3 and 5 cost no more, but come while that round runs.
    assert Flooded(steps).settled == [0, 2, 1, 3, 5, 4]
    assert Flooded(steps).scratch.decode()[2].tolist() == [-1, 0, 0, 1, 1, 2]


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
    assert Found(line, [3, 3, 0], goal=1, costs=[9, 1, 300]).way == ([3, 2, 1], 3)


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
    chain = Graph.from_edges(n_nodes, nodes, nodes + 1, np.where(nodes % 2, step, 1e9))
    found = Found(chain, goal=n_nodes - 1, least_step=1e-9)
    assert found.status == GOAL_FOUND
    assert found.way[1] == pytest.approx((n_nodes // 2 - 1) * step + n_nodes // 2 * 1e9)


@pytest.mark.parametrize("spread", [1e-2, 1e-4, 1e-6, 1e-9])
def test_ways_of_nearly_the_same_cost_are_not_opened_again_and_again(spread):
    side = 60
    rng = np.random.default_rng(3)
    field = field_of(side, np.float64)
    is_step = field.step_cost < INF
    field.step_cost[is_step] += spread * rng.random(is_step.sum())
    found = Found(field, goal=side * side - 1, estimate=Estimate("lattice", 1, 2))
    assert found.scratch.n_expanded < 1.5 * side * side
    assert found.way[1] == pytest.approx(by_plain_heap(field, [0])[-1], rel=1e-12)


def test_a_goal_that_was_met_is_still_improved_from_its_own_bucket():
    graph = edges(3, (0, 1, 1.0), (0, 2, 1.01), (1, 2, 0.001))
    assert Found(graph, goal=2).way == ([0, 1, 2], pytest.approx(1.001))


def test_costs_beyond_all_buckets_are_still_compared():
    graph = edges(4, (0, 1, 1e200), (0, 2, 2e200), (1, 3, 3e200), (2, 3, 1e200))
    assert Found(graph, goal=3, least_step=1e-9).way == ([0, 2, 3], pytest.approx(3e200))


def with_pool_of_four(n_nodes, whole):
    scratch = Scratch.of(n_nodes, is_whole=whole)
    scratch.pool = scratch.pool[:2]
    scratch.grow_pool()
    return scratch


@pytest.mark.parametrize("whole", [True, False])
def test_a_frontier_of_thousands_outgrows_its_pool_and_stays_exact(whole):
    rng = np.random.default_rng(5)
    n_nodes = 3000
    source = np.repeat(np.arange(n_nodes), 8)
    target, price = rng.integers(0, n_nodes, len(source)), rng.integers(0, 400, len(source))
    graph = Graph.from_edges(n_nodes, source, target, price)
    if whole:
        graph = random_graph(rng, whole=True, prices=np.arange(254), n_nodes=n_nodes)
    scratch = with_pool_of_four(n_nodes, whole)
    found = Found(graph, scratch=scratch)
    assert len(scratch.pool) > 4
    assert found.cost == by_plain_heap(graph, [0])
    scratch = with_pool_of_four(n_nodes, whole)
    assert Flooded(graph, scratch=scratch).cost == found.cost
    assert len(scratch.pool) > 4


def test_more_sources_than_the_pool_holds_are_all_used():
    n_nodes = 40
    graph = edges(n_nodes, *[(node, (node + 1) % n_nodes, 1) for node in range(n_nodes)])
    scratch = with_pool_of_four(n_nodes, whole=False)
    assert Found(graph, range(0, n_nodes, 2), scratch=scratch).cost == [0, 1] * (n_nodes // 2)
    assert len(scratch.pool) >= n_nodes // 2


def test_working_arrays_remember_nothing_of_the_search_before():
    line = slots([1, -1], [1, None], [1, 1], [None, 1], dtype=np.uint8)
    scratch = Scratch.of(3, is_whole=True)
    assert Found(line, [0], scratch=scratch).cost == [0, 1, 2]
    assert Found(line, [2], scratch=scratch, limit=1).settled == [2, 1]
    assert Found(line, [2], scratch=scratch, blocked=np.array([1])).cost == [INF, INF, 0]
    scratch.era = 1
    assert Found(line, [1], scratch=scratch, blocked=np.array([0])).cost == [INF, 0, 1]
    assert scratch.era > 1


def test_stamps_begin_anew_when_they_are_used_up():
    line = slots([1, -1], [1, None], [1, 1], [None, 1])
    scratch = Scratch.of(3, is_whole=False)
    assert Found(line, [0], scratch=scratch).cost == [0, 1, 2]
    scratch.stamp = 2**28
    assert Found(line, [1], scratch=scratch, limit=0).cost == [INF, 0, INF]
    assert scratch.stamp == 1


def test_blocked_nodes_are_free_again_in_the_next_search():
    line = slots([1, -1], [1, None], [1, 1], [None, 1], dtype=np.uint8)
    scratch = Scratch.of(3, is_whole=True)
    for node in range(3):
        Found(line, [0], scratch=scratch, blocked=np.array([node]))
        assert Found(line, [0], scratch=scratch, limit=0).settled == [0]
        assert Found(line, [0], scratch=scratch).cost == [0, 1, 2]


def field_of(side, dtype=np.uint8, price=1):
    """Make an open field of side x side with places, for searches with an estimate."""
    offset = np.array([[-side, 1, side, -1]])
    table = np.full((side * side, 4), price, dtype=dtype)
    row, col = np.divmod(np.arange(side * side), side)
    none = NO_STEP if dtype == np.uint8 else NO_STEP_FLOAT
    outside = np.stack([row == 0, col == side - 1, row == side - 1, col == 0], axis=1)
    table[outside] = none
    return Graph(table, offset, plane=Plane(side, np.zeros(side * side, np.int16)))


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_greedy_search_goes_straight_and_an_estimate_saves_work(dtype):
    graph, guess = field_of(40, dtype), Estimate("lattice", 1, 2)
    start, goal = [10 * 40 + 2], 10 * 40 + 37
    greedy = Found(field_of(40, np.float64), start, goal, estimate=guess, is_greedy=True)
    assert greedy.way == (list(range(402, 438)), 35)
    assert len(greedy.settled) == 36
    guided, blind = Found(graph, start, goal, estimate=guess), Found(graph, start, goal)
    assert guided.way[1] == blind.way[1] == 35
    assert 10 * len(guided.settled) < len(blind.settled)


@thoroughly(60)
@given(st.integers(0, 2**32 - 1))
def test_greedy_search_expands_what_looks_nearest_of_all_it_knows(seed):
    rng = np.random.default_rng(seed)
    side = int(rng.integers(2, 10))
    graph = field_of(side, np.float64)
    graph.step_cost[rng.random(graph.step_cost.shape) < 0.3] = BROKEN_STEP_FLOAT
    start, goal = rng.integers(0, side * side, 2).tolist()
    price = float(rng.choice([1, 100]))  # 100: many of its buckets lie beyond the ring
    guess = Estimate("lattice", price, 2 * price)
    found = Found(graph, [start], goal, estimate=guess, is_greedy=True)
    bound = guess.to(graph.plane, goal)
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
    plane = Plane(cols, level, 1, places)
    axis, diagonal, climb, drop = weights
    told = Estimate("hex" if norm in LAYOUTS else norm, *weights)
    for goal in range(0, rows * cols, 5):
        bound = told.to(plane, goal)
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
        back = told.turned_around().to(plane, goal)
        assert back[0] == pytest.approx(told.to(plane, 0)[goal])


@thoroughly(200)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_a_graph_turned_around_twice_is_the_same(seed, whole):
    rng = np.random.default_rng(seed)
    rows, cols = rng.integers(1, 6, 2)
    table = rng.choice(np.arange(1, 50), (rows, cols, 4)).astype(np.uint8 if whole else float)
    table[rng.random(table.shape) < 0.2] = BROKEN_STEP if whole else BROKEN_STEP_FLOAT
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
    parts = Parts.of(graph)
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
        assert parts.may_reach(start, goal) or cost == INF


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
        ({"plane": Plane(1, np.zeros(1, np.int16))}, "a level for each of the 2 nodes"),
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


@pytest.mark.parametrize(
    "triple", [(2, 0, 1), (-1, 0, 1), (0, 2, 1), (0, -1, 1), (0, 1, -1), (0, 1, math.nan)]
)
def test_edges_that_lead_nowhere_are_refused(triple):
    with pytest.raises(ValueError, match=r"outside|>= 0|negative"):
        edges(2, triple)
