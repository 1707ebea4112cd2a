"""Files: read if regular, replaced whole or not at all; events as lines of JSON."""

import errno
import os
import shutil
import stat
import sys
from functools import partial
from pathlib import Path

import pytest

from terrain3d import MapFileError, TileMap
from terrain3d.core.files import atomic_write, read_bytes
from tests.support.limits import FailingFile, failing_files
from tests.support.programs import fork_python

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no device files")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_link_to_a_device_is_refused(tmp_path, device):
    path = tmp_path / "map.tmap"
    path.symlink_to(device)
    with pytest.raises(MapFileError, match=r"map\.tmap: is not a regular file"):
        read_bytes(path, 100)


@pytest.mark.parametrize("replace", [partial(os.symlink, "/dev/zero"), os.mkfifo, Path.mkdir])
def test_a_file_replaced_between_check_and_opening_is_refused(tmp_path, monkeypatch, replace):
    path = tmp_path / "map.tmap"
    path.write_bytes(b"x")
    plain_stat = Path.stat

    def stat_then_replace(self, **options):
        found = plain_stat(self, **options)
        monkeypatch.undo()
        path.unlink()
        replace(path)
        return found

    monkeypatch.setattr(Path, "stat", stat_then_replace)
    with pytest.raises(MapFileError, match=r"map\.tmap: (is not a regular file|cannot be read)"):
        read_bytes(path, 100)


NEW = bytes(range(256)) * 40  # more than a buffer


def save(path, data=NEW):
    with atomic_write(path) as file:
        file.write(data)


def names_in(folder):
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "vale.tmap"
    path.write_bytes(b"before")
    return path


@pytest.mark.parametrize("most", [sys.maxsize, 3])
def test_a_disk_that_is_full_after_any_byte_leaves_the_old_file(path, monkeypatch, most):
    data = NEW[:300]
    for room in range(len(data)):
        full = pytest.raises(OSError, match="No space")
        with failing_files(monkeypatch, room, most), full as caught:
            save(path, data)
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
        assert path.read_bytes() == b"before"
        assert names_in(path.parent) == [path.name]


@pytest.mark.parametrize("most", [1, 7, 4096])
def test_writes_that_take_a_part_are_continued(path, monkeypatch, most):
    with failing_files(monkeypatch, len(NEW), most):
        save(path)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("stage", ["fsync", "chmod", "close", "replace"])
def test_a_disk_that_fails_later_leaves_the_old_file(path, monkeypatch, stage):
    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def fail_to_close(self):
        was_closed = self.closed
        closed(self)
        if not was_closed:
            fail()

    closed = FailingFile.close
    with monkeypatch.context() as patched:
        if stage == "fsync":
            patched.setattr(os, "fsync", fail)
        elif stage in ("chmod", "replace"):
            patched.setattr(Path, stage, fail)
        else:
            patched.setattr(FailingFile, "close", fail_to_close)
        with failing_files(monkeypatch, len(NEW)), pytest.raises(OSError, match="error") as caught:
            save(path)
    assert (caught.value.errno, caught.value.filename) == (errno.EIO, str(path))
    assert path.read_bytes() == b"before"
    assert names_in(path.parent) == [path.name]


@pytest.mark.parametrize("stage", ["open", "fsync"])
def test_a_folder_that_cannot_be_synced_is_not_an_error(path, monkeypatch, stage):
    call = getattr(os, stage)

    def refuse(what, *more):
        is_folder = Path(what).is_dir() if stage == "open" else stat.S_ISDIR(os.fstat(what).st_mode)
        if is_folder:
            raise OSError("not here")
        return call(what, *more)

    monkeypatch.setattr(os, stage, refuse)
    save(path)
    assert path.read_bytes() == NEW


def test_a_link_is_followed_and_the_mode_kept(path):
    link, plain, new = (path.with_name(name) for name in ("link.tmap", "plain", "new.tmap"))
    link.symlink_to(path)
    path.chmod(0o640)
    save(link)
    assert link.is_symlink()
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    plain.write_bytes(b"")
    save(new)
    assert new.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("error", [OSError("not a picture"), KeyboardInterrupt()])
def test_an_error_of_the_caller_is_raised_as_it_is_and_keeps_the_old_file(path, error):
    with pytest.raises(type(error)) as caught, atomic_write(path):
        raise error
    assert caught.value is error
    assert path.read_bytes() == b"before"
    assert names_in(path.parent) == [path.name]


def test_a_loop_of_links_is_an_error_and_stays(tmp_path):
    one, other, own = tmp_path / "one", tmp_path / "other", tmp_path / "own"
    one.symlink_to(other)
    other.symlink_to(one)
    own.symlink_to("own")
    for link in (one, other, own):
        with pytest.raises(OSError, match="symbolic") as caught:
            save(link)
        assert (caught.value.errno, caught.value.filename) == (errno.ELOOP, str(link))
    assert [link.readlink().name for link in (one, other, own)] == ["other", "one", "own"]
    assert names_in(tmp_path) == ["one", "other", "own"]


def test_a_link_to_nothing_makes_the_file_that_it_names(tmp_path):
    link, far = tmp_path / "link", tmp_path / "far"
    far.mkdir()
    link.symlink_to("far/new")
    save(link)
    assert link.is_symlink()
    assert (far / "new").read_bytes() == NEW
    link.unlink()
    link.symlink_to("none/new")
    with pytest.raises(FileNotFoundError) as caught:
        save(link)
    assert caught.value.filename == str(link)
    assert names_in(tmp_path) == ["far", "link"]


def test_a_folder_and_a_link_to_it_are_errors_with_the_name(tmp_path):
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    for name in (folder, link):
        with pytest.raises(OSError, match=f"is not a regular file: '{name}'"):
            save(name)
    assert link.is_symlink()
    assert names_in(tmp_path) == ["folder", "link"]
    assert names_in(folder) == []


def test_a_folder_that_goes_away_is_an_error_with_the_name(tmp_path):
    path = tmp_path / "folder" / "new"
    with pytest.raises(FileNotFoundError) as caught:
        save(path)
    assert caught.value.filename == str(path)
    path.parent.mkdir()
    with pytest.raises(FileNotFoundError) as caught, atomic_write(path):
        shutil.rmtree(path.parent)
    assert caught.value.filename == str(path)


@pytest.mark.parametrize("name", ["/dev/null", "/dev/full", "pipe", "link"])
def test_devices_and_pipes_are_refused_and_stay(tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    target = tmp_path / name
    before = target.lstat()
    with pytest.raises(OSError, match="is not a regular file"):
        save(target)
    after = target.lstat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert names_in(tmp_path) == ["link", "pipe"]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    for name in ("x" * 255, "\N{CJK UNIFIED IDEOGRAPH-5C71}" * 85):
        save(tmp_path / name)
        assert names_in(tmp_path) == [name]
        (tmp_path / name).unlink()


@pytest.mark.parametrize("name", ["a\0b.tmap", "a\ud800b.tmap", "a\udbff" + "b" * 200 + ".tmap"])
def test_a_name_that_no_file_can_have_is_refused_with_the_reason(tmp_path, name):
    says = "no half of a surrogate pair"
    with pytest.raises(MapFileError, match=says) as refused:
        read_bytes(tmp_path / name, 10)
    assert str(refused.value).isprintable()
    for write in (save, TileMap([[0]]).save):
        with pytest.raises(ValueError, match=f"no file can be named '.*{says}") as refused:
            write(tmp_path / name)
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 300
    assert names_in(tmp_path) == []


def test_what_another_save_is_writing_stays(path):
    with atomic_write(path) as first:
        first.write(b"first")
        save(path, b"second")
        assert path.read_bytes() == b"second"
        assert Path(first.name).exists()
    assert path.read_bytes() == b"first"
    assert names_in(path.parent) == [path.name]


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from terrain3d.core.files import atomic_write
path, random = Path(sys.argv[1]), random.Random(7)
states = [bytes([value]) * 200_000 for value in range(3)]
def save(state):
    with atomic_write(path) as file:
        for start in range(0, len(state), 20_000):
            file.write(state[start : start + 20_000])
save(states[0])
for _ in range(30):
    ready, begun = os.pipe()
    children = []
    for state in states[1:]:  # two at once
        child = os.fork()
        if child == 0:
            os.write(begun, b".")
            while True:
                save(state)
        children.append(child)
    os.read(ready, 1)
    time.sleep(random.uniform(0.002, 0.02))
    for child in children:
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])  # no child ended by itself, with an error
    os.close(ready), os.close(begun)
    assert path.read_bytes() in states
left = set(os.listdir(path.parent)) - {path.name}
assert len(left) > 5, left
assert all(name.startswith(".terrain3d-") and name.endswith(".part") for name in left), left
save(states[2])
assert path.read_bytes() == states[2]
"""


def test_after_many_kills_of_two_saving_programs_the_file_is_whole_and_can_be_saved(path):
    assert fork_python(KILLED, path).stderr == ""
