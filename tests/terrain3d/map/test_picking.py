"""Picking: the tile a ray meets first, checked against every column's box one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TileMap

EDGE = 1e-7  # boxes this much larger or smaller separate a clear hit from a touch


def box_entry(tilemap, row, col, origin, direction, grow):
    """How far along the ray it enters one column's box; inf beside it."""
    top = tilemap.level_at((row, col)) * tilemap.step_height
    low = (col - grow, -(row + 1) - grow, tilemap.base_z - grow)
    high = (col + 1 + grow, -row + grow, top + grow)
    enter, leave = 0.0, math.inf
    for start, slope, near, far in zip(origin, direction, low, high, strict=True):
        if slope == 0:
            if not near <= start <= far:
                return math.inf
        else:
            ends = sorted(((near - start) / slope, (far - start) / slope))
            enter, leave = max(enter, ends[0]), min(leave, ends[1])
    return enter if enter <= leave else math.inf


def entries(tilemap, origin, direction, grow):
    return {
        (row, col): box_entry(tilemap, row, col, origin, direction, grow)
        for row, col in np.ndindex(tilemap.rows, tilemap.cols)
        if not tilemap.is_void((row, col))
    }


def assert_meets_the_nearest_box(tilemap, origin, direction):
    length = math.hypot(*direction)
    unit = [part / length for part in direction]
    sure = min(entries(tilemap, origin, unit, -EDGE).values(), default=math.inf)
    cell = tilemap.pick(origin, direction)
    if cell is None:
        assert sure == math.inf
    else:
        touched = entries(tilemap, origin, unit, EDGE)
        assert touched[cell[:2]] < math.inf
        assert touched[cell[:2]] <= sure


@st.composite
def tilemaps(draw):
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    line = st.text("0000123459##", min_size=cols, max_size=cols)
    picture = draw(st.lists(line, min_size=rows, max_size=rows))
    return TileMap.from_text("\n".join(picture), step_height=draw(st.sampled_from([0.5, 0.3])))


# Halves put rays exactly on borders, on corners and on tops.
places = st.integers(-6, 16).map(lambda n: n / 2) | st.floats(-3, 9)
slopes = st.integers(-2, 2) | st.floats(-1, 1).filter(lambda part: abs(part) > 1e-3)
origins = st.tuples(places, places.map(lambda part: -part), places)
directions = st.tuples(slopes, slopes, slopes).filter(any)


@given(tilemaps(), origins, directions)
def test_any_ray_meets_the_nearest_box(tilemap, origin, direction):
    assert_meets_the_nearest_box(tilemap, origin, direction)


@given(tilemaps(), st.data())
def test_a_ray_aimed_at_the_map_hits_the_nearest_box(tilemap, data):
    origin = data.draw(origins)
    aim = data.draw(
        st.tuples(st.floats(0, tilemap.cols), st.floats(-tilemap.rows, 0), st.floats(-1, 4))
    )
    direction = tuple(a - b for a, b in zip(aim, origin, strict=True))
    if math.hypot(*direction) > 1e-3:
        assert_meets_the_nearest_box(tilemap, origin, direction)


@given(tilemaps(), st.tuples(slopes, slopes, st.floats(-5, -0.05)), st.floats(0.1, 50))
def test_the_center_of_a_top_is_picked_from_wherever_it_is_seen(tilemap, direction, distance):
    for row, col in np.ndindex(tilemap.rows, tilemap.cols):
        point = tilemap.surface_point((row, col))
        origin = [at - distance * slope for at, slope in zip(point, direction, strict=True)]
        touched = entries(tilemap, origin, direction, EDGE)
        own = touched.pop((row, col), math.inf)
        if own < min(touched.values(), default=math.inf):
            assert tilemap.pick(origin, direction) == (row, col, 0)


@given(tilemaps())
def test_straight_down_is_the_tile_below(tilemap):
    for row, col in np.ndindex(tilemap.rows, tilemap.cols):
        x, y, _ = tilemap.surface_point((row, col))
        found = tilemap.pick((x, y, 99), (0, 0, -1))
        assert found == (None if tilemap.is_void((row, col)) else (row, col, 0))


@pytest.mark.parametrize(
    ("origin", "direction", "found"),
    [
        ((-5, -0.5, 0.6), (1, 0, 0), (0, 2)),  # eastward above the low tiles, into the side
        ((9, -0.5, 0.6), (-1, 0, 0), (0, 2)),
        ((2.5, 5, 0.9), (0, -1, 0), (0, 2)),
        ((0.5, 5, 0.4), (0, -1, 0), (1, 0)),
        ((-5, -0.5, 1.6), (1, 0, 0), None),  # over the highest top
        ((-5, -0.5, -1.1), (1, 0, 0), None),  # under the base
        ((-5, 0.1, -0.5), (1, 0, 0), None),  # beside the map
        ((-5, -0.5, 9), (-1, 0, -1), None),  # away from it
        ((0.5, -0.5, 9), (0, 0, 1), None),
        ((2.5, -0.5, -9), (0, 0, 1), (0, 2)),  # from below
        ((1.5, -1.5, 9), (0, 0, -1), None),  # through a void tile
        ((0.5, -1.5, 0.75), (1, 0, -0.25), (1, 2)),  # from between the tiles, across the void
        ((2.5, -0.5, 1.0), (1, 0, 0), (0, 2)),  # from inside a column
        ((0.5, -0.5, 0.2), (0, 0, -1), (0, 0)),  # from closely above a top
        ((1.0, -0.5, 9), (0, 0, -1), (0, 1)),  # down a border: the tile east of it
        ((0.5, -1.0, 9), (0, 0, -1), (1, 0)),  # down a border: the tile south of it
    ],
)
def test_rays_of_every_sort(origin, direction, found):
    tilemap = TileMap.from_text("003\n1#2")
    assert tilemap.pick(origin, direction) == (None if found is None else (*found, 0))


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e3, 1e300])
def test_the_length_of_the_direction_does_not_matter(scale):
    tilemap = TileMap.from_text("003\n1#2")
    assert tilemap.pick((-5, -0.5, 6.1), (scale, 0, -scale)) == (0, 1, 0)


def test_rays_and_cells_may_be_arrays():
    assert TileMap.from_text("0").pick(np.array([0.5, -0.5, 9]), np.array([0, 0, -1])) == (0, 0, 0)


def test_a_pick_follows_edits():
    tilemap = TileMap.from_text("000")
    ray = (-5, -0.5, 1.2), (1, 0, 0)
    assert tilemap.pick(*ray) is None
    with tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    assert tilemap.pick(*ray) == (0, 1, 0)
    tilemap.undo()
    assert tilemap.pick(*ray) is None


@pytest.mark.parametrize("away", [1e9, 1e20, 1e300, 1.7e308])
def test_a_ray_from_very_far_is_answered(away):
    tilemap = TileMap.from_text("00\n00")
    assert tilemap.pick((0.5, -0.5, away), (0, 0, -1)) == (0, 0, 0)
    assert tilemap.pick((away, -away, away), (1, -1, 1)) is None
    tilemap.pick((away, -away, away), (-1, 1, -1))


def test_a_direction_without_length_is_refused():
    with pytest.raises(ValueError, match=r"direction needs a finite length > 0, got \(0, 0"):
        TileMap.from_text("0").pick((0, 0, 1), (0, 0, 0))
