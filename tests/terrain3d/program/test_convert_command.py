"""`convert` and `info` as people use them: files in and out, notes, one line for bad input."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from terrain3d import TileKind, TileMap
from terrain3d.program import main
from tests.support.paths import ROOT

HILL = "012\n#11\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hill.txt").write_text(HILL)
    return tmp_path


def run(capsys, *arguments):
    """Give the exit status, and the lines of both streams."""
    try:
        status = main(list(arguments))
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()


def test_a_map_goes_from_one_format_to_another_and_back(folder, capsys):
    printed = run(capsys, "convert", "hill.txt", "hill.tmap")
    assert printed == (0, ["hill.tmap: 2 x 3 tiles, levels 0 to 2"], [])
    assert run(capsys, "convert", "hill.tmap", "again.TXT")[0] == 0
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
    status, out, _ = run(capsys, "convert", "ford.tmap", "ford.txt")
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
    assert run(capsys, "convert", "hill.txt", "hill.tmx", "--tilesets", ".tsj")[0] == 0
    assert (folder / "hill-kinds.tsj").is_file()
    assert run(capsys, "convert", "hill.tmx", "again.txt")[0] == 0
    assert (folder / "again.txt").read_text() == HILL
    for name, problem in (("a.glb", "--tilesets has no effect"), ("a.txt", "has no tilesets")):
        status, _, (printed,) = run(capsys, "convert", "hill.txt", name, "--tilesets", ".tsx")
        assert status == 2
        assert problem in printed


def test_info_tells_what_a_file_holds(folder, capsys):
    assert run(capsys, "info", "hill.txt")[1] == [
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
    out = run(capsys, "info", "ford.tmap")[1]
    assert out[0] == "format:   native map"
    assert out[2] == "topology: hex_odd_q, a level is 0.5 high"
    assert out[4:] == ["decks:    2", "links:    1", "carries:  units"]
    (folder / "nothing.txt").write_text("##\n")
    assert "size:     1 x 2 tiles, all void" in run(capsys, "info", "nothing.txt")[1]


@pytest.mark.usefixtures("folder")
def test_a_topology_is_for_files_that_tell_none(capsys):
    assert run(capsys, "convert", "hill.txt", "hill.tmap", "--topology", "hex_odd_r")[0] == 0
    assert TileMap.load("hill.tmap").topology == "hex_odd_r"
    status, out, err = run(capsys, "info", "hill.tmap", "--topology", "square")
    assert (status, out) == (2, [])
    assert err == ["terrain3d: --topology has no effect: hill.tmap is 'hex_odd_r'"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("suffix", [".bam", ".glb"])
def test_models_are_for_the_eye_alone(capsys, suffix):
    assert run(capsys, "convert", "hill.txt", f"hill{suffix}") == (
        0,
        [
            f"hill{suffix}: 2 x 3 tiles, levels 0 to 2",
            "left out: all but the geometry and colors; a model cannot be read back as a map",
        ],
        [],
    )
    assert Path(f"hill{suffix}").stat().st_size > 10_000
    assert run(capsys, "info", f"hill{suffix}")[0] == 2


def test_all_but_bam_is_written_without_the_engine(folder):
    code = "import sys; sys.modules['panda3d'] = sys.modules['direct'] = None\n"
    code += "from terrain3d.program import main\n"
    code += "sys.exit(sum(main(['convert', 'hill.txt', 'a' + s]) for s in sys.argv[1:]))"
    suffixes = [".tmap", ".txt", ".map", ".asc", ".npy", ".png", ".json", ".glb"]
    done = subprocess.run(
        [sys.executable, "-c", code, *suffixes],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.suffix for path in folder.glob("a.*")) == sorted(suffixes)


@pytest.mark.usefixtures("folder")
def test_what_strangers_wrote_stays_a_harmless_line(capsys):
    tilemap = TileMap.from_text("0", kinds=[TileKind("red\n\x1b[31m moss")])
    tilemap.extras["half \ud800 letter"] = 1
    tilemap.save("strange.tmap")
    for words in (["info", "strange.tmap"], ["convert", "strange.tmap", "strange.txt"]):
        status, out, _ = run(capsys, *words)
        assert status == 0
        assert all(line.isprintable() for line in out)
        assert any("red  [31m moss" in line for line in out)


@pytest.mark.usefixtures("folder")
def test_a_limit_is_stated_and_an_option_moves_it(capsys):
    TileMap([[0] * 30] * 40).save("large.tmap")
    status, _, (line,) = run(capsys, "info", "large.tmap", "--max-tiles", "1199")
    assert status == 2
    assert "make 1200 surfaces; the limit, max_surfaces, is 1199" in line
    assert run(capsys, "info", "large.tmap", "--max-tiles", "1200")[0] == 0
    for suffix in ("txt", "map", "asc", "npy", "png"):
        TileMap.load("large.tmap").export(f"large.{suffix}")
        status, _, (line,) = run(capsys, "info", f"large.{suffix}", "--max-tiles", "1199")
        assert status == 2
        assert "makes 1200 tiles; the limit, max_surfaces, is 1199" in line
        assert run(capsys, "info", f"large.{suffix}", "--max-tiles", "1200")[0] == 0


def test_a_tile_of_the_earth_makes_a_playable_map_in_one_command(folder, capsys):
    south, east = np.mgrid[0:1201, 0:1201]
    meters = 1500 + 900 * np.sin(east / 90) * np.cos(south / 130)
    meters[:40, :40] = -32768
    meters.astype(">i2").tofile(folder / "N46E007.hgt")
    words = ("--size", "64", "64", "--levels", "9")
    status, out, _ = run(capsys, "convert", "N46E007.hgt", "alps.tmap", *words)
    assert (status, out[0]) == (0, "alps.tmap: 64 x 64 tiles, levels 0 to 8")
    assert "become 9 linear levels, 1201 x 1201 samples become 64 x 64 tiles" in out[1]
    tilemap = TileMap.load("alps.tmap")
    assert tilemap.is_void((0, 0))
    # Highest where both waves are: 90 * pi / 2 samples to the east and 2 * pi * 130 to the south.
    assert tilemap.level_at((43, 7)) == tilemap.level.max() == 8
    across = run(capsys, "path", "--map", "alps.tmap", "--from", "32,0", "--to", "32,63")
    assert across[0] == 0


def test_a_grid_opens_as_it_is(folder, capsys):
    (folder / "hill.asc").write_text("ncols 3\nnrows 1\n100 150.5 200\n")
    ends = ("--from", "0,0", "--to", "0,1", "--max-climb", "9")
    status, out, err = run(capsys, "path", "--map", "hill.asc", *ends)
    assert (status, out[0].split()[0]) == (0, "048")
    assert err == ["heights 100 to 200 become 9 linear levels"]
    words = ("--step", "50", "--step-height", "0.25", "--topology", "hex_odd_r")
    assert run(capsys, "convert", "hill.asc", "hill.tmap", *words)[0] == 0
    tilemap = TileMap.load("hill.tmap")
    assert (tilemap.to_text(), tilemap.step_height) == ("012", 0.25)
    assert tilemap.topology == "hex_odd_r"
    assert run(capsys, "convert", "hill.asc", "hill.tmap", "--spread", "even")[0] == 0
    assert TileMap.load("hill.tmap").to_text() == "036"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["convert", "hill.txt"], ["OUT"]),
        (["convert", "hill.txt", "hill.doc"], ["cannot write hill.doc", ".tmap", ".txt"]),
        (["convert", "hill.txt", "hill"], ["cannot write hill:", ".tmap"]),
        (["convert", "none.txt", "hill.tmap"], ["none.txt", "no such file"]),
        (["convert", "hill.txt", "no/such/hill.tmap"], ["cannot write no/such/hill.tmap"]),
        (
            ["convert", "hill.txt", "folder.tmap"],
            ["cannot write folder.tmap", "not a regular file"],
        ),
        (["convert", "bad.txt", "hill.tmap"], ["bad.txt, line 2"]),
        (["convert", "high.tmap", "high.txt"], ["levels 0..35", "(0, 0) is at level 36"]),
        (["info", "hill.txt", "--levels", "5"], ["hill.txt: is a text picture", "no heights"]),
        (["info", "hill.asc", "--size", "0", "5"], ["at least 1 row"]),
        (["info", "hill.asc", "--size", "5"], ["--size", "2"]),
        (["info", "hill.asc", "--step", "nan"], ["step must be finite and > 0, got nan"]),
        (["info", "hill.asc", "--step", "1", "--levels", "3"], ["cannot be combined with levels"]),
        (["info", "hill.asc", "--step-height", "0"], ["step_height must be in 0.01..100, got 0"]),
        (["info", "hill.asc", "--size", "9999", "9999"], ["makes 99980001 tiles; the limit"]),
        (["path", "--map", "bad.asc", "--from", "0,0", "--to", "0,0"], ["bad.asc, line 3"]),
        (["info", "bad.txt"], ["bad.txt, line 2"]),
        (["info", "."], [".", "is not a regular file"]),
        (["info", "hill.txt", "--max-tiles", "x"], ["--max-tiles", "'x'"]),
        (["info", "hill.txt", "--topology", "round"], ["--topology", "'round'"]),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(folder, capsys, arguments, words):
    (folder / "bad.txt").write_text("01\n0\n")
    (folder / "folder.tmap").mkdir()
    (folder / "hill.asc").write_text("ncols 1\nnrows 1\n7\n")
    (folder / "bad.asc").write_text("ncols 1\nnrows 1\nx\n")
    TileMap([[36]]).save("high.tmap")
    before = sorted(folder.iterdir())
    status, out, err = run(capsys, *arguments)
    assert (status, out, len(err)) == (2, [], 1), err
    for word in ("terrain3d: ", *words):
        assert word in err[0]
    assert sorted(folder.iterdir()) == before


def test_names_that_the_output_cannot_show_are_escaped(folder):
    (folder / "草.txt").write_text(HILL)
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "convert", "草.txt", "Höhe.tmap"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.stdout == rb"H\xf6he.tmap: 2 x 3 tiles, levels 0 to 2" + os.linesep.encode()
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.usefixtures("folder")
def test_a_closed_pipe_prints_no_traceback(unbuffered):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "info", "hill.txt"],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
