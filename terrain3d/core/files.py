"""Safe reading of files of unknown origin, their errors, packed data, PNG, and atomic writing."""

import base64
import errno
import os
import secrets
import stat
import string
import struct
import sys
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path, PureWindowsPath
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.core.checks import quoted, whole_within


class MapFileError(ValueError):
    """Error in a map file or text that cannot be read, with the position of the problem.

    Parameters
    ----------
    problem : str
        The problem, with the limit and the value.
    line : int, optional
        Line of the text, counted from 1.
    field : str
        Field of the file, such as "kinds[2].cost".
    source : str, optional
        Name of the file.
    """

    def __init__(
        self, problem: str, *, line: int | None = None, field: str = "", source: str = ""
    ) -> None:
        self.problem = problem
        self.line = line
        self.field = field
        self.source = source
        position = [source] if source else []
        if line is not None:
            position.append(f"line {line}")
        if field:
            position.append(field)
        text = ": ".join([", ".join(position), problem]) if position else problem
        super().__init__(single_line(text))


class MapFileWarning(UserWarning):
    """A map lacks something that its file has, or a file something that its map has."""


def warn_of_losses(path: Path, losses: Sequence[str]) -> None:
    """Warn in one line of what a map or a file lacks; of nothing, if there are no losses."""
    if losses:
        warnings.warn(single_line(f"{path}: {'; '.join(losses)}"), MapFileWarning, stacklevel=2)


def single_line(text: object, limit: int | None = None) -> str:
    """Return untrusted text with control characters replaced, so that it prints as one line."""
    shown = str(text)[: None if limit is None else whole_within("limit", limit, 0)]
    return "".join(char if char.isprintable() else " " for char in shown)


@contextmanager
def in_file(source: str) -> Iterator[None]:
    """Name a file in each `MapFileError` of a `with` block that does not name one."""
    try:
        yield
    except MapFileError as error:
        if error.source:
            raise
        line, field = error.line, error.field
        named = MapFileError(error.problem, line=line, field=field, source=source)
        raise named from error.__cause__


def check_tile_count(tiles: int, limit: int, field: str = "") -> None:
    """Raise `MapFileError` if a file, by one of its fields, has more tiles than the limit."""
    if tiles > limit:
        problem = f"makes {tiles} tiles; the limit, max_surfaces, is {limit}"
        raise MapFileError(problem, field=field)


_PART = 2**20
_PREFIX = ".terrain3d-"
_NO_NAME = "a name has no zero character and no half of a surrogate pair"


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
    except (FileNotFoundError, NotADirectoryError):
        raise MapFileError("there is no such file", source=str(path)) from None
    except ValueError:
        raise MapFileError(f"there is no such file: {_NO_NAME}", source=str(path)) from None
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


_MAX_NAME = 500


def resolve_inside(folder: Path, reference: str, root: Path) -> Path | None:
    """Return the path of a reference relative to a folder; None if it is outside the root.

    Links are resolved.
    """
    windows = PureWindowsPath(reference)
    is_name = 0 < len(reference) <= _MAX_NAME and reference.isprintable()
    if not is_name or windows.drive or windows.root:
        return None
    try:
        path = os.path.realpath(Path(os.path.realpath(folder)) / reference.replace("\\", "/"))
        return Path(path) if Path(path).is_relative_to(os.path.realpath(root)) else None
    except (OSError, ValueError):
        return None


COMPRESSIONS = ("", "zlib", "gzip", "zstd")
_NEEDS_ZSTD = 'is compressed with zstd, which needs: pip install "terrain3d-tactics[tiled]"'
_SPACES = string.whitespace.encode("ascii")
_WINDOW_LOG = 25
"""Limit of the memory that zstd takes in addition to the unpacked data, as a power of 2."""


def unpack(text: str, dtype: DTypeLike, count: int, compression: str = "zlib") -> NDArray[Any]:
    """Return the array of `count` values whose bytes are compressed and in base64.

    More are never unpacked. `ValueError` if the text holds something else.
    """
    try:
        data = base64.b64decode(text.encode("ascii").translate(None, _SPACES), validate=True)
    except ValueError as error:
        raise ValueError(f"is not base64: {error}") from None
    if compression not in COMPRESSIONS:
        known = ", ".join(COMPRESSIONS[1:])
        raise ValueError(f"compression must be one of {known}, got {quoted(compression)}")
    size, is_whole_stream = count * np.dtype(dtype).itemsize, True
    if compression:
        stream, errors = _stream(compression)
        try:
            data = stream.decompress(data, size + 1)
        except errors as error:
            raise ValueError(f"cannot be unpacked: {error}") from None
        is_whole_stream = stream.eof and not stream.unused_data
    if len(data) != size:
        found = "more" if len(data) > size else "less"
        raise ValueError(f"holds {found} than {count} values")
    if not is_whole_stream:
        raise ValueError("cannot be unpacked: it is cut short or too long")
    return np.frombuffer(data, dtype)


def _stream(compression: str) -> tuple[Any, type[Exception]]:
    """Return a decompressor, for zstd of Python or before 3.14 of its backport, and its error."""
    if compression != "zstd":
        wbits = zlib.MAX_WBITS + (16 if compression == "gzip" else 0)
        return zlib.decompressobj(wbits), zlib.error
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ValueError(_NEEDS_ZSTD) from None
    options: dict[Any, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    return zstd.ZstdDecompressor(options=options), zstd.ZstdError


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

    The data is written to a temporary file in the same folder, flushed to disk and then renamed, so
    even after a crash the file is either the old or the new one. A program that is killed meanwhile
    may leave the temporary file, `.terrain3d-*.part`. A symbolic link is followed, and the mode of
    the old file is kept. `OSError`, which names `path`, if it cannot be written, or is not a
    regular file; `ValueError` if no file can have that name.
    """
    try:
        mode = _mode_of(path)
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f"{_PREFIX}{secrets.token_hex(8)}.part")
        file = temporary.open("xb")
        try:
            with file:
                yield file
                file.flush()
                if mode is not None:
                    temporary.chmod(mode)
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
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
    except ValueError:
        raise ValueError(f"no file can be named {quoted(str(path))}: {_NO_NAME}") from None
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    return stat.S_IMODE(mode)


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


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return a PNG file of (height, width, 2, 3 or 4) pixels: gray or color, with opacity or not.

    See https://www.w3.org/TR/png-3/.
    """
    high, wide, channels = pixels.shape
    rows = np.pad(pixels.reshape(high, -1), ((0, 0), (1, 0))).data  # each row without a filter
    head = struct.pack(">IIBBBBB", wide, high, 8, {2: 4, 3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    )
