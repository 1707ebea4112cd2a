"""The squad planner on small maps drawn as pictures, and on random ones beside plain rules."""

import math

import numpy as np
import pytest
from hypothesis import note
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, SquadPlanner, plain_reason
from terrain3d import Reason, TileKind, TileMap
from tests.long.squads import check_squad
from tests.support import joint_moves_reference
from tests.support.joint_moves_reference import crowded, mixed
from tests.support.plain_map import all_surfaces
from tests.support.reason_claims import CELL
from tests.support.reference import tried
from tests.support.selection import table
from tests.support.strategies import cells_to_ask, edits, profiles, tilemaps

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


def test_a_squad_that_gave_up_counts_the_units_off_their_goals_where_it_came_nearest():
    # Only the unit in the middle is at its goal, and no step leads the squad nearer to the others.
    planner = SquadPlanner(Navigation(TileMap.from_text("000\n#0#")))
    starts = [(0, 0), (0, 1), (0, 2)]
    plans = [planner.plan(starts, starts[::-1], max_steps=limit) for limit in range(3, 300, 9)]
    found = {plan.reason for plan in plans if plan.reason.startswith("gave up")}
    assert found == {"gave up: 2 of 3 units did not reach their goals"}


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
    planner = SquadPlanner(Navigation(TileMap.from_text("00000000")))
    plan = planner.plan(cells, [*cells[1:], cells[0]], max_steps=60_000)
    assert plan.reason == Reason("cannot_pass", first=(0, 0), second=(0, 6))


def test_the_reason_of_a_single_unit_is_that_of_its_path():
    tilemap = TileMap.from_text("0009\n000#")
    navigation = Navigation(tilemap)
    planner = SquadPlanner(navigation)
    for goal in ((0, 3), (1, 3)):
        plan = planner.plan([(0, 0), (1, 0)], [(0, 1), goal])
        assert plan.reason == navigation.find_path((1, 0), goal).reason


def test_two_units_cannot_be_on_the_same_cell():
    plan = SquadPlanner(Navigation(TileMap.from_text("000"))).plan
    same, apart = [(0, 0), (0, 0)], [(0, 1), (0, 2)]
    assert plan(same, apart).reason == Reason("two_start", cell=(0, 0))
    assert plan(apart, same).reason == Reason("two_end", cell=(0, 0))


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
    empty = planned("0")
    assert (bool(empty), empty.ticks, empty.cost) == (True, 0, 0)
    assert empty.as_array().shape == (1, 0, 3)


def test_equal_queries_have_equal_plans_and_seeds_vary_them():
    picture = "abcdef\n000000\nFEDCBA"
    plans = [planned(picture, seed=seed % 4, max_steps=2000).paths for seed in range(8)]
    assert plans[:4] == plans[4:]
    assert len(set(plans)) > 1


@table(
    "arguments error match",
    ({"goals": []}, ValueError, "got 1 starts, 0 goals and 1 profiles"),
    ({"profile": [WALKER] * 2}, ValueError, "1 starts, 1 goals and 2 profiles"),
    ({"profile": MoveProfile(size=2)}, ValueError, "cover 1 tile, got one of size 2"),
    ({"max_steps": 0}, ValueError, "max_steps must be >= 1, got 0"),
    ({"seed": -1}, ValueError, "seed must be >= 0, got -1"),
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


# Random maps


@st.composite
def squads(draw):
    tilemap = draw(tilemaps(max_side=4))
    cells = cells_to_ask(tilemap)
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = draw(st.lists(some, min_size=1, max_size=2))
    n_units = draw(st.integers(0, min(6, len(cells))))
    return tilemap, [draw(st.sampled_from(movers)) for _ in range(n_units)]


def draw_cells(draw, tilemap, n_units, is_apart):
    cells = cells_to_ask(tilemap)
    if is_apart:
        return draw(st.permutations(cells))[:n_units]
    cell = st.sampled_from(all_surfaces(tilemap) * 3 or cells)
    return draw(st.lists(cell, min_size=n_units, max_size=n_units))


@tried(150, squads(), st.data())
def test_plans_are_correct_or_have_a_reason(squad, data):
    tilemap, movers = squad
    planner = SquadPlanner(Navigation(tilemap))
    for _ in range(data.draw(st.integers(1, 3))):
        is_apart = data.draw(st.booleans())
        n_units = min(len(movers), len(cells_to_ask(tilemap)))
        starts, goals = (draw_cells(data.draw, tilemap, n_units, is_apart) for _ in range(2))
        blocked = data.draw(st.sets(st.sampled_from(cells_to_ask(tilemap)), max_size=2))
        note(f"{tilemap.surface_level.tolist()} {starts} -> {goals}, blocked {blocked}")
        query = {
            "profile": movers[:n_units],
            "blocked": blocked,
            "seed": data.draw(st.sampled_from([0, 1, 2**70])),
            "max_steps": data.draw(st.sampled_from([30, 2000])),
        }
        plan = planner.plan(starts, goals, **query)
        if plan:
            joint_moves_reference.check(tilemap, movers[:n_units], starts, goals, plan)
        else:
            assert plan.reason
            assert not CELL.search(plain_reason(plan.reason))
            assert plan.cost == math.inf
        data.draw(edits(tilemap))(tilemap)


@tried(300, mixed() | crowded(), st.integers(0, 3), st.data())
def test_plans_and_joint_moves_are_those_of_plain_rules(squad, seed, data):
    check_squad(squad, seed, data)
