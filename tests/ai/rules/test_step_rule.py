"""The step rule as pictures: which steps are legal, and what they cost."""

import math
from fractions import Fraction

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from ai.rules.nodes import Nodes
from ai.rules.step_rule import StepRule
from ai.search.graph import number_of
from terrain3d import Cell, TileKind, TileMap
from tests.support import rulebook
from tests.support.reference import drawn, ground

FREE = MoveProfile(max_climb=9, max_drop=9)


def path_of(levels, kinds=None, profile=None, start=(0, 0), goal=(0, -1), blocked=()):
    """Return the path along the top row as picture and cost, or the reason for no path."""
    tilemap = ground(levels, kinds)
    goal = (goal[0], goal[1] % tilemap.cols)
    path = Navigation(tilemap).find_path(start, goal, profile or MoveProfile(), blocked=blocked)
    return (drawn(tilemap, path), path.cost) if path else path.reason


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
