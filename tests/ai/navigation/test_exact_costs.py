"""Costs of any size and with any fraction: exact sums, near what scipy finds, and refusals of 0."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from terrain3d import TileKind, TileMap
from terrain3d.core.checks import MIN_COST
from tests.support.reference import (
    MILLION,
    cases,
    cells_of,
    ground,
    thoroughly,
    true_costs,
    unit_of,
)


def within_half_a_unit_a_step(found, exact, unit, n_steps):
    """Return whether a cost is as near as rounding the parts of each step to units allows.

    A step has two parts, which are rounded to millionths and then to units; floats take the rest.
    """
    rounding = n_steps * 2 * ((unit / 2 if unit > 1 else 0) + 0.5) / MILLION
    return found == exact or abs(found - exact) <= rounding + 1e-9 + 1e-12 * exact


@thoroughly(200)
@given(cases())
def test_costs_with_fractions_are_those_of_scipy_but_for_half_a_unit_a_step(case):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation, unit = Navigation(tilemap), unit_of(tilemap, profile)
    exact = true_costs(tilemap, profile, start, case.blocked, unit=0)
    n_most = tilemap.level.size
    for goal in cells_of(tilemap):
        path = navigation.find_path(start, goal, profile, blocked=case.blocked)
        assert within_half_a_unit_a_step(path.cost, exact[goal], unit, n_most)


def fraction_of(cost):
    """Return a public cost as a whole number of millionths, which it is but for its float."""
    return Fraction(round(Fraction(cost) * MILLION), MILLION)


@thoroughly(150)
@given(cases(), st.data())
def test_the_cost_of_a_path_is_the_exact_sum_of_its_steps(case, data):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    extra = data.draw(st.sampled_from([0, 0.1, 1 / 3, 2]))
    how = {"extra_cost": np.full(tilemap.level.shape, extra)} if extra else {}
    reach = navigation.reach(start, math.inf, profile, **how)
    for goal in cells_of(tilemap):
        path = navigation.find_path(start, goal, profile, **how)
        if path:
            total = sum((fraction_of(step.cost) for step in path.steps), Fraction())
            assert path.cost == (int(total) if total.denominator == 1 else float(total))
            assert isinstance(path.cost, int) == (total.denominator == 1)
            assert reach.cost_to(goal) == path.cost
            assert navigation.price(path, profile, **how).cost == path.cost
            middle = path.cells[len(path) // 2]
            halves = [(start, middle), (middle, path.cells[-1])]
            parts = [navigation.find_path(*ends, profile, **how).cost for ends in halves]
            assert sum(map(fraction_of, parts)) == total


def test_three_steps_of_a_tenth_cost_three_tenths_and_fit_that_limit():
    tilemap, profile = TileMap([[0] * 4]), MoveProfile(kind_cost={"grass": 0.1})
    navigation, ends = Navigation(tilemap), ((0, 0), (0, 3))
    assert navigation.find_path(*ends, profile).cost == 0.3 != 0.1 + 0.1 + 0.1
    assert navigation.find_path(*ends, profile, max_cost=0.3).cost == 0.3
    assert not navigation.find_path(*ends, profile, max_cost=0.299999)
    assert navigation.cost_field(ends[1], profile).cost.tolist() == [[0.3, 0.2, 0.1, 0]]
    assert navigation.reach((0, 0), 0.3, profile).as_costs().tolist() == [[0, 0.1, 0.2, 0.3]]


def with_link(cost):
    with ground("0000").edit() as edit:
        edit.add_link((0, 0), (0, 3), cost=cost)


FREE = {
    "a kind": lambda cost: TileKind("ice", cost=cost),
    "a link": with_link,
    "kind_cost": lambda cost: MoveProfile(kind_cost={"grass": cost}),
    "link_cost": lambda cost: MoveProfile(link_cost={"ladder": cost}),
    "diagonal_cost": lambda cost: MoveProfile(diagonal_cost=cost),
}


@pytest.mark.parametrize("what", FREE)
@pytest.mark.parametrize("cost", [0, 0.0, 0.0000009, -1])
def test_steps_for_nothing_are_refused_with_what_would_fit(what, cost):
    message = re.escape(f"must be in {MIN_COST}..1000000, got {cost}")
    with pytest.raises(ValueError, match=message):
        FREE[what](cost)
    FREE[what](MIN_COST)
