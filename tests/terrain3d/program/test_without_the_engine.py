"""Commands in a process that cannot import Panda3D: some work, others name it in one line."""

import json

import pytest

from ai import Board, GameRecord
from terrain3d import TileMap
from tests.support.paths import ROOT
from tests.support.programs import NO_DISPLAY, run_python

RUN = """
import contextlib, io, json, sys
sys.modules["panda3d"] = sys.modules["direct"] = None
from terrain3d.program import main
results = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    results.append([status, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""
ENDS = ("--from", "0,0", "--to", "1,1")
SUFFIXES = ("tmap", "txt", "map", "asc", "npy", "png", "json", "glb")
WORKING = {
    "path": ("path", "--map", "hill.txt", *ENDS),
    **{f"convert to {each}": ("convert", "hill.txt", f"a.{each}") for each in SUFFIXES},
}
DRAWING = {
    "shot": ("shot", "--out", "out.png"),
    "theatre": ("theatre", "--map", "hill.txt", *ENDS, "--out", "out"),
    "watch": ("watch", "game.tmap"),
    "convert to bam": ("convert", "hill.txt", "a.bam"),
    "the scene": (),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("maps")
    (folder / "hill.txt").write_text("012\n011\n")
    GameRecord.of(Board(TileMap.from_text("00"))).save(folder / "game.tmap")
    return folder


@pytest.fixture(scope="module")
def results(folder):
    """Return the exit status of each command and what it prints, all from one process."""
    commands = WORKING | DRAWING
    env = NO_DISPLAY | {"PYTHONPATH": str(ROOT)}
    asked = json.dumps([*commands.values()])
    done = run_python("-c", RUN, asked, cwd=folder, env=env, check=True)
    return dict(zip(commands, json.loads(done.stdout), strict=True))


def test_paths_are_found_and_all_but_bam_is_written(folder, results):
    for name in WORKING:
        status, _, err = results[name]
        assert (status, err) == (0, ""), name
    assert {path.suffix[1:] for path in folder.glob("a.*")} == set(SUFFIXES)


@pytest.mark.parametrize("name", DRAWING)
def test_what_draws_names_the_missing_engine_in_one_line(results, name):
    line = "terrain3d: this needs Panda3D, which is not installed: pip install panda3d\n"
    assert results[name] == [2, "", line]
