"""Tests of the limits of squads: plans depend on the calls only, unless a time limit is set."""

import itertools
from types import SimpleNamespace

import pytest

from ai import Navigation, SquadPlanner
from ai.squads.task import Budget, Outcome
from terrain3d import TileMap

METHODS = ["auto", "crowd", "prioritized", "cheapest"]
HILLS = {"rows": 10, "cols": 10, "seed": 3, "levels": 4}
UNITS = 10


def plans(max_expansions):
    """Return the paths of a crowded squad by each method, as lists."""
    tilemap = TileMap.from_noise(**HILLS)
    starts = [(0, col) for col in range(UNITS)]
    goals = [(9, UNITS - 1 - col) for col in range(UNITS)]
    planner = SquadPlanner(Navigation(tilemap))
    found = {}
    for method in METHODS:
        plan = planner.plan(starts, goals, method=method, max_expansions=max_expansions)
        found[method] = [plan.as_array().tolist(), plan.lower_bound, plan.reason]
    return found


@pytest.mark.parametrize("max_expansions", [300, 5000, 60_000])
def test_a_plan_does_not_depend_on_the_clock(monkeypatch, max_expansions):
    on_time = plans(max_expansions)
    late = SimpleNamespace(monotonic=itertools.count(1e9, 1000.0).__next__)
    monkeypatch.setattr("ai.squads.task.time", late)
    assert plans(max_expansions) == on_time


@pytest.mark.parametrize(
    ("n_units", "expected"), [(1, 1_000_000), (200, 1_000_000), (400, 2_000_000)]
)
def test_the_default_limit_grows_with_the_number_of_units(monkeypatch, n_units, expected):
    found = []

    def record(_task, _method, _bound, budget, _seed):
        found.append(budget.left)
        return Outcome(reason="no plan")

    monkeypatch.setattr("ai.squads.planner.solve", record)
    cells = [divmod(number, 20) for number in range(n_units)]
    SquadPlanner(Navigation(TileMap.from_text("\n".join(["0" * 20] * 20)))).plan(cells, cells[::-1])
    assert found == [expected]


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test sets it."""
    hands = SimpleNamespace(now_s=100.0)
    monkeypatch.setattr("ai.squads.task.time", SimpleNamespace(monotonic=lambda: hands.now_s))
    return hands


def test_a_part_of_a_budget_ends_after_its_share_of_the_time(clock):
    whole = Budget(10**9, 8.0)
    clock.now_s += 4
    part = whole.part(0.25)
    per_second = Budget(10**9, 1.0).max_expansions
    assert part.max_expansions == per_second  # a quarter of the 4 seconds that are left
    clock.now_s += 0.5
    assert not part.is_spent
    assert part.max_expansions == per_second // 2
    clock.now_s += 0.75
    assert part.is_spent
    assert part.max_expansions == 0
    assert not whole.is_spent
    assert whole.part(1).max_expansions == whole.max_expansions > 0
    clock.now_s += 3
    assert whole.part(0.5).is_spent


def test_a_part_has_its_share_of_the_expansions_and_spends_those_of_the_whole():
    whole = Budget(1000, 1e9)
    part = whole.part(0.25)
    assert part.max_expansions == 250
    assert whole.part(0.25, 100).max_expansions == 100
    part.spend(240)
    assert (part.max_expansions, whole.max_expansions) == (10, 760)
    part.exhaust()
    assert part.is_spent
    assert not whole.is_spent
    part.spend(760)
    assert whole.is_spent
