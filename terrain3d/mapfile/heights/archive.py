"""Open zip archives of unknown origin, in which heights are packed."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from terrain3d.core.errors import MapFileError, single_line

MAX_FILES = 64
"""Limit on the files in an archive."""

_DIRECTORY_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SHOWN = 100


@contextmanager
def opened_archive(data: bytes) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; any error while it is read becomes a `MapFileError`."""
    count = data.count(_DIRECTORY_ENTRY)  # before zipfile makes an object of each
    if count > MAX_FILES:
        raise MapFileError(f"holds {count} files, the limit is {MAX_FILES}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except MapFileError:
        raise
    except Exception as error:  # zipfile raises a dozen types for broken archives
        raise MapFileError(f"is not an archive: {single_line(error, _SHOWN)}") from None


def check_packing(entry: zipfile.ZipInfo) -> None:
    """Raise `MapFileError` for a method of which zipfile unpacks all at any read."""
    if entry.compress_type not in _METHODS:
        problem = f"must be stored or deflated, is packed by method {entry.compress_type}"
        shown = single_line(entry.filename.removesuffix(".npy"), _SHOWN)
        raise MapFileError(problem, field=shown)
