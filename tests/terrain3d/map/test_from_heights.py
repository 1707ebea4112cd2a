"""Maps made of arrays of heights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from terrain3d import MapFileError, TileMap

HEIGHTS = arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    elements=st.integers(-80, 80).map(lambda eighths: eighths / 8) | st.just(math.nan),
)


@given(HEIGHTS, st.sampled_from([0.25, 0.5, 1.0, 3.0]))
def test_a_step_is_the_height_of_a_level_above_the_lowest(heights, step):
    tilemap = TileMap.from_heights(heights, step=step)
    lowest = min((height for height in heights.flat if height == height), default=0)
    for (row, col), height in np.ndenumerate(heights):
        assert (tilemap.kind_at((row, col)).name == "void") == math.isnan(height)
        if not math.isnan(height):
            assert tilemap.level_at((row, col)) == (height - lowest) // step


def test_masked_numbers_are_void():
    heights = np.ma.masked_equal([[1, 5], [-9999, 9]], -9999)
    tilemap = TileMap.from_heights(heights, step=1.0)
    assert tilemap.void.tolist() == [[False, False], [True, False]]
    assert tilemap.level.tolist() == [[0, 4], [0, 8]]
    assert not TileMap.from_heights(np.ma.masked_equal(heights.data, 7)).void.any()
    with pytest.raises(ValueError, match="level must not be masked"):
        TileMap(heights)


def test_linear_levels_stretch_from_the_lowest_height_to_the_highest():
    assert TileMap.from_heights([[0.25, 0.5, 0.75]], levels=4).level.tolist() == [[0, 2, 3]]
    assert TileMap.from_heights([[0.7, 0.7]], levels=4).level.tolist() == [[0, 0]]


def test_without_rules_there_are_nine_levels_and_a_tile_for_each_number():
    tilemap = TileMap.from_heights(np.arange(200.0)[:, None])
    assert tilemap.level.shape == (200, 1)
    assert (tilemap.level.min(), tilemap.level.max()) == (0, 8)
    assert TileMap.from_heights(np.zeros((8, 6)), size=(4, 3)).level.shape == (4, 3)
    hexagons = TileMap.from_heights([[0, 1]], topology="hex_odd_r", step_height=0.25)
    assert (hexagons.topology, hexagons.step_height) == ("hex_odd_r", 0.25)


@pytest.mark.parametrize(
    ("heights", "rules", "problem"),
    [
        (np.array([[1e13]]), {}, "heights must be in -1e.12..1e.12, got 1e.13"),
        ([[1.0, math.inf]], {}, "got inf"),
        (
            [[0.0, 1e9]],
            {"step": 1e-3},
            "makes levels above 32767: write a larger step, such as 6.1e.04,",
        ),
        ([[0.0]], {"size": (8193, 8192)}, "at most 67108864 tiles, got 8193 x 8192"),
        ([[0.0]], {"topology": "hex"}, "topology must be one of"),
        ([[0.0]], {"levels": 3, "step": 1.0}, "step cannot be combined with levels"),
        ([["a"]], {}, "heights must hold numbers"),
        ([[1j]], {}, "heights must hold numbers"),
        ([0.0, 1.0], {}, r"heights must be \(rows, cols\)"),
    ],
)
def test_mistakes_are_named(heights, rules, problem):
    with pytest.raises((TypeError, ValueError), match=problem) as raised:
        TileMap.from_heights(heights, **rules)
    assert not isinstance(raised.value, MapFileError)


def test_the_constructor_names_the_call_for_heights():
    with pytest.raises(TypeError, match=r"got float64; .*TileMap\.from_heights"):
        TileMap(np.zeros((2, 2)))
