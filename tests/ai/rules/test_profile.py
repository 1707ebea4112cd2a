"""Movement profiles: values are checked when made, and profiles are compared, hashed and copied."""

import copy
import dataclasses
import math
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from terrain3d import TileKind, TileMap
from terrain3d.core.checks import MAX_COST, MIN_COST
from tests.support.reference import ground, profiles
from tests.support.selection import table

LIMITS = [(name, value) for name in ("max_climb", "max_drop") for value in (-1, 32768, 10**30)]
WRONG = [-1, math.nan, math.inf, MAX_COST + 1, 1e300]
PRICES = [(name, value) for name in ("climb_cost", "drop_cost") for value in (*WRONG, -0.001)]
COSTS = [("diagonal_cost", value) for value in (*WRONG, 0, -0.0, 1e-7)]
LIMITS_OF = {"max_": "0..32767 levels", "diag": "1e-06..1000000"}


@pytest.mark.parametrize(("name", "value"), LIMITS + PRICES + COSTS)
def test_a_number_out_of_its_range_is_refused_with_the_range(name, value):
    limits = LIMITS_OF.get(name[:4], "0..1000000")
    with pytest.raises(ValueError, match=re.escape(f"{name} must be in {limits}, got {value!r}")):
        MoveProfile(**{name: value})


@pytest.mark.parametrize("name", ["kind_cost", "link_cost"])
def test_a_price_in_a_table_is_refused_with_its_name(name):
    limits = re.escape("must be in 1e-06..1000000, got 0")
    with pytest.raises(ValueError, match=rf"^{name}\['swamp'\] {limits}$"):
        MoveProfile(**{name: {"grass": 1, "swamp": 0}})


@pytest.mark.parametrize("price", [1, None])
def test_void_has_no_price(price):
    with pytest.raises(ValueError, match="cannot price 'void'"):
        MoveProfile(kind_cost={"void": price})


def test_the_bounds_themselves_are_allowed_and_the_classic_rule_is_a_profile_like_any_other():
    MoveProfile(0, 0, 0, 0, {"grass": MIN_COST}, diagonal_cost=MIN_COST)
    MoveProfile(32767, 32767, MAX_COST, MAX_COST, {"grass": MAX_COST, "swamp": None})
    assert MoveProfile.classic() == MoveProfile(2, 2, 1, 0)
    assert MoveProfile.classic(uphill=10) == MoveProfile(2, 2, 10, 0)


@given(profiles, profiles, st.integers(0, 9))
def test_profiles_of_equal_values_are_equal_and_copies_have_them(profile, other, climb):
    names = [field.name for field in dataclasses.fields(MoveProfile)]
    is_same = all(getattr(profile, name) == getattr(other, name) for name in names)
    assert (profile == other) == is_same
    for twin in (
        pickle.loads(pickle.dumps(profile)),
        copy.copy(profile),
        copy.deepcopy(profile),
        dataclasses.replace(profile),
    ):
        assert twin == profile
        assert hash(twin) == hash(profile)
    changed = dataclasses.replace(profile, max_climb=climb)
    assert (changed == profile) == (climb == profile.max_climb)
    assert changed.kind_cost == profile.kind_cost


def test_nothing_about_a_profile_can_be_changed():
    table = {"swamp": 3}
    profile = MoveProfile(kind_cost=table)
    table["swamp"] = 9
    assert profile.kind_cost == {"swamp": 3}
    with pytest.raises(TypeError):
        profile.kind_cost["swamp"] = 9
    with pytest.raises(dataclasses.FrozenInstanceError):
        profile.max_climb = 3


@table(
    "field value name",
    ("kind_cost", {"swmap": 3}, "swmap"),
    ("kind_cost", {"grass": 1, "#liqiud": None}, "#liqiud"),
    ("no_stop", ["swamp", "mire"], "mire"),
)
def test_a_query_refuses_kinds_that_neither_the_map_nor_the_library_knows(field, value, name):
    navigation, profile = Navigation(ground("00")), MoveProfile(**{field: value})
    message = f"{field} has {name!r}, which is no kind or tag of this map; its kinds are ['grass',"
    for ask in (navigation.reach, navigation.find_path):
        with pytest.raises(ValueError, match=re.escape(message)):
            ask((0, 0), (0, 1) if ask == navigation.find_path else 3, profile)
    assert navigation.find_path((0, 0), (0, 1)).cost == 1


def test_one_profile_serves_maps_with_other_kinds():
    known = MoveProfile(kind_cost={"ice": 4, "#liquid": None, "lava": 2}, no_stop=["snow", "#lava"])
    common = MoveProfile(kind_cost={"swamp": 3, "water": None, "tree": None})  # as in many files
    assert Navigation(ground("00")).find_path((0, 0), (0, 1), common).cost == 1
    own = TileKind("moss", cost=2, tags={"soft"})
    soft = MoveProfile(kind_cost={"#soft": 1, "moss": 3})
    assert Navigation(ground("00")).find_path((0, 0), (0, 1), known).cost == 1
    assert Navigation(TileMap([[0, 0]], kinds=[own])).find_path((0, 0), (0, 1), soft).cost == 3


def test_a_profile_shows_what_differs_from_the_defaults_and_can_be_written_again():
    assert repr(MoveProfile()) == "MoveProfile()"
    profile = MoveProfile(max_climb=3, kind_cost={"swamp": 2.5}, no_stop={"bridge"}, warp=2)
    assert eval(repr(profile)) == profile
    assert repr(MoveProfile(3)) == "MoveProfile(max_climb=3)"
