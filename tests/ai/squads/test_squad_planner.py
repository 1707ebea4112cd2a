"""The squad planner on small maps drawn as pictures."""

import math

import numpy as np
import pytest

from ai import MoveProfile, Navigation, SquadPlanner
from ai.squads import planner
from terrain3d import Reason, TileKind, TileMap
from tests.support import joint_moves_reference

WALKER = MoveProfile()
KING = MoveProfile(diagonal="always")


def planned(picture, profile=WALKER, topology="square", **more):
    """Plan each lower-case letter to its capital; check the plan and return it."""
    tilemap, cells = joint_moves_reference.read(picture, topology)
    names = sorted(name for name in cells if name.islower())
    starts = [cells[name] for name in names]
    goals = [cells[name.upper()] for name in names]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, profile, **more)
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


def test_two_units_pass_each_other_at_a_siding():
    plan = exchange("a000b\n##0##", "ab")
    assert any(cell == (1, 2, 0) for path in plan for cell in path)
    # 4 steps for one unit, 4 and 2 into the siding for the other, and 1 tick of waiting.
    assert plan.cost == 11


def test_without_a_siding_the_reason_names_the_units():
    plan = exchange("a000b", "ab")
    assert not plan
    assert plan.cost == math.inf
    assert plan.reason == Reason("cannot_pass", first=(0, 0), second=(0, 4))


def test_the_reason_names_the_two_of_many_units_that_cannot_pass():
    tilemap = TileMap.from_text("00000\n#####\n00000")
    starts, goals = [(2, 0), (0, 4), (0, 0)], [(2, 4), (0, 0), (0, 4)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
    assert plan.reason == Reason("cannot_pass", first=(0, 4), second=(0, 0))


def test_a_squad_that_gave_up_counts_the_units_off_their_goals_where_it_came_nearest():
    # Only b is at its goal, and no step leads the squad nearer to the others.
    tilemap, cells = joint_moves_reference.read("abc\n#0#")
    starts = [cells[name] for name in "abc"]
    planner = SquadPlanner(Navigation(tilemap))
    reasons = {
        planner.plan(starts, starts[::-1], max_steps=limit).reason for limit in range(3, 300, 9)
    }
    found = [reason for reason in reasons if reason.startswith("gave up")]
    assert found == ["gave up: 2 of 3 units did not reach their goals"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_blocked_pair_among_many_units_is_found(is_first):
    tilemap = TileMap.from_text("\n".join([*["0000000000"] * 6, "##########", "00000#####"]))
    pair, free = [(7, 0), (7, 4)], [divmod(number, 10) for number in range(30)]
    starts = pair + free if is_first else free + pair
    goals = pair[::-1] + free[::-1] if is_first else free[::-1] + pair[::-1]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
    assert plan.reason == Reason("cannot_pass", first=(7, 0), second=(7, 4))


def test_constraints_in_conflict_are_not_searched_further():
    # All combinations of 3 steps in 8 configurations would be 8 * 3**7 * 7 = 122,472 steps.
    cells = [(0, col) for col in range(7)]
    plan = SquadPlanner(Navigation(TileMap.from_text("00000000"))).plan(
        cells, [*cells[1:], cells[0]], max_steps=60_000
    )
    assert plan.reason == Reason("cannot_pass", first=(0, 0), second=(0, 6))


def test_a_unit_steps_aside_from_where_only_it_may_stand():
    kinds = TileKind("grass"), TileKind("bog", can_stop=False)
    tilemap = TileMap.from_text("0000\n#0##", kinds)
    with tilemap.edit() as edit:
        edit.set_kind((0, 2), "bog")
    starts, goals = [(0, 2), (0, 0)], [(0, 2), (0, 3)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals)
    joint_moves_reference.check(tilemap, [WALKER] * 2, starts, goals, plan)
    assert plan.cost == 8
    # Without the other unit it stays, and for the other one the goal is closed.
    assert SquadPlanner(Navigation(tilemap)).plan(starts[:1], goals[:1]).cost == 0
    reason = "cannot stop on bog at (0, 2)"
    assert SquadPlanner(Navigation(tilemap)).plan(starts[1:], goals[:1]).reason == reason


def test_no_unit_steps_aside_into_a_pit_that_it_cannot_leave():
    # The only siding is 3 levels down.
    tilemap = TileMap.from_text("33333\n#0###")
    plan = SquadPlanner(Navigation(tilemap)).plan([(0, 1), (0, 3)], [(0, 4), (0, 0)])
    assert plan.reason == Reason("cannot_pass", first=(0, 1), second=(0, 3))
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
        plan = planner.plan([(0, 0), (0, 1)], [(1, 1), (0, 1)], flyer, max_steps=1000)
        assert plan.ticks == 2


def test_a_plan_does_not_brush_units_on_blocked_cells():
    planner = SquadPlanner(Navigation(TileMap.from_text("00\n00")))
    plan = planner.plan([(0, 0)], [(1, 1)], KING, blocked=[(0, 1), (1, 0)])
    assert plan.reason == Reason("all_searched", n_configurations=1)
    assert planner.plan([(0, 0)], [(1, 1)], KING, blocked=[(0, 1)]).ticks == 2


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
    assert plan.reason == Reason("two_start", cell=(0, 0))
    plan = planner.plan([(0, 0), (0, 1)], [(0, 2), (0, 2)])
    assert plan.reason == Reason("two_end", cell=(0, 2))


def test_the_planner_gives_up_at_its_limit():
    tilemap = TileMap.from_text("0" * 40 + "\n" + "0" * 40)
    starts = [(0, col) for col in range(20)]
    goals = [(1, 39 - col) for col in range(20)]
    planner = SquadPlanner(Navigation(tilemap))
    plan = planner.plan(starts, goals, max_steps=1)
    assert not plan
    assert plan.reason == Reason("units_stuck", n_stuck=20, n_units=20)
    assert plan.lower_bound <= planner.plan(starts, goals).cost
    assert planned("ab0\nBA0", max_steps=2**70)


def test_more_steps_never_make_a_plan_worse():
    picture = "abcd\n0000\nDCBA"
    costs = [planned(picture, max_steps=limit).cost for limit in (100, 1000, 10_000, 100_000)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


@pytest.mark.parametrize(("n_units", "least"), [(1, 100_000), (100, 100_000), (150, 150_000)])
def test_the_default_limit_grows_with_the_number_of_units(monkeypatch, n_units, least):
    found = []

    class Records(planner.Lacam):
        def __init__(self, crowd, max_steps):
            super().__init__(crowd, max_steps)
            found.append(max_steps)

    monkeypatch.setattr(planner, "Lacam", Records)
    cells = [divmod(number, 20) for number in range(n_units)]
    SquadPlanner(Navigation(TileMap.from_text("\n".join(["0" * 20] * 20)))).plan(cells, cells)
    assert found == [least]


def test_a_squad_without_units_has_an_empty_plan():
    plan = SquadPlanner(Navigation(TileMap.from_text("0"))).plan([], [])
    assert plan
    assert (len(plan), plan.ticks, plan.cost) == (0, 0, 0)
    assert plan.as_array().shape == (1, 0, 3)


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
    plans = [planned(picture, seed=seed % 4, max_steps=2000).paths for seed in range(8)]
    assert plans[:4] == plans[4:]
    assert len(set(plans)) > 1


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"goals": []}, ValueError, "got 1 starts, 0 goals and 1 profiles"),
        ({"profile": [WALKER] * 2}, ValueError, "1 starts, 1 goals and 2 profiles"),
        ({"profile": MoveProfile(size=2)}, ValueError, "cover 1 tile, got one of size 2"),
        ({"max_steps": 0}, ValueError, "max_steps must be >= 1, got 0"),
        ({"seed": -1}, ValueError, "seed must be >= 0, got -1"),
    ],
)
def test_invalid_arguments_raise_errors(arguments, error, match):
    planner = SquadPlanner(Navigation(TileMap.from_text("000")))
    with pytest.raises(error, match=match):
        planner.plan(**({"starts": [(0, 0)], "goals": [(0, 2)]} | arguments))


def test_a_table_of_goal_costs_beyond_the_limit_raises_an_error(monkeypatch):
    monkeypatch.setattr("ai.squads.planner.MAX_ENTRIES", 7)
    planner = SquadPlanner(Navigation(TileMap.from_text("0000")))
    with pytest.raises(ValueError, match="units times tiles must be <= 7, got 2 x 4"):
        planner.plan([(0, 0), (0, 1)], [(0, 2), (0, 3)])
