"""The abilities of each preset mover, as pictures."""

import pytest

from ai import MoveProfile
from ai.movers import FLOAT, FLYER, SWIMMER, WARP
from tests.support.mover_pictures import WALKER, land, path_of, reached

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
    assert path_of(ravine, FLYER, (0, 0), (0, 4)) == ("01234", 4)
    assert path_of(ravine, FLYER, (0, 0), (0, 1)) == "(0, 1) is void"
    assert path_of(ravine, FLYER, (0, 0), (0, 3)) == "deep at (0, 3) cannot be entered"


def test_a_warp_goes_through_everything_within_its_range():
    cut_off = land("0#9\n##0", "g#g\n##d")
    assert reached(cut_off, MoveProfile(warp=2)) == "0.2\n..."
    assert reached(cut_off, MoveProfile(warp=1)) == "0..\n..."
    assert reached(land("0#####0"), WARP) == "0......"


# Blockers.
