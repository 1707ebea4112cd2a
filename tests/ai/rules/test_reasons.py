"""Reasons without a path: the obstacle that matters, with its rule, limit and cell."""

import re

import pytest
from hypothesis import given

from ai import MoveProfile, Navigation
from tests.support.reference import (
    around,
    cases,
    cells_of,
    ground,
    is_diagonal,
    kind_name,
    thoroughly,
)

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
    assert Navigation(ground(levels)).find_path((0, 0), (1, 2)).reason == "climb 5 > 2 at (1, 1)"


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


def test_on_the_way_that_breaks_the_fewest_rules_the_first_broken_one_is_named():
    assert Navigation(ground("0#0#0")).find_path((0, 0), (0, 4)).reason == "(0, 1) is void"
    assert Navigation(ground("03690")).find_path((0, 0), (0, 4)).reason == "climb 3 > 2 at (0, 1)"


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
    path = Navigation(ground(levels)).find_path((0, 0), goal, blocked=blocked, halting=halting)
    assert path.reason == reason


@pytest.mark.parametrize(
    ("diagonal", "levels", "blocked", "reason"),
    [
        ("only_if_no_obstacles", "09\n00", [(1, 0)], "no path around the corner: climb 9 > 2"),
        ("only_if_no_obstacles", "09\n90", [(1, 0)], "no path around the corner: climb 9 > 2"),
        ("at_least_one_walkable", "09\n00", [(1, 0)], "no path around the corner: (1, 0) is"),
        ("only_if_no_obstacles", "00\n00", [(0, 1), (1, 0)], "(0, 1) is occupied"),
    ],
)
def test_who_stands_at_a_corner_is_named(diagonal, levels, blocked, reason):
    profile = MoveProfile(diagonal=diagonal)
    path = Navigation(ground(levels)).find_path((0, 0), (1, 1), profile, blocked=blocked)
    assert reason in path.reason


def test_links_out_of_where_a_way_ends_and_into_who_stands_there_break_a_rule_too():
    tilemap = ground("0009")
    with tilemap.edit() as edit:
        edit.add_link((0, 2), (0, 3), cost=1, kind="ladder")
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 0), (0, 3), halting=[(0, 2)]).reason == (
        "the path has to end at (0, 2)"
    )
    tilemap = ground("09900")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 3), cost=1, kind="ladder")
    path = Navigation(tilemap).find_path((0, 0), (0, 4), blocked=[(0, 3)])
    assert path.reason == "(0, 3) is occupied"


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
    assert navigation.find_path((0, 0), goal, **others).reason == reason


def test_what_lies_beyond_every_warp_is_told_so():
    path = Navigation(ground("0##0")).find_path((0, 0), (0, 3), MoveProfile(warp=2))
    assert path.reason == "no warps of range 2 lead to (0, 3)"


STEP = re.compile(r"(climb|drop) (\d+) > (\d+) at \((\d+), (\d+)\)")
CORNER = re.compile("no path around the corner: ")
OTHERS = re.compile(r"(?:no path around the corner: )?\((\d+), (\d+)\) is occupied")
PLACE = re.compile(r"(?:(\w+) at )?\((\d+), (\d+)\) (is void|is occupied|cannot be entered)")


def check_step_reason(navigation, profile, reason):
    what, rise, limit, row, col = STEP.fullmatch(reason).groups()
    assert int(limit) == (profile.max_climb if what == "climb" else profile.max_drop)
    assert int(rise) > int(limit)
    tilemap = navigation.tilemap
    cell = int(row), int(col)
    near = around(tilemap, profile, cell)
    explained = [navigation.explain_step(start, cell, profile) for start in near]
    assert (False, reason) in [(answer.legal, answer.reason) for answer in explained]
    signed = int(rise) if what == "climb" else -int(rise)
    assert signed in [answer.rise for answer in explained]


def check_corner_reason(navigation, case, reason):
    """See that some diagonal step is explained in the same words, over two legal heights."""
    tilemap, profile = case.tilemap, case.profile
    reasons = [
        navigation.explain_step(start, end, profile).reason
        for start in cells_of(tilemap)
        for end in around(tilemap, profile, start)
        if is_diagonal(tilemap, start, end)
    ]
    assert reason in reasons


def check_place_reason(tilemap, case, reason):
    kind, row, col, what = PLACE.fullmatch(reason.removeprefix("the start ")).groups()
    cell = int(row), int(col)
    name = kind_name(tilemap, cell)
    if what == "is void":
        assert name == "void"
    elif what == "is occupied":
        assert cell in case.blocked
    else:
        assert name == kind
        own_cost = {entry.name: entry.cost for entry in tilemap.kinds}[name]
        assert case.profile.kind_cost.get(name, own_cost) is None


@thoroughly(200)
@given(cases())
def test_what_a_reason_says_is_true(case):
    navigation = Navigation(case.tilemap)
    for goal in cells_of(case.tilemap):
        path = navigation.find_path(case.start, goal, case.profile, blocked=case.blocked)
        assert bool(path) == (path.reason == "")
        if STEP.fullmatch(path.reason):
            check_step_reason(navigation, case.profile, path.reason)
        elif named := OTHERS.fullmatch(path.reason):
            where = int(named[1]), int(named[2])
            assert where in case.blocked
            assert where == goal[:2] or navigation.find_path(case.start, goal, case.profile)
        elif CORNER.match(path.reason):
            check_corner_reason(navigation, case, path.reason)
        elif path.reason:
            check_place_reason(case.tilemap, case, path.reason)
