"""A picture that is asked for: words become a view, and what is not said is the scene's own."""

import argparse
import math
from dataclasses import FrozenInstanceError

import pytest

from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.program.options import NEAR_DISTANCE, ScreenshotOptions

WHOLE = OrbitView(38.0, 30.0, 60.0, (2.0, -1.5, 0.0))
MAP = TileMap.from_text("0120\n0340\n0000")


def asked(*words):
    parser = argparse.ArgumentParser()
    ScreenshotOptions.add_arguments(parser)
    return ScreenshotOptions.from_options(parser.parse_args(words))


def test_no_words_ask_for_what_the_scene_chooses():
    assert (
        asked() == ScreenshotOptions() == ScreenshotOptions.from_options(argparse.Namespace(seed=7))
    )
    assert ScreenshotOptions().view(WHOLE, MAP) == WHOLE


def test_options_are_immutable():
    with pytest.raises(FrozenInstanceError):
        ScreenshotOptions().unit = "Mira"


def test_all_words_are_heard():
    shot = asked(
        *("--heading", "130", "--pitch", "22.5", "--distance", "9", "--at", "1,2"),
        *("--unit", "Mira", "--to", "0,3", "--overlay", "costs", "--no-hud"),
        *("--lead", "Bram=chase", "--lead", "Odo=flee", "--after", "2.5"),
    )
    led = [("Bram", "chase"), ("Odo", "flee")]
    expected = ScreenshotOptions(
        130, 22.5, 9, (1, 2), "Mira", None, (0, 3), led, 2.5, "costs", no_hud=True
    )
    assert shot == expected


def test_a_squad_is_heard():
    assert asked("--squad", "Mira,Tove", "--to", "0,3") == ScreenshotOptions(
        squad=("Mira", "Tove"), to=(0, 3)
    )


def test_a_squad_has_one_order():
    with pytest.raises(ValueError, match="--squad needs --to"):
        asked("--squad", "Mira,Tove")
    with pytest.raises(ValueError, match="--squad and --unit"):
        asked("--squad", "Mira,Tove", "--to", "0,3", "--unit", "Odo")


@pytest.mark.parametrize("words", ["", "Mira,", ",Tove"])
def test_each_of_a_squad_has_a_name(words, capsys):
    with pytest.raises(SystemExit):
        asked("--squad", words)
    assert "must be NAME,NAME, like Mira,Tove" in capsys.readouterr().err


@pytest.mark.parametrize("after", [-1.0, 1e9, math.nan])
def test_infinite_and_negative_times_are_refused(after):
    with pytest.raises(ValueError, match="after"):
        ScreenshotOptions(after=after)


@pytest.mark.parametrize("words", ["Bram", "Bram=", "=chase"])
def test_lead_needs_a_name_and_a_behavior(words, capsys):
    with pytest.raises(SystemExit):
        asked("--lead", words)
    assert "must be NAME=VALUE, like Bram=chase" in capsys.readouterr().err


def test_a_tile_is_looked_at_from_near_by():
    view = ScreenshotOptions(at=(1, 2)).view(WHOLE, MAP)
    assert view == OrbitView(38.0, 30.0, NEAR_DISTANCE, MAP.surface_point((1, 2)))
    small = OrbitView(38.0, 30.0, 5.0, (2.0, -1.5, 0.0))
    assert ScreenshotOptions(at=(1, 2)).view(small, MAP).distance == 5.0


def test_a_distance_holds_with_and_without_a_tile():
    assert ScreenshotOptions(distance=9.0).view(WHOLE, MAP) == OrbitView(
        38.0, 30.0, 9.0, WHOLE.target
    )
    assert ScreenshotOptions(distance=9.0, at=(0, 0)).view(WHOLE, MAP).distance == 9.0


@pytest.mark.parametrize("distance", [0.0, -1.0, math.nan, math.inf])
def test_a_distance_that_is_none_is_refused(distance):
    with pytest.raises(ValueError, match=r"distance|finite"):
        ScreenshotOptions(distance=distance).view(WHOLE, MAP)


def test_a_tile_beyond_the_map_is_refused():
    with pytest.raises(IndexError, match="outside the map"):
        ScreenshotOptions(at=(3, 0)).view(WHOLE, MAP)
