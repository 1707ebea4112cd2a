"""Tests of `SquadPlanner.step`: units pass each other while goals, map and units change."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, SquadPlanner
from terrain3d import TileMap
from tests.support import joint_moves_reference
from tests.support.mixed_maps import cells_to_ask, edits
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly
from tests.support.strategies import profiles, tilemaps

WALKER = MoveProfile()


def run(tilemap, starts, goals, n_ticks, **more):
    """Call `step` for some ticks, check every step, and return all positions."""
    planner = SquadPlanner(Navigation(tilemap))
    referee = joint_moves_reference.Referee(
        joint_moves_reference.StepCache(tilemap), [WALKER] * len(starts)
    )
    positions = [[(*cell, 0)[:3] for cell in starts]]
    for _ in range(n_ticks):
        after = [tuple(cell) for cell in planner.step(positions[-1], goals, **more)]
        assert not referee.collision(positions[-1], after)
        for unit, (here, end) in enumerate(zip(positions[-1], after, strict=True)):
            assert here == end or end in referee.steps(unit, here)
        positions.append(after)
    return positions


def test_two_units_in_a_passage_pass_each_other_at_a_siding():
    goals = [(0, 4, 0), (0, 0, 0)]
    assert run(TileMap.from_text("00000\n##0##"), goals[::-1], goals, 20)[-1] == goals


def test_a_row_of_units_turns_around():
    goals = [(1, col, 0) for col in range(7, -1, -1)]
    tilemap = TileMap.from_text("00000000\n01111110\n00000000")
    assert run(tilemap, goals[::-1], goals, 60)[-1] == goals


def test_several_units_may_share_a_goal_and_crowd_around_it():
    starts = [(0, col) for col in range(5)]
    tilemap = TileMap.from_text("\n".join(["00000"] * 5))
    last = run(tilemap, starts, [(4, 2)] * 5, 20)[-1]
    assert (4, 2, 0) in last
    assert sum(math.dist(cell, (4, 2, 0)) for cell in last) < 6


def test_of_equal_steps_a_unit_takes_the_one_that_hinders_no_neighbor():
    planner = SquadPlanner(Navigation(TileMap.from_text("\n".join(["00000000"] * 3))))
    for _ in range(20):  # the second unit also wants to pass (1, 2), the other step of the first
        first, second = planner.step([(1, 1), (1, 0)], [(0, 2), (1, 7)])
        assert first == (0, 1, 0)
        assert second == (1, 1, 0)


def test_a_unit_that_cannot_reach_its_goal_makes_room():
    # The first unit cannot climb the tower; the second has to pass its cell.
    tilemap = TileMap.from_text("00000\n##0##\n##9##")
    last = run(tilemap, [(0, 2), (0, 0)], [(2, 2), (0, 4)], 8)[-1]
    assert last[1] == (0, 4, 0)


def test_nobody_goes_to_a_goal_where_it_could_not_stop():
    tilemap = TileMap.from_text("000")
    profile = MoveProfile(no_stop=frozenset({"swamp"}))
    with tilemap.edit() as edit:
        edit.set_kind((0, 2), "swamp")
    assert run(tilemap, [(0, 0)], [(0, 2)], 2, profile=profile)[-1] == [(0, 0, 0)]
    assert run(tilemap, [(0, 2)], [(0, 2)], 2, profile=profile)[-1] == [(0, 2, 0)]


def test_goals_map_and_units_may_change_between_steps():
    tilemap = TileMap.from_text("00000\n00000")
    planner = SquadPlanner(Navigation(tilemap))
    assert planner.step([(0, 0)], [(0, 4)]) == [(0, 1, 0)]
    with tilemap.edit() as edit:
        edit.set_level((0, 2), 9)
    assert planner.step([(0, 1)], [(0, 4)]) == [(1, 1, 0)]
    assert planner.step([(1, 1)], [(0, 0)]) in ([(0, 1, 0)], [(1, 0, 0)])
    assert planner.step([(1, 1)], [(1, 4)], blocked=[(1, 2)]) == [(1, 1, 0)]


def test_two_units_on_the_same_cell_raise_an_error():
    planner = SquadPlanner(Navigation(TileMap.from_text("000")))
    with pytest.raises(ValueError, match="two units are on the same cell"):
        planner.step([(0, 0), (0, 0)], [(0, 1), (0, 2)])


@given(st.data())
@thoroughly(100)
def test_steps_are_legal_on_random_maps_edited_in_between(data):
    tilemap = data.draw(tilemaps(max_side=4))
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = data.draw(st.lists(some, min_size=1, max_size=2))
    cells = data.draw(st.permutations(all_surfaces(tilemap) or cells_to_ask(tilemap)))[:5]
    profiles_of = [data.draw(st.sampled_from(movers)) for _ in cells]
    planner = SquadPlanner(Navigation(tilemap))
    for _ in range(4):
        goals = [data.draw(st.sampled_from(cells_to_ask(tilemap))) for _ in cells]
        after = [tuple(cell) for cell in planner.step(cells, goals, profiles_of)]
        referee = joint_moves_reference.Referee(
            joint_moves_reference.StepCache(tilemap), profiles_of
        )
        assert not referee.collision(cells, after)
        for unit, (here, end) in enumerate(zip(cells, after, strict=True)):
            assert here == end or end in referee.steps(unit, here)
        there = set(cells_to_ask(tilemap))
        cells = after
        data.draw(edits(tilemap))(tilemap)
        if not there <= set(cells_to_ask(tilemap)):
            break  # a deck with a unit may be gone
