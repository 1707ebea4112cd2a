"""How many cases each run tries, and which tests are skipped without a package or a tool."""

import importlib
import os
from typing import Any, NoReturn

import pytest

FEW, MANY = 40, 200
"""Examples of a property in each run, and by the profile `thorough`."""


def rest_nightly(cases, count):
    """Mark all but the first cases of a parameter as nightly."""
    return [
        case if number < count else pytest.param(case, marks=pytest.mark.nightly)
        for number, case in enumerate(cases)
    ]


def skip_or_fail(reason: str) -> NoReturn:
    """Skip a test that lacks something; where CI is set, nothing may be lacking."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def import_or_skip(name: str) -> Any:
    """Import a package of the extra `dev`; without it skip the test, or the module at its top."""
    if os.environ.get("CI"):
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f'needs {name}: pip install -e ".[dev]"')
