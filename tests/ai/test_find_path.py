"""Every way is a cheapest one: compared with scipy's Dijkstra on random maps and movers."""

import math

import numpy as np
import pytest
from hypothesis import given

from ai import MoveProfile, Navigation
from ai.movement import estimate
from terrain3d import Cell, TileMap
from tests.ai.reference import (
    KINDS,
    SIDES,
    cases,
    cells_of,
    step_cost,
    thoroughly,
    true_costs,
    walk,
)


@thoroughly(600)
@given(cases())
def test_a_way_is_legal_and_as_cheap_as_scipy_says(case):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    cheapest = true_costs(tilemap, profile, start, case.blocked)
    for goal in cells_of(tilemap):
        path = navigation.find_path(start, goal, profile, blocked=case.blocked)
        if path:
            walk(tilemap, profile, path, start, goal, case.blocked)
            assert path.cost == pytest.approx(cheapest[goal], rel=1e-12, abs=1e-12)
        else:
            assert cheapest[goal] == path.cost == math.inf
            assert path.reason
            assert (path.cells, path.steps, path.as_array().shape) == ([], [], (0, 3))


@pytest.mark.parametrize("seed", range(12))
def test_ways_on_larger_maps_are_as_cheap_as_scipy_says(seed):
    rng = np.random.default_rng(seed)
    rows, cols = rng.integers(1, 40, 2)
    kind = rng.choice(6, (rows, cols), p=[0.7, 0.1, 0.1, 0.02, 0.05, 0.03])
    tilemap = TileMap(rng.integers(0, rng.integers(1, 6), (rows, cols)), kind, KINDS)
    climb, drop, climb_cost, drop_cost = rng.integers(0, 4, 4).tolist()
    profile = MoveProfile(climb, drop, climb_cost + 0.1 * (seed % 3), drop_cost)
    navigation = Navigation(tilemap)
    cells = cells_of(tilemap)
    start = cells[rng.integers(len(cells))]
    cheapest = true_costs(tilemap, profile, start)
    for goal in [cells[rng.integers(len(cells))] for _ in range(25)]:
        path = navigation.find_path(start, goal, profile)
        assert path.cost == pytest.approx(cheapest[goal], rel=1e-12)
        if path:
            walk(tilemap, profile, path, start, goal)


@thoroughly(200)
@given(cases())
def test_the_estimate_is_consistent_and_nothing_at_the_goal(case):
    tilemap, profile = case.tilemap, case.profile
    edges = [
        (start, end, step_cost(tilemap, profile, start, end))
        for start in cells_of(tilemap)
        for end in [(start[0] + drow, start[1] + dcol) for drow, dcol in SIDES]
        if 0 <= end[0] < tilemap.rows and 0 <= end[1] < tilemap.cols
    ]
    price = np.array([cost for _, _, cost in edges])
    for goal in cells_of(tilemap):
        bound = estimate(tilemap, profile, Cell(*goal)).reshape(tilemap.rows, tilemap.cols)
        assert bound[goal] == 0
        assert (bound >= 0).all()
        before = np.array([bound[start] for start, _, _ in edges])
        after = np.array([bound[end] for _, end, _ in edges])
        assert (before <= price + after + 1e-9 * (1 + before)).all()


def test_the_estimate_knows_the_climb_that_is_left():
    tilemap = TileMap.from_text("0123\n0000")
    bound = estimate(tilemap, MoveProfile(climb_cost=5), Cell(0, 3))
    assert bound.reshape(2, 4)[0].tolist() == [18, 12, 6, 0]


def test_costs_that_are_whole_are_given_as_whole_numbers():
    path = Navigation(TileMap.from_text("012")).find_path((0, 0), (0, 2))
    assert isinstance(path.cost, int)
    assert [step.cost for step in path.steps] == [2, 2]
    assert all(isinstance(step.cost, int) for step in path.steps)


def test_a_way_is_iterable_and_its_array_is_the_callers_own():
    path = Navigation(TileMap.from_text("000")).find_path((0, 0), (0, 2))
    assert list(path) == path.cells
    path.as_array()[:] = 9
    assert path.as_array().tolist() == [[0, 0, 0], [0, 1, 0], [0, 2, 0]]


@pytest.mark.parametrize(("start", "goal"), [((0, 0), (0, 3)), ((-1, 0), (0, 0)), ((0, 0), (1, 0))])
def test_an_end_outside_the_map_is_an_index_error(start, goal):
    with pytest.raises(IndexError, match="outside the map"):
        Navigation(TileMap.from_text("000")).find_path(start, goal)


@pytest.mark.parametrize("wrong", [5, "ab", (0,), (0.5, 0), None])
def test_what_is_no_cell_is_a_type_error(wrong):
    navigation = Navigation(TileMap.from_text("000"))
    with pytest.raises(TypeError, match="a cell is"):
        navigation.find_path((0, 0), wrong)
    with pytest.raises(TypeError, match="a cell is"):
        navigation.find_path((0, 0), (0, 1), blocked=[wrong])
