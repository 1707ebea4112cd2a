"""One file is replaced by another, whole or not at all, and nothing else is left or lost."""

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from terrain3d.core import files
from terrain3d.core.files import atomic_write
from tests.support.failing_disk import FailingFile, failing_files
from tests.support.paths import ROOT

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
        with (
            failing_files(monkeypatch, room, most),
            pytest.raises(OSError, match="No space") as caught,
        ):
            save(path, data)
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
        assert path.read_bytes() == b"before"
        assert names_in(path.parent) == [path.name]


@pytest.mark.parametrize("most", [1, 7, 4096])
def test_writes_that_take_a_part_are_continued(path, monkeypatch, most):
    with failing_files(monkeypatch, len(NEW), most):
        save(path)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("stage", ["fsync", "close", "replace"])
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
        elif stage == "replace":
            patched.setattr(Path, "replace", fail)
        else:
            patched.setattr(FailingFile, "close", fail_to_close)
        with failing_files(monkeypatch, len(NEW)), pytest.raises(OSError, match="error") as caught:
            save(path)
    assert (caught.value.errno, caught.value.filename) == (errno.EIO, str(path))
    assert path.read_bytes() == b"before"
    assert names_in(path.parent) == [path.name]


def test_an_error_of_the_caller_keeps_its_own_text(path):
    with pytest.raises(FileNotFoundError, match="other"), atomic_write(path):
        (path.parent / "other").read_bytes()
    with pytest.raises(OSError, match=r"^not a picture$"), atomic_write(path):
        raise OSError("not a picture")
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


def test_a_folder_that_is_read_only_is_an_error_with_the_name():
    name = Path("/sys/new.tmap")  # where not even root can create a file
    with pytest.raises(OSError, match=r"new\.tmap") as caught:
        save(name)
    assert caught.value.filename == str(name)


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


SAVE = (
    "import sys; from pathlib import Path; from terrain3d.core.files import atomic_write\n"
    "with atomic_write(Path(sys.argv[1])) as file: file.write(b'new')\n"
)


def test_the_standard_output_is_refused_as_a_pipe():
    before = Path("/dev/stdout").readlink()
    done = subprocess.run(
        [sys.executable, "-c", SAVE, "/dev/stdout"], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.splitlines()[-1].endswith(b"is not a regular file: '/dev/stdout'")
    assert Path("/dev/stdout").readlink() == before


def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    for name in ("x" * 255, "\N{CJK UNIFIED IDEOGRAPH-5C71}" * 85):
        abandon(tmp_path / name)
        save(tmp_path / name)
        assert names_in(tmp_path) == [name]
        (tmp_path / name).unlink()


def abandon(path):
    """Leave what a save leaves that is killed while it writes; return the temporary file."""
    before = set(path.parent.iterdir())
    number = os.fork()
    if number == 0:
        with atomic_write(path) as file:
            file.write(NEW)
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(number, 0)
    (left,) = set(path.parent.iterdir()) - before
    return left


def test_what_a_killed_save_left_goes_with_the_next_save_of_that_file_only(path):
    other = path.with_name("other.tmap")
    mine, also_mine, of_other = abandon(path), abandon(path), abandon(other)
    assert re.fullmatch(r"\.terrain3d-[0-9a-f]{16}-[0-9a-f]{16}\.part", mine.name)
    save(path, b"new")
    assert names_in(path.parent) == sorted([path.name, of_other.name])
    assert not also_mine.exists()
    save(other, b"new")
    assert names_in(path.parent) == [other.name, path.name]
    assert path.read_bytes() == other.read_bytes() == b"new"


def test_through_a_link_it_is_removed_beside_the_file(path, tmp_path_factory):
    link = tmp_path_factory.mktemp("far") / "link"
    link.symlink_to(path)
    abandon(path)
    save(link)
    assert names_in(path.parent) == [path.name]


def test_even_a_save_that_fails_removes_it(path, monkeypatch):
    abandon(path)
    with failing_files(monkeypatch, 10), pytest.raises(OSError, match="No space"):
        save(path)
    assert names_in(path.parent) == [path.name]


def test_files_of_the_user_that_look_alike_stay(path):
    left = abandon(path)
    token = left.name.split("-")[1]
    alike = [
        left.name.replace(token, "0" * 16),
        left.name.replace(".part", ".bak"),
        left.name.replace(".terrain3d", ".terrain4d"),
        left.name[1:],
        f".{path.name}.part",
        ".terrain3d-.part",
        ".terrain3d-notes-of-mine.part",
        f".{'0' * 16}.part",
    ]
    for name in alike:
        path.with_name(name).write_text("mine")
    path.parent.joinpath(os.fsdecode(b".terrain3d-\xff\xfe-0.part")).write_text("mine")
    save(path)
    assert len(names_in(path.parent)) == len(alike) + 2
    assert not left.exists()
    for name in alike:
        assert path.with_name(name).read_text() == "mine"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_under_such_a_name_stays(path, kind):
    left = abandon(path)
    left.unlink()
    kept = path.with_name("kept")
    kept.write_text("mine")
    if kind == "link":
        left.symlink_to(kept)
    elif kind == "pipe":
        os.mkfifo(left)
    else:
        left.mkdir()
    save(path)
    assert left.lstat()
    assert kept.read_text() == "mine"


def test_what_another_save_is_writing_stays(path):
    with atomic_write(path) as first:
        first.write(b"first")
        save(path, b"second")
        assert path.read_bytes() == b"second"
        assert Path(first.name).exists()
    assert path.read_bytes() == b"first"
    assert names_in(path.parent) == [path.name]


def test_a_file_taken_for_abandoned_before_its_lock_is_made_again(path, monkeypatch):
    lock, taken = files.fcntl.flock, []

    def take_first(file, operation):
        """Act as another process that looks in the moment between creation and lock."""
        if len(taken) < 3 and not isinstance(file, int):
            taken.append(file.name)
            files._remove_unlocked(Path(file.name)) if len(taken) < 3 else None
            if len(taken) == 2:
                raise BlockingIOError
        return lock(file, operation)

    monkeypatch.setattr(files.fcntl, "flock", take_first)
    save(path)
    assert len(set(taken)) == 3
    assert path.read_bytes() == NEW
    assert names_in(path.parent) == [path.name]


def test_without_locks_files_are_saved_and_none_is_removed(path, monkeypatch):
    left = abandon(path)

    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    for name, value in (("fcntl.flock", refuse), ("fcntl", None)):
        monkeypatch.setattr(f"terrain3d.core.files.{name}", value)
        save(path)
        assert path.read_bytes() == NEW
        assert names_in(path.parent) == sorted([left.name, path.name])


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from terrain3d.core.files import atomic_write
path, random, n_left = Path(sys.argv[1]), random.Random(7), 0
states = [bytes([value]) * 200_000 for value in range(3)]
def save(state):
    with atomic_write(path) as file:
        for start in range(0, len(state), 20_000):
            file.write(state[start : start + 20_000])
save(states[0])
for _ in range(60):
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
    n_left += len(list(path.parent.iterdir())) > 1
    assert path.read_bytes() in states
assert n_left > 10, n_left
save(states[2])
assert path.read_bytes() == states[2]
print(*os.listdir(path.parent))
"""


def test_after_many_kills_of_two_saving_programs_one_save_leaves_the_file_alone(path):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.split() == [os.fsencode(path.name)]


SAVING = """
import sys
from pathlib import Path
from terrain3d.core.files import atomic_write
for number in range(300):
    with atomic_write(Path(sys.argv[1])) as file:
        file.write(sys.argv[2].encode() * 5000)
"""


def test_saves_at_once_all_succeed(path):
    programs = [
        subprocess.Popen([sys.executable, "-c", SAVING, str(path), letter], cwd=ROOT)
        for letter in "abc"
    ]
    seen = set()
    while any(program.poll() is None for program in programs):
        seen.add(path.read_bytes())
        time.sleep(0.001)
    assert [program.returncode for program in programs] == [0, 0, 0]
    assert len(seen) > 2
    assert seen <= {b"before", b"a" * 5000, b"b" * 5000, b"c" * 5000}
    assert names_in(path.parent) == [path.name]
