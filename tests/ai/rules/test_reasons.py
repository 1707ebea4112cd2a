"""Reasons without a path: the obstacle that matters, with its rule, limit and cell."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Blockers, MoveProfile, Navigation
from terrain3d import Reason
from tests.support.reference import cells_of, ground, thoroughly
from tests.support.strategies import cells_to_ask, profiles, tilemaps

PLATEAU = """\
00000000
00000000
00000022
00000033
00000033"""


@pytest.mark.parametrize(
    ("goal", "profile", "reason"),
    [
        ((4, 7), MoveProfile(), ""),
        ((4, 7), MoveProfile(max_climb=1), "climb 2 > 1 at (2, 7)"),
        ((4, 7), MoveProfile(max_climb=0), "climb 3 > 0 at (4, 6)"),
    ],
)
def test_the_cliff_in_front_is_named(goal, profile, reason):
    start = (1, 7) if "(2, 7)" in reason else (4, 0)
    assert Navigation(ground(PLATEAU)).find_path(start, goal, profile).reason == reason


@pytest.mark.parametrize(
    ("levels", "kinds", "blocked", "reason"),
    [
        ("003", "ggg", [], "climb 3 > 2 at (0, 2)"),
        ("034", "ggg", [], "climb 3 > 2 at (0, 1)"),
        ("900", "ggg", [], "drop 9 > 3 at (0, 1)"),
        ("0#0", "g#g", [], "(0, 1) is void"),
        ("000", "gwg", [], "water at (0, 1) cannot be entered"),
        ("000", "ggw", [], "water at (0, 2) cannot be entered"),
        ("000", "ggg", [(0, 1)], "(0, 1) is occupied"),
        ("009", "ggg", [(0, 2)], "(0, 2) is occupied"),
        ("00#", "gg#", [(0, 2)], "(0, 2) is void"),
        ("#00", "#gw", [], "the start (0, 0) is void"),
    ],
)
def test_the_broken_rule_is_named_with_its_limit_and_cell(levels, kinds, blocked, reason):
    path = Navigation(ground(levels, kinds)).find_path((0, 0), (0, 2), blocked=blocked)
    assert path.reason == reason


def test_of_two_obstacles_the_one_that_alone_stands_in_the_way_is_named():
    # The straight path breaks two rules, the path around only one.
    levels = "0#4\n050"
    assert Navigation(ground(levels)).find_path((0, 0), (1, 2)).reason == Reason(
        "high_climb", rise=5, limit=2, cell=(1, 1)
    )


@pytest.mark.parametrize(
    ("kinds", "blocked", "reason"),
    [
        ("gwwg\ngggg", [(1, 1)], "(1, 1) is occupied"),
        ("gggg\ngwgg", [(0, 1), (0, 2)], "water at (1, 1) cannot be entered"),
    ],
)
def test_who_stands_in_the_way_counts_like_what_does(kinds, blocked, reason):
    path = Navigation(ground("0000\n0000", kinds)).find_path((0, 0), (0, 3), blocked=blocked)
    assert path.reason == reason


def test_a_roof_in_the_open_air_is_too_high_and_not_too_low():
    tilemap = ground("\n".join(["0000000"] * 5))
    with tilemap.edit() as edit:
        edit.add_deck([(row, col) for row in (1, 2, 3) for col in range(1, 6)], 3, "road")
        edit.add_deck([(2, col) for col in (2, 3, 4)], 6, "road")
    navigation = Navigation(tilemap)
    reason = navigation.find_path((0, 0), (2, 3, 2)).reason
    assert (reason.code, reason.values["rise"]) in {("high_climb", 3), ("high_climb", 6)}
    assert navigation.explain_step((2, 1), (2, 2, 2)).reason == Reason(
        "high_climb", rise=6, limit=2, cell=(2, 2, 2)
    )


@thoroughly(100)
@given(tilemaps(), st.data())
def test_a_limit_that_is_named_keeps_the_mover_from_the_goal(tilemap, data):
    mover = data.draw(profiles(tilemap.topology, ["walk", "big"]))
    start, goal = (data.draw(st.sampled_from(cells_to_ask(tilemap))) for _ in range(2))
    reason = Navigation(tilemap).find_path(start, goal, mover).reason
    code = reason.code if reason else ""
    able = dataclasses.replace(mover, climb_cost=0, drop_cost=0)
    if code in {"high_climb", "deep_drop"}:
        limit = {"high_climb": "max_climb", "deep_drop": "max_drop"}[code]
        able = dataclasses.replace(able, **{limit: reason.values["rise"]})
    elif code == "low_ceiling":
        able = dataclasses.replace(able, body_height=0, hover=0)
    if able != dataclasses.replace(mover, climb_cost=0, drop_cost=0):
        assert Navigation(tilemap).find_path(start, goal, able).reason != reason


def test_on_the_way_that_breaks_the_fewest_rules_the_first_broken_one_is_named():
    assert Navigation(ground("0#0#0")).find_path((0, 0), (0, 4)).reason == Reason(
        "is_void", cell=(0, 1)
    )
    assert Navigation(ground("03690")).find_path((0, 0), (0, 4)).reason == Reason(
        "high_climb", rise=3, limit=2, cell=(0, 1)
    )


@pytest.mark.parametrize(
    ("levels", "blocked", "halting", "reason"),
    [
        ("0009", [(0, 1)], [], "climb 9 > 2 at (0, 3)"),  # a unit may leave, the cliff stays
        ("0090\n0000", [(0, 1), (1, 2)], [], "(1, 2) is occupied"),
        ("0000", [(0, 2)], [], "(0, 2) is occupied"),
        ("0000", [], [(0, 1)], "the path has to end at (0, 1)"),
        ("0000", [], [(0, 1), (0, 2)], "the path has to end at (0, 1)"),
        ("0009", [], [(0, 1)], "climb 9 > 2 at (0, 3)"),
        ("0000", [(0, 2)], [(0, 1)], "(0, 2) is occupied"),
        ("0000\n0000", [(0, 2), (1, 1)], [(1, 2), (0, 1)], "(0, 2) is occupied"),
        ("0000\n0000", [(0, 1), (0, 2)], [(1, 1)], "the path has to end at (1, 1)"),
        ("0000\n0030", [(0, 2)], [(0, 1)], "climb 3 > 2 at (1, 2)"),  # one rule, not two
    ],
)
def test_the_ground_is_named_before_who_stands_around(levels, blocked, halting, reason):
    goal = (0, levels.find("\n") - 1 if "\n" in levels else len(levels) - 1)
    blockers = Blockers(blocked=blocked, halting=halting)
    path = Navigation(ground(levels)).find_path((0, 0), goal, blockers=blockers)
    assert path.reason == reason


@pytest.mark.parametrize(
    ("diagonal", "levels", "blocked", "reason"),
    [
        ("only_if_no_obstacles", "09\n00", [(1, 0)], "no path around the corner: climb 9 > 2"),
        ("only_if_no_obstacles", "09\n90", [(1, 0)], "no path around the corner: climb 9 > 2"),
        ("at_least_one_walkable", "09\n00", [(1, 0)], ""),
        ("only_if_no_obstacles", "00\n00", [(0, 1), (1, 0)], ""),
        ("only_if_no_obstacles", "00\n00", [(0, 1), (1, 1)], "(1, 1) is occupied"),
    ],
)
def test_the_ground_alone_closes_a_corner(diagonal, levels, blocked, reason):
    profile, navigation = MoveProfile(diagonal=diagonal), Navigation(ground(levels))
    for how in ({"blocked": blocked}, {"blockers": Blockers(blocked=blocked)}):
        path = navigation.find_path((0, 0), (1, 1), profile, **how)
        assert path.cost == (math.inf if reason else 1)
        assert path.reason.startswith(reason)
        assert bool(path.reason) == bool(reason)
        priced = navigation.price([(0, 0), (1, 1)], profile, **how)
        assert (priced.cost, priced.reason) == (path.cost, path.reason)


def test_links_out_of_where_a_way_ends_and_into_who_stands_there_break_a_rule_too():
    tilemap = ground("0009")
    with tilemap.edit() as edit:
        edit.add_link((0, 2), (0, 3), cost=1, kind="ladder")
    navigation = Navigation(tilemap)
    path = navigation.find_path((0, 0), (0, 3), blockers=Blockers(halting=[(0, 2)]))
    assert path.reason == Reason("has_to_end", cell=(0, 2))
    tilemap = ground("09900")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 3), cost=1, kind="ladder")
    path = Navigation(tilemap).find_path((0, 0), (0, 4), blocked=[(0, 3)])
    assert path.reason == Reason("is_occupied", cell=(0, 3))


@pytest.mark.parametrize(
    ("levels", "link", "goal", "others", "reason"),
    [
        ("03\n03", ((0, 0), (1, 1)), (0, 1), {"blocked": [(1, 1)]}, "climb 3 > 2 at (0, 1)"),
        ("00\n33", ((0, 1), (1, 0)), (1, 0), {"halting": [(0, 1)]}, "climb 3 > 2 at (1, 0)"),
    ],
)
def test_of_two_ways_with_one_broken_rule_the_shorter_counts(levels, link, goal, others, reason):
    tilemap = ground(levels)
    with tilemap.edit() as edit:
        edit.add_link(*link, cost=1, kind="ladder")
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 0), goal)
    assert navigation.find_path((0, 0), goal, blockers=Blockers(**others)).reason == reason


def test_what_lies_beyond_every_warp_is_told_so():
    path = Navigation(ground("0##0")).find_path((0, 0), (0, 3), MoveProfile(warp=2))
    assert path.reason == Reason("no_warps", warp=2, goal=(0, 3))


@thoroughly(100)
@given(data=st.data())
def test_why_nothing_can_stop_on_a_cell_is_the_same_before_the_graph_is_made(data):
    tilemap = data.draw(tilemaps())
    profile = data.draw(profiles(tilemap.topology, ["walk", "fly", "big"]))
    cells = cells_of(tilemap)
    before = [Navigation(tilemap).explain_stop(cell, profile) for cell in cells]
    navigation = Navigation(tilemap)
    navigation.profile_graph(profile)
    assert before == [navigation.explain_stop(cell, profile) for cell in cells]
