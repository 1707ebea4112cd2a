"""The step rule as pictures: which steps are legal, and what they cost."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from ai import MoveProfile, Navigation
from ai.rules.nodes import Nodes
from ai.rules.step_rule import StepRule
from ai.search.graph import number_of
from terrain3d import Cell, TileKind, TileMap
from tests.support import rulebook
from tests.support.reference import around, cells_of, drawn, ground, profiles, step_cost, tilemaps

FREE = MoveProfile(max_climb=9, max_drop=9)


def path_of(levels, kinds=None, profile=None, start=(0, 0), goal=(0, -1), blocked=()):
    """Return the path along the top row as picture and cost, or the reason for no path."""
    tilemap = ground(levels, kinds)
    goal = (goal[0], goal[1] % tilemap.cols)
    path = Navigation(tilemap).find_path(start, goal, profile or MoveProfile(), blocked=blocked)
    return (drawn(tilemap, path), path.cost) if path else path.reason


HILL = """\
01210
0###0
00000"""

OVER_THE_HILL = """\
01234
.....
....."""

AROUND_THE_HILL = """\
0...8
1...7
23456"""


@pytest.mark.parametrize(
    ("profile", "picture", "cost"),
    [
        (MoveProfile(climb_cost=1), OVER_THE_HILL, 4 + 2),
        (MoveProfile(climb_cost=10), AROUND_THE_HILL, 8),
        (MoveProfile.classic(uphill=1), OVER_THE_HILL, 4 + 2),
        (MoveProfile.classic(uphill=10), AROUND_THE_HILL, 8),
        (MoveProfile(drop_cost=3), AROUND_THE_HILL, 8),
        (MoveProfile(climb_cost=0, drop_cost=1), OVER_THE_HILL, 4 + 2),
    ],
)
def test_the_price_of_climbing_decides_between_over_and_around(profile, picture, cost):
    assert path_of(HILL, profile=profile) == (picture, cost)


LEDGE = """\
022
012"""


def test_a_climb_of_two_at_once_costs_as_much_as_two_of_one():
    assert path_of(LEDGE) == ("012\n...", 1 + 2 + 1)


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ("02", ("01", 3)),
        ("03", "climb 3 > 2 at (0, 1)"),
        ("30", ("01", 1)),
        ("40", "drop 4 > 3 at (0, 1)"),
        ("00", ("01", 1)),
        ("0369", "climb 3 > 2 at (0, 1)"),
        ("9630", ("0123", 3)),
    ],
)
def test_unless_told_otherwise_climbs_end_at_two_and_drops_at_three(levels, expected):
    assert path_of(levels) == expected


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ("02", ("01", 3)),
        ("03", "climb 3 > 2 at (0, 1)"),
        ("20", ("01", 1)),
        ("30", "drop 3 > 2 at (0, 1)"),
    ],
)
def test_to_the_classic_rule_more_than_two_either_way_is_a_wall(levels, expected):
    assert path_of(levels, profile=MoveProfile.classic()) == expected


def test_limits_of_zero_keep_a_mover_on_its_level():
    flat = MoveProfile(max_climb=0, max_drop=0)
    assert path_of("0110\n0000", profile=flat) == ("0..5\n1234", 5)
    assert path_of("01", profile=flat) == "climb 1 > 0 at (0, 1)"
    assert path_of("10", profile=flat) == "drop 1 > 0 at (0, 1)"


def test_some_ways_lead_in_one_direction_only():
    tilemap = TileMap.from_text("0300")
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 1), (0, 3)).cost == 2
    assert navigation.find_path((0, 3), (0, 1)).reason == "climb 3 > 2 at (0, 1)"


def test_the_way_back_costs_its_own_price():
    assert path_of("012") == ("012", 2 + 2)
    assert path_of("210") == ("012", 2)
    assert path_of("210", profile=MoveProfile(drop_cost=4)) == ("012", 2 + 8)


def test_the_map_prices_its_kinds_and_a_mover_may_price_them_otherwise():
    assert path_of("000", "gsg") == ("012", 3 + 1)
    assert path_of("000", "gsg", MoveProfile(kind_cost={"swamp": 0.5})) == ("012", 0.5 + 1)
    assert path_of("000", "grg") == ("012", 0.5 + 1)
    assert path_of("000", "gwg") == "water at (0, 1) cannot be entered"
    assert path_of("000", "gwg", MoveProfile(kind_cost={"water": 2})) == ("012", 2 + 1)
    assert path_of("000", "gsg", MoveProfile(kind_cost={"swamp": None})).startswith(
        "swamp at (0, 1)"
    )
    assert path_of("000", "ggg", MoveProfile(kind_cost={"lava": None})) == ("012", 2)


def test_entering_a_kind_and_climbing_onto_it_are_both_paid():
    assert path_of("02", "gs", MoveProfile(climb_cost=4)) == ("01", 3 + 2 * 4)


def test_an_expensive_kind_is_walked_around():
    assert path_of("0000\n0000", "gssg\ngggg") == ("0..5\n1234", 5)
    assert path_of("000\n000", "gsg\nggg", MoveProfile(kind_cost={"swamp": 4})) == (
        "0.4\n123",
        4,
    )


def test_costs_are_paid_on_entering_so_a_start_that_cannot_be_entered_is_no_matter():
    assert path_of("00", "wg") == ("01", 1)
    assert path_of("00", "sg") == ("01", 1)


def test_void_is_no_start_no_goal_and_no_way():
    assert path_of("#0") == "the start (0, 0) is void"
    assert path_of("0#") == "(0, 1) is void"
    assert path_of("0#0") == "(0, 1) is void"
    assert path_of("#", goal=(0, 0)) == "the start (0, 0) is void"


def test_from_a_cell_to_itself_is_one_cell_for_nothing():
    assert path_of("00", goal=(0, 0)) == ("0.", 0)
    assert path_of("00", "wg", goal=(0, 0)) == ("0.", 0)
    assert path_of("00", goal=(0, 0), blocked=[(0, 0)]) == ("0.", 0)


def test_an_occupied_cell_cannot_be_entered_but_be_left():
    assert path_of("000", blocked=[(0, 0)]) == ("012", 2)
    assert path_of("000", blocked=[(0, 2)]) == "(0, 2) is occupied"
    assert path_of("000", blocked=[(0, 1)]) == "(0, 1) is occupied"
    assert path_of("000\n000", blocked=[(0, 1)]) == ("0.4\n123", 4)
    assert path_of("000\n000", blocked=iter([(0, 1), (0, 1)])) == ("0.4\n123", 4)


def test_corners_are_never_cut():
    assert path_of("0#\n#0", goal=(1, 1)).endswith("is void")


def test_the_edge_of_the_map_is_not_joined_to_the_next_row():
    assert path_of("0#\n00\n#0", start=(0, 0), goal=(2, 1)) == ("0.\n12\n.3", 3)
    assert not Navigation(TileMap.from_text("#0\n##\n0#")).find_path((0, 1), (2, 0))


@given(tilemaps(max_side=5), profiles)
def test_a_step_is_explained_as_the_rule_says(tilemap, profile):
    navigation = Navigation(tilemap)
    for start in cells_of(tilemap):
        for end in around(tilemap, profile, start):
            answer = navigation.explain_step(start, end, profile)
            assert answer.cost == pytest.approx(step_cost(tilemap, profile, start, end))
            assert answer.legal == (answer.cost < math.inf) == (answer.reason == "")
            assert answer.rise == tilemap.level[end] - tilemap.level[start]


@pytest.mark.parametrize("end", [(0, 2), (1, 1), (0, 0)])
def test_only_neighbors_are_a_step_apart(end):
    answer = Navigation(TileMap.from_text("000\n000")).explain_step((0, 0), end)
    assert (answer.legal, answer.cost) == (False, math.inf)
    assert answer.reason == f"(0, 0) and {end} are not neighbors"


def linked():
    tilemap = ground("0#009", "g#wgg")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 4), 1, "ladder")
        edit.add_link((0, 0), (0, 3), 1, "chute", one_way=True)
        edit.add_link((0, 0), (0, 2), 1, "rope")
    return tilemap


@pytest.mark.parametrize(
    ("start", "end", "profile", "reason"),
    [
        ((0, 1), (0, 2), MoveProfile(), "(0, 1) is void"),
        ((0, 0), (0, 4), MoveProfile(warp=3), "warp 4 > 3 at (0, 4)"),
        ((0, 0), (0, 1), MoveProfile(warp=3), "(0, 1) is void"),
        ((0, 3), (0, 2), MoveProfile(warp=3), "water at (0, 2) cannot be entered"),
        (
            (0, 0),
            (0, 4),
            MoveProfile(link_cost={"ladder": None}),
            "the ladder from (0, 0) to (0, 4) cannot be used",
        ),
        ((0, 3), (0, 0), MoveProfile(), "the chute leads from (0, 0) to (0, 3) only"),
        ((0, 0), (0, 2), MoveProfile(), "water at (0, 2) cannot be entered"),
        ((0, 3), (0, 3), MoveProfile(warp=3), "(0, 3) and (0, 3) are not neighbors"),
    ],
)
def test_what_is_no_walk_is_explained_by_its_own_rule(start, end, profile, reason):
    answer = Navigation(linked()).explain_step(start, end, profile)
    assert (answer.legal, answer.reason) == (False, reason)


def test_every_step_of_a_way_says_what_kind_it_is():
    steps = Navigation(ground("02210")).find_path((0, 0), (0, 4), FREE).steps
    taken = [(step.kind, step.rise, step.cost) for step in steps]
    assert taken == [("climb", 2, 3), ("walk", 0, 1), ("drop", -1, 1), ("drop", -1, 1)]


@pytest.mark.parametrize(
    ("cost", "rules", "dearest"),
    [
        (20, {"diagonal": "always", "diagonal_cost": 2}, 40 + 2),
        (100, {"diagonal": "always", "diagonal_cost": 2}, 200 + 2),
        (125, {"diagonal": "always", "diagonal_cost": 2}, 250 + 2),
        (126, {"diagonal": "always", "diagonal_cost": 2}, 252 + 2),
        (200, {"diagonal_cost": 2}, 200 + 2),
        (251, {}, 251 + 2),
        (252, {}, 252 + 2),
        (200, {"climb_cost": 20, "max_climb": 2}, 200 + 40),
        (200, {"climb_cost": 20, "max_climb": 3}, 200 + 60),
        (240, {"climb_cost": 0, "drop_cost": 3, "max_drop": 4}, 240 + 12),
        (2.5, {}, 2.5 + 2),
        (2, {"climb_cost": 0.5}, 3),
        (100.3, {"climb_cost": 0.1}, 100.3 + 0.2),
    ],
)
def test_costs_are_bytes_if_the_most_expensive_step_has_at_most_253_units(cost, rules, dearest):
    tilemap = TileMap([[0, 1], [1, 0]], kinds=[TileKind("moor", cost=cost)])
    profile = MoveProfile(**{"climb_cost": 1} | rules)
    rule = StepRule.of(tilemap, profile)
    surcharges = [rulebook.rise_cost(profile, rise) for rise in range(-profile.max_drop, 3)]
    diagonal = cost * profile.diagonal_cost if profile.diagonal != "never" else cost
    costs = [Fraction(str(number)) * 10**6 for number in (cost, diagonal, *surcharges)]
    assert rule.unit == math.gcd(*map(int, costs))
    assert rule.highest == Fraction(str(dearest)) * 10**6 / rule.unit
    assert rule.empty_table().dtype == (np.uint8 if rule.highest <= 253 else np.int32)
    assert rule.fits(np.array([rule.highest * rule.unit]))
    assert not rule.fits(np.array([(rule.highest + 1) * rule.unit]))
    assert not rule.fits(np.array([rule.highest * rule.unit - 1]))


@pytest.mark.parametrize(
    ("costs", "rules", "cheapest"),
    [
        ((3, 2, None), {}, 2),
        ((3, 2.5), {"kind_cost": {"kind 1": 7}}, 3),
        ((None, None), {}, 0),
        ((3, 2), {"can_fly": True}, 1),
    ],
)
def test_the_cheapest_step_is_the_lowest_cost_of_a_kind(costs, rules, cheapest):
    kinds = [TileKind(f"kind {number}", cost=cost) for number, cost in enumerate(costs)]
    profile = MoveProfile(diagonal="always", diagonal_cost=1.5, **rules)
    rule = StepRule.of(TileMap([[0, 0]], [[0, 1]], kinds), profile)
    assert [number_of(each, rule.unit) for each in rule.cheapest] == [cheapest, 1.5 * cheapest]


@pytest.mark.parametrize("cell", [(0, -1), (1, -1), (-1, 0), (2, 0), (0, 3), (0, -1, 0), (0, 0, 1)])
def test_cells_outside_the_map_have_no_node(cell):
    nodes = Nodes(TileMap([[0, 0, 0], [0, 0, 0]]))
    for value in (cell, Cell(*cell)):
        with pytest.raises(IndexError):
            nodes.of(value)
    assert [nodes.of((row, col)) for row in (0, 1) for col in (0, 1, 2)] == list(range(6))
