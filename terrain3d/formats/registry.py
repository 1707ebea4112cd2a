"""The dictionary of map formats, and loading and saving files of any of them.

The suffix of a file decides its format. A new format of our own needs a module with
`read(data, file)`, `write(tilemap, path)` or both, which is loaded when it is used: its suffix in
`FORMATS`, and a row in the table of docs/formats.md.
"""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import (
    MAX_CELLS,
    checked_function,
    checked_path,
    instance_of,
    quoted,
    whole_within,
)
from terrain3d.core.files import (
    MapFileError,
    atomic_write,
    check_tile_count,
    in_file,
    read_bytes,
    single_line,
    warn_of_losses,
)
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.kinds import KINDS, VOID, TileKind, Unregistered
from terrain3d.map import text_picture
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, TileMap

if TYPE_CHECKING:  # so that programs which pack games find what is loaded by name
    from terrain3d.formats import gltf, tmap  # noqa: F401
    from terrain3d.formats.tiled import reader, writer  # noqa: F401


Content = bytes | dict[str, bytes]
"""What a writer returns: the bytes of the map's file, or of several files in its folder by name.

The map's own file is the last of several.
"""


@dataclass(frozen=True)
class SourceFile:
    """A file that a map is read from, and what its reader needs to know beside the bytes.

    Parameters
    ----------
    path : Path
        References of the file are relative to its folder, and lead to no file outside of it.
    max_surfaces : int
        Limit on the number of tiles, on all decks together.
    map_type : type
        Class of the map, `TileMap` or derived from it.
    """

    path: Path
    max_surfaces: int = MAX_SURFACES
    map_type: type[TileMap] = TileMap

    def build(
        self,
        level: NDArray[np.integer],
        kind: NDArray[np.integer],
        kinds: Sequence[TileKind],
        step_height: float = DEFAULT_STEP_HEIGHT,
        topology: str = "square",
        **parts: Any,  # noqa: ANN401 - as of `TileMap._add`
    ) -> TileMap:
        """Make the map of a file; `MapFileError` if these do not make a map."""
        try:
            tilemap = self.map_type(level, kind, kinds, step_height, topology)
            tilemap._add(**parts)
        except (TypeError, ValueError, IndexError) as error:
            raise MapFileError(str(error)) from None
        plain = [
            f"drawn plain: {what} {quoted(name)} of {quoted(kind.name)} is not registered"
            for kind in tilemap.kinds
            for what, name in (("texture", kind.texture), ("props", kind.props))
            if isinstance(name, Unregistered)
        ]
        warn_of_losses(self.path, plain)
        return tilemap


class Format(NamedTuple):
    """The two functions of a map format, of which one may be missing.

    `read` makes a map from the bytes of a file, `write` the content of a file from a map and from
    the path where it will be.
    """

    read: Callable[[bytes, SourceFile], TileMap] | None = None
    write: Callable[[TileMap, Path], Content] | None = None


def _of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module here, which is loaded at the first call."""

    def call(*values: object) -> Any:  # noqa: ANN401 - of the type of that function
        return getattr(import_module(f"terrain3d.formats.{module}"), name)(*values)

    return call


def _read_text_picture(data: bytes, file: SourceFile) -> TileMap:
    """Read levels and void in UTF-8; all ground is of the first kind. See `text_picture.parse`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MapFileError(f"byte {error.start} is not UTF-8") from None
    level, is_void = text_picture.parse(text, file.max_surfaces)
    return file.build(level, text_picture.kind_of(is_void, KINDS), KINDS)


def _write_text_picture(tilemap: TileMap, path: Path) -> bytes:
    """Write levels and void, which is all that a picture holds; see `text_picture.draw`."""
    picture = text_picture.draw(tilemap.level, tilemap.void) + "\n"
    names = {tilemap.kinds[number].name for number in np.unique(tilemap.kind).tolist()}
    others = {
        "kinds of ground": names - {KINDS[0].name, VOID.name},
        "decks": len(tilemap.decks),
        "links": tilemap.links,
        "walls": tilemap.walls,
        "extras": tilemap.extras,
        "the topology": tilemap.topology != "square",
        "the step height": tilemap.step_height != DEFAULT_STEP_HEIGHT,
    }
    lost = [name for name, has in others.items() if has]
    if lost:
        warn_of_losses(path, [f"left out: {', '.join(lost)}"])
    return picture.encode("ascii")


_TILED = Format(_of("tiled.reader", "read"), _of("tiled.writer", "write"))

FORMATS = {
    ".glb": Format(write=_of("gltf", "write")),
    ".tmap": Format(_of("tmap", "read"), _of("tmap", "write")),
    ".tmj": _TILED,
    ".tmx": _TILED,
    ".txt": Format(_read_text_picture, _write_text_picture),
}
"""All formats by suffix, in lower case: ours, and those that `register_format` adds."""

_OURS = frozenset(FORMATS)


def register_format(
    suffix: str,
    read: Callable[[bytes], TileMap] | None = None,
    write: Callable[[TileMap], bytes] | None = None,
) -> None:
    """Read or write all files of a suffix, such as ".vale", by functions of yours.

    A later call replaces an earlier one. What `read` raises becomes a `MapFileError` that names the
    suffix and the module of the function; what `write` raises a `ValueError`, and no file is
    changed.

    Raises
    ------
    TypeError, ValueError
        There is no function, or the suffix is none, or that of a format of terrain3d.
    """
    if not re.fullmatch(r"\.[^\s./\\]+", instance_of("suffix", suffix, str)):
        raise ValueError(f"suffix must be a dot and a name, such as '.vale', got {quoted(suffix)}")
    if suffix.lower() in _OURS:
        raise ValueError(f"suffix must not be that of a format of terrain3d, got {quoted(suffix)}")
    if read is None and write is None:
        raise ValueError(f"a format needs read, write or both, got neither for {suffix}")
    FORMATS[suffix.lower()] = Format(
        None if read is None else _reader(suffix, checked_function("read", read, 1)),
        None if write is None else _writer(suffix, checked_function("write", write, 1)),
    )


def _reader(
    suffix: str, function: Callable[[bytes], TileMap]
) -> Callable[[bytes, SourceFile], TileMap]:
    name = f"{suffix} format of {function.__module__}"

    def read(data: bytes, file: SourceFile) -> TileMap:
        try:
            made = instance_of("what read returns", function(data), TileMap)
        except MapFileError as error:
            problem, line, field = f"{name}: {error.problem}", error.line, error.field
            raise MapFileError(problem, line=line, field=field, source=error.source) from error
        except Exception as error:  # of any type, as it is not a function of ours
            problem = single_line(f"{name}: {type(error).__name__}: {error}")
            raise MapFileError(problem) from error
        check_tile_count(made.surface_level.size, file.max_surfaces)
        parts = ("decks", "links", "walls", "extras", "unknown_fields")
        return file.build(
            *(made.level, made.kind, made.kinds, made.step_height, made.topology),
            **{part: getattr(made, part) for part in parts},
        )

    return read


def _writer(suffix: str, function: Callable[[TileMap], bytes]) -> Callable[[TileMap, Path], bytes]:
    def write(tilemap: TileMap, _path: Path) -> bytes:
        try:
            return instance_of("what write returns", function(tilemap), bytes)
        except Exception as error:  # of any type, as it is not a function of ours
            name = f"{suffix} format of {function.__module__}"
            problem = single_line(f"{name}: {type(error).__name__}: {error}")
            raise ValueError(problem) from error

    return write


def _suffixes(function: str) -> str:
    """Return the suffixes of the formats that have a function, "read" or "write"."""
    return ", ".join(sorted(suffix for suffix in FORMATS if getattr(FORMATS[suffix], function)))


def max_file_bytes(max_surfaces: int) -> int:
    """Return the size limit of a file with a map of at most `max_surfaces` tiles."""
    return 2**24 + 8 * max_surfaces


def load(path: str | os.PathLike[str], max_surfaces: int, map_type: type[TileMap]) -> TileMap:
    """Read a map in the format of the file's suffix; see `TileMap.load`.

    `map_type` is the class of the map, `TileMap` or derived from it.
    """
    path = checked_path("path", path)
    whole_within("max_surfaces", max_surfaces, 1, MAX_CELLS * (MAX_DECKS + 1))
    with in_file(str(path)):
        known = FORMATS.get(path.suffix.lower(), Format())
        if known.read is None:
            problem = "cannot be read as a map: its name must end in one of"
            raise MapFileError(f"{problem} {_suffixes('read')}")
        data = read_bytes(path, max_file_bytes(max_surfaces))
        if not data:
            raise MapFileError("is empty")
        return known.read(data, SourceFile(path, max_surfaces, map_type))


def save(path: str | os.PathLike[str], tilemap: TileMap) -> None:
    """Write a map in the format of the file's suffix; see `TileMap.save`.

    If several files belong together, all are written before the first is replaced, and the map is
    replaced last.
    """
    path = checked_path("path", path)
    known = FORMATS.get(path.suffix.lower(), Format())
    if known.write is None:
        suffixes = _suffixes("write")
        raise ValueError(f"cannot write {path}: its name must end in one of {suffixes}")
    with tilemap.lock:
        content = known.write(tilemap, path)
    files = content if isinstance(content, dict) else {path.name: content}
    with ExitStack() as replacements:
        # The file that is entered first, the map's, is replaced last.
        for name, data in reversed(files.items()):
            file = replacements.enter_context(atomic_write(path.with_name(name)))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
