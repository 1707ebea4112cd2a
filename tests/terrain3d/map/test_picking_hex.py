"""Picking on hexagons: the tile a ray meets first, checked against every prism one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap
from tests.support.reference import center_of

EDGE = 1e-7  # prisms this much larger or smaller separate a clear hit from a touch
LAYOUTS = TOPOLOGIES[1:]


def slabs(tilemap, row, col):
    """The three pairs of edges and the base and top, as (normal, low, high)."""
    x, y = center_of(tilemap.topology, row, col)
    first = 0 if tilemap.topology.endswith("r") else 30
    for angle in (first, first + 60, first + 120):
        nx, ny = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        at = nx * x + ny * y
        yield (nx, ny, 0.0), at - 0.5, at + 0.5
    yield (0.0, 0.0, 1.0), tilemap.base_z, tilemap.level_at((row, col)) * tilemap.step_height


def prism_entry(tilemap, row, col, origin, direction, grow):
    """How far along the ray it enters one prism; inf beside it."""
    enter, leave = 0.0, math.inf
    for normal, low, high in slabs(tilemap, row, col):
        start, slope = np.dot(normal, origin), np.dot(normal, direction)
        low, high = low - grow, high + grow
        if abs(slope) < 1e-15:
            if not low <= start <= high:
                return math.inf
        else:
            ends = sorted(((low - start) / slope, (high - start) / slope))
            enter, leave = max(enter, ends[0]), min(leave, ends[1])
    return enter if enter <= leave else math.inf


def entries(tilemap, origin, direction, grow):
    return {
        (row, col): prism_entry(tilemap, row, col, origin, direction, grow)
        for row, col in np.ndindex(tilemap.rows, tilemap.cols)
        if not tilemap.is_void((row, col))
    }


def assert_meets_the_nearest_prism(tilemap, origin, direction):
    unit = np.array(direction) / math.hypot(*direction)
    sure = min(entries(tilemap, origin, unit, -EDGE).values(), default=math.inf)
    hit = tilemap.cast(origin, direction)
    if hit is None:
        assert sure == math.inf
        return
    touched = entries(tilemap, origin, unit, EDGE)
    assert touched[hit.cell[:2]] < math.inf
    assert touched[hit.cell[:2]] <= sure
    assert hit.distance >= touched[hit.cell[:2]] - 1e-9
    assert hit.distance <= sure + 1e-9


@st.composite
def tilemaps(draw):
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    line = st.text("0000123459##", min_size=cols, max_size=cols)
    picture = draw(st.lists(line, min_size=rows, max_size=rows))
    step_height, layout = draw(st.sampled_from([0.5, 0.3])), draw(st.sampled_from(LAYOUTS))
    return TileMap.from_text("\n".join(picture), step_height=step_height, topology=layout)


# Halves put rays exactly on tops and on borders inside a line.
places = st.integers(-6, 16).map(lambda n: n / 2) | st.floats(-3, 9)
slopes = st.integers(-2, 2) | st.floats(-1, 1).filter(lambda part: abs(part) > 1e-3)
origins = st.tuples(places, places.map(lambda part: -part), places)
directions = st.tuples(slopes, slopes, slopes).filter(any)


@given(tilemaps(), origins, directions)
def test_any_ray_meets_the_nearest_prism(tilemap, origin, direction):
    assert_meets_the_nearest_prism(tilemap, origin, direction)


@given(tilemaps(), st.data())
def test_a_ray_aimed_at_the_map_hits_the_nearest_prism(tilemap, data):
    origin = data.draw(origins)
    x0, y0, x1, y1 = tilemap.extent
    aim = data.draw(st.tuples(st.floats(x0, x1), st.floats(y0, y1), st.floats(-1, 4)))
    direction = tuple(a - b for a, b in zip(aim, origin, strict=True))
    if math.hypot(*direction) > 1e-3:
        assert_meets_the_nearest_prism(tilemap, origin, direction)


@given(tilemaps(), st.data())
def test_a_ray_along_edges_and_through_corners_hits_the_nearest_prism(tilemap, data):
    grid = tilemap.grid
    cell = st.tuples(st.integers(0, grid.rows - 1), st.integers(0, grid.cols - 1))
    corner = cell.flatmap(lambda place: st.sampled_from(grid.corners(place)))
    (x0, y0), (x1, y1) = data.draw(corner), data.draw(corner)
    if math.dist((x0, y0), (x1, y1)) < 0.1:
        return
    back, rise = data.draw(st.sampled_from([0.0, 1.0, 3.0])), data.draw(slopes)
    origin = x0 - back * (x1 - x0), y0 - back * (y1 - y0), data.draw(st.floats(-1, 4))
    assert_meets_the_nearest_prism(tilemap, origin, (x1 - x0, y1 - y0, rise))


@given(tilemaps())
def test_straight_down_is_the_tile_below(tilemap):
    for row, col in np.ndindex(tilemap.rows, tilemap.cols):
        x, y, z = tilemap.surface_point((row, col))
        hit = tilemap.cast((x, y, 99), (0, 0, -1))
        if tilemap.is_void((row, col)):
            assert hit is None
        else:
            assert hit.cell == (row, col, 0)
            assert hit.distance == pytest.approx(99 - z)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("away", [1e9, 1e20, 1e300, 1.7e308])
def test_a_ray_from_very_far_is_answered(layout, away):
    tilemap = TileMap.from_text("00\n00", topology=layout)
    x, y, _ = tilemap.surface_point((0, 0))
    assert tilemap.pick((x, y, away), (0, 0, -1)) == (0, 0, 0)
    assert tilemap.pick((away, -away, away), (1, -1, 1)) is None
    tilemap.pick((away, -away, away), (-1, 1, -1))
    tilemap.pick((away, y, -0.5), (-1, 0, 0))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_ray_through_the_ragged_border_continues_to_the_tile_behind(layout):
    tilemap = TileMap.from_text("000\n000\n000", topology=layout)
    x0, y0, x1, y1 = tilemap.extent
    for x, y, dx, dy in ((x0, y1 - 0.01, 1, -1), (x1, y0 + 0.01, -1, 1)):
        assert tilemap.grid.cell_at(x, y) is None
        assert tilemap.pick((x - dx, y - dy, -0.5), (dx, dy, 0)) is not None
