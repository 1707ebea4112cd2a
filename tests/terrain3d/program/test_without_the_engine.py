"""Commands in a process that cannot import Panda3D: some work, others name it in one line."""

import json

import pytest

from tests.support.paths import ROOT
from tests.support.programs import NO_DISPLAY, run_python

SUFFIXES = ("tmap", "txt", "glb")
RUN = f"""
import contextlib, io, json, sys
sys.modules["panda3d"] = sys.modules["direct"] = None
from terrain3d import TileMap
from terrain3d.program import main
for suffix in {SUFFIXES}:
    TileMap.load("hill.txt").save("a." + suffix)
results = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    results.append([status, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""
PATH = ("path", "--map", "hill.txt", "--from", "0,0", "--to", "1,1")
DRAWING = [["shot", "--out", "out.png"], []]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("maps")
    (folder / "hill.txt").write_text("012\n011\n")
    return folder


@pytest.fixture(scope="module")
def results(folder):
    """Return the exit status of each command and what it prints, all from one process."""
    env = NO_DISPLAY | {"PYTHONPATH": str(ROOT)}
    asked = json.dumps([PATH, *DRAWING])
    done = run_python("-c", RUN, asked, cwd=folder, env=env, check=True)
    return json.loads(done.stdout)


def test_a_path_is_found_and_maps_are_written(folder, results):
    status, out, err = results[0]
    assert (status, err) == (0, "")
    assert out
    assert {path.suffix[1:] for path in folder.glob("a.*")} == set(SUFFIXES)


def test_what_draws_names_the_missing_engine_in_one_line(results):
    line = "terrain3d: this needs Panda3D, which is not installed: pip install panda3d\n"
    assert results[1:] == [[2, "", line]] * len(DRAWING)
