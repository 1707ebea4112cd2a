"""Grids of squares and hexagons: cells, neighbors, places in the world, tables of steps."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, Cell, HexGrid, Rect, SquareGrid, make_grid
from tests.support.plain_map import axial
from tests.support.reference import center_of


@pytest.mark.parametrize(
    "value", [(1, 2), [1, 2], (1, 2, 0), Cell(1, 2), np.array([1, 2]), (np.int8(1), np.uint64(2))]
)
def test_a_cell_may_be_any_two_or_three_whole_numbers(value):
    cell = SquareGrid(3, 3).cell(value)
    assert cell == Cell(1, 2, 0)
    assert [type(number) for number in cell] == [int, int, int]


@pytest.mark.parametrize("value", [(-1, 0), (0, -1), (3, 0), (0, 4), (10**30, 0)])
def test_a_cell_outside_is_refused_with_the_limits_and_the_value(value):
    with pytest.raises(IndexError) as caught:
        SquareGrid(3, 4).cell(value)
    assert f"({value[0]}, {value[1]})" in str(caught.value)
    assert "rows are 0..2, columns 0..3" in str(caught.value)


@pytest.mark.parametrize("deck", [1, -1])
def test_a_deck_that_is_not_there_is_refused(deck):
    with pytest.raises(IndexError, match=rf"\(1, 2\) has deck 0 only, got {deck}"):
        SquareGrid(3, 3).cell((1, 2, deck))


rects = st.builds(Rect, *[st.integers(0, 9)] * 2, *[st.integers(1, 9)] * 2)


def covered(rect):
    rows, cols = range(rect.row, rect.row + rect.rows), range(rect.col, rect.col + rect.cols)
    return {*itertools.product(rows, cols)}


@given(rects, st.integers(-1, 20), st.integers(-1, 20), st.integers(0, 2))
def test_a_rectangle_holds_the_cells_it_covers_on_any_deck(rect, row, col, deck):
    assert rect.holds(Cell(row, col, deck)) == ((row, col) in covered(rect))


@given(rects, rects)
def test_a_union_is_the_smallest_rectangle_over_both(a, b):
    union, cells = covered(a.union(b)), covered(a) | covered(b)
    assert union >= cells
    for axis in (0, 1):
        lines = {cell[axis] for cell in cells}
        assert {cell[axis] for cell in union} == {*range(min(lines), max(lines) + 1)}


@given(rects, st.integers(0, 3))
def test_a_grown_rectangle_is_cut_to_the_map(rect, margin):
    row, col, rows, cols = rect
    wide = Rect(row - margin, col - margin, rows + 2 * margin, cols + 2 * margin)
    assert covered(rect.grown(margin, 20, 18)) == covered(wide) & covered(Rect(0, 0, 20, 18))


def test_a_swapped_row_and_column_are_named():
    grid = SquareGrid(20, 40)
    with pytest.raises(IndexError, match=r"; \(5, 35\) is inside: the row comes first$"):
        grid.cell((35, 5))
    with pytest.raises(IndexError, match=r"columns 0\.\.39$"):
        grid.cell((45, 50))


LAYOUTS = ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"]
CUBE_STEPS = set(itertools.permutations((-1, 0, 1)))


def grids_of(topologies, limit):
    side = st.integers(1, limit)
    return st.builds(make_grid, st.sampled_from(topologies), side, side)


@st.composite
def with_cells(draw, grids, count):
    grid = draw(grids)
    rows, cols = st.integers(0, grid.rows - 1), st.integers(0, grid.cols - 1)
    return grid, *[Cell(draw(rows), draw(cols)) for _ in range(count)]


def cells_of(grid):
    return list(np.ndindex(grid.rows, grid.cols))


def cube_of(layout, cell):
    """Convert offset to cube coordinates as Red Blob Games does."""
    q, r = axial(layout, cell[:2])
    return np.array([q, r, -q - r])


@given(grids_of(LAYOUTS, 7))
def test_neighbors_are_one_cube_step_away_and_no_others(grid):
    for cell in cells_of(grid):
        here = cube_of(grid.layout, cell)
        away = {other: cube_of(grid.layout, other) - here for other in cells_of(grid)}
        nearby = {other for other, step in away.items() if tuple(step) in CUBE_STEPS}
        around = [near[:2] for near in grid.neighbors(cell)]
        assert set(around) == nearby
        assert len(around) == len(nearby)


@given(with_cells(grids_of(LAYOUTS, 300), 2))
def test_distance_is_half_the_cube_distance(case):
    grid, a, b = case
    apart = np.abs(cube_of(grid.layout, a) - cube_of(grid.layout, b)).sum()
    assert grid.distance(a, b) == apart // 2


@given(with_cells(grids_of(LAYOUTS, 300), 1))
def test_a_center_lies_where_the_layout_says(case):
    grid, cell = case
    assert grid.center(cell) == pytest.approx(center_of(grid.layout, *cell[:2]), abs=1e-9)


def nearest_centers(layout, rows, cols, x, y, slack):
    """All cells of the lattice, one beyond the grid too, that are nearest within `slack`."""
    cells = itertools.product(range(-1, rows + 1), range(-1, cols + 1))
    distances = {cell: math.dist(center_of(layout, *cell), (x, y)) for cell in cells}
    least = min(distances.values())
    return {cell for cell, away in distances.items() if away <= least + slack}


@given(grids_of(LAYOUTS, 6), st.floats(0, 1), st.floats(0, 1))
def test_the_cell_at_any_point_is_that_of_the_nearest_center(grid, across, down):
    x0, y0, x1, y1 = grid.extent
    x, y = x0 + across * (x1 - x0), y1 + down * (y0 - y1)
    nearest = nearest_centers(grid.layout, grid.rows, grid.cols, x, y, 1e-9)
    inside = nearest & set(np.ndindex(grid.rows, grid.cols))
    found = grid.cell_at(x, y)
    if found is None:
        assert nearest - inside
    else:
        assert found[:2] in inside


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_border_inside_a_line_belongs_to_the_later_cell(layout):
    grid = HexGrid(3, 3, layout)
    ahead = (1, 2) if layout.endswith("r") else (2, 1)
    (x, y), (next_x, next_y) = grid.center((1, 1)), grid.center(ahead)
    assert grid.cell_at((x + next_x) / 2, (y + next_y) / 2) == (*ahead, 0)


@pytest.mark.parametrize(
    ("layout", "later"),
    [("hex_odd_r", (1, 0)), ("hex_even_r", (1, 1)), ("hex_odd_q", (0, 1)), ("hex_even_q", (1, 1))],
)
def test_a_corner_of_three_cells_belongs_to_the_later_line(layout, later):
    grid = HexGrid(3, 3, layout)
    beside = (0, 1) if layout.endswith("r") else (1, 0)
    (corner,) = set.intersection(*(set(grid.corners(cell)) for cell in [(0, 0), beside, later]))
    assert grid.cell_at(*corner) == (*later, 0)


grids = grids_of(TOPOLOGIES, 12)
every_topology = pytest.mark.parametrize("topology", TOPOLOGIES)


@given(grids)
def test_tables_give_the_neighbors_and_the_extent_is_the_box_around_all_corners(grid):
    classes = grid.cell_class()
    for row, col in cells_of(grid):
        steps = grid.directions[classes[row, col]]
        around = [(row + drow, col + dcol) for drow, dcol in steps]
        inside = [(r, c) for r, c in around if 0 <= r < grid.rows and 0 <= c < grid.cols]
        assert [near[:2] for near in grid.neighbors((row, col))] == inside
        assert grid.steps_from(row, col) == steps
    corners = np.array([grid.corners(cell) for cell in cells_of(grid)]).reshape(-1, 2)
    box = (*corners.min(axis=0), *corners.max(axis=0))
    assert grid.extent == pytest.approx(box, abs=1e-12)


@every_topology
def test_a_direction_is_one_heading_from_every_class_clockwise_from_the_north(topology):
    grid = make_grid(topology, 5, 5)
    classes, first = grid.cell_class(), 30 if topology.endswith("r") else 0
    for direction, (east, north) in enumerate(grid.headings):
        bearing = first + direction * 360 / len(grid.headings)
        assert math.degrees(math.atan2(east, north)) % 360 == pytest.approx(bearing, abs=1e-9)
        assert grid.headings[grid.opposite[direction]] == pytest.approx((-east, -north))
        for row, col in itertools.product((1, 2, 3), (1, 2, 3)):
            drow, dcol = grid.directions[classes[row, col]][direction]
            x, y = grid.center((row, col))
            assert grid.center((row + drow, col + dcol)) == pytest.approx((x + east, y + north))


@every_topology
def test_an_edge_faces_the_neighbor_in_its_direction(topology):
    grid = make_grid(topology, 5, 5)
    corners, around = grid.corners((2, 2)), grid.neighbors((2, 2))
    for edge, (start, end) in enumerate(itertools.pairwise([*corners, corners[0]])):
        near = around[len(around) - 1 - edge]
        centers = np.add(grid.center((2, 2)), grid.center(near))
        assert np.add(start, end) == pytest.approx(centers, abs=1e-12)


@given(grids, st.data())
def test_many_lengths_are_measured_at_once(grid, data):
    goal = data.draw(st.sampled_from(cells_of(grid)))
    lengths = grid.lengths(grid.plane() - grid.plane()[goal])
    distances = [grid.distance(cell, goal) for cell in cells_of(grid)]
    assert lengths.ravel().tolist() == distances


@given(with_cells(grids_of(TOPOLOGIES, 300), 1))
def test_neighbors_are_1_apart_and_corners_surround_the_center(case):
    grid, cell = case
    for neighbor in grid.neighbors(cell):
        assert cell in grid.neighbors(neighbor)
        assert grid.distance(cell, neighbor) == 1
        assert math.dist(grid.center(cell), grid.center(neighbor)) == pytest.approx(1, abs=1e-12)
        assert len(set(grid.corners(cell)) & set(grid.corners(neighbor))) == 2
    spokes = np.array(grid.corners(cell)) - grid.center(cell)
    following = np.roll(spokes, -1, axis=0)
    turns = (spokes[:, 0] * following[:, 1] - spokes[:, 1] * following[:, 0]) / 2
    area = 1 if grid.norm == "lattice" else math.sqrt(3) / 2  # the same triangle at each edge
    assert turns == pytest.approx([area / len(spokes)] * len(spokes))
    assert np.ptp(np.linalg.norm(spokes, axis=1)) == pytest.approx(0, abs=1e-9)


@every_topology
@pytest.mark.parametrize(
    "point", [(-0.01, -1.0), (1.0, 0.01), (9.0, -1.0), (1.0, -9.0), (math.inf, -1.0)]
)
def test_there_is_no_cell_beside_the_grid(topology, point):
    assert make_grid(topology, 3, 3).cell_at(*point) is None
