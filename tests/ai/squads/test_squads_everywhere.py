"""Squads on any map, edited and crowded between their plans: nobody cheats, nothing raises."""

import math

from hypothesis import given, note
from hypothesis import strategies as st

from ai import Navigation, Reservation, SquadPlanner
from tests.support import joint_moves_reference
from tests.support.mixed_maps import cells_to_ask, edits, profiles, tilemaps
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly

METHODS = ["auto", "crowd", "prioritized", "cheapest"]


@st.composite
def squads(draw):
    """Draw a map, and profiles, starts and goals, some of which may be anywhere, or twice."""
    tilemap = draw(tilemaps(max_side=4))
    cells = cells_to_ask(tilemap)
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = draw(st.lists(some, min_size=1, max_size=2))
    n_units = draw(st.integers(0, min(6, len(cells))))
    who = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    return tilemap, who


def places(draw, tilemap, n_units, is_apart):
    """Draw as many cells, all of them different if need be."""
    cells = cells_to_ask(tilemap)
    if is_apart:
        return draw(st.permutations(cells))[:n_units]
    cell = st.sampled_from(all_surfaces(tilemap) * 3 or cells)
    return draw(st.lists(cell, min_size=n_units, max_size=n_units))


def settled_ways(draw, tilemap, who):
    """Draw a way that is settled, though nobody might be able to take it."""
    if not who or not draw(st.booleans()):
        return []
    cells = draw(st.lists(st.sampled_from(cells_to_ask(tilemap)), min_size=1, max_size=4))
    return [Reservation(cells, who[0])]


@given(squads(), st.data())
@thoroughly(150)
def test_plans_are_right_or_say_why_there_is_none(squad, data):
    tilemap, who = squad
    planner = SquadPlanner(Navigation(tilemap))
    for _ in range(data.draw(st.integers(1, 3))):
        is_apart = data.draw(st.booleans())
        n_units = min(len(who), len(cells_to_ask(tilemap)))
        starts, goals = (places(data.draw, tilemap, n_units, is_apart) for _ in range(2))
        blocked = data.draw(st.sets(st.sampled_from(cells_to_ask(tilemap)), max_size=2))
        note(f"{tilemap.surface_level.tolist()} {starts} -> {goals}, blocked {blocked}")
        limits = data.draw(st.sampled_from([{}, {"max_expansions": 30}, {"max_seconds": 1e-4}]))
        question = {
            "profile": who[:n_units],
            "method": data.draw(st.sampled_from(METHODS)),
            "bound": data.draw(st.sampled_from([1, 1.5])),
            "blocked": blocked,
            "queued": settled_ways(data.draw, tilemap, who),
            "seed": data.draw(st.sampled_from([0, 1, 2**70])),
        } | ({"max_expansions": 20_000} | limits)
        plan = planner.plan(starts, goals, **question)
        if plan:
            ways = [way.cells for way in question["queued"]]
            bodies = [way.profile for way in question["queued"]]
            joint_moves_reference.check(tilemap, who[:n_units], starts, goals, plan, ways, bodies)
        else:
            assert plan.reason
            assert plan.cost == math.inf
        if "max_seconds" not in limits:
            fresh = SquadPlanner(Navigation(tilemap)).plan(starts, goals, **question)
            assert (fresh.paths, fresh.reason) == (plan.paths, plan.reason)
        data.draw(edits(tilemap))(tilemap)
