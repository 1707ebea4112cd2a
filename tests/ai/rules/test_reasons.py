"""Reasons without a path: the obstacle that matters, with its rule, limit and cell."""

import dataclasses
import math

import pytest
from hypothesis import strategies as st

from ai import Blockers, MoveProfile, Navigation
from terrain3d import Reason
from tests.support.boards import one_edit
from tests.support.reference import cells_of, ground, tried
from tests.support.selection import table
from tests.support.strategies import cells_to_ask, profiles, tilemaps

PLATEAU = "00000000\n00000000\n00000022\n00000033\n00000033"

CLOSED = [
    # The cliff in front, by levels alone.
    (PLATEAU, None, {"start": (4, 0), "goal": (4, 7)}, ""),
    (PLATEAU, None, {"start": (1, 7), "goal": (4, 7), "most": 1}, "climb 2 > 1 at (2, 7)"),
    (PLATEAU, None, {"start": (4, 0), "goal": (4, 7), "most": 0}, "climb 3 > 0 at (4, 6)"),
    # Each rule with its limit and cell.
    ("003", None, {}, "climb 3 > 2 at (0, 2)"),
    ("034", None, {}, "climb 3 > 2 at (0, 1)"),
    ("900", None, {}, "drop 9 > 3 at (0, 1)"),
    ("0#0", None, {}, "(0, 1) is void"),
    ("000", "gwg", {}, "water at (0, 1) cannot be entered"),
    ("000", "ggw", {}, "water at (0, 2) cannot be entered"),
    ("000", None, {"blocked": [(0, 1)]}, "(0, 1) is occupied"),
    ("009", None, {"blocked": [(0, 2)]}, "(0, 2) is occupied"),
    ("00#", None, {"blocked": [(0, 2)]}, "(0, 2) is void"),
    ("#00", "#gw", {}, "the start (0, 0) is void"),
    ("0##0", None, {"profile": MoveProfile(warp=2)}, "no warps of range 2 lead to (0, 3)"),
    # The straight path breaks two rules, the path around only one.
    ("0#4\n050", None, {"goal": (1, 2)}, "climb 5 > 2 at (1, 1)"),
    # On the way that breaks the fewest rules the first broken one.
    ("0#0#0", None, {}, "(0, 1) is void"),
    ("03690", None, {}, "climb 3 > 2 at (0, 1)"),
    # Who stands in the way counts like what does.
    ("0000\n0000", "gwwg\ngggg", {"blocked": [(1, 1)]}, "(1, 1) is occupied"),
    (
        *("0000\n0000", "gggg\ngwgg"),
        *({"blocked": [(0, 1), (0, 2)]}, "water at (1, 1) cannot be entered"),
    ),
    # The ground before who stands around: a unit may leave, the cliff stays.
    ("0009", None, {"blocked": [(0, 1)]}, "climb 9 > 2 at (0, 3)"),
    ("0090\n0000", None, {"blocked": [(0, 1), (1, 2)]}, "(1, 2) is occupied"),
    ("0000", None, {"blocked": [(0, 2)]}, "(0, 2) is occupied"),
    ("0000", None, {"halting": [(0, 1)]}, "the path has to end at (0, 1)"),
    ("0000", None, {"halting": [(0, 1), (0, 2)]}, "the path has to end at (0, 1)"),
    ("0009", None, {"halting": [(0, 1)]}, "climb 9 > 2 at (0, 3)"),
    ("0000", None, {"blocked": [(0, 2)], "halting": [(0, 1)]}, "(0, 2) is occupied"),
    (
        *("0000\n0000", None),
        *({"blocked": [(0, 2), (1, 1)], "halting": [(1, 2), (0, 1)]}, "(0, 2) is occupied"),
    ),
    (
        *("0000\n0000", None),
        *({"blocked": [(0, 1), (0, 2)], "halting": [(1, 1)]}, "the path has to end at (1, 1)"),
    ),
    (
        *("0000\n0030", None),  # one rule, not two
        *({"blocked": [(0, 2)], "halting": [(0, 1)]}, "climb 3 > 2 at (1, 2)"),
    ),
]


@pytest.mark.parametrize(("levels", "kinds", "asked", "reason"), CLOSED)
def test_the_broken_rule_that_matters_is_named(levels, kinds, asked, reason):
    goal = asked.get("goal", (0, len(levels.split("\n")[0]) - 1))
    profile = asked.get("profile", MoveProfile(max_climb=asked.get("most", 2)))
    blockers = Blockers(asked.get("blocked", ()), (), asked.get("halting", ()))
    navigation, start = Navigation(ground(levels, kinds)), asked.get("start", (0, 0))
    assert navigation.find_path(start, goal, profile, blockers=blockers).reason == reason


def test_a_roof_in_the_open_air_is_too_high_and_not_too_low():
    tilemap = ground("\n".join(["0000000"] * 5))
    with tilemap.edit() as edit:
        edit.add_deck([(row, col) for row in (1, 2, 3) for col in range(1, 6)], 3, "road")
        edit.add_deck([(2, col) for col in (2, 3, 4)], 6, "road")
    navigation = Navigation(tilemap)
    reason = navigation.find_path((0, 0), (2, 3, 2)).reason
    assert (reason.code, reason.values["rise"]) in {("high_climb", 3), ("high_climb", 6)}
    step = navigation.explain_step((2, 1), (2, 2, 2))
    assert step.reason == Reason("high_climb", rise=6, limit=2, cell=(2, 2, 2))


@tried(100, tilemaps(), st.data())
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


@table(
    "diagonal levels blocked reason",
    ("only_if_no_obstacles", "09\n00", [(1, 0)], "no path around the corner: climb 9 > 2"),
    ("only_if_no_obstacles", "09\n90", [(1, 0)], "no path around the corner: climb 9 > 2"),
    ("at_least_one_walkable", "09\n00", [(1, 0)], ""),
    ("only_if_no_obstacles", "00\n00", [(0, 1), (1, 0)], ""),
    ("only_if_no_obstacles", "00\n00", [(0, 1), (1, 1)], "(1, 1) is occupied"),
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
    one_edit(tilemap).add_link((0, 2), (0, 3), cost=1, kind="ladder")
    path = Navigation(tilemap).find_path((0, 0), (0, 3), blockers=Blockers(halting=[(0, 2)]))
    assert path.reason == Reason("has_to_end", cell=(0, 2))
    tilemap = ground("09900")
    one_edit(tilemap).add_link((0, 0), (0, 3), cost=1, kind="ladder")
    path = Navigation(tilemap).find_path((0, 0), (0, 4), blocked=[(0, 3)])
    assert path.reason == Reason("is_occupied", cell=(0, 3))


@table(
    "levels link goal others reason",
    ("03\n03", ((0, 0), (1, 1)), (0, 1), {"blocked": [(1, 1)]}, "climb 3 > 2 at (0, 1)"),
    ("00\n33", ((0, 1), (1, 0)), (1, 0), {"halting": [(0, 1)]}, "climb 3 > 2 at (1, 0)"),
)
def test_of_two_ways_with_one_broken_rule_the_shorter_counts(levels, link, goal, others, reason):
    tilemap = ground(levels)
    one_edit(tilemap).add_link(*link, cost=1, kind="ladder")
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 0), goal)
    assert navigation.find_path((0, 0), goal, blockers=Blockers(**others)).reason == reason


@tried(100, data=st.data())
def test_why_nothing_can_stop_on_a_cell_is_the_same_before_the_graph_is_made(data):
    tilemap = data.draw(tilemaps())
    profile = data.draw(profiles(tilemap.topology, ["walk", "fly", "big"]))
    cells = cells_of(tilemap)
    before = [Navigation(tilemap).explain_stop(cell, profile) for cell in cells]
    navigation = Navigation(tilemap)
    navigation.profile_graph(profile)
    assert before == [navigation.explain_stop(cell, profile) for cell in cells]
