"""The cache of compiled functions on a full disk: it is not written, and nothing wrong is read."""

import os
import subprocess
import sys

import pytest

from tests.support.failing_disk import full_disk
from tests.support.paths import ROOT

MODULE = """
import runpy
compiled = runpy.run_path({jit!r})["compiled"]

@compiled
def add(x):
    return x + {number}

print(add(1))
"""


def run(python, cache, module):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [*python, str(module)], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.strip(), done.stderr


@pytest.mark.parametrize("is_mounted", [True, False])
def test_a_full_disk_costs_the_cache_and_code_of_before_is_not_used(tmp_path, is_mounted):
    module, cache, full = tmp_path / "adding.py", tmp_path / "cache", tmp_path / "full"
    full.mkdir()
    module.write_text(MODULE.format(jit=str(ROOT / "ai/compilation/jit.py"), number=1))
    assert run([sys.executable], cache, module) == (0, "2", "")
    assert list(cache.rglob("*.nbc"))
    module.write_text(MODULE.format(jit=str(ROOT / "ai/compilation/jit.py"), number=10))
    with full_disk(full, is_mounted, free=4096) as python:
        where = full if is_mounted else cache
        assert run(python, where, module) == (0, "11", "")
        assert is_mounted == (not list(where.rglob("*.nbc")))
    assert run([sys.executable], cache, module) == (0, "11", "")
