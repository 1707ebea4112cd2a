"""Steps: kinds and reasons, presets and large movers, walls and decks, and how costs are kept."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from ai import MoveProfile, Navigation
from ai.movers import FLOAT, FLYER, SWIMMER, WARP
from ai.rules.nodes import Nodes
from ai.rules.step_rule import StepRule
from ai.search.graph import number_of
from terrain3d import Cell, TileKind, TileMap
from tests.support import rulebook
from tests.support.plain_map import all_surfaces
from tests.support.reference import drawn, ground, thoroughly
from tests.support.strategies import tilemaps
from tests.support.walks import WALKER, best_path, land, reached, spanned

FREE = MoveProfile(max_climb=9, max_drop=9)


def along_the_top(levels, profile=None):
    """Return the path along the top row as picture and cost, or the reason for no path."""
    tilemap = ground(levels)
    path = Navigation(tilemap).find_path((0, 0), (0, tilemap.cols - 1), profile or MoveProfile())
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
    assert along_the_top(HILL, profile) == (picture, cost)


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
    assert along_the_top(levels) == expected


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


# Heights.


# Free air.


# Walls and links.


# Movers that do not walk.


def test_a_flyer_passes_over_anything_but_stops_on_ground_alone():
    ravine = land("0#900", "g#gdg")
    assert reached(ravine, FLYER) == "0.2.4"
    assert best_path(ravine, FLYER, (0, 0), (0, 4)) == ("01234", 4)
    assert best_path(ravine, FLYER, (0, 0), (0, 1)) == "(0, 1) is void"
    assert best_path(ravine, FLYER, (0, 0), (0, 3)) == "deep at (0, 3) cannot be entered"


def test_a_warp_goes_through_everything_within_its_range():
    cut_off = land("0#9\n##0", "g#g\n##d")
    assert reached(cut_off, MoveProfile(warp=2)) == "0.2\n..."
    assert reached(cut_off, MoveProfile(warp=1)) == "0..\n..."
    assert reached(land("0#####0"), WARP) == "0......"


# Blockers.


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_who_is_big_needs_square_tiles(topology):
    navigation = Navigation(TileMap.from_text("000\n000", topology=topology))
    with pytest.raises(ValueError, match=f"size 2 needs square tiles, this map is '{topology}'"):
        navigation.find_path((0, 0), (1, 2), MoveProfile(size=2))
    assert navigation.find_path((0, 0), (1, 2), MoveProfile(size=1))


@pytest.mark.parametrize(
    ("wall", "start", "end", "reason"),
    [
        (((2, 1), (3, 1)), (2, 1), (1, 1), "a wall stands between (3, 1) and (2, 1)"),
        (((2, 2), (3, 2)), (2, 1), (1, 1), "a wall stands between (3, 2) and (2, 2)"),
        (((2, 2), (1, 2)), (2, 1), (1, 1), "a wall stands between (2, 2) and (1, 2)"),
        (((2, 2), (2, 3)), (2, 1), (2, 2), "a wall stands between (2, 2) and (2, 3)"),
        (((1, 1), (1, 2)), (2, 1), (1, 1), ""),
        (((2, 1), (3, 1), True), (2, 1), (1, 1), ""),
    ],
)
def test_the_wall_that_a_tile_of_who_is_big_would_cross_is_named(wall, start, end, reason):
    tilemap = land("00000\n00000\n00000\n00000\n00000")
    with tilemap.edit() as edit:
        edit.add_wall(*wall)
    answer = Navigation(tilemap).explain_step(start, end, MoveProfile(size=2))
    assert (answer.legal, answer.reason) == (not reason, reason)


@pytest.mark.parametrize(
    ("levels", "kinds", "goal", "reason"),
    [
        ("000\n000", "ggg\nggb", (0, 1), "cannot stop on bog at (1, 2)"),
        (
            "000\n000",
            "gsg\nggb",
            (0, 1),
            "cannot stop on bog at (1, 2)",
        ),  # not the swamp
        ("000\n000", "ggb\nggg", (0, 1), "cannot stop on bog at (0, 2)"),
        ("000\n000", "ggg\nggd", (0, 1), "deep at (1, 2) cannot be entered"),
        ("000\n00#", "ggg\ngg#", (0, 1), "(1, 2) is void"),
        ("000\n001", "ggg\nggg", (0, 1), "2 x 2 tiles do not fit at (0, 1)"),
        ("000\n000", "ggg\nggg", (0, 2), "2 x 2 tiles do not fit at (0, 2)"),
        ("00\n0#", "gg\ng#", (0, 0), "the start: (1, 1) is void"),
        ("#0\n00", "#g\ngg", (0, 0), "the start (0, 0) is void"),
    ],
)
def test_what_forbids_is_named_with_the_tile_that_it_lies_under(levels, kinds, goal, reason):
    signs = {"g": "grass", "b": "bog", "s": "swamp", "d": "deep", "#": "void"}
    bog = TileKind("bog", 2, can_stop=False)
    table = (TileKind("grass"), bog, TileKind("swamp", 3), TileKind("deep", None))
    ground = land(levels, kinds, table, signs)
    assert best_path(ground, MoveProfile(size=2), (0, 0), goal) == reason


def test_how_far_a_step_to_a_deck_rises_is_told_by_the_map_as_it_is():
    tilemap = TileMap.from_text("000\n000\n000")
    with tilemap.edit() as edit:
        edit.add_deck((1, 1), level=3)
        edit.add_deck((0, 0), level=3)
    navigation, giant = Navigation(tilemap), MoveProfile(size=2)
    assert navigation.explain_step((0, 0), (1, 1, 1), giant).rise == 3
    with tilemap.edit() as edit:
        edit.remove_deck((1, 1))
        edit.add_deck((1, 1), level=5)
    assert navigation.explain_step((0, 0), (1, 1, 1), giant).rise == 5


@pytest.mark.parametrize(
    ("levels", "tolerance", "says"),
    [
        ("01\n01", 0, "2 x 2 tiles do not fit at"),
        ("01\n01", 1, "no headroom: 1 < 9 at"),
        ("01\n01", 2, "no headroom: 1 < 9 at"),
        ("02\n00", 1, "2 x 2 tiles do not fit at"),
    ],
)
def test_ground_is_too_uneven_only_beyond_the_tolerance(levels, tolerance, says):
    tilemap = TileMap.from_text(levels)
    with tilemap.edit() as edit:
        edit.add_deck((1, 1), level=tilemap.level_at((1, 1)) + 2)
    profile = MoveProfile(size=2, size_tolerance=tolerance, body_height=9)
    assert Navigation(tilemap).explain_stop((0, 0), profile).startswith(says)


ACROBAT = MoveProfile(max_climb=9, max_drop=9)
GROUND_TO_DECK = (0, 0), (0, 1, 1)


def walled(tilemap, *walls):
    with tilemap.edit() as edit:
        for wall in walls:
            edit.add_wall(*wall)
    return tilemap


def is_legal(tilemap, start, end, profile=ACROBAT):
    return Navigation(tilemap).explain_step(start, end, profile).legal


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


def test_the_reason_names_the_surface_with_the_lower_ceiling():
    tilemap, profile = bridged(), MoveProfile(**TALL)
    answer = Navigation(tilemap).explain_step((0, 1), (0, 2), profile)
    assert answer.reason == LOW.format(room=1, cell="(0, 1)")
