"""Checks return what is stored and refuse the rest by type, limit and value; counts in texts."""

import math
import pickle
import re
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import ai
import terrain3d
from terrain3d import TileMap
from terrain3d.core.checks import (
    checked_function,
    checked_path,
    counted,
    finite_number,
    finite_numbers,
    finite_points,
    number_within,
    one_of,
    plain,
    positive_number,
    quoted,
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
    ("values", "got"),
    [
        ([1, 2, 3], "shape"),
        ([(1, 2)], "shape"),
        (np.zeros((3, 4)), "shape"),
        (np.zeros((1, 3, 3)), "shape"),
        ([(0, 0, 0), (1, 2, math.inf)], r"\[1.0, 2.0, inf\]"),
    ],
)
def test_points_of_another_shape_or_not_finite_are_refused(values, got):
    with pytest.raises(ValueError, match=rf"points must be \(n, 3\) finite numbers, got {got}"):
        finite_points("points", values)


@pytest.mark.parametrize("values", ["abc", [(1, 2), (3,)], [10**400]])
def test_what_is_no_array_of_numbers_is_refused(values):
    with pytest.raises(TypeError, match=r"points must be \(n, 3\) finite numbers, got"):
        finite_points("points", values)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a" * 98, f"'{'a' * 98}'"),
        ("a" * 99, f"'{'a' * 96}..."),
        (range(3), "range(0, 3)"),
        (10**5000, "an integer of 16610 bits"),
    ],
    ids=["short", "long", "range", "integer"],
)
def test_a_value_is_quoted_in_at_most_100_characters(value, text):
    assert quoted(value) == text


def test_messages_quote_values_cut():
    for package in (ai, terrain3d):
        for file in Path(package.__file__).parent.rglob("*.py"):
            if "formats" not in file.parts:  # there texts from files are cut as they are read
                assert not re.findall(r"got \{[^{}]*!r\}", file.read_text("utf-8")), file


LONG = np.longdouble("1e4000")  # beyond the range of floats, where long doubles are longer
NUMBER_CHECKS = {
    "positive": positive_number,
    "finite": finite_number,
    "within": lambda name, value: number_within(name, value, 0),
}


@pytest.mark.parametrize("check", NUMBER_CHECKS)
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.longdouble])
def test_numbers_of_numpy_become_numbers_of_python(check, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [NUMBER_CHECKS[check]("speed", value) for value in (kind(2.5), np.int8(3))]
    assert (found, list(map(type, found))) == ([2.5, 3], [float, int])


@pytest.mark.parametrize("check", NUMBER_CHECKS)
@pytest.mark.parametrize("number", [LONG, 10**400, 10**5000], ids=["long", "int", "longer int"])
def test_numbers_beyond_those_of_floats_are_refused(check, number):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if np.isinf(LONG) and number is LONG:
            pytest.skip("long doubles are not longer on this system")
        with pytest.raises(ValueError, match=r"speed must be at most 1\.8e\+308, got "):
            NUMBER_CHECKS[check]("speed", number)


def test_arrays_of_long_doubles_are_refused_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="finite numbers"):
            finite_points("points", [(LONG, 0, 0)])
        with pytest.raises(ValueError, match="heights must be in"):
            TileMap.from_heights(np.array([[LONG, 0]]))


@pytest.mark.parametrize("function", [max, partial(lambda: 0, 1), dict.fromkeys])
def test_a_function_that_does_not_tell_its_arguments_is_named_when_its_call_fails(function):
    with pytest.raises(TypeError, match=r"goal must be a function of 0 arguments, got") as caught:
        checked_function("goal", function, 0)()
    assert quoted(function) in str(caught.value)


def test_a_function_that_does_not_tell_its_arguments_is_called():
    kept = pickle.loads(pickle.dumps(checked_function("pick", max, 2)))
    assert kept(3, 5) == 5


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
