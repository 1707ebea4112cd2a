"""Units in the extras of a map: read as data, all or none."""

import math

import pytest

from ai import MoveProfile, Unit, movers
from ai.board.unit import unit_of, units_of
from terrain3d import TileMap


def map_with(*entries):
    tilemap = TileMap.from_text("000\n000")
    tilemap.extras["units"] = [*entries]
    return tilemap


def test_a_map_without_units_has_none():
    assert units_of(TileMap.from_text("000")) == []
    assert units_of(map_with()) == []


def test_an_entry_has_the_parameters_of_a_unit_and_the_name_of_a_mover():
    values = {"team": "red", "move": 3, "speed_tiles_s": 1.5, "heading_deg": 90, "has_zoc": True}
    values |= {"wait": 20, "sight": 4, "stats": {"hp": 12}}
    entry = {"name": "Bram", "cell": [1, 2], "mover": "Heavy-Foot", "color": "gray", **values}
    expected = Unit("Bram", (1, 2), profile=movers.HEAVY_FOOT, **values)
    plain = {"name": "Mira", "cell": [0.0, 1.0, 0.0], "sight": 5.0}  # as JSON may have them
    bram, mira = units_of(map_with(entry, plain))
    assert bram.state == expected.state
    assert mira.state == Unit("Mira", (0, 1), sight=5).state


@pytest.mark.parametrize("name", movers.BY_NAME)
def test_a_mover_keeps_its_own_limits_over_those_of_the_rules(name):
    entry = {"name": "a", "cell": [0, 0], "mover": name}
    assert unit_of(entry).profile == movers.BY_NAME[name]
    assert unit_of(entry, MoveProfile(climb_cost=7)).profile.climb_cost in {
        7,
        movers.BY_NAME[name].climb_cost,
    }


@pytest.mark.parametrize(
    ("wrong", "error", "why"),
    [
        (5, TypeError, "it must be a Mapping, got 5"),
        ({"cell": [0, 0]}, ValueError, "it has no name"),
        ({"name": "b"}, ValueError, "it has no cell"),
        ({"name": 7, "cell": [0, 0]}, TypeError, "a unit's name must be a str, got 7"),
        ({"name": "b", "cell": [0, 9]}, IndexError, "(0, 9) is outside the map"),
        ({"name": "b", "cell": "here"}, TypeError, "a cell is (row, col)"),
        ({"name": "b", "cell": [0, 0], "mover": "troll"}, ValueError, "mover must be one of light"),
        ({"name": "b", "cell": [0, 0], "mover": 3}, TypeError, "mover must be a str, got 3"),
        ({"name": "b", "cell": [0, 0], "move": math.nan}, ValueError, "move must be"),
        ({"name": "b", "cell": [0, 0], "sight": 65}, ValueError, "sight must be in 0..64"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place(wrong, error, why):
    with pytest.raises(error) as caught:
        units_of(map_with({"name": "a", "cell": [0, 0]}, wrong))
    assert str(caught.value).startswith("units[1]: ")
    assert why in str(caught.value)


@pytest.mark.parametrize("wrong", [{"a": 1}, "units", 5, None])
def test_units_that_are_no_list_are_refused(wrong):
    tilemap = TileMap.from_text("000")
    tilemap.extras["units"] = wrong
    with pytest.raises(TypeError, match="units must be a list"):
        units_of(tilemap)
