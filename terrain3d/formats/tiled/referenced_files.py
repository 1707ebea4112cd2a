"""Read files in Tiled's XML or JSON, and the files that a map refers to."""

import os
from pathlib import Path, PureWindowsPath

from terrain3d.core.errors import MapFileError, in_file
from terrain3d.core.files import read_bytes
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled.properties import quoted
from terrain3d.formats.tiled.tmx import read
from terrain3d.map.tilemap import Extras

MAX_BYTES = 2**23
"""Limit on the total size of the files that a map refers to; each reference counts."""
MAX_WORLD_BYTES = 8 * MAX_BYTES
"""The same limit for all maps of a world together, whose files are often the same."""
MAX_VALUES = 2**18
"""Approximate limit on the values in a JSON file, without the tiles of a map."""

_MAX_NAME = 500


def parse(data: bytes, max_values: int = MAX_VALUES) -> tuple[str, Extras]:
    """Return the type of a file in XML or JSON, such as "map", and its fields as in JSON."""
    start = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith((b"{", b"[")):
        if b"<" not in start:
            raise MapFileError("is neither XML nor JSON")
        return read(data)
    top = Fields(json_text.parse(data, max_values))
    return top.text("type", "map" if "layers" in top.unread else "unknown"), top.unread


class FileCache:
    """Files that were read, up to a total size; each reference to a file counts."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = self._bytes_left = max_bytes
        self._files: dict[Path, tuple[int, str, Extras]] = {}

    def read(self, path: Path) -> tuple[str, Extras] | None:
        """Return the type and the fields of a file; None if the references exceed the limit."""
        if path not in self._files:
            data = read_bytes(path, self._bytes_left)
            with in_file(str(path)):
                self._files[path] = (len(data), *parse(data))
        size, found_type, fields = self._files[path]
        self._bytes_left -= size
        return None if self._bytes_left < 0 else (found_type, fields)


class ReferencedFiles:
    """The files that a map may refer to: those in a root folder or below.

    References are relative to the map's folder, which is also the root if none is given. Maps of a
    world share a cache; another map has its own, of MAX_BYTES.
    """

    def __init__(
        self, folder: Path, root: Path | None = None, cache: FileCache | None = None
    ) -> None:
        self._folder, self._root = folder, root
        self._cache = cache or FileCache(MAX_BYTES)

    def path(self, owner: Fields, name: str) -> Path:
        """Take the field `name` out of its owner and return the path that it names."""
        reference = owner.text(name)
        path = resolve_inside(self._folder, reference, self._root)
        if path is None:
            where = f"the root {self._root}" if self._root else "the map's folder"
            hint = "" if self._root else "; root= or --root names a folder above it"
            problem = f"must name a file in {where} or below, got {reference[:80]!r}{hint}"
            raise owner.error(problem, name)
        return path

    @staticmethod
    def has(path: Path) -> bool:
        """Return whether there is a file or a folder at a path."""
        return os.access(path, os.F_OK)  # Path.exists raises for some names

    def read(self, path: Path, owner: Fields, name: str, file_type: str) -> Fields:
        """Return the fields of the file at a path, which the field `name` of an owner names.

        `file_type` is "tileset" or "template".
        """
        found = self._cache.read(path)
        if found is None:
            limit = self._cache.max_bytes
            problem = f"the files that the map refers to have more than {limit} bytes"
            raise owner.error(problem, name)
        found_type, fields = found
        if found_type != file_type:
            problem = f"is of type {quoted(found_type)}, must be {file_type!r}"
            raise MapFileError(problem, source=str(path))
        return Fields(fields, "", str(path))


def resolve_inside(folder: Path, reference: str, root: Path | None = None) -> Path | None:
    """Return the path of a reference, links resolved; None if it is outside the root.

    The reference is relative to `folder`, which is also the root if none is given.
    """
    windows = PureWindowsPath(reference)
    is_name = 0 < len(reference) <= _MAX_NAME and reference.isprintable()
    if not is_name or windows.drive or windows.root:
        return None
    try:
        base = os.path.realpath(folder)
        top = base if root is None else os.path.realpath(root)
        path = os.path.realpath(Path(base) / reference.replace("\\", "/"))
    except (OSError, ValueError):
        return None
    return Path(path) if Path(path).is_relative_to(top) else None
