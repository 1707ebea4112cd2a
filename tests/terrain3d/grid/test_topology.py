"""Plain data of every topology: tables of steps, classes, coordinates, extent."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, Cell, HexGrid, SquareGrid, make_grid

sizes = st.integers(1, 12)
grids = st.builds(make_grid, st.sampled_from(TOPOLOGIES), sizes, sizes)
every_topology = pytest.mark.parametrize("topology", TOPOLOGIES)


@st.composite
def grids_with_cells(draw, cells):
    grid = make_grid(
        draw(st.sampled_from(TOPOLOGIES)), draw(st.integers(1, 300)), draw(st.integers(1, 300))
    )
    rows, cols = st.integers(0, grid.rows - 1), st.integers(0, grid.cols - 1)
    return grid, *[Cell(draw(rows), draw(cols)) for _ in range(cells)]


def cells_of(grid):
    return list(np.ndindex(grid.rows, grid.cols))


def test_a_grid_is_made_by_the_name_of_its_topology():
    assert make_grid("square", 2, 3) == SquareGrid(2, 3)
    for name in ("hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"):
        assert make_grid(name, 2, 3) == HexGrid(2, 3, name)


def test_squares_are_of_one_class_with_four_directions():
    grid = SquareGrid(2, 3)
    assert grid.directions == (((-1, 0), (0, 1), (1, 0), (0, -1)),)
    assert grid.diagonals == ((-1, 1), (1, 1), (1, -1), (-1, -1))
    assert grid.norm == "lattice"


@given(grids)
def test_the_tables_give_the_neighbors(grid):
    classes = grid.cell_class()
    for row, col in cells_of(grid):
        steps = grid.directions[classes[row, col]]
        around = [(row + drow, col + dcol) for drow, dcol in steps]
        inside = [(r, c) for r, c in around if 0 <= r < grid.rows and 0 <= c < grid.cols]
        assert [near[:2] for near in grid.neighbors((row, col))] == inside
        assert grid.steps_from(row, col) == steps


@every_topology
def test_opposite_directions_lead_back(topology):
    grid = make_grid(topology, 5, 5)
    classes = grid.cell_class()
    for row, col in itertools.product((2, 3), (2, 3)):
        for direction, (drow, dcol) in enumerate(grid.directions[classes[row, col]]):
            near = row + drow, col + dcol
            back_row, back_col = grid.directions[classes[near]][grid.opposite[direction]]
            assert (near[0] + back_row, near[1] + back_col) == (row, col)


@every_topology
def test_a_direction_is_the_same_in_the_world_from_every_class(topology):
    grid = make_grid(topology, 5, 5)
    classes = grid.cell_class()
    for direction in range(len(grid.opposite)):
        headings = set()
        for row, col in itertools.product((1, 2, 3), (1, 2, 3)):
            drow, dcol = grid.directions[classes[row, col]][direction]
            (x0, y0), (x1, y1) = grid.center((row, col)), grid.center((row + drow, col + dcol))
            headings.add((round(x1 - x0, 9) + 0.0, round(y1 - y0, 9) + 0.0))
        assert len(headings) == 1


@every_topology
def test_headings_lead_from_center_to_center(topology):
    grid = make_grid(topology, 5, 5)
    x, y = grid.center((2, 2))
    for (east, north), near in zip(grid.headings, grid.neighbors((2, 2)), strict=True):
        assert grid.center(near) == pytest.approx((x + east, y + north))


@every_topology
def test_an_edge_faces_the_neighbor_in_its_direction(topology):
    grid = make_grid(topology, 5, 5)
    corners, around = grid.corners((2, 2)), grid.neighbors((2, 2))
    for edge, (start, end) in enumerate(itertools.pairwise([*corners, corners[0]])):
        middle = np.mean([start, end], axis=0)
        near = around[len(around) - 1 - edge]
        assert middle == pytest.approx(
            np.mean([grid.center((2, 2)), grid.center(near)], axis=0), abs=1e-12
        )


def test_a_diagonal_lies_between_its_direction_and_the_next():
    grid = SquareGrid(1, 1)
    straight = grid.directions[0]
    for direction, diagonal in enumerate(grid.diagonals):
        beside = straight[direction], straight[(direction + 1) % 4]
        assert tuple(np.sum(beside, axis=0)) == diagonal


@given(grids, st.data())
def test_distance_is_simple_in_the_plane(grid, data):
    a, b = (data.draw(st.sampled_from(cells_of(grid))) for _ in range(2))
    along, across = (grid.plane()[a] - grid.plane()[b]).tolist()
    measures = {
        "lattice": abs(along) + abs(across),
        "hex": max(abs(along), abs(across), abs(along + across)),
    }
    assert grid.distance(a, b) == measures[grid.norm]


@given(grids, st.data())
def test_many_lengths_are_measured_at_once(grid, data):
    goal = data.draw(st.sampled_from(cells_of(grid)))
    lengths = grid.lengths(grid.plane() - grid.plane()[goal])
    distances = [grid.distance(cell, goal) for cell in cells_of(grid)]
    assert lengths.ravel().tolist() == distances


@given(grids)
def test_the_extent_is_the_box_around_all_corners(grid):
    corners = np.array([grid.corners(cell) for cell in cells_of(grid)]).reshape(-1, 2)
    box = (*corners.min(axis=0), *corners.max(axis=0))
    assert grid.extent == pytest.approx(box, abs=1e-12)


@every_topology
def test_arrays_are_read_only_and_compact(topology):
    grid = make_grid(topology, 3, 300)
    for array, dtype, shape in (
        (grid.cell_class(), np.uint8, (3, 300)),
        (grid.plane(), np.int32, (3, 300, 2)),
    ):
        assert (array.dtype, array.shape) == (dtype, shape)
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


@given(grids, st.data())
def test_the_triangle_of_three_centers_is_never_longer_than_the_steps(grid, data):
    a, b = (data.draw(st.sampled_from(cells_of(grid))) for _ in range(2))
    assert math.dist(grid.center(a), grid.center(b)) <= grid.distance(a, b) + 1e-9


@given(grids_with_cells(1))
def test_neighbors_know_each_other_and_their_centers_are_1_apart(case):
    grid, cell = case
    for neighbor in grid.neighbors(cell):
        assert cell in grid.neighbors(neighbor)
        assert grid.distance(cell, neighbor) == 1
        assert math.dist(grid.center(cell), grid.center(neighbor)) == pytest.approx(1, abs=1e-12)
        assert len(set(grid.corners(cell)) & set(grid.corners(neighbor))) == 2


@given(grids_with_cells(1))
def test_the_cell_at_a_center_is_that_cell(case):
    grid, cell = case
    assert grid.cell_at(*grid.center(cell)) == cell


@given(grids_with_cells(1))
def test_corners_surround_the_center_counter_clockwise(case):
    grid, cell = case
    spokes = np.array(grid.corners(cell)) - grid.center(cell)
    following = np.roll(spokes, -1, axis=0)
    turns = (spokes[:, 0] * following[:, 1] - spokes[:, 1] * following[:, 0]) / 2
    area = 1 if grid.norm == "lattice" else math.sqrt(3) / 2  # the same triangle at each edge
    assert turns == pytest.approx([area / len(spokes)] * len(spokes))
    assert np.linalg.norm(spokes, axis=1) == pytest.approx(
        [np.linalg.norm(spokes[0])] * len(spokes)
    )


@every_topology
@pytest.mark.parametrize(
    "point", [(-0.01, -1.0), (1.0, 0.01), (9.0, -1.0), (1.0, -9.0), (math.inf, -1.0)]
)
def test_there_is_no_cell_beside_the_grid(topology, point):
    assert make_grid(topology, 3, 3).cell_at(*point) is None
