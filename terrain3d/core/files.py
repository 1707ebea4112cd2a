"""Safe reading of files of unknown origin, and atomic writing."""

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
    """Return the content of a regular file; pipes and devices are refused, as they may block.

    `MapFileError` if it is missing, not a regular file, cannot be read, or has more than `limit`
    bytes.
    """
    try:
        _check_regular(path.stat(), path)  # before it is opened, which some devices react to
        with open(path, "rb", opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            _check_regular(status, path)  # it may have been replaced since
            is_small = status.st_size <= limit
            # Read in parts, because read(limit) would allocate `limit` bytes first.
            parts = islice(iter(lambda: file.read(_PART) or b"", b""), limit // _PART + 1)
            data = b"".join(parts) if is_small else b""
    except MapFileError:
        raise
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a zero byte in it
        raise MapFileError("there is no such file", source=str(path)) from None
    except OSError as error:
        raise MapFileError(f"cannot be read: {error.strerror}", source=str(path)) from None
    if not is_small or len(data) > limit:
        raise MapFileError(f"is larger than {limit} bytes", source=str(path))
    return data


def _check_regular(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise MapFileError("is not a regular file", source=str(path))


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for another process, where the system supports it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that atomically replaces `path` at the end, unless an error occurs.

    The data is written to a temporary file in the same folder, flushed to disk and then renamed,
    so even after a crash the file is either the old or the new one. A symbolic link is followed,
    and the mode of the old file is kept.

    Raises
    ------
    OSError
        It cannot be written, or `path` is not a regular file.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a regular file")
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, where the system supports it.

    The new file is in place already, so a failure here is not an error.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
