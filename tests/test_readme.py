"""The README says what is so: its code runs, its keys and files are those of the program."""

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import main
from terrain3d import landscape, view
from terrain3d.view.hud import KEYS as HUD_KEYS
from tests import screenshots

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

OFFSCREEN = """
load-display p3headlessgl
aux-display p3tinydisplay
window-type offscreen
audio-library-name null
"""

# base.run() never returns: here it plays a few frames and a click, then reports.
STAGE = """
import sys
from direct.showbase.ShowBase import ShowBase
def play(base):
    for _ in range(3):
        base.task_mgr.step()
    board, mira, terrain = (names[key] for key in ("board", "mira", "terrain"))
    goal = board.reach(mira).cells[-1]
    terrain.tile_clicked.emit(goal, "left")
    assert mira.cell == goal and mira.is_moving
    figure, start = names["figure"], names["figure"].np.get_pos()
    for _ in range(500):
        names["tree"].advance(0.05)
    assert not mira.is_moving
    assert (figure.np.get_pos() - tilemap_point(names, goal)).length() < 1e-4
    assert (figure.np.get_pos() - start).length() > 0.5
    base.task_mgr.step()
    from panda3d.core import PNMImage
    picture = PNMImage()
    assert base.win.get_screenshot(picture)
    across, down = range(0, picture.get_x_size(), 7), range(0, picture.get_y_size(), 7)
    print("colors", len({tuple(picture.get_xel(x, y)) for x in across for y in down}))
def tilemap_point(names, cell):
    from panda3d.core import LPoint3
    return LPoint3(*names["tilemap"].surface_point(cell))
ShowBase.run = play
names = {}
exec(compile(sys.stdin.read(), "README.md", "exec"), names)
"""


def test_the_ten_lines_for_a_game_run_as_printed(tmp_path):
    (tmp_path / "offscreen.prc").write_text(OFFSCREEN)
    done = subprocess.run(
        [sys.executable, "-c", STAGE],
        input=BLOCKS[0],
        env=os.environ | {"PANDA_PRC_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split("colors")[1]) > 50


@pytest.mark.parametrize("block", BLOCKS[1:])
def test_the_examples_without_an_engine_run_as_printed(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for the files they write
    exec(compile(block, "README.md", "exec"), {})


def test_the_examples_are_there_and_short():
    game, headless, *_ = BLOCKS
    assert len([line for line in game.splitlines() if "import" not in line and line]) <= 11
    assert len([line for line in headless.splitlines() if "import" not in line and line]) <= 12


def test_the_table_of_keys_is_that_of_the_program():
    table = README.split("| keys | what they do |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    tables = (view.COMMAND_KEYS, view.EDITOR_KEYS, view.THEATRE_KEYS)
    tables = (*tables, view.CAMERA_KEYS, view.MAP_KEYS, view.SETTINGS_KEYS)
    assert rows == [*itertools.chain(*tables), *main.KEYS, *HUD_KEYS]


def test_the_table_of_the_theatres_keys_is_that_of_the_program():
    table = README.split("| while a search plays | what they do |")[1].split("\n\n")[0]
    assert tuple(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)) == view.STAGE_KEYS


def test_every_module_is_named_in_the_table_of_files():
    named = set(re.findall(r"`((?:terrain3d|ai|main)[\w/.]*)`", README))
    for package in ("terrain3d", "ai"):
        for path in (ROOT / package).iterdir():
            if path.name.startswith("_") or (path.suffix != ".py" and not path.is_dir()):
                continue
            name = f"{package}/{path.name}" + ("/" if path.is_dir() else "")
            assert name in named, f"{name} is not in README.md"


def test_the_picture_of_the_bridge_shows_one_on_it_and_one_on_the_road_below():
    board = screenshots.meeting(landscape(20, 20, 3))
    above, below = (unit.cell for unit in board.units)
    assert above[:2] == below[:2]
    names = [board.tilemap.kind_at(cell).name for cell in (above, below)]
    assert names == ["wood", "road"]
    assert not any(unit.is_moving for unit in board.units)
    assert "`python -m tests.screenshots docs`" in README


def test_every_file_that_is_named_exists():
    for name in re.findall(r"`((?:terrain3d|ai|tests|docs)/[\w/.]*)`", README):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"\]\((\w[\w/.]*)\)", README):
        assert (ROOT / name).exists(), name
