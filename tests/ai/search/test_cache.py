"""The cache of compiled functions where it cannot be made, is damaged, or is shared."""

import shutil

import numpy as np
import pytest

from tests.support.programs import fork_python

MODULE = """
import sys
from ai.search.jit import compiled

@compiled
def add(x):
    return x + 1

@compiled
def double(x):
    return add(x) * 2

answers = add(1), add(1.5), double(1), sum(add.stats.cache_hits.values())
sys.stdout.write("%s %s %s %s\\n" % answers)  # at once, as several processes share the output
"""
RIGHT = "2 2.5 4"
NOTICE = "compiling the searches, once on this machine ...\n"
DAMAGES = {
    "empty": lambda data: data[:0],
    "halved": lambda data: data[: len(data) // 2],
    "zeroed": lambda data: bytes(len(data)),
    "random": lambda data: np.random.default_rng(7).bytes(len(data)),
    "shifted": lambda data: b"not what it was\n" + data,
}
START = """
import os, runpy, sys
import numba
module, numba.config.CACHE_DIR, count = sys.argv[1:]
numba.config.DISABLE_JIT = 0
children = []
while 0 not in children and len(children) < int(count) - 1:
    children.append(os.fork())
runpy.run_path(module)
sys.stdout.flush()
if 0 in children:
    os._exit(0)
for child in children:
    os.waitpid(child, 0)
"""
NOWHERE = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}


def run(module, cache="", count=1, env=()):
    """Compile into a folder, or let the process look for one itself, in several at once.

    Return the answers and numbers of cache hits that are printed, and the errors.
    """
    done = fork_python(START, module, cache, count, env=env)
    errors = done.stderr.replace(NOTICE, "")  # on a slow machine
    return [tuple(line.rsplit(" ", 1)) for line in done.stdout.splitlines()], errors


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("module") / "adding.py"
    path.write_text(MODULE)
    return path


@pytest.fixture(scope="module")
def filled(module, tmp_path_factory):
    cache = tmp_path_factory.mktemp("filled")
    assert run(module, cache) == ([(RIGHT, "0")], "")
    return cache


@pytest.fixture
def cache(filled, tmp_path):
    return shutil.copytree(filled, tmp_path / "cache")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_compiled_again_and_replaced(module, cache, damage, suffix):
    files = list(cache.rglob(f"*{suffix}"))
    assert len(files) >= 2
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    assert run(module, cache) == ([(RIGHT, "0")], "")
    assert run(module, cache) == ([(RIGHT, "2")], "")


def test_code_for_other_types_is_not_run(module, cache):
    """Two processes that save at the same time can give two entries one name."""
    one, two = sorted(cache.rglob("adding.add-*.nbc"))
    one_data, two_data = one.read_bytes(), two.read_bytes()
    one.write_bytes(two_data)
    two.write_bytes(one_data)
    assert run(module, cache) == ([(RIGHT, "0")], "")
    assert run(module, cache) == ([(RIGHT, "2")], "")


@pytest.mark.parametrize("damage", [None, *DAMAGES.values()], ids=["none", *DAMAGES])
def test_four_processes_at_once_all_answer(module, cache, damage):
    for file in cache.rglob("*.nb?"):
        if damage is None:
            file.unlink()
        else:
            file.write_bytes(damage(file.read_bytes()))
    printed, error = run(module, cache, count=4)
    assert ([answers for answers, _ in printed], error) == ([RIGHT] * 4, "")
    assert run(module, cache)[0][0][0] == RIGHT


def test_without_a_place_for_the_cache_one_warning_says_what_to_set(module):
    # The administrator can write everywhere, so a file stands where the folder would be.
    (module.parent / "__pycache__").touch()
    printed, error = run(module, env=NOWHERE)
    assert printed == [(RIGHT, "0")]
    assert error.count("NUMBA_CACHE_DIR") == 1
    assert error.count("Warning") == 1


def test_a_place_that_is_named_but_cannot_be_made_is_not_needed(module, tmp_path):
    (tmp_path / "file").touch()
    printed, error = run(module, tmp_path / "file" / "cache", env=NOWHERE)
    assert printed[0][0] == RIGHT
    assert error == "" or error.count("NUMBA_CACHE_DIR") == 1
