"""Tests of lighting presets: lookup, interpolation and lights for fixed-function renderers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.lighting_presets import (
    DUSK,
    MOODS,
    NIGHT,
    NOON,
    SKY_STOPS_DEG,
    lamps_of,
    mood_of,
)


def test_moods_are_found_by_name():
    assert list(MOODS) == ["noon", "dusk", "night"]
    for name, mood in MOODS.items():
        assert mood.name == name
        assert mood_of(name) is mood_of(mood) is mood


def test_a_mood_needs_a_sun_above_the_ground_and_a_color_for_each_stop():
    with pytest.raises(ValueError, match="above the ground, got"):
        replace(NOON, sun=(1.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="needs 8 colors, got 7"):
        replace(NOON, sky=NOON.sky[1:])


def numbers(mood):
    lights = mood.sun_color, mood.sky_light, mood.ground_light, mood.rim_light, mood.fade_color
    return np.array([mood.sun, *lights, *mood.sky, (mood.stars,) * 3])


@given(st.sampled_from([NOON, DUSK, NIGHT]), st.sampled_from([NOON, DUSK, NIGHT]), st.floats(0, 1))
def test_a_mixed_mood_lies_between(first, other, part):
    mixed = numbers(first.mixed(other, part))
    np.testing.assert_allclose(
        mixed, (1 - part) * numbers(first) + part * numbers(other), atol=1e-9
    )


@pytest.mark.parametrize("mood", MOODS.values())
def test_lamps_light_white_that_faces_the_sun_as_the_mood_does(mood):
    sun, around = map(np.array, lamps_of(mood))
    light = np.square(around)
    assert min(sun.min(), around.min()) >= 0.0
    ends = np.sort([mood.sky_light, mood.ground_light], axis=0)
    assert (ends[0] <= light + 1e-9).all()
    assert (light <= ends[1] + 1e-9).all()
    np.testing.assert_allclose(np.square(sun + around), np.array(mood.sun_color) + light)


def test_every_mood_keeps_lit_ground_bright_enough_to_play_on():
    for mood in MOODS.values():
        up = np.array(mood.sun) / np.linalg.norm(mood.sun)
        light = np.array(mood.sun_color) * up[2] + mood.sky_light
        assert np.sqrt(light).max() > 0.55


@pytest.mark.parametrize("mood", MOODS.values())
def test_colors_of_a_mood_stay_within_their_documented_limits(mood):
    lights = np.array(
        [mood.sun_color, mood.sky_light, mood.ground_light, mood.rim_light, mood.fade_color]
    )
    sky = np.array(mood.sky)
    assert 0.0 < lights.min() <= lights.max() < 1.5
    assert 0.0 < sky.min() <= sky.max() < 1.0
    assert 0.0 <= mood.stars <= 1.0
    assert np.abs(np.diff(sky, axis=0)).max() < 0.4  # a gradient, no bands


@pytest.mark.parametrize("mood", MOODS.values())
def test_a_flat_mirror_shows_the_color_of_the_sky_above_the_horizon(mood):
    shown = np.sqrt(mood.mirrored)  # colors of light are linear; the square root is displayed
    np.testing.assert_allclose(shown, mood.sky[SKY_STOPS_DEG.index(14.0)])


def test_the_sky_is_given_from_straight_down_to_straight_up():
    assert (SKY_STOPS_DEG[0], SKY_STOPS_DEG[-1]) == (-90.0, 90.0)
    assert (np.diff(SKY_STOPS_DEG) > 0.0).all()


def test_the_sun_is_warm_by_day_and_the_moon_cold_and_the_sky_colder_than_the_ground():
    for mood in (NOON, DUSK):
        red, green, blue = mood.sun_color
        assert red > green > blue
    assert NIGHT.sun_color[0] < NIGHT.sun_color[1] < NIGHT.sun_color[2]
    for mood in MOODS.values():
        above, below = (light[2] / light[0] for light in (mood.sky_light, mood.ground_light))
        assert above > 1.0
        assert above > below
