"""The cache of compiled functions on a full disk: it is not written, and nothing wrong is read."""

import pytest

from tests.ai.search.test_cache import NOTICE
from tests.support import ROOT
from tests.support.limits import full_disk
from tests.support.programs import fork_python

MODULE = """
import runpy
compiled = runpy.run_path({jit!r})["compiled"]

@compiled
def add(x):
    return x + {number}

print(add(1))
"""
RUN = """
import runpy, sys
import numba
numba.config.CACHE_DIR, numba.config.DISABLE_JIT = sys.argv[1], 0
runpy.run_path(sys.argv[2])
"""


def run(begin, cache, module):
    done = fork_python(begin + RUN, cache, module)
    return done.stdout.strip(), done.stderr.replace(NOTICE, "")  # on a slow machine


@pytest.mark.parametrize("is_mounted", [True, False])
def test_a_full_disk_costs_the_cache_and_code_of_before_is_not_used(tmp_path, is_mounted):
    module, cache, full = tmp_path / "adding.py", tmp_path / "cache", tmp_path / "full"
    full.mkdir()
    module.write_text(MODULE.format(jit=str(ROOT / "ai/search/jit.py"), number=1))
    assert run("", cache, module) == ("2", "")
    assert list(cache.rglob("*.nbc"))
    module.write_text(MODULE.format(jit=str(ROOT / "ai/search/jit.py"), number=10))
    with full_disk(full, is_mounted, free=4096) as begin:
        where = full if is_mounted else cache
        assert run(begin, where, module) == ("11", "")
        assert is_mounted == (not list(where.rglob("*.nbc")))
    assert run("", cache, module) == ("11", "")
