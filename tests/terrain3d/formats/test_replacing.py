"""Saving: whatever goes wrong at whatever byte, the old file or the new one is there, whole."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from terrain3d import TileMap
from terrain3d.formats import tmap

OLD, NEW = TileMap([[0]]), TileMap([[1, 2], [3, 4]])
NEW_BYTES = tmap.write(NEW).data


class Broken(Exception):
    pass


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "vale.tmap"
    OLD.save(path)
    return path


def names_in(folder):
    return sorted(entry.name for entry in folder.iterdir())


def is_old(path):
    return TileMap.load(path).level.tolist() == [[0]] and names_in(path.parent) == [path.name]


class CutShort:
    """A file that takes so many bytes and breaks at the next one."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *why):
        return self._file.__exit__(*why)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, data):
        self._file.write(data[: self._room])
        self._file.flush()
        raise Broken


@pytest.mark.parametrize("room", [*range(0, len(NEW_BYTES), 37), len(NEW_BYTES)])
def test_a_write_that_breaks_after_any_byte_leaves_the_old_file(path, monkeypatch, room):
    opened = Path.open

    def cut_short(self, mode="r", **options):
        file = opened(self, mode, **options)
        return CutShort(file, room) if "x" in mode else file

    monkeypatch.setattr(Path, "open", cut_short)
    with pytest.raises(Broken):
        NEW.save(path)
    monkeypatch.undo()
    assert is_old(path)


@pytest.mark.parametrize("stage", ["fsync", "chmod", "replace"])
def test_any_later_stage_that_breaks_leaves_the_old_file(path, monkeypatch, stage):
    def fail(*_):
        raise Broken

    monkeypatch.setattr(os if stage == "fsync" else Path, stage, fail)
    with pytest.raises(Broken):
        NEW.save(path)
    monkeypatch.undo()
    assert is_old(path)


DYING = """
import os, sys
from pathlib import Path
from terrain3d import TileMap
stage, path = sys.argv[1:]
die = lambda *_, **__: os._exit(9)
if stage == "write":
    opened = Path.open
    def cut(self, mode="r", **options):
        file = opened(self, mode, **options)
        if "x" in mode:
            write = file.raw.write
            file.raw.write(b'{"format"')
            die()
        return file
    Path.open = cut
elif stage == "fsync":
    os.fsync = die
elif stage == "replace":
    Path.replace = die
TileMap([[1, 2], [3, 4]]).save(path)
"""


@pytest.mark.parametrize("stage", ["write", "fsync", "replace"])
def test_a_crash_at_any_stage_leaves_the_old_file(path, stage):
    done = subprocess.run([sys.executable, "-c", DYING, stage, str(path)], check=False)
    assert done.returncode == 9
    assert TileMap.load(path).level.tolist() == [[0]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs limits on files")
@pytest.mark.parametrize("room", [0, 1, 500, len(NEW_BYTES) - 1])
def test_a_full_disk_leaves_the_old_file(path, room):
    import resource
    import signal

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
        with pytest.raises(OSError, match="large"):
            NEW.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert is_old(path)


@pytest.mark.parametrize("stage", ["open", "fsync"])
def test_a_folder_that_cannot_be_synced_is_not_an_error(path, monkeypatch, stage):
    call = getattr(os, stage)

    def refuse(what, *more):
        is_folder = Path(what).is_dir() if stage == "open" else stat.S_ISDIR(os.fstat(what).st_mode)
        if is_folder:
            raise OSError("not here")
        return call(what, *more)

    monkeypatch.setattr(os, stage, refuse)
    NEW.save(path)
    assert path.read_bytes() == NEW_BYTES


def test_a_saved_map_takes_the_place_of_the_old_one(path):
    NEW.save(path)
    assert path.read_bytes() == NEW_BYTES
    assert names_in(path.parent) == [path.name]


def test_a_link_is_followed_and_the_mode_kept(path):
    link = path.with_name("link.tmap")
    link.symlink_to(path)
    path.chmod(0o640)
    NEW.save(link)
    assert link.is_symlink()
    assert path.read_bytes() == NEW_BYTES
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_mode(tmp_path):
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    NEW.save(tmp_path / "new.tmap")
    assert (tmp_path / "new.tmap").stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("name", [".", "no/such/folder/map.tmap", "pipe"])
def test_a_failed_write_leaves_no_temporary_file(tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    before = names_in(tmp_path)
    with pytest.raises(OSError):  # noqa: PT011 - each system words its own
        NEW.save(tmp_path / name)
    assert names_in(tmp_path) == before
    assert not (tmp_path / "pipe").is_file()
