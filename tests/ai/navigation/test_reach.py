"""Reached cells: the same cells and costs as scipy's Dijkstra, with a path to each."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Blockers, MoveProfile, Navigation, Reach
from terrain3d import Cell, TileKind, TileMap
from tests.support.reference import cases, cells_of, costs, ground, thoroughly, true_costs, walk


@thoroughly(500)
@given(cases(), costs | st.just(math.inf))
def test_a_reach_equals_that_of_scipy_within_the_budget(case, budget):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    reach = Navigation(tilemap).reach(start, budget, profile, blocked=case.blocked)
    cheapest = true_costs(tilemap, profile, start, case.blocked)
    mask = reach.as_mask()
    limit = round(budget, 6) if budget < math.inf else 1e15
    assert mask.tolist() == (cheapest < limit + 1e-7).tolist()
    assert len(reach) == len(reach.cells) == mask.sum()
    for cell in cells_of(tilemap):
        assert (cell in reach) == mask[cell]
        path = reach.path_to(cell)
        assert bool(path) == mask[cell]
        if path:
            assert reach.cost_to(cell) == pytest.approx(cheapest[cell], rel=1e-12, abs=1e-12)
            assert path.cost == reach.cost_to(cell)
            walk(tilemap, profile, path, start, cell, case.blocked)
        else:
            assert reach.cost_to(cell) == math.inf
            assert path.reason


@given(cases(), costs)
def test_cells_come_cheapest_first_with_the_start_in_front(case, budget):
    reach = Navigation(case.tilemap).reach(case.start, budget, case.profile)
    prices = [reach.cost_to(cell) for cell in reach.cells]
    assert prices == sorted(prices)
    assert list(reach) == reach.cells
    assert len(set(reach.cells)) == len(reach.cells)
    if reach.cells:
        assert reach.cells[0] == Cell(*case.start)
        assert prices[0] == 0


def test_cells_of_nearly_the_same_cost_come_cheapest_first_too():
    kinds = [TileKind(f"k{i}", cost=1 + i / 1000) for i in range(20)]
    kind = np.random.default_rng(2).integers(0, 20, (12, 12))
    reach = Navigation(TileMap(np.zeros((12, 12), int), kind, kinds)).reach((5, 5), 9)
    prices = [reach.cost_to(cell) for cell in reach]
    assert prices == sorted(prices)
    assert len(prices) > 50


def test_three_steps_of_a_tenth_fit_a_budget_of_three_tenths():
    reach = Navigation(TileMap.from_text("00000")).reach(
        (0, 0), 0.3, MoveProfile(kind_cost={"grass": 0.1})
    )
    assert [cell.col for cell in reach.cells] == [0, 1, 2, 3]


@pytest.mark.parametrize("cost", [1, 0.000001])
def test_a_budget_of_zero_reaches_the_start_alone(cost):
    profile = MoveProfile(kind_cost={"grass": cost})
    assert Navigation(ground("000")).reach((0, 1), 0, profile).cells == [(0, 1, 0)]
    assert len(Navigation(ground("000")).reach((0, 1), cost, profile)) == 3


def test_a_reason_says_why_no_path_ends_on_a_cell():
    navigation = Navigation(TileMap.from_text("000#\n99##"))
    assert navigation.reach((0, 0), 1).path_to((0, 2)).reason == "no path to (0, 2) costs at most 1"
    everything = navigation.reach((0, 0), math.inf)
    assert everything.path_to((1, 0)).reason == "no path leads to (1, 0)"
    past_a_friend = navigation.reach((0, 0), 2, blockers=Blockers(passable=[(0, 1)]))
    assert past_a_friend.cells == [(0, 0, 0), (0, 2, 0)]
    assert past_a_friend.path_to((0, 1)).reason == "(0, 1) can be passed, but no path ends there"


def test_nothing_is_reached_from_a_void_start():
    reach = Navigation(TileMap.from_text("#00")).reach((0, 0), 5)
    assert (reach.cells, reach.as_mask().any()) == ([], False)
    assert reach.path_to((0, 1)).reason == "the start (0, 0) is void"


def test_a_void_kind_with_a_cost_is_still_no_ground():
    tilemap = TileMap([[0, 0, 0]], [[0, 1, 0]], (TileKind("grass"), TileKind("void", cost=1)))
    assert Navigation(tilemap).reach((0, 0), 9).cells == [(0, 0, 0)]


def test_to_look_a_cell_up_makes_no_cell_of_the_others(monkeypatch):
    blockers = Blockers(passable=[(0, 1)])
    reach = Navigation(ground("0000\n0000")).reach((0, 0), 9, blockers=blockers)
    monkeypatch.setattr(Reach, "cells", property(lambda _: pytest.fail("made all cells")))
    assert (1, 3) in reach
    assert (0, 1) not in reach
    assert reach.cost_to((1, 1)) == 2
    assert reach.path_to((0, 2)).cost == 2


def test_a_cell_beside_the_map_is_in_no_reach_and_on_no_path():
    navigation = Navigation(TileMap.from_text("000\n000"))
    reach, path = navigation.reach((0, 0), 1), navigation.find_path((0, 0), (0, 2))
    for cell, is_reached, is_passed in [
        ((0, 1), True, True),
        ((0, 1, 0), True, True),
        ((1, 0), True, False),
        ((9, 9), False, False),
        ((-1, 0), False, False),
        ((0, 0, 3), False, False),
    ]:
        assert (cell in reach, cell in path) == (is_reached, is_passed)
    for answer in (reach, path):
        with pytest.raises(TypeError, match="a cell is"):
            "here" in answer  # noqa: B015
