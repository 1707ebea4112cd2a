"""Steps: kinds and reasons, presets and large movers, walls and decks, and how costs are kept."""

import math
from fractions import Fraction

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from ai.movers import FLOAT, FLYER, SWIMMER
from ai.rules.step_rule import StepRule
from terrain3d import TileKind, TileMap
from tests.support import rulebook
from tests.support.reference import ground
from tests.support.selection import table
from tests.support.walks import WALKER, best_path, land, reached, spanned

NO_LADDERS = MoveProfile(link_cost={"ladder": None})


def linked():
    tilemap = ground("0#009", "g#wgg")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 4), 1, "ladder")
        edit.add_link((0, 0), (0, 3), 1, "chute", one_way=True)
        edit.add_link((0, 0), (0, 2), 1, "rope")
    return tilemap


@table(
    "start end profile reason",
    ((0, 1), (0, 2), MoveProfile(), "(0, 1) is void"),
    ((0, 0), (0, 4), MoveProfile(warp=3), "warp 4 > 3 at (0, 4)"),
    ((0, 0), (0, 1), MoveProfile(warp=3), "(0, 1) is void"),
    ((0, 3), (0, 2), MoveProfile(warp=3), "water at (0, 2) cannot be entered"),
    ((0, 0), (0, 4), NO_LADDERS, "the ladder from (0, 0) to (0, 4) cannot be used"),
    ((0, 3), (0, 0), MoveProfile(), "the chute leads from (0, 0) to (0, 3) only"),
    ((0, 0), (0, 2), MoveProfile(), "water at (0, 2) cannot be entered"),
    ((0, 3), (0, 3), MoveProfile(warp=3), "(0, 3) and (0, 3) are not neighbors"),
)
def test_what_is_no_walk_is_explained_by_its_own_rule(start, end, profile, reason):
    answer = Navigation(linked()).explain_step(start, end, profile)
    assert (answer.legal, answer.reason) == (False, reason)


@table(
    "cost rules dearest",
    (20, {"diagonal": "always", "diagonal_cost": 2}, 40 + 2),
    (126, {"diagonal": "always", "diagonal_cost": 2}, 252 + 2),
    (251, {}, 251 + 2),
    (252, {}, 252 + 2),
    (200, {"climb_cost": 20, "max_climb": 3}, 200 + 60),
    (240, {"climb_cost": 0, "drop_cost": 3, "max_drop": 4}, 240 + 12),
    (2.5, {}, 2.5 + 2),
    (100.3, {"climb_cost": 0.1}, 100.3 + 0.2),
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


@table(
    "kind_cost costs",
    ({"#liquid": 2}, "023"),
    ({"#liquid": 2, "#lava": 4}, "045"),
    ({"#liquid": 2, "#lava": None}, "0.."),
    ({"#liquid": 2, "#lava": 4, "lava": 1}, "012"),
    ({"#liquid": 1, "lava": None}, "0.."),
)
def test_a_name_counts_before_tags_and_of_tags_the_dearest(kind_cost, costs):
    assert reached(land("000", "glg"), MoveProfile(kind_cost=kind_cost)) == costs


@pytest.mark.parametrize(
    ("profile", "costs"), [(WALKER, "02..."), (SWIMMER, "012.."), (FLOAT, "01234")]
)
def test_who_wades_who_swims_and_who_floats(profile, costs):
    assert reached(land("00000", "gwdlg"), profile) == costs


def test_a_flyer_passes_over_anything_but_stops_on_ground_alone():
    ravine = land("0#900", "g#gdg")
    assert reached(ravine, FLYER) == "0.2.4"
    assert best_path(ravine, FLYER, (0, 0), (0, 4)) == ("01234", 4)
    assert best_path(ravine, FLYER, (0, 0), (0, 1)) == "(0, 1) is void"
    assert best_path(ravine, FLYER, (0, 0), (0, 3)) == "deep at (0, 3) cannot be entered"


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_who_is_big_needs_square_tiles(topology):
    navigation = Navigation(TileMap.from_text("000\n000", topology=topology))
    with pytest.raises(ValueError, match=f"size 2 needs square tiles, this map is '{topology}'"):
        navigation.find_path((0, 0), (1, 2), MoveProfile(size=2))
    assert navigation.find_path((0, 0), (1, 2), MoveProfile(size=1))


@table(
    "levels kinds goal reason",
    ("000\n000", "ggg\nggb", (0, 1), "cannot stop on bog at (1, 2)"),
    ("000\n000", "ggg\nggd", (0, 1), "deep at (1, 2) cannot be entered"),
    ("000\n00#", "ggg\ngg#", (0, 1), "(1, 2) is void"),
    ("000\n001", "ggg\nggg", (0, 1), "2 x 2 tiles do not fit at (0, 1)"),
    ("000\n000", "ggg\nggg", (0, 2), "2 x 2 tiles do not fit at (0, 2)"),
    ("00\n0#", "gg\ng#", (0, 0), "the start: (1, 1) is void"),
    ("#0\n00", "#g\ngg", (0, 0), "the start (0, 0) is void"),
)
def test_what_forbids_is_named_with_the_tile_that_it_lies_under(levels, kinds, goal, reason):
    signs = {"g": "grass", "b": "bog", "s": "swamp", "d": "deep", "#": "void"}
    bog = TileKind("bog", 2, can_stop=False)
    table = (TileKind("grass"), bog, TileKind("swamp", 3), TileKind("deep", None))
    ground = land(levels, kinds, table, signs)
    assert best_path(ground, MoveProfile(size=2), (0, 0), goal) == reason


def test_lines_of_sight_pass_walls():
    tilemap = spanned("101", ([(0, 2)], 3))
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1))
        edit.add_wall((0, 1), (0, 2, 1))
    assert Navigation(tilemap).line_of_sight((0, 0), (0, 2, 1))
