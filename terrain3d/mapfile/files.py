"""Bytes of files that may be missing, endless or no files at all."""

from pathlib import Path

from terrain3d.mapfile.error import MapFileError


def read_bytes(path: Path, limit: int) -> bytes:
    """Read a whole file.

    Raises
    ------
    MapFileError
        It is missing, no plain file, cannot be read, or has more than `limit` bytes.
    """
    try:
        if not path.is_file():
            raise MapFileError("there is no such file", source=str(path))
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise MapFileError(f"cannot be read: {error.strerror}", source=str(path)) from None
    if len(data) > limit:
        raise MapFileError(f"is larger than {limit} bytes", source=str(path))
    return data
