"""The commands: what each prints and writes, how it refuses, also without the engine."""

import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from terrain3d import TileMap
from terrain3d.program import main
from tests.support import ROOT
from tests.support.programs import (
    MODULE,
    NO_DISPLAY,
    SCRIPT,
    fork_main,
    fork_python,
    run,
    run_main,
    run_python,
)
from tests.support.selection import import_or_skip


def test_path_prints_the_map_the_path_and_its_cost_also_as_json(capsys):
    words = ("path", "--seed", "7", "--from", "0,0", "--to", "29,29")
    status, lines, err = run_main(capsys, *words)
    assert (status, err) == (0, [])
    level = TileMap.from_noise(30, 30, seed=7, levels=5).to_text().splitlines()
    assert [line.split()[0] for line in lines[:30]] == level
    cells = lines[32].split()
    assert (cells[0], cells[-1]) == ("0,0", "29,29")
    status, [line], err = run_main(capsys, *words, "--json")
    answer = json.loads(line)
    assert (status, err, answer["reason"], len(answer["level"])) == (0, [], "", 30)
    assert [f"{row},{col}" for row, col, _ in answer["cells"]] == cells
    assert answer["cost"] == sum(step["cost"] for step in answer["steps"])
    assert lines[31].startswith(f"cost {answer['cost']:g}, ")


@pytest.mark.nightly
def test_the_first_query_on_a_machine_says_that_it_compiles(tmp_path):
    import_or_skip("numba")
    env = NO_DISPLAY | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = [run("path", "--from", "0,0", "--to", "0,1", env=env).stderr for _ in range(2)]
    assert said == ["compiling the searches, once on this machine ...\n", ""]


def test_path_draws_an_arrow_on_each_tile_it_leaves(tmp_path, capsys):
    (tmp_path / "map.txt").write_text("009\n#02\n000\n")
    ends = ("--from", "0,0", "--to", "1,2")
    assert run_main(capsys, "path", "--map", str(tmp_path / "map.txt"), *ends)[1] == [
        "009   >v.",
        "#02   #>*",
        "000   ...",
        "",
        "cost 5, 3 steps: 2 walk, 1 climb, 0 drop",
        "0,0 0,1 1,1 1,2",
    ]


@pytest.mark.parametrize(
    ("name", "problem"),
    [("x.png", "its name must end in .svg"), ("gone/x.svg", "there is no directory ")],
)
def test_path_writes_its_picture_to_a_file_of_that_format_alone(tmp_path, capsys, name, problem):
    path = tmp_path / name
    words = ("path", "--from", "0,0", "--to", "0,1", "--svg", str(path))
    status, out, (line,) = run_main(capsys, *words)
    assert (status, out) == (2, [])
    assert f"cannot write an SVG picture to {path}: {problem}" in line
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_no_path_gives_the_reason_and_exits_with_1(tmp_path, capsys, as_json):
    (tmp_path / "cliff.txt").write_text("04\n")
    words = ("path", "--map", str(tmp_path / "cliff.txt"), "--from", "0,0", "--to", "0,1")
    status, out, _ = run_main(capsys, *words, *as_json)
    assert status == 1
    assert "climb 4 > 2 at (0, 1)" in out[-1]
    if as_json:
        assert json.loads(*out)["cost"] is None


def test_a_map_too_high_for_a_text_picture_still_gets_its_path(capsys):
    status, out, _ = run_main(capsys, "path", "--levels", "90", "--from", "0,0", "--to", "0,0")
    assert status == 0
    assert any(line.startswith("cost 0, 0 steps") for line in out)


@pytest.mark.parametrize(("program", "name"), [(SCRIPT, "main.py"), (MODULE, "terrain3d")])
def test_the_script_and_the_module_are_programs(program, name):
    text = run("--help", program=program)
    assert (text.returncode, text.stderr) == (0, "")
    assert text.stdout.startswith(f"usage: {name} [options]")
    assert text.stdout.index("print a path and its cost") < text.stdout.index("--help")
    done = run("path", program=program)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{name}: ")
    assert len(done.stderr.splitlines()) == 1


HIDDEN = """
import runpy, sys
for name in list(sys.modules):
    if name.split(".")[0] in ("ai", "terrain3d"):
        del sys.modules[name]
sys.path.insert(0, ".")
"""


def test_a_reader_that_closes_the_pipe_is_no_error():
    large = ("--rows", "99", "--cols", "99", "--from", "0,0", "--to", "98,98")  # fills buffers
    command = [sys.executable, *SCRIPT, "path", *large, "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=NO_DISPLAY, **pipes) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_names_that_the_output_cannot_show_are_escaped(tmp_path):
    env = NO_DISPLAY | {"PYTHONIOENCODING": "ascii"}
    done = run("shot", "--out", "Höhe.png", "--size", "64x36", cwd=tmp_path, env=env)
    assert done.stdout == r"H\xf6he.png: 64 x 36" + "\n"
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["ai.py", "ai/__init__.py"])
def test_a_module_of_a_game_that_hides_the_package_is_named(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("class Enemy: pass")
    code = f"{HIDDEN}runpy.run_module('terrain3d', run_name='__main__')"
    done = fork_python(code, "check", "x", cwd=tmp_path, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last == f"ImportError: {path} hides the package ai of terrain3d: give it another name"
    code = f"{HIDDEN}import terrain3d.view; print(terrain3d.TileMap.from_text('0'))"
    fork_python(code, cwd=tmp_path)


def test_shot_shows_what_it_is_asked_for_and_the_same_each_time(tmp_path):
    asked = {
        "near": [],
        "again": [],
        "turned": ["--heading", "218"],
        "bare": ["--no-hud"],
        "alone": ["--unit", "nobody", "--no-hud"],
        "path": ["--no-hud", "--to", "15,17"],
    }
    shared = ["shot", "--size", "320x180", "--quality", "low", "--at", "14,13"]
    calls = [[*shared, "--out", f"{tmp_path}/{name}.png", *words] for name, words in asked.items()]
    code = f"from terrain3d.program import main\nassert not any([main(call) for call in {calls!r}])"
    done = fork_python(code)
    lines = [f"{tmp_path}/{name}.png: 320 x 180" for name in asked]
    assert done.stdout.splitlines() == lines
    shown = {}
    for name in asked:
        with Image.open(tmp_path / f"{name}.png") as picture:
            shown[name] = np.asarray(picture.convert("RGB"), dtype=int)

    def differ(one, other):
        return (np.abs(shown[one] - shown[other]).max(axis=2) > 12).mean()

    assert np.array_equal(shown["near"], shown["again"])
    assert differ("near", "turned") > 0.5
    assert differ("near", "bare") > 0.05  # the panels are gone
    assert differ("bare", "alone") > 0.1  # the reach is gone
    assert 0.002 < differ("bare", "path") < 0.2


def test_without_shaders_the_whole_scene_is_drawn_and_nothing_complains(tmp_path):
    path = tmp_path / "plain.png"
    code = (
        "from terrain3d.program import main\n"
        "from terrain3d.view.window import window\n"
        "window._OFFSCREEN_PIPES = ('p3tinydisplay',)\n"
        f"assert main(['shot', '--size', '640x360', '--out', {str(path)!r}]) == 0"
    )
    assert "error" not in fork_python(code).stderr
    with Image.open(path) as picture:
        small_map = picture.convert("RGB").crop((560, 20, 620, 80))
    assert len(small_map.getcolors(maxcolors=3600)) > 20


def test_without_a_display_the_scene_becomes_a_picture(tmp_path):
    done = fork_main("--rows", "8", "--cols", "8", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert "display" in done.stdout
    with Image.open(tmp_path / "scene.png") as picture:
        assert len(picture.convert("RGB").resize((160, 90)).getcolors(160 * 90)) > 300


@pytest.mark.parametrize("size", [["--rows", "1", "--cols", "1"], ["--rows", "1", "--cols", "40"]])
def test_the_smallest_maps_can_be_shown(tmp_path, size):
    done = fork_main("shot", "--out", tmp_path / "small.png", "--size", "320x180", *size)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def hill(tmp_path):
    """A map with a hill that is too high."""
    TileMap.from_text("0003\n0000").save(tmp_path / "hill.tmap")
    return tmp_path / "hill.tmap"


def test_check_prints_what_is_connected_by_the_rules_asked_for(hill, tmp_path, capsys):
    TileMap.from_text("012").save(tmp_path / "stairs.tmap")
    assert main(["check", str(tmp_path / "stairs.tmap")]) == 0
    assert capsys.readouterr().out == "3 of 3 surfaces are connected: sound\n"
    assert main(["check", str(hill)]) == 1
    said = "7 of 8 surfaces are connected: 1 island\nisland: (0, 3) cannot be reached\n"
    assert capsys.readouterr().out == said
    assert main(["check", str(hill), "--max-climb", "3"]) == 0
    assert main(["check", str(hill), "--max-climb", "1", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out.splitlines()[1])["problems"]
    assert problem["cells"] == [[0, 3, 0]]


def test_units_of_the_file_with_the_same_rules_are_spawns(hill, capsys):
    tilemap = TileMap.load(hill)
    tilemap.extras["units"] = [{"cell": [0, 0]}, {"cell": [0, 3], "mover": "flyer"}]
    tilemap.save(hill)
    assert main(["check", str(hill)]) == 1
    assert "spawn" not in capsys.readouterr().out
    tilemap.extras["units"] = [{"cell": [0, 0]}, {"cell": [0, 3]}, {"cell": [9, 9]}]
    tilemap.save(hill)
    assert main(["check", str(hill)]) == 1
    printed = capsys.readouterr()
    said = "spawn: (0, 3) cannot be reached from the spawn on (0, 0)"
    assert printed.out.splitlines()[1] == said
    assert printed.err.startswith("unit 3 is left out: cell (9, 9) is outside the map")


FILES = {
    "hill.txt": b"012\n#11\n",
    "short.txt": b"01\n0\n",
    "bytes.txt": b"0\xff\n",
    "hill.asc": b"ncols 1\nnrows 1\n7\n",
    "half.tmap": b"{",
}
ENDS = ["--from", "0,0", "--to", "0,0"]
SHOT = ["shot", "--out", "x.png"]
CASES = [
    (["--rows", "0"], ["0"]),
    (["--rows", "100000", "--cols", "100000"], ["100000"]),
    (["--seed", "x"], ["--seed", "'x'"]),
    (["--seed", "-5"], ["--seed must be in 0..9223372036854775808, got -5"]),
    (["--uphill", "nan"], ["uphill", "nan"]),
    (["--map", "not-there.txt"], ["not-there.txt"]),
    (["--map", "."], ["--map"]),
    (["--nonsense"], ["--nonsense"]),
    (["dance"], ["dance"]),
    (["path", "--from", "99,99", "--to", "0,0"], ["(99, 99)", "0..29"]),
    (["path", "--from", "0,0", "--to", "0,-1"], ["-1"]),
    (["path", "--from", "nonsense", "--to", "0,0"], ["nonsense"]),
    (["path", "--from", "0,0"], ["--to"]),
    (["path", "--map", "short.txt", *ENDS], ["short.txt", "line 2"]),
    (["path", "--map", "bytes.txt", *ENDS], ["bytes.txt", "UTF-8"]),
    (["path", "--map", "hill.asc", *ENDS], ["hill.asc", "one of .tmap, .tmj, .tmx, .txt"]),
    ([*SHOT, "--size", "0x9"], ["0x9"]),
    (["shot", "--out", "no/such/folder/x.png"], ["no/such/folder/x.png"]),
    ([*SHOT, "--mood", "dawn"], ["--mood", "'dawn'", "dusk"]),
    ([*SHOT, "--quality", "best"], ["--quality", "'best'", "high"]),
    ([*SHOT, "--unit", "Zed"], ["--unit", "Mira", "nobody", "'Zed'"]),
    ([*SHOT, "--at", "99,0"], ["(99, 0)", "0..29"]),
    ([*SHOT, "--distance", "0"], ["distance", "0"]),
    *(([*SHOT, "--pitch", pitch], ["--pitch"]) for pitch in ("7.9", "90", "nan")),
    *(([*SHOT, "--size", text], ["1280x720"]) for text in ("5", "1x2x3", "8193x5", "5x8193")),
    *((["path", "--from", text, "--to", "0,0"], ["4,7"]) for text in ("4", "4,7,1")),
    *(([f"--{rule}", "-2"], [f"--{rule}", "-2"]) for rule in ("uphill", "max-climb", "max-drop")),
    (["--settings", "file", "path", *ENDS], ["--settings is for the scene only"]),
    (["--map", "hill.txt", "--cols", "3"], ["--cols has no effect with --map"]),
    (["check", "short.txt"], ["short.txt, line 2"]),
    (["check", "."], [".", "must end in one of"]),
    (["check", "folder.tmap"], ["folder.tmap", "is not a regular file"]),
    (["check", "hill.txt", "--topology", "hex_odd_r"], ["--topology"]),
    (["--map", "hill.txt", "--topology", "hex_odd_r"], ["--topology has no effect with --map"]),
    *((["check", f"{name}.tmap"], [f"{name}.tmap"]) for name in ("half", "none")),
    (["check", "high.tmap", "--max-climb", "-1"], ["--max-climb must be in 0..32767 levels"]),
    (["check", "high.tmap", "--seed", "3"], ["--seed"]),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder of maps that are damaged."""
    folder = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder.tmap").mkdir()
    TileMap([[36]]).save(folder / "high.tmap")
    return folder


@pytest.mark.parametrize(("arguments", "words"), CASES)
@pytest.mark.usefixtures("drawn_here")
def test_bad_input_is_one_line_and_exit_status_2(folder, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    status, out, err = run_main(capsys, *arguments)
    assert (status, out, len(err)) == (2, [], 1), err
    assert all(word in err[0] for word in words), err
    assert err[0].startswith("terrain3d: ")
    assert sorted(folder.iterdir()) == before


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


def test_without_the_engine_a_path_is_found_maps_are_written_and_one_line_says_what_draws(tmp_path):
    (tmp_path / "hill.txt").write_text("012\n011\n")
    env = NO_DISPLAY | {"PYTHONPATH": str(ROOT)}
    asked = json.dumps([PATH, *DRAWING])
    done = run_python("-c", RUN, asked, cwd=tmp_path, env=env, check=True)
    (status, out, err), *drawing = json.loads(done.stdout)
    assert (status, bool(out), err) == (0, True, "")
    assert {path.suffix[1:] for path in tmp_path.glob("a.*")} == set(SUFFIXES)
    line = "terrain3d: this needs Panda3D, which is not installed: pip install panda3d\n"
    assert drawing == [[2, "", line]] * len(DRAWING)
