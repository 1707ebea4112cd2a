"""`convert` and `info` as people use them: files in and out, notes, one line for bad input."""

import io
import os
from pathlib import Path

import numpy as np
import pytest

from terrain3d import TileKind, TileMap
from tests.support.programs import run, run_main

HILL = "012\n#11\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hill.txt").write_text(HILL)
    return tmp_path


def test_a_map_goes_from_one_format_to_another_and_back(folder, capsys):
    printed = run_main(capsys, "convert", "hill.txt", "hill.tmap")
    assert printed == (0, ["hill.tmap: 2 x 3 tiles, levels 0 to 2"], [])
    assert run_main(capsys, "convert", "hill.tmap", "again.TXT")[0] == 0
    assert (folder / "again.TXT").read_text() == HILL


def test_what_the_target_cannot_hold_is_said(folder, capsys):
    tilemap = TileMap.from_text("30003", topology="hex_odd_q", step_height=0.25)
    with tilemap.edit() as edit:
        edit.set_kind((0, 0), "rock")
        edit.add_deck([(0, 1), (0, 2)], level=3)
        edit.add_link((0, 0), (0, 4), cost=2)
        edit.add_wall((0, 2), (0, 3))
    tilemap.extras["metadata"] = {"title": "The ford"}
    tilemap.save("ford.tmap")
    status, out, _ = run_main(capsys, "convert", "ford.tmap", "ford.txt")
    assert (status, out[0]) == (0, "ford.txt: 1 x 5 tiles, levels 0 to 3")
    assert out[1:] == [
        "left out: 2 decks",
        "left out: 1 link",
        "left out: 1 wall",
        "left out: topology 'hex_odd_q'",
        "left out: step height 0.25",
        "left out: metadata",
        "left out: kinds of ground (rock become grass)",
    ]
    assert (folder / "ford.txt").read_text() == "30003\n"


def test_tilesets_of_tiled_maps_can_lie_beside_them(folder, capsys):
    assert run_main(capsys, "convert", "hill.txt", "hill.tmx", "--tilesets", ".tsj")[0] == 0
    assert (folder / "hill-kinds.tsj").is_file()
    assert run_main(capsys, "convert", "hill.tmx", "again.txt")[0] == 0
    assert (folder / "again.txt").read_text() == HILL
    for name, problem in (("a.svg", "--tilesets has no effect"), ("a.glb", "has no tilesets")):
        status, _, (printed,) = run_main(capsys, "convert", "hill.txt", name, "--tilesets", ".tsx")
        assert status == 2
        assert problem in printed


def test_info_tells_what_a_file_holds(folder, capsys):
    assert run_main(capsys, "info", "hill.txt")[1] == [
        "format:   text picture",
        "size:     2 x 3 tiles, levels 0 to 2",
        "topology: square, a level is 0.5 high",
        "ground:   grass 5, void 1",
    ]
    tilemap = TileMap.from_text("30003", topology="hex_odd_q")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1), (0, 2)], level=3)
        edit.add_link((0, 0), (0, 4), cost=2)
    tilemap.extras["units"] = []
    tilemap.save("ford.tmap")
    out = run_main(capsys, "info", "ford.tmap")[1]
    assert out[0] == "format:   native map"
    assert out[2] == "topology: hex_odd_q, a level is 0.5 high"
    assert out[4:] == ["decks:    2", "links:    1", "carries:  units"]
    (folder / "nothing.txt").write_text("##\n")
    assert "size:     1 x 2 tiles, all void" in run_main(capsys, "info", "nothing.txt")[1]


@pytest.mark.usefixtures("folder")
def test_a_topology_is_for_files_that_tell_none(capsys):
    assert run_main(capsys, "convert", "hill.txt", "hill.tmap", "--topology", "hex_odd_r")[0] == 0
    assert TileMap.load("hill.tmap").topology == "hex_odd_r"
    status, out, err = run_main(capsys, "info", "hill.tmap", "--topology", "square")
    assert (status, out) == (2, [])
    assert err == ["terrain3d: --topology has no effect: hill.tmap is 'hex_odd_r'"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("suffix", [".bam", ".glb"])
def test_models_are_for_the_eye_alone(capsys, suffix):
    assert run_main(capsys, "convert", "hill.txt", f"hill{suffix}") == (
        0,
        [
            f"hill{suffix}: 2 x 3 tiles, levels 0 to 2",
            "left out: all but the geometry and colors; a model cannot be read back as a map",
        ],
        [],
    )
    assert Path(f"hill{suffix}").stat().st_size > 10_000
    assert run_main(capsys, "info", f"hill{suffix}")[0] == 2


@pytest.mark.usefixtures("folder")
def test_what_strangers_wrote_stays_a_harmless_line(capsys):
    tilemap = TileMap.from_text("0", kinds=[TileKind("red\n\x1b[31m moss")])
    tilemap.extras["half \ud800 letter"] = 1
    tilemap.save("strange.tmap")
    for words in (["info", "strange.tmap"], ["convert", "strange.tmap", "strange.txt"]):
        status, out, _ = run_main(capsys, *words)
        assert status == 0
        assert all(line.isprintable() for line in out)
        assert any("red  [31m moss" in line for line in out)


@pytest.mark.usefixtures("folder")
def test_a_limit_is_stated_and_an_option_moves_it(capsys):
    TileMap([[0] * 30] * 40).save("large.tmap")
    status, _, (line,) = run_main(capsys, "info", "large.tmap", "--max-tiles", "1199")
    assert status == 2
    assert "make 1200 surfaces; the limit, max_surfaces, is 1199" in line
    assert run_main(capsys, "info", "large.tmap", "--max-tiles", "1200")[0] == 0
    for suffix in ("txt", "map", "asc", "npy", "png"):
        TileMap.load("large.tmap").export(f"large.{suffix}")
        status, _, (line,) = run_main(capsys, "info", f"large.{suffix}", "--max-tiles", "1199")
        assert status == 2
        assert "makes 1200 tiles; the limit, max_surfaces, is 1199" in line
        assert run_main(capsys, "info", f"large.{suffix}", "--max-tiles", "1200")[0] == 0


def test_a_tile_of_the_earth_makes_a_playable_map_in_one_command(folder, capsys):
    south, east = np.mgrid[0:1201, 0:1201]
    meters = 1500 + 900 * np.sin(east / 90) * np.cos(south / 130)
    meters[:40, :40] = -32768
    meters.astype(">i2").tofile(folder / "N46E007.hgt")
    words = ("--size", "64", "64", "--levels", "9")
    status, out, _ = run_main(capsys, "convert", "N46E007.hgt", "alps.tmap", *words)
    assert (status, out[0]) == (0, "alps.tmap: 64 x 64 tiles, levels 0 to 8")
    assert "become 9 linear levels, 1201 x 1201 samples become 64 x 64 tiles" in out[1]
    tilemap = TileMap.load("alps.tmap")
    assert tilemap.is_void((0, 0))
    # Highest where both waves are: 90 * pi / 2 samples to the east and 2 * pi * 130 to the south.
    assert tilemap.level_at((43, 7)) == tilemap.level.max() == 8
    across = run_main(capsys, "path", "--map", "alps.tmap", "--from", "32,0", "--to", "32,63")
    assert across[0] == 0


def test_a_grid_opens_as_it_is(folder, capsys):
    (folder / "hill.asc").write_text("ncols 3\nnrows 1\n100 150.5 200\n")
    ends = ("--from", "0,0", "--to", "0,1", "--max-climb", "9")
    status, out, err = run_main(capsys, "path", "--map", "hill.asc", *ends)
    assert (status, out[0].split()[0]) == (0, "048")
    assert err == ["heights 100 to 200 become 9 linear levels"]
    words = ("--step", "50", "--step-height", "0.25", "--topology", "hex_odd_r")
    assert run_main(capsys, "convert", "hill.asc", "hill.tmap", *words)[0] == 0
    tilemap = TileMap.load("hill.tmap")
    assert (tilemap.to_text(), tilemap.step_height) == ("012", 0.25)
    assert tilemap.topology == "hex_odd_r"
    assert run_main(capsys, "convert", "hill.asc", "hill.tmap", "--spread", "even")[0] == 0
    assert TileMap.load("hill.tmap").to_text() == "036"


def test_names_that_the_output_cannot_show_are_escaped(folder, capsys, monkeypatch):
    (folder / "草.txt").write_text(HILL)
    printed = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(printed, "ascii", write_through=True))
    assert run_main(capsys, "convert", "草.txt", "Höhe.tmap")[::2] == (0, [])
    assert printed.getvalue() == rb"H\xf6he.tmap: 2 x 3 tiles, levels 0 to 2" + b"\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_prints_no_traceback(folder, unbuffered):
    reader, writer = os.pipe()
    os.close(reader)
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = run("info", "hill.txt", cwd=folder, env=env, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
