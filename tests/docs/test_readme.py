"""The README says what is so: its code runs, its keys and files are those of the program."""

import itertools
import re

import pytest

import main
from terrain3d import landscape, view
from terrain3d.view.hud.hud import KEYS as HUD_KEYS
from tests import screenshots
from tests.support.pages import ROOT, blocks_of, run_in_window

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks_of(README)

# A click on the farthest tile, and the walk there.
CLICK = """
goal = board.reach(mira).cells[-1]
terrain.tile_clicked.emit(goal, "left")
assert mira.cell == goal and mira.is_moving
start = figure.np.get_pos()
for _ in range(500):
    tree.advance(0.05)
assert not mira.is_moving
assert (figure.np.get_pos() - type(start)(*tilemap.surface_point(goal))).length() < 1e-4
assert (figure.np.get_pos() - start).length() > 0.5
"""


def test_the_ten_lines_for_a_game_run_as_printed(tmp_path):
    _, n_colors = run_in_window(BLOCKS[0], CLICK, tmp_path)
    assert n_colors > 50


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
    tables = (view.COMMAND_KEYS, view.BOX_KEYS, view.EDITOR_KEYS, view.THEATRE_KEYS)
    tables = (*tables, view.CAMERA_KEYS, view.MAP_KEYS, view.SETTINGS_KEYS)
    assert rows == [*itertools.chain(*tables), *main.KEYS, *HUD_KEYS]


@pytest.mark.parametrize(
    ("when", "keys"),
    [("a search plays", view.STAGE_KEYS), ("a map is made", view.DRAWING_KEYS)],
)
def test_the_tables_of_further_keys_are_those_of_the_program(when, keys):
    table = README.split(f"| while {when} | what they do |")[1].split("\n\n")[0]
    assert tuple(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)) == keys


def test_the_picture_of_the_bridge_shows_one_on_it_and_one_on_the_road_below():
    board = screenshots.meeting(landscape(20, 20, 3))
    above, below = (unit.cell for unit in board.units)
    assert above[:2] == below[:2]
    names = [board.tilemap.kind_at(cell).name for cell in (above, below)]
    assert names == ["wood", "road"]
    assert not any(unit.is_moving for unit in board.units)
    assert "`python -m tests.screenshots docs`" in README


def test_the_gallery_shows_what_there_is_to_look_at():
    shown = re.findall(r"\]\((.+?)\)", (ROOT / "docs/gallery.md").read_text(encoding="utf-8"))
    sides = [f"from-{side}.png" for side in ("southeast", "northeast", "northwest", "southwest")]
    moments = ["reach.png", "path.png", "refused.png", "bridge.png", "search.gif", "making.png"]
    assert {*sides, "noon.png", "dusk.png", "night.png", *moments} <= set(shown)


def test_every_file_that_is_named_exists():
    for name in re.findall(r"`((?:terrain3d|ai|tests|docs)/[\w/.]*)`", README):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"\]\((\w[\w/.]*)\)", README):
        assert (ROOT / name).exists(), name
