"""Pseudo-random numbers by position: their ranges, how even they are, and how smooth drift is."""

import numpy as np
import pytest

from terrain3d.mesh.ground.lattice import chance, drift

EVERY = np.arange(200)


def test_chances_are_even_over_0_to_1():
    numbers = chance(EVERY[:, None], EVERY, 7)
    assert 0.0 <= numbers.min() < 0.001
    assert 0.999 < numbers.max() < 1.0
    counts = np.histogram(numbers, bins=10, range=(0, 1))[0]
    # Ten standard deviations of a binomial distribution with a tenth of the numbers.
    assert np.abs(counts - 4000).max() < 10 * np.sqrt(40000 * 0.1 * 0.9)


@pytest.mark.parametrize("shift", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_chances_of_neighbors_and_of_other_salts_are_unrelated(shift):
    down, right, salt = shift
    one, other = (
        chance(EVERY[:, None], EVERY, 7),
        chance(EVERY[:, None] + down, EVERY + right, 7 + salt),
    )
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.03


@pytest.mark.parametrize("size", [2, 5])
def test_drift_is_smooth_over_minus_1_to_1(size):
    places = np.arange(0, 100, 0.25)
    numbers = drift(places, places, size, 3)
    assert -1.0 <= numbers.min() < -0.9
    assert 0.9 < numbers.max() <= 1.0
    assert abs(numbers.mean()) < 0.1
    for axis in (0, 1):  # from one lattice line to the next it changes by 2 at most
        assert np.abs(np.diff(numbers, axis=axis)).max() <= 2.0 * 0.25 / size + 1e-6


def test_drift_at_a_place_does_not_depend_on_the_others():
    places = np.arange(-20.0, 20.0)
    whole = drift(places, places, 5, 1)
    np.testing.assert_allclose(
        drift(places[13:20], places[3:9], 5, 1), whole[13:20, 3:9], atol=1e-6
    )
