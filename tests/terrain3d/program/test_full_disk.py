"""Every kind of file on a full disk: the old file stays, nothing is left, and one line says why."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from terrain3d import TileMap
from terrain3d.formats.registry import FORMATS
from terrain3d.look.settings import Settings, SettingsFile
from tests.support.limits import failing_files, full_disk
from tests.support.programs import COMMAND, MODULE, fork_python, run, run_main

FULL = Path("/dev/full")
VALE = TileMap.from_text("010\n#21\n000\n")
PICTURES = (".png", ".jpg", ".bmp", ".tga", ".tiff", ".ppm")
SAMPLES = 80
"""At most so many of the bytes of a file are the one where the disk is full."""


def save_picture(path):
    from panda3d.core import PNMImage

    from terrain3d.view.window import window

    drawn = PNMImage(12, 8)
    drawn.gaussian_filter()

    def get_screenshot(picture):
        picture.copy_from(drawn)
        return True

    window.save_picture(SimpleNamespace(win=SimpleNamespace(get_screenshot=get_screenshot)), path)


WRITERS = {
    **{f"vale{suffix}": VALE.save for suffix in FORMATS},
    "settings.json": lambda path: SettingsFile(path).save(Settings(mood="dusk")),
    **{f"scene{suffix}": save_picture for suffix in PICTURES},
}


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", WRITERS)
def test_a_disk_that_is_full_at_any_byte_leaves_the_old_files(tmp_path, monkeypatch, name):
    written, target = tmp_path / "written", tmp_path / "target"
    written.mkdir()
    target.mkdir()
    WRITERS[name](written / name)
    new = content(written)
    old = dict.fromkeys(new, b"before")
    for other, data in old.items():
        (target / other).write_bytes(data)
    size = sum(map(len, new.values()))
    for room in {*range(0, size, size // SAMPLES + 1), size - 1}:
        most = 5 if room % 2 else sys.maxsize
        with failing_files(monkeypatch, room, most), pytest.raises(OSError, match="No space"):
            WRITERS[name](target / name)
        assert content(target) == old
    with failing_files(monkeypatch, sys.maxsize, 5):  # takes a part of each write
        WRITERS[name](target / name)
    assert content(target).keys() == new.keys()
    assert content(target) == new or name == "scene.tiff"  # which has arbitrary bytes


def test_a_disk_that_fails_to_flush_one_file_of_several_leaves_all(tmp_path, monkeypatch):
    VALE.save(tmp_path / "vale.tmx")
    old = dict.fromkeys(content(tmp_path), b"before")
    assert len(old) == 3
    for name in old:
        (tmp_path / name).write_bytes(b"before")
    for number in range(3):
        calls = []

        def fail(_descriptor, calls=calls, number=number):
            calls.append(None)
            if len(calls) > number:
                raise OSError("cannot flush")

        with monkeypatch.context() as patched:
            patched.setattr("os.fsync", fail)
            with pytest.raises(OSError, match="cannot flush"):
                VALE.save(tmp_path / "vale.tmx")
        assert content(tmp_path) == old


SMALL = ("--rows", "6", "--cols", "6", "--size", "320x180", "--quality", "low")
NOTHING_PRINTED = "cannot write to the output: No space left on device"


@pytest.mark.parametrize("is_mounted", [True, False])
def test_a_picture_on_a_full_disk_is_reported(tmp_path, is_mounted):
    path = tmp_path / "scene.png"
    with full_disk(tmp_path, is_mounted) as begin:
        path.write_bytes(b"before")
        before = content(tmp_path)
        words = "shot", "--out", path, *SMALL
        done = fork_python(begin + COMMAND, *words, check=False)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        [line] = done.stderr.splitlines()
        assert str(path) in line
        assert ": No space left on device" in line or ": File too large" in line
        assert content(tmp_path) == before


ASKED = "path --from 0,0 --to 3,3"


@pytest.mark.parametrize("words", ["--help", "path --help", ASKED, f"{ASKED} --json", "check {}"])
def test_an_output_that_takes_nothing_is_reported(tmp_path, monkeypatch, capsys, words):
    VALE.save(tmp_path / "vale.tmap")
    words = [word.format(tmp_path / "vale.tmap") for word in words.split()]
    with FULL.open("w") as full, monkeypatch.context() as patched:
        patched.setattr("sys.stdout", full)
        printed = run_main(capsys, *words)
    assert printed == (2, [], [f"terrain3d: {NOTHING_PRINTED}"])


def test_a_picture_that_cannot_be_announced_is_reported(tmp_path):
    begin = "import os\nos.dup2(os.open('/dev/full', os.O_WRONLY), 1)\n"
    words = ("--rows", "4", "--cols", "4", "--peaceful")
    done = fork_python(begin + COMMAND, *words, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (2, f"terrain3d: {NOTHING_PRINTED}\n")


def test_a_program_ends_quietly_with_an_output_that_takes_nothing(tmp_path):
    VALE.save(tmp_path / "vale.tmap")
    with FULL.open("w") as full:
        done = run("check", str(tmp_path / "vale.tmap"), stdout=full)
        assert (done.returncode, done.stderr) == (2, f"main.py: {NOTHING_PRINTED}\n")
        words = "check", str(tmp_path / "none.tmap")
        assert run(*words, program=MODULE, stdout=full, stderr=full).returncode == 2
