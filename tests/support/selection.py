"""Which cases each run tries, and which tests are skipped without a package or a tool."""

import importlib
import os
from typing import Any, NoReturn

import pytest

FEW, MANY = 40, 200
"""Examples of a property in each run, and by the profile `thorough`."""


def table(names, *cases):
    """Try a test with each of some cases, which have a value for each name."""
    return pytest.mark.parametrize(names.replace(" ", ","), cases)


def rest_nightly(cases, count):
    """Mark all but the first cases of a parameter as nightly."""
    later = [pytest.param(case, marks=pytest.mark.nightly) for case in cases[count:]]
    return [*cases[:count], *later]


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
