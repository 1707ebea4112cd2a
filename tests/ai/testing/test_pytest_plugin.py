"""The pytest plugin in the tests of a game: each map file is a test that fails with the report."""

import re

import pytest

from terrain3d import TileMap
from tests.support.forks import fork_python
from tests.support.pages import DOCS

PAGE = (DOCS / "map-doctor.md").read_text(encoding="utf-8")
[GAME] = re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def game(tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "test_maps.py").write_text(GAME)
    TileMap.from_text("0012").save(tmp_path / "maps" / "stairs.tmap")
    return tmp_path


PYTEST = """
import os, sys
import pytest
sys.path.insert(0, os.getcwd())
sys.exit(pytest.main(["-p", "ai.testing.pytest_plugin", "-v", "--strict-markers"]))
"""
ENVIRONMENT = {"COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def run(folder):
    """Run pytest in a folder, and return its exit status and what it prints."""
    done = fork_python(PYTEST, cwd=folder, env=ENVIRONMENT, check=False)
    return done.returncode, done.stdout + done.stderr


def test_sound_maps_pass_one_by_one(game):
    TileMap.from_text("000").save(game / "maps" / "hall.tmap")
    status, printed = run(game)
    assert status == 0, printed
    assert "test_a_map_is_sound[maps/hall.tmap] PASSED" in printed
    assert "test_a_map_is_sound[maps/stairs.tmap] PASSED" in printed


def test_a_pattern_may_be_absolute_or_go_into_folders(game):
    (game / "maps" / "deep").mkdir()
    TileMap.from_text("000").save(game / "maps" / "deep" / "hall.tmap")
    patterns = f'"{(game / "maps").as_posix()}/*.tmap", "**/hall.tmap"'
    test = GAME.replace('"maps/*.tmap", "maps/*.tmx"', patterns)
    (game / "test_maps.py").write_text(test)
    status, printed = run(game)
    assert status == 0, printed
    assert "2 passed" in printed
    assert "test_a_map_is_sound[maps/deep/hall.tmap] PASSED" in printed


def test_a_map_with_a_problem_fails_with_the_report(game):
    tilemap = TileMap.from_text("0003\n0000")
    tilemap.extras["units"] = [{"cell": [0, 0]}, {"cell": [0, 3]}]
    tilemap.save(game / "maps" / "hill.tmap")
    status, printed = run(game)
    assert status == 1
    assert "1 failed, 1 passed" in printed
    assert "spawn: (0, 3) cannot be reached from the spawn on (0, 0)" in printed
    assert "island: (0, 3) cannot be reached; fix: lower (0, 3) by 2" in printed


def test_a_file_that_is_no_map_fails(game):
    (game / "maps" / "bad.tmap").write_text("{")
    status, printed = run(game)
    assert status == 1
    assert "MapFileError" in printed


def test_no_files_at_all_is_an_error(game):
    (game / "maps" / "stairs.tmap").unlink()
    status, printed = run(game)
    assert status == 2
    assert "matches maps/*.tmap, maps/*.tmx" in printed
