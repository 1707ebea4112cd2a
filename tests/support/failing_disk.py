"""Disks that fail: files that take so many bytes, or few at a time, and disks that are full."""

import errno
import io
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

FREE = 8192
"""The bytes that a full disk still takes."""

LIMITED = """
import resource
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, ({free}, hard))
"""


class FailingFile(io.FileIO):
    """A file on a disk that takes `room[0]` more bytes, at most `most` in a call."""

    def __init__(self, path, mode, room, most):
        super().__init__(path, mode)
        self._room, self._most = room, most

    def write(self, data):
        count = min(len(data), self._room[0], self._most)
        if data and not count:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room[0] -= count
        return super().write(bytes(data)[:count])


@contextmanager
def failing_files(monkeypatch, room, most=sys.maxsize):
    """Make all files that are created or extended with `Path.open` a `FailingFile`."""
    opened, left = Path.open, [room]

    def open_failing(self, mode="r", buffering=-1, **options):
        if "x" not in mode and "a" not in mode:
            return opened(self, mode, buffering, **options)
        file = FailingFile(self, mode.strip("b"), left, most)
        return io.BufferedWriter(file) if buffering else file

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", open_failing)
        yield


@contextmanager
def full_disk(folder, is_mounted=True, free=FREE):
    """Yield code for a process to begin with, whose files in `folder` then end after `free` bytes.

    The folder becomes a disk of 64 KB that is nearly full. Where that is not permitted, or not
    `is_mounted`, the size of all files that the process writes is limited.
    """
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if not (
        is_mounted and os.geteuid() == 0 and subprocess.run(mount, check=False).returncode == 0
    ):
        yield LIMITED.format(free=free)
        return
    try:
        filler = folder / "filler"
        filler.write_bytes(bytes(65536 - free))
        yield ""
    finally:
        subprocess.run(["umount", str(folder)], check=True)
