"""Tests of quality levels: lookup, limits, and less work from level to level."""

from dataclasses import replace

import pytest

from terrain3d.look.settings import HIGH, LOW, MEDIUM, QUALITIES, quality_of


def test_qualities_are_found_by_name():
    assert list(QUALITIES) == ["high", "medium", "low"]
    for name, quality in QUALITIES.items():
        assert quality.name == name
        assert quality_of(name) is quality_of(quality) is quality


def test_each_level_is_less_work_than_the_level_before():
    for more, less in ((HIGH, MEDIUM), (MEDIUM, LOW)):
        assert more.shadow_size > less.shadow_size
        assert more.samples > less.samples
        assert more.has_ground_cover >= less.has_ground_cover


def test_an_unknown_quality_raises_an_error_with_the_choices():
    with pytest.raises(ValueError, match="one of high, medium, low, got 'best'"):
        quality_of("best")
    with pytest.raises(TypeError, match="got 3"):
        quality_of(3)


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("shadow_size", 0, r"shadow_size must be in 64\.\.8192, got 0"),
        ("shadow_size", 10_000, r"64\.\.8192, got 10000"),
        ("samples", -1, r"samples must be in 0\.\.16, got -1"),
    ],
)
def test_numbers_have_limits(what, value, words):
    with pytest.raises(ValueError, match=words):
        replace(HIGH, **{what: value})


def test_numbers_must_be_integers():
    with pytest.raises(TypeError, match="samples must be a whole number"):
        replace(HIGH, samples=2.5)
