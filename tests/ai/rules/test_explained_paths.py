"""Every step of every path can be explained alone, at the same cost, on cells of the map."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, movers
from terrain3d import TileMap
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.plain_map import columns, is_inside
from tests.support.reference import thoroughly
from tests.support.rulebook import tiles

NEARLY = {"rel": 1e-9, "abs": 1e-9}


def check_steps(navigation, profile, path):
    """Fail if a step of a path is not legal by itself, or a tile under it is not on the map."""
    for step in path.steps:
        answer = navigation.explain_step(step.start, step.end, profile)
        assert (answer.legal, answer.reason, answer.rise) == (True, "", step.rise)
        assert answer.cost == pytest.approx(step.cost, **NEARLY)
        assert navigation.steps_from(step.start, profile)[step.end] == answer.cost
    for cell in path.cells:
        assert all(is_inside(navigation.tilemap, tile[:2]) for tile in tiles(profile, cell))


@thoroughly(60)
@given(cases(), st.booleans(), st.data())
def test_every_step_of_a_path_is_explained(case, also_flies, data):
    profile = replace(case.profile, can_fly=case.profile.can_fly or also_flies)
    with case.tilemap.edit() as edit:
        for hole in data.draw(st.sets(st.sampled_from(columns(case.tilemap)), max_size=4)):
            edit.set_kind(hole, "void")
    case.tell()
    navigation = Navigation(case.tilemap)
    reach = navigation.reach(case.start, 30, profile)
    for cell in reach:
        check_steps(navigation, profile, reach.path_to(cell))
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    check_steps(navigation, profile, navigation.find_path(case.start, goal, profile, partial=True))
    field = navigation.cost_field(goal, profile)
    for cell in cells_to_ask(case.tilemap):
        check_steps(navigation, profile, field.path_from(cell))


def test_a_flyer_goes_on_from_void():
    navigation = Navigation(TileMap.from_text("0#0"))
    path = navigation.find_path((0, 0), (0, 2), movers.FLYER)
    assert [step.cost for step in path.steps] == [1, 1]
    answer = navigation.explain_step((0, 1), (0, 2), movers.FLYER)
    assert (answer.legal, answer.cost, answer.reason) == (True, 1, "")
    assert navigation.steps_from((0, 1), movers.FLYER) == {(0, 0, 0): 1, (0, 2, 0): 1}


def test_a_walker_goes_on_from_ground_only():
    navigation = Navigation(TileMap.from_text("0#0"))
    for profile in (MoveProfile(), MoveProfile(warp=3), MoveProfile(warp=3, can_fly=True)):
        assert navigation.explain_step((0, 1), (0, 2), profile).reason == "(0, 1) is void"
        assert navigation.steps_from((0, 1), profile) == {}
