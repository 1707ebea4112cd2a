"""Bytes of files that may be missing, endless or no files at all, and files written whole."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from terrain3d.core.errors import MapFileError

_PART = 2**20


def read_bytes(path: Path, limit: int) -> bytes:
    """Read a whole file.

    Raises
    ------
    MapFileError
        It is missing, no plain file, cannot be read, or has more than `limit` bytes.
    """
    with open_plain_file(path) as file:
        is_small = os.fstat(file.fileno()).st_size <= limit
        # Part by part: to read `limit` bytes at once would take that much memory first.
        parts = islice(iter(lambda: file.read(_PART), b""), limit // _PART + 1)
        data = b"".join(parts) if is_small else b""
    if not is_small or len(data) > limit:
        raise MapFileError(f"is larger than {limit} bytes", source=str(path))
    return data


@contextmanager
def open_plain_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be read; nothing waits for a pipe or a device.

    Raises
    ------
    MapFileError
        It is missing, no plain file, or cannot be read.
    """
    try:
        if not path.is_file():
            problem = "is no plain file" if path.exists() else "there is no such file"
            raise MapFileError(problem, source=str(path))
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise MapFileError(f"cannot be read: {error.strerror}", source=str(path)) from None


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Write a file that takes the place of another at the end, or leaves it as it was.

    The new file grows beside the old one and is renamed when all of it is on the disk, so that
    whoever looks, also after a crash, finds either of them whole. A link is followed, the mode of
    the old file is kept.

    Raises
    ------
    OSError
        It cannot be written, or something that is no plain file stands there.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is no plain file")
    beside = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    _settle(target.parent)


def _settle(folder: Path) -> None:
    """Put a folder's list of names on the disk, where a system can.

    The new file is in place already: where it cannot, or may not read the folder, that is no
    failure of writing.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
