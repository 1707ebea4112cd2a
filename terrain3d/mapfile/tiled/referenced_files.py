"""Files of Tiled, in XML or JSON, and those that they refer to."""

import os
from pathlib import Path, PureWindowsPath

from terrain3d.core.errors import MapFileError
from terrain3d.core.files import read_bytes
from terrain3d.mapfile import json_text
from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.record import Extras
from terrain3d.mapfile.tiled import tmx_reader
from terrain3d.mapfile.tiled.notes import quoted

MAX_BYTES = 2**23
"""How large all files that a map refers to may be together, each counted for each reference."""
MAX_VALUES = 2**18
"""About the most values a file in JSON may hold, beside the tiles of a map."""

_MAX_NAME = 500


def parse(data: bytes, source: str, max_values: int = MAX_VALUES) -> tuple[str, Extras]:
    """Tell what a file is, "map" say, and its fields, in the words of Tiled's JSON.

    Raises
    ------
    MapFileError
        It is neither XML nor JSON.
    """
    start = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith((b"{", b"[")) and b"<" in start:
        return tmx_reader.read(data, source)
    top = Fields(json_text.parse(data, max_values, source), "", source)
    return top.text("type", "map" if "layers" in top.unread else "nothing known"), top.unread


class ReferencedFiles:
    """Files that a map may refer to: those in a folder or below, up to MAX_BYTES of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._n_left = MAX_BYTES
        self._known: dict[Path, tuple[int, str, Extras]] = {}

    def open(self, owner: Fields, name: str, wanted: str) -> Fields:
        """Take a reference out of its owner and read the file.

        Parameters
        ----------
        owner : Fields
        name : str
            The field that names the file.
        wanted : str
            What it must be: "tileset", "template".

        Raises
        ------
        MapFileError
            It lies somewhere else, is not there, too large, or something else.
        """
        reference = owner.text(name)
        path = inside(self._folder, reference)
        if path is None:
            problem = f"must name a file in the map's folder or below, got {reference[:80]!r}"
            raise owner.error(problem, name)
        if path not in self._known:
            data = read_bytes(path, self._n_left)
            self._known[path] = (len(data), *parse(data, str(path)))
        size, what, fields = self._known[path]
        self._n_left -= size
        if self._n_left < 0:
            raise owner.error(f"refers with others to more than {MAX_BYTES} bytes", name)
        if what != wanted:
            raise MapFileError(f"is no {wanted} but {quoted(what)}", source=str(path))
        return Fields(fields, "", str(path))


def inside(folder: Path, reference: str) -> Path | None:
    """Find the file that a name refers to; None where it does not lie in the folder or below.

    The path has no links in it.
    """
    windows = PureWindowsPath(reference)
    is_name = 0 < len(reference) <= _MAX_NAME and reference.isprintable()
    if not is_name or windows.drive or windows.root:
        return None
    try:
        base = os.path.realpath(folder)
        path = os.path.realpath(Path(base) / reference.replace("\\", "/"))
    except (OSError, ValueError):
        return None
    return Path(path) if Path(path).is_relative_to(base) else None
