"""Cost fields, distances and exact costs of any fraction, compared with SciPy's Dijkstra."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.support import reference
from tests.support.boards import one_edit

NEARLY = {"rel": 1e-11, "abs": 1e-12}
start_costs = st.integers(0, 9) | st.sampled_from([0.5, 0.1, 1 / 3, 2**0.5, 300, 1e-6, 1e6])


def unit_with(case, costs):
    """Return the unit of a field with start costs."""
    tilemap, unit = case.tilemap, reference.unit_of(case.tilemap, case.profile)
    highest = -(-reference.amounts_of(tilemap, case.profile)[1] // unit) * unit
    amounts = list(map(reference.nearest, costs))
    if all(amount % unit == 0 for amount in amounts):
        return unit
    return reference.shared_unit(tilemap, [unit, *amounts], highest)


def step_price(case, start, end, unit):
    cost = reference.step_cost(case.tilemap, case.profile, start, end, case.blocked)
    return cost if cost == math.inf else reference.nearest(cost, unit) / reference.MILLION


def from_blocked(case, cheapest, ends, unit):
    """Let paths start on blocked cells too, as no step enters them."""
    tilemap, out = case.tilemap, cheapest.copy()
    for cell in case.blocked:
        costs = [cost for goal, cost in ends if goal == cell and not tilemap.void[cell]]
        for after in set(reference.cells_of(tilemap)) - case.blocked:
            price = step_price(case, cell, after, unit)
            costs.append(price + cheapest[after])
        out[cell] = min(costs, default=math.inf)
    return out


@pytest.mark.parametrize("costs", [[0], [0, -1], [0, math.nan], [1e6 + 1, 0]])
def test_start_costs_are_one_for_each_goal_within_the_limits(costs):
    navigation = Navigation(TileMap.from_text("000"))
    with pytest.raises(ValueError, match=r"start.costs"):
        navigation.cost_field([(0, 0), (0, 2)], start_costs=costs)


@reference.tried(350, reference.cases(), st.data())
def test_a_field_holds_the_costs_that_scipy_finds(case, data):
    tilemap, profile, blocked = case.tilemap, case.profile, case.blocked
    cell = st.sampled_from(reference.cells_of(tilemap))
    goals = data.draw(st.lists(cell, min_size=1, max_size=4))
    more = data.draw(st.sampled_from([st.just(0), st.integers(0, 9), start_costs]))
    costs = data.draw(st.lists(more, min_size=len(goals), max_size=len(goals)))
    field = Navigation(tilemap).cost_field(goals, profile, start_costs=costs, blocked=blocked)
    unit = unit_with(case, costs)
    paid = [reference.nearest(cost, unit) / reference.MILLION for cost in costs]
    ends = [*zip(goals, paid, strict=True)]
    open_ends = [end for end in ends if end[0] not in blocked]
    expected = np.full((tilemap.rows, tilemap.cols), math.inf)
    if open_ends:
        steps = reference.edges(tilemap, profile, blocked)
        back = [(b, a, reference.nearest(c, unit) / reference.MILLION) for a, b, c in steps]
        costs = [reference.costs_over(tilemap, back, goal) + more for goal, more in open_ends]
        expected = np.min(costs, axis=0)
    expected = from_blocked(case, expected, ends, unit)
    assert field.cost == pytest.approx(expected, **NEARLY)
    for cell in reference.cells_of(tilemap):
        check_path_from(case, field, cell, goals, unit)


def check_path_from(case, field, cell, goals, unit):
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
    total = sum(step_price(case, *ends, unit) for ends in itertools.pairwise(cells))
    assert path.cost == pytest.approx(total, **NEARLY)


@reference.tried(150, reference.cases(), st.data())
def test_distances_and_reachability_are_those_of_scipy(case, data):
    tilemap, profile = case.tilemap, case.profile
    navigation = Navigation(tilemap)
    some = st.lists(st.sampled_from(reference.cells_of(tilemap)), min_size=1, max_size=3)
    starts, goals = data.draw(some), data.draw(some)
    cheapest = reference.true_costs_to(tilemap, profile, [(goal, 0) for goal in goals])
    expected = min(cheapest[start] for start in starts)
    assert navigation.distance(starts, goals, profile) == pytest.approx(expected, **NEARLY)
    # Between the two ends of a free step both directions may cost the same, else they differ.
    ahead = reference.true_costs(tilemap, profile, case.start)
    for goal in reference.cells_of(tilemap):
        can_be = bool(ahead[goal] < math.inf)
        assert navigation.is_reachable(case.start, goal, profile) == can_be
    goal = data.draw(st.sampled_from(reference.cells_of(tilemap)))
    assert navigation.distance(case.start, goal, profile) == pytest.approx(ahead[goal], **NEARLY)


def test_a_field_and_a_reach_cannot_be_changed():
    tilemap = reference.ground("000")
    navigation = Navigation(tilemap)
    field, reach = navigation.cost_field((0, 2)), navigation.reach((0, 2), 9)
    one_edit(tilemap).set_level((0, 1), 9)
    assert not navigation.find_path((0, 0), (0, 2))
    assert navigation.cost_field((0, 2)).cost_from((0, 0)) == math.inf
    assert field.cost_from((0, 0)) == reach.cost_to((0, 0)) == 2
    for path in (field.path_from((0, 0)), reach.path_to((0, 0))):
        assert [step.rise for step in path.steps] == [0, 0]
    field.cost[0, 0] = 5  # a copy
    assert field.cost[0, 0] == field.cost_from((0, 0)) == 2


@pytest.mark.parametrize("deck", [[], [(0, 1)]])
def test_costs_are_of_the_cheapest_deck_or_of_each(deck):
    tilemap = TileMap.from_text("0123")
    one_edit(tilemap).add_deck(deck, level=4)
    navigation, n_decks = Navigation(tilemap), len(deck)
    field, reach = navigation.cost_field((0, 0, 0)), navigation.reach((0, 0), 9)
    assert field.cost.tolist() == [[0, 1, 2, 3]]
    assert reach.as_costs().tolist() == [[0, 2, 4, 6]]
    for costs in (field.as_costs(decks=True), reach.as_costs(decks=True)):
        assert costs.shape == (n_decks + 1, 1, 4)
    assert (reach.as_mask(decks=True) == (reach.as_costs(decks=True) < math.inf)).all()
    costs = navigation.cost_field((0, 3)).as_costs(decks=True)
    assert costs[:, 0, 1].tolist() == [4, 3][: n_decks + 1]


def within_half_a_unit_a_step(found, exact, unit, n_steps):
    """Return whether a cost is as near as rounding the parts of each step to units allows.

    A step has two parts, which are rounded to millionths and then to units; floats take the rest.
    """
    rounding = n_steps * 2 * ((unit / 2 if unit > 1 else 0) + 0.5) / reference.MILLION
    return found == exact or abs(found - exact) <= rounding + 1e-9 + 1e-12 * exact


@reference.tried(200, reference.cases())
def test_costs_with_fractions_are_those_of_scipy_but_for_half_a_unit_a_step(case):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation, unit = Navigation(tilemap), reference.unit_of(tilemap, profile)
    exact = reference.true_costs(tilemap, profile, start, case.blocked, unit=0)
    n_most = tilemap.level.size
    for goal in reference.cells_of(tilemap):
        path = navigation.find_path(start, goal, profile, blocked=case.blocked)
        assert within_half_a_unit_a_step(path.cost, exact[goal], unit, n_most)


def fraction_of(cost):
    """Return a public cost as a whole number of millionths, which it is but for its float."""
    return Fraction(round(Fraction(cost) * reference.MILLION), reference.MILLION)


@reference.tried(150, reference.cases(), st.data())
def test_the_cost_of_a_path_is_the_exact_sum_of_its_steps(case, data):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    navigation = Navigation(tilemap)
    extra = data.draw(st.sampled_from([0, 0.1, 1 / 3, 2]))
    how = {"extra_cost": np.full(tilemap.level.shape, extra)} if extra else {}
    reach = navigation.reach(start, math.inf, profile, **how)
    for goal in reference.cells_of(tilemap):
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
    assert navigation.reach((0, 0), 0.3, profile).as_costs().tolist() == [[0, 0.1, 0.2, 0.3]]
