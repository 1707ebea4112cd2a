"""The square grid: which cells there are, what lies beside them, where they are in the world."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import Cell, Rect, SquareGrid


def test_neighbors_are_north_east_south_west():
    assert SquareGrid(3, 3).neighbors((1, 1)) == [(0, 1, 0), (1, 2, 0), (2, 1, 0), (1, 0, 0)]


def test_x_grows_with_the_column_and_y_shrinks_with_the_row():
    grid = SquareGrid(5, 5)
    assert grid.center((0, 0)) == (0.5, -0.5)
    assert grid.center((1, 3)) == (3.5, -1.5)


def test_corners_run_counter_clockwise_from_the_north_west():
    assert SquareGrid(3, 3).corners((1, 2)) == [(2, -1), (2, -2), (3, -2), (3, -1)]


@given(st.integers(0, 299), st.integers(0, 299), *[st.floats(-0.49, 0.49)] * 2)
def test_the_cell_at_any_point_within_a_cell_is_that_cell(row, col, dx, dy):
    grid = SquareGrid(300, 300)
    x, y = grid.center((row, col))
    assert grid.cell_at(x + dx, y + dy) == (row, col, 0)


def test_a_border_belongs_to_the_cell_east_and_south_of_it():
    assert SquareGrid(3, 3).cell_at(1.0, -2.0) == (2, 1, 0)
    assert SquareGrid(3, 3).cell_at(0.0, 0.0) == (0, 0, 0)


@pytest.mark.parametrize(
    "value",
    [(1, 2), [1, 2], (1, 2, 0), Cell(1, 2), np.array([1, 2]), (np.int8(1), np.uint64(2))],
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
    return {
        (row, col)
        for row in range(rect.row, rect.row + rect.rows)
        for col in range(rect.col, rect.col + rect.cols)
    }


@given(rects, st.integers(-1, 20), st.integers(-1, 20), st.integers(0, 2))
def test_a_rectangle_holds_the_cells_it_covers_on_any_deck(rect, row, col, deck):
    assert rect.holds(Cell(row, col, deck)) == ((row, col) in covered(rect))


@given(rects, rects)
def test_a_union_is_the_smallest_rectangle_over_both(a, b):
    union, cells = a.union(b), covered(a) | covered(b)
    assert covered(union) >= cells
    assert {row for row, _ in covered(union)} == set(
        range(min(row for row, _ in cells), max(row for row, _ in cells) + 1)
    )
    assert {col for _, col in covered(union)} == set(
        range(min(col for _, col in cells), max(col for _, col in cells) + 1)
    )


@given(rects, st.integers(0, 3))
def test_a_grown_rectangle_is_cut_to_the_map(rect, margin):
    wide = Rect(
        rect.row - margin, rect.col - margin, rect.rows + 2 * margin, rect.cols + 2 * margin
    )
    assert covered(rect.grown(margin, 20, 18)) == covered(wide) & covered(Rect(0, 0, 20, 18))


@given(rects, st.integers(0, 3), st.integers(0, 3))
def test_slices_cut_a_rectangle_out_of_arrays_that_begin_anywhere(rect, row, col):
    numbers = np.arange(50 * 50).reshape(50, 50)
    expected = {
        number for number in numbers.ravel().tolist() if divmod(number, 50) in covered(rect)
    }
    at = rect._replace(row=rect.row + row, col=rect.col + col)
    assert {*numbers[rect.slices()].ravel().tolist()} == expected
    assert at.slices(row, col) == rect.slices()


def test_a_swapped_row_and_column_are_named():
    grid = SquareGrid(20, 40)
    with pytest.raises(IndexError, match=r"; \(5, 35\) is inside: the row comes first$"):
        grid.cell((35, 5))
    with pytest.raises(IndexError, match=r"columns 0\.\.39$"):
        grid.cell((45, 50))
