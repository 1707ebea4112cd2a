"""The page of formats says what is so: its commands run as printed, its table is the program's."""

import json
import re
import shlex

import numpy as np
import pytest

import main
from ai import Board, MoveProfile
from ai.game.unit_loader import UnitLoader
from ai.movers import ACROBAT, BY_NAME, HEAVY_FOOT
from terrain3d import landscape
from terrain3d.app import convert
from terrain3d.mapfile import formats
from tests.support.pages import ROOT, blocks_of, run_in_window

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()
]
ROWS = re.findall(r"^\| .+? \| (`\..+?) \| (yes|no) \| (yes|no) \|", PAGE, re.MULTILINE)


def suffixes(column):
    return {
        suffix
        for row in ROWS
        if row[column] == "yes"
        for suffix in row[0].replace("`", "").split(", ")
    }


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    landscape(20, 20, 3).save("vale.tmap")
    south, east = np.mgrid[0:1201, 0:1201]
    (1500 + 900 * np.sin(east / 90) * np.cos(south / 130)).astype(">i2").tofile("N46E007.hgt")
    np.save("dem.npy", np.hypot(south, east)[:200, :100])
    (tmp_path / "hill.asc").write_text("ncols 4\nnrows 2\n100 110 120 130\n100 120 130 140\n")
    (tmp_path / "Map1.map").write_text("type octile\nheight 1\nwidth 3\nmap\nFHP\n")
    (tmp_path / "terrain.weight").write_text("F 2\nH 1\nP 3.5\n")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_its_commands_run_as_printed(capsys):
    assert len(COMMANDS) == 12
    for command in COMMANDS:
        python, program, *words = shlex.split(command)
        assert (python, program) == ("python", "main.py")
        assert main.main(words) == 0, command
    assert "left out: " in capsys.readouterr().out


def test_its_program_shows_the_map(folder):
    (block,) = blocks_of(PAGE)
    register = "from panda3d.core import LoaderFileTypeRegistry as Types\n"
    register += "from terrain3d.view.window.model_loader import TmapLoader\n"
    # The way by which an installed package is found has a test of its own.
    register += "Types.get_global_ptr().register_type(TmapLoader)\n"
    assert run_in_window(register + block, "", folder)[1] > 50


def test_its_table_is_that_of_the_program():
    read = {suffix for known in (formats.TEXT, *formats.FORMATS) for suffix in known.suffixes}
    assert suffixes(1) == read
    assert suffixes(2) == {*formats.WRITERS, *convert.MODELS, ".bam"}


def test_its_units_stand_in_the_scene():
    (units,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    tilemap = landscape(20, 20, 3)
    tilemap.extras = json.loads(f"{{{units}}}")
    with tilemap.edit() as edit:
        edit.add_deck((2, 3), level=tilemap.level_at((2, 3)) + 3)
    loader = UnitLoader(Board(tilemap), MoveProfile())
    assert [unit.profile for unit in loader.board.units] == [ACROBAT, HEAVY_FOOT]
    assert loader.notes == []


def test_its_table_of_units_names_every_mover():
    (row,) = re.findall(r"^\| `mover` \| (.*?), else", PAGE, re.MULTILINE)
    assert re.findall(r'"(.+?)"', row) == list(BY_NAME)
    names = re.findall(r"^\| `(\w+)` \|", PAGE.split("## Units")[1].split("##")[0], re.MULTILINE)
    assert names == ["cell", "name", "team", "mover", "move", "heading_deg"]
