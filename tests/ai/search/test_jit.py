"""Compiled functions: on a full disk, a notice of a long compilation, and all without numba."""

import sys
import threading
import time

import pytest

from ai.search import jit
from tests.ai.search.test_cache import NOTICE
from tests.support import ROOT
from tests.support.limits import full_disk
from tests.support.programs import fork_python, run_python
from tests.support.selection import import_or_skip

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


@pytest.mark.parametrize("is_mounted", [True, False])
def test_a_full_disk_costs_the_cache_and_code_of_before_is_not_used(tmp_path, is_mounted):
    module, cache, full = tmp_path / "adding.py", tmp_path / "cache", tmp_path / "full"
    full.mkdir()

    def added(number, where=cache, begin=""):
        module.write_text(MODULE.format(jit=str(ROOT / "ai/search/jit.py"), number=number))
        done = fork_python(begin + RUN, where, module)
        return done.stdout.strip(), done.stderr.replace(NOTICE, "")  # on a slow machine

    assert added(1) == ("2", "")
    assert list(cache.rglob("*.nbc"))
    with full_disk(full, is_mounted, free=4096) as begin:
        where = full if is_mounted else cache
        assert added(10, where, begin) == ("11", "")
        assert is_mounted == (not list(where.rglob("*.nbc")))
    assert added(10) == ("11", "")


event = import_or_skip("numba.core.event")
COMPILING = "numba:compile"


@pytest.fixture
def notice(monkeypatch):
    """Let another notice than the program's own, which has had its say, hear of compilations."""
    monkeypatch.setattr(jit, "AFTER_S", 0.01)
    notice = jit._Notice()
    event.unregister(COMPILING, jit._notice)
    event.register(COMPILING, notice)
    yield
    event.unregister(COMPILING, notice)
    event.register(COMPILING, jit._notice)


@pytest.mark.usefixtures("notice")
def test_the_first_long_compilation_is_noticed_once_also_if_it_compiles_others(capsys):
    said, end = "", time.monotonic() + 30
    with event.trigger_event(COMPILING), event.trigger_event(COMPILING):
        while not said and time.monotonic() < end:
            time.sleep(0.01)
            said = capsys.readouterr().err
    assert said == NOTICE
    with event.trigger_event(COMPILING):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("notice")
def test_short_compilations_are_not_noticed(capsys, monkeypatch):
    monkeypatch.setattr(jit, "AFTER_S", 60)
    for _ in range(3):
        with event.trigger_event(COMPILING):
            pass
    timers = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    assert all(timer.finished.is_set() for timer in timers)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("notice")
def test_a_program_without_a_standard_error_goes_on(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with event.trigger_event(COMPILING):
        time.sleep(0.05)


SLOW_QUERIES = """
import sys
if "without" in sys.argv:
    sys.modules["numba"] = None  # an import of it fails from now on
from ai import Navigation, SquadPlanner, check, movers, warm_up
from terrain3d import TileMap

tilemap = TileMap.from_noise(7, 7, seed=3)
warm_up(tilemap)
nav = Navigation(tilemap)
for mover in movers.LIGHT_FOOT, movers.SWIMMER, movers.FLYER, movers.WARP:
    print(list(nav.find_path((0, 0), (6, 6), mover)))
    print(nav.reach((0, 0), 5, mover).as_costs().tolist())
    print(nav.cost_field((3, 3), mover).cost.tolist())
nav.build_index()
print(list(nav.find_path((0, 0), (6, 6))), check(nav))
print(SquadPlanner(nav).plan([(0, 0), (0, 1)], [(5, 5), (5, 6)]).paths)
"""


def test_the_answers_are_the_same_and_one_warning_says_that_they_are_slow():
    here, without = fork_python(SLOW_QUERIES), run_python("-c", SLOW_QUERIES, "without", check=True)
    assert without.stdout == here.stdout
    assert "Warning" not in here.stderr  # it may say that it compiles
    assert without.stderr.count("RuntimeWarning: searches run as plain Python") == 1
