"""Cost fields, distances and reachability, compared with scipy's Dijkstra."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation
from terrain3d import TileMap
from tests.support.reference import (
    cases,
    cells_of,
    ground,
    kind_name,
    step_cost,
    thoroughly,
    true_costs,
    true_costs_to,
)

NEARLY = {"rel": 1e-11, "abs": 1e-12}
start_costs = st.integers(0, 9) | st.sampled_from([0.5, 0.1, 300, 1e7, 1e12])


def from_blocked(case, cheapest, ends):
    """Let paths start on blocked cells too, as no step enters them."""
    tilemap, profile, out = case.tilemap, case.profile, cheapest.copy()
    for cell in case.blocked:
        costs = [cost for goal, cost in ends if goal == cell and kind_name(tilemap, cell) != "void"]
        for after in set(cells_of(tilemap)) - case.blocked:
            price = step_cost(tilemap, profile, cell, after, case.blocked)
            costs.append(price + cheapest[after])
        out[cell] = min(costs, default=math.inf)
    return out


@thoroughly(350)
@given(cases(), st.data())
def test_a_field_holds_the_costs_that_scipy_finds(case, data):
    tilemap, profile, blocked = case.tilemap, case.profile, case.blocked
    goals = data.draw(st.lists(st.sampled_from(cells_of(tilemap)), min_size=1, max_size=4))
    # Only integers keep the fast search of integer costs.
    more = data.draw(st.sampled_from([st.just(0), st.integers(0, 9), start_costs]))
    costs = data.draw(st.lists(more, min_size=len(goals), max_size=len(goals)))
    field = Navigation(tilemap).cost_field(goals, profile, start_costs=costs, blocked=blocked)
    ends = list(zip(goals, costs, strict=True))
    open_ends = [end for end in ends if end[0] not in blocked]
    expected = np.full((tilemap.rows, tilemap.cols), math.inf)
    if open_ends:
        expected = true_costs_to(tilemap, profile, open_ends, blocked)
    expected = from_blocked(case, expected, ends)
    assert field.cost == pytest.approx(expected, **NEARLY)
    for cell in cells_of(tilemap):
        check_path_from(case, field, cell, goals)


def check_path_from(case, field, cell, goals):
    cost, path = field.cost[cell], field.path_from(cell)
    assert field.cost_from(cell) == cost
    if cost == math.inf:
        assert not path
        assert field.next_step(cell) is None
        assert path.reason == f"no goal can be reached from ({cell[0]}, {cell[1]})"
        return
    cells = [step[:2] for step in path.cells]
    assert cells[0] == cell
    assert cells[-1] in goals
    following = field.next_step(cell)
    assert following == (path.cells[1] if len(cells) > 1 else None)
    total = sum(
        step_cost(case.tilemap, case.profile, before, after, case.blocked)
        for before, after in itertools.pairwise(cells)
    )
    # With a start cost of 1e12 the cost of the path is exact to a ten-thousandth.
    assert path.cost == pytest.approx(total, rel=1e-11, abs=1e-15 * cost + 1e-12)


@thoroughly(150)
@given(cases(), st.data())
def test_distances_and_reachability_are_those_of_scipy(case, data):
    tilemap, profile = case.tilemap, case.profile
    navigation = Navigation(tilemap)
    some = st.lists(st.sampled_from(cells_of(tilemap)), min_size=1, max_size=3)
    starts, goals = data.draw(some), data.draw(some)
    cheapest = true_costs_to(tilemap, profile, [(goal, 0) for goal in goals])
    expected = min(cheapest[start] for start in starts)
    assert navigation.distance(starts, goals, profile) == pytest.approx(expected, **NEARLY)
    # Between the two ends of a free step both directions may cost the same, else they differ.
    ahead = true_costs(tilemap, profile, case.start)
    for goal in cells_of(tilemap):
        can_be = bool(ahead[goal] < math.inf)
        assert navigation.is_reachable(case.start, goal, profile) == can_be
    goal = data.draw(st.sampled_from(cells_of(tilemap)))
    assert navigation.distance(case.start, goal, profile) == pytest.approx(ahead[goal], **NEARLY)


def test_a_field_cannot_be_changed():
    tilemap = ground("000")
    field = Navigation(tilemap).cost_field((0, 2))
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 9)
    assert field.cost_from((0, 0)) == 2
    assert [step.rise for step in field.path_from((0, 0)).steps] == [0, 0]
    with pytest.raises(ValueError, match="read-only"):
        field.cost[0, 0] = 5


def test_start_costs_are_never_lost_in_rounding():
    navigation = Navigation(TileMap.from_text("0123"))
    for more in (10**15, 1e15, 999_999_999_999_999):
        field = navigation.cost_field((0, 3), start_costs=[more])
        assert field.cost_from((0, 0)) == 6 + more
        assert field.path_from((0, 0)).cost == 6
    for wrong in (10**15 + 1, 1e18, 1e305, 10**400):
        with pytest.raises(
            ValueError, match=r"start_costs must be in 0\.\.1000000000000000, got 1"
        ):
            navigation.cost_field((0, 3), start_costs=[wrong])
