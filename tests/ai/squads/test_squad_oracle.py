"""Squad plans on small random maps with all rules mixed, against a search of all configurations."""

import math

from hypothesis import given, note
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.squads import SquadPlanner
from terrain3d import TileMap
from terrain3d.grid.hexgrid import LAYOUTS
from tests.support import joint_moves_reference
from tests.support.mixed_maps import cells_to_ask, profiles, tilemaps
from tests.support.plain_map import all_surfaces, columns
from tests.support.reference import thoroughly

MOVERS = (
    MoveProfile(),
    MoveProfile(max_climb=1, max_drop=2, climb_cost=2),
    MoveProfile(diagonal="always"),
    MoveProfile(diagonal="always", diagonal_cost=1.5, climb_cost=0, body_height=2),
    MoveProfile(diagonal="at_least_one_walkable", max_climb=1),
    MoveProfile(diagonal="only_if_no_obstacles", drop_cost=1),
    MoveProfile(leap=2),
    MoveProfile(can_fly=True, diagonal="always"),
    MoveProfile(warp=2),
)


FEW_CELLS = 9


@st.composite
def mixed(draw):
    """Draw a map with all rules mixed, and a profile, start and goal for each unit."""
    tilemap = draw(tilemaps(max_side=3))
    cells = all_surfaces(tilemap) * 4 + cells_to_ask(tilemap)
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = draw(st.lists(some, min_size=1, max_size=2))
    order = st.permutations(cells).map(lambda shuffled: list(dict.fromkeys(shuffled)))
    # The reference searches all configurations of the units in plain Python.
    n_cells = len(set(cells))
    n_units = min(draw(st.integers(1, 3)), 3 if n_cells <= FEW_CELLS else 2, n_cells)
    profiles_of = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    return tilemap, profiles_of, draw(order)[:n_units], draw(order)[:n_units]


@st.composite
def crowded(draw):
    """Draw two or three units on a few mostly open tiles, where they block each other."""
    sides = draw(st.sampled_from([(2, 2), (1, 5), (2, 3), (2, 4), (3, 3), (3, 4), (1, 8)]))
    n_cells = sides[0] * sides[1]
    signs = st.lists(st.sampled_from("00000000001112#"), min_size=n_cells, max_size=n_cells)
    picture = "".join(draw(signs))
    rows = [picture[first : first + sides[1]] for first in range(0, n_cells, sides[1])]
    topology = draw(st.sampled_from(["square", "square", *LAYOUTS]))
    tilemap = TileMap.from_text("\n".join(rows), topology=topology)
    with tilemap.edit() as edit:
        for row, col in draw(st.sets(st.sampled_from(columns(tilemap)), max_size=2)):
            edit.add_deck([(row, col)], level=draw(st.integers(3, 4)), thickness=1)
    cells = all_surfaces(tilemap)
    if draw(st.booleans()) and len(cells) > 1:
        with tilemap.edit() as edit:
            edit.add_link(cells[0], cells[-1], cost=2, kind="ladder")
    n_units = min(draw(st.sampled_from([2, 2, 3])), 3 if len(cells) <= FEW_CELLS else 2)
    n_units = min(n_units, len(cells))
    movers = draw(st.lists(st.sampled_from(MOVERS), min_size=1, max_size=2))
    profiles_of = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    some = st.permutations(cells).map(lambda shuffled: shuffled[:n_units])
    return tilemap, profiles_of, draw(some), draw(some)


def check_plan(squad, method, seed):
    """Plan a squad, compare the plan with the reference, and return it."""
    tilemap, movers, starts, goals = squad
    note(f"{tilemap.topology} {tilemap.surface_level.tolist()} {movers} {starts} -> {goals}")
    planner = SquadPlanner(Navigation(tilemap))
    plan = planner.plan(starts, goals, movers, method=method, seed=seed, max_expansions=10_000_000)
    least = joint_moves_reference.least_cost(tilemap, movers, starts, goals)
    assert bool(plan) == (least < math.inf), plan
    if not plan:
        assert plan.reason
        assert "gave up" not in plan.reason
        return plan
    joint_moves_reference.check(tilemap, movers, starts, goals, plan)
    assert plan.cost >= least - 1e-9
    assert plan.lower_bound <= least + 1e-9
    if plan.is_cheapest:
        assert math.isclose(plan.cost, least, abs_tol=1e-9)
    return plan


METHOD = st.sampled_from(["crowd", "prioritized", "cheapest"])


@given(mixed(), METHOD, st.integers(0, 3))
def test_plans_with_all_rules_mixed(squad, method, seed):
    check_plan(squad, method, seed)


@given(crowded(), METHOD, st.integers(0, 3))
@thoroughly(150)
def test_plans_on_crowded_maps(squad, method, seed):
    plan = check_plan(squad, method, seed)
    assert plan.is_cheapest or not plan or method != "cheapest"
