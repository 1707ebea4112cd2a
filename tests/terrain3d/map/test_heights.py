"""Heights become levels by stated rules: areas are averaged, and cut into levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from terrain3d import MapFileError, TileMap
from terrain3d.map.heights import resample

NAN = np.nan
sides = st.integers(1, 7)
grids = arrays.arrays(
    float,
    st.tuples(sides, sides),
    elements=st.integers(-500, 9000).map(float) | st.just(NAN),
)


def levels(rows, **rules):
    """Return the levels as a text picture."""
    return TileMap.from_heights(np.array(rows, float), **rules).to_text().splitlines()


@given(grids, sides, sides)
def test_a_cell_of_another_size_is_the_mean_of_what_it_covers(grid, rows, cols):
    n, m = grid.shape
    fine = np.repeat(np.repeat(grid, rows, axis=0), cols, axis=1).reshape(rows, n, cols, m)
    share = (~np.isnan(fine)).mean(axis=(1, 3))
    got = resample(grid, rows, cols)
    assert np.array_equal(np.isnan(got), share < 0.5)
    there = ~np.isnan(got)
    sums = np.nansum(fine, axis=(1, 3)) / np.maximum(share, 1e-9) / (n * m)
    assert got[there] == pytest.approx(sums[there])


@given(st.integers(-9000, 9000), sides, sides, sides, sides)
def test_level_ground_stays_exactly_level(height, n, m, rows, cols):
    assert (resample(np.full((n, m), height / 2), rows, cols) == height / 2).all()


def test_linear_levels_are_equal_parts_of_the_span():
    assert levels([[100, 119, 120, 140, 160, 180, 200]], levels=5) == ["0012344"]


def test_the_default_is_nine_linear_levels():
    assert levels([[0, 100, 200, 300, 400, 500, 600, 700, 800, 899, 900]]) == ["01234567888"]


def test_equal_heights_share_an_even_level():
    assert levels([[5, 5, 5, 5, 6, 7]], levels=3, spread="even") == ["000022"]


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40, unique=True), st.integers(1, 12))
def test_even_levels_differ_by_at_most_one_tile(heights, count):
    level = TileMap.from_heights([heights], levels=count, spread="even").level.ravel()
    sizes = np.bincount(level, minlength=count)
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(level[np.argsort(heights)]) >= 0).all()


def test_where_there_is_no_height_is_void():
    assert levels([[NAN, 0, 8], [NAN, NAN, 4]]) == ["#08", "##4"]
    assert levels([[NAN, NAN]]) == ["##"]
    assert levels([[NAN, 40, 80, 80], [NAN, NAN, 80, 80]], size=(1, 2), levels=2) == ["#0"]


def test_ground_is_chosen_by_height():
    tilemap = TileMap.from_heights([[0] * 50 + [100] * 50])
    assert {tilemap.kind_at((0, col)).name for col in range(50)} == {"sand", "grass"}
    assert {tilemap.kind_at((0, col)).name for col in range(50, 100)} == {"rock", "snow"}


@pytest.mark.parametrize("count", [4, 9])
def test_snow_lies_on_the_highest_level_only_and_sand_on_the_lower_fifth(count):
    tilemap = TileMap.from_heights(np.arange(900).reshape(30, 30), levels=count)
    level = {name: set() for name in ("snow", "sand", "rock", "grass", "dirt")}
    for cell in np.ndindex(30, 30):
        level[tilemap.kind_at(cell).name].add(tilemap.level_at(cell))
    assert level["snow"] == {count - 1}
    assert max(level["sand"]) < 0.2 * (count - 1)
    assert min(level["rock"]) >= 0.7 * (count - 1)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"levels": 32769}, "got 32769"),
        ({"size": (8193, 8192)}, "at most 67108864 tiles, got 8193 x 8192"),
        ({"size": (0, 5)}, "at least 1 row and 1 column, got size"),
        ({"step_height": 0}, r"step_height must be in 0\.01\.\.100, got 0"),
        ({"step": 5, "levels": 3}, "cannot be combined with levels"),
        ({"step": 5, "spread": "even"}, "cannot be combined with levels"),
    ],
)
def test_rules_that_are_none_are_refused(rules, says):
    with pytest.raises((TypeError, ValueError), match=says):
        TileMap.from_heights([[0]], **rules)


@pytest.mark.parametrize(
    ("rows", "rules", "says"),
    [
        ([[0, np.inf]], {}, r"heights must be in -1e\+12..1e\+12, got inf at \(0, 1\)"),
        ([[0, 1], [-2e12, 0]], {}, r"got -2e\+12 at \(1, 0\)"),
        (
            [[0.0, 1e9]],
            {"step": 1e-3},
            "makes levels above 32767: write a larger step, such as 6.1e.04,",
        ),
        ([[0, 99]], {"step": 5e-324}, "makes levels above 32767"),
    ],
)
def test_heights_that_make_no_map_are_refused(rows, rules, says):
    with pytest.raises((TypeError, ValueError), match=says) as raised:
        TileMap.from_heights(rows, **rules)
    assert not isinstance(raised.value, MapFileError)


@given(grids, st.sampled_from([0.25, 0.5, 1.0, 3.0]))
def test_a_step_is_the_height_of_a_level_above_the_lowest(grid, step):
    heights = grid / 8
    tilemap = TileMap.from_heights(heights, step=step)
    there = ~np.isnan(heights)
    assert np.array_equal(tilemap.void, ~there)
    lowest = heights[there].min(initial=np.inf)
    assert (tilemap.level[there] == (heights[there] - lowest) // step).all()


def test_masked_numbers_are_void():
    heights = np.ma.masked_equal([[1, 5], [-9999, 9]], -9999)
    tilemap = TileMap.from_heights(heights, step=1.0)
    assert tilemap.void.tolist() == [[False, False], [True, False]]
    assert tilemap.level.tolist() == [[0, 4], [0, 8]]
    assert not TileMap.from_heights(np.ma.masked_equal(heights.data, 7)).void.any()
    with pytest.raises(ValueError, match="level must not be masked"):
        TileMap(heights)


def test_a_map_of_heights_has_the_size_and_the_layout_that_are_asked_for():
    assert TileMap.from_heights(np.zeros((8, 6)), size=(4, 3)).level.shape == (4, 3)
    hexagons = TileMap.from_heights([[0, 1]], topology="hex_odd_r", step_height=0.25)
    assert (hexagons.topology, hexagons.step_height) == ("hex_odd_r", 0.25)


def test_the_constructor_names_the_call_for_heights():
    with pytest.raises(TypeError, match=r"got float64; .*TileMap\.from_heights"):
        TileMap(np.zeros((2, 2)))


@given(grids, st.integers(1, 12), st.sampled_from(["linear", "even"]))
def test_levels_increase_with_height_and_start_at_0(grid, count, spread):
    got = TileMap.from_heights(grid, levels=count, spread=spread)
    there = ~np.isnan(grid)
    heights, level = grid[there], got.level[there].astype(int)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(level[order]) >= 0).all()
    assert not len(level) or (level.min(), level.max() < count) == (0, True)
    assert np.array_equal(got.void, ~there)
