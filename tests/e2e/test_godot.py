"""A map fills a GridMap in a real Godot 3 by the script of the documentation.

sudo apt install godot3-server
python -m pytest -m nightly tests/e2e/test_godot.py

Where only `godot3` is installed, it runs on a virtual screen.
"""

import os
import re
import shutil
import subprocess
from contextlib import nullcontext

import pytest

from terrain3d import TileMap
from tests.support.desktop import screen
from tests.support.paths import ROOT

pytestmark = pytest.mark.nightly

RUN = """
extends SceneTree

func _init():
	var library = MeshLibrary.new()
	for name in %s:
		var item = library.get_last_unused_item_id()
		library.create_item(item)
		library.set_item_name(item, name)
	var grid = GridMap.new()
	grid.mesh_library = library
	grid.set_script(load("res://fill.gd"))
	get_root().add_child(grid)
	grid._ready()
	print("size ", grid.cell_size)
	for cell in grid.get_used_cells():
		var item = grid.get_cell_item(int(cell.x), int(cell.y), int(cell.z))
		var place = str(int(cell.x), " ", int(cell.y), " ", int(cell.z))
		print("cell ", place, " ", library.get_item_name(item))
	quit()
"""


def test_each_block_stands_in_godot_where_the_file_has_it(tmp_path):
    server = shutil.which("godot3-server")
    program = server or shutil.which("godot3")
    assert program, "needs godot3-server: sudo apt install godot3-server"
    tilemap = TileMap.from_noise(6, 7, 3, step_height=0.25)
    with tilemap.edit() as edit:
        edit.add_deck((2, 3), level=12, kind="wood", thickness=2)
    tilemap.export(tmp_path / "vale.json")
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    scripts = re.findall(r"```gdscript\n(.*?)```", page, re.DOTALL)
    (script,) = [text for text in scripts if "File.new()" in text]
    (tmp_path / "fill.gd").write_text(script)
    (tmp_path / "project.godot").write_text("config_version=4\n")
    names = [kind.name for kind in tilemap.kinds]
    (tmp_path / "run.gd").write_text(RUN % str(names).replace("'", '"'))
    with nullcontext("") if server else screen() as display:
        done = subprocess.run(
            [program, "--path", str(tmp_path), "-s", "run.gd"],
            env={**os.environ, "DISPLAY": display, "HOME": str(tmp_path)},
            **{"capture_output": True, "text": True, "check": True, "timeout": 120},
        )
    assert "size (1, 0.25, 1)" in done.stdout, done.stdout + done.stderr
    found = {
        (int(x), int(y), int(z)): name
        for x, y, z, name in re.findall(r"cell (-?\d+) (-?\d+) (-?\d+) (.+)", done.stdout)
    }
    again = TileMap.load(tmp_path / "vale.json")
    assert again.level.tolist() == tilemap.level.tolist()
    for row in range(tilemap.rows):
        for col in range(tilemap.cols):
            for deck in tilemap.decks_at((row, col)):
                top = col, tilemap.level_at((row, col, deck)) - 1, row
                assert found[top] == tilemap.kind_at((row, col, deck)).name
    assert len(found) == len(re.findall(r"cell ", done.stdout))
