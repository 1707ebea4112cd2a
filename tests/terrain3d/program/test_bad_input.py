"""Bad input to any command: one line on stderr that names what is wrong, and exit status 2."""

import pytest

from ai import Board, GameRecord, Unit
from terrain3d import TileMap
from tests.support.programs import run_main

FILES = {
    "hill.txt": b"012\n#11\n",
    "empty.txt": b"",
    "short.txt": b"01\n0\n",
    "letter.txt": b"0A\n",
    "bytes.txt": b"0\xff\n",
    "hill.asc": b"ncols 1\nnrows 1\n7\n",
    "bad.asc": b"ncols 1\nnrows 1\nx\n",
    "empty.tmap": b"",
    "half.tmap": b"{",
    "bytes.tmap": b"\x00\xff",
    "older.tmap": b'{"format": "terrain3d"}',
}
ENDS = ["--from", "0,0", "--to", "0,0"]
THEATRE = ["theatre", "--map", "hill.txt", "--from", "0,0", "--to", "0,2"]
FILM = [*THEATRE, "--out", "x"]
SHOT = ["shot", "--out", "x.png"]
NO_GAME = "no recorded game: play some moves in the scene, then F2 and F5 save"
CASES = [
    (["--rows", "0"], ["0"]),
    (["--rows", "100000", "--cols", "100000"], ["100000"]),
    (["--levels", "0"], ["levels", "0"]),
    (["--seed", "x"], ["--seed", "'x'"]),
    (["--uphill", "nan"], ["uphill", "nan"]),
    (["--map", "not-there.txt"], ["not-there.txt"]),
    (["--map", "."], ["--map"]),
    (["--log", "no/such/folder/log"], ["--log"]),
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
    (["path", "--map", "bad.asc", *ENDS], ["bad.asc, line 3"]),
    ([*SHOT, "--size", "0x9"], ["0x9"]),
    (["shot", "--out", "no/such/folder/x.png"], ["no/such/folder/x.png"]),
    ([*SHOT, "--mood", "dawn"], ["--mood", "'dawn'", "dusk"]),
    ([*SHOT, "--quality", "best"], ["--quality", "'best'", "high"]),
    ([*SHOT, "--unit", "Zed"], ["--unit", "Mira", "nobody", "'Zed'"]),
    ([*SHOT, "--at", "99,0"], ["(99, 0)", "0..29"]),
    ([*SHOT, "--to", "0,-1"], ["-1"]),
    ([*SHOT, "--distance", "0"], ["distance", "0"]),
    ([*SHOT, "--overlay", "all"], ["--overlay", "'all'"]),
    (THEATRE, ["--out", "--gif"]),
    ([*FILM, "--algorithm", "dance"], ["--algorithm", "'dance'"]),
    ([*FILM, "--heuristic", "dance"], ["--heuristic", "'dance'"]),
    ([*FILM, "--order", "dance"], ["--order", "'dance'"]),
    ([*FILM, "--against", "dance"], ["against", "'dance'"]),
    ([*FILM, "--against", "uphill=much"], ["against", "'uphill=much'"]),
    ([*FILM, "--against", "uphill=-1"], ["-1"]),
    ([*FILM, "--every", "0"], ["--every must be >= 1, got 0"]),
    ([*FILM, "--every", "-3"], ["--every must be >= 1, got -3"]),
    ([*FILM, "--algorithm", "greedy", "--heuristic", "zero"], ["needs a heuristic"]),
    ([*FILM, "--to", "9,9"], ["(9, 9)"]),
    ([*THEATRE, "--out", "no/such/folder"], ["no/such/folder"]),
    ([*THEATRE, "--out", "hill.txt"], ["hill.txt"]),
    ([*THEATRE, "--gif", "no/such/folder/x.gif"], ["no/such/folder"]),
    ([*THEATRE, "--gif", "x.mp4"], ["x.mp4", ".gif"]),
    (["watch", "none.tmap"], ["none.tmap", "no such file"]),
    (["watch", "hill.txt"], ["hill.txt"]),
    (["watch", "high.tmap"], ["high.tmap", NO_GAME]),
    (["watch", "many.tmap"], ["many.tmap", "101 units", "100"]),
    (["watch", "slow.tmap", "--gif", "x.mp4"], ["x.mp4", ".gif"]),
    (["watch", "slow.tmap", "--gif", "no/such/folder/x.gif"], ["no/such/folder"]),
    (["watch", "slow.tmap", "--gif", "x.gif"], ["3000 pictures", "300 s", "move 3"]),
    (["watch"], ["FILE"]),
    (["convert", "hill.txt"], ["OUT"]),
    (["convert", "hill.txt", "hill.doc"], ["cannot write hill.doc", ".tmap", ".txt"]),
    (["convert", "hill.txt", "hill"], ["cannot write hill:", ".tmap"]),
    (["convert", "none.txt", "hill.tmap"], ["none.txt", "no such file"]),
    (["convert", "hill.txt", "no/such/hill.tmap"], ["cannot write no/such/hill.tmap"]),
    (["convert", "hill.txt", "folder.tmap"], ["cannot write folder.tmap", "not a regular file"]),
    (["convert", "short.txt", "hill.tmap"], ["short.txt, line 2"]),
    (["convert", "high.tmap", "high.txt"], ["levels 0..35", "(0, 0) is at level 36"]),
    (["info", "hill.txt", "--levels", "5"], ["hill.txt: is a text picture", "no heights"]),
    (["info", "hill.asc", "--size", "0", "5"], ["at least 1 row"]),
    (["info", "hill.asc", "--size", "5"], ["--size", "2"]),
    (["info", "hill.asc", "--step", "nan"], ["step must be finite and > 0, got nan"]),
    (["info", "hill.asc", "--step", "1", "--levels", "3"], ["cannot be combined with levels"]),
    (["info", "hill.asc", "--step-height", "0"], ["step_height must be in 0.01..100, got 0"]),
    (["info", "hill.asc", "--size", "9999", "9999"], ["makes 99980001 tiles; the limit"]),
    (["info", "short.txt"], ["short.txt, line 2"]),
    (["info", "."], [".", "is not a regular file"]),
    (["info", "hill.txt", "--max-tiles", "x"], ["--max-tiles", "'x'"]),
    (["info", "hill.txt", "--topology", "round"], ["--topology", "'round'"]),
    *((["check", f"{name}.tmap"], [f"{name}.tmap"]) for name in ("empty", "half", "bytes")),
    *((["check", f"{name}.tmap"], [f"{name}.tmap"]) for name in ("older", "none")),
    (["check", "high.tmap", "--max-climb", "-1"], ["--max-climb must be in 0..32767 levels"]),
    (["check", "high.tmap", "--uphill", "x"], ["--uphill"]),
    (["check", "high.tmap", "--seed", "3"], ["--seed"]),
    (["example", "nothing"], ["no example 'nothing'", "minimal_game"]),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder of maps that are damaged, and of games that cannot be shown."""
    folder = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder.tmap").mkdir()
    TileMap([[36]]).save(folder / "high.tmap")
    walk = Board(TileMap.from_text("000"))
    slow = walk.add(Unit("Slow", (0, 0), speed_tiles_s=0.005))
    walk.move(slow, (0, 1))
    walk.move(slow, (0, 2))
    GameRecord.of(walk).save(folder / "slow.tmap")
    crowd = Board(TileMap([[0] * 11] * 11))
    for number in range(101):
        crowd.add(Unit(str(number), divmod(number, 11)))
    GameRecord.of(crowd).save(folder / "many.tmap")
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
