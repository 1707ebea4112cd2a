"""Squads on random maps: legal plans, and the plans of a search of all configurations."""

import math

from hypothesis import given, note
from hypothesis import strategies as st

from ai import Navigation, SquadPlanner, plain_reason
from tests.long.squads import check_plan
from tests.support import joint_moves_reference
from tests.support.joint_moves_reference import crowded, mixed
from tests.support.plain_map import all_surfaces
from tests.support.reason_claims import CELL
from tests.support.reference import thoroughly
from tests.support.strategies import cells_to_ask, edits, profiles, tilemaps


@st.composite
def squads(draw):
    """Draw a map and the profiles of up to 6 units."""
    tilemap = draw(tilemaps(max_side=4))
    cells = cells_to_ask(tilemap)
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = draw(st.lists(some, min_size=1, max_size=2))
    n_units = draw(st.integers(0, min(6, len(cells))))
    return tilemap, [draw(st.sampled_from(movers)) for _ in range(n_units)]


def draw_cells(draw, tilemap, n_units, is_apart):
    """Draw as many cells, with `is_apart` all of them different."""
    cells = cells_to_ask(tilemap)
    if is_apart:
        return draw(st.permutations(cells))[:n_units]
    cell = st.sampled_from(all_surfaces(tilemap) * 3 or cells)
    return draw(st.lists(cell, min_size=n_units, max_size=n_units))


@given(squads(), st.data())
@thoroughly(150)
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


@given(mixed(), st.integers(0, 3))
def test_plans_with_all_rules_mixed(squad, seed):
    check_plan(squad, seed)


@given(crowded(), st.integers(0, 3))
@thoroughly(150)
def test_plans_on_crowded_maps(squad, seed):
    check_plan(squad, seed)
