"""The examples in docstrings hold."""

import doctest
import importlib

import pytest

from tests.support.paths import ROOT

PATHS = sorted(path for package in ("ai", "terrain3d") for path in (ROOT / package).rglob("*.py"))
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in PATHS
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_hold(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
