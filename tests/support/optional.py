"""Packages and tools that some tests need: a test without them is skipped, or fails in CI."""

import importlib
import os
from typing import Any, NoReturn

import pytest


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
