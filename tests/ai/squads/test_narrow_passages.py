"""Squads that pass each other where there is hardly room: corridors with bays, and trees."""

import numpy as np
import pytest

from ai import MoveProfile, Navigation, SquadPlanner
from terrain3d import TileMap
from tests.support import joint_moves_reference

WALKER = MoveProfile()


def planned(picture, starts, goals, **more):
    """Plan by default settings, check the plan and return it."""
    tilemap = TileMap.from_text(picture)
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, **more)
    assert plan, plan.reason
    joint_moves_reference.check(tilemap, [WALKER] * len(starts), starts, goals, plan)
    return plan


def corridor(length, bays):
    """Return the picture of a corridor in row 0, with bays below some columns."""
    return "0" * length + "\n" + "".join("0" if col in bays else "#" for col in range(length))


def columns(length, n_units):
    """Return starts and goals of two columns that change sides of a corridor."""
    left = [(0, col) for col in range(n_units)]
    right = [(0, length - n_units + col) for col in range(n_units)]
    return left + right, right + left


# With fewer tiles on a side, units that wait there leave no free tile beside the bay.
@pytest.mark.parametrize("n_units", [2, 3, 4, 5])
@pytest.mark.parametrize(("more_left", "more_right"), [(0, 0), (0, 5), (5, 0), (1, 2), (8, 8)])
def test_columns_pass_each_other_at_one_bay(n_units, more_left, more_right):
    bay = 2 * n_units - 1 + more_left
    length = bay + 2 * n_units + more_right
    planned(corridor(length, {bay}), *columns(length, n_units), method="crowd")


@pytest.mark.parametrize("bay", [2, 4])
def test_without_room_beside_the_bay_there_is_no_plan(bay):
    starts, goals = columns(7, 2)
    planner = SquadPlanner(Navigation(TileMap.from_text(corridor(7, {bay}))))
    assert planner.plan(starts, goals, method="crowd").reason.startswith("no plan exists")


def test_columns_of_five_pass_each_other_by_default():
    planned(corridor(21, {10}), *columns(21, 5))


def test_columns_pass_each_other_each_time_alike():
    squad = corridor(21, {10}), *columns(21, 5)
    assert planned(*squad, method="crowd").paths == planned(*squad, method="crowd").paths


@pytest.mark.parametrize("bays", [{6, 14}, {9, 10, 11}, {3, 10, 17}])
def test_columns_pass_each_other_at_several_bays(bays):
    planned(corridor(21, bays), *columns(21, 5), method="crowd")


def test_columns_of_eight_pass_each_other_at_one_bay():
    planned(corridor(33, {16}), *columns(33, 8), method="crowd")


TREES = {
    "star": "###0###\n###0###\n0000000\n###0###\n###0###",
    "comb": "000000000\n0#0#0#0#0\n0#0#0#0#0",
    "fork": "0#####0\n0#####0\n0000000\n###0###\n###0###\n0000000\n0#####0",
    "stairs": "0123456\n###3###\n###2###\n###1###",
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("seed", range(6))
def test_units_take_any_order_on_a_tree(name, seed):
    rows = TREES[name].split("\n")
    cells = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "#"]
    rng = np.random.default_rng(seed)
    starts, goals = (
        [cells[at] for at in rng.permutation(len(cells))[: len(cells) // 2]] for _ in range(2)
    )
    planned(TREES[name], starts, goals, method="crowd")


@pytest.mark.parametrize("seed", range(8))
def test_plans_of_push_and_swap_are_correct_on_hills(monkeypatch, seed):
    monkeypatch.setattr("ai.squads.planners.lacam._FIRST_LIMIT", 1)
    monkeypatch.setattr("ai.squads.planners.lacam._NEAR", np.inf)
    tilemap = TileMap.from_noise(7, 7, seed=seed, levels=4)
    walkers = [WALKER, MoveProfile(max_climb=1, max_drop=1)]
    field = Navigation(tilemap).cost_field((3, 3), walkers[1])
    cells = [divmod(int(at), 7) for at in np.flatnonzero(np.isfinite(field.cost))]
    rng = np.random.default_rng(seed)
    n_units = len(cells) * 2 // 3
    starts, goals = ([cells[at] for at in rng.permutation(len(cells))[:n_units]] for _ in range(2))
    profiles = [walkers[number % 2] for number in range(n_units)]
    plan = SquadPlanner(Navigation(tilemap)).plan(starts, goals, profiles, method="crowd")
    assert plan, plan.reason
    joint_moves_reference.check(tilemap, profiles, starts, goals, plan)
