"""Palettes that color-blind players can tell apart, and presets of light."""

import itertools

import numpy as np
import pytest

from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.palettes import MARKS, PALETTES, Palette
from terrain3d.mesh.figures import team_color
from tests.support.looks import VISION, linear_as_seen

# sRGB to XYZ and its white, IEC 61966-2-1.
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
CLEARLY_APART = 30.0
"""In CIE 1976 units; a difference of about 2.3 is just noticeable."""
APART = 15.0


def seen(color, vision):
    """Return a color in CIE 1976 L*a*b* as seen with this vision."""
    light = TO_XYZ @ linear_as_seen(np.array(color), vision) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(light > 216 / 24389, np.cbrt(light), (24389 / 27 * light + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def nearest(colors, vision):
    """Return the least distance of any two of the named colors, and their names."""
    pairs = itertools.combinations(colors.items(), 2)
    return min(
        (float(np.linalg.norm(seen(a, vision) - seen(b, vision))), name, other)
        for (name, a), (other, b) in pairs
    )


def test_the_measure_detects_similar_colors():
    assert nearest({"red": (0.6, 0.3, 0.1), "green": (0.4, 0.42, 0.1)}, "deuteranopia")[0] < 12
    assert nearest({"red": (0.6, 0.3, 0.1), "green": (0.4, 0.42, 0.1)}, "usual")[0] > 30
    assert 99 < nearest({"black": (0, 0, 0), "white": (1, 1, 1)}, "usual")[0] < 101


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.name)
@pytest.mark.parametrize("vision", VISION)
def test_marks_are_distinguishable(palette, vision):
    least = APART if vision == "tritanopia" else CLEARLY_APART
    assert nearest({name: getattr(palette, name) for name in MARKS}, vision) > (least,)


@pytest.mark.parametrize("palette", list(PALETTES.values())[1:], ids=lambda palette: palette.name)
@pytest.mark.parametrize("vision", VISION)
def test_teams_are_distinguishable(palette, vision):
    assert nearest(dict(palette.teams), vision) > (APART,)
    least = APART if vision == "tritanopia" else CLEARLY_APART
    four = {team: palette.teams[team] for team in ("blue", "red", "green", "yellow")}
    assert nearest(four, vision) > (least,)


def test_a_team_without_an_entry_has_its_default_color():
    for palette in PALETTES.values():
        assert palette.of_team("the third army") == team_color("the third army")
        assert palette.of_team("blue") == palette.teams["blue"]


def test_a_palette_is_immutable_and_accepts_colors_only():
    palette = next(iter(PALETTES.values()))
    with pytest.raises(TypeError):
        palette.teams["blue"] = (0, 0, 0)
    with pytest.raises(ValueError, match=r"path of .odd. must be in 0..1, got 2"):
        Palette("odd", (0, 0, 0), (2, 0, 0), *[(0, 0, 0)] * 4, {})


def test_every_mood_has_colors_of_light_and_keeps_lit_ground_bright_enough_to_play_on():
    for mood in MOODS.values():
        lights = mood.sun_color, mood.sky_light, mood.ground_light, mood.rim_light, mood.fade_color
        assert 0.0 < np.min(lights) <= np.max(lights) < 1.5
        assert 0.0 < np.min(mood.sky) <= np.max(mood.sky) < 1.0
        up = np.array(mood.sun) / np.linalg.norm(mood.sun)
        light = np.array(mood.sun_color) * up[2] + mood.sky_light
        assert np.sqrt(light).max() > 0.55
