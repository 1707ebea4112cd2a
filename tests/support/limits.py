"""Disks that fail or are full, and the memory that calls take."""

import errno
import io
import os
import subprocess
import sys
import tracemalloc
from contextlib import contextmanager
from pathlib import Path

from tests.support.programs import fork_python

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
    may_mount = is_mounted and os.geteuid() == 0
    if not may_mount or subprocess.run(mount, check=False).returncode:
        yield LIMITED.format(free=free)
        return
    try:
        filler = folder / "filler"
        filler.write_bytes(bytes(65536 - free))
        yield ""
    finally:
        subprocess.run(["umount", str(folder)], check=True)


FEW_BYTES = 20_000_000


def peak_while(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


_CHILD = """
import sys
{prepare}
def peak_kb():
    # Of this process alone: resource.getrusage counts the process that started it too.
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
before = peak_kb()
{task}
print((peak_kb() - before) / 1024)
"""

IS_MEASURABLE = Path("/proc/self/status").exists()


def peak_growth_mb(prepare: str, task: str, *arguments: str) -> float:
    code = _CHILD.format(prepare=prepare, task=task)
    return float(fork_python(code, *arguments).stdout)
