"""The command `check`: exit status, text and JSON, units as spawns, bad files."""

import json

import pytest

from terrain3d import TileMap
from terrain3d.program import main
from tests.support.tiled_files import PLAIN, layer, objects, tmx


@pytest.fixture
def hill(tmp_path):
    """A map with a hill that is too high."""
    TileMap.from_text("0003\n0000").save(tmp_path / "hill.tmap")
    return tmp_path / "hill.tmap"


def test_a_sound_map(tmp_path, capsys):
    TileMap.from_text("012").save(tmp_path / "stairs.tmap")
    assert main(["check", str(tmp_path / "stairs.tmap")]) == 0
    assert capsys.readouterr().out == "3 of 3 surfaces are connected: sound\n"


def test_a_map_with_a_problem(hill, capsys):
    assert main(["check", str(hill)]) == 1
    assert capsys.readouterr().out == (
        "7 of 8 surfaces are connected: 1 island\n"
        "island: (0, 3) cannot be reached; fix: lower (0, 3) by 1\n"
    )


def test_the_rules_are_options(hill, capsys):
    assert main(["check", str(hill), "--max-climb", "3"]) == 0
    assert main(["check", str(hill), "--max-climb", "1", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out.splitlines()[1])["problems"]
    assert problem["fix"]["edits"] == [["set_level", [0, 3, 0], 1]]


def test_units_of_the_file_are_spawns(hill, capsys):
    tilemap = TileMap.load(hill)
    tilemap.extras["units"] = [{"cell": [0, 0]}, {"cell": [0, 3]}, {"cell": [9, 9]}]
    tilemap.save(hill)
    assert main(["check", str(hill)]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[1] == (
        "spawn: (0, 3) cannot be reached from the spawn on (0, 0); fix: lower (0, 3) by 1"
    )
    assert printed.err.startswith("unit 3 is left out: cell (9, 9) is outside the map")


def test_units_of_other_rules_are_no_spawns(hill, capsys):
    tilemap = TileMap.load(hill)
    tilemap.extras["units"] = [{"cell": [0, 0]}, {"cell": [0, 3], "mover": "flyer"}]
    tilemap.save(hill)
    assert main(["check", str(hill)]) == 1
    assert "spawn" not in capsys.readouterr().out


def test_objects_of_a_tiled_map_are_spawns(tmp_path, capsys):
    units = '<object id="1" x="4" y="4"/><object id="2" x="20" y="4"/>'
    wall = '<object id="3" x="4" y="4"><polyline points="0,0 8,0"/></object>'
    parts = layer("aaa"), objects(units, "units"), objects(wall, "walls")
    (tmp_path / "gate.tmx").write_text(tmx(*parts, shape=(1, 3), tileset=PLAIN))
    assert main(["check", str(tmp_path / "gate.tmx")]) == 1
    first = capsys.readouterr().out.splitlines()[1]
    assert first.startswith("spawn: (0, 0) cannot reach the spawn on (0, 2), nor be reached")
    assert first.endswith("open the wall between (0, 1) and (0, 0)")


@pytest.mark.parametrize("content", [b"", b"{", b"\x00\xff", b'{"format": "terrain3d"}', None])
def test_a_bad_file_is_bad_input(tmp_path, capsys, content):
    path = tmp_path / "bad.tmap"
    if content is not None:
        path.write_bytes(content)
    assert main(["check", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "bad.tmap" in printed.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--max-climb", "-1"], "--max-climb must be in 0..32767 levels, got -1"),
        (["--uphill", "x"], "--uphill"),
        (["--seed", "3"], "--seed"),
    ],
)
def test_bad_options_are_bad_input(hill, capsys, more, said):
    assert main(["check", str(hill), *more]) == 2
    assert said in capsys.readouterr().err
