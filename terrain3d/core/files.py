"""Safe reading of files of unknown origin, and atomic writing."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from terrain3d.core.errors import MapFileError

try:
    import fcntl
except ModuleNotFoundError:  # on Windows
    fcntl = None  # type: ignore[assignment]

_PART = 2**20
_PREFIX = ".terrain3d-"


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the content of a regular file; pipes and devices are refused, as they may block.

    `MapFileError` if it cannot be read, or has more than `limit` bytes.
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


def check_target(path: Path, what: str, *suffixes: str) -> None:
    """Check, before it is made, that something can be written to a path.

    `ValueError` if the name has none of the suffixes, `OSError` if it is a directory, or there is
    no directory that can be written to.
    """
    if path.is_dir():
        raise IsADirectoryError(f"cannot write {what} to {path}: it is a directory")
    if path.suffix.lower() not in suffixes:
        endings = "one of " * (len(suffixes) > 1) + ", ".join(suffixes)
        raise ValueError(f"cannot write {what} to {path}: its name must end in {endings}")
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"cannot write {what} to {path}: there is no directory {folder}")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"cannot write {what} to {path}: {folder} cannot be written to")


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that atomically replaces `path` at the end, unless an error occurs.

    The data is written to a temporary file in the same folder, flushed to disk and then renamed,
    so even after a crash the file is either the old or the new one. Temporary files of killed
    programs are removed by the next call for the same path. A symbolic link is followed, and the
    mode of the old file is kept. `OSError`, which names `path`, if it cannot be written, or is not
    a regular file.
    """
    try:
        mode = _mode_of(path)
        target = Path(os.path.realpath(path))
        _remove_abandoned(target)
        with ExitStack() as stack:
            temporary, file = _open_temporary(target, stack)
            with file:
                yield file
                file.flush()
                if mode is not None:
                    temporary.chmod(mode)
                os.fsync(file.fileno())
            temporary.replace(target)
    except OSError as error:
        is_named = error.filename is not None and _PREFIX not in str(error.filename)
        if error.errno is None or is_named:  # perhaps of another file that the caller reads
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    _sync_folder(target.parent)


def _mode_of(path: Path) -> int | None:
    """Return the mode of a regular file, None if nothing is there; `OSError` for anything else."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    return stat.S_IMODE(mode)


def _temporary_name(target: Path, token: str) -> str:
    """Return a name for a temporary file of a target, which no other program gives its files."""
    digest = blake2b(os.fsencode(target.name + token), digest_size=8).hexdigest()
    return f"{_PREFIX}{token}-{digest}.part"


def _open_temporary(target: Path, stack: ExitStack) -> tuple[Path, BinaryIO]:
    """Create a temporary file, locked until the end of `stack`, which removes it.

    The kernel releases the lock of a killed process, so a file without a lock is abandoned.
    """
    while True:
        temporary = target.with_name(_temporary_name(target, secrets.token_hex(8)))
        file = temporary.open("xb")
        stack.callback(temporary.unlink, missing_ok=True)
        if fcntl is None:
            return temporary, file
        stack.callback(os.close, os.dup(file.fileno()))  # keeps the lock when `file` is closed
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass  # another process took it for abandoned before it was locked
        except OSError:
            return temporary, file  # without locks nothing is removed
        else:
            if temporary.exists():
                return temporary, file
        file.close()


def _remove_abandoned(target: Path) -> None:
    """Remove the temporary files that killed programs left beside a target, where possible."""
    if fcntl is None:
        return
    with suppress(OSError):
        for path in target.parent.glob(f"{_PREFIX}*.part"):
            token = path.name.removeprefix(_PREFIX).partition("-")[0]
            if path.name == _temporary_name(target, token):
                _remove_unlocked(path)


def _remove_unlocked(path: Path) -> None:
    """Remove a regular file unless a process has locked it."""
    with suppress(OSError):
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if stat.S_ISREG(os.fstat(number).st_mode):
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
        finally:
            os.close(number)


def _sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk if possible; the new file is in place already."""
    if os.name != "posix":
        return
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
