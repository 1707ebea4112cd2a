"""Which of equal scores a search expands first, against A* with a heap of plain tuples."""

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Blockers, MoveProfile, Navigation
from ai.navigation.search import ALGORITHMS, FRONTIER, ORDERS
from terrain3d import TileMap
from tests.support import rulebook

SIGN = {"high_g_first": -1, "low_g_first": 1}
LEVELS = st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=2, max_size=6)
PROFILES = st.builds(
    MoveProfile,
    climb_cost=st.sampled_from([0, 1, 2, 0.5, 1.3]),
    drop_cost=st.sampled_from([0, 1]),
    diagonal=st.sampled_from(["never", "always"]),
    diagonal_cost=st.sampled_from([1, 1.4]),
)


def manhattan(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def expanded_by_heap(tilemap, start, goal, sign):
    """List the cells that A* expands, the goal included: lowest f, then lowest sign * g."""
    heap, closed = [(manhattan(start, goal), 0, start, 0)], []
    while heap:
        _, _, cell, g = heapq.heappop(heap)
        if cell in closed:
            continue
        closed.append(cell)
        if cell == goal:
            break
        for end, cost in rulebook.steps_from(tilemap, MoveProfile(), cell):
            there = g + cost
            heapq.heappush(heap, (there + manhattan(end, goal), sign * there, end, there))
    return closed


def searched(tilemap, start, goal, profile=None, **more):
    search = Navigation(tilemap).begin_search(start, goal, profile or MoveProfile(), **more)
    search.run()
    return search


@pytest.mark.parametrize(("rows", "cols"), [(10, 10), (6, 30), (25, 40)])
def test_on_an_open_field_high_g_first_expands_one_path_and_low_g_first_the_whole_field(rows, cols):
    tilemap, goal = TileMap([[0] * cols] * rows), (rows - 1, cols - 1)
    counts = {order: searched(tilemap, (0, 0), goal, order=order).expansions for order in SIGN}
    heap = {
        order: len(expanded_by_heap(tilemap, (0, 0, 0), (*goal, 0), sign))
        for order, sign in SIGN.items()
    }
    assert counts == heap == {"high_g_first": rows + cols - 1, "low_g_first": rows * cols}


@given(LEVELS)
def test_low_g_first_expands_what_a_heap_does(levels):
    tilemap = TileMap(levels)
    start, goal = (0, 0, 0), (tilemap.rows - 1, tilemap.cols - 1, 0)
    search = searched(tilemap, start, goal, order="low_g_first", heuristic="manhattan")
    cells = {(node // tilemap.cols, node % tilemap.cols, 0) for node in search.closed_order}
    assert cells == {*expanded_by_heap(tilemap, start, goal, 1)}


@given(LEVELS, PROFILES, st.sampled_from(sorted(SIGN)))
def test_every_expansion_is_the_first_of_the_order(levels, profile, order):
    tilemap = TileMap(levels)
    goal = tilemap.rows - 1, tilemap.cols - 1
    search = Navigation(tilemap).begin_search((0, 0), goal, profile, order=order)
    search.run(max_expansions=1)
    while not search.done:
        is_open = (search.state == FRONTIER).ravel()
        f, g = (values.ravel()[is_open].round(9) for values in (search.f, search.g))
        first = min(zip(f, SIGN[order] * g, strict=True), default=None)
        search.run(max_expansions=1)
        if first is not None and len(f):
            node = search.closed_order[-1]
            closed = search.f.ravel()[node].round(9), SIGN[order] * search.g.ravel()[node].round(9)
            assert closed == pytest.approx(first)


@given(LEVELS, PROFILES, st.sampled_from(ORDERS))
def test_no_order_changes_a_path(levels, profile, order):
    navigation, goal = Navigation(TileMap(levels)), (len(levels) - 1, 4)
    found = navigation.find_path((0, 0), goal, profile)
    search = navigation.begin_search((0, 0), goal, profile, order=order)
    search.run()
    assert (search.path.cells, search.path.cost) == (found.cells, found.cost)
    assert search.path.reason == found.reason


def test_blockers_and_extra_costs_hold_in_every_order():
    navigation, extra = Navigation(TileMap([[0] * 6] * 5)), np.zeros((5, 6))
    extra[2, 1:] = 0.5
    others = {"blocked": [(1, 2), (3, 3)], "extra_cost": extra}
    others["blockers"] = Blockers(blocked=[(0, 4)], halting=[(4, 1)])
    found = navigation.find_path((0, 0), (4, 5), **others)
    for order in ORDERS:
        search = navigation.begin_search((0, 0), (4, 5), order=order, **others)
        search.run()
        assert (search.path.cells, search.path.cost) == (found.cells, found.cost)


def test_the_order_has_a_name_and_only_a_star_has_equal_scores_to_order():
    tilemap = TileMap([[0] * 5] * 5)
    assert searched(tilemap, (0, 0), (4, 4)).order == "lifo"
    for algorithm in ALGORITHMS:
        orders = [
            searched(tilemap, (0, 0), (4, 4), algorithm=algorithm, order=order).order
            for order in ORDERS
        ]
        assert orders == (list(ORDERS) if algorithm == "astar" else ["lifo"] * 3)
