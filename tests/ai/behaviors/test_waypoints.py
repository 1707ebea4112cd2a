"""Points and edges: cheapest routes as scipy finds them, edits, and bad input."""

import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai import Navigation, Waypoints, measure, scatter
from ai.behaviors import waypoints
from terrain3d import TOPOLOGIES, TileMap
from tests.support.reference import cells_of, ground, profiles, tilemaps, tried, true_costs


def graph_of(count, edges, cells=None):
    graph = Waypoints()
    for number in range(count):
        graph.add_point(str(number), cells[number] if cells else (0, number))
    for start, end, cost in edges:
        graph.connect(str(start), str(end), cost, one_way=True)
    return graph


def oracle(count, edges):
    """(count, count) cheapest costs by scipy, whose matrices may hold edges of cost 0."""
    last = {(start, end): cost for start, end, cost in edges}
    start, end = np.array([*last], int).reshape(-1, 2).T
    return dijkstra(csr_matrix(([*last.values()], (start, end)), shape=(count, count), dtype=float))


costs = st.integers(0, 9) | st.sampled_from([0.1, 2.5, 1e-12, 1e15])


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 9))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1), costs)
    return count, [edge for edge in draw(st.lists(pairs, max_size=40)) if edge[0] != edge[1]]


ends = st.dictionaries(st.integers(0, 8), costs | st.just(math.inf), max_size=5)


@pytest.mark.parametrize("most", [400, 0])
@tried(100, graphs(), ends, ends, st.integers(0, 2**32 - 1))
def test_routes_and_journeys_are_as_cheap_as_those_of_scipy(most, graph, first, last, seed):
    count, edges = graph
    # On a coarse grid, so that some cells are equal, and edges of any ratio to their length.
    cells = np.random.default_rng(seed).integers(3, size=(count, 3)).tolist()
    first, last = ({a: cost for a, cost in each.items() if a < count} for each in (first, last))
    between, price = oracle(count, edges), {(start, end): cost for start, end, cost in edges}
    best = min((first[a] + between[a, b] + last[b] for a in first for b in last), default=math.inf)

    def priced(names):
        return sum(price[int(start), int(end)] for start, end in itertools.pairwise(names))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waypoints, "_MAX_TABLE", most)  # at 0 every route is searched on demand
        points = graph_of(count, edges, cells)
        for start, end in itertools.product(range(count), repeat=2):
            cost, route = points.cost(str(start), str(end)), points.route(str(start), str(end))
            assert cost == pytest.approx(between[start, end], rel=1e-12)
            assert bool(route) == (cost < math.inf)
            if route:
                assert (route[0], route[-1]) == (str(start), str(end))
                assert priced(route) == pytest.approx(cost, rel=1e-12)
                assert len(set(route)) == len(route)
        named = ({str(number): cost for number, cost in each.items()} for each in (first, last))
        cost, names = points.journey(*named)
    assert cost == pytest.approx(best, rel=1e-12)
    assert bool(names) == (best < math.inf)
    if names:
        whole = first[int(names[0])] + priced(names) + last[int(names[-1])]
        assert whole == pytest.approx(best, rel=1e-12)


def test_straight_distances_guide_the_search(monkeypatch):
    monkeypatch.setattr(waypoints, "_MAX_TABLE", 0)
    cells = [divmod(number, 20) for number in range(400)]
    pairs = ((number, end) for number in range(400) for end in (number + 1, number + 21))
    edges = [
        (start, end, math.dist(cells[start], cells[end]))
        for start, end in pairs
        if end < 400 and abs(cells[end][1] - cells[start][1]) == 1
    ]
    points = graph_of(400, edges, cells)
    seen, pop = [], heapq.heappop
    monkeypatch.setattr(heapq, "heappop", lambda heap: seen.append(heap[0]) or pop(heap))
    assert points.route("0", "63") == ["0", "21", "42", "63"]
    assert len(seen) < 20  # of 400, on and beside the diagonal


def test_edges_have_directions_and_costs_that_can_be_changed():
    points = graph_of(3, [(0, 1, 2), (1, 2, 2)])
    assert points.cost("0", "2") == 4
    assert points.cost("2", "0") == math.inf
    assert points.route("2", "0") == []
    points.connect("0", "2", 3)
    assert (points.cost("0", "2"), points.cost("2", "0")) == (3, 3)
    points.connect("0", "2", 9, one_way=True)
    assert (points.cost("0", "2"), points.cost("2", "0")) == (4, 3)
    points.disconnect("0", "2")
    points.disconnect("0", "2")  # there is none any more
    assert points.cost("2", "0") == math.inf
    points.connect("2", "0", 1, one_way=True)
    points.disconnect("2", "0", one_way=True)
    assert points.edges == [("0", "1", 2), ("1", "2", 2)]
    points.remove_point("1")
    assert points.cost("0", "2") == math.inf
    assert list(points.points) == ["0", "2"]
    assert points.edges == []
    assert len(points) == 2


def test_what_is_no_point_is_refused():
    points = graph_of(2, [])
    for call in (points.connect, points.disconnect, points.cost, points.route):
        with pytest.raises(ValueError, match="there is no point 'x'"):
            call("0", "x", *([1] if call == points.connect else []))
    with pytest.raises(ValueError, match="there is no point 'x'"):
        points.remove_point("x")
    with pytest.raises(ValueError, match="two different points, got '0' twice"):
        points.connect("0", "0", 1)
    with pytest.raises(ValueError, match="there is a point '0' already"):
        points.add_point("0", (3, 3))
    assert len(points) == 2


@tried(60, tilemaps(max_side=5), profiles, st.data())
def test_edges_are_measured_as_what_a_mover_really_walks(tilemap, profile, data):
    chosen = sorted(data.draw(st.sets(st.sampled_from(cells_of(tilemap)), min_size=1, max_size=5)))
    points = graph_of(len(chosen), [], chosen)
    points.add_point("off", (0, 0, 7))
    points.connect("off", "0", 1)
    most = data.draw(st.sampled_from([math.inf, 6]))
    measure(points, Navigation(tilemap), profile, max_cost=most)
    expected = {}
    for start, end in itertools.permutations(range(len(chosen)), 2):
        cost = true_costs(tilemap, profile, chosen[start])[chosen[end]]
        if cost <= most and cost < math.inf:
            expected[str(start), str(end)] = pytest.approx(cost)
    assert {(start, end): cost for start, end, cost in points.edges} == expected


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_scattered_points_are_apart_can_be_stood_on_and_equal_for_equal_seeds(topology):
    tilemap = TileMap.from_noise(20, 20, seed=3, topology=topology)
    with tilemap.edit() as edit:
        for row in range(0, 20, 2):
            edit.set_kind((row, 5), "deep")
    navigation = Navigation(tilemap)
    seeds = map(np.random.default_rng, (1, 1, 2))
    some, same, others = (scatter(navigation, 12, rng, spacing_tiles=3) for rng in seeds)
    assert some.points == same.points != others.points
    assert list(some.points) == [f"p{number}" for number in range(12)]
    for one, other in itertools.combinations(some.points.values(), 2):
        assert tilemap.grid.distance(one, other) >= 3
    assert not any(navigation.explain_stop(cell) for cell in some.points.values())
    assert some.edges == []


def test_where_no_more_find_room_there_are_fewer():
    navigation = Navigation(ground("0000", "wgwg"))
    crowded = scatter(navigation, 9, np.random.default_rng(0), spacing_tiles=1)
    assert sorted(crowded.points.values()) == [(0, 1, 0), (0, 3, 0)]
    assert len(scatter(navigation, 9, np.random.default_rng(0), spacing_tiles=3)) == 1


def test_points_are_drawn_by_their_weights():
    tilemap = TileMap.from_text("00000000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0)], level=4)
    navigation, weights = Navigation(tilemap), np.zeros((2, 1, 8))
    weights[0, 0, 2:6], weights[1, 0, 0] = 1, 4
    seen = np.zeros((2, 8))
    for seed in range(800):
        rng = np.random.default_rng(seed)
        [cell] = scatter(navigation, 1, rng, weights=weights).points.values()
        seen[cell.deck, cell.col] += 1
    assert seen.ravel().tolist() == pytest.approx((100 * weights).ravel(), abs=60)
    assert seen[weights[:, 0] == 0].sum() == 0
    assert len(scatter(navigation, 9, rng, weights=weights, spacing_tiles=1)) == 5


def test_weights_of_another_shape_or_below_0_are_refused():
    navigation, rng = Navigation(TileMap.from_text("00")), np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"weights must be of shape \(1, 2\), .* got \(2, 1\)"):
        scatter(navigation, 1, rng, weights=[[1], [1]])
    with pytest.raises(ValueError, match=r"weights must be in 0..1000000, got -1 at \(0, 1\)"):
        scatter(navigation, 1, rng, weights=[[1, -1]])
