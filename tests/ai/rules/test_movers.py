"""The abilities of each preset mover, as pictures."""

import pytest

from ai import MoveProfile, Navigation
from ai.movers import FLOAT, FLYER, SWIMMER, WARP
from terrain3d import TileKind
from tests.support.mover_pictures import WALKER, land, path_of, reached, spanned

HEADROOM_2 = MoveProfile(body_height=2)


# Kinds and their tags.


@pytest.mark.parametrize(
    ("kind_cost", "costs"),
    [
        ({}, "0.."),
        ({"#liquid": 2}, "023"),
        ({"#liquid": 2, "#lava": 4}, "045"),
        ({"#liquid": 4, "#lava": 2}, "045"),
        ({"#liquid": 2, "#lava": None}, "0.."),
        ({"#liquid": 2, "#lava": 4, "lava": 1}, "012"),
        ({"#liquid": None, "lava": 1}, "012"),
        ({"#liquid": 1, "lava": None}, "0.."),
    ],
)
def test_a_name_counts_before_tags_and_of_tags_the_dearest(kind_cost, costs):
    assert reached(land("000", "glg"), MoveProfile(kind_cost=kind_cost)) == costs


@pytest.mark.parametrize(
    ("profile", "costs"), [(WALKER, "02..."), (SWIMMER, "012.."), (FLOAT, "01234")]
)
def test_who_wades_who_swims_and_who_floats(profile, costs):
    assert reached(land("00000", "gwdlg"), profile) == costs


def test_a_swimmer_swims_where_a_walker_goes_around():
    pond = land("0000\n0000\n0000", "gddg\ngddg\ngggg")
    assert path_of(pond, WALKER, (0, 0), (0, 3)) == ("0..7\n1..6\n2345", 7)
    assert path_of(pond, SWIMMER, (0, 0), (0, 3)) == ("0123\n....\n....", 3)


def test_some_kinds_are_passed_but_not_stopped_on():
    table = (TileKind("grass"), TileKind("bridge", can_stop=False))
    crossing = land("0000", "gbbg", table, {"g": "grass", "b": "bridge"})
    assert reached(crossing, WALKER) == "0..3"
    assert path_of(crossing, WALKER, (0, 0), (0, 3)) == ("0123", 3)
    assert path_of(crossing, WALKER, (0, 0), (0, 2)) == "cannot stop on bridge at (0, 2)"
    assert path_of(crossing, WALKER, (0, 2), (0, 2)) == ("..0.", 0)
    assert path_of(crossing, WALKER, (0, 2), (0, 0)) == ("210.", 2)


def test_ways_to_the_nearest_goal_end_where_one_may_stop():
    table = (TileKind("grass"), TileKind("bridge", can_stop=False))
    crossing = land("000", "gbg", table, {"g": "grass", "b": "bridge"})
    field = Navigation(crossing).cost_field([(0, 1), (0, 2)], WALKER)
    assert [cell[:2] for cell in field.path_from((0, 0)).cells] == [(0, 0), (0, 1), (0, 2)]
    assert field.next_step((0, 0)) == (0, 1, 0)
    assert field.cost_from((0, 1)) == 0  # a unit there has arrived
    assert len(field.path_from((0, 1))) == 1


def test_a_mover_may_name_kinds_where_it_does_not_stop():
    float_home = MoveProfile(kind_cost={"#liquid": 1}, no_stop={"#liquid", "swamp"})
    assert reached(land("00000", "gwdsg"), float_home) == "0...6"


# Heights.


@pytest.mark.parametrize(
    ("levels", "cost"), [("01", 1 + 1), ("02", 1 + 4), ("03", 1 + 9), ("10", 1), ("20", 1 + 5)]
)
def test_a_table_gives_the_whole_surcharge_of_a_rise(levels, cost):
    profile = MoveProfile(max_climb=3, max_drop=2, climb_cost=[1, 4, 9], drop_cost=[0, 5])
    assert path_of(land(levels), profile, (0, 0), (0, 1)) == ("01", cost)


def test_with_a_dear_tall_climb_stairs_are_worth_a_detour():
    profile = MoveProfile(max_climb=2, climb_cost=[0, 9])
    assert path_of(land("02\n01"), profile, (0, 0), (0, 1)) == ("03\n12", 3)


# Free air.


def test_only_who_is_low_enough_passes_under_a_bridge():
    bridge = spanned("000", ((0, 1), 2))  # with its underside at 1
    assert path_of(bridge, WALKER, (0, 0), (0, 2)) == ("012", 2)
    assert path_of(bridge, HEADROOM_2, (0, 0), (0, 1)) == "no headroom: 1 < 2 at (0, 1)"
    assert path_of(bridge, MoveProfile(hover=1), (0, 0), (0, 1)) == "no headroom: 1 < 2 at (0, 1)"


def test_the_passage_counts_and_not_only_the_rooms():
    stairs = spanned("01", ((0, 0), 3))  # 2 free below, but 1 on the way up
    assert path_of(stairs, WALKER, (0, 0), (0, 1)) == ("01", 2)
    assert path_of(stairs, HEADROOM_2, (0, 0), (0, 1)).startswith("no headroom: 1 < 2")


def test_a_bridge_is_walked_over_and_under():
    bridge = spanned("303\n303\n303", ((1, 1), 3))
    careful = MoveProfile(max_climb=1, max_drop=1)
    over = Navigation(bridge).find_path((1, 0), (1, 2), careful)
    assert [tuple(cell) for cell in over.cells] == [(1, 0, 0), (1, 1, 1), (1, 2, 0)]
    assert path_of(bridge, careful, (1, 0), (1, 2)) == ("...\n012\n...", 2)
    assert path_of(bridge, careful, (0, 1), (2, 1)) == (".0.\n.1.\n.2.", 2)
    assert path_of(bridge, careful, (0, 1), (1, 1, 1)).startswith("climb 3 > 1")


def test_a_corner_may_be_rounded_over_any_surface():
    # Only the deck at (0, 1) lets one around the corner.
    rounded = spanned("0#\n#0", ((0, 1), 1))
    one_side = MoveProfile(diagonal="at_least_one_walkable")
    assert path_of(rounded, one_side, (0, 0), (1, 1)) == ("0.\n.1", 1)
    assert isinstance(path_of(land("0#\n#0"), one_side, (0, 0), (1, 1)), str)
    with rounded.edit() as edit:
        edit.add_wall((0, 1, 1), (1, 1), one_way=True)
    assert isinstance(path_of(rounded, one_side, (0, 0), (1, 1)), str)


# Walls and links.


def test_a_wall_is_gone_around():
    yard = land("00\n00")
    with yard.edit() as edit:
        edit.add_wall((0, 0), (0, 1))
    assert path_of(yard, WALKER, (0, 0), (0, 1)) == ("03\n12", 3)
    assert path_of(yard, WALKER, (0, 1), (0, 0)) == ("30\n21", 3)
    answer = Navigation(yard).explain_step((0, 0), (0, 1), WALKER)
    assert (answer.legal, answer.reason) == (False, "a wall stands between (0, 0) and (0, 1)")


def test_a_ledge_stops_one_direction_only():
    ledge = land("00\n00")
    with ledge.edit() as edit:
        edit.add_wall((0, 0), (0, 1), one_way=True)
    assert path_of(ledge, WALKER, (0, 0), (0, 1)) == ("03\n12", 3)
    assert path_of(ledge, WALKER, (0, 1), (0, 0)) == ("10\n..", 1)


def test_a_wall_on_a_bridge_does_not_hinder_who_walks_below():
    bridge = spanned("00", ((0, 0), 2), ((0, 1), 2))
    with bridge.edit() as edit:
        edit.add_wall((0, 0, 1), (0, 1, 1))
    assert path_of(bridge, WALKER, (0, 0), (0, 1)) == ("01", 1)
    assert path_of(bridge, MoveProfile(max_climb=0), (0, 0, 1), (0, 1, 1)) != ("01", 1)


def test_a_ladder_leads_where_no_step_does():
    cliff = land("05")
    with cliff.edit() as edit:
        edit.add_link((0, 0), (0, 1), 2, "ladder")
    assert path_of(cliff, WALKER, (0, 0), (0, 1)) == ("01", 2)
    assert path_of(cliff, WALKER, (0, 1), (0, 0)) == ("10", 2)
    assert path_of(cliff, MoveProfile(link_cost={"ladder": 7}), (0, 0), (0, 1)) == ("01", 7)
    no_hands = MoveProfile(link_cost={"ladder": None})
    assert path_of(cliff, no_hands, (0, 0), (0, 1)) == "climb 5 > 2 at (0, 1)"


def test_a_portal_leads_far_and_one_way_only():
    isles = land("0##0", "g##s")
    with isles.edit() as edit:
        edit.add_link((0, 0), (0, 3), 2, "portal", one_way=True)
    assert path_of(isles, WALKER, (0, 0), (0, 3)) == ("0..1", 2)
    assert isinstance(path_of(isles, WALKER, (0, 3), (0, 0)), str)
    dry = MoveProfile(kind_cost={"swamp": None})
    assert path_of(isles, dry, (0, 0), (0, 3)) == "swamp at (0, 3) cannot be entered"


# Movers that do not walk.


def test_a_flyer_passes_over_anything_but_stops_on_ground_alone():
    ravine = land("0#900", "g#gdg")
    assert reached(ravine, FLYER) == "0.2.4"
    assert path_of(ravine, FLYER, (0, 0), (0, 4)) == ("01234", 4)
    assert path_of(ravine, FLYER, (0, 0), (0, 1)) == "(0, 1) is void"
    assert path_of(ravine, FLYER, (0, 0), (0, 3)) == "deep at (0, 3) cannot be entered"


def test_a_flyer_tells_each_of_its_steps_over_a_pit():
    field = Navigation(land("0#0")).cost_field((0, 2), FLYER)
    assert [step.cost for step in field.path_from((0, 0)).steps] == [1, 1]


def test_a_flyer_minds_no_walls_but_ceilings():
    low, high = spanned("000", ((0, 1), 2)), spanned("000", ((0, 1), 3))
    for tilemap in (low, high):
        with tilemap.edit() as edit:
            edit.add_wall((0, 0), (0, 1))
    tall = MoveProfile(can_fly=True, body_height=2)
    assert reached(low, tall) == "0.2"  # over the bridge
    assert reached(high, tall) == "012"


def test_a_warp_goes_through_everything_within_its_range():
    cut_off = land("0#9\n##0", "g#g\n##d")
    assert reached(cut_off, MoveProfile(warp=2)) == "0.2\n..."
    assert reached(cut_off, MoveProfile(warp=1)) == "0..\n..."
    assert reached(land("0#####0"), WARP) == "0......"


def test_a_warp_changes_floors_for_1():
    tower = spanned("0", ((0, 0), 9))
    assert path_of(tower, MoveProfile(warp=1), (0, 0), (0, 0, 1))[1] == 1


# Blockers.


def test_allies_are_passed_enemies_block_and_a_zone_ends_the_way():
    lane = land("0000")
    assert reached(lane, WALKER, passable={(0, 1, 0)}) == "0.23"
    assert reached(lane, WALKER, blocked={(0, 1, 0)}) == "0..."
    assert reached(lane, WALKER, halting={(0, 1, 0)}) == "01.."
    assert reached(lane, WALKER, halting={(0, 0, 0), (0, 2, 0)}) == "012."
    assert path_of(lane, WALKER, (0, 0), (0, 1), passable={(0, 1, 0)}) == "(0, 1) is occupied"
    free = land("0000\n0000")
    assert reached(free, WALKER, halting={(0, 1, 0)}) == "0145\n1234"
