"""The compiled search: small graphs by hand, and the order of settling against a plain heap."""

import heapq
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.search import Graph, best_first, reversed_path
from tests.ai.reference import thoroughly

INF = math.inf


def graph(offsets, *rows):
    return Graph(np.array(offsets, dtype=np.int64), np.array(rows, dtype=np.float64))


def by_plain_heap(graph, start, goal, estimate, limit, is_blocked):
    """Settle the lowest f first, among equals the greater g, among those the smaller node."""
    cost, came_from, settled = {start: 0.0}, {start: -1}, []
    frontier = [(estimate[start], -0.0, start)]
    while frontier:
        _, minus_g, here = heapq.heappop(frontier)
        if -minus_g > cost[here]:
            continue
        if here not in settled:
            settled.append(here)
        if here == goal:
            break
        for slot, offset in enumerate(graph.offset.tolist()):
            there, there_cost = here + offset, -minus_g + float(graph.step_cost[here, slot])
            is_open = there_cost < INF and there_cost <= limit and not is_blocked[there]
            if is_open and there_cost < cost.get(there, INF):
                cost[there], came_from[there] = there_cost, here
                heapq.heappush(frontier, (there_cost + estimate[there], -there_cost, there))
    return settled, cost, came_from


def check_like_plain_heap(graph, start, goal=-1, estimate=None, limit=1e300, is_blocked=None):
    n_nodes = graph.n_nodes
    found = best_first(
        graph, start, goal=goal, estimate=estimate, limit=limit, is_blocked=is_blocked
    )
    settled, cost, came_from = by_plain_heap(
        graph,
        start,
        goal,
        np.zeros(n_nodes) if estimate is None else estimate,
        limit,
        np.zeros(n_nodes, dtype=bool) if is_blocked is None else is_blocked,
    )
    assert found.settled.tolist() == settled
    assert found.cost.tolist() == [cost.get(node, INF) for node in range(n_nodes)]
    assert found.came_from.tolist() == [came_from.get(node, -1) for node in range(n_nodes)]


def random_graph(rng, offsets, n_nodes, prices):
    step_cost = rng.choice(prices, (n_nodes, len(offsets)))
    ends = np.arange(n_nodes)[:, None] + offsets
    step_cost[(ends < 0) | (ends >= n_nodes)] = INF
    return Graph(offsets, step_cost)


@thoroughly(400)
@given(st.integers(0, 2**32 - 1))
def test_nodes_are_settled_in_the_documented_order(seed):
    rng = np.random.default_rng(seed)
    n_nodes = int(rng.integers(1, 30))
    # Few prices and guesses, so that many nodes are equally promising.
    offsets = rng.integers(-6, 7, rng.integers(1, 5))
    graph = random_graph(rng, offsets, n_nodes, [0.0, 1.0, 1.0, 2.0, 0.1, INF])
    check_like_plain_heap(
        graph,
        start=int(rng.integers(n_nodes)),
        goal=int(rng.integers(-1, n_nodes)),
        estimate=rng.choice([0.0, 1.0, 2.0], n_nodes),
        limit=float(rng.choice([2.0, 5.0, 1e300])),
        is_blocked=rng.random(n_nodes) < rng.choice([0, 0.2]),
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_frontier_of_thousands_keeps_the_order(seed):
    side = 60
    rng = np.random.default_rng(seed)
    # Far leaps beside single steps keep thousands of nodes waiting at once.
    offsets = np.array([1, -1, side, -side, 7 * side + 3, 977])
    graph = random_graph(rng, offsets, side * side, np.arange(1.0, 400.0))
    check_like_plain_heap(graph, int(rng.integers(side * side)))


def test_of_equally_promising_nodes_the_farther_one_is_settled_first():
    fork = graph([1, 2], [1, 2], [INF, INF], [INF, INF])
    assert best_first(fork, 0, estimate=np.array([0.0, 1, 0])).settled.tolist() == [0, 2, 1]


def test_of_equally_far_ones_too_the_smaller_node_is_settled_first():
    fork = graph([2, 1], [1, 1], [INF, INF], [INF, INF])
    assert best_first(fork, 0).settled.tolist() == [0, 1, 2]


def test_a_longer_way_of_cheaper_steps_wins():
    # 0 -> 2 directly for 5, or by 1 for 2 + 2.
    found = best_first(graph([1, 2], [2, 5], [2, INF], [INF, INF]), 0)
    assert found.cost.tolist() == [0, 2, 4]
    assert reversed_path(found, 2) == [2, 1, 0]


def test_steps_for_nothing_are_taken_and_lead_round_in_no_circle():
    found = best_first(graph([1, -1], [0, INF], [0, 0], [INF, 0]), 1)
    assert found.cost.tolist() == [0, 0, 0]
    assert found.settled.tolist() == [1, 0, 2]
    assert found.came_from.tolist() == [1, -1, 1]


def test_a_node_keeps_the_first_parent_that_gave_its_lowest_cost():
    # 3 is reached for 2 both by 1 and by 2; 1 is settled first.
    found = best_first(graph([1, 2], [1, 1], [INF, 1], [1, INF], [INF, INF]), 0)
    assert found.came_from.tolist() == [-1, 0, 0, 1]


def test_a_limit_is_kept_to_the_last_unit():
    line = graph([1], [1], [1], [1], [INF])
    assert best_first(line, 0, limit=2).settled.tolist() == [0, 1, 2]
    assert best_first(line, 0, limit=1.999).settled.tolist() == [0, 1]
    assert best_first(line, 0, limit=0).settled.tolist() == [0]


def test_blocked_nodes_are_not_entered_but_may_be_left():
    line = graph([1], [1], [1], [INF])
    assert best_first(line, 0, is_blocked=np.array([True, False, False])).cost.tolist() == [0, 1, 2]
    found = best_first(line, 0, is_blocked=np.array([False, True, False]))
    assert found.cost.tolist() == [0, INF, INF]


def test_the_search_stops_at_the_goal():
    found = best_first(graph([1], [1], [1], [1], [INF]), 0, goal=2)
    assert found.settled.tolist() == [0, 1, 2]


def test_a_guess_that_is_not_consistent_is_repaired():
    # The guess makes 1 look worse than it is, so 2 is settled too dearly at first.
    step_cost = [[1, 3, INF], [1, INF, INF], [INF, INF, 5], [INF] * 3, [INF] * 3]
    lopsided = graph([1, 2, 2], *step_cost)
    found = best_first(lopsided, 0, goal=4, estimate=np.array([0.0, 6, 0, 0, 0]))
    assert found.cost[4] == 7
    assert reversed_path(found, 4) == [4, 2, 1, 0]


@pytest.mark.parametrize(
    ("offsets", "rows", "message"),
    [
        ([1], [[-1.0], [INF]], "must be >= 0 and not NaN"),
        ([1], [[math.nan], [INF]], "must be >= 0 and not NaN"),
        ([1], [[1.0], [1.0]], r"slot 0 \(offset 1\) leads outside"),
        ([0, -1], [[1.0, 1.0], [1.0, 1.0]], r"slot 1 \(offset -1\) leads outside"),
        ([1, 2], [[1.0], [INF]], r"step_cost must be \(n_nodes, 2\), got \(2, 1\)"),
        ([1], [1.0, INF], r"step_cost must be \(n_nodes, 1\), got \(2,\)"),
    ],
)
def test_a_graph_that_would_lead_astray_is_refused(offsets, rows, message):
    with pytest.raises(ValueError, match=message):
        Graph(np.array(offsets), np.array(rows))


@pytest.mark.parametrize(
    ("start", "more", "message"),
    [
        (2, {}, "nodes are 0..1, got start 2"),
        (-1, {}, "nodes are 0..1, got start -1"),
        (0, {"goal": 2}, "goal 2"),
        (0, {"goal": -2}, "goal -2"),
        (0, {"estimate": np.zeros(1)}, r"must be \(2,\), got \(1,\)"),
        (0, {"is_blocked": np.zeros(3, dtype=bool)}, r"and \(3,\)"),
    ],
)
def test_a_search_that_would_leave_the_graph_is_refused(start, more, message):
    with pytest.raises(ValueError, match=message):
        best_first(graph([1], [1], [INF]), start, **more)
