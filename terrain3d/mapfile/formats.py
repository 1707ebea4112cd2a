"""The table of map formats, and reading and writing files of any of them.

`FORMATS` is the only list of formats. A new format needs a module with `read(data, options)`,
`write(record)` or both, which is loaded when it is used: its name here, a row in `FORMATS`, and a
row in the table of docs/formats.md.
"""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from terrain3d.core.checks import MAX_CELLS, checked_path, instance_of, one_of, whole_within
from terrain3d.core.errors import MapFileError, in_file
from terrain3d.core.files import atomic_write, read_bytes
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.hexgrid import TOPOLOGIES
from terrain3d.mapfile import signatures
from terrain3d.mapfile.read_options import (
    MAX_SAMPLES_PER_TILE,
    MAX_SURFACES,
    HeightRules,
    ReadOptions,
    max_file_bytes,
)
from terrain3d.mapfile.record import FileContent, MapRecord

if TYPE_CHECKING:  # so that programs which pack games find what is loaded by name
    from terrain3d.mapfile import gridmap, text_picture, tiled  # noqa: F401
    from terrain3d.mapfile.heights import (  # noqa: F401
        esri_ascii,
        geotiff,
        height_image,
        heights_to_levels,
        npy,
        raw16,
        srtm,
    )
    from terrain3d.mapfile.movingai import movingai_map  # noqa: F401
    from terrain3d.mapfile.native import tmap  # noqa: F401


class Format(NamedTuple):
    """One map format; `suffixes` are those of its files, in lower case.

    `read` makes a map record from the bytes of a file and the caller's options, `write` the content
    of a file from a record, and from a `TilesetFiles` if `has_tilesets`. A format without them
    cannot be read or written. `signature` matches the beginning of each file.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, ReadOptions], MapRecord] | None = None
    write: Callable[..., FileContent] | None = None
    signature: re.Pattern[bytes] = signatures.NONE
    has_heights: bool = False
    has_tilesets: bool = False


def _of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module here, which is loaded at the first call."""

    def call(*values: object) -> Any:  # noqa: ANN401 - of the type of that function
        return getattr(import_module(f"terrain3d.mapfile.{module}"), name)(*values)

    return call


def _of_heights(
    name: str,
    suffixes: tuple[str, ...],
    signature: re.Pattern[bytes],
    module: str,
    read_heights: str = "read_heights",
    *,
    can_write: bool = False,
    may_hold_levels: bool = True,
) -> Format:
    parse = _of(f"heights.{module}", read_heights)

    def read(data: bytes, options: ReadOptions) -> MapRecord:
        from terrain3d.mapfile.heights.heights_to_levels import height_reader

        return height_reader(parse, may_hold_levels=may_hold_levels)(data, options)

    write = _of(f"heights.{module}", "write") if can_write else None
    return Format(name, suffixes, read, write, signature, has_heights=True)


_of_meters = partial(_of_heights, may_hold_levels=False)


def _own(name: str, suffix: str, signature: re.Pattern[bytes], module: str) -> Format:
    """Return a format whose module reads and writes it."""
    return Format(name, (suffix,), _of(module, "read"), _of(module, "write"), signature)


def _tiled(suffix: str, writer: str) -> Format:
    read, write = _of("tiled", "read"), _of("tiled", writer)
    return Format("Tiled map", (suffix,), read, write, signatures.TILED, has_tilesets=True)


TEXT_PICTURE = _own("text picture", ".txt", signatures.NONE, "text_picture")
"""The format of a file that neither its beginning nor its suffix identifies."""

FORMATS = (
    _tiled(".tmx", "write_tmx"),
    _tiled(".tmj", "write_tmj"),
    Format(
        *("Tiled world", (".world",), _of("tiled", "read_world")), signature=signatures.TILED_WORLD
    ),
    _own("Godot GridMap", ".json", signatures.GRIDMAP, "gridmap"),
    _own("native map", ".tmap", signatures.TMAP, "native.tmap"),
    _own("MovingAI map", ".map", signatures.MOVINGAI, "movingai.movingai_map"),
    _of_heights("height image", (".png",), signatures.PNG, "height_image", can_write=True),
    _of_heights("numpy array", (".npy",), signatures.NPY, "npy", can_write=True),
    _of_meters("zipped SRTM tile", (".zip",), signatures.ZIPPED_SRTM, "srtm", "read_zip"),
    _of_heights("numpy archive", (".npz",), signatures.NPZ, "npy", "read_archive"),
    _of_heights("ESRI ASCII grid", (".asc",), signatures.ESRI_ASCII, "esri_ascii", can_write=True),
    Format(
        *("GeoTIFF", (".tif", ".tiff"), _of("heights.geotiff", "read")),
        signature=signatures.GEOTIFF,
        has_heights=True,
    ),
    _of_meters("SRTM tile", (".hgt",), signatures.NONE, "srtm"),
    Format("raw heights", (".r16", ".raw"), _of("heights.raw16", "read"), has_heights=True),
    TEXT_PICTURE,
)
"""All formats; signatures are tried in this order."""

WRITABLE: Mapping[str, Format] = {
    suffix: known for known in FORMATS if known.write for suffix in known.suffixes
}
"""The format that each suffix is written in."""


def read(
    path: str | os.PathLike[str],
    topology: str = "square",
    max_surfaces: int = MAX_SURFACES,
    heights: HeightRules | None = None,
    root: str | os.PathLike[str] | None = None,
) -> MapRecord:
    """Read a map in any format that docs/formats.md lists.

    The beginning of the file identifies its format; where it does not, the suffix does.

    Parameters
    ----------
    path : str or path
    topology : str
        Topology of maps whose format does not store one.
    max_surfaces : int
        Limit on the number of tiles, on all decks together; a grid of heights may have
        twice as many samples.
    heights : HeightRules, optional
        How heights become levels; the default rules if not given.
    root : str or path, optional
        Folder of all files that a Tiled map may refer to, the map's own folder if not given.

    Raises
    ------
    MapFileError
        It is not a regular file, too large, or not a map; or rules for heights were given and its
        format has none. Names the line or field, if there is one.
    TypeError, ValueError
        The topology is unknown, `max_surfaces` is out of its limits, or the root is no folder.
    """
    path = checked_path("path", path)
    one_of("topology", topology, TOPOLOGIES)
    whole_within("max_surfaces", max_surfaces, 1, MAX_CELLS * (MAX_DECKS + 1))
    root_path = None if root is None else checked_path("root", root)
    if root_path is not None and not os.path.isdir(root_path):  # noqa: PTH112 - raises for no name
        raise ValueError(f"root must be a folder, got {str(root_path)!r}")
    suffix = path.suffix.lower()
    readable = [known for known in FORMATS if known.read]
    by_suffix = next((known for known in readable if suffix in known.suffixes), TEXT_PICTURE)
    n_samples = max_surfaces * (MAX_SAMPLES_PER_TILE if by_suffix.has_heights else 1)
    with in_file(str(path)):
        data = read_bytes(path, max_file_bytes(n_samples))
        if not data:
            raise MapFileError("is empty")
        known = next((known for known in readable if known.signature.match(data)), by_suffix)
        if heights is not None and not known.has_heights:
            problem = f"is a {known.name} and has no heights: height rules do not apply"
            raise MapFileError(problem)
        assert known.read is not None  # only readable formats were searched
        options = ReadOptions(topology, max_surfaces, heights, path.parent, root_path)
        try:
            record = known.read(data, options)
        except MapFileError as error:
            if not known.signature.match(data) and (name := signatures.name_of(data)):
                raise MapFileError(f"is {name}") from None
            if known != TEXT_PICTURE or suffix in TEXT_PICTURE.suffixes:
                raise
            problem = f"has no known format and is not a text picture: {error.problem}"
            raise MapFileError(problem, line=error.line) from None
    return replace(record, format=known.name)


def write(path: str | os.PathLike[str], record: MapRecord, tilesets: str = "") -> tuple[str, ...]:
    """Write a map in the format of the file's suffix; return notes on what the format cannot hold.

    The file is replaced atomically: a failure leaves the old one. If several files belong together,
    all are written before the first is replaced, and the map is replaced last.

    Parameters
    ----------
    path : str or path
    record : MapRecord
    tilesets : str
        One of `tiled.TILESET_SUFFIXES`: write the tilesets of a Tiled map to files of their own
        beside it.

    Raises
    ------
    OSError
        A file cannot be written.
    TypeError, ValueError
        No format has that suffix, or the format cannot hold such a map or has no tilesets.
    """
    path, record = checked_path("path", path), instance_of("record", record, MapRecord)
    known = WRITABLE.get(path.suffix.lower())
    if instance_of("tilesets", tilesets, str) and (known is None or not known.has_tilesets):
        suffixes = sorted(name for name in WRITABLE if WRITABLE[name].has_tilesets)
        raise ValueError(f"{path} has no tilesets, only {', '.join(suffixes)} files have")
    if known is None or known.write is None:
        raise ValueError(
            f"cannot write {path}: its name must end in one of {', '.join(sorted(WRITABLE))}"
        )
    files = [_of("tiled", "TilesetFiles")(path, tilesets)] if known.has_tilesets else []
    content = known.write(record, *files)
    with ExitStack() as replacements:
        for name, data in {path.name: content.data, **content.other_files}.items():
            file = replacements.enter_context(atomic_write(path.with_name(name)))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    return content.notes
