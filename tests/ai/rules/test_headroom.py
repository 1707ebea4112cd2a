"""Headroom: the body of a mover has to fit below decks wherever it stands, stops or passes."""

import math
import re

import pytest

from ai import Board, MoveProfile, MoveRefused, Navigation, Unit
from terrain3d import TileMap
from tests.support.mover_pictures import spanned

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
        MoveProfile(leap=1, **TALL),
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
