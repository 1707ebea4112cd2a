"""The squad planner on small maps drawn as pictures, its improvement of plans and its heap."""

import math
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, SquadPlanner
from ai.squads.planners import lacam
from ai.squads.planners.lacam import _CROWD_WORK, improve_plan
from ai.squads.space_time_astar import pop, push
from ai.squads.task import Budget
from terrain3d import TileKind, TileMap
from tests.support import joint_moves_reference

METHODS = ["crowd", "prioritized", "cheapest"]
WALKER = MoveProfile()
KING = MoveProfile(diagonal="always")


def planned(picture, profile=WALKER, method="cheapest", topology="square", **more):
    """Plan each lower-case letter to its capital; check the plan and return it."""
    tilemap, cells = joint_moves_reference.read(picture, topology)
    names = sorted(name for name in cells if name.islower())
    starts = [cells[name] for name in names]
    goals = [cells[name.upper()] for name in names]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, profile, method=method, **more)
    if plan:
        joint_moves_reference.check(tilemap, [profile] * len(names), starts, goals, plan)
    return plan


def exchange(picture, names, **more):
    """Plan each letter to the next one's cell, the last to the first: "ab" swaps a and b."""
    tilemap, cells = joint_moves_reference.read(picture)
    starts = [cells[name] for name in names]
    goals = starts[1:] + starts[:1]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, **more)
    if plan:
        joint_moves_reference.check(tilemap, [WALKER] * len(starts), starts, goals, plan)
    return plan


@pytest.mark.parametrize("method", METHODS)
def test_two_units_pass_each_other_at_a_siding(method):
    plan = exchange("a000b\n##0##", "ab", method=method)
    assert any(cell == (1, 2, 0) for path in plan for cell in path)
    # 4 steps for one unit, 4 and 2 into the siding for the other, and 1 tick of waiting.
    assert plan.cost == 11 or method != "cheapest"


@pytest.mark.parametrize("method", METHODS)
def test_without_a_siding_the_reason_names_the_units(method):
    plan = exchange("a000b", "ab", method=method)
    assert not plan
    assert plan.cost == math.inf
    assert plan.reason == "the units on (0, 0) and (0, 4) cannot get past each other"


def test_the_reason_names_the_two_of_many_units_that_cannot_pass():
    tilemap = TileMap.from_text("00000\n#####\n00000")
    starts, goals = [(2, 0), (0, 4), (0, 0)], [(2, 4), (0, 0), (0, 4)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
    assert plan.reason == "the units on (0, 4) and (0, 0) cannot get past each other"


def test_three_units_in_a_passage_have_no_plan_though_each_pair_has_one():
    tilemap, cells = joint_moves_reference.read("abc\n#0#")
    starts = [cells[name] for name in "abc"]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, starts[::-1], method="crowd")
    assert plan.reason.startswith("no plan exists: all ")
    pair = SquadPlanner(Navigation(tilemap)).plan([cells["a"], cells["c"]], [(0, 2), (0, 0)])
    assert pair


def test_a_squad_that_gave_up_counts_the_units_off_their_goals_where_it_came_nearest():
    # Only b is at its goal, and no step leads the squad nearer to the others.
    tilemap, cells = joint_moves_reference.read("abc\n#0#")
    starts = [cells[name] for name in "abc"]
    planner = SquadPlanner(Navigation(tilemap))
    reasons = {
        planner.plan(starts, starts[::-1], method="crowd", max_expansions=limit).reason
        for limit in range(3, 300, 9)
    }
    found = [reason for reason in reasons if reason.startswith("gave up")]
    assert found == ["gave up: 2 of 3 units did not reach their goals"]


@pytest.mark.parametrize("method", METHODS)
def test_a_unit_steps_aside_from_where_only_it_may_stand(method):
    kinds = TileKind("grass"), TileKind("bog", can_stop=False)
    tilemap = TileMap.from_text("0000\n#0##", kinds)
    with tilemap.edit() as edit:
        edit.set_kind((0, 2), "bog")
    starts, goals = [(0, 2), (0, 0)], [(0, 2), (0, 3)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, method=method)
    joint_moves_reference.check(tilemap, [WALKER] * 2, starts, goals, plan)
    assert plan.cost == 8 or method != "cheapest"
    # Without the other unit it stays, and for the other one the goal is closed.
    assert SquadPlanner(Navigation(tilemap)).plan(starts[:1], goals[:1]).cost == 0
    reason = "cannot stop on bog at (0, 2)"
    assert SquadPlanner(Navigation(tilemap)).plan(starts[1:], goals[:1]).reason == reason


def test_a_full_ring_can_rotate():
    plan = exchange("ab\ndc", "abcd", method="cheapest")
    assert plan.ticks == 1
    assert plan.cost == 4


def test_units_on_a_ring_with_a_siding_can_change_their_order():
    tilemap, cells = joint_moves_reference.read("abc\n0#d\n0fe\n0##")
    starts = [cells[name] for name in "abcdef"]
    goals = [starts[1], starts[0], *starts[2:]]
    assert SquadPlanner(Navigation(tilemap)).plan(starts, goals, method="crowd")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_blocked_pair_among_many_units_is_found(is_first):
    tilemap = TileMap.from_text("\n".join([*["0000000000"] * 6, "##########", "00000#####"]))
    pair, free = [(7, 0), (7, 4)], [divmod(number, 10) for number in range(30)]
    starts = pair + free if is_first else free + pair
    goals = pair[::-1] + free[::-1] if is_first else free[::-1] + pair[::-1]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, max_expansions=100_000)
    assert plan.reason == "the units on (7, 0) and (7, 4) cannot get past each other"


def test_constraints_in_conflict_are_not_searched_further():
    # All combinations of 3 steps in 8 configurations would be 8 * 3**7 * 7 = 122,472 steps.
    cells = [(0, col) for col in range(7)]
    plan = SquadPlanner(Navigation(TileMap.from_text("00000000"))).plan(
        cells, [*cells[1:], cells[0]], method="crowd", max_expansions=60_000
    )
    assert plan.reason == "the units on (0, 0) and (0, 6) cannot get past each other"


def test_a_small_packed_squad_is_planned_with_the_rest_of_the_work():
    cells = [(row, col) for row in range(3) for col in range(5) if row != 1 or col in (1, 3)]
    goals = [cells[index] for index in np.random.default_rng(2).permutation(len(cells))[:10]]
    planner = SquadPlanner(Navigation(TileMap.from_text("00000\n#0#0#\n00000")))
    assert not planner.plan(cells[:10], goals, method="crowd", max_expansions=250_000)
    assert planner.plan(cells[:10], goals)


def test_an_improved_plan_costs_no_more():
    tilemap = TileMap.from_text("\n".join(["00000000"] * 8))
    rng, planner = np.random.default_rng(1), SquadPlanner(Navigation(tilemap))
    starts, goals = ([divmod(int(at), 8) for at in rng.permutation(64)[:50]] for _ in range(2))
    first = planner.plan(starts, goals, method="crowd", max_expansions=200_000)
    better = planner.plan(starts, goals, method="prioritized", max_expansions=200_000)
    joint_moves_reference.check(tilemap, [WALKER] * 50, starts, goals, better)
    assert better.cost < first.cost


def test_a_bridge_above_and_a_road_below_do_not_conflict():
    tilemap = TileMap.from_text("30003\n30003\n30003")
    with tilemap.edit() as edit:
        edit.add_deck([(1, col) for col in (1, 2, 3)], level=3, thickness=1)
    starts, goals = [(1, 0), (0, 2)], [(1, 4), (2, 2)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
    joint_moves_reference.check(tilemap, [WALKER] * 2, starts, goals, plan)
    assert [len(path) for path in plan] == [5, 3]
    assert plan.cost == plan.lower_bound == 6
    crossing = [(1, 2, 1), (1, 2, 0)]
    held = SquadPlanner(Navigation(tilemap)).plan(crossing, crossing)
    assert held.paths == tuple((cell,) for cell in crossing)


def test_no_unit_steps_aside_into_a_pit_that_it_cannot_leave():
    # The only siding is 3 levels down.
    tilemap = TileMap.from_text("33333\n#0###")
    plan = SquadPlanner(Navigation(tilemap)).plan([(0, 1), (0, 3)], [(0, 4), (0, 0)])
    assert plan.reason == "the units on (0, 1) and (0, 3) cannot get past each other"
    shallow = TileMap.from_text("22222\n#0###")
    assert SquadPlanner(Navigation(shallow)).plan([(0, 1), (0, 3)], [(0, 4), (0, 0)])


def test_a_unit_far_below_a_corner_does_not_block_it():
    tilemap = TileMap.from_text("50\n55")
    planner = SquadPlanner(Navigation(tilemap))
    assert planner.plan([(0, 0), (0, 1)], [(1, 1), (0, 1)], KING).ticks == 1


@pytest.mark.parametrize("limit", [0, 1, 9])
def test_flyers_do_not_brush_each_other_whatever_they_could_climb(limit):
    flyer = MoveProfile(can_fly=True, diagonal="always", max_climb=limit, max_drop=limit)
    for level in "0159":
        planner = SquadPlanner(Navigation(TileMap.from_text(f"0{level}\n00")))
        assert planner.plan([(0, 0)], [(1, 1)], flyer).ticks == 1
        assert planner.plan([(0, 0), (0, 1)], [(1, 1), (0, 1)], flyer).ticks == 2


def test_a_ladder_is_climbed_by_one_unit_after_the_other():
    tilemap = TileMap.from_text("00900")
    with tilemap.edit() as edit:
        edit.add_link((0, 1), (0, 3), cost=2, kind="ladder")
    starts, goals = [(0, 0), (0, 1)], [(0, 3), (0, 4)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
    joint_moves_reference.check(tilemap, [WALKER] * 2, starts, goals, plan)
    assert plan.cost == 6
    swap = SquadPlanner(Navigation(tilemap)).plan([(0, 1), (0, 3)], [(0, 3), (0, 1)])
    assert swap.reason == "the units on (0, 1) and (0, 3) cannot get past each other"


def test_paths_lead_around_blocked_cells():
    tilemap = TileMap.from_text("000\n000")
    planner = SquadPlanner(Navigation(tilemap))
    assert planner.plan([(0, 0)], [(0, 2)], blocked=[(0, 1)]).cost == 4
    shut = planner.plan([(0, 0)], [(0, 2)], blocked=[(0, 1), (1, 1)])
    assert shut.reason == "(0, 1) is occupied"
    assert planner.plan([(0, 0)], [(0, 2)], blocked=[(0, 2)]).reason == "(0, 2) is occupied"
    assert planner.plan([(0, 0)], [(0, 2)], blocked=[(0, 0)]).cost == 2


def test_the_reason_of_a_single_unit_is_that_of_its_path():
    tilemap = TileMap.from_text("0009\n000#")
    navigation = Navigation(tilemap)
    planner = SquadPlanner(navigation)
    for goal in ((0, 3), (1, 3)):
        plan = planner.plan([(0, 0), (1, 0)], [(0, 1), goal])
        assert plan.reason == navigation.find_path((1, 0), goal).reason


def test_two_units_cannot_be_on_the_same_cell():
    planner = SquadPlanner(Navigation(TileMap.from_text("000")))
    plan = planner.plan([(0, 0), (0, 0)], [(0, 1), (0, 2)])
    assert plan.reason == "two units would stand on (0, 0)"
    plan = planner.plan([(0, 0), (0, 1)], [(0, 2), (0, 2)])
    assert plan.reason == "two units would end on (0, 2)"


def test_the_planner_gives_up_at_its_limits():
    tilemap = TileMap.from_text("0" * 40 + "\n" + "0" * 40)
    starts = [(0, col) for col in range(20)]
    goals = [(1, 39 - col) for col in range(20)]
    planner = SquadPlanner(Navigation(tilemap))
    for method in METHODS:
        plan = planner.plan(starts, goals, method=method, max_expansions=1)
        assert not plan
        assert "gave up" in plan.reason
    plan = planner.plan(starts, goals, method="crowd", max_seconds=1e-9)
    assert not plan
    assert plan.lower_bound <= planner.plan(starts, goals, method="crowd").cost


@pytest.mark.parametrize("n_expansions", range(1, 16))
def test_a_search_cut_short_by_the_clock_does_not_count_as_no_path(monkeypatch, n_expansions):
    picture, names = "bc0e\nad00", "abcde"
    best = exchange(picture, names, method="cheapest")
    assert best.is_cheapest
    # A clock that stands still, and time for so many expansions per search.
    monkeypatch.setattr("ai.squads.task.time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr("ai.squads.task._EXPANSIONS_PER_SECOND", n_expansions + 0.001)
    plan = exchange(picture, names, method="cheapest", max_seconds=1 / 0.75)
    assert not plan.is_cheapest or plan.cost == best.cost
    assert not plan or plan.lower_bound <= best.cost


def test_the_limit_on_expansions_may_be_huge():
    for method in METHODS:
        assert planned("ab0\nBA0", method=method, max_expansions=2**70)


def test_a_bound_limits_the_cost_of_a_plan():
    picture = "abcd\n0000\nDCBA"
    best = planned(picture)
    assert best.is_cheapest
    for bound in (1.1, 1.5):
        plan = planned(picture, bound=bound)
        assert plan.cost <= bound * best.cost


def test_a_squad_without_units_has_an_empty_plan():
    plan = SquadPlanner(Navigation(TileMap.from_text("0"))).plan([], [])
    assert plan
    assert (len(plan), plan.ticks, plan.cost) == (0, 0, 0)
    assert plan.as_array().shape == (1, 0, 3)
    assert SquadPlanner(Navigation(TileMap.from_text("0"))).step([], []) == []


def test_a_plan_returns_the_cells_at_each_tick():
    plan = planned("a0A\nbB#")
    assert plan.at(0) == [(0, 0, 0), (1, 0, 0)]
    assert plan.at(1) == plan.at(1)
    assert plan.at(9) == [(0, 2, 0), (1, 1, 0)]
    array = plan.as_array()
    assert array.dtype == np.int32
    assert array.shape == (3, 2, 3)
    assert array[2].tolist() == [list(cell) for cell in plan.at(2)]
    assert repr(plan) == "<SquadPlan of 2 units in 2 ticks, cost 3>"
    with pytest.raises(ValueError, match=r"tick must be >= 0, got -1"):
        plan.at(-1)


def test_equal_queries_have_equal_plans_and_seeds_vary_them():
    picture = "abcdef\n000000\nFEDCBA"
    plans = {planned(picture, method="crowd", seed=seed).paths for seed in range(6)}
    assert len(plans) > 1
    for seed in range(3):
        again = planned(picture, method="crowd", seed=seed).paths
        assert again == planned(picture, method="crowd", seed=seed).paths


def test_a_plan_after_an_edit_equals_that_of_a_new_planner():
    tilemap = TileMap.from_text("0000\n0000\n0000")
    planner = SquadPlanner(Navigation(tilemap))
    starts, goals = [(0, 0), (2, 0)], [(2, 3), (0, 3)]
    planner.plan(starts, goals)
    changes = [
        lambda edit: edit.set_level((1, 1), 9),
        lambda edit: edit.add_deck([(0, 1)], level=2, thickness=1),
        lambda edit: edit.remove_deck([(0, 1)], deck=1),
        lambda edit: edit.add_wall((1, 2), (1, 3)),
    ]
    for change in changes:
        with tilemap.edit() as edit:
            change(edit)
        fresh = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
        assert planner.plan(starts, goals).paths == fresh.paths


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"goals": []}, ValueError, "got 1 starts, 0 goals and 1 profiles"),
        ({"profile": [WALKER] * 2}, ValueError, "1 starts, 1 goals and 2 profiles"),
        ({"profile": MoveProfile(size=2)}, ValueError, "cover 1 tile, got one of size 2"),
        ({"method": "magic"}, ValueError, "method must be one of"),
        ({"bound": 0.9}, ValueError, "bound must be finite and >= 1, got 0.9"),
        ({"max_expansions": 0}, ValueError, "max_expansions must be >= 1, got 0"),
        ({"max_seconds": 0}, ValueError, "max_seconds must be > 0, got 0"),
        ({"seed": -1}, ValueError, "seed must be >= 0, got -1"),
        ({"profile": ["foot"]}, TypeError, "a profile must be a MoveProfile, got 'foot'"),
    ],
)
def test_invalid_arguments_raise_errors(arguments, error, match):
    planner = SquadPlanner(Navigation(TileMap.from_text("000")))
    with pytest.raises(error, match=match):
        planner.plan(**({"starts": [(0, 0)], "goals": [(0, 2)]} | arguments))


def test_a_table_of_goal_costs_beyond_the_limit_raises_an_error(monkeypatch):
    monkeypatch.setattr("ai.squads.request.MAX_ENTRIES", 7)
    planner = SquadPlanner(Navigation(TileMap.from_text("0000")))
    with pytest.raises(ValueError, match="goals times tiles must be <= 7, got 2 x 4"):
        planner.plan([(0, 0), (0, 1)], [(0, 2), (0, 3)])


WORK = {0: 500, 1: 100, 2: 200, 4: 400, 8: 800, 16: 10_000}


@pytest.mark.parametrize("best", [None, 1, 16])
def test_work_is_divided_by_what_sizes_save_for_it(monkeypatch, best):
    spent = Counter()

    class SavesByWork:
        """A plan in which an attempt saves in proportion to its work, or 100 times as much."""

        def __init__(self, *_):
            self.delays, self.costs, self.paths = np.array([1e10]), np.array([1e10]), []

        def replan_group(self, size, budget):
            budget.spend(WORK[size])
            work = WORK[size] * (1 if size else _CROWD_WORK)
            spent[size] += work
            self.delays = self.delays - work * (100 if size == best else 1)

        def replan_all(self, budget):
            self.replan_group(0, budget)

    monkeypatch.setattr(lacam, "_Plan", SavesByWork)
    improve_plan([None], (), Budget(10_000_000, 1e9), 0)
    shares = {size: spent[size] / spent.total() for size in WORK}
    if best is None:
        assert min(shares.values()) > 0.12, shares
        assert max(shares.values()) < 0.25, shares
    else:
        assert 0.4 < shares[best] < 0.9, shares


FEW = st.integers(0, 3)


@given(st.lists(st.tuples(FEW, FEW, FEW), max_size=40))
def test_the_heap_returns_the_lowest_cost_then_fewest_conflicts_then_highest_g(keys):
    heap = np.empty((len(keys), 4))
    for entry, (f, conflicts, g) in enumerate(keys):
        push(heap, entry, f, conflicts, g, entry)
    popped = [keys[pop(heap, size)] for size in range(len(keys), 0, -1)]
    assert popped == sorted(keys, key=lambda key: (key[0], key[1], -key[2]))
