"""Bad input to any command: one line on stderr that names what is wrong, and exit status 2."""

import pytest

from terrain3d import TileMap
from tests.support.programs import run_main

FILES = {
    "hill.txt": b"012\n#11\n",
    "empty.txt": b"",
    "short.txt": b"01\n0\n",
    "letter.txt": b"0A\n",
    "bytes.txt": b"0\xff\n",
    "hill.asc": b"ncols 1\nnrows 1\n7\n",
    "empty.tmap": b"",
    "half.tmap": b"{",
    "bytes.tmap": b"\x00\xff",
    "older.tmap": b'{"format": "terrain3d"}',
}
ENDS = ["--from", "0,0", "--to", "0,0"]
SHOT = ["shot", "--out", "x.png"]
CASES = [
    (["--rows", "0"], ["0"]),
    (["--rows", "100000", "--cols", "100000"], ["100000"]),
    (["--levels", "0"], ["levels", "0"]),
    (["--seed", "x"], ["--seed", "'x'"]),
    (["--uphill", "nan"], ["uphill", "nan"]),
    (["--map", "not-there.txt"], ["not-there.txt"]),
    (["--map", "."], ["--map"]),
    (["--nonsense"], ["--nonsense"]),
    (["dance"], ["dance"]),
    (["path", "--from", "99,99", "--to", "0,0"], ["(99, 99)", "0..29"]),
    (["path", "--from", "0,0", "--to", "0,-1"], ["-1"]),
    (["path", "--from", "nonsense", "--to", "0,0"], ["nonsense"]),
    (["path", "--from", "0,0"], ["--to"]),
    (["path", "--map", "empty.txt", *ENDS], ["empty.txt", "empty"]),
    (["path", "--map", "short.txt", *ENDS], ["short.txt", "line 2"]),
    (["path", "--map", "letter.txt", *ENDS], ["letter.txt", "line 1", "'A'"]),
    (["path", "--map", "bytes.txt", *ENDS], ["bytes.txt", "UTF-8"]),
    (
        ["path", "--map", "hill.asc", *ENDS],
        ["hill.asc", "one of .tmap, .tmj, .tmx, .txt"],
    ),
    ([*SHOT, "--size", "0x9"], ["0x9"]),
    (["shot", "--out", "no/such/folder/x.png"], ["no/such/folder/x.png"]),
    ([*SHOT, "--mood", "dawn"], ["--mood", "'dawn'", "dusk"]),
    ([*SHOT, "--quality", "best"], ["--quality", "'best'", "high"]),
    ([*SHOT, "--unit", "Zed"], ["--unit", "Mira", "nobody", "'Zed'"]),
    ([*SHOT, "--at", "99,0"], ["(99, 0)", "0..29"]),
    ([*SHOT, "--to", "0,-1"], ["-1"]),
    ([*SHOT, "--distance", "0"], ["distance", "0"]),
    (["check", "short.txt"], ["short.txt, line 2"]),
    (["check", "."], [".", "must end in one of"]),
    (["check", "folder.tmap"], ["folder.tmap", "is not a regular file"]),
    (["check", "hill.txt", "--topology", "hex_odd_r"], ["--topology"]),
    (["--map", "hill.txt", "--topology", "hex_odd_r"], ["--topology has no effect with --map"]),
    *((["check", f"{name}.tmap"], [f"{name}.tmap"]) for name in ("empty", "half", "bytes")),
    *((["check", f"{name}.tmap"], [f"{name}.tmap"]) for name in ("older", "none")),
    (["check", "high.tmap", "--max-climb", "-1"], ["--max-climb must be in 0..32767 levels"]),
    (["check", "high.tmap", "--uphill", "x"], ["--uphill"]),
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
