"""Hexagonal grids, checked against cube coordinates and the offset tables of Red Blob Games."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import Cell, HexGrid
from tests.support.reference import center_of

LAYOUTS = ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"]
CUBE_STEPS = set(itertools.permutations((-1, 0, 1)))

# (column, row) steps as printed at https://www.redblobgames.com/grids/hexagons/#neighbors-offset,
# from even rows or columns and from odd ones.
PUBLISHED = {
    "hex_odd_r": (
        {(1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)},
        {(1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1)},
    ),
    "hex_even_r": (
        {(1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1)},
        {(1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)},
    ),
    "hex_odd_q": (
        {(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (0, 1)},
        {(1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1), (0, 1)},
    ),
    "hex_even_q": (
        {(1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1), (0, 1)},
        {(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (0, 1)},
    ),
}


def cube_of(layout, cell):
    """Convert offset to cube coordinates as Red Blob Games does."""
    row, col = cell[:2]
    match layout:
        case "hex_odd_r":
            q, r = col - (row - row % 2) // 2, row
        case "hex_even_r":
            q, r = col - (row + row % 2) // 2, row
        case "hex_odd_q":
            q, r = col, row - (col - col % 2) // 2
        case "hex_even_q":
            q, r = col, row - (col + col % 2) // 2
    return np.array([q, r, -q - r])


layouts = st.sampled_from(LAYOUTS)


@st.composite
def grids(draw, limit=40):
    size = st.integers(1, limit)
    return HexGrid(draw(size), draw(size), draw(layouts))


@st.composite
def grids_with_cells(draw, cells, limit=40):
    grid = draw(grids(limit))
    rows, cols = st.integers(0, grid.rows - 1), st.integers(0, grid.cols - 1)
    return grid, *[Cell(draw(rows), draw(cols)) for _ in range(cells)]


def cells_of(grid):
    return [Cell(row, col) for row, col in np.ndindex(grid.rows, grid.cols)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("parity", [0, 1])
def test_directions_are_those_that_red_blob_games_prints(layout, parity):
    steps = HexGrid(1, 1, layout).directions[parity]
    assert {(dcol, drow) for drow, dcol in steps} == PUBLISHED[layout][parity]


@given(grids(7))
def test_neighbors_are_one_cube_step_away_and_no_others(grid):
    for cell in cells_of(grid):
        here = cube_of(grid.layout, cell)
        nearby = {
            other
            for other in cells_of(grid)
            if tuple(cube_of(grid.layout, other) - here) in CUBE_STEPS
        }
        around = grid.neighbors(cell)
        assert set(around) == nearby
        assert len(around) == len(nearby)


@pytest.mark.parametrize(
    ("layout", "cell", "around"),
    [
        ("hex_odd_r", (1, 1), [(0, 2), (1, 2), (2, 2), (2, 1), (1, 0), (0, 1)]),
        ("hex_even_r", (1, 1), [(0, 1), (1, 2), (2, 1), (2, 0), (1, 0), (0, 0)]),
        ("hex_odd_q", (1, 1), [(0, 1), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]),
        ("hex_even_q", (1, 1), [(0, 1), (0, 2), (1, 2), (2, 1), (1, 0), (0, 0)]),
    ],
)
def test_neighbors_run_clockwise_from_the_north(layout, cell, around):
    grid = HexGrid(3, 3, layout)
    assert [neighbor[:2] for neighbor in grid.neighbors(cell)] == around
    (x, y), centers = grid.center(cell), [grid.center(neighbor) for neighbor in around]
    bearings = [math.degrees(math.atan2(east - x, north - y)) for east, north in centers]
    first = 30 if layout.endswith("r") else 0
    assert [bearing % 360 for bearing in bearings] == pytest.approx(
        [first + 60 * direction for direction in range(6)], abs=1e-9
    )


@given(grids_with_cells(2, 300))
def test_distance_is_half_the_cube_distance(case):
    grid, a, b = case
    apart = np.abs(cube_of(grid.layout, a) - cube_of(grid.layout, b)).sum()
    assert grid.distance(a, b) == apart // 2


@given(grids_with_cells(1, 300))
def test_a_center_lies_where_the_layout_says(case):
    grid, cell = case
    assert grid.center(cell) == pytest.approx(center_of(grid.layout, *cell[:2]), abs=1e-9)


def nearest_centers(layout, rows, cols, x, y, slack):
    """All cells of the lattice, one beyond the grid too, that are nearest within `slack`."""
    distances = {
        (row, col): math.dist(center_of(layout, row, col), (x, y))
        for row in range(-1, rows + 1)
        for col in range(-1, cols + 1)
    }
    least = min(distances.values())
    return {cell for cell, away in distances.items() if away <= least + slack}


@given(grids(6), st.floats(0, 1), st.floats(0, 1))
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
