"""Walls part exactly the two surfaces that they name, and a body has to fit below decks."""

import math
import re

import pytest
from hypothesis import given

from ai import Board, MoveProfile, MoveRefused, Navigation, Unit
from terrain3d import TileMap
from tests.support.mover_pictures import path_of, spanned
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly
from tests.support.strategies import tilemaps

ACROBAT = MoveProfile(max_climb=9, max_drop=9)
GROUND_TO_DECK = (0, 0), (0, 1, 1)


def walled(tilemap, *walls):
    with tilemap.edit() as edit:
        for wall in walls:
            edit.add_wall(*wall)
    return tilemap


def is_legal(tilemap, start, end, profile=ACROBAT):
    return Navigation(tilemap).explain_step(start, end, profile).legal


def test_a_wall_between_ground_and_a_deck_leaves_the_ground_below_open():
    tilemap = walled(spanned("000", ([(0, 1)], 2)), GROUND_TO_DECK)
    assert is_legal(tilemap, (0, 0), (0, 1))
    assert is_legal(tilemap, (0, 1), (0, 0))
    assert not is_legal(tilemap, (0, 0), (0, 1, 1))
    assert not is_legal(tilemap, (0, 1, 1), (0, 0))
    assert is_legal(tilemap, (0, 2), (0, 1, 1))
    assert is_legal(tilemap, (0, 1, 1), (0, 2))


def test_a_wall_on_the_ground_leaves_the_step_onto_a_deck_open():
    tilemap = walled(spanned("00", ([(0, 1)], 2)), ((0, 0), (0, 1)))
    assert not is_legal(tilemap, (0, 0), (0, 1))
    assert not is_legal(tilemap, (0, 1), (0, 0))
    assert is_legal(tilemap, (0, 0), (0, 1, 1))
    assert is_legal(tilemap, (0, 1, 1), (0, 0))


def test_a_one_way_wall_to_a_deck_is_open_from_the_deck():
    tilemap = walled(spanned("00", ([(0, 1)], 2)), (*GROUND_TO_DECK, True))
    assert not is_legal(tilemap, (0, 0), (0, 1, 1))
    assert is_legal(tilemap, (0, 1, 1), (0, 0))
    assert is_legal(tilemap, (0, 0), (0, 1))


def test_decks_that_come_and_go_leave_walls_on_the_ground_as_they_are():
    tilemap = walled(TileMap.from_text("00"), ((0, 0), (0, 1)))
    kept = Navigation(tilemap)
    assert not kept.explain_step((0, 0), (0, 1), ACROBAT).legal
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=2)
        edit.add_wall(*GROUND_TO_DECK)
    for navigation in (kept, Navigation(tilemap)):
        assert list(navigation.steps_from((0, 0), ACROBAT)) == []
    with tilemap.edit() as edit:
        edit.remove_wall((0, 0), (0, 1))
    for navigation in (kept, Navigation(tilemap)):
        assert list(navigation.steps_from((0, 0), ACROBAT)) == [(0, 1, 0)]
    with tilemap.edit() as edit:
        edit.remove_deck((0, 1))
        edit.add_deck((0, 1), level=2)
    for navigation in (kept, Navigation(tilemap)):
        assert list(navigation.steps_from((0, 0), ACROBAT)) == [(0, 1, 0), (0, 1, 1)]


def test_a_large_mover_passes_below_a_deck_that_is_walled_off():
    tilemap = walled(spanned("0000\n0000", ([(0, 2)], 3)), ((0, 1), (0, 2, 1)))
    big = MoveProfile(size=2, body_height=2)
    assert path_of(tilemap, big, (0, 0), (0, 2))[1] == 2
    assert path_of(tilemap, big, (0, 2), (0, 0))[1] == 2


@pytest.mark.parametrize("mode", ["at_least_one_walkable", "only_if_no_obstacles"])
def test_a_detour_around_a_corner_leads_past_a_wall_to_a_deck(mode):
    tilemap = walled(spanned("00\n90", ([(0, 1)], 5)), GROUND_TO_DECK)
    profile = MoveProfile(diagonal=mode)
    assert is_legal(tilemap, (0, 0), (1, 1), profile) == (mode == "at_least_one_walkable")
    assert is_legal(tilemap, (1, 1), (0, 0), profile) == (mode == "at_least_one_walkable")
    low = walled(spanned("00\n90", ([(0, 1)], 5)), ((0, 0), (0, 1)))
    assert not is_legal(low, (0, 0), (1, 1), profile)


def test_lines_of_sight_pass_walls():
    tilemap = walled(spanned("101", ([(0, 2)], 3)), ((0, 0), (0, 1)), ((0, 1), (0, 2, 1)))
    assert Navigation(tilemap).line_of_sight((0, 0), (0, 2, 1))


def test_a_file_keeps_which_surfaces_a_wall_parts(tmp_path):
    tilemap = walled(spanned("000", ([(0, 1)], 2)), GROUND_TO_DECK, ((0, 2), (0, 1, 1), True))
    tilemap.save(tmp_path / "walls.tmap")
    tilemap.save(tmp_path / "walls.tmj")
    for name in ("walls.tmap", "walls.tmj"):
        again = TileMap.load(tmp_path / name)
        assert again.walls == tilemap.walls
        assert is_legal(again, (0, 0), (0, 1))
        assert is_legal(again, (0, 1), (0, 0))
        assert is_legal(again, (0, 1, 1), (0, 2))
        assert not is_legal(again, (0, 2), (0, 1, 1))


@thoroughly(60)
@given(tilemaps())
def test_walls_take_away_the_steps_between_the_surfaces_they_part_and_no_others(tilemap):
    walls, surfaces = tilemap.walls, all_surfaces(tilemap)
    with tilemap.edit() as edit:
        for link in tilemap.links:
            edit.remove_link(link.start, link.end)
    steps = all_steps(tilemap, surfaces)
    parted = {(wall.start, wall.end) for wall in walls}
    parted |= {(wall.end, wall.start) for wall in walls if not wall.one_way}
    with tilemap.edit() as edit:
        for wall in walls:
            edit.remove_wall(wall.start, wall.end)
    assert steps == all_steps(tilemap, surfaces) - parted


def all_steps(tilemap, surfaces):
    navigation = Navigation(tilemap)
    return {(start, end) for start in surfaces for end in navigation.steps_from(start, ACROBAT)}


TALL = {"body_height": 3}
LOW = "no headroom: {room} < 3 at {cell}"


def bridged():
    """Return ground at level 0 with a deck, 1 thick, whose underside is at level 1 over (0, 1)."""
    return spanned("000\n000", ([(0, 1)], 2))


@pytest.mark.parametrize(
    "profile",
    [
        MoveProfile(**TALL),
        MoveProfile(body_height=1, hover=2),
        MoveProfile(warp=2, **TALL),
        MoveProfile(warp=2, can_fly=True, **TALL),
        MoveProfile(can_fly=True, **TALL),
    ],
)
def test_nobody_too_tall_stops_below_a_deck(profile):
    tilemap, low = bridged(), LOW.format(room=1, cell="(0, 1)")
    navigation = Navigation(tilemap)
    assert navigation.explain_stop((0, 1), profile) == low
    assert navigation.find_path((0, 0), (0, 1), profile).reason == low
    assert navigation.explain_step((0, 0), (0, 1), profile).reason == low
    assert (0, 1) not in navigation.steps_from((0, 0), profile)
    assert (0, 1) not in navigation.reach((0, 0), 9, profile)
    assert math.isinf(navigation.cost_field((0, 1), profile).cost_from((0, 0)))
    assert not navigation.is_reachable((0, 0), (0, 1), profile)
    assert navigation.find_path((0, 0), [(0, 1), (0, 2)], profile).cells[-1] == (0, 2, 0)
    board = Board(tilemap)
    with pytest.raises(ValueError, match=re.escape(f"A cannot stand there: {low}")):
        board.add(Unit("A", (0, 1), profile=profile))
    unit = board.add(Unit("A", (0, 0), profile=profile))
    assert board.plan(unit, (0, 1)).reason == low
    with pytest.raises(MoveRefused, match=re.escape(low)):
        board.move(unit, (0, 1))
    assert board.plan(unit, (0, 2))


def test_a_large_mover_needs_the_room_above_all_of_its_tiles():
    tilemap = spanned("0000\n0000", ([(1, 3)], 2))
    navigation, big = Navigation(tilemap), MoveProfile(size=2, **TALL)
    low = LOW.format(room=1, cell="(0, 2)")
    assert navigation.explain_stop((0, 2), big) == low
    assert navigation.find_path((0, 0), (0, 2), big).reason == low
    assert navigation.explain_stop((0, 1), big) == ""
    with tilemap.edit() as edit:
        edit.set_level((1, 3, 1), 4)
    assert navigation.explain_stop((0, 2), big) == ""
    assert navigation.find_path((0, 0), (0, 2), big)


def test_decks_that_come_and_go_change_where_one_may_stop():
    tilemap, profile = TileMap.from_text("00"), MoveProfile(warp=2, **TALL)
    navigation = Navigation(tilemap)
    assert navigation.explain_stop((0, 1), profile) == ""
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=3)
    assert navigation.explain_stop((0, 1), profile) == LOW.format(room=2, cell="(0, 1)")
    assert not navigation.find_path((0, 0), (0, 1), profile)
    with tilemap.edit() as edit:
        edit.set_level((0, 1, 1), 4)
    assert navigation.find_path((0, 0), (0, 1), profile)


def test_the_reason_names_the_surface_with_the_lower_ceiling():
    tilemap, profile = bridged(), MoveProfile(**TALL)
    answer = Navigation(tilemap).explain_step((0, 1), (0, 2), profile)
    assert answer.reason == LOW.format(room=1, cell="(0, 1)")


def test_one_may_start_below_a_deck_that_came_later_and_warp_away():
    tilemap = bridged()
    assert Navigation(tilemap).find_path((0, 1), (0, 2), MoveProfile(warp=2, **TALL)).cost == 1
    assert Navigation(tilemap).find_path((0, 1), (0, 1), MoveProfile(**TALL)).cost == 0
