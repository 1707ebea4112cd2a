"""Checks return what is stored and refuse the rest by type, limit and value; counts in texts."""

import pickle
import warnings
from functools import partial

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.core import checks


@pytest.mark.parametrize("values", [[], (), np.zeros((0, 3)), np.zeros((0, 5)), [[]]])
def test_no_points_have_three_columns_like_all_points(values):
    assert checks.finite_points("points", values).shape == (0, 3)


def test_points_are_copied_as_floats():
    given = np.array([(1, 2, 3)] * 5)
    points = checks.finite_points("points", given)
    assert (points.shape, points.dtype) == ((5, 3), np.float64)
    points[0] = 7
    assert (given == (1, 2, 3)).all()


def test_a_value_is_quoted_in_at_most_100_characters():
    texts = f"'{'a' * 98}'", f"'{'a' * 96}...", "range(0, 3)", "an integer of 16610 bits"
    assert (*map(checks.quoted, ("a" * 98, "a" * 99, range(3), 10**5000)),) == texts


LONG = np.longdouble("1e4000")  # beyond the range of floats, where long doubles are longer
NUMBER_CHECKS = {
    "positive": checks.positive_number,
    "finite": checks.finite_number,
    "within": lambda name, value: checks.number_within(name, value, 0),
}


@pytest.mark.parametrize("check", NUMBER_CHECKS)
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.longdouble])
def test_numbers_of_numpy_become_numbers_of_python(check, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [NUMBER_CHECKS[check]("speed", value) for value in (kind(2.5), np.int8(3))]
    assert (found, list(map(type, found))) == ([2.5, 3], [float, int])


def test_arrays_of_long_doubles_are_refused_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="finite numbers"):
            checks.finite_points("points", [(LONG, 0, 0)])
        with pytest.raises(ValueError, match="heights must be in"):
            TileMap.from_heights(np.array([[LONG, 0]]))


@pytest.mark.parametrize("function", [max, partial(lambda: 0, 1), dict.fromkeys])
def test_a_function_that_does_not_tell_its_arguments_is_named_when_its_call_fails(function):
    with pytest.raises(TypeError, match=r"goal must be a function of 0 arguments, got") as caught:
        checks.checked_function("goal", function, 0)()
    assert checks.quoted(function) in str(caught.value)


def test_a_function_that_does_not_tell_its_arguments_is_called():
    kept = pickle.loads(pickle.dumps(checks.checked_function("pick", max, 2)))
    assert kept(3, 5) == 5


def test_a_count_has_its_noun_in_the_right_number_and_large_ones_keep_their_digits():
    counts = [checks.counted(number, "step") for number in (1, 2, 0, 1.0, 0.1 + 0.2)]
    assert counts == ["1 step", "2 steps", "0 steps", "1 step", "0.3 steps"]
    assert [checks.plain(number) for number in (1_234_567, 0.1 + 0.2)] == ["1234567", "0.3"]
