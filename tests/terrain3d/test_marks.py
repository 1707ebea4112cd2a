"""Marks as arrays: where they lie, what they cover, and that a way stays above the ground."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TileMap
from terrain3d.marks import frame, pattern, region, ribbon
from terrain3d.marks.region import PATTERN_SIZE
from terrain3d.marks.ribbon import SAMPLES, course
from terrain3d.marks.shapes import LIFT

BLUE = (0.2, 0.6, 1.0)
RED = (1.0, 0.3, 0.1)
HILLS = TileMap.from_noise(8, 8, seed=3, levels=5)

cells = st.tuples(st.integers(0, 7), st.integers(0, 7))
cell_sets = st.sets(cells, max_size=30)


def quads_of(mesh):
    """Give the (n, 4, 3) corners of a mesh made of quads."""
    return mesh.positions.reshape(-1, 4, 3)


def outline_of(mesh):
    """Give the quads that show the solid part of the pattern."""
    quads, uv = quads_of(mesh), mesh.uv.reshape(-1, 4, 3)
    return quads[np.ptp(uv[..., 0], axis=1) == 0]


def covers(quads, x, y):
    low, high = quads[..., :2].min(axis=1), quads[..., :2].max(axis=1)
    return bool(((low <= (x, y)) & ((x, y) <= high)).all(axis=1).any())


@given(cell_sets)
def test_a_region_lies_on_the_tops_of_its_cells(chosen):
    mesh = region(HILLS, chosen, BLUE)
    for quad in quads_of(mesh):
        x, y, z = quad.mean(axis=0)
        cell = HILLS.grid.cell_at(x, y)
        assert cell[:2] in chosen
        assert z == pytest.approx(HILLS.surface_point(cell)[2] + LIFT, abs=1e-5)
        assert np.ptp(quad[:, :2], axis=0).max() <= 1.0 + 1e-6


@given(cell_sets)
def test_the_outline_runs_where_the_region_ends_and_nowhere_else(chosen):
    outline = outline_of(region(HILLS, chosen, BLUE))
    for row, col in chosen:
        for drow, dcol in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            x, y = col + 0.5 + 0.48 * dcol, -(row + 0.5 + 0.48 * drow)
            assert covers(outline, x, y) == ((row + drow, col + dcol) not in chosen)
        assert not covers(outline, col + 0.5, -(row + 0.5))


@given(cell_sets)
def test_every_cell_is_hatched(chosen):
    mesh = region(HILLS, chosen, BLUE)
    for row, col in chosen:
        assert covers(quads_of(mesh), col + 0.5, -(row + 0.5))


def test_an_inner_corner_is_closed():
    outline = outline_of(region(HILLS, [(2, 2), (2, 3), (3, 2)], BLUE))
    assert covers(outline, 2.98, -2.98)


def test_cells_may_repeat_and_void_is_left_out():
    tilemap = TileMap.from_text("0#\n00")
    once = region(tilemap, [(0, 0), (1, 1)], BLUE)
    again = region(tilemap, [(1, 1, 0), (0, 0), (0, 1), (0, 0)], BLUE)
    assert np.array_equal(once.positions, again.positions)


def test_a_region_of_nothing_is_empty():
    assert region(HILLS, [], BLUE).triangles.shape == (0, 3)


def test_a_cell_beside_the_map_is_refused():
    with pytest.raises(IndexError, match=r"\(8, 0\) is outside the map"):
        region(HILLS, [(1, 1), (8, 0)], BLUE)


def test_the_pattern_has_stripes_a_frame_and_a_solid_part():
    picture = pattern()
    assert picture.shape == (PATTERN_SIZE, 4 * PATTERN_SIZE, 4)
    hatch, frame_part, solid = (
        picture[:, part * PATTERN_SIZE : (part + 1) * PATTERN_SIZE, 3] for part in range(3)
    )
    assert np.ptp(hatch) > 50
    assert frame_part[PATTERN_SIZE // 2, PATTERN_SIZE // 2] == 0
    assert frame_part.max() > 200
    assert solid.min() == 255


@st.composite
def ways(draw):
    """Draw a way of square steps over tiles of any level, none entered twice."""
    cell, way = (0, 0), [(0, 0)]
    for step in draw(st.lists(st.sampled_from([(-1, 0), (0, 1), (1, 0), (0, -1)]), max_size=12)):
        cell = (cell[0] + step[0], cell[1] + step[1])
        if cell in way:
            break
        way.append(cell)
    return {cell: draw(st.integers(0, 8)) * 0.5 for cell in way}


@given(ways())
def test_a_way_stays_above_its_tiles(heights):
    stops = np.array([(col + 0.5, -row - 0.5, z) for (row, col), z in heights.items()])
    if len(stops) < 2:
        return
    line = course(stops)
    assert len(line) == (len(stops) - 1) * SAMPLES + 1
    for x, y, z in line:
        for near in (-1e-6, 1e-6):
            cell = (math.floor(-y + near), math.floor(x + near))
            assert z > heights[cell]


@given(ways())
def test_a_way_goes_from_its_start_to_its_goal(heights):
    stops = np.array([(col + 0.5, -row - 0.5, z) for (row, col), z in heights.items()])
    if len(stops) < 2:
        return
    line = course(stops)
    for end, stop in ((line[0], stops[0]), (line[-1], stops[-1])):
        assert math.dist(end[:2], stop[:2]) < 1e-6
        assert 0 < end[2] - stop[2] < 0.1


STAIRS = [(0.5, -0.5, 0.0), (1.5, -0.5, 1.0), (2.5, -0.5, 1.0), (2.5, -1.5, 0.0)]


def test_a_refused_way_differs_by_more_than_its_color():
    good, refused = ribbon(STAIRS, BLUE), ribbon(STAIRS, BLUE, is_refused=True)
    assert len(refused.triangles) < len(good.triangles)
    # The cross lies around the goal, the arrow's head before it.
    assert refused.positions[-4:, :2].mean(axis=0) == pytest.approx(STAIRS[-1][:2], abs=1e-5)


def test_a_way_has_its_color_over_a_dark_rim():
    colors = {tuple(color) for color in ribbon(STAIRS, RED).colors[:, :3].tolist()}
    assert tuple(round(255 * part) for part in RED) in colors
    assert min(sum(color) for color in colors) < 60


def test_ways_without_a_step():
    assert ribbon([], BLUE).triangles.size == 0
    assert ribbon(STAIRS[:1], BLUE).triangles.size > 0


@pytest.mark.parametrize("points", [[1.0, 2.0, 3.0], [(0, 0)], [(0, 0, math.nan)]])
def test_points_must_be_places(points):
    with pytest.raises(ValueError, match="points must be"):
        ribbon(points, BLUE)


def test_a_frame_leaves_its_tiles_middle_free():
    quads = quads_of(frame(BLUE))
    assert abs(quads).max() < 0.55
    assert not covers(quads, 0, 0)
    for x, y in ((0.48, 0.48), (-0.48, 0.48), (-0.48, -0.48), (0.48, -0.48)):
        assert covers(quads, x, y)
    for x, y in ((0.48, 0), (0, 0.48), (-0.48, 0), (0, -0.48)):
        assert not covers(quads, x, y)
