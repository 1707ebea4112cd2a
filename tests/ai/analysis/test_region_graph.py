"""Regions and gates against components and shortest paths by scipy, also after edits."""

import itertools
import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ai import MoveProfile, Navigation
from ai.analysis import region_graph
from terrain3d import TileMap
from tests.support import mixed_maps
from tests.support.graphs import by_plain_heap, triples_of
from tests.support.reference import TOLERANCE, thoroughly

SMALL = 4
"""A side of clusters for small maps; no step or leap of these movers is longer."""


def rooms(rng, side):
    """Make a map of hills, walls and a few slopes that lead down only."""
    level = rng.integers(0, 2, (side, side)) + 3 * (rng.random((side, side)) < 0.3)
    return TileMap(level)


def two_rooms():
    """Two halves of a map of two clusters, joined by one tile in a wall."""
    tilemap = TileMap(np.zeros((16, 32), int))
    with tilemap.edit() as edit:
        for row in range(16):
            edit.set_level((row, 16), 0 if row == 9 else 9)
    return tilemap


def surfaces_of(navigation, profile):
    graph = navigation.profile_graph(profile)
    return graph, graph.rule.can_arrive(np.arange(graph.level.size))


def check_labels(navigation, profile, side):
    """Compare regions with the components of each cluster, by scipy."""
    graph, is_open = surfaces_of(navigation, profile)
    shape = graph.rule.footprint.level.shape
    _, row, col = np.unravel_index(np.arange(len(is_open)), shape)
    cluster = row // side * 1000 + col // side
    triples = triples_of(graph.forward)
    assert all(is_open[end] for _, end, _ in triples)
    inside = [(a, b) for a, b, _ in triples if is_open[a] and cluster[a] == cluster[b]]
    start, end = np.array(inside, dtype=int).reshape(-1, 2).T
    matrix = coo_array((np.ones(len(start)), (start, end)), shape=(len(is_open),) * 2)
    _, part = connected_components(matrix, connection="strong")
    expected = np.full(len(is_open), -1)
    for number in set(part[is_open].tolist()):
        members = np.flatnonzero(part == number)
        expected[members] = members[0]
    label = navigation.regions(profile).label
    assert label.ravel().tolist() == expected.tolist()
    assert label.shape == navigation.cost_field((0, 0), profile).cost.shape
    assert not label.flags.writeable


def check_bounds(navigation, profile, source):
    """Compare paths from a node with exact costs, to 20 goals, and follow their cells."""
    graph, is_open = surfaces_of(navigation, profile)
    regions, start = navigation.regions(profile), graph.nodes.cell(source)
    exact = by_plain_heap(graph.forward, [source])
    cheapest = {}
    for a, b, cost in triples_of(graph.forward):
        cheapest[a, b] = min(cost, cheapest.get((a, b), math.inf))
    ends = np.random.default_rng(source).permutation(np.flatnonzero(is_open))[:20]
    for goal in map(graph.nodes.cell, ends.tolist()):
        path, cost = regions.find_path(start, goal), exact[graph.nodes.of(goal)]
        assert bool(path) == (cost < math.inf)
        assert path.lower <= cost * (1 + TOLERANCE)
        assert path.upper >= cost * (1 - TOLERANCE)
        along = [graph.nodes.of(cell) for cell in regions.refine(path)]
        if not path:
            assert path.lower == path.upper == math.inf
            assert path.reason == f"no path leads to {goal}"
            assert along == []
            continue
        assert (along[0], along[-1]) == (source, graph.nodes.of(goal))
        steps = [cheapest[pair] for pair in itertools.pairwise(along)]
        assert math.isclose(sum(steps), path.upper, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        passed = [regions.region_of(start), *(gate.next_region for gate in path.gates)]
        assert passed == [*(g.region for g in path.gates), regions.region_of(goal)]


def answers(regions):
    """All that can be asked about regions."""
    return (
        regions.label.tolist(),
        regions.numbers,
        [regions.cells(number) for number in regions.numbers],
        [regions.gates_from(number) for number in regions.numbers],
        [regions.neighbors(number) for number in regions.numbers],
        [[part.tolist() for part in regions._bounds[number]] for number in regions.numbers],
    )


def test_a_gate_joins_two_rooms():
    regions = Navigation(two_rooms()).regions(MoveProfile(max_climb=1))
    left, right = regions.region_of((0, 0)), regions.region_of((15, 31))
    assert (left, right) == (0, 17)
    [gate] = regions.gates_from(left)
    assert gate == (left, regions.region_of((9, 16)), (9, 15, 0), (9, 16, 0), 1)
    assert regions.neighbors(left) == (gate.next_region,)
    path = regions.find_path((9, 0), (9, 31))
    assert (path.lower, path.upper, path.gates) == (31, 31, (gate,))
    assert [cell.col for cell in regions.refine(path)] == list(range(32))


def test_a_drop_is_a_gate_in_one_direction():
    tilemap = TileMap.from_text("0003")
    regions = Navigation(tilemap).regions(MoveProfile(max_climb=1, max_drop=3))
    assert regions.label.tolist() == [[0, 0, 0, 3]]
    assert regions.cells(0) == [(0, 0, 0), (0, 1, 0), (0, 2, 0)]
    assert regions.neighbors(3) == (0,)
    assert regions.neighbors(0) == ()
    assert regions.find_path((0, 3), (0, 0)).upper == 3
    assert regions.find_path((0, 0), (0, 3)).reason == "no path leads to (0, 3)"


def test_ends_in_no_region():
    tilemap = TileMap.from_text("00#00")
    regions = Navigation(tilemap).regions()
    assert regions.region_of((0, 2)) == -1
    for ends in (((0, 0), (0, 2)), ((0, 2), (0, 0))):
        path = regions.find_path(*ends)
        assert not path
        assert path.reason == "(0, 2) is in no region"
        assert (path.lower, path.upper) == (0, math.inf)
    assert regions.find_path((0, 2), (0, 2)).upper == 0


def test_regions_describe_the_map_of_their_time():
    tilemap = two_rooms()
    navigation = Navigation(tilemap)
    before = navigation.regions()
    known = answers(before), before.find_path((9, 0), (9, 31)).upper
    with tilemap.edit() as edit:
        edit.set_level((9, 16), 9)
    assert not navigation.regions().find_path((9, 0), (9, 31))
    assert (answers(before), before.find_path((9, 0), (9, 31)).upper) == known


def test_an_edit_keeps_what_lies_far_away():
    navigation = Navigation(TileMap(np.zeros((16, 160), int)))
    before = navigation.regions()
    with navigation.tilemap.edit() as edit:
        edit.set_level((3, 3), 9)
    after = navigation.regions()
    kept = [old is new for old, new in zip(before._tables, after._tables, strict=True)]
    assert kept == [False] * 2 + [True] * 8
    last = before.numbers[-1]
    assert before._bounds[last] is after._bounds[last]


def test_edits_after_the_last_question_take_no_memory_for_ever():
    navigation = Navigation(TileMap(np.zeros((40, 40), int)))
    navigation.regions()
    regions = navigation._graphs.of(MoveProfile()).regions
    for number in range(600):
        with navigation.tilemap.edit() as edit:
            edit.set_level(divmod(number, 40), 9)
        navigation.find_path((39, 0), (39, 1))
        assert len(regions._touched) <= 256
    expected = Navigation(navigation.tilemap).regions()
    assert (navigation.regions().label == expected.label).all()


def test_a_new_link_far_from_an_edit_is_a_gate():
    navigation = Navigation(TileMap(np.zeros((16, 100), int)))
    before = navigation.regions()
    with navigation.tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 99), cost=2)
    after = navigation.regions()
    assert before.find_path((0, 1), (0, 98)).lower > 4
    assert after.find_path((0, 1), (0, 98)).upper == 4
    assert after.region_of((0, 99)) in after.neighbors(after.region_of((0, 0)))


def test_a_link_beside_a_cheaper_step_is_no_gate():
    tilemap = TileMap(np.zeros((4, 32), int))
    with tilemap.edit() as edit:
        edit.add_link((3, 15), (3, 16), cost=2)
    assert [gate.cost for gate in Navigation(tilemap).regions().gates_from(0)] == [1]


@pytest.mark.parametrize("region", [1, -1, 99])
def test_a_number_of_no_region_is_refused(region):
    regions = Navigation(TileMap.from_text("000\n000")).regions()
    for call in (regions.cells, regions.gates_from, regions.neighbors):
        with pytest.raises(ValueError, match=f"one of `numbers`, got {region}"):
            call(region)


@pytest.mark.parametrize("seed", range(4))
def test_regions_of_rooms_are_right_and_stay_so(seed):
    rng = np.random.default_rng(seed)
    navigation = Navigation(rooms(rng, 40))
    profile = MoveProfile(max_climb=1, max_drop=int(rng.integers(1, 4)))
    for _ in range(5):
        check_labels(navigation, profile, 16)
        check_bounds(navigation, profile, int(rng.integers(0, 40 * 40)) // 7 * 7)
        with navigation.tilemap.edit() as edit:
            for _ in range(3):
                edit.set_level(rng.integers(0, 40, 2).tolist(), int(rng.integers(0, 5)))
        fresh = Navigation(navigation.tilemap).regions(profile)
        assert answers(navigation.regions(profile)) == answers(fresh)


@thoroughly(60)
@given(st.data())
def test_regions_of_mixed_maps_are_right_and_stay_so(data):
    tilemap = data.draw(mixed_maps.tilemaps(max_side=9))
    shapes = mixed_maps.MORE_SHAPES if min(tilemap.level.shape) > 1 else mixed_maps.SHAPES
    profile = data.draw(mixed_maps.profiles(tilemap.topology, shapes))
    navigation = Navigation(tilemap)
    with mock.patch.object(region_graph, "CLUSTER_TILES", SMALL):
        for _ in range(3):
            check_labels(navigation, profile, SMALL)
            fresh = Navigation(tilemap).regions(profile)
            assert answers(navigation.regions(profile)) == answers(fresh)
            is_open = np.flatnonzero(fresh.label.ravel() >= 0).tolist()
            if is_open:
                check_bounds(navigation, profile, data.draw(st.sampled_from(is_open)))
            data.draw(mixed_maps.edits(tilemap))(tilemap)
