"""How many cases each run tries, and which are left to the nightly run."""

import pytest

FEW, MANY = 40, 200
"""Examples of a property in each run, and by the profile `thorough`."""


def rest_nightly(cases, count):
    """Mark all but the first cases of a parameter as nightly."""
    return [
        case if number < count else pytest.param(case, marks=pytest.mark.nightly)
        for number, case in enumerate(cases)
    ]
