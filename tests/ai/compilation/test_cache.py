"""The cache of compiled functions where it cannot be made, is damaged, or is shared."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.support.paths import ROOT

MODULE = """
from ai.compilation.jit import compiled

@compiled
def add(x):
    return x + 1

@compiled
def double(x):
    return add(x) * 2

print(add(1), add(1.5), double(1), sum(add.stats.cache_hits.values()))
"""
RIGHT = "2 2.5 4"
DAMAGES = {
    "empty": lambda data: data[:0],
    "halved": lambda data: data[: len(data) // 2],
    "zeroed": lambda data: bytes(len(data)),
    "random": lambda data: np.random.default_rng(7).bytes(len(data)),
    "shifted": lambda data: b"not what it was\n" + data,
}


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "adding.py"
    path.write_text(MODULE)
    return path


def start(module, cache, **variables):
    """Start a process that compiles into a folder, or looks for one itself if it is None."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    environment.pop("NUMBA_CACHE_DIR", None)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    return subprocess.Popen(
        [sys.executable, str(module)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    """Return what a process has printed: its answers, its number of cache hits, its errors."""
    out, error = process.communicate(timeout=120)
    answers, _, hits = out.strip().rpartition(" ")
    return answers, hits, error


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_compiled_again_and_replaced(module, tmp_path, damage, suffix):
    cache = tmp_path / "cache"
    assert ended(start(module, cache)) == (RIGHT, "0", "")
    files = list(cache.rglob(f"*{suffix}"))
    assert len(files) >= 2
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    assert ended(start(module, cache)) == (RIGHT, "0", "")
    assert ended(start(module, cache)) == (RIGHT, "2", "")


def test_code_for_other_types_is_not_run(module, tmp_path):
    """Two processes that save at the same time can give two entries one name."""
    cache = tmp_path / "cache"
    assert ended(start(module, cache)) == (RIGHT, "0", "")
    one, two = sorted(cache.rglob("adding.add-*.nbc"))
    one_data, two_data = one.read_bytes(), two.read_bytes()
    one.write_bytes(two_data)
    two.write_bytes(one_data)
    assert ended(start(module, cache)) == (RIGHT, "0", "")
    assert ended(start(module, cache)) == (RIGHT, "2", "")


@pytest.mark.parametrize("damage", [None, *DAMAGES.values()], ids=["none", *DAMAGES])
def test_four_processes_at_once_all_answer(module, tmp_path, damage):
    cache = tmp_path / "cache"
    if damage is not None:
        ended(start(module, cache))
        for file in cache.rglob("*.nb?"):
            file.write_bytes(damage(file.read_bytes()))
    for answers, _, error in map(ended, [start(module, cache) for _ in range(4)]):
        assert (answers, error) == (RIGHT, "")
    assert ended(start(module, cache))[0] == RIGHT


def test_without_a_place_for_the_cache_one_warning_says_what_to_set(module, tmp_path):
    # The administrator can write everywhere, so a file stands where the folder would be.
    (tmp_path / "__pycache__").touch()
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}
    answers, hits, error = ended(start(module, None, **nowhere))
    assert (answers, hits) == (RIGHT, "0")
    assert error.count("NUMBA_CACHE_DIR") == 1
    assert error.count("Warning") == 1


def test_a_place_that_is_named_but_cannot_be_made_is_not_needed(module, tmp_path):
    (tmp_path / "file").touch()
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}
    answers, _, error = ended(start(module, tmp_path / "file" / "cache", **nowhere))
    assert answers == RIGHT
    assert error == "" or error.count("NUMBA_CACHE_DIR") == 1
