"""Every path is a cheapest one: compared with SciPy's Dijkstra; the first tries of a newcomer."""

import math

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.rules.heuristics import HEURISTICS, estimates
from ai.rules.profile import DIAGONAL_MODES
from terrain3d import TOPOLOGIES, TileMap
from tests.support import reference

NEARLY = {"rel": 1e-11, "abs": 1e-12}


@reference.tried(400, reference.cases())
def test_a_path_is_legal_and_as_cheap_as_scipy_says(case):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    cheapest = reference.true_costs(tilemap, profile, start, case.blocked)
    for goal in reference.cells_of(tilemap):
        path = navigation.find_path(start, goal, profile, blocked=case.blocked)
        if path:
            reference.walk(tilemap, profile, path, start, goal, case.blocked)
            assert path.cost == pytest.approx(cheapest[goal], **NEARLY)
        else:
            assert cheapest[goal] == path.cost == math.inf
            assert path.reason
            assert (path.cells, path.steps, path.as_array().shape) == ([], [], (0, 3))


def may_exceed(tilemap, profile, heuristic):
    """Return whether a distance by name exceeds the true cost for a mover."""
    if heuristic in ("auto", "zero"):
        return False
    if tilemap.topology != "square":
        return True  # they are distances on squares
    least = {"manhattan": 2, "octile": 2**0.5, "chebyshev": 1, "euclidean": 2**0.5}[heuristic]
    return profile.diagonal != "never" and profile.diagonal_cost < least


@reference.tried(300, reference.cases(), st.sampled_from(HEURISTICS))
def test_a_heuristic_is_exact_or_refused(case, heuristic):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    if may_exceed(tilemap, profile, heuristic):
        with pytest.raises(ValueError, match=r"could exceed the true cost|for square tiles"):
            navigation.begin_search(start, start, profile, heuristic=heuristic)
        return
    cheapest = reference.true_costs(tilemap, profile, start, case.blocked)
    for goal in reference.cells_of(tilemap):
        how = {"heuristic": heuristic, "blocked": case.blocked}
        search = navigation.begin_search(start, goal, profile, **how)
        search.run()
        assert search.path.cost == pytest.approx(cheapest[goal], **NEARLY)


@reference.tried(300, reference.cases(), st.data())
def test_a_path_above_the_limit_is_refused_and_a_partial_one_leads_nearest(case, data):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    cheapest = reference.true_costs(tilemap, profile, start, case.blocked)
    finite = sorted({*cheapest[np.isfinite(cheapest)].tolist(), 0.0})
    # Just below or above a cost that matters; never within rounding of one.
    limit = data.draw(st.sampled_from([*finite, math.inf]))
    if limit < math.inf:
        # Limits are rounded to millionths.
        limit = max(0.0, limit + data.draw(st.sampled_from([-2e-6, 2e-6])) * max(1, limit))
        assume(all(limit == cost == 0 or abs(limit - cost) > 1e-9 * cost for cost in finite))
    within = np.where(cheapest <= limit, cheapest, math.inf)
    for goal in reference.cells_of(tilemap)[:: data.draw(st.integers(1, 3))]:
        asked = data.draw(st.sampled_from([goal, [goal]]))
        more = {"blocked": case.blocked, "max_cost": limit}
        path = navigation.find_path(start, asked, profile, **more)
        assert path.cost == pytest.approx(within[goal], **NEARLY)
        part = navigation.find_path(start, asked, profile, partial=True, **more)
        if path:
            assert (part.cells, part.cost, part.partial) == (path.cells, path.cost, False)
            continue
        if not part:
            assert np.isinf(within).all()
            assert part.reason == f"the start ({start[0]}, {start[1]}) is void"
            continue
        assert part.partial
        assert part.reason == path.reason != ""
        end = part.cells[-1][:2]
        ranks = {
            cell: (reference.distance(tilemap, profile, cell, goal), within[cell])
            for cell in reference.cells_of(tilemap)
            if within[cell] < math.inf
        }
        assert (ranks[end][0], part.cost) == pytest.approx(min(ranks.values()), **NEARLY)
        assert part.cost == pytest.approx(within[end], **NEARLY)


@pytest.mark.parametrize("goals", [[(0, 0), (4, 0)], [(4, 0), (0, 0)]])
def test_a_partial_path_leads_to_the_nearest_goal(goals):
    between_towers = Navigation(TileMap.from_text("9\n0\n0\n0\n9"))
    stay = between_towers.find_path((1, 0), goals, partial=True)
    assert (stay.cells, stay.partial) == ([(1, 0, 0)], True)
    step = between_towers.find_path((2, 0), goals, partial=True)
    assert step.cells == [(2, 0, 0), (1, 0, 0)]


@pytest.mark.parametrize("seed", range(16))
def test_paths_on_larger_maps_are_as_cheap_as_scipy_says(seed):
    rng = np.random.default_rng(seed)
    rows, cols = rng.integers(1, 40, 2)
    kind = rng.choice(6, (rows, cols), p=[0.7, 0.1, 0.1, 0.02, 0.05, 0.03])
    level = rng.integers(0, rng.integers(1, 6), (rows, cols))
    topology = rng.choice(["square", "square", *TOPOLOGIES])
    tilemap = TileMap(level, kind, reference.KINDS, topology=str(topology))
    climb, drop, climb_cost, drop_cost = rng.integers(0, 4, 4).tolist()
    diagonals = str(rng.choice(DIAGONAL_MODES)), float(rng.choice([1, 1.5, 2**0.5]))
    more = dict(zip(("diagonal", "diagonal_cost"), diagonals, strict=True))
    profile = MoveProfile(climb, drop, climb_cost + 0.1 * (seed % 3), drop_cost, **more)
    navigation, cells = Navigation(tilemap), reference.cells_of(tilemap)
    start, *goals = (cells[number] for number in rng.integers(0, len(cells), 26))
    cheapest = reference.true_costs(tilemap, profile, start)
    for goal in goals:
        path = navigation.find_path(start, goal, profile)
        assert path.cost == pytest.approx(cheapest[goal], **NEARLY)
        if path:
            reference.walk(tilemap, profile, path, start, goal)


@reference.tried(200, reference.cases(), st.sampled_from(HEURISTICS))
def test_an_estimate_is_consistent_and_nothing_at_the_goal(case, heuristic):
    tilemap, profile = case.tilemap, case.profile
    if may_exceed(tilemap, profile, heuristic):
        return
    steps = reference.edges(tilemap, profile)
    number = {cell: node for node, cell in enumerate(reference.cells_of(tilemap))}
    before = [number[start] for start, _, _ in steps]
    after = [number[end] for _, end, _ in steps]
    price = np.array([cost for _, _, cost in steps])
    graph = Navigation(tilemap).profile_graph(profile)
    price = np.rint(price * reference.MILLION / graph.unit)
    for goal in range(len(number)):
        bound = estimates(graph.rule, graph.forward, graph.links, goal, heuristic)
        assert bound[goal] == 0
        assert (bound >= 0).all()
        assert (bound[before] <= price + bound[after] + 1e-9 * (1 + bound[before])).all()


@reference.tried(200, reference.cases())
def test_the_bound_is_consistent_in_both_directions(case):
    tilemap, profile = case.tilemap, case.profile
    graph = Navigation(tilemap).profile_graph(profile)
    for each in (graph.forward, graph.backward):
        places, level = each.layout.places(np.arange(each.n_nodes)), each.layout.level.astype(int)
        for goal in range(each.n_nodes):
            bound = each.bound.over(places[goal] - places, level[goal] - level)
            assert bound[goal] == 0
            for node in range(each.n_nodes):
                assert all(bound[node] <= cost + bound[end] for end, cost in each.edges_from(node))


def test_a_path_is_iterable_and_its_array_is_a_copy():
    path = Navigation(TileMap.from_text("000")).find_path((0, 0), (0, 2))
    assert list(path) == path.cells
    path.as_array()[:] = 9
    assert path.as_array().tolist() == [[0, 0, 0], [0, 1, 0], [0, 2, 0]]
