"""The cells along a line are those of its points, in order and without gaps."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d.grid.hexgrid import TOPOLOGIES, make_grid
from terrain3d.map.picking import crossed_cells

numbers = st.integers(-4000, 8000).map(lambda part: (part + 0.37) / 1000)  # seldom on a border


def part_inside(grid, start, direction):
    """Return the part of a line within the extent of a grid, as multiples; None outside it."""
    low, high = 0.0, 1.0
    for place, step, least, most in zip(
        start, direction, grid.extent[:2], grid.extent[2:], strict=True
    ):
        if abs(step) < 1e-9:
            if not least < place < most:
                return None
            continue
        ends = sorted(((least - place) / step, (most - place) / step))
        low, high = max(low, ends[0]), min(high, ends[1])
    return (low, high) if high - low > 1e-6 else None


@pytest.mark.parametrize("topology", TOPOLOGIES)
@given(
    st.integers(1, 5), st.integers(1, 5), st.tuples(numbers, numbers), st.tuples(numbers, numbers)
)
def test_points_along_a_line_are_in_the_cells_it_crosses(topology, rows, cols, start, end):
    grid = make_grid(topology, rows, cols)
    start, end = (start[0], -start[1]), (end[0], -end[1])
    direction = (end[0] - start[0], end[1] - start[1])
    span = part_inside(grid, start, direction)
    if span is None:
        return
    found = list(crossed_cells(grid, *start, *direction, *span))
    for _, _, enter, leave in found:
        assert span[0] - 1e-9 <= enter <= leave <= span[1] + 1e-9
    for (*_, before), (_, _, after, _) in itertools.pairwise(found):
        assert after >= before - 1e-9
    for part in np.linspace(*span, 40)[1:-1]:
        point = np.array(start) + part * np.array(direction)
        cell = grid.cell_at(*point)
        if cell is not None:
            aside = (np.array(grid.headings) @ (point - grid.center(cell))).max()
            if aside > 0.5 - 1e-6:
                continue  # on the border of two cells, or of the grid
        near = [each[:2] for each in found if each[2] - 1e-6 <= part <= each[3] + 1e-6]
        inside = [each[:2] for each in found if each[2] + 1e-6 < part < each[3] - 1e-6]
        if cell is None:
            assert not inside
        else:
            assert tuple(cell[:2]) in near


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_line_without_length_is_in_one_cell(topology):
    grid = make_grid(topology, 4, 5)
    x, y = grid.center((2, 3))
    ((row, col, enter, leave),) = crossed_cells(grid, x, y, 0.0, 0.0, 0.0, math.inf)
    assert (row, col, enter, leave) == (2, 3, 0.0, math.inf)


def test_a_line_along_a_row_of_squares_crosses_all_of_them():
    grid = make_grid("square", 3, 4)
    for x, dx, cols in ((0.0, 4.0, [0, 1, 2, 3]), (4.0, -4.0, [3, 2, 1, 0])):
        found = list(crossed_cells(grid, x, -1.5, dx, 0.0, 0.0, 1.0))
        assert [(row, col) for row, col, *_ in found] == [(1, col) for col in cols]
        assert [each[2:] for each in found] == [(i / 4, (i + 1) / 4) for i in range(4)]
    for y, dy, rows in ((0.0, -3.0, [0, 1, 2]), (-3.0, 3.0, [2, 1, 0])):
        found = list(crossed_cells(grid, 0.5, y, 0.0, dy, 0.0, 1.0))
        assert [(row, col) for row, col, *_ in found] == [(row, 0) for row in rows]
