"""Checks return what is stored and refuse the rest by type, limit and value; counts in texts."""

import math
from pathlib import Path

import numpy as np
import pytest

from terrain3d.core.checks import (
    checked_path,
    counted,
    finite_numbers,
    finite_points,
    one_of,
    plain,
    true_or_false,
)


@pytest.mark.parametrize("values", [[], (), np.zeros((0, 3)), np.zeros((0, 5)), [[]]])
def test_no_points_have_three_columns_like_all_points(values):
    assert finite_points("points", values).shape == (0, 3)


def test_points_are_copied_as_floats():
    given = np.array([(1, 2, 3)] * 5)
    points = finite_points("points", given)
    assert (points.shape, points.dtype) == ((5, 3), np.float64)
    points[0] = 7
    assert (given == (1, 2, 3)).all()


@pytest.mark.parametrize(
    "values", [[1, 2, 3], [(1, 2)], np.zeros((3, 4)), np.zeros((1, 3, 3)), [(1, 2, math.inf)]]
)
def test_points_of_another_shape_or_not_finite_are_refused(values):
    with pytest.raises(ValueError, match=r"points must be \(n, 3\) finite numbers, got shape"):
        finite_points("points", values)


@pytest.mark.parametrize("values", ["abc", [(1, 2), (3,)], [10**400]])
def test_what_is_no_array_of_numbers_is_refused(values):
    with pytest.raises(TypeError, match=r"points must be \(n, 3\) finite numbers, got"):
        finite_points("points", values)


def test_paths_are_texts_or_paths():
    for given in ("a/b.tmap", Path("a/b.tmap")):
        assert checked_path("path", given) == Path("a/b.tmap")
    with pytest.raises(ValueError, match="path must be a path, got ''"):
        checked_path("path", "")
    for wrong in (None, 3, b"a"):
        with pytest.raises(TypeError, match="path must be a path, got"):
            checked_path("path", wrong)


def test_numbers_are_counted():
    assert finite_numbers("at", [1, 2.5], 2) == (1, 2.5)
    for wrong in ([1], [1, 2, 3], {1, 2}, {1: 2, 3: 4}):
        with pytest.raises(ValueError, match="at must be 2 finite numbers, got"):
            finite_numbers("at", wrong, 2)


def test_choices_and_truth_values():
    assert one_of("side", "left", ("left", "right")) == "left"
    with pytest.raises(ValueError, match="side must be one of 'left', 'right', got 'up'"):
        one_of("side", "up", ("left", "right"))
    assert true_or_false("is_on", np.True_) is True
    with pytest.raises(TypeError, match="is_on must be True or False, got 1"):
        true_or_false("is_on", 1)


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 step"), (2, "2 steps"), (0, "0 steps"), (1.0, "1 step"), (0.1 + 0.2, "0.3 steps")],
)
def test_a_count_has_its_noun_in_the_right_number(number, text):
    assert counted(number, "step") == text


def test_large_numbers_keep_their_digits():
    assert plain(1_234_567) == "1234567"
    assert plain(0.1 + 0.2) == "0.3"
